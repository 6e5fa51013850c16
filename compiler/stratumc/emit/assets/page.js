"use strict";
// What all parts share: the data, elements, names as they are shown, and tabs.
// Everything that the page shows is in the JSON block; nothing is fetched.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

let picture = data.pictures[0] ?? null; // the flow or workflow in the diagram
let selected = null; // the number of the step or state that is chosen

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const quantity = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// --- names: hidden characters as escapes, nothing of them turns the text around them ---

const HIDDEN = /[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character) {
  const code = character.codePointAt(0);
  if (SHORT[character]) return SHORT[character];
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}

const shown = (text) => text.replace(HIDDEN, escaped);

// A name of the user's where it stands alone; one of white space only is put in quotes.
function visible(name) {
  return name.trim() === "" ? `"${shown(name)}"` : shown(name);
}

const named = (name) => element("bdi", { class: "name" }, visible(name));

// A message with names in backticks; all of it as it is where names hold backticks themselves.
function prose(message) {
  const parts = message.split("`");
  if (parts.length % 2 === 0) return [shown(message)];
  return parts.map((part, number) => (number % 2 ? element("code", {}, element("bdi", {}, shown(part))) : shown(part)));
}

// Nodes with something between each two, for texts that list names.
function joined(nodes, between = ", ") {
  return nodes.flatMap((node, number) => (number === 0 ? [node] : [between, node]));
}

// --- tabs ---

const TABS = [
  ["findings", "Findings", true],
  ["source", "Source", true],
  ["table", "Transitions", data.inputs.some((one) => one.rows.length > 0)],
  ["paths", "Paths", data.pictures.some((one) => one.places.length > 0)],
  ["bounds", "Bounds", data.inputs.some((one) => one.bounds.length > 0)],
  ["changes", "Changes", data.against !== null],
].filter(([, , there]) => there);

let tab = "findings";

function showTab(name) {
  tab = name;
  for (const panel of document.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.id !== `panel-${name}`;
  for (const [each] of TABS) {
    byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
  if (name === "source") scrollToMarked();
  remember();
}

function countOnTab(name, count) {
  byId(`tab-${name}`)?.querySelector(".count").replaceChildren(count === null ? "" : String(count));
}

function makeTabs() {
  TABS.forEach(([name, title], place) => {
    byId(`panel-${name}`).dataset.title = title;
    byId("tabs").append(element("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
      onclick: () => showTab(name),
      onkeydown: (event) => {
        const goes = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: TABS.length - 1 }[event.key];
        if (goes === undefined) return;
        event.preventDefault();
        const next = TABS[(goes + TABS.length) % TABS.length][0];
        showTab(next);
        byId(`tab-${next}`).focus();
      },
    }, title, " ", element("span", { class: "count" })));
  });
}

// --- tables ---

function tableOf(label, headings, rows) {
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, element("table", {},
    element("thead", {}, element("tr", {}, ...headings.map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", {}, ...rows)));
}

const rowOf = (cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, ...(Array.isArray(cell) ? cell : [cell]))));
