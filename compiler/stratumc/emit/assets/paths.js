// Paths: between places, of which a state has several where the ways on depend on the state before.

function fillPaths() {
  const choice = (id, label, none) => element("select", { id, onchange: () => { findPath(); remember(); } },
    element("option", { value: "" }, none), ...picture.names.map((name, number) => element("option", { value: number }, visible(name))));
  const broken = !picture || picture.places.length === 0;
  byId("panel-paths").replaceChildren(
    element("div", { class: "filters", hidden: broken },
      element("label", {}, "From ", picture ? choice("path-from", "From", "the start") : ""),
      element("label", {}, "to ", picture ? choice("path-to", "To", "anything") : "")),
    element("div", { id: "path-answer", role: "status", "aria-live": "polite" },
      broken ? element("p", { class: "quiet" }, "Errors of the rules have to be mended before paths mean anything.") : ""),
  );
  if (!broken) findPath();
}

function leaving() {
  picture.leaving ??= picture.edges.reduce((found, edge) => {
    (found[edge[0]] ??= []).push(edge);
    return found;
  }, []);
  return picture.leaving;
}

const nameAt = (place) => picture.places[place][0];
const placesOf = (name) => (name === null ? picture.starts : picture.places.flatMap(([one], at) => (one === name ? [at] : [])));

// By place that can be reached: the edge that led there first, null for where it begins; nearest first.
function search(starts, avoid = null) {
  const back = new Map(starts.map((at) => [at, null]));
  for (const at of back.keys()) {
    for (const edge of leaving()[at] ?? []) if (!back.has(edge[1]) && nameAt(edge[1]) !== avoid) back.set(edge[1], edge);
  }
  return back;
}

function wayBack(back, end) {
  const path = [];
  for (let edge = back.get(end); edge; edge = back.get(edge[0])) path.unshift(edge);
  return path;
}

// The shortest path of at least one hop into a name; of none from a place to itself where it begins there.
function shortest(starts, to, avoid = null) {
  const back = search(starts, avoid);
  for (const at of back.keys()) {
    const last = (leaving()[at] ?? []).find((edge) => nameAt(edge[1]) === to);
    if (last) return [...wayBack(back, at), last];
  }
  return null;
}

const endOf = (select) => (byId(select).value === "" ? null : Number(byId(select).value));

function findPath() {
  const [from, to] = ["path-from", "path-to"].map(endOf);
  const starts = placesOf(from);
  const begin = () => (from === null ? "the start" : named(picture.names[from]));
  const answer = byId("path-answer");
  markPath([]);
  if (starts.length === 0) answer.replaceChildren(element("p", {}, "Nothing ever comes to ", begin(), "."));
  else if (to === null) answer.replaceChildren(...reachableFrom(starts, from, begin));
  else if (from === null && picture.starts.some((at) => nameAt(at) === to)) {
    answer.replaceChildren(element("p", {}, picture.noun === "state" ? "Projects begin in " : "Runs begin with ", named(picture.names[to]), "."));
    markPath([to]);
  } else {
    const path = shortest(starts, to);
    if (path === null) answer.replaceChildren(element("p", {}, "No path leads from ", begin(), " to ", named(picture.names[to]), "."), ...reachableFrom(starts, from, begin));
    else showPath(path, from, to);
  }
}

function reachableFrom(starts, from, begin) {
  const found = [...new Set([...search(starts).keys()].map(nameAt))].filter((name) => name !== from);
  const gates = from === null || picture.noun === "state" ? [] : passedWords(picture.passed[from], [named(picture.names[from])]);
  if (found.length === 0) return [element("p", {}, "Nothing else can be reached from ", begin(), "."), ...gates];
  const button = (name) => element("button", { type: "button", class: "link", onclick: () => { byId("path-to").value = name; findPath(); remember(); byId("path-to").focus(); } }, named(picture.names[name]));
  return [element("p", {}, "From ", begin(), " can be reached: ", ...joined(found.map(button))), ...gates];
}

function showPath(path, from, to) {
  const names = [nameAt(path[0][0]), ...path.map((edge) => nameAt(edge[1]))];
  byId("path-answer").replaceChildren(
    element("p", {}, quantity(path.length, "hop")),
    element("ol", { class: "hops" }, ...path.map((edge) => element("li", {}, named(picture.names[nameAt(edge[0])]), " → ", named(picture.names[nameAt(edge[1])]),
      element("small", {}, element("bdi", {}, shown(edge[2])), ...dependsOn(edge))))),
    ...(picture.noun === "state" ? statesPassed(names, from, to) : gatesPassed(from, to)),
  );
  markPath(names);
}

// A hop that isn't there from every place of its state depends on the state before.
function dependsOn([at, after, label]) {
  const [name, previous] = picture.places[at];
  const same = (edge) => edge[2] === label && nameAt(edge[1]) === nameAt(after);
  if (placesOf(name).every((other) => (leaving()[other] ?? []).some(same))) return [];
  return [" when ", ...(previous === null ? ["no state was before"] : ["the state before was ", named(picture.names[previous])])];
}

// --- what every way passes ---

// States whose removal leaves no path; only those on every path found so far are asked about.
function statesPassed(names, from, to) {
  let open = [...new Set(names.slice(1, -1))].filter((name) => name !== from && name !== to && name !== names[0]);
  const passed = [];
  while (open.length > 0) {
    const [asked, ...rest] = open;
    const round = shortest(placesOf(from), to, asked);
    if (round === null) passed.push(asked);
    const on = new Set(round?.map((edge) => nameAt(edge[1])));
    open = round === null ? rest : rest.filter((name) => on.has(name));
  }
  if (passed.length > 0) return [element("p", { class: "passed" }, "Every path between the two passes ", ...joined(passed.map((name) => named(picture.names[name]))), ".")];
  return [element("p", { class: "quiet" }, "No state is on every path between the two.")];
}

// The gates that every run of one of the two was approved at, if they come before the second.
function gatesPassed(from, to) {
  const before = new Set(picture.before[to]);
  const gates = new Set([...picture.passed[to], ...(from === null ? [] : picture.passed[from]).filter((gate) => before.has(gate))]);
  const ends = from === null || from === to ? [named(picture.names[to])] : [named(picture.names[from]), " and ", named(picture.names[to])];
  return passedWords([...gates].filter((gate) => gate !== from && gate !== to).sort((a, b) => a - b), ends);
}

function passedWords(gates, ends) {
  if (picture.gates.length === 0) return [];
  const told = gates.length > 0 ? element("p", { class: "passed" }, "Every run of ", ...ends, " passes ", ...joined(gates.map((gate) => named(picture.names[gate]))), ", approved.")
    : element("p", { class: "quiet" }, "No gate is passed by every run of ", ...ends, ".");
  const bounded = element("p", { class: "quiet" }, "This flow is large: where a gate needs a proof, only the first were asked for. ",
    element("code", {}, "stratumc path"), " decides the others.");
  return picture.complete ? [told] : [told, bounded];
}
