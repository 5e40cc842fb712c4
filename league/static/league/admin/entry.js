// The entry screen without the mouse: Enter goes on, Shift+Enter saves, arrows change the row, what is typed is
// previewed by the server and kept on this device until it is saved. Without this script the forms work as they are.
"use strict";

const PREVIEW_AFTER = 250;
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000;
const ROW_ROLES = ["score", "chonbo"];

const screenData = () => document.querySelector(".entry-screen").dataset;
const words = () => document.getElementById("words").dataset;
const prefix = () => `jantaku:${screenData().user}:`;

// What is typed, kept until saved

const typed = (form) => [...form.querySelectorAll("input[data-role], select[data-role]")].filter((field) => kept(field));
const kept = (field) => !["accept", "accepted_for"].includes(field.dataset.role);
const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);
const isAsPlanned = (field) => !("bound" in field.form.dataset) && field.selectedOptions[0]?.defaultSelected;
/** A player whom the page proposes is not typed: seats may be drawn or swapped before the sheet is opened again. */
const isProposed = (field) => field.dataset.role === "entrant" && (field.value === "" || isAsPlanned(field));
const values = (form) =>
  Object.fromEntries(
    typed(form)
      .filter((field) => !isProposed(field))
      .map((field) => [field.name, valueOf(field)]),
  );
const place = (form) => prefix() + form.dataset.key;

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(form) {
  try {
    localStorage.setItem(place(form), JSON.stringify({ at: Date.now(), values: values(form) }));
  } catch {
    // A full or forbidden store costs the copy, not the entry.
  }
}

function forgetSavedAndOld() {
  const saved = screenData().saved && `${prefix()}${screenData().saved}:`;
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(prefix()))) {
    const old = Date.now() - (read(name)?.at ?? 0) > KEPT_FOR;
    if (old || (saved && name.startsWith(saved))) localStorage.removeItem(name);
  }
}

function restore(form) {
  const there = read(place(form))?.values;
  if (!there || "bound" in form.dataset) return false;
  let changed = false;
  for (const field of typed(form)) {
    const value = there[field.name];
    if (value === undefined || value === valueOf(field)) continue;
    changed = true;
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }
  return changed;
}

function tellRestored(forms) {
  const notice = document.getElementById("entry-notice");
  notice.querySelector("span").textContent = words().restored;
  notice.querySelector("button").addEventListener("click", () => {
    forms.forEach((form) => localStorage.removeItem(place(form)));
    location.reload();
  });
  notice.hidden = false;
}

// The keyboard

const isText = (field) => field.matches("input[type=text]");
const visible = (field) => field.getClientRects().length > 0;

function isMain(field) {
  if (field.matches("button[type=submit], [data-role=accept], [aria-invalid=true]")) return true;
  if (field.matches("[data-role=entrant]")) return field.value === "";
  return isText(field) && !["chonbo", "substitute"].includes(field.dataset.role);
}

function next(form, field) {
  const fields = [...form.querySelectorAll("input, select, button[type=submit]")].filter(visible);
  return fields.slice(fields.indexOf(field) + 1).find(isMain);
}

function beside(form, field, step) {
  const column = [...form.querySelectorAll(`[data-role="${field.dataset.role}"]`)];
  if (ROW_ROLES.includes(field.dataset.role)) column.push(...form.querySelectorAll("[data-role=sticks]"));
  const found = column[column.indexOf(field) + step];
  if (found || field.dataset.role !== "sticks" || step > 0) return found;
  return [...form.querySelectorAll("[data-role=score]")].pop();
}

function onKey(form, event) {
  const field = event.target;
  if (event.isComposing) return;
  if (event.key === "Enter" && event.shiftKey) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Enter" && field.matches("input, select")) {
    event.preventDefault();
    next(form, field)?.focus();
  } else if (["ArrowUp", "ArrowDown"].includes(event.key) && isText(field) && !field.hasAttribute("list")) {
    event.preventDefault();
    beside(form, field, event.key === "ArrowUp" ? -1 : 1)?.focus();
  }
}

function addSign(field) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "sign", textContent: "±", tabIndex: -1 });
  button.setAttribute("aria-label", words().sign);
  button.addEventListener("click", () => {
    field.value = /^[-▲△−]/.test(field.value) ? field.value.slice(1) : `-${field.value}`;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });
  field.after(button);
}

// What the server says of it

const shows = (form, what) => form.querySelector(`[data-shows="${what}"]`);

function hideWarnings(form) {
  shows(form, "warnings").hidden = true;
}

function showWarnings(form, warnings, digest) {
  const box = shows(form, "warnings");
  const digestField = form.querySelector("[data-role=accepted_for]");
  const codes = warnings.map((warning) => warning.code).join();
  box.hidden = false;
  if (digestField.value === digest && box.dataset.codes === codes) return;
  if (digestField.value === digest && "bound" in form.dataset && box.dataset.codes === undefined) {
    box.dataset.codes = codes;
    if (box.querySelector("input")) return;
  }
  digestField.value = digest;
  box.dataset.codes = codes;
  const list = document.createElement("ul");
  list.className = "warnings";
  const byCode = new Map();
  for (const warning of warnings) byCode.set(warning.code, [...(byCode.get(warning.code) ?? []), warning]);
  list.append(...[...byCode].map(([code, said]) => tick(form, code, said)));
  box.replaceChildren(...(warnings.length ? [list] : []));
}

function tick(form, code, said) {
  const item = document.createElement("li");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const strong = document.createElement("strong");
  Object.assign(input, { type: "checkbox", name: `h${form.elements.hanchan.value}-accept`, value: code });
  input.dataset.role = "accept";
  strong.textContent = words().accept;
  const text = document.createElement("span");
  text.append(...said.flatMap((each) => [...sentence(each), document.createElement("br")]), strong);
  label.append(input, text);
  item.append(label);
  return item;
}

function showErrors(form, errors) {
  form.querySelectorAll("[aria-invalid]").forEach((field) => {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  });
  form.querySelectorAll("tr.wrong").forEach((row) => row.classList.remove("wrong"));
  form.querySelectorAll(".whole, .one > .errorlist").forEach((list) => list.remove());
  const found = new Map();
  for (const error of errors) {
    const field = error.field && form.elements[error.field];
    const row = field && field.closest("tr[data-seat]");
    const id = field ? `${field.id}_error` : "";
    if (field) field.setAttribute("aria-invalid", "true");
    if (field) field.setAttribute("aria-describedby", id);
    if (row) row.classList.add("wrong");
    const list = row ? row.dataset.seat : "whole";
    found.set(list, [...(found.get(list) ?? []), itemOf(sentence(error), id)]);
  }
  for (const list of form.querySelectorAll("[data-errors]")) {
    const items = found.get(list.dataset.errors) ?? [];
    list.replaceChildren(...items);
    const row = list.closest("tr.messages");
    if (row) row.hidden = items.length === 0;
  }
}

function itemOf(parts, id = "") {
  const item = document.createElement("li");
  if (id) item.id = id;
  item.append(...parts);
  return item;
}

/** What is said, and the clause behind it. */
function sentence({ message, clause }) {
  if (!clause?.url) return [message];
  const link = document.createElement("a");
  Object.assign(link, { className: "clause", href: clause.url, target: "_blank", rel: "noopener", textContent: clause.id });
  return [message, " ", link];
}

function placeMark({ place, place_text }) {
  const mark = document.createElement("span");
  Object.assign(mark, { className: `pl p${place}`, textContent: place });
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", place_text);
  return mark;
}

function showPreview(form, said) {
  const sum = shows(form, "sum");
  sum.textContent = said.sum.text;
  sum.dataset.state = said.sum.state;
  for (const row of form.querySelectorAll("tr[data-seat]")) {
    const seat = said.seats[row.dataset.seat];
    shows(row, "place").replaceChildren(...(seat ? [placeMark(seat)] : []));
    const points = shows(row, "points");
    points.textContent = seat ? seat.points : "";
    points.classList.toggle("minus", /^[▲−-]/.test(points.textContent));
  }
  shows(form, "moves").replaceChildren(...said.moves.map((move) => itemOf([move])));
  showErrors(form, said.findings.filter((each) => each.level === "error" && each.code !== "table_sum"));
  showWarnings(form, said.findings.filter((each) => each.level === "warning"), said.digest);
}

const offline = (is) => {
  document.getElementById("entry-offline").hidden = !is;
};

const asked = new WeakMap();

async function preview(form) {
  asked.get(form)?.abort();
  const control = new AbortController();
  asked.set(form, control);
  try {
    const answer = await fetch(form.dataset.preview, {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "application/json" },
      signal: control.signal,
    });
    offline(false);
    if (answer.ok && !answer.redirected) showPreview(form, await answer.json());
  } catch (error) {
    if (error.name !== "AbortError") offline(true);
  }
}

// All together. The script is loaded before the page's body, so that no key is pressed before the script listens.

const timers = new WeakMap();

function onInput(form, field) {
  if (!field.dataset.role || field.dataset.role === "accept") return;
  keep(form);
  hideWarnings(form);
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(() => preview(form), PREVIEW_AFTER));
}

function onSubmit(form, event) {
  if (navigator.onLine && !("sent" in form.dataset)) {
    form.dataset.sent = "1";
    return;
  }
  event.preventDefault();
  offline(!navigator.onLine);
}

function listen(name, act) {
  document.addEventListener(name, (event) => {
    const form = event.target.closest("form.sheet-form");
    if (form) act(form, event);
  });
}

function start() {
  forgetSavedAndOld();
  const forms = [...document.querySelectorAll("form.sheet-form")];
  const restored = forms.filter(restore);
  if (restored.length) tellRestored(restored);
  forms.filter((form) => restored.includes(form) || form.dataset.bound).forEach(keep);
  forms.filter((form) => restored.includes(form) || isWithoutErrors(form)).forEach(preview);
  forms.forEach((form) => form.querySelectorAll("[data-role=score]").forEach(addSign));
  addEventListener("pageshow", () => forms.forEach((form) => delete form.dataset.sent));
}

const isWithoutErrors = (form) => form.dataset.bound && !form.querySelector(".errorlist li");

listen("keydown", onKey);
listen("focusin", (_form, event) => isText(event.target) && event.target.select());
listen("input", (form, event) => onInput(form, event.target));
listen("submit", onSubmit);
addEventListener("online", () => offline(false));
addEventListener("offline", () => offline(true));
document.addEventListener("DOMContentLoaded", start);
