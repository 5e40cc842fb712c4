// The card of the player who the visitor has chosen to be, on a competition's page.
//
// In a league of teams that is a team, or a member, whose rows are marked with those of the team.
// The page is the same for all visitors; the card is fetched into the space kept for it, and the player's rows are
// marked here, and moved to the top of a table that asks for it; ladder.js lights the player's path. The folded part of
// a list with the player's row or next table is opened; in a large field the player's total is marked on the strip too,
// and phones show the place at the foot. When live.js exchanges what is in <main>, the last card is put back at once and
// fetched again.

(() => {
  "use strict";
  const main = document.querySelector("main");
  let card = "";
  let isOpened = false;
  const watch = new IntersectionObserver(([row]) => row.target.pin?.classList.toggle("away", row.isIntersecting));

  async function fill() {
    const slot = main.querySelector("[data-me]:not([data-filled])");
    if (!slot) return;
    slot.dataset.filled = "";
    if (card) put(slot);
    try {
      const answer = await fetch(slot.dataset.me, { cache: "no-store" });
      if (!answer.ok) return;
      card = await answer.text();
      put(slot);
    } catch {
      // Without a connection the link stays; live.js says so for the whole page.
    }
  }

  function put(slot) {
    const part = new DOMParser().parseFromString(card, "text/html");
    slot.replaceChildren(...document.importNode(part.body, true).childNodes);
    const { key, member } = slot.querySelector("[data-key]")?.dataset ?? {};
    if (!key) return;
    document.dispatchEvent(new CustomEvent("me", { detail: key }));
    const own = [`a[href$="/players/${CSS.escape(key)}/"]`];
    if (member) own.push(`a[href$="/members/${CSS.escape(member)}/"]`);
    for (const link of main.querySelectorAll(own)) {
      if (slot.contains(link)) continue;
      const row = link.closest("tr, li");
      row?.classList.add("me");
      row?.closest("[data-me-first]")?.prepend(row);
      const fold = row?.closest("details.fold:not(.session *)");
      if (fold && !isOpened) fold.open = true;
      const field = row?.closest(".field");
      if (field?.querySelector(".strip")) locate(row, field, link.textContent);
    }
    isOpened = true;
    markTables(slot.querySelector("[data-number]").dataset.number);
  }

  // The tables of the schedule name their players by number; the first one not yet played is linked.
  function markTables(number) {
    const tables = [...main.querySelectorAll(`[data-people~="${number}"]`)];
    for (const table of tables) table.classList.add("me");
    const next = tables.find((table) => table.matches(".awaited"));
    if (!next) return;
    next.id = "my-table";
    for (let fold = next.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    main.querySelector("[data-mine]").href = "#my-table";
  }

  function locate(row, field, name) {
    const at = [...field.querySelectorAll("tbody tr:not(.bd)")].indexOf(row);
    const ticks = [...field.querySelectorAll(".tk")].flatMap((path) => path.getAttribute("d").match(/M\d+/g) ?? []);
    const strip = field.querySelector(".strip");
    const tick = strip.querySelector(".mk") ?? strip.appendChild(strip.lastElementChild.cloneNode());
    tick.setAttribute("class", "mk");
    tick.setAttribute("d", `${ticks[at]} 4v36`);
    const [rank, total] = [".rk", ".tot"].map((cell) => row.querySelector(cell).textContent);
    field.querySelector(".mine b").textContent = total;
    field.classList.add("has-me");
    const pin = field.nextElementSibling;
    row.id = `${field.querySelector("h3").id}-me`;
    pin.querySelector(".who").textContent = `${rank} ${name}`;
    pin.querySelector(".s").textContent = total;
    pin.querySelector("a").href = `#${row.id}`;
    pin.hidden = false;
    row.pin = pin;
    watch.observe(row);
  }

  new MutationObserver(fill).observe(main, { childList: true });
  fill();
})();
