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
let moved = false; // whether the pointer was dragged since it went down: then its release is no click
const canvas = byId("canvas");

function place() {
  const drawn = canvas.querySelector("svg");
  if (drawn) drawn.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

function showAll() {
  const drawn = canvas.querySelector("svg");
  if (!drawn) return;
  const box = drawn.viewBox.baseVal;
  const top = document.querySelector("main .tools").offsetHeight + 12;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight - top];
  const scale = Math.min(width / box.width, height / box.height, 1.5) * 0.97;
  view = { x: (width - box.width * scale) / 2, y: top + (height - box.height * scale) / 2, scale };
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
  if (!drawn) {
    canvas.append(element("p", { class: "quiet nothing" }, "There is nothing to draw: the input is too broken."));
    return;
  }
  const box = drawn.viewBox.baseVal;
  drawn.setAttribute("width", box.width);
  drawn.setAttribute("height", box.height);
  for (const [key, number] of picture.nodes) {
    const shape = canvas.querySelector(`#${key}`);
    if (!shape) continue;
    shape.classList.add("named");
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", described(number));
    shape.addEventListener("click", () => { if (!moved) choose(number); });
    shape.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(number);
      }
    });
    shape.addEventListener("focus", () => bringIntoView(shape));
  }
  filter.about = null;
  showAll();
  fillFindings();
  fillPaths();
}

function described(number) {
  const found = picture.findings[number].length;
  return found === 0 ? picture.names[number] : `${picture.names[number]}, ${found} finding${found === 1 ? "" : "s"}`;
}

function bringIntoView(shape) {
  const box = shape.getBoundingClientRect();
  const around = canvas.getBoundingClientRect();
  if (box.left >= around.left && box.right <= around.right && box.top >= around.top && box.bottom <= around.bottom) return;
  canvas.scrollTo(0, 0);
  view.x += (around.left + around.right - box.left - box.right) / 2;
  view.y += (around.top + around.bottom - box.top - box.bottom) / 2;
  place();
}

function mark(kind, numbers) {
  for (const shape of canvas.querySelectorAll(`.${kind}`)) shape.classList.remove(kind);
  for (const [key, number] of picture?.nodes ?? []) {
    if (numbers.has(number)) canvas.querySelector(`#${key}`)?.classList.add(kind);
  }
}

function choose(number) {
  filter.about = number;
  fillFindings();
  const from = byId("path-from");
  const to = byId("path-to");
  const value = String(number);
  if (from.value !== "" && from.value !== value && to.value === "") to.value = value;
  else { from.value = value; to.value = ""; }
  findPath();
  mark("chosen", new Set([number]));
  markLine(...picture.lines[number]);
}

function wireCanvas() {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX - view.x, y: event.clientY - view.y, startX: event.clientX, startY: event.clientY };
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (Math.hypot(event.clientX - held.startX, event.clientY - held.startY) > 4) moved = true;
    if (!moved) return;
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
  new ResizeObserver(showAll).observe(canvas);
  const chooser = byId("picture");
  data.pictures.forEach((each, number) => chooser.append(element("option", { value: number }, each.title)));
  chooser.hidden = data.pictures.length < 2;
  chooser.addEventListener("change", () => { picture = data.pictures[chooser.value]; drawPicture(); });
}

// --- findings ---

const filter = { severity: "", code: "", about: null };

function matches(found) {
  const about = filter.about === null ? null : picture.findings[filter.about];
  return (!filter.severity || found.severity === filter.severity)
    && (!filter.code || found.code === filter.code)
    && (about === null || about.includes(found.number));
}

function fillFindings() {
  const panel = byId("panel-findings");
  const focused = panel.contains(document.activeElement) ? document.activeElement.id : "";
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
    ...(filter.about === null ? [] : [element("p", { id: "about" }, `About ${picture.names[filter.about]} `, element("button", { type: "button", onclick: () => { filter.about = null; mark("chosen", new Set()); fillFindings(); } }, "show all findings"))]),
    element("p", { class: "quiet", id: "shown" }, `${shown.length} of ${data.diagnostics.length} findings`),
    ...shown.map((found) => element("button", {
      type: "button", class: `finding ${found.severity}`,
      onclick: () => { markLine(found.span.file, found.span.line); showTab("source"); },
    }, element("b", {}, found.code), ` ${found.message}`,
    element("small", {}, `${found.severity} · ${found.span.file}:${found.span.line}:${found.span.column}${found.suggestion ? ` · ${found.suggestion}` : ""}`))),
  );
  if (focused) byId(focused)?.focus();
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
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" }, element("table", {},
    element("thead", {}, element("tr", {}, ...headings.map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))))));
}

function fillTables() {
  const line = element("input", { type: "search", id: "filter-rows", "aria-label": "Only rows with this text", placeholder: "only rows with …", oninput: filterRows });
  byId("panel-table").replaceChildren(element("h2", {}, "Transition table"), element("p", {}, line), tableOf(data.table.headings, data.table.rows));
  byId("panel-bounds").replaceChildren(element("h2", {}, "Bounds of a good run"), tableOf(["Flow", "What", "Least", "Most"], data.bounds));
  if (data.diff !== null) byId("panel-diff").replaceChildren(element("h2", {}, data.diff.title), element("pre", { class: "source" }, data.diff.text));
}

function filterRows(event) {
  const wanted = event.target.value.toLowerCase();
  for (const row of byId("panel-table").querySelectorAll("tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
}

// --- paths: between places, of which a state has several where the ways on depend on the state before ---

function fillPaths() {
  const names = picture ? picture.names : [];
  const choice = (id, label) => element("select", { id, "aria-label": label, onchange: findPath },
    element("option", { value: "" }, "—"), ...names.map((name, number) => element("option", { value: number }, name)));
  byId("panel-paths").replaceChildren(
    element("h2", {}, "Ways from one to another"),
    element("p", {}, "From ", choice("path-from", "From"), " to ", choice("path-to", "To")),
    element("div", { id: "path-answer", "aria-live": "polite" }),
  );
  findPath();
}

function leaving() {
  picture.leaving ??= picture.edges.reduce((found, edge) => {
    (found[edge[0]] ??= []).push(edge);
    return found;
  }, []);
  return picture.leaving;
}

// By place that can be reached from a name: the edge that led there first, null for where it begins.
function search(from) {
  const back = new Map();
  picture.places.forEach((name, place) => { if (name === from) back.set(place, null); });
  for (const place of back.keys()) {
    for (const edge of leaving()[place] ?? []) if (!back.has(edge[1])) back.set(edge[1], edge);
  }
  return back;
}

function findPath() {
  const answer = byId("path-answer");
  const [from, to] = ["path-from", "path-to"].map((id) => (byId(id).value === "" ? null : Number(byId(id).value)));
  mark("onpath", new Set());
  mark("chosen", new Set());
  if (from === null) {
    const hint = picture?.places.length === 0 ? "Errors of the rules have to be mended before paths mean anything." : "Choose two here, or click them in the diagram.";
    answer.replaceChildren(element("p", { class: "quiet" }, hint));
    return;
  }
  const back = search(from);
  const name = (place) => picture.names[picture.places[place]];
  const reachable = [...new Set([...back.keys()].map(name))].filter((one) => one !== picture.names[from]);
  if (back.size === 0) {
    answer.replaceChildren(element("p", {}, `Nothing ever comes to ${picture.names[from]}.`));
  } else if (to === null || to === from) {
    answer.replaceChildren(element("p", {}, reachable.length ? `From ${picture.names[from]} can be reached: ${reachable.join(", ")}` : `Nothing else can be reached from ${picture.names[from]}.`));
  } else {
    const end = [...back.keys()].find((place) => picture.places[place] === to);
    if (end === undefined) answer.replaceChildren(element("p", {}, `No path leads from ${picture.names[from]} to ${picture.names[to]}. Can be reached: ${reachable.join(", ") || "nothing"}`));
    else showPath(answer, back, end, name);
  }
}

function showPath(answer, back, end, name) {
  const path = [];
  for (let at = end; back.get(at); at = back.get(at)[0]) path.unshift(back.get(at));
  mark("onpath", new Set([picture.places[path[0][0]], ...path.map((edge) => picture.places[edge[1]])]));
  answer.replaceChildren(
    element("p", {}, `${path.length} hop${path.length === 1 ? "" : "s"}`),
    element("ol", {}, ...path.map(([source, target, label]) => element("li", {}, `${name(source)} → ${name(target)}`, element("small", { class: "quiet" }, label)))),
  );
}

// --- start ---

function count(severity) {
  const number = data.diagnostics.filter((found) => found.severity === severity).length;
  return `${number} ${severity}${number === 1 ? "" : "s"}`;
}

byId("counts").textContent = [count("error"), count("warning"), count("info")].join(", ");
makeTabs();
fillSource();
fillTables();
fillPaths();
fillFindings();
wireCanvas();
drawPicture();
