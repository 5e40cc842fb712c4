// What a hand is worth, by tapping: open or closed first where it matters, then han, then the fu that can be.

import { button, choice, fill, h } from "./dom.js";
import { needsFu } from "./steps.js";

const DEALERS = ["from_dealer", "from_other"];

/** `say(hand)` takes what was tapped; a value that is complete moves on by itself. */
export function valueView({ asks, words, hand, by, isDealer, riichi, mayDouble, tiles, say, back }) {
  const declared = riichi && hand.double ? `double_${riichi}` : riichi;
  const least = declared ? asks.value.in_riichi[by][declared] : null;
  const hans = asks.value.hans?.[by][declared ?? "none"];
  const paid = asks.value.paid[by][isDealer ? "dealer" : "other"].filter(
    (each) => isReached(each, least) && isOneOf(each, hans, asks),
  );
  const spoken = spokenOf(paid, hand);
  if (hand.asTiles) return tiles.view({ hand, by, say, back });
  if (hand.points) return pointsView({ asks, words, hand, by, isDealer, say, back });
  const isReady = !asks.value.closed || hand.closed !== undefined;
  return h(
    "div",
    { class: "valuing" },
    asks.value.closed ? closedView(words, hand, say) : null,
    mayDouble ? doubleView(words, hand, say) : null,
    h(
      "div",
      { class: isReady ? "worths" : "worths waits" },
      hanView({ asks, words, hand, spoken, least, isReady, say }),
      isReady ? fuView({ asks, words, hand, by, spoken, say }) : null,
    ),
    h(
      "div",
      { class: "bottom" },
      back,
      tiles
        ? button(words.asTiles, () => say({ ...plain(hand), asTiles: true }), {
            class: "light",
            "data-key": "as-tiles",
          })
        : null,
      asks.value.forms.includes("points")
        ? button(words.asPoints, () => say({ ...plain(hand), points: {} }), { class: "light" })
        : null,
    ),
  );
}

/** Whether a winner in riichi can have a value: `least` gives the fewest han by fu; null without a riichi. */
function isReached({ han, fu }, least) {
  return !least || han === undefined || han >= (least[fu ?? 0] ?? Infinity);
}

/** Whether a closed hand can have so many han, where no limit caps them; those of opened hands are left out before. */
function isOneOf({ han, fu, closed }, hans, asks) {
  if (!hans || han === undefined || (asks.value.closed && !closed)) return true;
  return Boolean(hans[fu ?? 0]?.includes(han));
}

/** What each value comes to, by the key of its button. */
function spokenOf(paid, { closed }) {
  const alike = paid.filter((each) => each.closed === (closed ?? false) || !paid.some((other) => other.closed));
  return Object.fromEntries(
    alike.map((each) => [
      each.limit ?? (each.yakuman ? `yakuman/${each.yakuman}` : each.fu ? `${each.han}/${each.fu}` : `${each.han}`),
      each.text,
    ]),
  );
}

const plain = ({
  han: _han,
  fu: _fu,
  limit: _limit,
  yakuman: _yakuman,
  points: _points,
  isSaid: _isSaid,
  asTiles: _asTiles,
  ...rest
}) => rest;

function closedView(words, hand, say) {
  return h(
    "div",
    { class: "pair", role: "group", "aria-label": words.openOrClosed },
    choice(words.closed, hand.closed === true, () => say({ ...hand, closed: true }), { "data-key": "closed" }),
    choice(words.opened, hand.closed === false, () => say({ ...hand, closed: false }), { "data-key": "opened" }),
  );
}

/** Taps that a double riichi makes impossible are asked again. */
function doubleView(words, hand, say) {
  const isDouble = Boolean(hand.double);
  return choice(words.doubleRiichi, isDouble, () => say({ ...plain(hand), double: !isDouble }), {
    "data-key": "double-riichi",
  });
}

function hanView({ asks, words, hand, spoken, least, isReady, say }) {
  const { han, limits, yakuman } = asks.value;
  const most = lastPlainHan(asks);
  const isOffered = (n) => !isReady || !needsFu(n, asks) || Object.keys(spoken).some((key) => key.startsWith(`${n}/`));
  const isPossible = (n) => isOffered(n) && (!least || n >= Math.min(...Object.values(least)));
  const hans = Array.from({ length: Math.max(0, most - han.least + 1) }, (_, at) => han.least + at).filter(isPossible);
  const disabled = isReady ? {} : { disabled: true };
  const said = (key) => (spoken[key] ? h("small", {}, spoken[key]) : null);
  const pressed = hand.limit === undefined && hand.yakuman === undefined ? hand.han : undefined;
  const tap = (label, is, value, key) =>
    choice(label, is, () => say({ ...plain(hand), ...value }), { ...disabled, "data-key": key });
  const times = Array.from({ length: yakuman.most }, (_, at) => at + 1).filter(
    (n) => !isReady || `yakuman/${n}` in spoken,
  );
  const isFuNext = pressed !== undefined && needsFu(pressed, asks);
  return [
    h(
      "div",
      { class: `hans of-${hans.length}`, role: "group", "aria-label": words.han },
      hans.map((each) =>
        tap(
          [h("b", {}, fill(words.hanOf, { n: each })), said(`${each}`)],
          each === pressed,
          isFuNext && each === pressed ? {} : { han: each },
          `han-${each}`,
        ),
      ),
    ),
    isFuNext
      ? null
      : h(
          "div",
          { class: "limits", role: "group", "aria-label": words.limits },
          limits.map(({ limit, title, from_han: from }) =>
            tap(
              [h("b", {}, title), said(limit) ?? h("small", {}, fill(words.fromHan, { n: from }))],
              hand.limit === limit,
              { limit },
              limit,
            ),
          ),
          times.map((n) =>
            tap(
              [
                h("b", {}, n === 1 ? yakuman.title : `${yakuman.title} ${fill(words.times, { n })}`),
                said(`yakuman/${n}`),
              ],
              hand.yakuman === n,
              { yakuman: n },
              `yakuman-${n}`,
            ),
          ),
        ),
  ];
}

/** Below the first limit; without limits as far as hands go. */
function lastPlainHan(asks) {
  const { han, limits, uncapped } = asks.value;
  return uncapped || !limits.length ? han.fu_until : limits[0].from_han - 1;
}

/** The fu that can be; from where the first limit is reached on, the limit stands for them all. */
function fuView({ asks, words, hand, by, spoken, say }) {
  if (hand.han === undefined || !needsFu(hand.han, asks)) return null;
  const [lowest] = asks.value.uncapped ? [] : asks.value.limits;
  const isBelow = (fu) => !lowest || spoken[`${hand.han}/${fu}`] !== spoken[lowest.limit];
  const all = (asks.value.fu[by][hand.han] ?? []).filter((fu) => `${hand.han}/${fu}` in spoken);
  const possible = all.filter(isBelow);
  const isCapped = lowest && possible.length < all.length;
  return h(
    "div",
    { class: "fus", role: "group", "aria-label": words.fu },
    possible.map((fu) =>
      choice(
        [
          h("b", {}, fill(words.fuOf, { n: fu })),
          spoken[`${hand.han}/${fu}`] ? h("small", {}, spoken[`${hand.han}/${fu}`]) : null,
        ],
        hand.fu === fu,
        () => say({ ...plain(hand), han: hand.han, fu }),
        { "data-key": `fu-${fu}` },
      ),
    ),
    isCapped
      ? choice(
          [h("b", {}, lowest.title), h("small", {}, spoken[lowest.limit])],
          false,
          () => say({ ...plain(hand), limit: lowest.limit }),
          { "data-key": lowest.limit },
        )
      : null,
  );
}

function pointsView({ asks, words, hand, by, isDealer, say, back }) {
  const names = by === "ron" ? ["ron"] : isDealer ? [DEALERS[1]] : DEALERS;
  const labels = {
    ron: words.paidByLoser,
    from_dealer: words.paidByDealer,
    from_other: isDealer ? words.paidByEach : words.paidByOthers,
  };
  const points = { ...hand.points };
  return h(
    "form",
    {
      class: "points",
      onsubmit: (event) => {
        event.preventDefault();
        say({ ...hand, points, isSaid: names.some((name) => points[name] > 0) });
      },
    },
    names.map((name) =>
      numberField(
        labels[name],
        points[name] ?? "",
        asks.value.points.unit,
        (value) => (points[name] = value),
        `points-${name}`,
      ),
    ),
    button(words.asHan, () => say(plain(hand)), { class: "light" }),
    h("div", { class: "bottom" }, back, h("button", { type: "submit", class: "main" }, words.goOn)),
  );
}

/** A number typed on the device's own keys; what is no number is none. */
export function numberField(label, value, step, take, key, props = {}) {
  const input = h("input", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    value: String(value),
    "data-key": key,
    ...props,
    oninput: () => take(numberIn(input.value), input.value),
  });
  return h(
    "label",
    { class: "number" },
    h("span", {}, label),
    input,
    step > 1 ? h("small", { class: "quiet" }, `×${step}`) : null,
  );
}

/** Full-width digits, commas and every sign for minus are understood. */
export function numberIn(text) {
  const plainText = text
    .normalize("NFKC")
    .replace(/[,\s点]/g, "")
    .replace(/^[▲△▼−–—ー]/, "-");
  return /^[+-]?\d+$/.test(plainText) ? Number(plainText) : null;
}
