// Escape closes the filter, or the fold at a chair, that has the focus, and leaves the focus on its summary.
(() => {
  "use strict";

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    const fold = event.target.closest("details:is(.filter, .standin)[open]");
    if (!fold) return;
    fold.open = false;
    fold.querySelector("summary").focus();
  });
})();
