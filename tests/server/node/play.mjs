// Plays the example with every construct over stdio with the TypeScript SDK's client, and prints how it ended.
// The one argument is JSON: how to start the server, the document, its inputs, and what to report of which task.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const { server, spec, inputs, workspace, results } = JSON.parse(process.argv[2]);
const asked = [];
const statuses = [];

const client = new Client({ name: "play", version: "1.0.0" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
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
    server: client.getServerVersion()?.name,
    tools: tools.map((tool) => tool.name),
    answer,
    asked,
    statuses,
    refused: { code: refused.code, message: refused.message },
  }),
);
