// The log, kyoku by kyoku, newest first; every entry can be put right or taken out.

import { button, fill, h } from "./dom.js";
import { clauseLink } from "./table.js";

export function logView({ sheet, words, may, open, edit, remove, toggle }) {
  const kyoku = [...sheet.log].reverse();
  if (!kyoku.some((each) => each.entries.length)) return h("p", { class: "quiet" }, words.noEntries);
  return h(
    "div",
    { class: "log" },
    sheet.result?.hands ? h("p", { class: "note warn" }, sheet.result.hands) : null,
    sheet.flagged ? h("p", { class: "note warn" }, fill(words.flagged, { n: sheet.flagged })) : null,
    h(
      "ol",
      { reversed: true },
      kyoku.map((each) => kyokuView(each, { sheet, words, may, open, edit, remove, toggle })),
    ),
  );
}

function kyokuView(kyoku, tools) {
  const { sheet, words } = tools;
  if (!kyoku.entries.length) return null;
  const { result } = kyoku;
  return h(
    "li",
    { class: "kyoku-of" },
    h("h2", {}, kyoku.text),
    h(
      "ul",
      { class: "entries" },
      kyoku.entries.map((entry) => entryView(entry, tools)),
    ),
    result
      ? [
          result.said.length ? h("p", { class: "said small" }, result.said.join(" / ")) : null,
          h(
            "dl",
            { class: "deltas" },
            sheet.seats.map((seat) => deltaView(seat, result)),
          ),
        ]
      : h("p", { class: "quiet" }, sheet.phase === "typed" ? words.notToEnd : words.running),
  );
}

function deltaView(seat, result) {
  const change = result.changes[seat.seat];
  return h(
    "div",
    {},
    h("dt", {}, seat.name),
    h(
      "dd",
      { class: change > 0 ? "plus" : change < 0 ? "minus" : "none" },
      change ? result.changes_text[seat.seat] : "·",
    ),
    h("dd", { class: "after" }, result.scores_after_text[seat.seat]),
  );
}

function entryView(entry, { words, may, open, edit, remove, toggle }) {
  const isOpen = open === entry.number;
  const refused = entry.refusals.length > 0;
  return h(
    "li",
    { class: refused ? "refused" : "" },
    may
      ? button(entry.text, () => toggle(isOpen ? null : entry.number), {
          class: "entry",
          "aria-expanded": isOpen ? "true" : "false",
          "data-key": `entry-${entry.number}`,
        })
      : h("span", { class: "entry" }, entry.text),
    refused
      ? h(
          "ul",
          { class: "wrong" },
          entry.refusals.map((each) => h("li", {}, each.text, " ", clauseLink(each.clause, words))),
        )
      : null,
    isOpen
      ? h(
          "div",
          { class: "pair" },
          button(words.edit, () => edit(entry), { "data-key": "edit" }),
          button(words.remove, () => remove(entry), { class: "light", "data-key": "remove" }),
        )
      : null,
  );
}

/** Wins that may be taken and wins that may not, before a player declares. */
export function legalityView({ hands, words }) {
  const runs = [];
  for (const hand of [...hands].sort((one, other) => one.points - other.points)) {
    const last = runs.at(-1);
    if (last && last.verdict === hand.verdict && last.reasons === hand.reasons.join()) last.hands.push(hand);
    else runs.push({ verdict: hand.verdict, reasons: hand.reasons.join(), hands: [hand] });
  }
  return h(
    "ol",
    { class: "legality" },
    runs.map(({ verdict, hands: alike }) => runView(verdict, alike, words)),
  );
}

function runView(verdict, hands, words) {
  const [first, last] = [hands[0], hands.at(-1)];
  const range = first.points === last.points ? first.points_text : `${first.points_text} – ${last.points_text}`;
  return h(
    "li",
    { class: `verdict ${verdict}` },
    h("b", {}, range, " ", first.verdict_text),
    first.reasons.map((reason) => h("p", {}, reason)),
    h(
      "p",
      {},
      (first.clauses ?? []).map((clause) => clauseLink(clause, words)),
    ),
    h(
      "details",
      {},
      h("summary", {}, fill(words.handsOf, { n: hands.length })),
      h("p", {}, hands.map((hand) => hand.text).join(words.comma)),
    ),
  );
}
