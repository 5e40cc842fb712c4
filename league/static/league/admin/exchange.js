// While a long table is read or written: the button waits, and the page says for how long already.
"use strict";

for (const form of document.querySelectorAll("form[data-busy]")) {
    form.addEventListener("submit", () => {
        const status = form.querySelector(".busy");
        const began = Date.now();
        form.setAttribute("aria-busy", "true");
        for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = true;
        status.textContent = form.dataset.busy;
        setInterval(() => {
            status.textContent = `${form.dataset.busy} ${Math.round((Date.now() - began) / 1000)} s`;
        }, 1000);
    });
}

// Back from the next page the form must work again.
addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
});
