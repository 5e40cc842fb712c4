// Flips without reloading the page: a tap fetches the address it leads to and puts that page's tulip in place. Taps made
// while one is under way wait their turn. Without this script every tap is an ordinary way to the next address.
"use strict";

const part = () => document.querySelector("[data-tulip]");
const waiting = [];
let isBusy = false;

const addressOf = (form, button) => {
  const chosen = new URLSearchParams(new FormData(form));
  if (button?.name) chosen.set(button.name, button.value);
  return `${location.pathname}?${chosen}`;
};

async function show(address, { push, focus }) {
  isBusy = true;
  part().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-tulip]");
    if (!found) throw new Error("no tulip in the answer");
    part().replaceWith(document.adoptNode(found));
    if (push) history.pushState(null, "", address);
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    document.querySelector("[data-tulip-said]").textContent = part().querySelector("[data-says]")?.dataset.says ?? "";
  } catch {
    location.assign(address);
    return;
  }
  isBusy = false;
  const next = waiting.shift();
  if (next) document.getElementById(next)?.click();
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-tulip-form]");
  if (!form) return;
  event.preventDefault();
  const button = event.submitter;
  if (isBusy) {
    if (button?.id) waiting.push(button.id);
    return;
  }
  show(addressOf(form, button), { push: true, focus: button?.id });
});

window.addEventListener("popstate", () => {
  waiting.length = 0;
  show(location.href, { push: false });
});
