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

// Where a run or project can be at a name: where it comes, or where none does, where it can only be put, with no state before.
function placesOf(name) {
  if (name === null) return picture.starts;
  const all = picture.places.flatMap(([one], at) => (one === name ? [at] : []));
  const known = all.filter((at) => at < picture.known);
  return known.length > 0 ? known : all.filter((at) => picture.places[at][1] === null);
}

const isPut = (starts) => starts.length > 0 && starts.every((at) => at >= picture.known);

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

// From where runs begin, or from a step, a path to a step: where they were looked for, one that some run takes.
function pathBetween(starts, from, to) {
  return picture.paths === null ? shortest(starts, to) : picture.paths[from === null ? 0 : from + 1][to];
}

const endOf = (select) => (byId(select).value === "" ? null : Number(byId(select).value));

function findPath() {
  const [from, to] = ["path-from", "path-to"].map(endOf);
  const starts = placesOf(from);
  const begin = () => (from === null ? "the start" : named(picture.names[from]));
  const answer = byId("path-answer");
  markPath([]);
  if (starts.length === 0) answer.replaceChildren(element("p", {}, "No run comes to ", begin(), "."));
  else if (to === null) answer.replaceChildren(...reachableFrom(starts, from, begin));
  else if (from === null && picture.starts.some((at) => nameAt(at) === to)) {
    answer.replaceChildren(element("p", {}, picture.noun === "state" ? "Projects begin in " : "Runs begin with ", named(picture.names[to]), "."));
    markPath([to]);
  } else if (from === to) showRound(shortest(starts, to), begin);
  else {
    const path = pathBetween(starts, from, to);
    if (path === null) answer.replaceChildren(element("p", {}, "No path leads from ", begin(), " to ", named(picture.names[to]), "."), ...reachableFrom(starts, from, begin));
    else showPath(path, from, to);
  }
  answer.prepend(...notesOn(starts, begin));
}

// What holds of every answer: that no run ends well, or that no project comes to where the path begins.
function notesOn(starts, begin) {
  const notes = picture.completes ? [] : [element("p", { class: "warned" }, "No run of this flow can end well, whatever it comes to on the way.")];
  if (!picture.ofRuns) notes.push(element("p", { class: "quiet" }, "Some run takes each hop; ", element("code", {}, "stratumc path"), " tells whether one run takes them all."));
  if (isPut(starts)) notes.push(element("p", { class: "warned" }, "No way is known from the start to ", begin(), ": this is for a project that is put there, with no state before."));
  return notes;
}

// From a place to itself: it is there already; and the shortest way round.
function showRound(path, begin) {
  byId("path-answer").replaceChildren(element("p", {}, "0 hops: it begins in ", begin(), ". ", path === null ? "No path leads back to it." : `The shortest way back to it has ${quantity(path.length, "hop")}:`),
    ...(path === null ? [] : [hopsOf(path)]));
  if (path !== null) markPath([nameAt(path[0][0]), ...path.map((edge) => nameAt(edge[1]))]);
}

const hopsOf = (path) => element("ol", { class: "hops" }, ...path.map((edge) => element("li", {}, named(picture.names[nameAt(edge[0])]), " → ", named(picture.names[nameAt(edge[1])]),
  element("small", {}, element("bdi", {}, shown(edge[2])), ...dependsOn(edge)))));

// What can be reached, nearest first.
function namesFrom(starts, from) {
  if (picture.paths === null) return [...new Set([...search(starts).keys()].map(nameAt))];
  const row = picture.paths[from === null ? 0 : from + 1];
  return [...row.keys()].filter((name) => row[name] !== null).sort((a, b) => row[a].length - row[b].length);
}

function reachableFrom(starts, from, begin) {
  const found = namesFrom(starts, from).filter((name) => name !== from);
  const gates = from === null || picture.noun === "state" ? [] : passedWords(picture.passed[from], [named(picture.names[from])]);
  if (found.length === 0) return [element("p", {}, "Nothing else can be reached from ", begin(), "."), ...gates];
  const button = (name) => element("button", { type: "button", class: "link", onclick: () => { byId("path-to").value = name; findPath(); remember(); byId("path-to").focus(); } }, named(picture.names[name]));
  return [element("p", {}, "From ", begin(), " can be reached: ", ...joined(found.map(button))), ...gates];
}

function showPath(path, from, to) {
  const names = [nameAt(path[0][0]), ...path.map((edge) => nameAt(edge[1]))];
  byId("path-answer").replaceChildren(
    element("p", {}, quantity(path.length, "hop")),
    hopsOf(path),
    ...(picture.noun === "state" ? statesPassed(names, from, to) : gatesPassed(from, to)),
  );
  markPath(names);
}

// A hop that resumes depends on the state before; one over skipped steps names them.
function dependsOn([, , , more]) {
  if (Array.isArray(more)) return more.length === 0 ? [] : [", past ", ...joined(more.map((one) => named(picture.names[one]))), ", skipped"];
  return more === undefined ? [] : [" when the state before was ", named(picture.names[more])];
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

// The gates that every run of the two was approved at, if they come before the second; none of the two itself.
function gatesPassed(from, to) {
  const before = new Set(picture.before[to]);
  const gates = new Set([
    ...picture.passed[to],
    ...(from === null ? [] : picture.passed[from]).filter((gate) => before.has(gate)),
    ...picture.together.filter(([start, goal]) => start === from && goal === to).map(([, , gate]) => gate),
  ]);
  const ends = from === null ? [named(picture.names[to])] : [named(picture.names[from]), " and ", named(picture.names[to])];
  const isEnd = ([, step, isInside]) => step === to || (step === from && !isInside);
  return passedWords([...gates].filter((gate) => !isEnd(picture.gates[gate])).sort((a, b) => a - b), ends);
}

function passedWords(gates, ends) {
  if (picture.gates.length === 0) return [];
  const told = gates.length > 0 ? element("p", { class: "passed" }, "Every run of ", ...ends, " passes ", ...joined(gates.map((gate) => named(picture.gates[gate][0]))), ", approved.")
    : element("p", { class: "quiet" }, "No gate is passed by every run of ", ...ends, ".");
  const bounded = element("p", { class: "quiet" }, "This flow is large: where a gate needs a proof, only the first were asked for. ",
    element("code", {}, "stratumc path"), " decides the others.");
  return picture.complete ? [told] : [told, bounded];
}
