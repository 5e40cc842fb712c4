// The questions about one happening, each a screen of its own, and what was said so far above it.

import { button, fill, h } from "./dom.js";
import { abortiveView, offenceView, openView, rulingView, scoresView } from "./asking.js";
import { worthText } from "./describe.js";
import { worth } from "./entry.js";
import { reviewView } from "./review.js";
import { step, takesSeveral } from "./steps.js";
import { tableView } from "./table.js";
import { valueView } from "./value.js";

export class Questions {
  /** `frame` are the screens round it: the way back, and what still waits in line. */
  constructor(owner, frame) {
    Object.assign(this, { owner, frame, words: owner.words });
  }

  get sheet() {
    return this.owner.sheet;
  }

  /** The screen of the question that is open. */
  view() {
    const { owner } = this;
    const open = step(owner.draft, owner.asks);
    const views = {
      seat: () => this.pickOne(this.words.who, (seat) => owner.say({ ...owner.draft, seat })),
      winners: () => this.pickWinners(),
      loser: () => this.pickLoser(),
      offenders: () => this.pickOffenders(),
      value: () => this.value(open.seat),
      open: () => [
        this.crumbs(),
        openView({
          asks: this.sheet.asks,
          words: this.words,
          say: (fields) => owner.say({ ...owner.draft, ...fields }),
        }),
        this.frame.foot(),
      ],
      abortive: () => [
        this.crumbs(),
        abortiveView({ asks: this.sheet.asks, say: (fields) => owner.say({ ...owner.draft, ...fields }) }),
        this.frame.foot(),
      ],
      offence: () => [
        this.crumbs(),
        offenceView({
          asks: this.sheet.asks,
          words: this.words,
          draft: owner.draft,
          say: (fields) => owner.say({ ...owner.draft, ...fields }),
        }),
        this.frame.foot(),
      ],
      review: () => this.review(),
      scores: () => [this.crumbs(), scoresView(this.typing())],
      ruling: () => [this.crumbs(), rulingView(this.typing())],
    };
    return views[open.name]();
  }

  typing() {
    const { owner, words, sheet } = this;
    return {
      sheet,
      words,
      draft: owner.draft,
      say: (draft) => owner.type(draft),
      draw: (draft) => owner.say(draft),
      record: () => owner.record(),
      preview: owner.preview.answer,
      back: this.frame.back(),
    };
  }

  /** Whom it happens to: one tap on the table itself. */
  pickOne(prompt, take) {
    const { owner, words, sheet } = this;
    const { act } = owner.draft;
    const may = (seat) =>
      ({ riichi: seat.can.riichi || seat.can.open_riichi, withdrawn: seat.riichi !== null, dead: seat.can.dead_hand })[
        act
      ] ?? true;
    const whyNot = act === "riichi" ? sheet.seats.filter((seat) => !may(seat) && !seat.riichi && seat.can.why_not) : [];
    return [
      this.crumbs(prompt),
      tableView(sheet, {
        words,
        turned: owner.turned,
        acts: this.frame.pendingActs(),
        pick: (seat) => (may(seat) ? { tap: () => take(seat.seat) } : { state: "out" }),
      }),
      whyNot.map((seat) => h("p", { class: "note" }, `${seat.name}: ${seat.can.why_not}`)),
      this.frame.foot(),
    ];
  }

  pickWinners() {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const chosen = draft.winners ?? [];
    const isSeveral = draft.act === "ron" && takesSeveral(owner.asks);
    const take = (seat) => {
      if (!draft.more) return owner.say({ ...draft, winners: [seat] });
      const winners = chosen.includes(seat) ? chosen.filter((each) => each !== seat) : [...chosen, seat];
      return owner.say({ ...draft, winners });
    };
    const pick = (seat) =>
      seat.dead
        ? { state: "out" }
        : {
            tap: () => take(seat.seat),
            state: draft.more ? (chosen.includes(seat.seat) ? "on" : "off") : undefined,
            label: chosen.includes(seat.seat) ? words.winner : null,
          };
    return [
      this.crumbs(words.whoWins),
      tableView(sheet, { words, turned: owner.turned, pick, acts: this.frame.pendingActs() }),
      isSeveral && !draft.more
        ? button(words.severalWin, () => owner.say({ ...draft, more: true }), {
            class: "light wide",
            "data-key": "several",
          })
        : null,
      h(
        "div",
        { class: "bottom" },
        this.frame.back(),
        draft.more
          ? button(words.goOn, () => owner.say({ ...draft, more: false }), {
              class: "main",
              disabled: !chosen.length || chosen.length >= sheet.seats.length,
              "data-key": "go-on",
            })
          : null,
      ),
    ];
  }

  pickLoser() {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const pick = (seat) =>
      draft.winners.includes(seat.seat)
        ? { state: "out", label: words.winner }
        : { tap: () => owner.say({ ...draft, loser: seat.seat }) };
    return [
      this.crumbs(words.whoDealtIn),
      tableView(sheet, { words, turned: owner.turned, pick, acts: this.frame.pendingActs() }),
      takesSeveral(owner.asks) && draft.winners.length === 1
        ? button(words.severalWin, () => owner.say({ ...draft, more: true }), {
            class: "light wide",
            "data-key": "several",
          })
        : null,
      this.frame.foot(),
    ];
  }

  pickOffenders() {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const chosen = draft.offenders ?? [];
    const flip = (seat) =>
      owner.say({
        ...draft,
        offenders: chosen.includes(seat) ? chosen.filter((each) => each !== seat) : [...chosen, seat],
      });
    return [
      this.crumbs(words.who),
      tableView(sheet, {
        words,
        turned: owner.turned,
        pick: (seat) => ({ tap: () => flip(seat.seat), state: chosen.includes(seat.seat) ? "on" : "off" }),
      }),
      h(
        "div",
        { class: "bottom" },
        this.frame.back(),
        button(words.goOn, () => owner.say({ ...draft, named: true }), {
          class: "main",
          disabled: !chosen.length,
          "data-key": "go-on",
        }),
      ),
    ];
  }

  value(seat) {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const by = draft.act === "ron" ? "ron" : "tsumo";
    // A correction may concern a time before the riichi.
    const riichi = draft.replaces === undefined ? sheet.seats[seat].riichi : null;
    const hand = draft.hands?.[seat] ?? (riichi && sheet.asks.value.closed ? { closed: true } : {});
    const say = (next) => owner.say({ ...draft, hands: { ...draft.hands, [seat]: next } });
    const isDealer = (draft.dealer ?? sheet.round.dealer) === seat;
    return [
      this.crumbs(draft.winners.length > 1 ? fill(words.worthOf, { name: sheet.seats[seat].name }) : words.howMuch),
      valueView({
        asks: sheet.asks,
        words,
        hand,
        by,
        isDealer,
        riichi,
        mayDouble: sheet.asks.riichi.double && (riichi || draft.replaces !== undefined),
        tiles: owner.tiles?.of(sheet, seat, by),
        say,
        back: this.frame.back(),
      }),
    ];
  }

  review() {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    return [
      this.crumbs(),
      reviewView({
        sheet,
        draft,
        words,
        preview: owner.preview.answer,
        say: (next) => owner.say(next),
        record: () => owner.record(),
        back: this.frame.back(),
      }),
    ];
  }

  // What was said so far; a tap on a part asks it again

  crumbs(prompt) {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const name = (seat) => sheet.seats[seat].name;
    const drop =
      (...parts) =>
      () =>
        owner.say(Object.fromEntries(Object.entries(draft).filter(([part]) => !parts.includes(part))));
    const crumbs = [
      draft.winners?.length && !draft.more && [draft.winners.map(name).join(words.comma), drop("winners", "loser")],
      draft.loser !== undefined && [`← ${name(draft.loser)}`, drop("loser")],
      ...this.valueCrumbs(),
      draft.seat !== undefined && [name(draft.seat), drop("seat", "offence", "open")],
      draft.offenders && draft.named && [draft.offenders.map(name).join(words.comma), drop("named", "offence")],
      draft.offence !== undefined && [
        sheet.asks.offences.find((each) => each.key === draft.offence)?.title ?? words.otherChonbo,
        drop("offence"),
      ],
      draft.kind && [sheet.asks.abortive.find((each) => each.kind === draft.kind)?.title ?? draft.kind, drop("kind")],
    ].filter(Boolean);
    return h(
      "div",
      { class: "asked-so-far" },
      h(
        "h2",
        { tabindex: "-1", "data-focus": true, class: `what of-${draft.act}` },
        draft.replaces === undefined ? "" : `${words.edit}: `,
        words.acts[draft.act],
      ),
      crumbs.map(([text, again], at) =>
        button(text, again, {
          class: "crumb",
          "aria-label": fill(words.askAgain, { text }),
          "data-key": `crumb-${at}`,
        }),
      ),
      prompt ? h("p", { class: "prompt", role: "status" }, prompt) : null,
    );
  }

  valueCrumbs() {
    const { owner, words, sheet } = this;
    const { draft } = owner;
    const by = draft.act === "ron" ? "ron" : "tsumo";
    const open = step(draft, owner.asks);
    return Object.entries(draft.hands ?? {})
      .filter(
        ([seat]) => draft.winners?.includes(Number(seat)) && !(open.name === "value" && open.seat === Number(seat)),
      )
      .map(([seat, hand]) => {
        const {
          han: _han,
          fu: _fu,
          limit: _limit,
          yakuman: _yakuman,
          points: _points,
          isSaid: _isSaid,
          ...rest
        } = hand;
        return [
          worthText(worth(hand, owner.asks, by), sheet, words),
          () => owner.say({ ...draft, hands: { ...draft.hands, [seat]: rest } }),
        ];
      });
  }
}
