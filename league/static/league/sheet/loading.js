// What stands in place of a document that is not there yet, is refused, or cannot be fetched.

import { button, h } from "./dom.js";

/** `line` says how far the fetching is; see line.js. */
export function loadingView(line, words) {
  if (line.isOnline && !line.shut) return h("p", { class: "loading" }, words.loading);
  return h(
    "div",
    { class: "alarm", role: "alert" },
    h("p", {}, line.shut ?? words.cannotLoad),
    button(words.tryAgain, () => (line.shut ? location.reload() : line.wake()), { class: "main" }),
  );
}
