/* The format builder: a changed field sends the form, and the page that comes back takes the place of the old one.
   Without this script the button "Update" does the same. */
(() => {
  "use strict";
  let form = document.getElementById("builder");
  if (!form) return;
  document.documentElement.classList.add("with-script");
  let isBusy = false;
  let waiting = null;
  let leaving = null;
  let isPressed = false;
  for (const [kind, state] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
    document.addEventListener(kind, () => (isPressed = state), true);
  }

  /* A button that is being pressed must not be exchanged before the click arrives. */
  function released() {
    return new Promise((resolve) => {
      const look = () => (isPressed ? setTimeout(look, 20) : setTimeout(resolve, 0));
      look();
    });
  }

  /* Open and closed parts stay as they are. */
  function keepOpen(next) {
    for (const details of next.querySelectorAll("details[id]")) {
      const old = document.getElementById(details.id);
      if (old) details.open = old.open;
    }
  }

  /* What was typed while the answer was on its way stays in its field. */
  function keepTyped(next, sent) {
    const active = document.activeElement;
    if (!active || !form.contains(active)) return null;
    const top = active.getBoundingClientRect().top;
    if (!active.id) return active.matches("button[value]") ? { value: active.value, top } : null;
    const same = next.querySelector(`#${CSS.escape(active.id)}`);
    if (same && "value" in active && active.name && sent.get(active.name) !== active.value) same.value = active.value;
    return { id: active.id, top, start: active.selectionStart ?? null, end: active.selectionEnd ?? null };
  }

  function focusAgain(place) {
    if (!place) return;
    const field = place.id
      ? document.getElementById(place.id)
      : form.querySelector(`button[value="${CSS.escape(place.value)}"]:enabled`);
    if (!field) {
      document.getElementById("stage-add")?.focus({ preventScroll: true });
      return;
    }
    field.focus({ preventScroll: true });
    /* The picture above it may have grown or shrunk: the field stays where it was on the screen. */
    window.scrollBy({ top: field.getBoundingClientRect().top - place.top, behavior: "instant" });
    if (place.id && place.start !== null && field.setSelectionRange && field.type === "text") {
      field.setSelectionRange(place.start, place.end);
    }
  }

  async function send(button) {
    if (isBusy) {
      waiting = button ?? waiting ?? form.querySelector("button[value=update]");
      return;
    }
    isBusy = true;
    form.setAttribute("aria-busy", "true");
    const sent = new FormData(form);
    sent.set("do", button ? button.value : "update");
    try {
      const answer = await fetch(form.action + window.location.search, { method: "POST", body: sent });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.getElementById("builder");
      if (!next) {
        window.location.assign(answer.url);
        return;
      }
      await released();
      keepOpen(next);
      const place = keepTyped(next, sent);
      const added = button?.value === "stage-add" ? form.querySelectorAll(".stage").length : -1;
      form.replaceWith(next);
      form = next;
      begin();
      window.history.replaceState(null, "", new URL(answer.url).pathname + new URL(answer.url).search);
      document.title = page.title;
      const subtitle = page.querySelector("#content > h2");
      const shown = document.querySelector("#content > h2");
      if (subtitle && shown) shown.textContent = subtitle.textContent;
      focusAgain(place);
      if (added >= 0) form.querySelectorAll(".stage")[added]?.scrollIntoView({ block: "nearest" });
    } catch {
      /* The connection is gone: what was typed stays, and the next change sends it. */
    } finally {
      isBusy = false;
      form.removeAttribute("aria-busy");
      if (leaving) {
        const button = form.querySelector(`button[value="${leaving}"]`);
        leaving = null;
        delete button.dataset.sure;
        form.requestSubmit(button);
      } else if (waiting) {
        const next = waiting;
        waiting = null;
        send(next.isConnected ? next : form.querySelector(`button[value="${CSS.escape(next.value)}"]`));
      }
    }
  }

  function begin() {
    form.addEventListener("change", () => send(null));
    form.addEventListener("submit", (event) => {
      const button = event.submitter;
      if (button?.dataset.sure && !window.confirm(button.dataset.sure)) {
        event.preventDefault();
        return;
      }
      if (button && "leaves" in button.dataset) {
        /* What was typed last is still being stored: leave after that, or the two would be in each other's way. */
        if (isBusy) {
          event.preventDefault();
          leaving = button.value;
        }
        return;
      }
      event.preventDefault();
      send(button);
    });
  }

  /* A field that was changed before this script was there, or that the browser filled in again. */
  function isChanged(field) {
    if (field.type === "hidden" || field.type === "checkbox") return false;
    if (field.options) {
      const usual = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
      return field.value !== usual?.value;
    }
    return "defaultValue" in field && field.value !== field.defaultValue;
  }

  begin();
  if ([...form.elements].some(isChanged) && !form.querySelector(".errornote")) send(null);
})();
