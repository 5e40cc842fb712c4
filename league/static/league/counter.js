// The counter without the mouse: Enter goes on, Shift+Enter saves, letters act on the row one is in. What is typed is
// settled by the server while one types and kept on this device until it is saved. Without this script all forms work
// as they are.
"use strict";

const PREVIEW_AFTER = 200;
const SEARCH_AFTER = 120;
const REFRESH_AFTER = 15_000;
/** A score from here on is typed in points. */
const LONG_SCORE = 10_000;
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000;
const MINUS = /^[-▲△▼−–ー]/;

const words = () => document.getElementById("words").dataset;
const game = () => document.getElementById("game");
const prefix = () => `jantaku:${words().user}:counter:`;
const all = (where, what) => [...where.querySelectorAll(what)];
const said = (text, value) => text.replace("%s", value);

// Guests by part of a name, by number or card; what is written “name/kana” is a new one. The server knows them all:
// a number and a new guest need no waiting for the suggestions.

const NUMBER = /^[0-9\s]+$/;
const bare = (text) => text.normalize("NFKC").trim().replace(/^0+(?=.)/, "").toLowerCase();

class Picker {
  constructor(box, place) {
    this.box = box;
    this.input = box.querySelector("[data-role=guest]");
    this.player = box.querySelector("[type=hidden]");
    this.list = box.querySelector("ul.found");
    this.options = [];
    this.at = 0;
    this.list.id = `found-${place}`;
    const label = this.input.getAttribute("aria-label");
    attributes(this.list, { role: "listbox", "aria-label": label });
    attributes(this.input, { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.list.id, "aria-expanded": "false" });
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.hide(), 200));
  }

  get text() {
    return this.input.value.trim();
  }

  get isKnownByServer() {
    return this.text === "" || this.player.value !== "" || /[/／]/.test(this.text) || NUMBER.test(bare(this.text));
  }

  typed() {
    this.isDismissed = false;
    this.player.value = "";
    this.player.disabled = false;
    this.box.querySelector(".question")?.remove();
    clearTimeout(this.timer);
    this.found = undefined;
    this.timer = setTimeout(() => this.search(), SEARCH_AFTER);
  }

  search() {
    clearTimeout(this.timer);
    const text = this.text;
    this.found ??= text === "" ? Promise.resolve([]) : this.ask(text);
    return this.found.then((options) => (text === this.text ? this.show(options) : undefined));
  }

  async ask(text) {
    const answer = await fetch(`${words().guests}?q=${encodeURIComponent(text)}`).catch(() => ({ ok: false }));
    const { guests } = answer.ok ? await answer.json() : { guests: [] };
    const mayAdd = !("known" in this.box.dataset) && !NUMBER.test(bare(text));
    return mayAdd ? [...guests, { add: text.split(/[/／]/)[0].trim(), player: "new" }] : guests;
  }

  show(options) {
    this.options = options;
    this.at = 0;
    if (document.activeElement !== this.input) return this.nameNumber();
    this.list.replaceChildren(...options.map((option, at) => this.item(option, at)));
    if (!options.length && this.text) this.list.append(itemOf(words().none));
    all(this.list, "li").forEach((item, at) => attributes(item, { role: "option", id: `${this.list.id}-${at}` }));
    this.list.hidden = !this.list.children.length;
    if (this.list.hidden) this.hide();
    else this.mark();
  }

  /** Show whose number was typed, once one has gone on. */
  nameNumber() {
    const same = this.options.filter((option) => option.number && bare(option.number) === bare(this.text));
    if (same.length === 1 && this.player.value === "") this.take(same[0]);
  }

  item(option, at) {
    const item = itemOf(option.add ? said(words().add, option.add) : option.name);
    if (!option.add) {
      const small = document.createElement("small");
      const where = option.table ? said(words().table, option.table) : "";
      small.textContent = ` ${[option.reading, option.number, where].filter(Boolean).join(" · ")}`;
      item.append(small);
    }
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.take(option);
      this.goOn();
    });
    return item;
  }

  mark() {
    all(this.list, "li").forEach((item, at) => {
      item.classList.toggle("chosen", at === this.at);
      item.setAttribute("aria-selected", String(at === this.at));
    });
    attributes(this.input, { "aria-expanded": "true", "aria-activedescendant": `${this.list.id}-${this.at}` });
  }

  hide() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  async key(event) {
    if (event.isComposing) return;
    if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.isDismissed = true;
      this.hide();
    }
    if (["ArrowUp", "ArrowDown"].includes(event.key) && !this.list.hidden) {
      event.preventDefault();
      const many = this.options.length;
      this.at = many ? (this.at + (event.key === "ArrowDown" ? 1 : many - 1)) % many : 0;
      this.mark();
      this.list.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (this.isDismissed || (this.isKnownByServer && this.at === 0)) return this.goOn();
    // A new guest is added only if the offer to add one was there to be read.
    const isSeen = !this.list.hidden;
    await this.search();
    const option = this.options[this.at];
    if (!option || (option.add && !isSeen)) return;
    this.take(option);
    this.goOn();
  }

  take(option) {
    if (!option.add) this.input.value = option.name;
    // A member of the staff plays for the house unless the clerk says otherwise.
    const house = this.box.parentElement.querySelector("[name^=house]");
    if (house && option.house) house.checked = true;
    this.player.value = option.player;
    this.hide();
  }

  /** Go on to the next chair, or from the last one to what the form is for. */
  goOn() {
    this.hide();
    const form = this.box.closest("form");
    const pickers = all(form, "[data-picker]");
    const next = pickers[pickers.indexOf(this.box) + 1];
    if (next) next.querySelector("[data-role=guest]").focus();
    else form.requestSubmit();
  }
}

function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
}

function itemOf(text) {
  const item = document.createElement("li");
  item.append(...[text].flat());
  return item;
}

/** What is said, and the clause behind it. */
function sentence({ message, clause }) {
  if (!clause?.url) return [message];
  const link = document.createElement("a");
  Object.assign(link, { className: "clause", href: clause.url, target: "_blank", rel: "noopener", textContent: clause.id });
  return [message, " ", link];
}

// What is typed, kept until saved

const kept = (form) =>
  [...form.elements].filter((field) => field.name && !["hidden", "submit"].includes(field.type) && field.name !== "accept");
const isTick = (field) => field.type === "checkbox";
const keyOf = (form) => `${prefix()}${form.dataset.key}`;

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(form) {
  const values = {};
  for (const field of kept(form)) {
    if (isTick(field)) (values[field.name] ??= []).push(...(field.checked ? [field.value] : []));
    else values[field.name] = field.value;
  }
  try {
    localStorage.setItem(keyOf(form), JSON.stringify({ at: Date.now(), values }));
  } catch {
    // A full or forbidden store costs the copy, not the game.
  }
}

function restore(form) {
  const values = read(keyOf(form))?.values;
  if (!values || "bound" in form.dataset) return false;
  let changed = false;
  for (const field of kept(form)) {
    const value = values[field.name];
    if (value === undefined) continue;
    const now = isTick(field) ? value.includes(field.value) : value;
    if (isTick(field) ? field.checked === now : field.value === now) continue;
    changed = true;
    if (isTick(field)) field.checked = now;
    else field.value = now;
  }
  return changed;
}

function forget() {
  const { sitting, saved } = document.querySelector(".counter").dataset;
  const mine = Object.keys(localStorage).filter((name) => name.startsWith(prefix()));
  for (const name of mine) {
    const [of, round] = name.slice(prefix().length).split(":");
    const old = Date.now() - (read(name)?.at ?? 0) > KEPT_FOR;
    if (old || (saved && of === sitting && Number(round) <= Number(saved))) localStorage.removeItem(name);
  }
}

// The game's fields

const rows = (form) => all(form, "tr[data-chair]");
const rowOf = (field) => field.closest("tr[data-chair]");
const isText = (field) => field.matches("input[type=text]");
const role = (field) => field.dataset.role ?? "";

function columns(form) {
  const roles = [...new Set(all(form, "tr[data-chair] input[type=text]").map(role))];
  return roles.map((one) => rows(form).map((row) => row.querySelector(`[data-role="${one}"]`)));
}

function inOrder(form) {
  const typed = columns(form).filter((column) => role(column[0]) !== "chonbo");
  const rest = all(form, "[data-role=sticks], [data-role=top], [data-role=top_type], [data-role=payers], [data-role^=bust], [data-role=due], [data-role=reason], [name=accept][type=checkbox], button[type=submit]");
  return [...typed.flat(), ...rest].filter((field) => field.getClientRects().length);
}

function goOn(form, field) {
  const fields = inOrder(form);
  const next = fields[fields.indexOf(field) + 1];
  if (!next) return;
  fillRest(next);
  next.focus();
}

/** An amount as the server reads it: short ones are counted in steps; long scores are points already. */
function amountIn(field, text) {
  const typed = Number(text.normalize("NFKC").replace(/[,\s]/g, "").replace(MINUS, "-"));
  const step = Number(field.dataset.step);
  const isShort = role(field) === "score" ? !text.includes(",") && Math.abs(typed) < LONG_SCORE : Math.abs(typed) < step;
  return isShort ? typed * step : typed;
}

/** Fill the last field of a column from the sum that the column must have. */
function fillRest(field) {
  if (field.value !== "" || !field.dataset.sumsTo) return;
  const others = all(field.form, `[data-role="${role(field)}"]`).filter((other) => other !== field);
  if (!others.length || others.some((other) => other.value.trim() === "")) return;
  const rest = others.reduce((left, other) => left - amountIn(other, other.value), Number(field.dataset.sumsTo));
  if (!Number.isInteger(rest)) return;
  const short = rest / Number(field.dataset.step);
  field.value = String(Number.isInteger(short) && amountIn(field, String(short)) === rest ? short : rest);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function beside(form, field, step) {
  const column = columns(form).find((each) => each.includes(field)) ?? [];
  const below = [...column, ...all(form, "[data-role=sticks]")];
  const last = columns(form)[0].at(-1);
  return role(field) === "sticks" ? (step < 0 ? last : undefined) : below[below.indexOf(field) + step];
}

function turn(form) {
  const table = form.querySelector("table.entry");
  const winds = table.dataset.winds.split("|");
  const dealer = form.elements.dealer.value;
  const body = table.tBodies[0];
  const many = rows(form).length;
  const from = dealer === "" ? 0 : Number(dealer);
  for (let seat = 0; seat < many; seat += 1) {
    const chair = (from + seat) % many;
    const row = body.querySelector(`tr[data-chair="${chair}"]`);
    row.querySelector("[data-shows=wind]").textContent = dealer === "" ? "" : winds[seat];
    body.append(row, body.querySelector(`tr[data-errors="${chair}"]`));
  }
}

function showBusts(form) {
  for (const row of rows(form)) {
    const box = row.querySelector(".busted");
    const score = row.querySelector("[data-role=score]").value.trim();
    const isOut = MINUS.test(score) || /^[0０]+$/.test(score) || all(row, ".busted input:checked").length > 0;
    if (box) box.classList.toggle("shown", isOut || box.contains(document.activeElement));
  }
}

function nextBust(form, row) {
  const ticks = all(row, ".busted input");
  const at = ticks.findIndex((tick) => tick.checked);
  ticks.forEach((tick, place) => (tick.checked = place === at + 1));
  ticks[0]?.dispatchEvent(new Event("input", { bubbles: true }));
}

function letter(form, event, row) {
  const key = event.key.toLowerCase();
  const chair = row?.dataset.chair;
  const isOpen = !form?.elements.correct;
  if (click(`[data-key="${key}"]:not([data-at] [data-key])`)) return true;
  if (!row) return false;
  if (key === "e") {
    const focused = document.activeElement;
    form.elements.dealer.value = chair;
    form.elements.dealer.dispatchEvent(new Event("input", { bubbles: true }));
    focused.focus();
    return true;
  }
  if (key === "t" && row.querySelector(".busted")) {
    nextBust(form, row);
    return true;
  }
  return isOpen && ["l", "x", "d", "m", "h", "s"].includes(key) && click(`[data-at="${chair}"] [data-key=${key}]`);
}

// The board: the number of a table, then the letter of a guest

const cards = () => all(document, "[data-table]");
let typedTable = "";

function chooseTable(key) {
  const named = (name) => cards().find((card) => card.dataset.table.toLowerCase() === name.toLowerCase());
  const card = named(typedTable + key) ?? named(key);
  if (!card) return false;
  typedTable = card.dataset.table;
  cards().forEach((each) => each.classList.toggle("chosen", each === card));
  card.querySelector("[data-counter]").focus();
  return true;
}

const onBoard = (key) => click(`.runs.chosen [data-letter="${key.toLowerCase()}"]`) || chooseTable(key) || (key.toLowerCase() === "o" && click("[data-key=o]"));

function click(what) {
  const found = document.querySelector(what);
  if (!found) return false;
  found.click();
  const field = found.matches("summary") && found.closest("details").querySelector("[data-role=guest], select");
  if (field) setTimeout(() => field.focus());
  return true;
}

// Letters and digits as keys can be switched off: speech input types them where no field is meant.
const SWITCH = "jantaku:keys:letters";
const lettersAct = () => read(SWITCH)?.value !== "off";

function addSwitch(label) {
  const [box] = label.children;
  label.hidden = false;
  box.checked = lettersAct();
  box.addEventListener("change", () => {
    try {
      if (box.checked) localStorage.removeItem(SWITCH);
      else localStorage.setItem(SWITCH, JSON.stringify({ at: Date.now(), value: "off" }));
    } catch {
      box.checked = true;
    }
  });
}

function onKey(event) {
  const field = event.target;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const form = field.closest?.("#game, form.chipsonce");
  if (form && event.key === "Enter" && event.shiftKey) {
    event.preventDefault();
    form.requestSubmit();
  } else if (form?.id === "game" && event.key === "Enter" && field.matches("input, select")) {
    event.preventDefault();
    goOn(form, field);
  } else if (form?.id === "game" && ["ArrowUp", "ArrowDown"].includes(event.key) && isText(field)) {
    event.preventDefault();
    beside(form, field, event.key === "ArrowUp" ? -1 : 1)?.focus();
  } else if (!lettersAct()) {
    return;
  } else if (/^[a-z0-9]$/i.test(event.key) && cards().length && !field.matches("input, select, textarea") && onBoard(event.key)) {
    event.preventDefault();
  } else if (/^[a-z]$/i.test(event.key) && !writes(field) && letter(form, event, rowOf(field))) {
    event.preventDefault();
  }
}

/** Fields in which letters are letters. */
const writes = (field) =>
  field.matches("textarea, select, [data-role=guest], [data-role=reason], [name=reason], [data-role^=option], [name=table]");

function addSign(field) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "sign", textContent: "±", tabIndex: -1 });
  button.setAttribute("aria-label", words().sign);
  button.addEventListener("click", () => {
    field.value = MINUS.test(field.value) ? field.value.slice(1) : `-${field.value}`;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });
  field.after(button);
}

// What the server says of it

const shows = (where, what) => where.querySelector(`[data-shows="${what}"]`);
let asked;
let timer;

async function preview(form) {
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), signal: asked.signal });
    tell(false);
    if (!answer.ok || answer.redirected) return;
    const found = await answer.json();
    if (!found.stale) show(form, found);
  } catch (error) {
    if (error.name !== "AbortError") tell(words().offline);
  }
}

function tell(text) {
  const notice = document.getElementById("notice");
  if (!text && notice.dataset.kind !== "offline") return;
  notice.hidden = !text;
  notice.textContent = text || "";
  notice.dataset.kind = text ? "offline" : "";
}

function show(form, found) {
  const sum = shows(form, "sum");
  sum.textContent = found.sum.text;
  sum.dataset.state = found.sum.state;
  for (const [key, one] of Object.entries(found.sums)) {
    const shown = form.querySelector(`[data-sum="${key}"]`);
    shown.textContent = one.text;
    shown.dataset.state = one.state;
  }
  shows(form, "next").textContent = found.next;
  shows(form, "fees").textContent = found.fees;
  for (const row of rows(form)) {
    const chair = found.chairs[row.dataset.chair];
    const place = shows(row, "place");
    place.textContent = chair ? chair.place_text : "";
    place.dataset.place = chair ? chair.place : "";
    for (const cell of all(row, "[data-total]")) cell.textContent = chair ? chair.totals[cell.dataset.total] : "";
    for (const cell of all(row, "[data-fee]")) cell.textContent = chair ? chair.fee : "";
  }
  const wrong = found.findings.filter((each) => each.level === "error" && each.code !== "table_sum");
  // What was missing when the game was sent is no fault while it is typed, so the answer to it stays until then.
  if (!("refused" in form.dataset)) showErrors(form, wrong);
  showWarnings(form, found.findings.filter((each) => each.level === "warning"), found.digest);
}

function showErrors(form, errors) {
  all(form, "[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  rows(form).forEach((row) => row.classList.remove("errors"));
  all(form, ":scope > ul.wrong:not([data-errors])").forEach((list) => list.remove());
  const found = new Map();
  for (const error of errors) {
    const field = error.field && (form.elements[error.field]?.[0] ?? form.elements[error.field]);
    const row = field?.closest?.("tr[data-chair]");
    field?.setAttribute?.("aria-invalid", "true");
    row?.classList.add("errors");
    const list = row ? row.dataset.chair : "whole";
    found.set(list, [...(found.get(list) ?? []), error]);
  }
  for (const list of all(form, "[data-errors]")) {
    const errors = new Map((found.get(list.dataset.errors) ?? []).map((each) => [each.message, each]));
    const inside = list.matches("ul") ? list : list.querySelector("ul");
    inside.replaceChildren(...[...errors.values()].map((each) => itemOf(sentence(each))));
    if (list.matches("tr")) list.hidden = errors.size === 0;
  }
}

function showWarnings(form, warnings, digest) {
  const box = shows(form, "warnings");
  const shownFor = form.elements.accepted_for;
  const codes = warnings.map((warning) => warning.code).join();
  if (shownFor.value === digest && (box.dataset.codes === codes || ("bound" in form.dataset && box.querySelector("input")))) return;
  shownFor.value = digest;
  box.dataset.codes = codes;
  const byCode = new Map();
  for (const warning of warnings) byCode.set(warning.code, [...(byCode.get(warning.code) ?? []), warning]);
  const list = document.createElement("ul");
  list.className = "warnings";
  list.append(...[...byCode].map(([code, said]) => tick(code, said)));
  box.replaceChildren(...(warnings.length ? [list] : []));
}

function tick(code, said) {
  const item = document.createElement("li");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const accept = document.createElement("strong");
  Object.assign(input, { type: "checkbox", name: "accept", value: code });
  accept.textContent = words().accept;
  label.append(input, " ", ...said.flatMap((each) => [...sentence(each), document.createElement("br")]), accept);
  item.append(label);
  return item;
}

// All together. The script is loaded before the page's body, so that no key is pressed before the script listens.

function onInput(form, field) {
  if (field.name === "accept") return;
  delete form.dataset.refused;
  if (field.name === "dealer") turn(form);
  keep(form);
  showBusts(form);
  clearTimeout(timer);
  timer = setTimeout(() => preview(form), PREVIEW_AFTER);
}

function startGame(form) {
  forget();
  if (restore(form)) {
    turn(form);
    const notice = document.getElementById("notice");
    notice.textContent = words().restored;
    notice.hidden = false;
  }
  showBusts(form);
  all(form, "tr[data-chair] input[type=text]").forEach(addSign);
  form.addEventListener("input", (event) => onInput(form, event.target));
  form.addEventListener("submit", (event) => {
    if ("sent" in form.dataset || !navigator.onLine) {
      event.preventDefault();
      if (!navigator.onLine) tell(words().offline);
      return;
    }
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", () => delete form.dataset.sent);
  if ("bound" in form.dataset) {
    keep(form);
    form.dataset.refused = "1";
  }
  if ("bound" in form.dataset || read(keyOf(form)) || form.elements.correct) preview(form);
}

async function refresh(boxes) {
  if (document.hidden || boxes.some((box) => box.contains(document.activeElement))) return;
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const box of boxes) {
      const fresh = page.getElementById(box.id);
      if (answer.ok && fresh && !box.contains(document.activeElement)) box.replaceChildren(...fresh.childNodes);
    }
  } catch {
    // The board is shown as it was until the connection is back.
  }
}

function start() {
  all(document, "[data-picker]").forEach((box, place) => new Picker(box, place));
  all(document, ".letters").forEach(addSwitch);
  if (game()) startGame(game());
  else if (document.querySelector(".counter")) forget();
  all(document, "form.chipsonce input[type=text]").forEach(addSign);
  all(document, "form.chipsonce input[type=text]").forEach((field) => field.addEventListener("focus", () => fillRest(field)));
  all(document, "[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => print());
  });
  const boxes = all(document, "[data-refresh]");
  if (boxes.length) setInterval(() => refresh(boxes), REFRESH_AFTER);
}

document.documentElement.classList.add("js");
document.addEventListener("keydown", onKey);
document.addEventListener("focusin", ({ target }) => target.closest?.("#game, form.chipsonce") && isText(target) && target.select());
document.addEventListener("DOMContentLoaded", start);
