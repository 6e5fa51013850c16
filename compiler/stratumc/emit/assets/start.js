// Puts the parts together, and brings the page to what its address says.

function fillCounts() {
  byId("counts").replaceChildren(...["error", "warning", "info"].map((severity) => {
    const number = data.diagnostics.filter((found) => found.severity === severity).length;
    return element("li", { class: number === 0 ? "quiet" : severity }, quantity(number, severity));
  }));
}

fillCounts();
makeTabs();
makeFindings();
makeTable();
fillSource();
fillChanges();
wireCanvas();
following = true;
drawPicture();
fillPaths();
select(null);
showTab("findings");
following = false;
byId("unchoose").addEventListener("click", () => { unchoose(); canvas.focus(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selected !== null) unchoose();
});
window.addEventListener("hashchange", follow);
window.addEventListener("beforeprint", showAll);
follow();
