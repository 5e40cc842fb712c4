// The first form of the set-up: the address follows the name while it is typed.
// Without this script a button does the same, and a league is created all the same.
(() => {
  "use strict";

  const PAUSE = 300;
  const form = document.getElementById("league-form");
  const proposal = document.getElementById("proposed-address");
  let pause;
  let latest = 0;

  async function propose() {
    const mine = ++latest;
    const url = new URL(proposal.dataset.proposes, location.href);
    for (const name of ["name", "name_en", "slug"]) url.searchParams.set(name, form.elements[name].value);
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) return;
    const found = await response.json();
    if (mine === latest) proposal.querySelector("output").textContent = found.address;
  }

  form.addEventListener("input", (event) => {
    if (!["name", "name_en", "slug"].includes(event.target.name)) return;
    clearTimeout(pause);
    pause = setTimeout(propose, PAUSE);
  });
})();
