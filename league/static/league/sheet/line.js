// The line to the server: what is entered waits here until it is in, in order and once. Every entry carries an id of
// its own, so that sending it again does no harm, and the number of the log's last entry it was built on, so that the
// server can tell when another device was quicker. Then nothing more is sent until the person has decided.

const POLL_EVERY = 1500;
const POLL_HIDDEN = 15_000;
const RETRY_AFTER = 2500;
const PATIENCE = 8000;

export class Line {
  /** `api` sends and asks; `tell` is called whenever anything changed. */
  constructor({ api, kept, tell }) {
    Object.assign(this, { api, kept, tell });
    this.sheet = kept.read("sheet", null);
    this.load();
    this.isOnline = true;
    this.isSending = false;
    kept.watch("line", () => {
      this.load();
      tell();
    });
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.lost());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  load() {
    const { waiting = [], base = null, stopped = null } = this.kept.read("line", {});
    Object.assign(this, { waiting, base, stopped });
  }

  save() {
    const { waiting, base, stopped } = this;
    this.kept.write("line", waiting.length || stopped ? { waiting, base, stopped } : null);
  }

  get state() {
    if (this.stopped) return "stopped";
    if (!this.isOnline) return "offline";
    return this.waiting.length ? "sending" : "sent";
  }

  start() {
    this.wake();
  }

  wake() {
    clearTimeout(this.timer);
    this.turn();
  }

  /** One turn: send what waits, or ask for news; then again after a while. */
  async turn() {
    if (this.isTurning) return;
    this.isTurning = true;
    let after = document.hidden ? POLL_HIDDEN : POLL_EVERY;
    try {
      if (this.waiting.length && !this.stopped) await this.send();
      else await this.ask();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.lost();
      after = RETRY_AFTER;
    } finally {
      this.isTurning = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.turn(), this.waiting.length && this.isOnline && !this.stopped ? 0 : after);
    }
  }

  async ask() {
    const answer = await this.api.news(this.sheet?.version ?? null);
    const wasOnline = this.isOnline;
    this.isOnline = true;
    const elsewhere = answer.status === "news" && this.sheet ? this.cameIn(answer.sheet) : null;
    if (answer.status === "news") this.take(answer.sheet);
    if (answer.status === "shut") this.shut = answer.message;
    if (answer.status !== "same" || !wasOnline) this.tell({ elsewhere: elsewhere?.length ? elsewhere : undefined });
  }

  /** Entries that another device made since this one last looked. */
  cameIn(sheet, since = this.sheet.sequence) {
    if (sheet.hanchan.id !== this.sheet.hanchan.id) return [];
    return sheet.log.flatMap((kyoku) =>
      kyoku.entries.filter((entry) => entry.sequence > since).map((entry) => `${kyoku.text} ${entry.text}`),
    );
  }

  /** Ask for another document. */
  forget() {
    this.sheet = null;
    setTimeout(() => this.wake(), 0);
  }

  take(sheet) {
    sheet.asks ??= this.sheet?.asks ?? null;
    this.sheet = sheet;
    this.shut = null;
    this.kept.write("sheet", sheet);
  }

  /** Put an entry in line. */
  enter(action) {
    if (!this.waiting.length) this.base = this.sheet?.sequence ?? 0;
    this.waiting.push({ id: newId(), ...action });
    this.save();
    this.tell();
    this.wake();
  }

  /** Take back what was entered last, as long as it is not on its way. */
  takeBack() {
    if (this.waiting.length <= (this.isSending ? 1 : 0)) return false;
    this.waiting.pop();
    if (!this.waiting.length) this.stopped = null;
    this.save();
    this.tell();
    return true;
  }

  async send() {
    this.isSending = true;
    try {
      await this.sendFirst();
    } finally {
      this.isSending = false;
    }
  }

  async sendFirst() {
    const first = this.waiting[0];
    const answer = await this.api.send({ ...first, after: this.base });
    this.isOnline = true;
    if (this.waiting[0]?.id !== first.id) this.load();
    if (answer.status === "in") {
      this.take(answer.sheet);
      this.base = answer.sheet.sequence;
      this.waiting.shift();
    } else {
      if (answer.sheet) this.take(answer.sheet);
      this.stopped = { why: answer.status, messages: answer.messages ?? [], since: answer.since ?? [] };
    }
    this.save();
    this.tell(answer.status === "in" ? { took: first } : undefined);
  }

  /** What stopped is entered as it is, on top of what came from elsewhere. */
  again() {
    this.stopped = null;
    this.base = this.sheet.sequence;
    this.save();
    this.tell();
    this.wake();
  }

  /** What stopped is dropped; what waits behind it stays in line. */
  drop() {
    const [dropped] = this.waiting.splice(0, 1);
    this.stopped = null;
    this.base = this.sheet?.sequence ?? 0;
    this.save();
    this.tell();
    this.wake();
    return dropped;
  }

  lost() {
    const was = this.isOnline;
    this.isOnline = false;
    if (was) this.tell();
  }
}

/** The server was not reached, or could not answer; trying again is right. */
export class Unreachable extends Error {}

/** A request that gives up, and takes trouble on the server's side for trouble on the line. */
export async function reach(address, options = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const answer = await fetch(address, { cache: "no-store", ...options, signal: control.signal });
    if (answer.status >= 500 || answer.status === 429) throw new Unreachable(String(answer.status));
    return answer;
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(error.message);
  } finally {
    clearTimeout(timer);
  }
}

/** An id no other device gives; pages without https know no randomUUID. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
