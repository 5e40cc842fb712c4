/* The slips are printed by the browser itself. */
"use strict";

document.querySelectorAll("[data-print]").forEach((button) => {
    button.addEventListener("click", () => window.print());
});
