// What the server is asked, and what its answers mean for the line.

import { reach, Unreachable } from "./line.js";

export class Api {
  constructor({ urls, csrf, hanchan }) {
    Object.assign(this, { urls, csrf, hanchan });
  }

  async news(version) {
    const query = new URLSearchParams();
    if (this.hanchan) query.set("hanchan", this.hanchan);
    if (version) query.set("after", version);
    const answer = await reach(`${this.urls.state}?${query}`, { headers: { Accept: "application/json" } });
    if (answer.status === 204) return { status: "same" };
    const body = await bodyOf(answer);
    if (answer.ok) this.hanchan ??= body.hanchan.id;
    return answer.ok ? { status: "news", sheet: body } : { status: "shut", message: body.detail ?? body.title ?? "" };
  }

  async send({ id, after, hanchan, kind, payload }) {
    const events = [{ client_id: id, kind, payload }];
    const { status, body } = await this.post(this.urls.events, { hanchan, after, events });
    if (status === 200) return { status: "in", sheet: body };
    return { status: whyOf(status, body), messages: messagesOf(body), sheet: body.document };
  }

  async preview({ after, hanchan, kind, payload }) {
    const events = [{ client_id: "preview", kind, payload }];
    const { status, body } = await this.post(this.urls.preview, { hanchan, after, events });
    return status === 200 ? body : { refusals: messagesOf(body).map((text) => ({ text })), result: null, flags: [] };
  }

  async legality(hanchan, winner, loser) {
    const query = new URLSearchParams({ hanchan, winner, ...(loser === null ? {} : { loser }) });
    const answer = await reach(`${this.urls.legality}?${query}`);
    return answer.ok ? bodyOf(answer) : { hands: [] };
  }

  async post(address, data) {
    const answer = await reach(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.csrf, Accept: "application/json" },
      body: JSON.stringify(data),
    });
    return { status: answer.status, body: await bodyOf(answer) };
  }
}

async function bodyOf(answer) {
  try {
    return await answer.json();
  } catch {
    if (answer.ok) throw new Unreachable("no document");
    return { detail: answer.statusText };
  }
}

/** Another device was quicker, this device may no longer, or the entry cannot be. */
function whyOf(status, body) {
  if (status === 409 && body.errors?.[0]?.code === "behind") return "behind";
  return status === 403 || status === 404 ? "shut" : "refused";
}

function messagesOf(body) {
  const messages = (body.errors ?? []).map((error) => error.detail ?? error.text);
  return messages.length ? messages : [body.detail ?? body.title ?? ""];
}
