// While a long table is read or written: the button waits, and the page says how far it is and for how long already. How
// far it is, the service says under the form's task; where it cannot say, the bar moves without an end.
"use strict";

const ASK_EVERY = 1000;

async function stageOf(form) {
    const query = new URLSearchParams({ task: form.elements.task.value });
    try {
        const answer = await fetch(`${location.pathname}?${query}`, { headers: { Accept: "application/json" } });
        return answer.ok && !answer.redirected ? await answer.json() : {};
    } catch {
        return {};
    }
}

function show(form, { done, rows }, began) {
    const bar = form.querySelector(".busy progress");
    const seconds = `${Math.round((Date.now() - began) / 1000)} s`;
    const count = (number) => number.toLocaleString(document.documentElement.lang);
    const words = rows && form.dataset.rows?.replace("{done}", count(done)).replace("{rows}", count(rows));
    if (rows) Object.assign(bar, { max: rows, value: done });
    form.querySelector(".busy .far").textContent = words ? `${words} · ${seconds}` : seconds;
}

async function watch(form, began) {
    show(form, form.dataset.rows ? await stageOf(form) : {}, began);
    setTimeout(() => watch(form, began), ASK_EVERY);
}

for (const form of document.querySelectorAll("form[data-busy]")) {
    form.addEventListener("submit", ({ submitter }) => {
        // Back to the first form: nothing is read or written.
        if (submitter?.name === "again") return;
        const began = Date.now();
        form.setAttribute("aria-busy", "true");
        for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = true;
        form.querySelector(".busy").hidden = false;
        form.querySelector(".busy [role=status]").textContent = form.dataset.busy;
        setTimeout(() => watch(form, began), ASK_EVERY);
    });
}

// Back from the next page the form must work again.
addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
});
