// The diagram: drawing, pan and zoom, the keyboard, and what is marked in it.

const canvas = byId("canvas");
let view = { x: 20, y: 20, scale: 1 };
let moved = false; // whether the pointer was dragged since it went down: then its release is no click
let drawing = null; // the drawing of the picture that is shown: as it is, or what changed

function place() {
  const drawn = canvas.querySelector("svg");
  if (drawn) drawn.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

const LEGIBLE = 0.4; // the scale below which labels can't be read

// How the whole drawing fits between tools and legend.
function fitting(drawn) {
  const box = drawn.viewBox.baseVal;
  const top = document.querySelector("main .tools").offsetHeight + 16;
  const bottom = byId("legend").offsetHeight + 12;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight - top - bottom];
  const scale = Math.min(width / box.width, height / box.height, 1.5) * 0.97;
  return { x: (width - box.width * scale) / 2, y: top + (height - box.height * scale) / 2, scale };
}

function showAll() {
  const drawn = canvas.querySelector("svg");
  if (!drawn) return;
  view = fitting(drawn);
  place();
}

// All of a drawing, or of one too large to be read then, where it begins.
function showFirst() {
  stay();
  showAll();
  const first = canvas.querySelector(".node");
  if (!first || view.scale >= LEGIBLE) return;
  zoom(0.8 / view.scale);
  moveTo(first, 0.2, 0.35);
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(8, Math.max(0.02, view.scale * factor));
  const ratio = scale / view.scale;
  view = { x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, scale };
  place();
}

// Lets the drawing glide where a change puts it, for whoever doesn't mind; everything else is there at once.
function glide(change) {
  canvas.classList.add("gliding");
  change();
}

const stay = () => canvas.classList.remove("gliding");

// The nodes of the picture's own steps or states; not those of flows that are drawn inside a step.
const ownNodes = () => (drawing?.nodes ?? []).filter((node) => node.flow === undefined);
const shapesOf = (number) => ownNodes().filter((node) => node.number === number).map((node) => byId(node.key));

// Draws the picture; everything else on the page is about the whole picture then.
function drawPicture(number = 0) {
  drawing = picture?.drawings[number] ?? null;
  byId("changed").hidden = (picture?.drawings.length ?? 0) < 2;
  byId("changed").setAttribute("aria-pressed", String(number === 1));
  canvas.innerHTML = drawing ? drawing.svg : "";
  const drawn = canvas.querySelector("svg");
  fillLegend();
  fillWhole();
  if (!drawn) {
    canvas.append(element("p", { class: "quiet nothing" }, "There is nothing to draw: the input is too broken. The findings say why."));
    return;
  }
  const box = drawn.viewBox.baseVal;
  drawn.classList.add("drawn");
  drawn.setAttribute("width", box.width);
  drawn.setAttribute("height", box.height);
  nameParts(drawn);
  wireNodes();
  showFirst();
}

// Graphviz gives every part its key as a title, which browsers show: ends of edges are kept, titles are not.
function nameParts(drawn) {
  for (const title of drawn.querySelectorAll("title")) {
    if (title.parentNode.classList.contains("edge")) title.parentNode.dataset.ends = title.textContent;
    title.remove();
  }
  drawn.setAttribute("role", "group");
  drawn.setAttribute("aria-label", shown(picture.title));
}

function wireNodes() {
  drawing.nodes.forEach((node, at) => {
    const shape = byId(node.key);
    shape.classList.add("named");
    shape.setAttribute("tabindex", at === 0 ? "0" : "-1");
    shape.setAttribute("role", "button");
    if (node.flow === undefined) shape.setAttribute("aria-pressed", "false");
    else shape.append(tooltip(`Step ${visible(namesOf(node)[node.number])} of flow ${visible(node.flow)}: shows that flow`));
    shape.setAttribute("aria-label", described(node));
    shape.addEventListener("click", () => { if (!moved) chooseNode(node); });
    shape.addEventListener("keydown", (event) => onNodeKey(event, node, at));
    shape.addEventListener("focus", () => bringIntoView(shape));
  });
}

function tooltip(text) {
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = text;
  return title;
}

// The picture that shows the flow of a node: this one, or that of a flow that a step runs.
const pictureOf = (node) => (node.flow === undefined ? picture
  : data.pictures.find((one) => one.input === picture.input && one.noun === "step" && one.title === node.flow));
const namesOf = (node) => pictureOf(node).names;

// What a click or Enter on a node does: of a flow that is drawn inside a step, it leads to that flow's own picture.
function chooseNode(node) {
  if (node.flow === undefined) choose(node.number);
  else {
    leadTo(pictureOf(node));
    choose(node.number);
    focusNode(drawing.nodes.findIndex((own) => own.flow === undefined && own.number === node.number));
  }
  if (node.line !== undefined) markLine(picture.lines[node.number][0], node.line);
}

// Another picture, from which the browser leads back.
function leadTo(other) {
  history.pushState(null, "", location.href);
  showPicture(data.pictures.indexOf(other));
}

function onNodeKey(event, node, at) {
  const last = drawing.nodes.length - 1;
  const goes = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
  if (event.key === "Enter" || event.key === " ") chooseNode(node);
  else if (goes === undefined) return;
  else focusNode(Math.min(last, Math.max(0, goes)));
  event.preventDefault();
  event.stopPropagation();
}

// One node can be reached by Tab; the others from there by the arrow keys.
function focusNode(at) {
  drawing.nodes.forEach(({ key }, number) => byId(key).setAttribute("tabindex", number === at ? "0" : "-1"));
  byId(drawing.nodes[at].key).focus({ preventScroll: true });
}

function described(node) {
  const { number, means, flow, stage } = node;
  const found = pictureOf(node).findings[number].length;
  const name = visible(namesOf(node)[number]);
  const parts = [stage === undefined ? name : `${name}, stage ${stage}`];
  if (flow !== undefined) parts.push(`in flow ${visible(flow)}`);
  if (found > 0 && stage === undefined) parts.push(quantity(found, "finding"));
  if (means === "added" || means === "changed" || means === "never comes up") parts.push(means);
  return parts.join(", ");
}

// What is said of the picture as a whole: that no run of it ends well, and how much was found at none of its steps.
function fillWhole() {
  const own = (picture?.own ?? []).map((number) => data.diagnostics[number].severity);
  const worst = ["error", "warning", "info"].find((severity) => own.includes(severity));
  byId("hopeless").hidden = picture?.completes ?? true;
  byId("own").hidden = own.length === 0;
  byId("own").className = worst ?? "";
  byId("own").replaceChildren(`${quantity(own.length, "finding")} on no ${picture?.noun}`);
}

function fillLegend() {
  byId("legend").hidden = !drawing || drawing.legend.length === 0;
  byId("legend").replaceChildren(...(drawing?.legend ?? []).map(([tone, words]) => element("li", {}, element("span", { class: `swatch ${tone}` }), words)));
}

// Moves the drawing so that a shape is at some part of the width and height.
function moveTo(shape, across, down) {
  const box = shape.getBoundingClientRect();
  const around = canvas.getBoundingClientRect();
  view.x += around.left + around.width * across - (box.left + box.right) / 2;
  view.y += around.top + around.height * down - (box.top + box.bottom) / 2;
  place();
}

function bringIntoView(shape) {
  stay();
  const around = canvas.getBoundingClientRect();
  canvas.scrollTo(0, 0);
  const box = shape.getBoundingClientRect();
  const isInside = box.left >= around.left && box.right <= around.right && box.top >= around.top && box.bottom <= around.bottom;
  if (isInside && view.scale >= LEGIBLE) return;
  if (view.scale < LEGIBLE) zoom(0.8 / view.scale);
  moveTo(shape, 0.5, 0.5);
}

// --- marks ---

function mark(kind, numbers) {
  for (const shape of canvas.querySelectorAll(`.${kind}`)) shape.classList.remove(kind);
  for (const number of numbers) for (const shape of shapesOf(number)) shape.classList.add(kind);
}

function markChosen() {
  for (const shape of canvas.querySelectorAll("[aria-pressed=true]")) shape.setAttribute("aria-pressed", "false");
  mark("pointed", []);
  mark("chosen", selected === null ? [] : [selected]);
  if (selected === null) return;
  const shapes = shapesOf(selected);
  for (const shape of shapes) shape.setAttribute("aria-pressed", "true");
  if (shapes.length > 0 && !shapes.includes(document.activeElement)) bringIntoView(shapes[0]);
}

// The steps or states on a path, and the edges drawn between each two that follow each other, or inside one.
function markPath(numbers) {
  mark("onpath", numbers);
  const passages = drawing?.passages ?? [];
  const keys = (number) => [...ownNodes().filter((node) => node.number === number).map((node) => node.key), ...passages.filter((one) => one[1] === number).map(([key]) => key)];
  const between = (from, to) => keys(from).flatMap((a) => keys(to).filter((b) => b !== a || from !== to).map((b) => `${a}->${b}`));
  const ends = new Set(numbers.flatMap((to, at) => [...between(to, to), ...(at === 0 ? [] : between(numbers[at - 1], to))]));
  for (const edge of canvas.querySelectorAll(".edge")) edge.classList.toggle("onpath", ends.has(edge.dataset.ends));
}

// --- pan, zoom, and which picture ---

function wirePointer() {
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    stay();
    held = { x: event.clientX - view.x, y: event.clientY - view.y, startX: event.clientX, startY: event.clientY };
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (Math.hypot(event.clientX - held.startX, event.clientY - held.startY) > 4) moved = true;
    if (!moved) return;
    canvas.classList.add("dragged");
    view.x = event.clientX - held.x;
    view.y = event.clientY - held.y;
    place();
  });
  for (const ends of ["pointerup", "pointercancel"]) {
    window.addEventListener(ends, () => { held = null; canvas.classList.remove("dragged"); });
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    stay();
    const box = canvas.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
}

function wireKeys() {
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (moves[event.key]) glide(() => { view.x += moves[event.key][0]; view.y += moves[event.key][1]; place(); });
    else if (event.key === "+" || event.key === "=") glide(() => zoom(1.25));
    else if (event.key === "-") glide(() => zoom(0.8));
    else if (event.key === "0") glide(showAll);
    else return;
    event.preventDefault();
  });
}

// The title of a picture in the list; where another file has one of that title, with its own file.
function titleOf(one) {
  const alike = data.pictures.filter((other) => other.title === one.title);
  return alike.length > 1 ? `${visible(one.title)} (${shown(data.inputs[one.input].name)})` : visible(one.title);
}

function wireCanvas() {
  wirePointer();
  wireKeys();
  canvas.addEventListener("transitionend", stay);
  byId("closer").addEventListener("click", () => glide(() => zoom(1.25)));
  byId("farther").addEventListener("click", () => glide(() => zoom(0.8)));
  byId("whole").addEventListener("click", () => glide(showAll));
  byId("changed").addEventListener("click", () => {
    drawPicture(byId("changed").getAttribute("aria-pressed") === "true" ? 0 : 1);
    refreshMarks();
  });
  new ResizeObserver(() => {
    showFirst();
    for (const shape of canvas.querySelectorAll(".chosen")) bringIntoView(shape);
  }).observe(canvas);
  const chooser = byId("picture");
  data.inputs.forEach((input, of) => {
    const options = data.pictures.flatMap((one, number) => (one.input === of ? [element("option", { value: number }, titleOf(one))] : []));
    if (options.length > 0) chooser.append(data.inputs.length > 1 ? element("optgroup", { label: shown(input.name) }, ...options) : options[0]);
    if (data.inputs.length === 1) chooser.append(...options.slice(1));
  });
  byId("own").addEventListener("click", () => showOwn(!isOnlyOwn));
  chooser.hidden = data.pictures.length < 2;
  chooser.addEventListener("change", () => showPicture(Number(chooser.value)));
}
