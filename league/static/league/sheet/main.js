// The live score sheet of one table: holds what is being said, draws what is asked, and hands entries to the line.

import { Api } from "./api.js";
import { Kept } from "./kept.js";
import { Line, Unreachable } from "./line.js";
import { keepPage } from "./offline.js";
import { Preview } from "./preview.js";
import { Screens } from "./screens.js";
import { Tiles } from "./tiles.js";
import { draftOf, entryOf } from "./entry.js";
import { isAnswered, step } from "./steps.js";

const LOOKED_AT = ["review", "scores", "ruling"];
const REST = 400;
const AROUND_FIELDS = [".status", ".outlook", ".bottom"];

class Sheet {
  constructor(root) {
    const data = JSON.parse(document.getElementById("sheet-data").textContent);
    this.root = root;
    this.words = data.words;
    this.kept = new Kept(`sheet:${data.user}:${data.table}`);
    this.keys = new Kept("keys");
    this.api = new Api({
      urls: data.urls,
      csrf: data.csrf,
      hanchan: new URLSearchParams(location.search).get("hanchan"),
    });
    this.line = new Line({ api: this.api, kept: this.kept, tell: (what) => this.told(what) });
    const tiles = document.getElementById("tiles");
    this.tiles =
      tiles &&
      new Tiles(
        tiles,
        { url: data.urls.hand, riichi: data.riichi, language: document.documentElement.lang },
        this.words,
      );
    this.preview = new Preview(this.api, () => this.draw());
    this.turned = this.kept.read("turned", 0);
    this.panel = "table";
    this.forms = {};
    this.folds = new Map();
    this.legality = null;
    this.open = null;
    this.screens = new Screens(this);
    const kept = this.kept.read("draft", null);
    if (kept && kept.hanchan === this.sheet?.hanchan.id) this.draft = kept.draft;
  }

  get sheet() {
    return this.line.sheet;
  }

  get asks() {
    return this.sheet.asks && { ...this.sheet.asks, players: this.sheet.seats.length };
  }

  start() {
    document.addEventListener("keydown", (event) => this.screens.key(event));
    this.drawKept();
    this.line.start();
    this.stayAwake();
    keepPage(this.api.urls.worker);
  }

  /** What another release kept on this device may have another form: what cannot be drawn is asked for again. */
  drawKept() {
    try {
      this.lookIfDue();
      this.draw();
    } catch {
      this.line.sheet = null;
      this.draft = null;
      this.draw();
    }
  }

  /** Something came in, went out or broke off. */
  told(what) {
    if (what?.took) this.said = this.screens.saidOf(what.took);
    this.news = what?.elsewhere ?? (what?.took ? null : this.news);
    this.lookIfDue();
    this.draw();
  }

  /** What is under review is checked against the table as it is now. */
  lookIfDue() {
    if (this.draft && this.asks && LOOKED_AT.includes(step(this.draft, this.asks).name)) this.look();
  }

  // What is being said

  begin(draft) {
    this.panel = "table";
    this.open = null;
    this.say(draft);
  }

  /** Take what was said; the question that is open then is asked, or the entry goes in at once. */
  say(draft) {
    this.draft = draft;
    this.news = null;
    this.keep();
    const next = step(draft, this.asks);
    if (next.name === "at-once") return this.record();
    if (LOOKED_AT.includes(next.name)) this.look();
    this.draw();
    return undefined;
  }

  /** Keep what is typed, and look at it once the fingers rest. */
  type(draft) {
    this.draft = draft;
    this.keep();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.draft === draft) this.look();
      this.draw();
    }, REST);
  }

  /** AnyUser writes in a field of this page: it must not be taken from under their fingers. */
  get isTyping() {
    const field = document.activeElement;
    return this.root.contains(field) && field.matches("input[type=text]");
  }

  keep() {
    this.kept.write("draft", this.draft ? { hanchan: this.sheet.hanchan.id, draft: this.draft } : null);
  }

  look() {
    const action = isAnswered(this.draft, this.asks) ? this.action() : null;
    if (!action) this.preview.clear();
    else this.preview.ask({ ...action, after: this.sheet.sequence }, this.line.isOnline);
  }

  /** The entry of the draft as something to be done to the log; null while it says too little. */
  action() {
    const { draft } = this;
    if (draft.act === "scores" && (draft.isDraw === undefined || !draft.scores?.every(Number.isInteger))) return null;
    if (draft.act === "ruling" && !(draft.reason ?? "").trim()) return null;
    const entry = entryOf(draft, this.asks);
    const hanchan = this.sheet.hanchan.id;
    return draft.replaces === undefined
      ? { hanchan, kind: "entry", payload: { entry } }
      : { hanchan, kind: "edit", payload: { number: draft.replaces, entry } };
  }

  record() {
    const action = this.action();
    if (!action) return;
    const shows = this.draft.replaces === undefined ? "table" : "log";
    this.leave();
    this.panel = shows;
    this.line.enter(action);
  }

  leave() {
    this.draft = null;
    this.preview.clear();
    this.keep();
    this.draw();
  }

  /** Put an entry of the log, or one that was not taken, up for another look. */
  reopen(entry, replaces) {
    this.say({ ...draftOf(entry), ...(replaces === undefined ? {} : { replaces }) });
  }

  act(kind, payload = {}) {
    this.line.enter({ hanchan: this.sheet.hanchan.id, kind, payload });
  }

  /** What still waits here is simply not sent. */
  undo() {
    if (!this.line.takeBack()) this.act("undo");
  }

  show(panel) {
    this.panel = panel;
    this.open = null;
    this.draft = null;
    this.preview.clear();
    this.keep();
    this.draw();
  }

  turn() {
    this.turned = (this.turned + 1) % this.sheet.seats.length;
    this.kept.write("turned", this.turned);
    this.draw();
  }

  // After the last hand

  async submit() {
    const { hanchan, sequence } = this.sheet;
    const form = this.forms;
    const data = {
      hanchan: hanchan.id,
      sequence,
      accept: (form.warnings ?? []).map((each) => each.code),
      reason: form.why ?? "",
      ended_by_time: Boolean(form.endsByTime),
    };
    try {
      // What still waits here belongs to the result.
      if (this.line.waiting.length) throw new Unreachable("entries wait");
      const { status, body } = await this.api.post(this.api.urls.submit, data);
      if (status === 200) {
        this.forms = {};
        this.line.take(body);
        // A game ended by time is handed in from the log: its result is shown at the table.
        this.show("table");
      } else {
        const isWarned = body.code === "warnings_not_accepted";
        Object.assign(form, {
          warnings: isWarned ? body.errors : [],
          message: isWarned ? "" : (body.errors?.[0]?.detail ?? body.detail ?? ""),
        });
      }
    } catch {
      form.message = this.words.needsLine;
    }
    this.draw();
  }

  async askLegality(winner, loser) {
    this.legality = { winner, loser, hands: null };
    this.draw();
    try {
      const { hands } = await this.api.legality(this.sheet.hanchan.id, winner, loser);
      this.legality = { winner, loser, hands };
    } catch {
      this.legality = { winner, loser, hands: null, message: this.words.needsLine };
    }
    this.draw();
  }

  /** Draw what is asked now; the finger's or the key's place is kept. */
  draw() {
    if (this.isTyping && this.drawn === this.screens.name) this.drawAround();
    else this.drawAll();
    this.drawn = this.sheet && this.screens.name;
  }

  /** Everything but the fields. */
  drawAround() {
    const fresh = document.createElement("div");
    fresh.append(...this.screens.draw());
    for (const part of AROUND_FIELDS) {
      const [old, now] = [this.root, fresh].map((tree) => tree.querySelector(part));
      if (old && now) old.replaceWith(now);
    }
  }

  drawAll() {
    const key = document.activeElement?.dataset?.key;
    const at = document.activeElement?.selectionStart;
    this.root.replaceChildren(...this.screens.draw());
    const again = key && this.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) {
      again.focus({ preventScroll: true });
      if (typeof at === "number") again.setSelectionRange?.(at, at);
    } else if (key) {
      this.root.querySelector("[data-focus]")?.focus({ preventScroll: true });
    }
  }

  /** A tablet beside the table should not go dark between two hands. */
  async stayAwake() {
    const hold = async () => {
      try {
        if (!document.hidden) await navigator.wakeLock?.request("screen");
      } catch {
        // The device decides.
      }
    };
    document.addEventListener("visibilitychange", hold);
    await hold();
  }
}

new Sheet(document.getElementById("sheet")).start();
