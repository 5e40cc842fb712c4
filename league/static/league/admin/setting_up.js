// The first form of the set-up: the address follows the name while it is typed, and the options follow the ruleset.
// Without this script two buttons do the same, and a league is created all the same.
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

  async function showOptions() {
    const chosen = form.elements.ruleset.value;
    const data = new FormData(form);
    data.set("look", "1");
    const response = await fetch(location.href, { method: "POST", body: data }).catch(() => null);
    if (!response?.ok || form.elements.ruleset.value !== chosen) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (form.elements.ruleset.value !== chosen) return;
    document.getElementById("ruleset-options").replaceWith(page.getElementById("ruleset-options"));
    form.elements.options_of.value = chosen;
  }

  form.addEventListener("input", (event) => {
    if (!["name", "name_en", "slug"].includes(event.target.name)) return;
    clearTimeout(pause);
    pause = setTimeout(propose, PAUSE);
  });
  form.elements.ruleset.addEventListener("change", showOptions);
})();
