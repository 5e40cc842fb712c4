// A refused form takes the focus to its first wrong field, or to what it says: the page would begin at its top again.
(() => {
  "use strict";

  if (document.querySelector("[autofocus]") || document.activeElement !== document.body) return;
  const isSeen = (element) => element.checkVisibility();
  const first = (selector) => [...document.querySelectorAll(`:is(#content, main) ${selector}`)].find(isSeen);
  const said = first(":is(.errornote, form [role=alert])");
  const place = first("[aria-invalid=true]") ?? first(".warnings input") ?? said;
  if (place && place === said) said.tabIndex = -1;
  place?.focus();
})();
