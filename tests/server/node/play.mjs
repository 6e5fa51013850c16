// Plays the example with every construct over stdio with the TypeScript SDK's client, and prints how it ended.
// The first argument says which client: version 1 of the SDK, made for protocol revisions up to 2025-11-25, or
// version 2, which speaks 2026-07-28 here. The second is JSON: how to start the server, the document, its inputs,
// and what to report of which task.
import * as second from "@modelcontextprotocol/client";
import * as secondPipes from "@modelcontextprotocol/client/stdio";
import * as first from "@modelcontextprotocol/sdk/client/index.js";
import * as firstPipes from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const isFirst = process.argv[2] === "1";
const { Client } = isFirst ? first : second;
const { StdioClientTransport } = isFirst ? firstPipes : secondPipes;
const { server, spec, inputs, workspace, results } = JSON.parse(process.argv[3]);
const asked = [];
const statuses = [];

const options = { capabilities: { elicitation: {} } };
if (!isFirst) options.versionNegotiation = { mode: { pin: "2026-07-28" } };
const client = new Client({ name: "play", version: "1.0.0" }, options);
client.setRequestHandler(isFirst ? ElicitRequestSchema : "elicitation/create", async ({ params }) => {
  asked.push(params.message);
  return { action: "accept", content: { outcome: asked.length === 1 ? "revise" : "approve", note: "" } };
});

// The client holds each answer against the tool's output schema, once it has listed the tools.
async function call(name, args) {
  const answer = await client.callTool({ name, arguments: args });
  if (answer.isError) throw new Error(JSON.stringify(answer));
  const { text } = answer.content[0];
  const data = JSON.parse(text.slice(text.lastIndexOf("\n\n") + 2));
  if (JSON.stringify(data) !== JSON.stringify(answer.structuredContent)) throw new Error("text and data differ");
  statuses.push(answer.structuredContent.status);
  return answer.structuredContent;
}

await client.connect(new StdioClientTransport({ ...server, stderr: "inherit" }));
const revision = isFirst ? null : client.getNegotiatedProtocolVersion();
const { tools } = await client.listTools();
let answer = await call("stratum_plan", { spec, inputs, workspace_root: workspace });
for (;;) {
  const { flow_id, step_id } = answer;
  if (answer.status === "execute_step") {
    const result = { ...results[answer.function], ...("item" in answer ? { language: answer.item } : {}) };
    answer = await call("stratum_step_done", { flow_id, step_id, result, dispatch_token: answer.dispatch_token });
  } else if (answer.status === "await_gate") {
    answer = await call("stratum_gate_resolve", { flow_id, step_id, outcome: "approve", gate_token: answer.gate_token });
  } else break;
}
const refused = await client.callTool({ name: "stratum_flows", arguments: { limt: 1 } }).catch((error) => error);
await client.close();
console.log(
  JSON.stringify({
    revision,
    tools: tools.map((tool) => tool.name),
    answer,
    asked,
    statuses,
    refused: { code: refused.code, message: refused.message },
  }),
);
