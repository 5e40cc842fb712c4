// Before the first hand and after the last: who sits where, why it is over, how it is settled, who agrees.

import { button, choice, fill, h } from "./dom.js";
import { clauseLink } from "./table.js";
import { numberIn } from "./value.js";

/** Who sits where from the first dealer on, and the table's own options. */
export function startView({ sheet, words, draft, draw, start }) {
  const { setup } = sheet;
  const order = draft.order ?? (setup.seats_known ? setup.seats : []);
  const options = draft.options ?? {};
  const name = (id) => setup.entrants.find((each) => each.id === id)?.name ?? "?";
  const members = draft.members ?? {};
  const unnamed = (setup.members ?? []).filter(({ id }) => !members[id]);
  const rest = setup.entrants.filter(({ id }) => !order.includes(id));
  return h(
    "div",
    { class: "setup" },
    h(
      "ol",
      { class: "order" },
      setup.winds.map((wind, at) =>
        h(
          "li",
          {},
          h("b", { class: "wind" }, wind),
          order[at] === undefined ? h("span", { class: "quiet" }, "–") : h("span", {}, name(order[at])),
          at === 0 ? h("small", {}, words.firstDealer) : null,
        ),
      ),
    ),
    rest.length
      ? h(
          "div",
          {},
          h("p", { class: "prompt" }, fill(words.whoSits, { wind: setup.winds[order.length] })),
          h(
            "div",
            { class: "several" },
            rest.map(({ id, name: text }) =>
              button(text, () => draw({ ...draft, order: [...order, id] }), { "data-key": `sit-${id}` }),
            ),
          ),
        )
      : null,
    order.length ? button(words.reseat, () => draw({ ...draft, order: [] }), { class: "light" }) : null,
    (setup.members ?? []).map((team) =>
      h(
        "fieldset",
        {},
        h("legend", {}, fill(words.whoSitsFor, { team: team.name })),
        h(
          "div",
          { class: "several" },
          team.people.map((each) =>
            choice(each.name, members[team.id] === each.id, () =>
              draw({ ...draft, order, members: { ...members, [team.id]: each.id } }),
            ),
          ),
        ),
      ),
    ),
    setup.options.length
      ? h(
          "details",
          {},
          h("summary", {}, words.options),
          setup.options.map((option) =>
            optionView(option, options[option.key] ?? option.value, (value) =>
              draw({ ...draft, order, options: { ...options, [option.key]: value } }),
            ),
          ),
        )
      : null,
    h(
      "div",
      { class: "bottom" },
      button(words.start, () => start({ seats: order, options, ...(setup.members?.length ? { members } : {}) }), {
        class: "main",
        disabled: rest.length > 0 || unnamed.length > 0,
        "data-key": "start",
      }),
    ),
  );
}

function optionView(option, value, set) {
  if (option.values?.length && !Array.isArray(value)) {
    return h(
      "fieldset",
      {},
      h("legend", {}, option.title),
      h(
        "div",
        { class: "several" },
        option.values.map((each) => choice(each.label, each.value === value, () => set(each.value))),
      ),
    );
  }
  if (option.kind === "subset") {
    const flip = (each) => set(value.includes(each) ? value.filter((one) => one !== each) : [...value, each]);
    return h(
      "fieldset",
      {},
      h("legend", {}, option.title),
      h(
        "div",
        { class: "several" },
        option.values.map((each) => choice(each.label, value.includes(each.value), () => flip(each.value))),
      ),
    );
  }
  if (option.kind !== "integer") return h("p", { class: "quiet" }, `${option.title}: ${JSON.stringify(value)}`);
  return h(
    "label",
    { class: "number" },
    h("span", {}, option.title),
    h("input", {
      type: "text",
      inputmode: "numeric",
      value: String(value),
      onchange: (event) => set(numberIn(event.target.value) ?? value),
    }),
    h("small", { class: "quiet" }, option.allowed ?? ""),
  );
}

/** Why it is over. */
export function endView(end, words) {
  return h(
    "div",
    { class: "over", role: "status" },
    h("h2", {}, words.gameEnds),
    end.reasons.map((each) => h("p", {}, each.text, " ", clauseLink(each.clause, words))),
  );
}

/** Places and points as the rules settle them now. */
export function settlementView(rows, words) {
  const inOrder = [...rows].sort((one, other) => one.place - other.place);
  return h(
    "table",
    { class: "settled" },
    h("caption", {}, words.settlement),
    h(
      "tbody",
      {},
      inOrder.map((row) =>
        h(
          "tr",
          {},
          h("td", {}, h("span", { class: `tile p${row.place}` }, String(row.place))),
          h(
            "th",
            { scope: "row" },
            row.name,
            h(
              "details",
              {},
              h("summary", {}, words.why),
              h(
                "ul",
                {},
                row.lines.map((line) => h("li", {}, line.label, " ", line.text, " ", clauseLink(line.clause, words))),
              ),
            ),
          ),
          h("td", { class: "num" }, row.final_score_text),
          h(
            "td",
            { class: "num" },
            row.totals.map((total) =>
              h(
                "span",
                { class: "total" },
                row.totals.length > 1 ? h("small", {}, `${total.title} `) : null,
                h("b", {}, total.text),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Handing the result in, and who has said yes to it. */
export function submitView({ sheet, words, draft, draw, submit, message, warnings }) {
  const { submit: now } = sheet;
  const state = {
    ready: null,
    too_early: null,
    waiting: words.waitingForYes,
    confirmed: words.isConfirmed,
    changed: words.isChanged,
    rejected: words.isRejected,
  }[now.state];
  const mayNow =
    now.may &&
    sheet.you.may_submit &&
    (["ready", "changed", "rejected"].includes(now.state) || (now.state === "too_early" && draft.endsByTime));
  return h(
    "div",
    { class: "submit" },
    state
      ? h(
          "p",
          { class: `note state-${now.state}`, role: "status" },
          state,
          now.sheet?.reason ? ` ${now.sheet.reason}` : "",
        )
      : null,
    now.approvals?.length ? approvalsView(now.approvals, words) : null,
    message ? h("p", { class: "wrong", role: "alert" }, message) : null,
    warnings.length
      ? h(
          "ul",
          { class: "warn note" },
          warnings.map((each) => h("li", {}, each.detail)),
        )
      : null,
    mayNow && now.needs_reason
      ? h(
          "label",
          {},
          h("span", {}, words.reasonOfCorrection),
          h("input", {
            type: "text",
            maxlength: "200",
            value: draft.why ?? "",
            "data-key": "why",
            oninput: (event) => (draft.why = event.target.value),
          }),
        )
      : null,
    now.state === "too_early" && now.can_end_by_time && sheet.you.may_submit && !draft.endsByTime
      ? button(words.endByTime, () => draw({ ...draft, endsByTime: true }), { class: "light wide" })
      : null,
    mayNow
      ? h(
          "div",
          { class: "bottom" },
          button(
            warnings.length ? words.acceptAndSubmit : now.by_players ? words.submitToPlayers : words.submit,
            submit,
            { class: "main", "data-key": "submit" },
          ),
        )
      : null,
  );
}

export function approvalsView(approvals, words) {
  return h(
    "ul",
    { class: "approvals" },
    approvals.map((each) =>
      h(
        "li",
        { class: each.approved ? "yes" : "open" },
        each.name,
        " ",
        h("b", {}, each.approved ? words.saidYes : words.saidNothing),
      ),
    ),
  );
}
