// Match night: a sheet handed in redraws its own card, and the focus is at the next table at once; where every table is
// being saved, what is typed meanwhile waits for the next sheet. The screen asks for one number while nothing happens; a
// card being typed in is never replaced. It goes by what entry.js does with a sheet's form.
"use strict";

const ASK_EVERY = 3000;

const screenOf = () => document.querySelector(".night-screen");
const cards = () => [...document.querySelectorAll(".night .card")];
const cardAt = (table) => document.getElementById(`table-${table}`);
const formIn = (card) => card?.querySelector("form.sheet-form");
const have = () => cards().map((card) => `${card.dataset.table}:${card.dataset.version}`).join();

// What is typed and not in yet

const asWas = (field) => {
  if (field.type === "checkbox") return field.defaultChecked === field.checked;
  if (field.tagName === "SELECT") return [...field.options].every((each) => each.selected === each.defaultSelected);
  return field.value === field.defaultValue;
};
const chosen = (field) => field.tagName === "SELECT" && ![...field.options].some((each) => each.defaultSelected);
const untouched = (field) => asWas(field) || (chosen(field) && field.selectedIndex === 0);
const isTyped = (card) => {
  const form = formIn(card);
  return Boolean(form) && ("bound" in form.dataset || !typed(form).every(untouched));
};

// Drawing

const turns = new Map();
const turnOf = (table) => turns.get(String(table)) ?? 0;
const turnOver = (table) => turns.set(String(table), turnOf(table) + 1);

function drawn(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

function adopt(card) {
  const form = formIn(card);
  if (!form) return;
  const wasRestored = restore(form);
  if ("bound" in form.dataset) keep(form);
  if (wasRestored || isWithoutErrors(form)) preview(form);
  form.querySelectorAll("[data-role=score]").forEach(addSign);
}

function redraw(table, html) {
  const old = cardAt(table);
  const fresh = drawn(html);
  const hadFocus = old?.contains(document.activeElement);
  old?.replaceWith(fresh);
  adopt(fresh);
  if (hadFocus) begin(fresh);
  return fresh;
}

/** Another user's news stands beside what is being typed, and does not touch it. */
function tellMeanwhile(card, html) {
  card.dataset.version = drawn(html).dataset.version;
  if (card.querySelector(".meanwhile")) return;
  const note = document.createElement("p");
  Object.assign(note, { className: "meanwhile", textContent: words().meanwhile });
  note.setAttribute("role", "status");
  card.querySelector("h2").after(note);
}

function say(said) {
  const list = document.getElementById("night-said");
  if (!said.length) return;
  list.replaceChildren(
    ...said.map(({ level, text }) => {
      const item = itemOf([text]);
      item.className = level;
      return item;
    }),
  );
}

function fill(id, html) {
  const place = document.getElementById(id);
  if (!html.trim() && !place.childElementCount) return;
  const focused = place.contains(document.activeElement) && document.activeElement;
  const again = focused && (focused.matches("[data-confirm-all]") ? "[data-confirm-all]" : "button");
  place.innerHTML = html;
  if (again) place.querySelector(again)?.focus();
}

const calls = () => [...document.querySelectorAll("#night-hall [data-call]")];

/** A screen reader reads out what changes in an element that stays. */
function announce(added) {
  const said = document.getElementById("night-called");
  if (added.length) said.textContent = added.map((call) => `${call.querySelector("b").textContent} ${said.dataset.calls}`).join(" · ");
}

function show(parts, { started = new Map(), own = null } = {}) {
  screenOf().dataset.version = parts.version;
  say(parts.said);
  const isInQueue = document.getElementById("night-queue").contains(document.activeElement);
  fill("night-queue", parts.queue);
  const known = new Set(calls().map((call) => call.dataset.call));
  fill("night-hall", parts.hall);
  announce(calls().filter((call) => !known.has(call.dataset.call)));
  for (const [table, html] of Object.entries(parts.cards)) {
    const card = cardAt(table);
    if (!card) location.reload();
    else if (table === own) redraw(table, html);
    else if (turnOf(table) !== (started.get(table) ?? turnOf(table))) continue;
    else if (isTyped(card)) tellMeanwhile(card, html);
    else redraw(table, html);
  }
  if (!cards().some(isTyped)) document.getElementById("entry-notice").hidden = true;
  if (isInQueue && document.activeElement === document.body) begin(cards()[0]);
}

// The focus

const firstField = (form) =>
  form.querySelector("[autofocus]") ??
  [...form.querySelectorAll("[data-asked], [aria-invalid=true]")].find(visible) ??
  [...form.querySelectorAll("[data-role=entrant]")].find((field) => field.value === "") ??
  form.querySelector("[data-role=score]");

function begin(card) {
  const form = formIn(card);
  const target = form ? firstField(form) : card.querySelector("a[data-open]");
  target?.focus();
}

const isBusy = (card) => card.getAttribute("aria-busy") === "true";

/** The tables with something to enter, beginning after this one, which comes last. */
function following(card) {
  const all = cards();
  const place = all.indexOf(card);
  return [...all.slice(place + 1), ...all.slice(0, place + 1)].filter(formIn);
}

/** The next table with something to enter; while all are being saved, a place to type ahead at the next one. */
function goOn(card) {
  const free = following(card).find((each) => each !== card && !isBusy(each));
  if (free) begin(free);
  else if (!ahead.element?.isConnected || !isAhead()) typeAheadAt(following(card)[0]);
  else ahead.field.focus();
}

// Typing ahead: fields that are through, each with whether it ended the sheet, and the one that is being typed

const ahead = {
  element: null,
  table: null,
  given: [],
  get field() {
    return this.element.querySelector("input");
  },
};

const isAhead = () => Boolean(ahead.given.length || ahead.field.value);

function typeAheadAt(card) {
  ahead.element ??= document.getElementById("ahead").content.firstElementChild.cloneNode(true);
  ahead.table = card.dataset.table;
  formIn(card).after(ahead.element);
  ahead.field.focus();
}

function stopTypingAhead() {
  ahead.element?.remove();
  Object.assign(ahead, { element: null, table: null, given: [] });
}

function showGiven() {
  const said = ahead.given.map(({ text, ends }) => `${text || "–"}${ends ? " ⏎" : ""}`);
  ahead.element.querySelector(".given").textContent = said.join(" · ");
}

function onKeyAhead(event) {
  const { field } = ahead;
  if (event.isComposing) return;
  if (event.key === "Enter") {
    event.preventDefault();
    ahead.given.push({ text: field.value, ends: event.shiftKey });
    field.value = "";
  } else if (event.key === "Backspace" && !field.value && ahead.given.length) {
    event.preventDefault();
    field.value = ahead.given.pop().text;
  }
  showGiven();
}

/** What was typed ahead goes into the sheet that is open now, field by field, as if it were typed there. */
function catchUp(card, takesFocus) {
  const { given, field: waiting } = ahead;
  const last = waiting.value;
  stopTypingAhead();
  const form = formIn(card);
  let field = firstField(form);
  while (given.length) {
    const { text, ends } = given.shift();
    write(field, text);
    if (ends || field.matches("button")) {
      form.requestSubmit();
      typeOn(card, given, last);
      return;
    }
    field = next(form, field) ?? field;
  }
  write(field, last);
  if (!takesFocus) return;
  field.focus();
  if (last) field.setSelectionRange(last.length, last.length);
}

function write(field, text) {
  if (!text || !isText(field)) return;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A whole sheet was typed ahead, and more: that goes on where the focus went. */
function typeOn(from, given, last) {
  if (!given.length && !last) return;
  const card = document.activeElement.closest(".card") ?? from;
  if (!ahead.element) typeAheadAt(card);
  ahead.given.push(...given);
  ahead.field.value = last;
  if (card === from || isBusy(card)) showGiven();
  else catchUp(card, true);
}

/** A table has answered where the user types ahead. */
function answered(card, isSaved, takesFocus) {
  const [first] = following(card);
  const free = following(card).find((each) => !isBusy(each));
  if (!isSaved && isAhead()) formIn(card).after(ahead.element);
  else if (!isSaved) stopTypingAhead();
  else if (formIn(card)) catchUp(card, takesFocus);
  else if (free) catchUp(free, takesFocus);
  else if (first) typeAheadAt(first);
  else {
    stopTypingAhead();
    if (takesFocus) begin(card);
  }
}

// Handing in

/** The server could not answer: its disk is full, or its database or a part of it is away. */
class Outage extends Error {}

async function askFor(address, options) {
  const answer = await fetch(address, { ...options, headers: { Accept: "application/json" } });
  if (answer.headers.get("Content-Type")?.startsWith("application/problem+json") && answer.status >= 500) {
    throw new Outage((await answer.json()).title);
  }
  // A proxy that does not reach the server answers with a page of its own.
  if (answer.status >= 500) throw new Error(String(answer.status));
  if (answer.redirected || !answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Error("gone");
  offline(false);
  return { ok: answer.ok, parts: await answer.json() };
}

const startedNow = () => new Map(cards().map((card) => [card.dataset.table, turnOf(card.dataset.table)]));

const failed = (error) => {
  if (error.message === "gone") say([{ level: "error", text: words().gone }]);
  else if (error instanceof Outage) say([error.message, words().kept].map((text) => ({ level: "error", text })));
  else offline(true);
};

function forget(hanchan) {
  const stem = `${prefix()}${hanchan}:`;
  Object.keys(localStorage).filter((name) => name.startsWith(stem)).forEach((name) => localStorage.removeItem(name));
}

async function handIn(form) {
  const card = form.closest(".card");
  const { table } = card.dataset;
  const body = new FormData(form);
  body.append("have", have());
  keep(form);
  card.setAttribute("aria-busy", "true");
  turnOver(table);
  const field = form.contains(document.activeElement) ? document.activeElement : firstField(form);
  goOn(card);
  try {
    const { ok, parts } = await askFor(location.pathname, { method: "POST", body });
    turnOver(table);
    const typesAhead = Boolean(ahead.element?.contains(document.activeElement));
    if (parts.saved) forget(parts.saved);
    show(parts, { own: table });
    const fresh = cardAt(table);
    if (ahead.table === table) answered(fresh, ok, typesAhead);
    if (!ok) refused(fresh);
  } catch (error) {
    card.removeAttribute("aria-busy");
    delete form.dataset.sent;
    failed(error);
    if (ahead.table !== table) return;
    if (!isAhead()) stopTypingAhead();
    field.focus();
  }
}

/** What was refused is looked at at once, unless the user types at another table by now. */
function refused(card) {
  card.classList.add("refused");
  const name = card.querySelector("h2 a").textContent;
  say([{ level: "error", text: `${words().refused} ${name}` }]);
  const busy = document.activeElement?.closest(".card");
  if (!busy || busy === card || !isTyped(busy)) begin(card);
}

/** A button that is disabled loses the focus, so a form that is on its way is marked instead. */
async function confirmSheets(form, button) {
  if (form.ariaBusy) return;
  const body = new FormData(form, button);
  body.append("have", have());
  const started = startedNow();
  form.ariaBusy = "true";
  try {
    const { parts } = await askFor(location.pathname, { method: "POST", body });
    show(parts, { started });
  } catch (error) {
    form.ariaBusy = null;
    failed(error);
  }
}

async function openPanel(link) {
  const card = link.closest(".card");
  const query = new URLSearchParams(new URL(link.href).search);
  query.set("table", card.dataset.table);
  try {
    const { parts } = await askFor(`${screenOf().dataset.parts}?${query}`);
    turnOver(card.dataset.table);
    const fresh = redraw(card.dataset.table, parts.cards[card.dataset.table]);
    begin(fresh);
  } catch (error) {
    failed(error);
  }
}

// What others do

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(screenOf().dataset.asks, { headers: { Accept: "application/json" } });
    if (answer.redirected || !answer.ok) return;
    const { version } = await answer.json();
    if (String(version) === screenOf().dataset.version) return;
    const started = startedNow();
    const { round } = screenOf().dataset;
    const query = new URLSearchParams({ have: have(), ...(round && { round }) });
    const { parts } = await askFor(`${screenOf().dataset.parts}?${query}`);
    show(parts, { started });
  } catch {
    // The next look may find the line again; what is typed says so when it is sent.
  }
}

async function watch() {
  await look();
  setTimeout(watch, ASK_EVERY);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest(".night-screen") || event.defaultPrevented) return;
  if (form.matches(".sheet-form")) {
    event.preventDefault();
    handIn(form);
  } else if (event.submitter?.name === "confirm" || form.querySelector("[name=confirm]")) {
    event.preventDefault();
    confirmSheets(form, event.submitter);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.(".ahead")) onKeyAhead(event);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-open]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPanel(link);
});

document.addEventListener("visibilitychange", () => look());
document.addEventListener("DOMContentLoaded", () => {
  cards().filter((card) => formIn(card)?.dataset.bound).forEach((card) => card.classList.add("refused"));
  setTimeout(watch, ASK_EVERY);
});
