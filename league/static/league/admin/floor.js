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

const calls = (floor) => [...floor.querySelectorAll(".referee-calls li")];
const stops = (floor) => [...floor.querySelectorAll("a, .sound")];

function show(floor, next) {
  const known = new Set(calls(floor).map((call) => call.dataset.call));
  const focused = stops(floor).find((stop) => stop === document.activeElement);
  floor.replaceChildren(...next.childNodes);
  if (focused) stops(floor).find((stop) => stop.href === focused.href)?.focus({ preventScroll: true });
  // A screen reader reads out what changes in an element that stays.
  const said = document.getElementById("said");
  const added = calls(floor).filter((call) => !known.has(call.dataset.call));
  if (added.length) said.textContent = added.map((call) => `${call.querySelector("b").textContent} ${said.dataset.calls}`).join(" · ");
}

async function ask() {
  const floor = document.getElementById("floor");
  if (!document.hidden && !floor.contains(document.activeElement?.closest("form"))) {
    try {
      const answer = await fetch(location.href, { cache: "no-cache" });
      const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      const next = page.getElementById("floor");
      if (next && next.innerHTML !== source) {
        source = next.innerHTML;
        show(floor, document.importNode(next, true));
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
