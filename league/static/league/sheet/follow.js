// The part of a followed table that changes, fetched again and again; unread while the page is hidden.

const EVERY = 4000;

const folded = (box) => box.querySelectorAll("details[data-fold]");
const stops = (box) => [...box.querySelectorAll("a, summary, [tabindex='0']")];

async function look() {
  // live.js exchanges or takes away what is in <main>, so the parts are looked up each time.
  const [box, stale] = ["now", "stale"].map((id) => document.getElementById(id));
  if (document.hidden || !box) return;
  try {
    const answer = await fetch(box.dataset.now, { cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = await answer.text();
    if (fresh !== box.fresh) show(box, fresh);
    stale.textContent = "";
  } catch {
    stale.textContent = stale.dataset.stale;
  }
}

function show(box, fresh) {
  const page = new DOMParser().parseFromString(fresh, "text/html");
  const folds = new Map([...folded(box)].map((fold) => [fold.dataset.fold, fold.open]));
  const scrolled = box.querySelector(".scroll")?.scrollLeft ?? 0;
  const focused = stops(box).indexOf(document.activeElement);
  const [before, after] = [box, page].map((tree) => tree.querySelector("#kyoku")?.textContent ?? "");
  box.fresh = fresh;
  box.replaceChildren(...page.body.childNodes);
  if (focused >= 0) stops(box)[focused]?.focus({ preventScroll: true });
  // A screen reader reads out what changes in an element that stays.
  if (after !== before) document.getElementById("said").textContent = after;
  const table = box.querySelector(".scroll");
  if (table) table.scrollLeft = scrolled;
  for (const fold of folded(box)) fold.open = folds.get(fold.dataset.fold) ?? fold.open;
}

setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
