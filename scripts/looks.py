"""JavaScript checks of a page's appearance, run in the page; each returns a list of findings.

They cover the measurable faults (overflow, clipped text, missing glyphs, contrast), so that only the rest has to be
looked at in pictures.
"""

from pathlib import Path

AXE = Path(__file__).resolve().parent.parent / "tests" / "browser" / "vendor" / "axe.min.js"

WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const beyond = [...document.querySelectorAll("body *")].filter(each => each.checkVisibility()
    && each.getBoundingClientRect().right > width + 1 && !each.closest(".scroll, .drawing, .draw"));
  return [`wider than ${width} px: ${beyond.slice(0, 3).map(each =>
    each.tagName + "." + each.getAttribute("class")).join(", ")}`];
}"""
"""Find pages that scroll sideways, and the elements that stick out."""

CUT = """() => {
  const found = [], hides = value => value === "hidden" || value === "clip";
  for (const each of document.querySelectorAll("body *:not(svg *):not(script):not(option)")) {
    if (!each.checkVisibility() || !each.textContent.trim()) continue;
    if (each.closest(".visually-hidden, .vh, .skip, .top .where, [hidden]")) continue;
    const style = getComputedStyle(each), text = each.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
    if (each.clientWidth > 2 && each.clientHeight > 2) {
      const across = hides(style.overflowX) && each.scrollWidth > each.clientWidth + 1;
      const down = hides(style.overflowY) && each.scrollHeight > each.clientHeight + 2;
      if (across || down) found.push(`cut off: ${each.tagName} ${text}`);
    }
    if (/^(A|BUTTON|SUMMARY|TH|TD)$/.test(each.tagName) && style.overflowX === "visible"
        && style.display !== "inline" && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 2)
      found.push(`sticks out of its box: ${each.tagName} ${text}`);
  }
  for (const each of document.querySelectorAll("svg text")) {
    const svg = each.ownerSVGElement;
    if (!svg.checkVisibility() || !each.textContent.trim() || getComputedStyle(svg).overflow === "visible") continue;
    const box = each.getBoundingClientRect(), frame = svg.getBoundingClientRect();
    if (box.width && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2
        || box.bottom > frame.bottom + 2)) found.push(`cut off by its drawing: ${each.textContent.trim()}`);
  }
  return [...new Set(found)].slice(0, 5);
}"""
"""Find text that its box hides or cannot hold."""

UNDRAWN = """() => {
  const canvas = document.createElement("canvas"), size = 24;
  canvas.width = canvas.height = size * 2;
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  const drawn = text => {
    pen.clearRect(0, 0, size * 2, size * 2);
    pen.fillText(text, 4, size + 4);
    return pen.getImageData(0, 0, size * 2, size * 2).data.join("");
  };
  const missing = drawn("\\u0378"), seen = new Set(document.body.innerText);
  const lost = [...seen].filter(one => one.trim() && one.codePointAt(0) > 127 && drawn(one) === missing);
  return lost.length ? [`no glyph here for ${lost.join(" ")}`] : [];
}"""
"""Find characters without a glyph in this machine's fonts: they are drawn like an unassigned character."""

CONTRAST = """() => axe.run(document, {runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}})
  .then(found => found.violations.flatMap(each => each.nodes.slice(0, 3).map(node =>
    `${each.id}: ${node.html.slice(0, 120)}`)))"""
"""Find text with too little contrast by axe-core's rules; run `axe` first."""


def axe() -> str:
    """Return the source of axe-core, which is kept with the tests."""
    return AXE.read_text(encoding="utf-8")
