// A broadcast's overlay: the table as its document tells it, on nothing, 1920 by 1080.
//
// In the address: #token=... is a token that may read what is held back; it stays on this device, for what stands
// behind # is never sent in an address. ?theme=dark|light|bare, ?place=bottom|top, ?lang=ja|en, ?hanchan=...,
// ?hide=league,points,last,advice choose what is seen.

import { fill, h } from "./dom.js";
import { reach } from "./line.js";

const EVERY = 800;
const SILENT_AFTER = 8000;
const STREAM_AGAIN = 15_000;
const STALE_AFTER = 10_000;
const THEMES = ["dark", "light", "bare"];
const PLACES = ["bottom", "top"];
const WITHIN_REACH = ["safe", "any_win", "some_wins"];

class Overlay {
  constructor(root) {
    const data = JSON.parse(document.getElementById("overlay-data").textContent);
    const query = new URLSearchParams(location.search);
    Object.assign(this, { root, ...data, at: Date.now() });
    this.token = new URLSearchParams(location.hash.slice(1)).get("token");
    this.fixed = query.get("hanchan");
    this.unreadable = new Set();
    this.hidden = new Set((query.get("hide") ?? "").split(","));
    Object.assign(document.documentElement.dataset, {
      theme: oneOf(THEMES, query.get("theme")),
      place: oneOf(PLACES, query.get("place")),
    });
  }

  async start() {
    if (this.streams && !this.token) this.stream();
    for (;;) {
      if (!this.isStreaming) await this.look();
      await new Promise((done) => setTimeout(done, EVERY));
    }
  }

  /** The document: of the hanchan named, else of the table's first hanchan that is not over, else of its last. */
  get address() {
    return this.fixed ? `${this.urls.hanchan}${this.fixed}/live/` : this.urls.table;
  }

  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** The stream sends the document when it changes, and heartbeats; while it is silent, the document is polled. */
  stream() {
    const source = new EventSource(`${this.address}stream/`);
    const again = () => {
      source.close();
      setTimeout(() => this.stream(), STREAM_AGAIN * (0.5 + Math.random()));
    };
    source.addEventListener("live", ({ data }) => this.show(JSON.parse(data), true));
    source.addEventListener("heartbeat", () => {
      this.heard = this.at = Date.now();
    });
    source.addEventListener("gone", () => {
      this.heard = 0;
      again();
    });
    source.onerror = () => {
      this.heard = 0;
      if (source.readyState === EventSource.CLOSED) again();
    };
  }

  get isStreaming() {
    return Date.now() - (this.heard ?? 0) < SILENT_AFTER;
  }

  /** Ask, and keep what was shown last if there is no answer. */
  async look() {
    try {
      const live = await this.get(this.address);
      // The stream may have begun meanwhile: what it sent is newer.
      if (!this.isStreaming) this.show(live, false);
    } catch (error) {
      if (error.cause === "refused") {
        this.live = null;
        this.isShown = false;
      }
      this.draw();
    }
  }

  show(live, isStreamed) {
    this.at = Date.now();
    if (isStreamed) this.heard = this.at;
    Object.assign(this, { live, isShown: true });
    this.draw();
  }

  async get(address) {
    const answer = await reach(address, { headers: this.headers, cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status), { cause: "refused" });
    return answer.json();
  }

  draw() {
    const { live, words } = this;
    const isStale = Date.now() - this.at > STALE_AFTER;
    if (!live)
      return this.root.replaceChildren(...(this.isShown === false ? [h("p", { class: "told" }, words.notShown)] : []));
    if (live.accent) document.documentElement.style.setProperty("--house", live.accent);
    if (!live.is_followed && !(live.is_typed && live.seats.length))
      return this.root.replaceChildren(h("p", { class: "told" }, live.is_final ? words.over : words.waiting));
    return this.root.replaceChildren(
      ...[this.last(live), this.advice(live)].filter(Boolean),
      h(
        "section",
        { class: "o-strip" },
        this.middle(live),
        h("ol", { class: "o-seats" }, live.seats.map((seat) => this.seat(seat, live))),
      ),
      ...(isStale ? [h("p", { class: "stale" }, words.stale)] : []),
    );
  }

  middle({ round, deposits, title, is_over: isOver, is_typed: isTyped }) {
    const { words } = this;
    const counters = [isOver ? null : fill(words.honba, { n: round.honba }), deposits ? `${words.deposits} ${this.number(deposits)}` : null];
    return h(
      "div",
      { class: "o-round" },
      h("p", { class: isOver ? "kyoku long" : "kyoku" }, isOver ? words.over : this.said(round.name)),
      isTyped ? h("p", { class: "typed" }, words.typed) : null,
      h("p", {}, counters.filter(Boolean).join("・")),
      h("p", { class: "o-stage" }, this.said(title)),
    );
  }

  /** The picture of a seat's player, or the tile's character without one that can be loaded. */
  face({ picture, mark }) {
    const glyph = mark?.glyph ?? "";
    if (!picture || this.unreadable.has(picture)) return glyph;
    const onerror = ({ target }) => {
      this.unreadable.add(picture);
      target.replaceWith(glyph);
    };
    return h("img", { src: picture, alt: "", onerror });
  }

  /** A seat: its wind, tile, name and score; below them the place, and what the league would be if it ended here. */
  seat(seat, live) {
    const { words } = this;
    const isDealer = !live.is_over && live.round.dealer === seat.seat;
    const isFirst = seat.league_rank_now === 1;
    return h(
      "li",
      { class: `o-seat player c${seat.mark?.colour ?? 0}${isFirst ? " top1" : ""}${seat.riichi ? " riichi" : ""}` },
      h("span", { class: isDealer ? "o-wind oya" : "o-wind" }, seat.wind ? words.winds[seat.wind].slice(0, 1) : ""),
      h("span", { class: `t${seat.picture ? " pic" : ""} c${seat.mark?.colour ?? 0}`, "aria-hidden": "true" }, this.face(seat)),
      h(
        "div",
        {},
        h("p", { class: "o-name" }, this.nameOf(seat), seat.status === "withdrawn" ? h("small", {}, ` ${words.withdrawn}`) : null),
        h("p", { class: `score${seat.score < 0 ? " minus" : ""}` }, this.number(seat.score)),
      ),
      h("p", { class: "o-if" }, h("span", {}, words.places[seat.place - 1]), this.outlook(seat)),
      seat.riichi ? stick(seat.riichi === "open" ? words.openRiichi : words.riichi) : null,
    );
  }

  outlook(seat) {
    if (!seat.league_total_now || this.hidden.has("league"))
      return seat.points && !this.hidden.has("points") ? h("span", { class: "points" }, this.signed(seat.points)) : null;
    return [
      seat.cut ? h("span", { class: `o-cut ${seat.cut}` }, this.said(seat.cut_text)) : null,
      seat.league_rank_now ? h("b", {}, fill(this.words.rank, { n: seat.league_rank_now })) : null,
      h("span", { class: "total" }, this.total(seat.league_total_now)),
    ];
  }

  /** In the last hands, what each player needs for what matters most to them. */
  advice({ advice, seats }) {
    if (!advice?.is_near_end || this.hidden.has("advice")) return null;
    const { words } = this;
    const asked = advice.seats.map((each) => ({ ...each, of: seats[each.seat], goal: mainOf(each.goals) })).filter(({ goal }) => goal);
    const title = advice.reasons.includes("last_hand") ? words.advice : words.adviceNow;
    return h(
      "section",
      { class: "o-cond" },
      h("h2", {}, title),
      h(
        "dl",
        {},
        asked.map(({ short_name: name, of, goal }) =>
          h(
            "div",
            { class: `goal c${of.mark?.colour ?? 0}` },
            h("dt", {}, `${name} · ${goal.text}`),
            h("dd", {}, goal.needed),
          ),
        ),
      ),
    );
  }

  last({ last }) {
    if (!last || this.hidden.has("last")) return null;
    return h("p", { class: "last" }, h("b", {}, this.said(last.kyoku)), " ", this.said(last.text));
  }

  said = (text) => text[this.language] ?? text.en ?? "";

  nameOf(seat) {
    const name = seat.player_name ?? seat.name ?? "–";
    return (this.language === "en" && seat.player_name === seat.name && seat.romaji) || name;
  }

  number = (score) => `${score < 0 ? this.words.minus : ""}${Math.abs(score).toLocaleString("en")}`;

  /** A total: in Japanese no plus stands before it. */
  total = (text) => (this.language === "ja" ? this.signed(text).replace(/^\+/, "") : this.signed(text));

  /** Decimal strings as the reader's language signs them. */
  signed = (text) => (text.startsWith("-") ? `${this.words.minus}${text.slice(1)}` : `+${text}`);
}

const oneOf = (known, asked) => (known.includes(asked) ? asked : known[0]);

const SVG = "http://www.w3.org/2000/svg";

/** The riichi stick of a seat; its colours are in the style sheet. */
function stick(label) {
  const drawn = document.createElementNS(SVG, "svg");
  const parts = { rect: { x: 1, y: 1, width: 298, height: 14, rx: 3 }, circle: { cx: 150, cy: 8, r: 4.6 } };
  for (const [name, value] of Object.entries({ class: "stick", viewBox: "0 0 300 16", role: "img", "aria-label": label }))
    drawn.setAttribute(name, value);
  for (const [name, values] of Object.entries(parts)) {
    const part = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(values)) part.setAttribute(key, value);
    drawn.append(part);
  }
  return drawn;
}

/** Where the league is at stake that is, else the game: the best that a win now still brings, else the least. */
function mainOf(goals) {
  const league = goals.filter((goal) => goal.code === "advance");
  const wanted = league.length ? league : goals;
  return wanted.find((goal) => WITHIN_REACH.includes(goal.status)) ?? wanted.at(-1);
}

new Overlay(document.getElementById("overlay")).start();
