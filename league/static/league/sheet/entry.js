// From a draft to the entry the log keeps, in the form of written logs: whatever is as usual is left out.

import { inTurn, isDrawnByRons, needsFu } from "./steps.js";

const OF_RON = ["ron"];
const OF_TSUMO = ["from_dealer", "from_other"];

const filled = (record) => Object.fromEntries(Object.entries(record).filter(([, value]) => isSaid(value)));

function isSaid(value) {
  if (value === undefined || value === null || value === false || value === "" || value === 0) return false;
  return typeof value !== "object" || (Array.isArray(value) ? value.length : Object.keys(value).length) > 0;
}

/** The worth of a hand as han and fu, a limit, yakuman, or points. */
export function worth(hand, asks, by) {
  if (hand.points) return filled(pick(hand.points, by === "ron" ? OF_RON : OF_TSUMO));
  const value = hand.limit
    ? { limit: hand.limit }
    : hand.yakuman
      ? { yakuman: hand.yakuman }
      : { han: hand.han, fu: needsFu(hand.han, asks) ? hand.fu : 0 };
  return filled({ ...value, closed: hand.closed, dora: hand.dora, uncapped: asks.value.uncapped });
}

const pick = (record, names) => Object.fromEntries(names.map((name) => [name, record[name]]));

function prizes(hand) {
  const { counts = {}, each, complete, without, fixed } = hand;
  return filled({
    counts: filled(counts),
    each,
    complete: complete || undefined,
    without: hand.yakuman ? without : 0,
    fixed,
  });
}

function win(seat, draft, asks, by) {
  const hand = draft.hands?.[seat] ?? {};
  return {
    seat,
    value: worth(hand, asks, by),
    ...filled({
      liability: hand.pao && { ...hand.pao },
      forced: by === "ron" && hand.forced,
      robbed: by === "ron" && hand.robbed,
      double_riichi: hand.double,
      prizes: prizes(hand),
    }),
  };
}

const tenpai = (draft) =>
  Object.entries(draft.tenpai ?? {})
    .filter(([, is]) => is)
    .map(([seat]) => Number(seat));

function ron(draft, asks) {
  if (isDrawnByRons(draft, asks)) return { type: "abortive_draw", kind: "triple_ron" };
  const wins = inTurn(draft.winners, draft.loser, asks.players).map((seat) => win(seat, draft, asks, "ron"));
  return wins.length > 1
    ? { type: "ron_calls", loser: draft.loser, calls: wins }
    : { type: "ron", loser: draft.loser, wins };
}

function draw(draft) {
  const said = filled({ tenpai: tenpai(draft) });
  return draft.nagashi?.length ? { type: "nagashi", seats: draft.nagashi, ...said } : { type: "draw", ...said };
}

function ruling(draft) {
  const { reason = "", clause = "", moves = [], goes_on, ends } = draft;
  return { type: "ruling", reason, ...filled({ clause, ends, moves, goes_on: ends ? null : goes_on }) };
}

const MAKES = {
  riichi: ({ seat, open }) => ({ type: "riichi", seat, ...filled({ open }) }),
  ron,
  tsumo: (draft, asks) => ({ type: "tsumo", win: win(draft.winners[0], draft, asks, "tsumo") }),
  draw,
  abortive: ({ kind }) => ({ type: "abortive_draw", kind }),
  fourth_kan: ({ seat, pao }) => ({ type: "four_kans_stand", seat, ...filled({ liability: pao }) }),
  chonbo: ({ offenders, offence }) => ({ type: "chonbo", offenders, ...filled({ offence }) }),
  offence: ({ seat, offence }) => ({ type: "offended", seat, offence }),
  withdrawn: ({ seat, offence }) => ({ type: "riichi_withdrawn", seat, ...filled({ offence }) }),
  dead: ({ seat }) => ({ type: "dead_hand", seat }),
  time: () => ({ type: "time_called" }),
  scores: ({ scores, winners = [], tenpai: said }) => ({
    type: "scores_only",
    scores,
    ...filled({ winners, tenpai: tenpai({ tenpai: said }) }),
  }),
  ruling,
};

/** The entry of a draft that says enough. */
export function entryOf(draft, asks) {
  return { ...MAKES[draft.act](draft, asks), ...filled({ stop: draft.stop }) };
}

// And back: what an entry of the log said, so that it can be put right.

const flags = (seats = []) => Object.fromEntries(seats.map((seat) => [seat, true]));

function hand({ value = {}, liability, forced, robbed, double_riichi: double, prizes: given = {} }) {
  const { counts, each, complete, without, fixed } = given;
  const isPoints = ["ron", "from_dealer", "from_other"].some((name) => name in value);
  const { han = value.limit || value.yakuman || isPoints ? undefined : 0, ...rest } = value;
  const said = isPoints ? { points: value } : { han, ...rest, closed: rest.closed ?? false };
  return { ...said, ...filled({ pao: liability, forced, robbed, double, counts, each, complete, without, fixed }) };
}

const won = (wins) => ({
  winners: wins.map(({ seat }) => seat),
  hands: Object.fromEntries(wins.map((each) => [each.seat, hand(each)])),
});

const READS = {
  riichi: ({ seat, open = false }) => ({ act: "riichi", seat, open }),
  ron: ({ loser, wins }) => ({ act: "ron", loser, ...won(wins) }),
  ron_calls: ({ loser, calls }) => ({ act: "ron", loser, ...won(calls) }),
  tsumo: ({ win: only }) => ({ act: "tsumo", ...won([only]) }),
  draw: ({ tenpai: seats }) => ({ act: "draw", tenpai: flags(seats) }),
  nagashi: ({ seats, tenpai: ready }) => ({ act: "draw", nagashi: seats, tenpai: flags(ready) }),
  abortive_draw: ({ kind }) => ({ act: "abortive", kind }),
  four_kans_stand: ({ seat, liability }) => ({ act: "fourth_kan", seat, pao: liability }),
  chonbo: ({ offenders, offence = "" }) => ({ act: "chonbo", offenders, offence, named: true }),
  offended: ({ seat, offence }) => ({ act: "offence", seat, offence }),
  riichi_withdrawn: ({ seat, offence = "" }) => ({ act: "withdrawn", seat, offence }),
  dead_hand: ({ seat }) => ({ act: "dead", seat }),
  time_called: () => ({ act: "time" }),
  scores_only: ({ scores, winners, tenpai: ready }) => ({ act: "scores", scores, winners, tenpai: flags(ready) }),
  ruling: ({ type: _type, ...rest }) => ({ act: "ruling", ...rest }),
};

/** The draft that an entry of the log came from. */
export const draftOf = (entry) => ({ ...READS[entry.type](entry), ...filled({ stop: entry.stop }) });
