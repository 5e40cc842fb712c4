// The last look before an entry goes into the log: what this book still asks, what each player gains or loses, and the
// value as it is spoken.

import { button, choice, fill, h } from "./dom.js";
import { askedForTenpai, inTurn, isAnswered } from "./steps.js";
import { changesView, clauseLink } from "./table.js";
import { numberField } from "./value.js";

/** `preview` is the server's answer, null while it is asked, "later" while the line is cut. */
export function reviewView({ sheet, draft, preview, words, say, record, back }) {
  const isComplete = isAnswered(draft, sheet.asks);
  const may = isComplete && (preview === "later" || (preview !== null && !preview.refusals.length));
  return h(
    "div",
    { class: "review" },
    questions({ sheet, draft, preview, words, say }),
    h("div", { class: "outlook", "aria-live": "polite" }, isComplete ? outlook({ sheet, preview, words }) : null),
    h(
      "div",
      { class: "bottom" },
      back,
      button(draft.replaces === undefined ? words.record : words.recordEdit, record, {
        class: "main",
        disabled: !may,
        "data-key": "record",
      }),
    ),
  );
}

function outlook({ sheet, preview, words }) {
  if (preview === null) return h("p", { class: "quiet" }, words.asking);
  if (preview === "later") return h("p", { class: "note" }, words.checkedLater);
  if (preview.refusals.length)
    return h(
      "ul",
      { class: "wrong" },
      preview.refusals.map((each) => h("li", {}, each.text, " ", clauseLink(each.clause, words))),
    );
  return [
    preview.result ? resultView(sheet, preview.result, words) : h("p", { class: "note" }, words.nothingMoves),
    flagsView(preview.flags, words),
    nextView(preview, words),
  ];
}

/** What a kyoku brought, with its reasons. */
function resultView(sheet, result, words) {
  return [
    h(
      "p",
      { class: "said" },
      result.said.map((text) => h("strong", {}, text)),
    ),
    (result.turns ?? []).map((turn) => h("p", { class: "note" }, turn.text, " ", clauseLink(turn.clause, words))),
    (result.judgements ?? []).filter((each) => each.verdict !== "allowed").map((each) => judgementView(each, words)),
    changesView(sheet, result, words),
    h(
      "details",
      { class: "transfers" },
      h("summary", {}, words.whoPays),
      h(
        "ul",
        {},
        result.transfers.map((each) =>
          h("li", {}, transferText(sheet, each, words), " ", clauseLink(each.clause, words)),
        ),
      ),
    ),
  ];
}

function judgementView(each, words) {
  return h(
    "p",
    { class: `verdict ${each.verdict}` },
    h("b", {}, each.text),
    " ",
    (each.reasons ?? []).join(" "),
    " ",
    (each.clauses ?? []).map((clause) => clauseLink(clause, words)),
  );
}

function transferText(sheet, transfer, words) {
  const name = (seat) => (seat === null ? words.theTable : sheet.seats[seat].name);
  return `${name(transfer.payer)} → ${name(transfer.receiver)} ${transfer.text} ${transfer.ledger_title} ${transfer.cause_text}`;
}

function flagsView(flags, words) {
  if (!flags?.length) return null;
  return h(
    "div",
    { class: "note warn" },
    h("p", {}, fill(words.flagsAfter, { n: flags.length })),
    h(
      "ul",
      {},
      flags.map((flag) => h("li", {}, flag.text, ": ", flag.refusals.map((each) => each.text).join(" "))),
    ),
  );
}

function nextView({ next, end }, words) {
  if (end)
    return h(
      "p",
      { class: "next over" },
      h("b", {}, words.gameEnds),
      " ",
      end.reasons.map((each) => h("span", {}, each.text, " ", clauseLink(each.clause, words))),
    );
  return next ? h("p", { class: "next" }, words.next, " ", h("b", {}, next.text)) : null;
}

// The questions

function questions({ sheet, draft, preview, words, say }) {
  const blocks = [
    ...(draft.act === "draw" ? [tenpaiView({ sheet, draft, words, say })] : []),
    ...inTurn(draft.winners ?? [], draft.loser, sheet.seats.length).map((seat) =>
      handView({ sheet, draft, seat, words, say }),
    ),
    ...(draft.act === "fourth_kan"
      ? [
          paoView({
            sheet,
            winner: draft.seat,
            pao: draft.pao,
            yakuman: 1,
            words,
            take: (pao) => say({ ...draft, pao }),
          }),
        ]
      : []),
    stopView({ sheet, draft, preview, words, say }),
  ].filter(Boolean);
  return blocks.length ? h("div", { class: "questions" }, blocks) : null;
}

function stopView({ sheet, draft, preview, words, say }) {
  const isAsked =
    sheet.asks.stop &&
    !sheet.asks.stop.automatic &&
    (draft.stop || (preview && preview !== "later" && preview.result?.may_stop));
  if (!isAsked) return null;
  return h(
    "fieldset",
    {},
    h("legend", {}, words.stopsHere),
    h(
      "div",
      { class: "pair" },
      choice(words.playsOn, !draft.stop, () => say({ ...draft, stop: false }), { "data-key": "plays-on" }),
      choice(words.stops, Boolean(draft.stop), () => say({ ...draft, stop: true }), { "data-key": "stops" }),
    ),
  );
}

function tenpaiView({ sheet, draft, words, say }) {
  const order = askedForTenpai(sheet.asks);
  const set = (seat, is) => say({ ...draft, tenpai: { ...draft.tenpai, [seat]: is } });
  const rest = order.filter((seat) => draft.tenpai?.[seat] === undefined);
  const rows = order.map((seat) => {
    const is = draft.tenpai?.[seat];
    const { name, wind_text: wind, riichi } = sheet.seats[seat];
    return h(
      "li",
      { class: seat === rest[0] ? "asked" : "" },
      h("span", {}, h("b", { class: "wind" }, wind), " ", name, riichi ? h("small", {}, words.riichi) : null),
      h(
        "span",
        { class: "pair", role: "group", "aria-label": name },
        choice(words.tenpai, is === true, () => set(seat, true), { "data-key": `tenpai-${seat}` }),
        choice(words.noten, is === false, () => set(seat, false), { "data-key": `noten-${seat}` }),
      ),
    );
  });
  const restIs = (is) =>
    say({ ...draft, tenpai: { ...draft.tenpai, ...Object.fromEntries(rest.map((seat) => [seat, is])) } });
  return h(
    "div",
    {},
    rows.length ? h("ol", { class: "tenpai" }, rows) : null,
    rest.length > 1
      ? h(
          "div",
          { class: "pair" },
          button(words.restTenpai, () => restIs(true), { class: "light" }),
          button(words.restNoten, () => restIs(false), { class: "light", "data-key": "rest-noten" }),
        )
      : null,
    sheet.asks.nagashi ? nagashiView({ sheet, draft, words, say }) : null,
  );
}

function nagashiView({ sheet, draft, words, say }) {
  const chosen = draft.nagashi ?? [];
  const flip = (seat) =>
    say({ ...draft, nagashi: chosen.includes(seat) ? chosen.filter((each) => each !== seat) : [...chosen, seat] });
  return h(
    "details",
    { open: chosen.length > 0 },
    h("summary", {}, words.nagashi),
    h(
      "div",
      { class: "several" },
      sheet.seats.map((seat) => choice(seat.name, chosen.includes(seat.seat), () => flip(seat.seat))),
    ),
  );
}

function handView({ sheet, draft, seat, words, say }) {
  const { asks } = sheet;
  const hand = draft.hands?.[seat] ?? {};
  const set = (fields) => say({ ...draft, hands: { ...draft.hands, [seat]: { ...hand, ...fields } } });
  const blocks = [
    asks.value.dora ? counter(words.dora, hand.dora ?? 0, asks.value.dora, (dora) => set({ dora }), "dora") : null,
    ...prizeViews({ asks, hand, isRiichi: isDeclared(sheet, draft, seat), words, set }),
    forcedView({ sheet, draft, seat, hand, words, set }),
    hand.yakuman || openKanApplies(asks, draft)
      ? paoView({
          sheet,
          winner: seat,
          pao: hand.pao,
          yakuman: hand.yakuman ?? 0,
          openKan: openKanApplies(asks, draft),
          words,
          take: (pao) => set({ pao }),
        })
      : null,
  ].filter(Boolean);
  if (!blocks.length) return null;
  return h("fieldset", {}, h("legend", {}, sheet.seats[seat].name), blocks);
}

const isDeclared = (sheet, draft, seat) =>
  Boolean(sheet.seats[seat].riichi) ||
  (draft.stakes ?? []).some((stake) => stake.seat === seat) ||
  draft.replaces !== undefined;
const openKanApplies = (asks, draft) => Boolean(asks.pao?.open_kan && draft.act === "tsumo");

/** A prize that needs a riichi is asked after one. */
const AFTER_RIICHI = ["ippatsu", "ura"];

function prizeViews({ asks, hand, isRiichi, words, set }) {
  const { prizes } = asks;
  if (!prizes || (!prizes.open_hands && hand.closed === false)) return [];
  const count = (event, n) => set({ counts: { ...hand.counts, [event]: n } });
  const counted = prizes.counts
    .filter(({ event }) => isRiichi || !AFTER_RIICHI.includes(event))
    .map(({ event, title, most }) =>
      most === 1
        ? tick(title, Boolean(hand.counts?.[event]), (is) => count(event, is ? 1 : 0), event)
        : counter(title, hand.counts?.[event] ?? 0, most, (n) => count(event, n), event),
    );
  const fixed = hand.yakuman
    ? (prizes.fixed ?? []).map(({ yaku, title }) =>
        tick(title, hand.fixed === yaku, (is) => set({ fixed: is ? yaku : null }), yaku),
      )
    : [];
  const without =
    hand.yakuman && prizes.without?.length
      ? [
          counter(
            fill(words.without, { yaku: prizes.without.join(words.comma) }),
            hand.without ?? 0,
            hand.yakuman,
            (without) => set({ without }),
            "without",
          ),
        ]
      : [];
  const each = prizes.each
    ? [
        numberField(
          fill(words.prizeEach, { title: prizes.title }),
          hand.each ?? "",
          prizes.each_step ?? 1,
          (n) => set({ each: n ?? 0, complete: false }),
          "each",
        ),
      ]
    : [];
  return [counted.length ? h("div", { class: "counters" }, counted) : null, ...fixed, ...without, ...each];
}

function forcedView({ sheet, draft, seat, hand, words, set }) {
  const applies = sheet.asks.forced && draft.act === "ron" && sheet.seats[seat].riichi === "open";
  if (!applies) return null;
  return h(
    "div",
    {},
    tick(words.forced, Boolean(hand.forced), (forced) => set({ forced, robbed: false }), "forced"),
    tick(words.robbed, Boolean(hand.robbed), (robbed) => set({ robbed, forced: false }), "robbed"),
  );
}

function paoView({ sheet, winner, pao, yakuman, openKan = false, words, take }) {
  const { asks } = sheet;
  const canYakuman = yakuman > 0 && asks.pao?.yakuman?.length;
  if (!canYakuman && !openKan) return null;
  const kind = openKan && !canYakuman ? "open_kan" : "yakuman";
  const name = kind === "open_kan" ? words.paoOpenKan : fill(words.pao, { yaku: asks.pao.yakuman.join(words.comma) });
  const others = sheet.seats.filter((seat) => seat.seat !== winner);
  const chosen = (seat) => pao?.seat === seat.seat;
  return h(
    "details",
    { class: "pao", open: Boolean(pao) },
    h("summary", {}, name),
    h(
      "div",
      { class: "several" },
      choice(words.noPlayer, !pao, () => take(undefined)),
      others.map((seat) =>
        choice(seat.name, chosen(seat), () => take({ seat: seat.seat, ...(kind === "open_kan" ? { kind } : {}) }), {
          "data-key": `pao-${seat.seat}`,
        }),
      ),
    ),
    pao && yakuman > 1
      ? counter(
          words.paoHowMany,
          pao.yakuman ?? 1,
          yakuman,
          (n) => take({ ...pao, yakuman: Math.max(1, n) }),
          "pao-many",
        )
      : null,
  );
}

function tick(label, is, take, key) {
  return choice(label, is, () => take(!is), { class: "tick", "data-key": key });
}

function counter(label, n, most, take, key) {
  return h(
    "div",
    { class: "counter", role: "group", "aria-label": label },
    h("span", {}, label),
    button("−", () => take(Math.max(0, n - 1)), {
      "aria-label": `${label} −1`,
      disabled: n === 0,
      "data-key": `${key}-less`,
    }),
    h("output", {}, String(n)),
    button("＋", () => take(Math.min(most, n + 1)), {
      "aria-label": `${label} +1`,
      disabled: n >= most,
      "data-key": `${key}-more`,
    }),
  );
}
