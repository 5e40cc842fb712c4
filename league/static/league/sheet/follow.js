// The part of a followed table that changes, fetched again and again; unread while the page is hidden.

const EVERY = 4000;

const box = document.getElementById("now");
const stale = document.getElementById("stale");

const folded = () => box.querySelectorAll("details[data-fold]");

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(box.dataset.now, { cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = await answer.text();
    if (fresh !== box.fresh) show(fresh);
    stale.textContent = "";
  } catch {
    stale.textContent = stale.dataset.stale;
  }
}

function show(fresh) {
  const page = new DOMParser().parseFromString(fresh, "text/html");
  const folds = new Map([...folded()].map((fold) => [fold.dataset.fold, fold.open]));
  const scrolled = box.querySelector(".scroll")?.scrollLeft ?? 0;
  box.fresh = fresh;
  box.replaceChildren(...page.body.childNodes);
  const table = box.querySelector(".scroll");
  if (table) table.scrollLeft = scrolled;
  for (const fold of folded()) fold.open = folds.get(fold.dataset.fold) ?? fold.open;
}

setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
