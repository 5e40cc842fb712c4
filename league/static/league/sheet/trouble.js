// Says on the page that one of its scripts failed, was not loaded or does not come; and lets the reader try again.
// No module and no import: it has to work where those do not.

(() => {
  const PATIENCE = 15_000;
  const KEPT = /^jantaku:sheet:.*:(sheet|draft)$/;
  let failed = false;

  function show() {
    const isLate = performance.now() > PATIENCE && document.querySelector(".loading") !== null;
    document.getElementById("trouble").hidden = !failed && !isLate;
  }

  function fail() {
    failed = true;
    show();
  }

  /** What this device kept of the table may be the cause; entries that wait to be sent stay. */
  function forget() {
    try {
      for (const name of Object.keys(localStorage)) if (KEPT.test(name)) localStorage.removeItem(name);
    } catch {
      // Nothing is kept.
    }
  }

  addEventListener("error", ({ target }) => (target === window || target.tagName === "SCRIPT") && fail(), true);
  addEventListener("unhandledrejection", fail);
  addEventListener("click", ({ target }) => target.closest("#trouble a") && forget());
  setInterval(show, 5000);
})();
