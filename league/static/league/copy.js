// One tap copies a text that stands in the page anyway. Without a script, or where the browser refuses, it can be selected.

(() => {
  "use strict";

  async function copy(button) {
    const field = document.getElementById(button.dataset.copies);
    if (!(await written(field))) {
      const closed = field.closest("details");
      if (closed) closed.open = true;
      field.focus();
      field.select();
      return;
    }
    const status = button.parentElement.querySelector("[role=status]");
    status.textContent = button.dataset.copied;
    setTimeout(() => {
      status.textContent = "";
    }, 4000);
  }

  async function written(field) {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      return false;
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (button) copy(button);
  });
})();
