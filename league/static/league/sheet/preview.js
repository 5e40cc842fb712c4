// What an entry would bring, asked of the server while one still looks; the newest question alone counts.

import { Unreachable } from "./line.js";

export class Preview {
  constructor(api, tell) {
    Object.assign(this, { api, tell, answer: null, asked: null });
  }

  clear() {
    this.asked = null;
    this.answer = null;
  }

  async ask(action, isOnline) {
    const asked = JSON.stringify(action);
    if (asked === this.asked && this.answer !== "later") return;
    this.asked = asked;
    this.answer = isOnline ? null : "later";
    if (!isOnline) return;
    let answer;
    try {
      answer = await this.api.preview(action);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      answer = "later";
    }
    if (this.asked !== asked) return;
    this.answer = answer;
    this.tell();
  }
}
