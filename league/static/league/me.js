// The card of the player who the visitor has chosen to be, on a competition's page.
//
// The page is the same for all visitors; the card is fetched into the space kept for it, and the player's rows are
// marked here; ladder.js lights the player's path. When live.js exchanges what is in <main>, the last card is put back
// at once and fetched again.

(() => {
  "use strict";
  const main = document.querySelector("main");
  let card = "";

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
    const key = slot.querySelector("[data-key]")?.dataset.key;
    if (!key) return;
    document.dispatchEvent(new CustomEvent("me", { detail: key }));
    for (const link of main.querySelectorAll(`a[href$="/players/${CSS.escape(key)}/"]`)) {
      if (!slot.contains(link)) link.closest("tr, li")?.classList.add("me");
    }
  }

  new MutationObserver(fill).observe(main, { childList: true });
  fill();
})();
