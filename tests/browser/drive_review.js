"use strict";
// Uses a review page as a reviewer would. Arguments: the page, a folder for screenshots (or "").
// Standard input: JSON {state, from, to, code}. Standard output: JSON of what was seen.
const fs = require("node:fs");
const path = require("node:path");
const { withPage } = require("./browser.js");

const [file, folder] = process.argv.slice(2);
const asked = JSON.parse(fs.readFileSync(0, "utf-8"));

async function main() {
  const seen = {};
  const options = { viewport: { width: 1400, height: 900 } };
  await withPage(options, async (page, faults) => {
    const shot = (name) => (folder ? page.screenshot({ path: path.join(folder, `${name}.png`) }) : null);
    const node = (name) => page.locator(`#canvas .named[aria-label="${name}"], #canvas .named[aria-label^="${name}, "]`).first();
    const texts = (selector) => page.locator(selector).allTextContents();
    const labels = (selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));

    await page.goto(`file://${path.resolve(file)}`);
    seen.counts = await page.textContent("#counts");
    seen.tabs = await texts("[role=tab]");
    seen.nodes = await labels("#canvas .named");
    seen.fits = await page.evaluate(() => {
      const around = document.getElementById("canvas").getBoundingClientRect();
      const box = document.querySelector("#canvas svg").getBoundingClientRect();
      return box.left >= around.left && box.right <= around.right && box.top >= around.top && box.bottom <= around.bottom;
    });
    await shot("start");

    await node(asked.state).click();
    seen.chosen = await labels("#canvas .chosen");
    seen.about = await page.textContent("#about");
    seen.found = await texts("#panel-findings .finding b");
    await page.getByRole("tab", { name: "Source" }).click();
    seen.line = await texts("#panel-source .marked");
    await shot("chosen");

    await page.getByRole("tab", { name: "Paths" }).click();
    await page.selectOption("#path-from", { label: asked.from });
    await page.selectOption("#path-to", { label: asked.to });
    seen.path = await texts("#path-answer li");
    seen.onpath = await labels("#canvas .onpath");
    await shot("path");
    await page.selectOption("#path-from", "");
    await page.selectOption("#path-to", "");
    await node(asked.from).click();
    await node(asked.to).click();
    seen.clicked = await texts("#path-answer li");

    await page.getByRole("tab", { name: "Findings" }).click();
    await page.click("#about button");
    seen.all = await page.textContent("#shown");
    await page.focus("#filter-code");
    await page.selectOption("#filter-code", asked.code);
    seen.filtered = await texts("#panel-findings .finding b");
    seen.focus = await page.evaluate(() => document.activeElement.id);
    await page.locator("#panel-findings .finding").first().click();
    seen.jumped = await texts("#panel-source .marked");

    await drag(page, seen);
    await page.reload();
    await byKeyboard(page, seen, labels);

    await page.emulateMedia({ colorScheme: "dark" });
    seen.dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole("tab", { name: "Transitions" }).click();
    await page.fill("#filter-rows", asked.to);
    seen.rows = await page.locator("#panel-table tbody tr:visible").count();
    await shot("dark");
    await page.setViewportSize({ width: 420, height: 800 });
    seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await shot("narrow");
    seen.faults = faults;
  });
  process.stdout.write(JSON.stringify(seen));
}

async function drag(page, seen) {
  const placed = () => page.evaluate(() => document.querySelector("#canvas svg").style.transform);
  const before = await placed();
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.move(box.x + 20, box.y + box.height - 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + box.height - 60, { steps: 4 });
  await page.mouse.up();
  seen.dragged = before !== (await placed());
  const moved = await placed();
  await page.mouse.wheel(0, -120);
  await page.waitForFunction((was) => document.querySelector("#canvas svg").style.transform !== was, moved);
  await page.click("#whole");
  seen.whole = before === (await placed());
}

// Tab to the first node, choose it and the one after it, and walk through the tabs with the arrow keys.
async function byKeyboard(page, seen, labels) {
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.classList.contains("named"))) break;
  }
  const first = await focused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  seen.keyboard = { first, chosen: await labels("#canvas .chosen"), second: await focused() };
  await page.focus("#tab-findings");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  seen.keyboard.tab = await focused();
  seen.keyboard.answer = await page.textContent("#path-answer");
}

main().catch((error) => { process.stderr.write(`${error.stack}\n`); process.exitCode = 1; });
