// A broadcast's overlay: the table as its document tells it, on nothing, 1920 by 1080.
//
// In the address: #token=... is a token that may read what is held back; it stays on this device, for what stands
// behind # is never sent in an address. ?theme=felt|dark|light|bare, ?place=bottom|top, ?lang=ja|en, ?hanchan=...,
// ?hide=league,points,last,advice choose what is seen.

import { fill, h } from "./dom.js";
import { reach } from "./line.js";

const EVERY = 2000;
const CHOOSE_EVERY = 10_000;
const STALE_AFTER = 10_000;
const THEMES = ["felt", "dark", "light", "bare"];
const PLACES = ["bottom", "top"];
const WITHIN_REACH = ["safe", "any_win", "some_wins"];

class Overlay {
  constructor(root) {
    const data = JSON.parse(document.getElementById("overlay-data").textContent);
    const query = new URLSearchParams(location.search);
    Object.assign(this, { root, ...data, at: Date.now() });
    this.token = new URLSearchParams(location.hash.slice(1)).get("token");
    this.fixed = query.get("hanchan");
    this.hidden = new Set((query.get("hide") ?? "").split(","));
    document.body.className = `${oneOf(THEMES, query.get("theme"))} ${oneOf(PLACES, query.get("place"))}`;
  }

  async start() {
    await this.look();
    setInterval(() => this.look(), EVERY);
  }

  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** Ask, and keep what was shown last if there is no answer. */
  async look() {
    try {
      const row = await this.current();
      this.live = row ? await this.get(`${this.urls.hanchan}${row}/live/`) : null;
      this.at = Date.now();
      this.isShown = Boolean(row);
    } catch (error) {
      if (error.cause === "refused") this.isShown = false;
    }
    this.draw();
  }

  async get(address) {
    const answer = await reach(address, { headers: this.headers, cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status), { cause: "refused" });
    return answer.json();
  }

  /** The hanchan named, else the first of the table that is not over, else its last. */
  async current() {
    if (this.fixed) return this.fixed;
    if (Date.now() - this.chosenAt < CHOOSE_EVERY) return this.chosen;
    this.of ??= (await this.get(this.urls.table)).competition.slug;
    const { results } = await this.get(`${this.urls.hanchan}?competition=${this.of}&table_session=${this.table}`);
    const open = results.find((each) => !["finished", "ended_by_time", "abandoned"].includes(each.state));
    this.chosenAt = Date.now();
    this.chosen = (open ?? results.at(-1))?.id;
    return this.chosen;
  }

  draw() {
    const { live, words } = this;
    const isStale = Date.now() - this.at > STALE_AFTER;
    if (!live)
      return this.root.replaceChildren(this.isShown === false ? h("p", { class: "told" }, words.notShown) : "");
    if (!live.is_followed && !(live.is_typed && live.seats.length))
      return this.root.replaceChildren(h("p", { class: "told" }, live.is_final ? words.over : words.waiting));
    return this.root.replaceChildren(
      h(
        "div",
        { class: "stack" },
        this.last(live),
        this.advice(live),
        h(
          "div",
          { class: `strip of-${live.seats.length}` },
          this.middle(live),
          live.seats.map((seat) => this.seat(seat, live)),
        ),
      ),
      isStale ? h("p", { class: "stale" }, words.stale) : "",
    );
  }

  middle({ round, deposits, is_over: isOver, is_typed: isTyped }) {
    const { words } = this;
    return h(
      "div",
      { class: "round" },
      h("p", { class: "kyoku" }, isOver ? words.over : this.said(round.name)),
      isTyped ? h("p", { class: "typed" }, words.typed) : null,
      isOver ? null : h("p", { class: "honba" }, fill(words.honba, { n: round.honba })),
      deposits ? h("p", { class: "deposits" }, `${words.deposits} ${deposits.toLocaleString("en")}`) : null,
    );
  }

  seat(seat, live) {
    const { words } = this;
    const isDealer = !live.is_over && live.round.dealer === seat.seat;
    return h(
      "div",
      { class: `player place-${seat.place}${isDealer ? " dealer" : ""}${seat.riichi ? " riichi" : ""}` },
      h("p", { class: "who" }, seat.wind ? h("b", { class: "wind" }, words.winds[seat.wind]) : null, h("span", {}, this.nameOf(seat)), seat.status === "withdrawn" ? h("small", {}, words.withdrawn) : null),
      h("p", { class: `score${seat.score < 0 ? " minus" : ""}` }, this.number(seat.score)),
      h("p", { class: "if-now" }, h("b", { class: "place" }, String(seat.place)), this.points(seat)),
      seat.riichi ? h("p", { class: "stake" }, seat.riichi === "open" ? words.openRiichi : words.riichi) : null,
    );
  }

  points(seat) {
    const parts = [];
    if (seat.points && !this.hidden.has("points")) parts.push(h("span", { class: "points" }, this.signed(seat.points)));
    if (seat.league_total_now && !this.hidden.has("league"))
      parts.push(h("span", { class: "total" }, fill(this.words.total, { points: this.signed(seat.league_total_now) })));
    return parts;
  }

  /** In the last hands, what each player needs for what matters most to them. */
  advice({ advice }) {
    if (!advice?.is_near_end || this.hidden.has("advice")) return "";
    const { words } = this;
    return h(
      "div",
      { class: `strip needs of-${advice.seats.length}` },
      h("p", { class: "title" }, advice.reasons.includes("last_hand") ? words.advice : words.adviceNow),
      advice.seats.map(({ goals }) => {
        const goal = mainOf(goals);
        return h("p", { class: "need" }, goal ? [h("small", {}, goal.text), h("b", {}, goal.needed)] : null);
      }),
    );
  }

  last({ last }) {
    if (!last || this.hidden.has("last")) return "";
    return h("p", { class: "last" }, h("b", {}, this.said(last.kyoku)), " ", this.said(last.text));
  }

  said = (text) => text[this.language] ?? text.en ?? "";

  nameOf(seat) {
    const name = seat.player_name ?? seat.name ?? "–";
    return (this.language === "en" && !seat.is_substitute && seat.romaji) || name;
  }

  number = (score) => `${score < 0 ? this.words.minus : ""}${Math.abs(score).toLocaleString("en")}`;

  /** Decimal strings as the reader's language signs them. */
  signed = (text) => (text.startsWith("-") ? `${this.words.minus}${text.slice(1)}` : `+${text}`);
}

const oneOf = (known, asked) => (known.includes(asked) ? asked : known[0]);

/** Where the league is at stake that is, else the game: the best that a win now still brings, else the least. */
function mainOf(goals) {
  const league = goals.filter((goal) => goal.code === "advance");
  const wanted = league.length ? league : goals;
  return wanted.find((goal) => WITHIN_REACH.includes(goal.status)) ?? wanted.at(-1);
}

new Overlay(document.getElementById("overlay")).start();
