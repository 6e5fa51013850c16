"use strict";
// Contrast of what is seen (WCAG 2.2, 1.4.3 and 1.4.11), measured in the page itself.

// Runs in the page: [ratio, what] of the texts with the least contrast to what is behind them, and of the lines
// round controls.
function leastContrasts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return alpha === 0 ? null : [red, green, blue];
  };
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const shape = at instanceof SVGElement ? at.querySelector(":scope > :is(path, polygon, ellipse)") : null;
      const colour = shape ? getComputedStyle(shape).fill : getComputedStyle(at).backgroundColor;
      if (colour !== "none" && channels(colour)) return colour;
    }
    return "white";
  };
  const isSeen = (element) => element.checkVisibility() && element.getClientRects().length > 0 && !element.closest(".unseen, option");
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const edgeText = (element) => element.closest(".edge, .graph") && !element.closest(".node");
  const texts = [...document.body.querySelectorAll("*:not(script)")].filter((one) => hasText(one) && isSeen(one)).map((one) => {
    const style = getComputedStyle(one);
    const behind = one instanceof SVGElement && edgeText(one) ? ground(document.querySelector("main")) : ground(one);
    return [ratio(one instanceof SVGElement ? style.fill : style.color, behind), `${one.tagName} ${one.textContent.trim().slice(0, 40)}`];
  });
  const controls = [...document.querySelectorAll("input, select, .tools button")].filter(isSeen).map((one) => [ratio(getComputedStyle(one).borderTopColor, ground(one.parentElement)), `${one.tagName} ${one.id}`]);
  const least = (found) => found.sort((a, b) => a[0] - b[0]).slice(0, 3);
  return { texts: least(texts), controls: least(controls), measured: texts.length };
}

module.exports = { leastContrasts };
