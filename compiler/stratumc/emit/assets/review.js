"use strict";
// The review page: everything it shows is in the JSON block; nothing is fetched.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// --- tabs ---

const TABS = [
  ["findings", "Findings", true],
  ["source", "Source", true],
  ["table", "Transitions", data.table.rows.length > 0],
  ["paths", "Paths", true],
  ["bounds", "Bounds", data.bounds.length > 0],
  ["diff", "Diff", data.diff !== null],
].filter(([, , shown]) => shown);

function showTab(name) {
  for (const [each] of TABS) {
    byId(`panel-${each}`).hidden = each !== name;
    byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
}

function makeTabs() {
  TABS.forEach(([name, title], place) => {
    byId("tabs").append(element("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
      onclick: () => showTab(name),
      onkeydown: (event) => {
        const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!move) return;
        const next = TABS[(place + move + TABS.length) % TABS.length][0];
        showTab(next);
        byId(`tab-${next}`).focus();
      },
    }, title));
  });
  showTab("findings");
}

// --- diagram: pan, zoom, choose ---

let picture = data.pictures[0] ?? null;
let view = { x: 20, y: 20, scale: 1 };
const canvas = byId("canvas");

function place() {
  const drawn = canvas.querySelector("svg");
  if (drawn) drawn.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

function showAll() {
  const drawn = canvas.querySelector("svg");
  if (!drawn) return;
  const box = drawn.viewBox.baseVal;
  const scale = Math.min(canvas.clientWidth / box.width, canvas.clientHeight / box.height, 1.5) * 0.95;
  view = { x: (canvas.clientWidth - box.width * scale) / 2, y: (canvas.clientHeight - box.height * scale) / 2, scale };
  place();
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(8, Math.max(0.05, view.scale * factor));
  const ratio = scale / view.scale;
  view = { x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, scale };
  place();
}

function drawPicture() {
  canvas.innerHTML = picture ? picture.svg : "";
  const drawn = canvas.querySelector("svg");
  if (!drawn) return;
  const box = drawn.viewBox.baseVal;
  drawn.setAttribute("width", box.width);
  drawn.setAttribute("height", box.height);
  for (const node of picture.nodes) {
    const shape = canvas.querySelector(`#${node.key}`);
    if (!shape || !node.name) continue;
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", node.name);
    shape.addEventListener("click", () => choose(node.name));
    shape.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(node.name);
      }
    });
  }
  showAll();
  fillPaths();
}

function mark(kind, names) {
  for (const shape of canvas.querySelectorAll(`.${kind}`)) shape.classList.remove(kind);
  for (const node of picture.nodes) {
    if (names.includes(node.name) && node.name) canvas.querySelector(`#${node.key}`)?.classList.add(kind);
  }
}

function choose(name) {
  mark("chosen", [name]);
  filter.about = name;
  fillFindings();
  const from = byId("path-from");
  const to = byId("path-to");
  if (from.value && from.value !== name && !to.value) to.value = name;
  else { from.value = name; to.value = ""; }
  findPath();
  const place = picture.places[name];
  if (place) markLine(place.file, place.line);
}

function wireCanvas() {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = { x: event.clientX - view.x, y: event.clientY - view.y }; });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    view.x = event.clientX - held.x;
    view.y = event.clientY - held.y;
    place();
  });
  window.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; place(); }
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") showAll();
    else return;
    event.preventDefault();
  });
  byId("closer").addEventListener("click", () => zoom(1.25));
  byId("farther").addEventListener("click", () => zoom(0.8));
  byId("whole").addEventListener("click", showAll);
  const chooser = byId("picture");
  data.pictures.forEach((each, number) => chooser.append(element("option", { value: number }, each.title)));
  chooser.hidden = data.pictures.length < 2;
  chooser.addEventListener("change", () => { picture = data.pictures[chooser.value]; drawPicture(); });
}

// --- findings ---

const filter = { severity: "", code: "", about: "" };

function matches(found) {
  const about = picture && filter.about ? picture.findings[filter.about] ?? [] : null;
  return (!filter.severity || found.severity === filter.severity)
    && (!filter.code || found.code === filter.code)
    && (about === null || about.includes(found.number));
}

function fillFindings() {
  const panel = byId("panel-findings");
  const shown = data.diagnostics.filter(matches);
  const choice = (label, name, values) => {
    const made = element("select", { "aria-label": label, id: `filter-${name}`, onchange: (event) => { filter[name] = event.target.value; fillFindings(); } },
      element("option", { value: "" }, `any ${name}`),
      ...values.map((value) => element("option", { value, selected: filter[name] === value }, value)));
    return made;
  };
  const unique = (name) => [...new Set(data.diagnostics.map((found) => found[name]))];
  panel.replaceChildren(
    element("p", {}, choice("Severity", "severity", unique("severity")), " ", choice("Code", "code", unique("code"))),
    ...(filter.about ? [element("p", {}, `About ${filter.about} `, element("button", { type: "button", onclick: () => { filter.about = ""; mark("chosen", []); fillFindings(); } }, "show all"))] : []),
    element("p", { class: "quiet", id: "shown" }, `${shown.length} of ${data.diagnostics.length} findings`),
    ...shown.map((found) => element("button", {
      type: "button", class: `finding ${found.severity}`,
      onclick: () => { markLine(found.span.file, found.span.line); showTab("source"); },
    }, element("b", {}, found.code), ` ${found.message}`,
    element("small", {}, `${found.severity} · ${found.span.file}:${found.span.line}:${found.span.column}${found.suggestion ? ` · ${found.suggestion}` : ""}`))),
  );
}

// --- source ---

function fillSource() {
  byId("panel-source").replaceChildren(...data.files.flatMap((file, number) => [
    element("h2", {}, file.name),
    element("pre", { class: "source", id: `file-${number}`, tabindex: "0" },
      ...file.text.split(/\r\n|\r|\n/).map((line, index) => element("div", { "data-line": index + 1 }, line || " "))),
  ]));
}

function markLine(name, line) {
  for (const marked of document.querySelectorAll(".source .marked")) marked.classList.remove("marked");
  const number = data.files.findIndex((file) => file.name === name);
  const row = byId(`file-${number}`)?.children[line - 1];
  if (!row) return;
  row.classList.add("marked");
  requestAnimationFrame(() => row.scrollIntoView({ block: "center" }));
}

// --- transitions, bounds, diff ---

function tableOf(headings, rows) {
  return element("table", {},
    element("thead", {}, element("tr", {}, ...headings.map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
}

function fillTables() {
  byId("panel-table").replaceChildren(element("h2", {}, "Transition table"), tableOf(data.table.headings, data.table.rows));
  byId("panel-bounds").replaceChildren(element("h2", {}, "Bounds of a good run"), tableOf(["Flow", "What", "Least", "Most"], data.bounds));
  if (data.diff !== null) byId("panel-diff").replaceChildren(element("h2", {}, data.diff.title), element("pre", { class: "source" }, data.diff.text));
}

// --- paths ---

function fillPaths() {
  const names = picture ? picture.names : [];
  const choice = (id, label) => element("select", { id, "aria-label": label, onchange: findPath },
    element("option", { value: "" }, "—"), ...names.map((name) => element("option", { value: name }, name)));
  byId("panel-paths").replaceChildren(
    element("h2", {}, "Paths between two states"),
    element("p", {}, "From ", choice("path-from", "From"), " to ", choice("path-to", "To")),
    element("div", { id: "path-answer", "aria-live": "polite" }),
  );
}

function shortest(from, to) {
  const back = new Map([[from, null]]);
  for (const name of back.keys()) {
    for (const edge of picture.edges) {
      if (edge.from === name && !back.has(edge.to)) back.set(edge.to, edge);
    }
  }
  if (!back.has(to) || from === to) return { path: from === to ? [] : null, reachable: [...back.keys()].slice(1) };
  const path = [];
  for (let at = to; back.get(at); at = back.get(at).from) path.unshift(back.get(at));
  return { path, reachable: [...back.keys()].slice(1) };
}

function findPath() {
  const from = byId("path-from").value;
  const to = byId("path-to").value;
  const answer = byId("path-answer");
  mark("onpath", []);
  if (!from) { answer.replaceChildren(element("p", { class: "quiet" }, "Choose two states here, or click them in the diagram.")); return; }
  const { path, reachable } = shortest(from, to || from);
  if (!to) {
    answer.replaceChildren(element("p", {}, reachable.length ? `Reachable from ${from}: ${reachable.join(", ")}` : `Nothing is reachable from ${from}.`));
  } else if (path === null) {
    answer.replaceChildren(element("p", {}, `No path leads from ${from} to ${to}. Reachable: ${reachable.join(", ") || "nothing"}`));
  } else {
    mark("onpath", [from, ...path.map((edge) => edge.to)]);
    answer.replaceChildren(
      element("p", {}, `${path.length} hop${path.length === 1 ? "" : "s"}`),
      element("ol", {}, ...path.map((edge) => element("li", {}, `${edge.from} → ${edge.to}`, element("small", { class: "quiet" }, edge.label || "next")))),
    );
  }
}

// --- start ---

function count(severity) {
  const number = data.diagnostics.filter((found) => found.severity === severity).length;
  return `${number} ${severity}${number === 1 ? "" : "s"}`;
}

byId("counts").textContent = [count("error"), count("warning"), count("info")].join(", ");
makeTabs();
fillFindings();
fillSource();
fillTables();
fillPaths();
wireCanvas();
drawPicture();
