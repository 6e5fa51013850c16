// The comparison of every input with another version: what it means, what changed, who can go on.

const SIGNS = { added: "+", removed: "−", changed: "~" };

const changeBadge = (kind) => element("span", { class: `badge ${kind}` }, `${SIGNS[kind]} ${kind}`);

function fillChanges() {
  if (data.against === null) return;
  byId("panel-changes").replaceChildren(...data.inputs.flatMap(comparisonOf));
  const compared = data.inputs.flatMap((one) => one.comparison?.diff?.changes ?? []);
  countOnTab("changes", compared.length);
}

function comparisonOf(input, number) {
  const { comparison } = input;
  const heading = element("h2", {}, element("bdi", {}, shown(input.name)));
  if (comparison === null) return [heading, element("p", { class: "quiet" }, `It isn't compared with ${shown(data.against)}.`)];
  const against = element("p", { class: "quiet" }, "Against ", named(comparison.old));
  if (comparison.said !== null) return [heading, against, element("p", {}, ...prose(comparison.said))];
  const { diff } = comparison;
  if (diff.changes.length === 0) return [heading, against, element("p", {}, "Both mean the same."), ...findingsChanged(diff)];
  const drawn = data.pictures.findIndex((one) => one.input === number && one.drawings.length > 1);
  return [
    heading, against,
    ...(drawn < 0 ? [] : [element("p", {}, element("button", { type: "button", onclick: () => { showPicture(drawn); drawPicture(1); refreshMarks(); } }, "Show in the diagram"))]),
    ...meaningsOf(comparison),
    element("h3", {}, "What changed"),
    tableOf(`What changed in ${shown(input.name)}`, ["Change", "Part", "What"], diff.changes.map(changeRow)),
    ...findingsChanged(diff),
    ...goingOn(comparison),
  ];
}

function meaningsOf({ diff, serious }) {
  if (diff.meanings.length === 0) return [element("h3", {}, "What it means"), element("p", { class: "quiet" }, "No path, gate or bound is different.")];
  const order = diff.meanings.map((_, number) => number).sort((a, b) => serious.includes(b) - serious.includes(a));
  return [
    element("h3", {}, "What it means"),
    element("ul", { class: "findings" }, ...order.map((number) => {
      const isSerious = serious.includes(number);
      return element("li", { class: `finding ${isSerious ? "error" : "info"}` }, element("div", {},
        element("span", { class: "badge" }, isSerious ? `serious: ${diff.meanings[number].kind}` : diff.meanings[number].kind),
        element("span", { class: "message" }, ...prose(diff.meanings[number].message))));
    })),
  ];
}

function changeRow(change) {
  const fields = change.fields.map((field) => element("div", { class: "field" }, element("b", {}, shown(field.field)), ": ",
    ...(change.change === "changed" ? changeOf(field) : [valueOf("new" in field ? field.new : field.old)])));
  return rowOf([[changeBadge(change.change)], [`${change.kind} `, named(change.name)], fields]);
}

// A field of a part that both versions have.
function changeOf(field) {
  return [
    ...("old" in field ? [element("del", {}, valueOf(field.old))] : change.change === "added" ? [] : ["added "]),
    ...("old" in field && "new" in field ? [" → "] : []),
    ...("new" in field ? [element("ins", {}, valueOf(field.new))] : change.change === "removed" ? [] : [" removed"])];
}

const valueOf = (value) => element("bdi", {}, typeof value === "string" ? shown(value) : shown(JSON.stringify(value)));

// Findings that only one of the two versions has, as far as the difference tells them.
function findingsChanged(diff) {
  const { new: added = [], gone = [] } = diff.findings ?? {};
  if (added.length + gone.length === 0) return [];
  const item = (found, kind) => element("li", { class: `finding ${kind === "added" ? found.severity : "gone"}` }, element("div", {},
    changeBadge(kind), " ", element("b", {}, `${found.severity} ${found.code}`), element("span", { class: "message" }, ...prose(found.message)), found.note ? element("small", {}, ...prose(found.note)) : null));
  return [
    element("h3", {}, "Findings"),
    element("ul", { class: "findings" }, ...added.map((found) => item(found, "added")), ...gone.map((found) => item(found, "removed"))),
  ];
}

function goingOn({ diff, others }) {
  const { halted } = diff;
  const item = ({ verdict, message }) => element("li", { class: "finding warning" }, element("div", {}, element("span", { class: "badge" }, verdict),
    element("span", { class: "message" }, ...prose(message))));
  return [
    element("h3", {}, "Who can go on"),
    ...(halted.length > 0 ? [element("ul", { class: "findings" }, ...halted.map(item))] : []),
    element("p", {}, `${others[0].toUpperCase()}${others.slice(1)}.`),
  ];
}
