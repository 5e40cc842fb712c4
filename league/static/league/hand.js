// Hands put together from tiles. Without this script the calculator works by its buttons and its text field.
//
// How another page takes a win as tiles:
//
//   1. The view hands `picker = picker_for(rules)` (league/views/rulebooks/hand_picker.py) to its template, and
//      `value_url` = reverse("pages:hand-value", args=[ruleset]).
//   2. The template loads league/tiles/tiles.css, league/hand.css and this script, and writes
//      {% include "rulebooks/hand/picker.html" %} inside an element with `data-hand-value-url="{{ value_url }}"`.
//   3. A script asks the picker, which every `[data-hand-picker]` carries as `handPicker`:
//
//        const picker = document.querySelector("[data-hand-picker]").handPicker;
//        picker.line            the hand as typed: "234m567m34p678s99s chi:123s + 2p"
//        picker.dora, .ura      indicators as typed: "1p5z"
//        picker.missing         how many tiles a whole hand still needs; 0 when it is whole
//        picker.set(line, { dora, ura })   puts a hand there, by default an empty one
//        await picker.value({ seat: "S", round: "E", by: "tsumo", riichi: "riichi", ippatsu: "on", honba: "1",
//                             deposits: "1000", discarder: "W", revision: "3", option_kiriage: "true" })
//
//      `value` takes the circumstances by the names they have in the calculator's address and answers
//      { hand, missing, query, errors: [{ field, code, detail }], value, html }: `value` is the document of
//      POST /api/v1/rulesets/{name}/score/ (null while the hand is not whole or something is wrong), `html` the
//      explanation as the calculator shows it, `query` what to put behind the calculator's address for the same hand.
//      It throws only when there is no connection.
//   4. Whenever the tiles change, the picker sends the event "handchange", with { line, missing } in `detail`.
"use strict";

(() => {
  const WHOLE = 14;
  const SUITS = "mpszfb";
  const KANS = ["minkan", "kakan", "ankan"];
  const ASK_AFTER = 150;
  const all = (where, what) => [...where.querySelectorAll(what)];
  const said = (text, value) => text.replace("%s", value);

  // Tiles in a line

  const suitOf = (code) => code[1];
  const rankOf = (code) => ({ 0: 5, g: 5, w: 5 })[code[0]] ?? Number(code[0]);
  const kindOf = (code) => `${rankOf(code)}${suitOf(code)}`;
  const isMarked = (code) => code !== kindOf(code);
  const isBonus = (code) => "fb".includes(suitOf(code));
  const order = (code) => 100 * SUITS.indexOf(suitOf(code)) + 10 * rankOf(code) + (isMarked(code) ? "0gw".indexOf(code[0]) + 1 : 0);
  const inOrder = (one, other) => order(one) - order(other);

  const written = (codes) =>
    codes.map((code, at) => (codes[at + 1]?.[1] === code[1] ? code[0] : code)).join("");

  function tilesOf(text) {
    const found = [];
    let waiting = "";
    for (const letter of text) {
      if ("0123456789gw".includes(letter)) waiting += letter;
      else if (SUITS.includes(letter) && waiting) {
        found.push(...[...waiting].map((number) => number + letter));
        waiting = "";
      } else return null;
    }
    return waiting ? null : found;
  }

  class Tray {
    constructor() {
      Object.assign(this, { concealed: [], win: null, melds: [], nuki: [], dora: [], ura: [] });
    }

    static read(line, dora = "", ura = "") {
      const tray = new Tray();
      const [before, after = ""] = line.normalize("NFKC").toLowerCase().split("+");
      const parts = [...before.split(/\s+/), ...after.split(/\s+/)].filter((part) => part.includes(":"));
      const bare = (text) => text.split(/\s+/).filter((part) => !part.includes(":")).join("");
      const read = { concealed: tilesOf(bare(before)), won: tilesOf(bare(after)), dora: tilesOf(dora), ura: tilesOf(ura) };
      for (const part of parts) {
        const [kind, text] = part.split(":");
        const tiles = tilesOf(text);
        if (!tiles || !["chi", "pon", "nuki", ...KANS].includes(kind)) return null;
        if (kind === "nuki") tray.nuki.push(...tiles);
        else tray.melds.push({ kind, tiles });
      }
      if (Object.values(read).includes(null) || read.won.length > 1) return null;
      Object.assign(tray, { concealed: read.concealed, win: read.won[0] ?? null, dora: read.dora, ura: read.ura });
      return tray.settle();
    }

    get size() {
      return this.concealed.length + (this.win ? 1 : 0) + 3 * this.melds.length;
    }

    get line() {
      const melds = this.melds.map((meld) => `${meld.kind}:${written(meld.tiles)}`);
      const aside = this.nuki.length ? [`nuki:${written(this.nuki)}`] : [];
      return [written(this.concealed), ...melds, ...aside, ...(this.win ? ["+", this.win] : [])].filter(Boolean).join(" ");
    }

    get used() {
      const melded = this.melds.flatMap((meld) => meld.tiles);
      return [...this.concealed, ...(this.win ? [this.win] : []), ...melded, ...this.nuki, ...this.dora, ...this.ura];
    }

    settle() {
      if (!this.win && this.size === WHOLE && this.concealed.length) {
        this.win = this.concealed.pop();
        this.concealed.sort(inOrder);
      }
      return this;
    }

    loosen() {
      if (this.win) this.concealed.push(this.win);
      this.win = null;
    }

    drop(place) {
      const row = { c: this.concealed, m: this.melds, n: this.nuki, d: this.dora, u: this.ura }[place[0]];
      if (place === "w") this.win = null;
      else row?.splice(Number(place.slice(1)), 1);
      if ("cm".includes(place[0])) this.loosen();
    }
  }

  // The picker

  class Picker {
    constructor(box) {
      this.box = box;
      this.words = box.dataset;
      this.input = box.querySelector("[name=hand]");
      this.wall = new Map(all(box, "[data-tile]").map((button) => [button.dataset.tile, button]));
      this.tray = this.read() ?? new Tray();
      box.addEventListener("click", (event) => this.clicked(event));
      box.addEventListener("keydown", (event) => this.key(event));
      for (const input of this.inputs) input.addEventListener("input", () => this.typed());
      all(box, "[data-tile]").forEach((button, at) => (button.tabIndex = at ? -1 : 0));
      this.draw();
    }

    get form() {
      return this.box.closest("form");
    }

    get inputs() {
      return [this.input, this.form?.elements.dora, this.form?.elements.ura].filter(Boolean);
    }

    get line() {
      return this.readable ? this.tray.line : this.input.value;
    }

    get dora() {
      return written(this.tray.dora);
    }

    get ura() {
      return written(this.tray.ura);
    }

    get missing() {
      return WHOLE - this.tray.size;
    }

    get target() {
      return this.box.querySelector("[name=to]:checked")?.value ?? "hand";
    }

    get valueUrl() {
      const where = this.box.closest("[data-hand-value-url]") ?? this.box.closest("[data-value-url]");
      return where.dataset.handValueUrl ?? where.dataset.valueUrl;
    }

    read() {
      const [line, dora, ura] = ["hand", "dora", "ura"].map((name) =>
        name === "hand" ? this.input.value : (this.form?.elements[name]?.value ?? written(this.tray?.[name] ?? [])),
      );
      const tray = Tray.read(line, dora.trim(), ura.trim());
      this.readable = tray !== null;
      return tray;
    }

    set(line = "", { dora = "", ura = "" } = {}) {
      this.tray = Tray.read(line, dora, ura) ?? new Tray();
      this.changed();
    }

    async value(circumstances = {}) {
      const asked = { hand: this.line, dora: this.dora, ura: this.ura, ...circumstances };
      const answer = await fetch(`${this.valueUrl}?${new URLSearchParams(asked)}`);
      return answer.json();
    }

    typed() {
      const tray = this.read();
      if (tray) this.tray = tray;
      this.draw();
      this.tell();
    }

    clicked(event) {
      const button = event.target.closest("button");
      if (!button || !this.box.contains(button)) return;
      event.preventDefault();
      if (button.dataset.tile) this.tap(button.dataset.tile);
      else if (button.name === "drop") this.tray.drop(button.value);
      else if (button.name === "recolour") this.recolour(button.value);
      else if (button.name === "clear") this.tray = new Tray();
      else return;
      const place = button.dataset.tile ? null : button.value;
      this.changed();
      if (place) this.focusNear(place);
    }

    left(code) {
      const copies = Number(this.wall.get(code)?.dataset.copies ?? 0);
      return copies - this.tray.used.filter((each) => each === code).length;
    }

    copiesOf(kind) {
      return [...this.wall.keys()]
        .filter((code) => kindOf(code) === kind && !isBonus(code))
        .sort(inOrder)
        .flatMap((code) => Array(Math.max(0, this.left(code))).fill(code));
    }

    tap(code) {
      const { tray, target } = this;
      if (target === "chi") return this.chi(code);
      if (this.left(code) < 1) return undefined;
      if (target === "dora" || target === "ura") tray[target].push(code);
      else if (target === "nuki" || (target === "hand" && suitOf(code) === "f")) tray.nuki.push(code);
      else if (target === "hand") {
        if (tray.size < WHOLE) tray.concealed.push(code);
      } else this.alike(code, target === "pon" ? 3 : 4);
      tray.settle();
      return undefined;
    }

    chi(code) {
      if (!"mps".includes(suitOf(code)) || this.tray.size + 3 > WHOLE) return;
      const start = Math.min(rankOf(code), 7);
      const kinds = [0, 1, 2].map((step) => `${start + step}${suitOf(code)}`);
      const tiles = kinds.map((kind) => (kind === kindOf(code) && this.left(code) > 0 ? code : this.copiesOf(kind)[0]));
      if (tiles.includes(undefined)) return;
      this.tray.melds.push({ kind: "chi", tiles });
      this.tray.settle();
    }

    alike(code, count) {
      if (isBonus(code) || this.tray.size + 3 > WHOLE) return;
      const others = this.copiesOf(kindOf(code));
      others.splice(others.indexOf(code), 1);
      if (others.length < count - 1) return;
      this.tray.melds.push({ kind: this.target, tiles: [code, ...others.slice(0, count - 1)] });
    }

    recolour(place) {
      const [meld, at] = place.slice(1).split(".").map(Number);
      const { tiles } = this.tray.melds[meld];
      const copies = [...new Set([...this.copiesOf(kindOf(tiles[at])), tiles[at]])].sort(inOrder);
      tiles[at] = copies[(copies.indexOf(tiles[at]) + 1) % copies.length];
    }

    changed() {
      this.readable = true;
      this.input.value = this.tray.line;
      for (const name of ["dora", "ura"]) {
        const input = this.form?.elements[name];
        if (input) input.value = written(this.tray[name]);
      }
      this.draw();
      this.tell();
    }

    tell() {
      const detail = { line: this.line, missing: this.missing };
      this.box.dispatchEvent(new CustomEvent("handchange", { bubbles: true, detail }));
    }

    // Drawing

    draw() {
      const { tray } = this;
      const row = this.box.querySelector("[data-row=hand]");
      const tiles = tray.concealed.map((code, at) => this.button(code, "drop", `c${at}`));
      if (tray.win) {
        tiles.push(this.button(tray.win, "drop", "w"));
        tiles.at(-1).className = "won";
      }
      row.replaceChildren(...tiles, ...tray.melds.map((meld, at) => this.meld(meld, at)));
      for (const name of ["nuki", "dora", "ura"]) this.aside(name);
      for (const [code, button] of this.wall) this.count(code, button);
      const { missing } = this;
      const text = missing > 0 ? said(this.words.wordsMissing, missing) : missing < 0 ? said(this.words.wordsOver, -missing) : this.words.wordsWhole;
      this.box.querySelector("[data-count]").textContent = text;
    }

    aside(name) {
      const row = this.box.querySelector(`[data-row=${name}]`);
      all(row, "button").forEach((button) => button.remove());
      row.append(...this.tray[name].map((code, at) => this.button(code, "drop", `${name[0]}${at}`)));
      row.hidden = !this.tray[name].length;
    }

    count(code, button) {
      const left = Math.max(0, this.left(code));
      const fits = this.target === "chi" ? true : left > 0;
      button.querySelector(".left").textContent = left;
      button.setAttribute("aria-label", `${button.dataset.name}, ${said(this.words.wordsLeft, left)}`);
      button.toggleAttribute("aria-disabled", !fits);
      if (!fits) button.setAttribute("aria-disabled", "true");
    }

    picture(code) {
      const drawn = this.wall.get(code)?.querySelector("svg");
      if (drawn) return drawn.cloneNode(true);
      const text = document.createElement("span");
      text.className = "unknown";
      text.textContent = code;
      return text;
    }

    button(code, name, value) {
      const button = document.createElement("button");
      const words = name === "recolour" ? this.words.wordsOther : this.words.wordsRemove;
      Object.assign(button, { type: "button", name, value });
      button.append(this.picture(code));
      button.setAttribute("aria-label", said(words, this.wall.get(code)?.dataset.name ?? code));
      return button;
    }

    meld(meld, at) {
      const box = document.createElement("span");
      const how = document.createElement("span");
      const away = document.createElement("button");
      const label = this.box.querySelector(`[name=to][value=${meld.kind}]`)?.parentElement.textContent ?? meld.kind;
      box.className = "meld";
      box.dataset.meld = meld.kind;
      how.className = "how";
      how.textContent = label;
      Object.assign(away, { type: "button", className: "away", name: "drop", value: `m${at}`, textContent: "×" });
      away.setAttribute("aria-label", said(this.words.wordsRemove, label));
      const tiles = meld.tiles.map((code, inside) => {
        const others = [...this.wall.keys()].filter((each) => kindOf(each) === kindOf(code) && !isBonus(each));
        if (others.length > 1) return this.button(code, "recolour", `m${at}.${inside}`);
        const picture = this.picture(code);
        picture.setAttribute("aria-label", this.wall.get(code)?.dataset.name ?? code);
        picture.setAttribute("role", "img");
        picture.removeAttribute("aria-hidden");
        return picture;
      });
      box.append(how, ...tiles, away);
      return box;
    }

    // The keyboard: arrows go from tile to tile

    key(event) {
      const from = event.target.closest("[data-tile]");
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 9, ArrowUp: -9 }[event.key];
      if (!from || !step) return;
      event.preventDefault();
      const to = Math.abs(step) === 1 ? this.beside(from, step) : this.inNextRow(from, Math.sign(step));
      if (!to) return;
      from.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    }

    beside(from, step) {
      const buttons = all(this.box, "[data-tile]");
      return buttons[buttons.indexOf(from) + step];
    }

    inNextRow(from, step) {
      const rows = all(this.box, ".suit");
      const row = rows[rows.indexOf(from.parentElement) + step];
      const at = [...from.parentElement.children].indexOf(from);
      return row ? (row.children[at] ?? row.lastElementChild) : undefined;
    }

    focusNear(place) {
      const near = this.box.querySelector(`.tray [value="${place}"]`) ?? all(this.box, ".tray [name=drop]").at(-1);
      (near ?? this.input).focus();
    }
  }

  // The calculator's own page: the value is put in place, the address follows

  class Calculator {
    constructor(form) {
      this.form = form;
      this.picker = form.querySelector("[data-hand-picker]").handPicker;
      this.answer = form.querySelector("[data-answer]");
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.ask();
        if (event.submitter?.classList.contains("go")) this.answer.firstElementChild?.scrollIntoView({ block: "start" });
      });
      form.addEventListener("change", (event) => this.chosen(event));
      form.addEventListener("handchange", () => this.soon());
    }

    chosen(event) {
      if (event.target.name === "to") this.picker.draw();
      else if (event.target.name.startsWith("option_")) this.form.submit();
      else if (!this.picker.inputs.includes(event.target)) this.soon();
    }

    soon() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), ASK_AFTER);
    }

    async ask() {
      clearTimeout(this.timer);
      this.asking?.abort();
      this.asking = new AbortController();
      const asked = new URLSearchParams(new FormData(this.form));
      asked.delete("to");
      try {
        const answer = await fetch(`${this.form.dataset.valueUrl}?${asked}`, { signal: this.asking.signal });
        this.show(await answer.json());
      } catch (error) {
        if (error.name !== "AbortError") this.form.submit();
      }
    }

    show({ html, query }) {
      this.answer.innerHTML = html;
      history.replaceState(null, "", query ? `?${query}` : location.pathname);
      for (const link of all(document, "[data-follow]")) link.search = query;
    }
  }

  function start() {
    for (const box of all(document, "[data-hand-picker]")) box.handPicker = new Picker(box);
    for (const form of all(document, "[data-hand-form]")) new Calculator(form);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
