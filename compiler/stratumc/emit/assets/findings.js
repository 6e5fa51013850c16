// The findings: what is filtered by severity, code, text and what is chosen; each leads to its place.

const filter = { severity: "", code: "", text: "" };

let isOnlyOwn = false; // whether only what is about no step or state of the picture is shown

function aboutSelected(found) {
  if (isOnlyOwn) return picture.own.includes(found.number);
  return selected === null || picture.findings[selected].includes(found.number);
}

// Shows what was found at no step or state of the picture, or everything again.
function showOwn(isOn) {
  if (isOn && selected !== null) unchoose();
  isOnlyOwn = isOn;
  byId("own").setAttribute("aria-pressed", String(isOn));
  fillFindings();
  if (isOn) showTab("findings");
}

function isShown(found) {
  const words = `${found.code} ${found.message} ${found.suggestion ?? ""} ${found.span.file} ${found.path}`.toLowerCase();
  return (!filter.severity || found.severity === filter.severity)
    && (!filter.code || found.code === filter.code)
    && words.includes(filter.text.toLowerCase())
    && aboutSelected(found);
}

// A choice of the values that findings have, in the order in which they come up.
function choiceOf(name, label) {
  const values = [...new Set(data.diagnostics.map((found) => found[name]))];
  return element("select", {
    "aria-label": label, id: `filter-${name}`,
    onchange: (event) => { filter[name] = event.target.value; fillFindings(); },
  }, element("option", { value: "" }, `Any ${name}`), ...values.map((value) => element("option", { value }, value)));
}

function makeFindings() {
  const text = element("input", {
    type: "search", id: "filter-text", "aria-label": "Only findings with this text", placeholder: "Only with this text",
    oninput: (event) => { filter.text = event.target.value; fillFindings(); },
  });
  const clear = element("button", { type: "button", id: "clear-filter", onclick: clearFilter }, "Clear");
  byId("panel-findings").replaceChildren(
    element("div", { class: "filters", hidden: data.diagnostics.length === 0 }, choiceOf("severity", "Severity"), choiceOf("code", "Code"), text, clear),
    element("p", { class: "quiet", id: "shown", role: "status" }),
    element("ul", { class: "findings", id: "findings", "aria-label": "Findings" }),
  );
}

function clearFilter() {
  for (const name of Object.keys(filter)) { filter[name] = ""; byId(`filter-${name}`).value = ""; }
  byId("filter-text").focus();
  showOwn(false);
}

function fillFindings() {
  const found = data.diagnostics.filter(isShown);
  const all = data.diagnostics.length;
  byId("clear-filter").hidden = !isOnlyOwn && Object.values(filter).every((value) => value === "");
  byId("shown").replaceChildren(...(all === 0 ? ["Nothing was found: no error, no warning, no info."]
    : [`${found.length} of ${quantity(all, "finding")}`, ...shownAbout()]));
  byId("findings").replaceChildren(...found.map(findingItem));
  countOnTab("findings", found.length);
}

function shownAbout() {
  if (isOnlyOwn) return [`, on no ${picture.noun} of `, named(picture.title)];
  return selected === null ? [] : [", about ", named(picture.names[selected])];
}

function findingItem(found) {
  return element("li", { class: `finding ${found.severity}` },
    element("button", { type: "button", onclick: () => goTo(found) },
      element("span", { class: "badge" }, found.severity), " ", element("b", {}, found.code),
      element("span", { class: "message" }, ...prose(found.message)),
      element("small", {}, element("bdi", {}, `${shown(found.span.file)}:${found.span.line}:${found.span.column}`))),
    found.suggestion ? element("p", { class: "suggestion" }, element("b", {}, "Suggestion: "), ...prose(found.suggestion)) : null,
    ...found.related.map((other) => element("p", { class: "related" }, ...prose(other.message), " ",
      element("button", { type: "button", class: "link", onclick: () => goToLine(other.file, other.line) }, `${shown(other.file)}:${other.line}`))),
    found.witness === null ? null : element("details", {}, element("summary", {}, "Example"), element("pre", {}, shown(JSON.stringify(found.witness, null, 1)).replaceAll("\\n", "\n"))));
}

// Its line in the source, and its step or state in the diagram, in whichever picture that is.
function goTo(found) {
  const owner = data.pictures.findIndex((one) => one.findings.some((numbers) => numbers.includes(found.number)));
  const about = data.pictures.filter((one) => one.own.includes(found.number));
  if (about.length > 0 && !about.includes(picture)) showPicture(data.pictures.indexOf(about[0]));
  if (owner >= 0) {
    if (data.pictures[owner] !== picture) showPicture(owner);
    mark("pointed", [picture.findings.findIndex((numbers) => numbers.includes(found.number))]);
    for (const shape of canvas.querySelectorAll(".pointed")) bringIntoView(shape);
  }
  goToLine(found.span.file, found.span.line);
}

function goToLine(file, line) {
  markLine(file, line);
  showTab("source");
  byId("panel-source").querySelector(".marked")?.closest("[role=region]").focus({ preventScroll: true });
}
