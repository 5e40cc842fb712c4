/* Line numbers beside the text of a ruleset, those with faults marked; a fault's number leads to its line.
   Without this script the faults still name their lines and quote them. */
"use strict";

function numberLines(area) {
  const wrong = new Set(
    Array.from(document.querySelectorAll(`[data-for="${area.id}"]`), (fault) => Number(fault.dataset.line)),
  );
  const numbers = document.createElement("div");
  numbers.className = "numbers";
  numbers.setAttribute("aria-hidden", "true");
  area.before(numbers);

  function write() {
    const count = area.value.split("\n").length;
    if (numbers.childElementCount === count + 1) return;
    const end = document.createElement("div");
    end.className = "end";
    numbers.replaceChildren(
      ...Array.from({ length: count }, (_, index) => {
        const line = document.createElement("div");
        line.textContent = String(index + 1);
        line.className = wrong.has(index + 1) ? "wrong" : "";
        return line;
      }),
      end,
    );
    follow();
  }

  function follow() {
    numbers.scrollTop = area.scrollTop;
  }

  area.addEventListener("input", write);
  area.addEventListener("scroll", follow);
  write();
}

function goTo(area, line) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] || "").length);
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * height);
  area.scrollIntoView({ block: "nearest" });
}

document.querySelectorAll(".numbered textarea").forEach(numberLines);
document.querySelectorAll(".faults li[data-line]").forEach((fault) => {
  const line = Number(fault.dataset.line);
  const name = fault.querySelector(".line");
  if (!line || !name) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "line";
  button.textContent = name.textContent;
  button.addEventListener("click", () => goTo(document.getElementById(fault.dataset.for), line));
  name.replaceWith(button);
});
