// An entry in a few words, from what this device knows: for what waits in line and for what was said so far.

import { fill } from "./dom.js";

/** `said` is an entry of the log, `sheet` gives the names. */
export function describe(said, sheet, words) {
  const name = (seat) => sheet.seats[seat]?.name ?? "?";
  const names = (seats = []) => seats.map(name).join(words.comma);
  const parts = {
    riichi: () => [name(said.seat), said.open ? words.openRiichi : words.riichi],
    ron: () => [
      words.ron,
      `${names(said.wins.map((win) => win.seat))} ← ${name(said.loser)}`,
      ...said.wins.map((win) => worthText(win.value, sheet, words)),
    ],
    ron_calls: () => [
      words.ron,
      `${names(said.calls.map((win) => win.seat))} ← ${name(said.loser)}`,
      ...said.calls.map((win) => worthText(win.value, sheet, words)),
    ],
    tsumo: () => [words.tsumo, name(said.win.seat), worthText(said.win.value, sheet, words)],
    draw: () => [words.draw, said.tenpai?.length ? `${words.tenpai} ${names(said.tenpai)}` : ""],
    nagashi: () => [words.nagashi, names(said.seats)],
    abortive_draw: () => [sheet.asks.abortive.find((each) => each.kind === said.kind)?.title ?? words.abortive],
    four_kans_stand: () => [words.fourthKan, name(said.seat)],
    chonbo: () => [words.chonbo, names(said.offenders), offenceText(said.offence, sheet)],
    offended: () => [name(said.seat), offenceText(said.offence, sheet)],
    riichi_withdrawn: () => [name(said.seat), words.withdrawn, offenceText(said.offence, sheet)],
    dead_hand: () => [name(said.seat), words.deadHand],
    time_called: () => [words.time],
    scores_only: () => [words.scoresOnly, said.scores.map((score) => score.toLocaleString()).join(" / ")],
    ruling: () => [words.ruling, said.reason],
  };
  return parts[said.type]().filter(Boolean).join(" ");
}

const offenceText = (key, sheet) => sheet.asks.offences.find((each) => each.key === key)?.title ?? "";

/** 3 han 40 fu, mangan, yakuman, or points. */
export function worthText(value, sheet, words) {
  if (value.limit) return sheet.asks.value.limits.find((each) => each.limit === value.limit)?.title ?? value.limit;
  if (value.yakuman)
    return value.yakuman > 1
      ? `${sheet.asks.value.yakuman.title} ${fill(words.times, { n: value.yakuman })}`
      : sheet.asks.value.yakuman.title;
  const points = ["ron", "from_other", "from_dealer"]
    .filter((name) => value[name])
    .map((name) => value[name].toLocaleString());
  if (points.length) return points.join("・");
  return fill(value.fu ? words.hanFuOf : words.hanOf, { n: value.han ?? 0, fu: value.fu });
}

/** What is done to the log, in words. */
export function describeAction({ kind, payload }, sheet, words) {
  const said = { undo: words.undo, redo: words.redo, remove: words.remove, start: words.start, options: words.options }[
    kind
  ];
  if (said) return said;
  const text = describe(payload.entry, sheet, words);
  return kind === "edit" ? `${words.edit}: ${text}` : text;
}
