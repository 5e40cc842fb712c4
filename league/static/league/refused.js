// A refused form takes the focus to its first wrong field, or to what it says: the page would begin at its top again.
(() => {
  "use strict";

  if (document.querySelector("[autofocus]") || document.activeElement !== document.body) return;
  const [page] = performance.getEntriesByType("navigation");
  const isSeen = (element) => element.checkVisibility();
  const first = (selector) => [...document.querySelectorAll(`:is(#content, main) ${selector}`)].find(isSeen);
  // Pages that refuse nothing have alerts too, such as that phones cannot open the address.
  const said = page?.responseStatus >= 400 ? first(":is(.errornote, form [role=alert])") : undefined;
  const place = first("[aria-invalid=true]") ?? first(".warnings input") ?? said;
  if (place && place === said) said.tabIndex = -1;
  place?.focus();
})();
