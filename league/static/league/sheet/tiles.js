// A win as tiles: the calculator's picker, asked about the hand as it was won at this table.

import { Unreachable, reach } from "./line.js";
import { fill, h } from "./dom.js";

const ASK_AFTER = 200;
/** Circumstances that go with one way of winning, or with a riichi. */
const ONLY_BY = { haitei: "tsumo", rinshan: "tsumo", unshown: "tsumo", houtei: "ron", forced: "ron" };
const AFTER_RIICHI = ["ippatsu", "double"];
const fits = (tick, by, riichi) => (ONLY_BY[tick] ?? by) === by && (Boolean(riichi) || !AFTER_RIICHI.includes(tick));
const OPENED = /\b(chi|pon|minkan|kakan):/;
/** Which of the calculator's dora are prizes of their own. */
const PRIZES = { ura: ["ura", "kan_ura"], red: ["red"], gold: ["gold"] };

export class Tiles {
  constructor(form, { url, riichi, language }, words) {
    Object.assign(this, { form, url, riichi, language, words });
    this.answer = h("div", { class: "outlook", "aria-live": "polite" });
    this.take = h(
      "button",
      { type: "button", class: "main", disabled: true, "data-key": "take-tiles" },
      words.takeTiles,
    );
    this.take.addEventListener("click", () => this.value && this.say(this.value));
    form.addEventListener("handchange", () => this.soon());
    form.addEventListener("change", () => this.soon());
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  get picker() {
    return this.form.querySelector("[data-hand-picker]").handPicker;
  }

  /** For one winner's hand; another winner starts with an empty one. */
  of(sheet, seat, by) {
    return { view: (tools) => this.view({ sheet, seat, by, ...tools }) };
  }

  view({ sheet, seat, by, hand, say, back }) {
    const key = `${sheet.hanchan.id}/${sheet.round.text}/${seat}/${by}`;
    Object.assign(this, { sheet, seat, by });
    if (key !== this.key) {
      this.empty(key);
      if (this.form.elements.double) this.form.elements.double.checked = Boolean(hand.double);
    }
    const { riichi } = this.sheet.seats[this.seat];
    this.say = (value) => say({ ...hand, ...value, asTiles: undefined });
    this.form.hidden = false;
    for (const label of this.form.querySelectorAll("[data-tick]")) label.hidden = !fits(label.dataset.tick, by, riichi);
    return h("div", { class: "valuing" }, this.form, this.answer, h("div", { class: "bottom" }, back, this.take));
  }

  /** Another win, another hand. */
  empty(key) {
    Object.assign(this, { key, value: null });
    this.form.reset();
    this.picker.set("", { dora: "", ura: "" });
    this.answer.replaceChildren();
    this.take.disabled = true;
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), ASK_AFTER);
  }

  async ask() {
    const asked = (this.asked = this.query());
    try {
      const answer = await reach(`${this.url}?${asked}`);
      const body = answer.ok ? await answer.json() : { errors: [this.words.needsLine] };
      if (asked === this.asked) this.show(body);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.show({ errors: [this.words.needsLine] });
    }
  }

  query() {
    const { picker, sheet } = this;
    const seat = sheet.seats[this.seat];
    const ticks = [...new FormData(this.form)].filter(
      ([name, value]) => value === "on" && name !== "double" && fits(name, this.by, seat.riichi),
    );
    const isDouble = this.form.elements.double?.checked;
    const declared = { closed: isDouble ? "double" : "riichi", open: isDouble ? "double_open" : "open" }[seat.riichi];
    const pairs = [
      ["hanchan", String(sheet.hanchan.id)],
      ["hand", picker.line],
      ["dora", picker.dora],
      ["ura", picker.ura],
      ["seat", seat.wind],
      ["round", sheet.round.key],
      ["by", this.by],
      ...(declared && this.riichi.includes(declared) ? [["riichi", declared]] : []),
      ...ticks,
    ];
    return new URLSearchParams(pairs.filter(([, value]) => value !== "")).toString();
  }

  show({ errors = [], value = null }) {
    this.value = value && this.handOf(value);
    this.take.disabled = !value;
    const isPutTogether = this.picker.missing <= 0;
    const wrong =
      isPutTogether && errors.length
        ? h(
            "ul",
            { class: "wrong" },
            errors.map((text) => h("li", {}, text)),
          )
        : null;
    this.answer.replaceChildren(...[wrong, value && this.told(value)].filter(Boolean));
  }

  /** What the hand counts, in a line. */
  told(value) {
    const name = (label) => label[this.language] ?? label.en;
    const lines = [
      ...value.yaku.map((each) => `${name(each.label)} ${each.worth}`),
      ...value.dora.map((each) => `${name(each.label)} ${each.count}`),
    ];
    const head = value.limit_label ? name(value.limit_label) : fill(this.words.hanFuOf, { n: value.han, fu: value.fu });
    return h("p", { class: "note" }, h("b", {}, head), " ", lines.join(this.words.comma));
  }

  /** The value as the sheet takes it: what counts, and the prizes the tiles tell. */
  handOf(value) {
    const { asks } = this.sheet;
    const counted = value.yakuman
      ? { yakuman: value.yakuman }
      : value.limit
        ? { limit: value.limit }
        : { han: value.han, fu: value.fu };
    const known = new Set((asks.prizes?.counts ?? []).map(({ event }) => event));
    const many = (kinds) =>
      value.dora.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0);
    const counts = Object.fromEntries(
      Object.entries(PRIZES)
        .filter(([event]) => known.has(event))
        .map(([event, kinds]) => [event, many(kinds)]),
    );
    if (known.has("ippatsu")) counts.ippatsu = value.yaku.some(({ name }) => name === "ippatsu") ? 1 : 0;
    const paid = value.dora.filter(({ points }) => points > 0).reduce((sum, { count }) => sum + count, 0);
    const double = Boolean(this.form.elements.double?.checked && this.sheet.seats[this.seat].riichi);
    const closed = !OPENED.test(this.picker.line);
    return { ...counted, double, closed, counts, ...(asks.value.dora ? { dora: paid } : {}) };
  }
}
