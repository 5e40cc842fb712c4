// The table as it stands: who sits where, what lies in front of them, and what happens next.

import { button, fill, h } from "./dom.js";

const PLACES = { 4: ["bottom", "right", "top", "left"], 3: ["bottom", "right", "top"] };

/** The seats round the middle. `pick` makes a seat a choice: pick(seat) gives its state and what a tap does. */
export function tableView(sheet, { words, turned, pick, acts = [] }) {
  const seats = sheet.seats;
  const places = PLACES[seats.length];
  return h(
    "div",
    { class: `table of-${seats.length}`, role: "group", "aria-label": words.table },
    seats.map((seat) => {
      const place = places[(seat.seat - turned + seats.length) % seats.length];
      return seatView(seat, { words, place, choice: pick?.(seat), stakes: sheet.asks.riichi.stake, acts });
    }),
    middle(sheet, words),
  );
}

function middle({ round, seats }, words) {
  const sticks = seats.filter((seat) => seat.riichi).length;
  return h(
    "div",
    { class: "middle" },
    h("p", { class: "kyoku" }, round.name),
    h("p", { class: "honba" }, round.honba_text),
    round.time_text ? h("p", { class: "time-up" }, round.time_text) : null,
    round.deposits
      ? h(
          "p",
          { class: "deposits" },
          h("span", { class: "thousand", "aria-hidden": "true" }),
          `${words.deposits} ${round.deposits_text}`,
        )
      : null,
    sticks ? h("p", { class: "visually-hidden" }, fill(words.inRiichi, { n: sticks })) : null,
  );
}

function seatView(seat, { words, place, choice, stakes, acts }) {
  const waiting = acts.filter((entry) => entry.seat === seat.seat).map((entry) => entry.type);
  const riichi = seat.riichi ?? (waiting.includes("riichi") ? "closed" : null);
  const classes = [
    "seat",
    `at-${place}`,
    seat.is_dealer && "dealer",
    riichi && stakes > 0 && "declared",
    choice?.state && `is-${choice.state}`,
  ];
  const said = marks(seat, riichi, words);
  const content = [
    h(
      "span",
      { class: "who" },
      h("b", { class: "wind" }, seat.wind_text),
      seat.mark ? h("span", { class: `t${seat.mark.is_filled ? " fill" : ""} c${seat.mark.colour}`, "aria-hidden": "true" }, seat.mark.glyph) : null,
      h("span", { class: "name" }, seat.name),
    ),
    h("span", { class: `score${seat.score < 0 ? " minus" : ""}` }, seat.score_text),
    h(
      "span",
      { class: "marks" },
      said.map((text) => h("span", { class: "mark-of" }, text)),
      h("span", { class: "place" }, seat.place_text),
    ),
    h("span", { class: "stake", "aria-hidden": "true" }),
    choice?.label ? h("span", { class: "chosen" }, choice.label) : null,
  ];
  const props = { class: classes.filter(Boolean).join(" "), "data-seat": seat.seat, "data-key": `seat-${seat.seat}` };
  if (!choice || choice.state === "out") return h("div", props, content);
  const pressed = choice.state === undefined ? {} : { "aria-pressed": choice.state === "on" ? "true" : "false" };
  return button(content, choice.tap, {
    ...props,
    ...pressed,
    "aria-label": [seat.wind_text, seat.name, seat.score_text, ...said, seat.place_text, choice.label].filter(Boolean).join(" "),
  });
}

function marks(seat, riichi, words) {
  return [
    riichi === "open" ? words.openRiichi : riichi ? words.riichi : null,
    seat.dead ? words.deadHand : null,
    seat.redeclare ? words.redeclare : null,
    seat.fines ? fill(words.finesOf, { n: seat.fines }) : null,
    seat.chonbo ? fill(words.chonboOf, { n: seat.chonbo }) : null,
    ...(seat.ledgers ?? []).filter((ledger) => ledger.amount !== "0").map((ledger) => `${ledger.title} ${ledger.text}`),
  ].filter(Boolean);
}

/** A score as it is written in the reader's language. */
const scoreText = (score, words) => `${score < 0 ? words.minus : ""}${Math.abs(score).toLocaleString("en")}`;

/** Every player's change in a list: before, by how much, after. */
export function changesView(sheet, result, words) {
  return h(
    "table",
    { class: "changes" },
    h("caption", { class: "visually-hidden" }, words.changes),
    h(
      "tbody",
      {},
      sheet.seats.map((seat) =>
        changeRow(seat, result, scoreText(result.scores_after[seat.seat] - result.changes[seat.seat], words)),
      ),
    ),
  );
}

function changeRow(seat, result, before) {
  const change = result.changes[seat.seat];
  const sign = change > 0 ? "plus" : change < 0 ? "minus" : "none";
  const prizes = (result.prizes ?? []).filter((each) => each.changes_text[seat.seat] !== "0");
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("b", { class: "wind" }, seat.wind_text),
      " ",
      seat.name,
      h("small", { class: "before" }, before),
    ),
    h(
      "td",
      { class: `num by ${sign}` },
      change ? result.changes_text[seat.seat] : "·",
      prizes.map((each) => h("small", {}, `${each.title} ${each.changes_text[seat.seat]}`)),
    ),
    h("td", { class: "num after" }, result.scores_after_text[seat.seat]),
  );
}

/** A clause as a link to the rule book. */
export function clauseLink(clause, words) {
  if (!clause) return null;
  return h(
    "a",
    { class: "clause", href: clause.url, target: "_blank", rel: "noopener", title: words.toClause },
    clause.id,
  );
}
