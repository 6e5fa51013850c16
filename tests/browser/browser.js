"use strict";
// Starts the installed Chromium without a network; every request that isn't for a local file fails the test.
const { chromium } = require("playwright-core");

const BINARY = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SWITCHES = [
  "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

async function withPage(options, use) {
  const browser = await chromium.launch({ executablePath: BINARY, args: SWITCHES });
  try {
    const page = await browser.newPage(options);
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
    await page.route("**/*", (route) => {
      const url = route.request().url();
      if (/^(file|data|blob):/.test(url)) return route.continue();
      faults.push(`a request to ${url}`);
      return route.abort();
    });
    return await use(page, faults);
  } finally {
    await browser.close();
  }
}

module.exports = { withPage };
