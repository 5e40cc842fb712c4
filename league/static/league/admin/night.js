// Match night: a sheet handed in redraws its own card, and the focus is at the next table at once. The screen asks
// for one number while nothing happens; a card somebody types in is never replaced. It goes by what entry.js does with
// a sheet's form.
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

/** Somebody else's news stands beside what is being typed, and does not touch it. */
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

function show(parts, { started = new Map(), own = null } = {}) {
  screenOf().dataset.version = parts.version;
  say(parts.said);
  fill("night-queue", parts.queue);
  fill("night-hall", parts.hall);
  for (const [table, html] of Object.entries(parts.cards)) {
    const card = cardAt(table);
    if (!card) location.reload();
    else if (table === own) redraw(table, html);
    else if (turnOf(table) !== (started.get(table) ?? turnOf(table))) continue;
    else if (isTyped(card)) tellMeanwhile(card, html);
    else redraw(table, html);
  }
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

/** The next table with something to enter, in their order; the same one comes last. */
function goOn(card) {
  const all = cards();
  const place = all.indexOf(card);
  const next = [...all.slice(place + 1), ...all.slice(0, place)].find(
    (each) => formIn(each) && each.getAttribute("aria-busy") !== "true",
  );
  if (next) begin(next);
  return Boolean(next);
}

// Handing in

async function askFor(address, options) {
  const answer = await fetch(address, { ...options, headers: { Accept: "application/json" } });
  if (answer.redirected || !answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Error("gone");
  offline(false);
  return { ok: answer.ok, parts: await answer.json() };
}

const startedNow = () => new Map(cards().map((card) => [card.dataset.table, turnOf(card.dataset.table)]));

const failed = (error) => {
  if (error.message === "gone") say([{ level: "error", text: words().gone }]);
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
  const wentOn = goOn(card);
  try {
    const { ok, parts } = await askFor(location.pathname, { method: "POST", body });
    turnOver(table);
    if (parts.saved) forget(parts.saved);
    show(parts, { own: table });
    const fresh = cardAt(table);
    if (!ok) refused(fresh);
    else if (!wentOn && !goOn(fresh)) begin(fresh);
  } catch (error) {
    card.removeAttribute("aria-busy");
    delete form.dataset.sent;
    failed(error);
  }
}

/** What was refused is looked at at once, unless somebody types at another table by now. */
function refused(card) {
  card.classList.add("refused");
  const name = card.querySelector("h2 a").textContent;
  say([{ level: "error", text: `${words().refused} ${name}` }]);
  const busy = document.activeElement?.closest(".card");
  if (!busy || busy === card || !isTyped(busy)) begin(card);
}

async function confirmSheets(form, button) {
  const body = new FormData(form, button);
  body.append("have", have());
  const started = startedNow();
  form.querySelectorAll("button").forEach((each) => Object.assign(each, { disabled: true }));
  try {
    const { parts } = await askFor(location.pathname, { method: "POST", body });
    show(parts, { started });
  } catch (error) {
    form.querySelectorAll("button").forEach((each) => Object.assign(each, { disabled: false }));
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
    const query = new URLSearchParams({ have: have() });
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
