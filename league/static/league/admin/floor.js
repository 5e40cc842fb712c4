// The state of the tables follows what happens: the page is asked for again every few seconds, and an unchanged one is
// answered without a body. The waiting time of a call is counted here.
"use strict";

const ASK_EVERY = 5000;

function since() {
  for (const each of document.querySelectorAll("time[data-since]")) {
    const minutes = Math.max(0, Math.floor((Date.now() - new Date(each.dataset.since)) / 60000));
    each.textContent = each.dataset.words.replace("{minutes}", minutes);
  }
}

async function ask() {
  const floor = document.getElementById("floor");
  if (!document.hidden && !floor.contains(document.activeElement?.closest("button"))) {
    try {
      const answer = await fetch(location.href, { cache: "no-cache" });
      const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      const next = page.getElementById("floor");
      if (next && next.innerHTML !== source) {
        source = next.innerHTML;
        floor.replaceChildren(...document.importNode(next, true).childNodes);
      }
    } catch {
      // Without a connection the floor stands as it was.
    }
  }
  since();
  setTimeout(ask, ASK_EVERY);
}

let source = document.getElementById("floor").innerHTML;
since();
setTimeout(ask, ASK_EVERY);
