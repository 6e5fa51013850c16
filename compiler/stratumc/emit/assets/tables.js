// The transition table and the bounds: of everything, or of what is chosen.

const MOST_ROWS = 1000; // rows drawn at once; a filter leads to the others

let rowsWith = "";

function makeTable() {
  const line = element("input", {
    type: "search", id: "filter-rows", "aria-label": "Only rows with this text", placeholder: "Only rows with this text",
    oninput: (event) => { rowsWith = event.target.value.toLowerCase(); fillTable(); },
  });
  byId("panel-table").replaceChildren(
    element("div", { class: "filters" }, line),
    element("p", { class: "quiet", id: "rows-shown", role: "status" }),
    element("div", { id: "rows" }),
  );
}

// Whether a row of some input is about what is chosen: it leaves a state, or enters it; of a step all rows.
function rowAboutSelected(row, input) {
  if (selected === null) return true;
  if (input !== picture.input) return false;
  const name = picture.names[selected];
  const [machine, region, state, , , target] = row;
  if (picture.noun === "state") return state === name || target === name;
  return machine === picture.title && (region === name || region.startsWith(`${name}/`));
}

// A workflow is one machine with one region: those columns say something of specs only.
function transitionsOf(input, rows) {
  const isOne = new Set(input.rows.map(([machine, region]) => JSON.stringify([machine, region]))).size === 1;
  const cells = ([machine, region, state, event, guards, target, effects]) => [
    ...(isOne ? [] : [[named(`${machine}.${region}`)]]), [named(state)], [named(event)],
    [element("bdi", {}, shown(guards))], [named(target)], [element("bdi", {}, shown(effects))],
  ];
  const headings = [...(isOne ? [] : ["Machine"]), "State", "Event", "Guards", "Target", "Effects"];
  return tableOf(`Transitions of ${shown(input.name)}`, headings, rows.map((row) => rowOf(cells(row))));
}

function fillTable() {
  const sections = data.inputs.map((one, number) => [one, one.rows.filter((row) => rowAboutSelected(row, number) && row.join(" ").toLowerCase().includes(rowsWith))]);
  const found = sections.reduce((sum, [, rows]) => sum + rows.length, 0);
  const all = data.inputs.reduce((sum, one) => sum + one.rows.length, 0);
  let left = MOST_ROWS;
  byId("rows").replaceChildren(...sections.flatMap(([one, rows]) => {
    const drawn = rows.slice(0, left);
    left -= drawn.length;
    if (drawn.length === 0) return [];
    const table = transitionsOf(one, drawn);
    return data.inputs.length > 1 ? [element("h2", {}, element("bdi", {}, shown(one.name))), table] : [table];
  }));
  const about = selected === null ? [] : [", about ", named(picture.names[selected])];
  const cut = found > MOST_ROWS ? [`; the first ${MOST_ROWS} are shown, give a text to find the others`] : [];
  byId("rows-shown").replaceChildren(`${found} of ${quantity(all, "row")}`, ...about, ...cut);
  countOnTab("table", found);
}

// What of a flow is bounded, and how; nothing is where no run of it ends well.
function boundRow(whose, [what, least, most]) {
  if (what !== "") return rowOf([...whose, what, least, most]);
  const row = rowOf(whose);
  row.append(element("td", { colspan: "3" }, "No run of it can end well."));
  return row;
}

// The bounds of every flow; of a chosen step those of its flow, and of the one that it runs.
function fillBounds() {
  const flows = selected === null ? null : [picture.title, picture.calls[selected]];
  const rows = data.inputs.flatMap((one, number) => one.bounds
    .filter(([flow]) => flows === null || (number === picture.input && flows.includes(flow)))
    .map(([flow, ...bound]) => boundRow([...(data.inputs.length > 1 ? [[named(one.name)]] : []), [named(flow)]], bound)));
  const headings = [...(data.inputs.length > 1 ? ["File"] : []), "Flow", "What", "Least", "Most"];
  byId("panel-bounds").replaceChildren(
    element("p", { class: "quiet" }, "What a run that ends well spends", ...(selected === null ? "" : [": the flow of ", named(picture.names[selected]), picture.calls[selected] ? " and the one that it runs" : ""]), "."),
    rows.length > 0 ? tableOf("Bounds of good runs", headings, rows) : element("p", {}, "Nothing is bounded here."),
  );
  countOnTab("bounds", rows.length);
}
