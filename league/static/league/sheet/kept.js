// What this device keeps between two openings of the page; a full or forbidden store costs the copy, not the game.

const KEPT_FOR = 7 * 24 * 60 * 60 * 1000;

export class Kept {
  constructor(prefix, storage = globalThis.localStorage) {
    this.prefix = `jantaku:${prefix}:`;
    this.storage = storage;
    this.sweep();
  }

  read(name, otherwise) {
    try {
      return JSON.parse(this.storage.getItem(this.prefix + name))?.value ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  write(name, value) {
    try {
      if (value === undefined || value === null) this.storage.removeItem(this.prefix + name);
      else this.storage.setItem(this.prefix + name, JSON.stringify({ at: Date.now(), value }));
      return true;
    } catch {
      return false;
    }
  }

  /** AnyUser else with this page open wrote under this name. */
  watch(name, tell) {
    addEventListener("storage", (event) => event.key === this.prefix + name && tell());
  }

  /** Sheets long over leave nothing behind. */
  sweep() {
    try {
      for (const name of Object.keys(this.storage).filter((each) => each.startsWith("jantaku:sheet:"))) {
        if (Date.now() - (JSON.parse(this.storage.getItem(name))?.at ?? 0) > KEPT_FOR) this.storage.removeItem(name);
      }
    } catch {
      // Nothing to sweep.
    }
  }
}
