// The options of a form follow the choice of its ruleset. Without this script a button shows them.
(() => {
  "use strict";

  const form = document.getElementById("ruleset-options").closest("form");

  async function showOptions() {
    const chosen = form.elements.ruleset.value;
    const data = new FormData(form);
    data.set("look", "1");
    const response = await fetch(location.href, { method: "POST", body: data }).catch(() => null);
    if (!response?.ok || form.elements.ruleset.value !== chosen) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (form.elements.ruleset.value !== chosen) return;
    document.getElementById("ruleset-options").replaceWith(page.getElementById("ruleset-options"));
    form.elements.options_of.value = chosen;
  }

  form.elements.ruleset.addEventListener("change", showOptions);
})();
