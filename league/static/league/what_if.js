/* What if, followed at once: sliders that keep the sum, and the server's answer for every position of them. */
(() => {
  "use strict";
  const form = document.getElementById("what-if");
  if (!form) return;
  const PAUSE = 180;
  let waiting = null;
  let asked = 0;

  const digits = (text) => text.normalize("NFKC").replace(/[▲△▼−–—―ー‐‑]/g, "-").replace(/[\s点,]/g, "");

  /* A score as the server reads it: short numbers count steps, long ones and those with commas are points. */
  const read = (input, unit) => {
    const text = input.value.trim();
    const plain = digits(text);
    if (!/^[+-]?\d+$/.test(plain)) return null;
    const isPoints = text.includes(",") || plain.replace(/[+-]/, "").length >= 5;
    return isPoints ? Number(plain) : Number(plain) * unit;
  };

  const write = (input, score, unit) => {
    input.value = String(score / unit);
  };

  const tables = [...form.querySelectorAll("fieldset")].map((fieldset) => {
    const unit = Number(fieldset.dataset.unit);
    const table = {
      unit,
      total: Number(fieldset.dataset.total),
      start: Number(fieldset.dataset.start),
      deposits: fieldset.querySelector(".deposits input"),
      seats: [],
    };
    for (const label of fieldset.querySelectorAll(".seat:not(.deposits)")) {
      const input = label.querySelector("input");
      const slider = document.createElement("input");
      slider.type = "range";
      slider.min = fieldset.dataset.least;
      slider.max = fieldset.dataset.most;
      slider.step = String(unit);
      slider.value = String(read(input, unit) ?? table.start);
      slider.setAttribute("aria-label", label.querySelector(".who").textContent);
      // The slider comes first in the label; without this the label would name the slider, not the score.
      input.id = `${input.name}-${table.seats.length}`;
      label.htmlFor = input.id;
      label.querySelector(".in").before(slider);
      const seat = { input, slider };
      table.seats.push(seat);
      slider.addEventListener("input", () => moved(table, seat));
      input.addEventListener("input", () => typed(table, seat));
    }
    if (table.deposits) table.deposits.addEventListener("input", later);
    return table;
  });

  const left = (table) => {
    const deposits = table.deposits ? Number(digits(table.deposits.value)) || 0 : 0;
    return table.total - deposits;
  };

  /* One slider moves: the others share the difference in whole steps, the last of them what is over. */
  function moved(table, seat) {
    const scores = table.seats.map(({ slider }) => Number(slider.value));
    const others = table.seats.filter((each) => each !== seat);
    let missing = (left(table) - scores.reduce((sum, score) => sum + score, 0)) / table.unit;
    others.forEach((each, index) => {
      const share = Math.trunc(missing / (others.length - index));
      each.slider.value = String(Number(each.slider.value) + share * table.unit);
      missing -= share;
    });
    for (const each of table.seats) write(each.input, Number(each.slider.value), table.unit);
    seat.input.value = String((left(table) - others.reduce((sum, each) => sum + Number(each.slider.value), 0)) / table.unit);
    later();
  }

  function typed(table, seat) {
    const score = read(seat.input, table.unit);
    if (score !== null) seat.slider.value = String(score);
    later();
  }

  function later() {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(follow, PAUSE);
  }

  function address() {
    const given = new URLSearchParams();
    for (const table of tables) {
      if (table.seats.every(({ input }) => !input.value.trim())) continue;
      for (const { input } of table.seats) given.append(input.name, input.value.trim());
      if (table.deposits && table.deposits.value.trim()) given.append(table.deposits.name, table.deposits.value.trim());
    }
    const search = form.querySelector("#q");
    if (search && search.value.trim()) given.append(search.name, search.value.trim());
    const query = given.toString();
    return query ? `${window.location.pathname}?${query}` : window.location.pathname;
  }

  async function follow() {
    const target = document.getElementById(form.dataset.result);
    const mine = ++asked;
    const path = address();
    target.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(path, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById(form.dataset.result);
      if (mine !== asked || !found) return;
      target.replaceChildren(...found.childNodes);
      window.history.replaceState(null, "", path);
      showErrors(page);
    } catch {
      /* The connection is gone: what was last known stays, and the button sends the form as ever. */
    } finally {
      if (mine === asked) target.removeAttribute("aria-busy");
    }
  }

  function showErrors(page) {
    // The answer lists tables with typed scores first, so a table is found by the name of its fields.
    const nameOf = (fieldset) => fieldset.querySelector(".seat .in input").name;
    const theirs = new Map([...page.querySelectorAll("#what-if fieldset")].map((each) => [nameOf(each), each]));
    form.querySelectorAll("fieldset").forEach((fieldset) => {
      fieldset.querySelectorAll("[role=alert]").forEach((each) => each.remove());
      const errors = theirs.get(nameOf(fieldset))?.querySelectorAll("[role=alert]") ?? [];
      fieldset.querySelector("legend").after(...errors);
    });
  }
})();
