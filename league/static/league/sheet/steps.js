// What is asked next. A draft is what has been said so far about one happening; its flow is a list of questions of
// which the first that is open is asked. Nothing is asked that the book does not have.

const winnersOf = (draft) => draft.winners ?? [];
const handOf = (draft, seat) => draft.hands?.[seat] ?? {};

/** A hand's value is said: as han and fu, a limit, yakuman or points; open or closed first where it matters. */
function isValued(hand, asks) {
  if (hand.asTiles) return false;
  if (asks.value.closed && hand.closed === undefined) return false;
  if (hand.points) return Boolean(hand.isSaid);
  if (hand.limit || hand.yakuman) return true;
  return hand.han !== undefined && (!needsFu(hand.han, asks) || Boolean(hand.fu));
}

/** A hand of so many han needs its fu: below the limits, where fu are counted. */
export const needsFu = (han, asks) => !asks.value.fu.fixed && han <= asks.value.han.fu_until;

const valued = (draft, asks) =>
  inTurn(winnersOf(draft), draft.loser, asks.players).map((seat) => ({
    name: "value",
    seat,
    done: isValued(handOf(draft, seat), asks),
  }));

/** Winners in turn order after the discarder: so the head winner is asked first. */
export function inTurn(seats, from, players) {
  const steps = (seat) => (from === undefined || from === null ? seat : (seat - from + players) % players);
  return [...seats].sort((one, other) => steps(one) - steps(other));
}

const review = { name: "review", done: false };
const someone = (draft) => ({ name: "seat", done: draft.seat !== undefined });

const FLOWS = {
  riichi: (draft, asks) => [
    someone(draft),
    { name: "open", done: !asks.riichi.open || draft.open !== undefined },
    { name: "at-once", done: false },
  ],
  ron: (draft, asks) => [
    { name: "winners", done: winnersOf(draft).length > 0 && !draft.more },
    { name: "loser", done: draft.loser !== undefined },
    ...(isDrawnByRons(draft, asks) ? [] : valued(draft, asks)),
    review,
  ],
  tsumo: (draft, asks) => [{ name: "winners", done: winnersOf(draft).length > 0 }, ...valued(draft, asks), review],
  draw: () => [review],
  abortive: (draft) => [{ name: "abortive", done: draft.kind !== undefined }, review],
  fourth_kan: (draft) => [someone(draft), review],
  chonbo: (draft) => [
    { name: "offenders", done: Boolean(draft.named) },
    { name: "offence", done: draft.offence !== undefined },
    review,
  ],
  offence: (draft) => [someone(draft), { name: "offence", done: draft.offence !== undefined }, review],
  withdrawn: (draft, asks) => [
    someone(draft),
    { name: "offence", done: draft.offence !== undefined || !asks.offences.some(isOfRiichi) },
    review,
  ],
  dead: (draft) => [someone(draft), review],
  time: () => [review],
  scores: () => [{ name: "scores", done: false }],
  ruling: () => [{ name: "ruling", done: false }],
};

/** The question that is open. */
export function step(draft, asks) {
  return FLOWS[draft.act](draft, asks).find((each) => !each.done);
}

/** So many called ron that the book draws the hand; no value is asked. */
export function isDrawnByRons(draft, asks) {
  return winnersOf(draft).length === 3 && asks.several.three === "draw";
}

/** Several may be named as winners: where all are paid, or where the book chooses among the calls. */
export const takesSeveral = (asks) => asks.several.two !== "head_bump" || asks.legality;

/** Whom the book asks for tenpai, in its order; no player where it makes no difference. */
export const askedForTenpai = (asks) => (asks.draw.tenpai ? asks.draw.order : []);

/** Everything the review asks has an answer. */
export function isAnswered(draft, asks) {
  if (draft.act !== "draw") return true;
  return askedForTenpai(asks).every((seat) => draft.tenpai?.[seat] !== undefined);
}

/** An offence that takes a riichi back with it. */
const isOfRiichi = (offence) => offence.withdraws_riichi;
