// A form that leads to another page is sent once: pressed twice on a slow connection, its button would do the same twice.
(() => {
  "use strict";

  const LONG = 10_000;
  let sent = new WeakSet();

  // On the document: scripts that send a form themselves have kept the browser from doing so by now.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    // The page stays if the answer is a file, or if the user has stopped it.
    setTimeout(() => sent.delete(form), LONG);
  });
  addEventListener("pageshow", () => {
    sent = new WeakSet();
  });
})();
