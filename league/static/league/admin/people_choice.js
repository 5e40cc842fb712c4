// Long lists of checkboxes: a search field that hides what does not match. Without this script the list scrolls.
(() => {
  "use strict";

  const FEW = 12;

  function plain(text) {
    return text.normalize("NFKC").toLowerCase();
  }

  for (const group of document.querySelectorAll(".people-choice")) {
    const labels = [...group.querySelectorAll(".people-list label")];
    if (labels.length <= FEW) continue;
    const search = document.createElement("input");
    search.type = "search";
    search.placeholder = group.dataset.find;
    search.setAttribute("aria-label", `${group.dataset.find}: ${group.querySelector("legend").textContent}`);
    search.addEventListener("input", () => {
      const wanted = plain(search.value.trim());
      for (const label of labels) {
        label.hidden = !label.querySelector("input").checked && !plain(label.textContent).includes(wanted);
      }
    });
    // Enter in the search field must not send the form.
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
    group.querySelector(".people-list").before(search);
  }
})();
