// A player's own yes or no to the result of their hanchan, and what the others said.

import { Api } from "./api.js";
import { button, fill, h } from "./dom.js";
import { approvalsView, settlementView } from "./ends.js";
import { Kept } from "./kept.js";
import { Line } from "./line.js";
import { loadingView } from "./loading.js";

const HANDED_IN = ["waiting", "confirmed", "rejected"];

class Confirmation {
  constructor(root) {
    const data = JSON.parse(document.getElementById("sheet-data").textContent);
    const hanchan = new URLSearchParams(location.search).get("hanchan");
    this.root = root;
    this.words = data.words;
    this.api = new Api({ urls: data.urls, csrf: data.csrf, hanchan });
    this.line = new Line({
      api: this.api,
      kept: new Kept(`sheet:${data.user}:${data.table}:confirm`),
      tell: () => this.told(),
    });
    this.why = null;
  }

  start() {
    this.draw();
    this.line.start();
  }

  /** The newest hanchan that has a result is the one to be looked at, before there is any the one being played. */
  told() {
    const { sheet } = this.line;
    const newest = sheet?.hanchan_list.filter((each) => each.has_result).at(-1)?.id ?? sheet?.hanchan.id;
    if (sheet && newest !== sheet.hanchan.id && newest !== this.api.hanchan) {
      this.api.hanchan = newest;
      this.line.forget();
    }
    this.draw();
  }

  /** Say yes or no; both need the line, for nothing may be thought agreed that is not. */
  async answer(address, fields) {
    const { submit, hanchan } = this.line.sheet;
    try {
      const { status, body } = await this.api.post(address, { hanchan: hanchan.id, sheet: submit.sheet.id, ...fields });
      this.message = status === 200 ? "" : (body.errors?.[0]?.detail ?? body.detail ?? "");
      const sheet = status === 200 ? body : body.document;
      if (sheet) this.line.take(sheet);
      if (status === 200) this.why = null;
    } catch {
      this.message = this.words.needsLine;
    }
    this.draw();
  }

  draw() {
    const { sheet } = this.line;
    if (this.why !== null && this.root.contains(document.activeElement) && document.activeElement.matches("textarea"))
      return;
    this.root.replaceChildren(
      ...(sheet ? this.page(sheet) : [loadingView(this.line, this.words)]).filter(Boolean),
    );
  }

  page(sheet) {
    const { words } = this;
    const { submit, you, result } = sheet;
    const state = result?.state ?? submit.state;
    const rows = result ? result.settlement : HANDED_IN.includes(state) && sheet.settlement;
    return [
      h(
        "p",
        { class: "quiet" },
        sheet.table_session.name,
        " ",
        fill(words.hanchanOf, { n: sheet.hanchan.round }),
        " ",
        h("span", { class: `line ${this.line.state}`, role: "status" }, this.line.isOnline ? "" : words.isOffline),
      ),
      this.line.shut ? h("p", { class: "alarm" }, this.line.shut) : null,
      sheet.locked ? h("p", { class: "note warn" }, sheet.locked) : null,
      rows ? settlementView(rows, words) : h("p", { class: "note" }, words.notYet),
      rows ? this.ask(sheet, state) : null,
      submit.approvals?.length && rows
        ? h("section", {}, h("h2", {}, words.others), approvalsView(submit.approvals, words))
        : null,
      this.message ? h("p", { class: "wrong", role: "alert" }, this.message) : null,
      you.kind === "player" ? null : h("p", { class: "note" }, words.notYours),
    ];
  }

  ask({ submit, you }, state) {
    const { words } = this;
    const mine = submit.approvals?.find((each) => each.entrant === you.entrant);
    if (state === "confirmed") return h("p", { class: "note", role: "status" }, words.isConfirmed);
    if (state === "rejected")
      return h("p", { class: "note warn", role: "status" }, words.youSaidNo, ` ${submit.sheet?.reason ?? ""}`);
    if (mine?.approved) return h("p", { class: "note", role: "status" }, words.youSaidYes);
    if (!you.may_approve) return null;
    return this.why === null ? this.yesOrNo() : this.whyNot();
  }

  yesOrNo() {
    const { words, api } = this;
    const no = () => {
      this.why = "";
      this.draw();
      this.root.querySelector("textarea")?.focus();
    };
    return h(
      "div",
      { class: "answers" },
      h("h2", {}, words.isRight),
      button(words.yes, () => this.answer(api.urls.approve, {}), { class: "yes" }),
      button(words.no, no, { class: "no" }),
    );
  }

  whyNot() {
    const { words, api } = this;
    const send = (event) => {
      event.preventDefault();
      document.activeElement?.blur();
      this.answer(api.urls.object, { reason: this.why });
    };
    const back = () => {
      this.why = null;
      this.draw();
    };
    return h(
      "form",
      { onsubmit: send },
      h("label", { for: "why" }, words.whyNot),
      h("textarea", {
        id: "why",
        required: true,
        maxlength: "500",
        value: this.why,
        oninput: (event) => (this.why = event.target.value),
      }),
      h("button", { type: "submit", class: "no" }, words.sendNo),
      button(words.back, back, { class: "light wide" }),
    );
  }
}

new Confirmation(document.getElementById("confirm")).start();
