// Which screen is shown: the table, a question, the log, the end; and what the keys do.

import { button, choice, fill, h } from "./dom.js";
import { adviceView } from "./advice.js";
import { penaltyMenu } from "./asking.js";
import { describeAction } from "./describe.js";
import { approvalsView, endView, settlementView, startView, submitView } from "./ends.js";
import { legalityView, logView } from "./log.js";
import { loadingView } from "./loading.js";
import { Questions } from "./questions.js";
import { step } from "./steps.js";
import { tableView } from "./table.js";

const KEYS = {
  r: "riichi",
  o: "ron",
  t: "tsumo",
  d: "draw",
  a: "abortive",
  p: "penalty",
  s: "scores",
  j: "ruling",
  l: "log",
};

/** The panels that open where nothing can be entered; instead of any other the table is shown. */
const LOOKED_AT = ["table", "log", "waiting"];

export class Screens {
  constructor(owner) {
    this.owner = owner;
    this.words = owner.words;
    this.questions = new Questions(owner, this);
  }

  get sheet() {
    return this.owner.sheet;
  }

  draw() {
    const { owner, words } = this;
    if (!this.sheet) return [loadingView(owner.line, words)];
    return [
      this.status(),
      this.alarm(),
      this.news(),
      ...this.notes(),
      h("div", { class: `screen on-${this.name}` }, this.body()),
    ].filter(Boolean);
  }

  get name() {
    const { owner } = this;
    if (this.isAsking) return `asks-${step(owner.draft, owner.asks).name}`;
    return this.sheet.phase === "start" ? "starts" : this.panel;
  }

  get panel() {
    const { panel } = this.owner;
    return this.mayEnter || LOOKED_AT.includes(panel) ? panel : "table";
  }

  get isAsking() {
    return Boolean(this.owner.draft) && this.mayEnter;
  }

  body() {
    if (this.sheet.phase === "start") return this.starts();
    if (this.isAsking) return this.questions.view();
    const panels = {
      seats: () => [this.starts(), this.foot()],
      table: () => this.table(),
      log: () => this.log(),
      penalty: () => this.penalties(),
      legality: () => this.legality(),
      seat: () => this.seat(),
      waiting: () => this.waiting(),
    };
    return panels[this.panel]();
  }

  // The line

  status() {
    const { owner, words, sheet } = this;
    const { waiting, state } = owner.line;
    const text = {
      sent: words.isSent,
      sending: fill(words.isSending, { n: waiting.length }),
      offline: waiting.length ? fill(words.isWaiting, { n: waiting.length }) : words.isOffline,
      stopped: words.isStopped,
    }[state];
    return h(
      "div",
      { class: "status" },
      h(
        "span",
        { class: "where" },
        sheet.table_session.name,
        sheet.hanchan_list.length > 1 ? ` ${fill(words.hanchanOf, { n: sheet.hanchan.round })}` : "",
      ),
      h("span", { class: `line ${state}`, role: "status", "aria-live": "polite" }, text),
      waiting.length && state !== "sending"
        ? button(words.whatWaits, () => owner.show("waiting"), { class: "light small" })
        : null,
    );
  }

  /** What has to be decided before anything else goes out. */
  alarm() {
    const { owner, words, sheet } = this;
    if (owner.line.shut) return h("div", { class: "alarm", role: "alert" }, h("p", {}, owner.line.shut));
    const { stopped, waiting } = owner.line;
    if (!stopped || !waiting.length) return null;
    const [first] = waiting;
    const isBehind = stopped.why === "behind";
    const again = () => owner.line.again();
    return h(
      "div",
      { class: "alarm", role: "alert" },
      h("h2", {}, isBehind ? words.otherDevice : words.notTaken),
      isBehind
        ? h(
            "div",
            {},
            h("p", {}, words.cameIn),
            h(
              "ul",
              { class: "came" },
              this.cameIn().map((text) => h("li", {}, text)),
            ),
          )
        : h(
            "ul",
            { class: "wrong" },
            stopped.messages.map((text) => h("li", {}, text)),
          ),
      h("p", {}, words.youEntered, " ", h("b", {}, describeAction(first, sheet, words))),
      h(
        "div",
        { class: "answers" },
        isBehind ? button(words.enterAgain, again, { class: "main", "data-key": "again" }) : null,
        first.payload.entry
          ? button(words.lookAgain, () => this.lookAgain(), {
              class: isBehind ? "light" : "main",
              "data-key": "look-again",
            })
          : null,
        button(words.dropIt, () => owner.line.drop(), { class: "light", "data-key": "drop" }),
      ),
    );
  }

  lookAgain() {
    const { payload, kind } = this.owner.line.drop();
    this.owner.reopen(payload.entry, kind === "edit" ? payload.number : undefined);
  }

  cameIn() {
    const { sheet, owner } = this;
    const since = owner.line.cameIn(sheet, owner.line.base);
    return since.length ? since : [this.words.logChanged];
  }

  /** What another device entered while this one looked on. */
  news() {
    const { news } = this.owner;
    return news
      ? h(
          "div",
          { class: "note", role: "status" },
          h("b", {}, this.words.fromElsewhere),
          " ",
          news.join(this.words.comma),
        )
      : null;
  }

  /** Why nothing can be entered, and what was typed beside the log; a typed result that is shown says so itself. */
  notes() {
    const { locked, phase, result } = this.sheet;
    const texts = [locked, phase === "typed" ? null : result?.text].filter(Boolean);
    return texts.map((text) => h("p", { class: "note warn" }, text));
  }

  waiting() {
    const { owner, words, sheet } = this;
    return [
      this.heading(words.whatWaits),
      h(
        "ol",
        { class: "waitlist" },
        owner.line.waiting.map((action) => h("li", {}, describeAction(action, sheet, words))),
      ),
      h("p", { class: "quiet" }, words.waitsHelp),
      this.foot(),
    ];
  }

  // The table

  table() {
    const { owner, words, sheet } = this;
    if (sheet.phase === "typed") return this.typed();
    const { round } = sheet;
    const pick = this.mayEnter ? (seat) => ({ tap: () => this.openSeat(seat.seat), state: undefined }) : undefined;
    return [
      owner.said ? h("p", { class: "visually-hidden", role: "status" }, owner.said) : null,
      this.pendingNote(),
      tableView(sheet, { words, turned: owner.turned, pick, acts: this.pendingActs() }),
      this.lastHand(),
      sheet.end ? this.over() : this.mayEnter ? this.actions() : this.hanchanLinks(),
      this.tools(),
      adviceView(sheet.advice, { words, folds: owner.folds, kyoku: round.text }),
    ];
  }

  /** How the last hand ended: a draw with nobody in tenpai changes no score, so that this alone shows that it counts. */
  lastHand() {
    const last = this.sheet.log.findLast((kyoku) => kyoku.result);
    const text = last?.entries.at(-1)?.text;
    return text && !this.sheet.end ? h("p", { class: "lasthand quiet" }, `${last.text} `, h("b", {}, text)) : null;
  }

  get mayEnter() {
    const { you, phase } = this.sheet;
    return you.may_enter && !["confirmed", "typed"].includes(phase);
  }

  /** Acts of the running hand that still wait in line. */
  pendingActs() {
    const acts = [];
    for (const { kind, payload } of this.owner.line.waiting) {
      if (kind === "entry" && ["riichi", "dead_hand"].includes(payload.entry.type)) acts.push(payload.entry);
      else if (payload.entry?.type !== "time_called") acts.length = 0;
    }
    return acts;
  }

  pendingNote() {
    const { waiting, state } = this.owner.line;
    const isBehind = waiting.some(
      ({ kind, payload }) => kind !== "entry" || !["riichi", "dead_hand", "time_called"].includes(payload.entry.type),
    );
    return isBehind && state !== "stopped"
      ? h("p", { class: "note" }, fill(this.words.shownBefore, { n: waiting.length }))
      : null;
  }

  actions() {
    const { owner, words, sheet } = this;
    const { asks } = sheet;
    const begin =
      (act, draft = {}) =>
      () =>
        owner.begin({ act, ...draft });
    const draw = () => owner.begin({ act: "draw", tenpai: this.presetTenpai() });
    const breaks = asks.abortive.length > 0;
    const many = [
      asks.riichi && [words.riichi, begin("riichi"), "riichi", "r"],
      [words.ron, begin("ron"), "ron", "o"],
      [words.tsumo, begin("tsumo"), "tsumo", "t"],
      [words.draw, draw, "draw", "d"],
      breaks && [words.abortive, begin("abortive"), "abortive", "a"],
      asks.four_kans_stand && [words.fourthKan, begin("fourth_kan"), "fourth-kan", ""],
      [words.penalty, () => owner.show("penalty"), "penalty", "p"],
      [words.scoresOnly, begin("scores"), "scores", "s", words.scoresOnlyHelp],
      asks.time && [words.time, begin("time"), "time", "", words.timeHelp],
      asks.ruling && [words.ruling, begin("ruling"), "ruling", "j", words.rulingHelp],
      asks.legality && [words.legality, () => this.openLegality(), "legality", ""],
    ].filter(Boolean);
    const perRow = [1, 2, 4].includes((many.length - 3) % 6) ? 2 : 3;
    return h(
      "div",
      { class: `actions by-${perRow}`, role: "group", "aria-label": words.whatHappened },
      many.map(([label, tap, name, key, help]) =>
        button(help ? [label, h("small", {}, help)] : label, tap, {
          class: `act to-${name}`,
          "data-key": `act-${name}`,
          ...(key ? { "aria-keyshortcuts": key } : {}),
        }),
      ),
    );
  }

  presetTenpai() {
    return Object.fromEntries(this.sheet.seats.filter((seat) => seat.riichi).map((seat) => [seat.seat, true]));
  }

  tools() {
    const { owner, words, sheet } = this;
    return h(
      "div",
      { class: "tools" },
      this.mayEnter
        ? [
            button(words.undo, () => owner.undo(), {
              class: "light",
              disabled: !sheet.undo.can && !owner.line.waiting.length,
              "data-key": "undo",
              "aria-keyshortcuts": "u",
            }),
            button(words.redo, () => owner.act("redo"), {
              class: "light",
              disabled: !sheet.redo.can,
              "data-key": "redo",
            }),
          ]
        : null,
      this.toLog(),
      button(words.turn, () => owner.turn(), { class: "light", "data-key": "turn" }),
    );
  }

  toLog() {
    const { owner, words, sheet } = this;
    return button(sheet.flagged ? `${words.log} (${sheet.flagged})` : words.log, () => owner.show("log"), {
      class: "light",
      "data-key": "log",
      "aria-keyshortcuts": "l",
    });
  }

  /** A result that was typed: the final scores, the players' answers, the way on. */
  typed() {
    const { words, sheet } = this;
    const { result, submit } = sheet;
    return [
      h("p", { class: "note", role: "status" }, result.text, " ", result.hands),
      result.settlement ? settlementView(result.settlement, words) : null,
      submit.approvals.length ? approvalsView(submit.approvals, words) : null,
      this.hanchanLinks(),
      sheet.log.length ? h("div", { class: "tools" }, this.toLog()) : null,
    ];
  }

  over() {
    const { owner, words, sheet } = this;
    const { forms } = owner;
    const draw = (fields) => {
      owner.forms = fields;
      owner.draw();
    };
    return [
      endView(sheet.end, words),
      sheet.settlement ? settlementView(sheet.settlement, words) : null,
      submitView({
        sheet,
        words,
        draft: forms,
        draw,
        submit: () => owner.submit(),
        message: forms.message,
        warnings: forms.warnings ?? [],
      }),
      this.hanchanLinks(),
    ];
  }

  /** The table's other hanchan, the one to be played next first to the eye; and the page of this one's result. */
  hanchanLinks() {
    const { sheet, words } = this;
    const { id, url } = sheet.hanchan;
    const others = sheet.hanchan_list.filter((each) => each.id !== id && (each.has_result || each.is_current));
    const links = others.map((each) =>
      h(
        "a",
        { class: `button ${each.is_current ? "main" : "light"}`, href: `?hanchan=${each.id}` },
        fill(words.toHanchan, { n: each.round }),
      ),
    );
    const counts = sheet.phase === "confirmed" || sheet.result?.state === "confirmed";
    if (counts && url) links.push(h("a", { class: "button light", href: url }, words.toResult));
    return links.length ? h("p", { class: "several" }, links) : null;
  }

  openSeat(seat) {
    this.owner.seatOpen = seat;
    this.owner.show("seat");
  }

  /** What can happen to one player. */
  seat() {
    const { owner, words, sheet } = this;
    const seat = sheet.seats[owner.seatOpen];
    const { can, seat: number } = seat;
    const begin = (draft) => () => owner.begin(draft);
    const lines = [
      can.riichi && [words.riichi, begin({ act: "riichi", seat: number })],
      seat.riichi && can.withdraw && [words.withdrawn, begin({ act: "withdrawn", seat: number })],
      !sheet.end && [words.ron, begin({ act: "ron", winners: [number] })],
      !sheet.end && [words.tsumo, begin({ act: "tsumo", winners: [number] })],
      can.dead_hand && [words.deadHand, begin({ act: "dead", seat: number })],
      sheet.asks.offences.some((each) => each.enter === "offended") &&
        !sheet.end && [words.offence, begin({ act: "offence", seat: number })],
      sheet.asks.chonbo && !sheet.end && [words.chonbo, begin({ act: "chonbo", offenders: [number], named: true })],
    ].filter(Boolean);
    return [
      this.heading(`${seat.wind_text} ${seat.name} ${seat.score_text}`),
      can.why_not ? h("p", { class: "note" }, can.why_not) : null,
      h(
        "div",
        { class: "list" },
        lines.map(([label, tap]) => button(label, tap)),
      ),
      this.foot(),
    ];
  }

  penalties() {
    const { owner, words, sheet } = this;
    return [
      this.heading(words.penalty),
      penaltyMenu({ asks: sheet.asks, words, start: (draft) => owner.begin(draft) }),
      sheet.penalties
        ? h(
            "p",
            { class: "several" },
            h("a", { class: "button light", href: sheet.penalties.url }, words.outsidePenalty),
            h("small", {}, sheet.penalties.listed.join(words.comma)),
          )
        : null,
      this.foot(),
    ];
  }

  log() {
    const { owner, words, sheet } = this;
    const toggle = (number) => {
      owner.open = number;
      owner.draw();
    };
    return [
      this.heading(words.log),
      sheet.setup && sheet.phase === "playing" && this.mayEnter
        ? button(words.reseat, () => owner.show("seats"), { class: "light wide", "data-key": "reseat" })
        : null,
      logView({
        sheet,
        words,
        may: this.mayEnter,
        open: owner.open,
        toggle,
        edit: (entry) => owner.reopen(entry.entry, entry.number),
        remove: (entry) => owner.act("remove", { number: entry.number }),
      }),
      sheet.phase === "playing" && sheet.submit.can_end_by_time && sheet.you.may_submit
        ? h(
            "details",
            // Drawn anew at each step: it must not fold over the button that hands the result in.
            { open: Boolean(owner.forms.endsByTime) },
            h("summary", {}, words.byTime),
            sheet.settlement ? settlementView(sheet.settlement, words) : null,
            this.submitByTime(),
          )
        : null,
      choice(words.letters, this.lettersAct, () => this.switchLetters(), { class: "light wide tick", "data-key": "letters" }),
      this.foot(),
    ];
  }

  submitByTime() {
    const { owner, words, sheet } = this;
    const draw = (fields) => {
      owner.forms = fields;
      owner.draw();
    };
    return submitView({
      sheet,
      words,
      draft: { ...owner.forms, endsByTime: owner.forms.endsByTime },
      draw,
      submit: () => owner.submit(),
      message: owner.forms.message,
      warnings: owner.forms.warnings ?? [],
    });
  }

  openLegality() {
    this.owner.legality = null;
    this.owner.show("legality");
  }

  legality() {
    const { owner, words, sheet } = this;
    const { legality } = owner;
    const isPicking = legality === null || legality.loser === undefined;
    const label = legality?.winner === undefined ? words.whoWins : words.fromWhom;
    const tap = (seat) =>
      legality === null ? this.setLegality({ winner: seat }) : owner.askLegality(legality.winner, seat);
    return [
      this.heading(
        isPicking
          ? label
          : `${sheet.seats[legality.winner].name} ← ${legality.loser === null ? words.tsumo : sheet.seats[legality.loser].name}`,
      ),
      isPicking
        ? [
            tableView(sheet, {
              words,
              turned: owner.turned,
              pick: (seat) =>
                seat.seat === legality?.winner ? { state: "out", label: words.winner } : { tap: () => tap(seat.seat) },
            }),
            legality
              ? h(
                  "div",
                  { class: "list" },
                  button(words.tsumo, () => owner.askLegality(legality.winner, null)),
                )
              : null,
          ]
        : legality.hands
          ? legalityView({ hands: legality.hands, words })
          : h("p", { class: "quiet" }, legality.message ?? words.asking),
      this.foot(legality ? () => this.openLegality() : undefined),
    ];
  }

  setLegality(legality) {
    this.owner.legality = legality;
    this.owner.draw();
  }

  starts() {
    const { owner, words, sheet } = this;
    const draw = (fields) => {
      owner.forms = fields;
      owner.draw();
    };
    if (!sheet.book.can_follow) return [h("p", { class: "note" }, words.cannotFollow), this.hanchanLinks()];
    if (!sheet.you.may_enter) return [h("p", { class: "note" }, words.notStarted), this.hanchanLinks()];
    return [
      this.heading(words.startTitle),
      startView({
        sheet,
        words,
        draft: owner.forms,
        draw,
        start: (payload) => {
          owner.forms = {};
          owner.panel = "table";
          owner.act("start", payload);
        },
      }),
      this.hanchanLinks(),
    ];
  }

  heading(text) {
    return h("h2", { class: "what", tabindex: "-1", "data-focus": true }, text);
  }

  foot(go) {
    return h("div", { class: "bottom" }, this.back(go));
  }

  back(go) {
    const { owner, words } = this;
    const leave = go ?? (() => (owner.draft?.replaces === undefined ? owner.show("table") : owner.show("log")));
    return button(words.back, leave, { class: "light back", "data-key": "back", "aria-keyshortcuts": "Escape" });
  }

  /** What went in, for those who listen. */
  saidOf(action) {
    return fill(this.words.isIn, { what: describeAction(action, this.sheet, this.words) });
  }

  // The keys: a letter for what happened, a number for a seat, Enter records, Escape leaves. Letters and numbers can be
  // switched off: speech input types them where no field is meant.

  get lettersAct() {
    return this.owner.keys.read("letters", "on") === "on";
  }

  switchLetters() {
    this.owner.keys.write("letters", this.lettersAct ? "off" : null);
    this.owner.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !this.sheet) return;
    if (event.target.closest?.("input, select, textarea") && event.key !== "Escape") return;
    const find = (key) => this.owner.root.querySelector(`[data-key="${key}"]:not(:disabled)`);
    const target = this.targetOf(event, find);
    if (!target) return;
    event.preventDefault();
    target.click();
  }

  targetOf(event, find) {
    const name = event.key.toLowerCase();
    if (name === "escape") return find("back");
    if (name === "enter" && event.target === document.body) return find("record") ?? find("go-on") ?? find("start");
    if (!this.lettersAct) return null;
    if (name === "u") return find("undo");
    if (/^[1-4]$/.test(name)) return find(`seat-${Number(name) - 1}`);
    return KEYS[name] ? find(KEYS[name] === "log" ? "log" : `act-${KEYS[name]}`) : null;
  }
}
