// A password can be looked at while it is typed, and one that is chosen says how hard it is to guess. Without a script
// the fields are what they are. A page that keeps a place for the button does not move when it comes; the hint comes when
// the reader does.

(() => {
  "use strict";

  const words = document.currentScript.dataset;
  const LEAST_LENGTH = 12;
  const FAIR_BITS = 50;
  const GOOD_BITS = 90;
  const POOLS = [[/[a-z]/, 26], [/[A-Z]/, 26], [/[0-9]/, 10], [/[ -/:-@[-`{-~]/, 33], [/[^ -~]/, 1000]];

  function toggle(input, name) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "show-password";
    button.textContent = words.show;
    button.setAttribute("aria-label", `${words.show}: ${name}`);
    button.setAttribute("aria-pressed", "false");
    if (input.id) button.setAttribute("aria-controls", input.id);
    button.addEventListener("click", () => {
      const isShown = input.type === "password";
      input.type = isShown ? "text" : "password";
      button.setAttribute("aria-pressed", String(isShown));
    });
    const hide = () => {
      input.type = "password";
      button.setAttribute("aria-pressed", "false");
    };
    input.form?.addEventListener("submit", hide);
    window.addEventListener("pagehide", hide);
    return button;
  }

  // Characters that repeat or go on from the one before say nothing new.
  function bits(text) {
    const codes = [...text].map((letter) => letter.codePointAt(0));
    const telling = codes.filter((code, place) => place === 0 || Math.abs(code - codes[place - 1]) > 1).length;
    const different = new Set(codes).size;
    const pool = POOLS.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0);
    return Math.min(telling, 2 * different) * Math.log2(Math.max(pool, 1));
  }

  function strength(text) {
    if ([...text].length < LEAST_LENGTH) return 1;
    const found = bits(text);
    return found >= GOOD_BITS ? 3 : found >= FAIR_BITS ? 2 : 1;
  }

  function hint(input) {
    const box = document.createElement("p");
    box.className = "password-strength";
    box.hidden = true;
    const meter = document.createElement("meter");
    Object.assign(meter, { min: 0, max: 3, low: 1.5, high: 2.5, optimum: 3, value: 0 });
    meter.setAttribute("aria-label", words.strength);
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    box.append(meter, said);
    input.addEventListener("focus", () => { box.hidden = false; });
    input.addEventListener("input", () => {
      box.hidden = false;
      const level = input.value ? strength(input.value) : 0;
      meter.value = level;
      const text = ["", words.weak, words.fair, words.good][level];
      if (said.textContent !== text) said.textContent = text;
    });
    return box;
  }

  function prepare(input) {
    const label = input.closest("label");
    const name = (label ?? document.querySelector(`label[for="${input.id}"]`))?.textContent.trim() ?? "";
    const field = label ?? input;
    const place = field.nextElementSibling?.matches(".show-place") ? field.nextElementSibling : null;
    if (place) place.append(toggle(input, name));
    else field.after(toggle(input, name));
    const isFirst = input.form?.querySelector("input[autocomplete=new-password]") === input;
    if (isFirst) (place ?? field.nextElementSibling).after(hint(input));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("input[type=password]").forEach(prepare);
  });
})();
