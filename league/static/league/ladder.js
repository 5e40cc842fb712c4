// Light one player's path on the ladders of a page: at hover and focus for a moment, at a tap or a choice to stay.
//
// Without this file the same links and the same form ask the server (?path=KEY), whose choice is in data-lit. While
// nothing is chosen, the path of the visitor's own player is lit, once me.js knows who that is.

(() => {
  "use strict";
  const main = document.querySelector("main");
  let chosen, mine = "";

  const rest = ladder => chosen ?? (ladder.dataset.lit || mine);

  function light(ladder, key) {
    const row = ladder.querySelector(`:not(.line)[data-p="${CSS.escape(key)}"]`), lines = ladder.querySelector(".lines");
    const playing = row?.dataset.in?.split(" ") ?? [];
    lines.setAttribute("class", `lines ${row?.getAttribute("class").match(/\bc\d+\b/)[0] ?? ""}`);
    for (const part of ladder.querySelectorAll("[data-p], [data-may]")) {
      const own = Boolean(row) && part.dataset.p === key, ways = part.dataset.may?.split(" ");
      part.classList.toggle("lit", own || Boolean(ways?.some(block => playing.includes(block))));
      part.classList.toggle("may", Boolean(ways) && part.classList.contains("lit"));
      if (part.matches("a")) own ? part.setAttribute("aria-current", "true") : part.removeAttribute("aria-current");
    }
    lines.append(...lines.querySelectorAll(".lit"));
  }

  const all = () => main.querySelectorAll("svg[data-lit]");
  const restore = () => all().forEach(ladder => light(ladder, rest(ladder)));

  function choose(key) {
    chosen = key;
    restore();
    const bar = main.querySelector(".litbar"), rows = [...main.querySelectorAll(`.upright a[data-p="${CSS.escape(key)}"]`)];
    bar.hidden = rows.length === 0;
    if (rows.length === 0) return;
    const option = main.querySelector(`.pick option[value="${CSS.escape(key)}"]`);
    option.selected = true;
    bar.querySelector("b").textContent = option.text;
    bar.querySelector("span").textContent = rows.reverse().map(row => row.dataset.at).join(" → ");
    bar.querySelector("a").href = `../players/${key}/`;
  }

  const rowOf = event => event.target.closest?.("svg[data-lit] a[data-p]");
  for (const kind of ["pointerover", "focusin"]) main.addEventListener(kind, event => {
    const row = event.pointerType === "touch" ? null : rowOf(event);
    if (row) all().forEach(ladder => light(ladder, row.dataset.p));
  });
  for (const kind of ["pointerout", "focusout"]) main.addEventListener(kind, event => {
    if (rowOf(event)) restore();
  });
  main.addEventListener("click", event => {
    const row = rowOf(event);
    if (!row || !main.querySelector(".litbar") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(row.dataset.p);
    history.replaceState(null, "", row.getAttribute("href"));
  });
  main.addEventListener("change", event => {
    if (event.target.matches(".pick select[name=path]")) choose(event.target.value);
  });
  document.addEventListener("me", event => {
    mine = event.detail;
    restore();
  });
  new MutationObserver(() => restore()).observe(main, { childList: true });
})();
