"use strict";
// Draws texts by the real Mermaid library. Standard input: JSON {name: text}. Standard output: JSON by name of
// {error} or {nodes: {id: label}, edges: [label], title, texts}, as the drawing has them.
const fs = require("node:fs");
const { withPage } = require("./browser.js");

const LIBRARY = require.resolve("mermaid/dist/mermaid.min.js");

async function draw(page, text) {
  return page.evaluate(async (source) => {
    const holder = document.body;
    holder.replaceChildren();
    let svg;
    try {
      ({ svg } = await window.mermaid.render("drawn", source));
    } catch (error) {
      return { error: String(error) };
    }
    holder.innerHTML = svg;
    const words = (element) => {
      const copy = element.cloneNode(true);
      for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
      return copy.textContent.trim();
    };
    const nodes = {};
    for (const node of holder.querySelectorAll("g.node")) nodes[node.id] = words(node);
    const all = (selector) => [...holder.querySelectorAll(selector)].map(words);
    return {
      nodes,
      edges: all(".edgeLabels .edgeLabel span.edgeLabel, .edgeLabels g.edgeLabel"),
      title: all("text[class*=TitleText]").join(""),
      clusters: all(".cluster-label, .cluster .cluster-label"),
      elements: [...new Set([...holder.querySelectorAll("foreignObject *")].map((one) => one.tagName.toLowerCase()))],
      text: words(holder),
    };
  }, text);
}

async function main() {
  const texts = JSON.parse(fs.readFileSync(0, "utf-8"));
  const drawn = await withPage({}, async (page, faults) => {
    await page.setContent("<!doctype html><meta charset=utf-8><body></body>");
    await page.addScriptTag({ path: LIBRARY });
    await page.evaluate(() => window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict" }));
    const results = {};
    for (const [name, text] of Object.entries(texts)) results[name] = await draw(page, text);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    return results;
  });
  process.stdout.write(JSON.stringify(drawn));
}

main().catch((error) => { process.stderr.write(`${error.stack}\n`); process.exitCode = 1; });
