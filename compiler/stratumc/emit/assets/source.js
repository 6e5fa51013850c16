// The source of every file, hidden characters made visible, with the findings under their lines.

const files = [...data.inputs.flatMap((one) => one.files), ...(data.settings === null ? [] : [data.settings])];

// A line as nodes: hidden characters, which may turn the text around them, as marked escapes.
function codeOf(line) {
  const nodes = [];
  let done = 0;
  for (const found of line.matchAll(HIDDEN)) {
    if (found[0] === "\t") continue;
    nodes.push(line.slice(done, found.index), element("span", { class: "escape", title: "a hidden character" }, escaped(found[0])));
    done = found.index + found[0].length;
  }
  return [...nodes, line.slice(done)];
}

function linesOf(text) {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function noteOf(found) {
  return element("div", { class: `note ${found.severity}`, role: "note" }, element("b", {}, `${found.severity}: ${found.code}`), " ", ...prose(found.message));
}

function fillSource() {
  const notes = new Map();
  for (const found of data.diagnostics) {
    const key = JSON.stringify([found.span.file, found.span.line]);
    notes.set(key, [...(notes.get(key) ?? []), found]);
  }
  byId("panel-source").replaceChildren(...files.flatMap((file, number) => [
    element("h2", {}, element("bdi", {}, shown(file.name))),
    element("div", { class: "source", id: `file-${number}`, tabindex: "0", role: "region", "aria-label": `Source of ${shown(file.name)}` },
      ...linesOf(file.text).flatMap((line, at) => [
        element("div", { class: "line", "data-line": at + 1 }, element("code", {}, ...codeOf(line))),
        ...(notes.get(JSON.stringify([file.name, at + 1])) ?? []).map(noteOf),
      ])),
  ]));
}

function markLine(name, line) {
  for (const marked of document.querySelectorAll(".source .marked")) marked.classList.remove("marked");
  const number = files.findIndex((file) => file.name === name);
  byId(`file-${number}`)?.querySelector(`[data-line="${line}"]`)?.classList.add("marked");
  if (tab === "source") scrollToMarked();
}

function scrollToMarked() {
  byId("panel-source").querySelector(".marked")?.scrollIntoView({ block: "center", behavior: "instant" });
}
