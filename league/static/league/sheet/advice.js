// What each player needs in the hand that is played, as the document tells it: folded until the last hands.

import { button, fill, h } from "./dom.js";

/** The panel; null where the document has none or the hand cannot end the game. `folds` remembers what was opened. */
export function adviceView(advice, { words, folds, kyoku }) {
  if (!advice?.may_end) return null;
  return h(
    "section",
    { class: "advice" },
    folded(
      { folds, name: `advice ${kyoku}`, isOpen: advice.is_near_end },
      advice.reasons.includes("last_hand") ? words.advice : words.adviceNow,
      advice.seats.map((seat) => seatView(seat, { words, folds, kyoku })),
      button(words.print, () => print(), { class: "light", "data-key": "print" }),
    ),
  );
}

function seatView({ seat, name, goals }, { words, folds, kyoku }) {
  const threatened = goals.filter((goal) => goal.others.length > 0);
  return h(
    "section",
    { class: "of-seat", "data-seat": seat },
    h("h3", {}, name),
    h("dl", {}, goals.map((goal) => goalView(goal, words))),
    threatened.length
      ? folded(
          { folds, name: `others ${seat} ${kyoku}`, isOpen: false },
          words.othersWin,
          h(
            "dl",
            {},
            threatened.map((goal) => [
              h("dt", {}, goal.text),
              goal.others.map((other) => h("dd", {}, other.text)),
            ]),
          ),
        )
      : null,
  );
}

/** What is wanted, with which wins it is reached, with which draws, and on whom else it depends. */
function goalView(goal, words) {
  return [
    h("dt", {}, goal.text),
    h("dd", { class: `needed ${goal.status}` }, goal.needed),
    goal.draw.map((text) => h("dd", {}, text)),
    inRiichi(goal).map((text) => h("dd", {}, fill(words.inOwnRiichi, { text }))),
    goal.waiting_text ? h("dd", { class: "waits" }, goal.waiting_text) : null,
  ];
}

/** What draws do after a riichi of one's own, where that is something else. */
const inRiichi = ({ draw, draw_in_riichi: staked }) => (String(staked) === String(draw) ? [] : staked);

/** A fold that stays as the reader left it when the page is drawn again. */
function folded({ folds, name, isOpen }, title, ...content) {
  const isShown = folds.get(name) ?? isOpen;
  const kept = (event) => folds.set(name, !event.currentTarget.parentElement.open);
  return h("details", { open: isShown }, h("summary", { onclick: kept, "data-key": name }, title), content);
}
