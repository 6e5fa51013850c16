// What is chosen, on all parts of the page at once, and in the address, so that a link leads to it.

// Chooses a step or state; the second one that is chosen after another is where the path between them ends.
function choose(number) {
  const [from, to] = [byId("path-from"), byId("path-to")];
  const value = String(number);
  if (from.value !== "" && from.value !== value && to.value === "") to.value = value;
  else { from.value = value; to.value = ""; }
  select(number);
  if (number !== null) markLine(...picture.lines[number]);
  findPathIfThereAre();
}

function unchoose() {
  if (picture) { byId("path-from").value = ""; byId("path-to").value = ""; }
  select(null);
  findPathIfThereAre();
}

function findPathIfThereAre() {
  if (picture && picture.places.length > 0) findPath();
}

function select(number) {
  selected = number;
  isOnlyOwn = false;
  byId("own").setAttribute("aria-pressed", "false");
  markChosen();
  fillSelection();
  fillFindings();
  fillTable();
  fillBounds();
  remember();
}

function fillSelection() {
  byId("selection").hidden = selected === null;
  if (selected === null) return;
  const [file, line] = picture.lines[selected];
  byId("chosen").replaceChildren(
    `Chosen ${picture.noun}: `, element("strong", {}, named(picture.names[selected])), " ",
    element("small", {}, element("bdi", {}, `${shown(file)}:${line}`), ` · ${quantity(picture.findings[selected].length, "finding")}`),
    ...flowOfSelected(),
  );
}

// A way to the flow that the chosen step runs.
function flowOfSelected() {
  const called = data.pictures.find((one) => one.input === picture.input && one.noun === "step" && one.title === picture.calls[selected]);
  if (!called || called === picture) return [];
  return [" ", element("button", { type: "button", class: "link", id: "called", onclick: () => { leadTo(called); canvas.focus(); } }, "Show flow ", named(called.title))];
}

function showPicture(number) {
  picture = data.pictures[number] ?? null;
  byId("picture").value = String(number);
  selected = null;
  drawPicture();
  fillPaths();
  select(null);
}

// After another drawing of the same picture: what was marked before is marked again.
function refreshMarks() {
  markChosen();
  findPathIfThereAre();
}

// --- the address ---

let following = false; // whether the page is being brought to what the address says

function remember() {
  if (following) return;
  const parts = new URLSearchParams();
  if (tab !== "findings") parts.set("tab", tab);
  if (picture && data.pictures.indexOf(picture) > 0) parts.set("picture", data.pictures.indexOf(picture));
  if (selected !== null) parts.set(picture.noun, picture.names[selected]);
  for (const end of ["from", "to"]) {
    const value = byId(`path-${end}`)?.value ?? "";
    if (value !== "") parts.set(end, picture.names[value]);
  }
  const text = parts.toString();
  history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
}

// Brings the page to what the address says; what it doesn't know is passed over.
function follow() {
  const parts = new URLSearchParams(location.hash.slice(1));
  following = true;
  const wanted = parts.get("state") ?? parts.get("step");
  const holder = Number(parts.get("picture") ?? data.pictures.findIndex((one) => wanted === null || one.names.includes(wanted)));
  if (data.pictures[holder] && data.pictures[holder] !== picture) showPicture(holder);
  const number = picture && wanted !== null ? picture.names.indexOf(wanted) : -1;
  unchoose();
  if (number >= 0) choose(number);
  for (const end of ["from", "to"]) {
    const name = picture && parts.has(end) ? picture.names.indexOf(parts.get(end)) : -1;
    if (name >= 0) byId(`path-${end}`).value = String(name);
  }
  findPathIfThereAre();
  if (TABS.some(([name]) => name === parts.get("tab"))) showTab(parts.get("tab"));
  following = false;
}
