// The progress of a search for a more even seating: asked for every few seconds until it has ended. Then the link beside
// it shows the schedule anew. Without this script the link shows the progress.
"use strict";

const ASK_EVERY = 3000;

async function ask() {
    const shown = document.getElementById("searches");
    const link = shown.closest(".module").querySelector("a.button");
    try {
        const answer = await fetch(`${link.href}&searches=1`, { cache: "no-store" });
        if (answer.ok && !answer.redirected) {
            const part = new DOMParser().parseFromString(await answer.text(), "text/html");
            const next = part.getElementById("searches");
            if (next) shown.replaceWith(document.importNode(next, true));
            if (next && !("searching" in next.dataset)) {
                link.textContent = link.dataset.ended;
                return;
            }
        }
    } catch {
        // Without a connection the last progress stays; the next question may be answered.
    }
    setTimeout(ask, ASK_EVERY);
}

setTimeout(ask, ASK_EVERY);
