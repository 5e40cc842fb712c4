// The scores of the games being played, on a competition's page: fetched again and again while the page is visible.
// The boxes have their size before the first answer, so nothing on the page moves. A figure that changed is marked.

(() => {
  "use strict";
  const EVERY = 4000;
  const MARKED = 3000;

  async function look(box) {
    try {
      const answer = await fetch(box.dataset.now, { cache: "no-cache" });
      if (!answer.ok) return;
      const fresh = (await answer.text()).trim();
      if (fresh && fresh !== box.fresh) show(box, fresh);
    } catch {
      // Without a connection the box stays as it is; live.js says so for the whole page.
    }
  }

  function show(box, fresh) {
    const before = [...box.querySelectorAll(".pt")].map((score) => score.textContent);
    const focused = [...box.querySelectorAll("a")].indexOf(document.activeElement);
    const isFirst = box.fresh === undefined;
    box.fresh = fresh;
    box.replaceChildren(...new DOMParser().parseFromString(fresh, "text/html").body.childNodes);
    if (focused >= 0) box.querySelectorAll("a")[focused]?.focus({ preventScroll: true });
    if (isFirst) return;
    for (const [at, score] of [...box.querySelectorAll(".pt")].entries()) {
      if (score.textContent === before[at]) continue;
      score.classList.add("fresh");
      setTimeout(() => score.classList.remove("fresh"), MARKED);
    }
  }

  // live.js exchanges what is in <main>, so the boxes are looked up each time.
  function lookAll() {
    if (!document.hidden) for (const box of document.querySelectorAll("#now [data-now]")) look(box);
  }

  lookAll();
  setInterval(lookAll, EVERY);
  document.addEventListener("visibilitychange", lookAll);
})();
