"use strict";
// Uses a page as a reviewer would. Argument: the page. Standard input: JSON list of steps, each a list that begins
// with a name of STEPS. Standard output: JSON of what the steps saw, by the names that they give.
const fs = require("node:fs");
const path = require("node:path");
const { withPage } = require("./browser.js");
const { leastContrasts } = require("./contrast.js");

const file = `file://${path.resolve(process.argv[2])}`;
const steps = JSON.parse(fs.readFileSync(0, "utf-8"));

const nodeOf = (page, name) => page.getByRole("application").getByRole("button", { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(, |$)`) }).first();

// What a reader sees of each element, in the words of its texts, with the spaces that the layout makes.
const textsOf = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.innerText.replace(/\s+/g, " ").trim()));

const STEPS = {
  open: (page, seen, hash = "") => page.goto("about:blank").then(() => page.goto(file + hash)),
  node: (page, seen, name) => nodeOf(page, name).click(),
  tab: (page, seen, name) => page.getByRole("tab", { name }).click(),
  click: (page, seen, selector) => page.locator(selector).first().click(),
  fill: (page, seen, selector, text) => page.fill(selector, text),
  select: (page, seen, selector, label) => page.selectOption(selector, { label }),
  press: async (page, seen, ...keys) => { for (const key of keys) await page.keyboard.press(key); },
  focus: (page, seen, selector) => page.focus(selector),
  window: (page, seen, width, height) => page.setViewportSize({ width, height }),
  media: (page, seen, features) => page.emulateMedia(features),
  drag: async (page, seen, right, down) => {
    const box = await page.locator("#canvas").boundingBox();
    const [x, y] = [box.x + box.width - 30, box.y + box.height - 120];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + right, y + down, { steps: 4 });
    await page.mouse.up();
  },
  wheel: async (page, seen, amount) => {
    const was = await page.evaluate("document.querySelector('#canvas svg').style.transform");
    await page.mouse.wheel(0, amount);
    await page.waitForFunction((before) => document.querySelector("#canvas svg").style.transform !== before, was);
  },
  texts: async (page, seen, name, selector) => { seen[name] = await textsOf(page, selector); },
  labels: async (page, seen, name, selector) => { seen[name] = await page.locator(selector).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))); },
  count: async (page, seen, name, selector) => { seen[name] = await page.locator(selector).filter({ visible: true }).count(); },
  value: async (page, seen, name, script) => { seen[name] = await page.evaluate(script); },
  tree: async (page, seen, name, selector) => { seen[name] = await page.locator(selector).ariaSnapshot(); },
  contrast: async (page, seen, name) => { seen[name] = await page.evaluate(leastContrasts); },
};

async function main() {
  const seen = {};
  await withPage({ viewport: { width: 1400, height: 900 }, reducedMotion: "reduce" }, async (page, faults) => {
    await page.goto(file);
    for (const [name, ...given] of steps) {
      try {
        await STEPS[name](page, seen, ...given);
      } catch (error) {
        throw new Error(`${name} ${JSON.stringify(given)}: ${error.message}`);
      }
    }
    seen.faults = faults;
  });
  process.stdout.write(JSON.stringify(seen));
}

main().catch((error) => { process.stderr.write(`${error.stack}\n`); process.exitCode = 1; });
