// The other questions: whom, which offence, why a hand was broken off, what a director decided, what the table shows.

import { button, choice, fill, h } from "./dom.js";
import { changesView, clauseLink } from "./table.js";
import { numberField, numberIn } from "./value.js";

export function openView({ asks, words, say }) {
  return h(
    "div",
    { class: "pair tall" },
    button([h("b", {}, words.riichi), h("small", {}, stakeText(asks.riichi.stake))], () => say({ open: false }), {
      "data-key": "riichi-closed",
    }),
    button(
      [h("b", {}, words.openRiichi), h("small", {}, stakeText(asks.riichi.open.stake))],
      () => say({ open: true }),
      { "data-key": "riichi-open" },
    ),
  );
}

const stakeText = (stake) => (stake ? stake.toLocaleString() : "");

export function abortiveView({ asks, say }) {
  return h(
    "div",
    { class: "list" },
    asks.abortive.map(({ kind, title, deal_text: deal }) =>
      button([h("b", {}, title), h("small", {}, deal)], () => say({ kind }), { "data-key": kind }),
    ),
  );
}

/** Offences of this kind; a chonbo may be one the book does not list. */
export function offenceView({ asks, words, draft, say }) {
  const fits = asks.offences.filter((offence) =>
    draft.act === "chonbo"
      ? offence.enter === "chonbo"
      : draft.act === "withdrawn"
        ? offence.withdraws_riichi
        : offence.enter === "offended",
  );
  const other = { chonbo: words.otherChonbo, withdrawn: words.withoutPenalty }[draft.act];
  return h(
    "div",
    { class: "list" },
    fits.map((offence) =>
      button(
        [
          h("b", {}, offence.title),
          h(
            "small",
            {},
            offence.penalty_text,
            offence.judged === "at_draw" && draft.act !== "chonbo" ? ` (${words.atDraw})` : "",
            offence.clause ? ` ${offence.clause.id}` : "",
          ),
        ],
        () => say({ offence: offence.key }),
        { "data-key": offence.key },
      ),
    ),
    other ? button(other, () => say({ offence: "" }), { class: "light", "data-key": "other-offence" }) : null,
  );
}

/** What can be entered beside the common outcomes. */
export function penaltyMenu({ asks, words, start }) {
  const entries = [
    asks.chonbo && ["chonbo", words.chonbo, words.chonboHelp],
    asks.offences.some((offence) => offence.enter === "offended") && ["offence", words.offence, words.offenceHelp],
    asks.dead_hand && ["dead", words.deadHand, words.deadHandHelp],
    asks.riichi && ["withdrawn", words.withdrawn, words.withdrawnHelp],
  ].filter(Boolean);
  return h(
    "div",
    { class: "list" },
    entries.map(([act, title, help]) =>
      button([h("b", {}, title), h("small", {}, help)], () => start({ act }), { "data-key": act }),
    ),
  );
}

/** A winner, or a draw; then what the table shows. */
export function scoresView({ sheet, words, draft, say, draw, record, preview, back }) {
  const { unit } = sheet.asks.scores_only;
  const scores = draft.scores ?? sheet.seats.map(() => null);
  const now = { ...draft, scores };
  const typed = (read, text, seat) => {
    now.scores = now.scores.map((each, at) => (at === seat ? scoreOf(read, unit) : each));
    now.typed = { ...now.typed, [seat]: text };
    say({ ...now });
  };
  const isComplete = scores.every((score) => score !== null && score !== undefined) && draft.isDraw !== undefined;
  const flip = (seat) => {
    const winners = draft.winners ?? [];
    draw({
      ...now,
      isDraw: false,
      winners: winners.includes(seat) ? winners.filter((each) => each !== seat) : [...winners, seat],
    });
  };
  return h(
    "form",
    {
      class: "scores-only",
      onsubmit: (event) => {
        event.preventDefault();
        record();
      },
    },
    h(
      "fieldset",
      {},
      h("legend", {}, words.whoWon),
      h(
        "div",
        { class: "several" },
        sheet.seats.map((seat) =>
          choice(seat.name, (draft.winners ?? []).includes(seat.seat), () => flip(seat.seat), {
            "data-key": `won-${seat.seat}`,
          }),
        ),
        choice(words.draw, Boolean(draft.isDraw), () => draw({ ...now, isDraw: true, winners: [] }), {
          "data-key": "won-none",
        }),
      ),
    ),
    draft.isDraw && sheet.asks.draw.tenpai
      ? h(
          "fieldset",
          {},
          h("legend", {}, words.whoTenpai),
          h(
            "div",
            { class: "several" },
            sheet.asks.draw.order.map((seat) =>
              choice(sheet.seats[seat].name, Boolean(draft.tenpai?.[seat]), () =>
                draw({ ...now, tenpai: { ...draft.tenpai, [seat]: !draft.tenpai?.[seat] } }),
              ),
            ),
          ),
        )
      : null,
    h(
      "fieldset",
      {},
      h("legend", {}, words.scoresNow),
      sheet.seats.map((seat) =>
        numberField(
          `${seat.wind_text} ${seat.name} (${seat.score_text})`,
          draft.typed?.[seat.seat] ?? "",
          unit,
          (score, text) => typed(score, text, seat.seat),
          `score-${seat.seat}`,
        ),
      ),
    ),
    h(
      "div",
      { class: "outlook", "aria-live": "polite" },
      preview?.refusals?.length
        ? h(
            "ul",
            { class: "wrong" },
            preview.refusals.map((each) => h("li", {}, each.text, " ", clauseLink(each.clause, words))),
          )
        : preview?.result
          ? changesView(sheet, preview.result, words)
          : null,
      preview === "later" ? h("p", { class: "note" }, words.checkedLater) : null,
    ),
    h(
      "div",
      { class: "bottom" },
      back,
      h(
        "button",
        {
          type: "submit",
          class: "main",
          disabled: !isComplete || Boolean(preview?.refusals?.length),
          "data-key": "record",
        },
        words.record,
      ),
    ),
  );
}

/** 241 stands for 24,100 where scores go by the hundred; a longer number is taken as it is. */
const scoreOf = (read, unit) => (read === null ? null : Math.abs(read) < unit * 10 ? read * unit : read);

/** A director's decision: what moves, where play goes on, why. */
export function rulingView({ sheet, words, draft, say, draw, record, preview, back }) {
  const moves = draft.moves ?? [];
  const now = { ...draft };
  const keep = (fields) => say({ ...Object.assign(now, fields) });
  const people = [[null, words.theTable], ...sheet.seats.map((seat) => [seat.seat, seat.name])];
  const setMove = (at, fields) =>
    draw({ ...now, moves: moves.map((move, place) => (place === at ? { ...move, ...fields } : move)) });
  return h(
    "form",
    {
      class: "ruling",
      onsubmit: (event) => {
        event.preventDefault();
        record();
      },
    },
    h(
      "label",
      {},
      h("span", {}, words.reason),
      h("input", {
        type: "text",
        required: true,
        maxlength: "200",
        value: draft.reason ?? "",
        "data-key": "reason",
        oninput: (event) => keep({ reason: event.target.value }),
      }),
    ),
    h(
      "label",
      {},
      h("span", {}, words.clause),
      h("input", {
        type: "text",
        maxlength: "20",
        value: draft.clause ?? "",
        "data-key": "clause",
        oninput: (event) => keep({ clause: event.target.value.trim() }),
      }),
    ),
    h(
      "fieldset",
      {},
      h("legend", {}, words.moves),
      moves.map((move, at) =>
        moveView({
          move,
          at,
          people,
          words,
          set: setMove,
          drop: () => draw({ ...now, moves: moves.filter((_, place) => place !== at) }),
        }),
      ),
      button(words.addMove, () => draw({ ...now, moves: [...moves, { payer: 0, receiver: 1, amount: 1000 }] }), {
        class: "light",
      }),
    ),
    placeView({ sheet, words, draft, draw: (fields) => draw({ ...now, ...fields }) }),
    h(
      "div",
      { class: "outlook", "aria-live": "polite" },
      preview?.refusals?.length
        ? h(
            "ul",
            { class: "wrong" },
            preview.refusals.map((each) => h("li", {}, each.text, " ", clauseLink(each.clause, words))),
          )
        : null,
      preview?.result ? changesView(sheet, preview.result, words) : null,
      preview?.next ? h("p", { class: "next" }, words.next, " ", h("b", {}, preview.next.text)) : null,
    ),
    h(
      "div",
      { class: "bottom" },
      back,
      h(
        "button",
        { type: "submit", class: "main", disabled: !(draft.reason ?? "").trim(), "data-key": "record" },
        words.record,
      ),
    ),
  );
}

function moveView({ move, at, people, words, set, drop }) {
  const select = (name, label) =>
    h(
      "select",
      {
        "aria-label": label,
        onchange: (event) => set(at, { [name]: event.target.value === "" ? null : Number(event.target.value) }),
      },
      people.map(([seat, text]) =>
        h("option", { value: seat === null ? "" : String(seat), selected: move[name] === seat }, text),
      ),
    );
  return h(
    "div",
    { class: "move" },
    select("payer", words.payer),
    "→",
    select("receiver", words.receiver),
    h("input", {
      type: "text",
      inputmode: "numeric",
      "aria-label": words.amount,
      value: String(move.amount),
      onchange: (event) => set(at, { amount: numberIn(event.target.value) ?? 0 }),
    }),
    button("×", drop, { class: "light", "aria-label": words.remove }),
  );
}

function placeView({ sheet, words, draft, draw }) {
  const rounds = sheet.asks.rounds ?? [{ round: sheet.round.key, title: sheet.round.name.replace(/\d.*$/, "") }];
  const there = draft.goes_on ?? { round: sheet.round.key, number: sheet.round.number, honba: sheet.round.honba };
  const set = (fields) => draw({ goes_on: { ...there, ...fields } });
  const go = draft.ends ? "ends" : draft.goes_on ? "there" : "again";
  return h(
    "fieldset",
    {},
    h("legend", {}, words.thenWhat),
    h(
      "div",
      { class: "several" },
      choice(fill(words.again, { kyoku: sheet.round.text }), go === "again", () =>
        draw({ goes_on: null, ends: false }),
      ),
      choice(words.there, go === "there", () => draw({ goes_on: there, ends: false })),
      choice(words.ends, go === "ends", () => draw({ goes_on: null, ends: true })),
    ),
    go === "there"
      ? h(
          "div",
          { class: "move" },
          h(
            "select",
            { "aria-label": words.round, onchange: (event) => set({ round: event.target.value }) },
            rounds.map(({ round, title }) => h("option", { value: round, selected: round === there.round }, title)),
          ),
          h(
            "select",
            { "aria-label": words.kyokuNumber, onchange: (event) => set({ number: Number(event.target.value) }) },
            sheet.seats.map((_, at) =>
              h(
                "option",
                { value: String(at + 1), selected: at + 1 === there.number },
                fill(words.kyokuOf, { n: at + 1 }),
              ),
            ),
          ),
          h("input", {
            type: "text",
            inputmode: "numeric",
            "aria-label": words.honba,
            value: String(there.honba),
            onchange: (event) => set({ honba: numberIn(event.target.value) ?? 0 }),
          }),
        )
      : null,
  );
}
