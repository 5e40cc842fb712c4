// Replays a hand on the board of its page: keys, buttons, a slider, and the step in the address (#12).
//
// The page has the discards with the step of each, the steps in words, and as JSON what changes with each step.

(() => {
  "use strict";
  const KEPT = 250;
  const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", ArrowUp: "prev", ArrowDown: "next" };
  const TYPING = "input:not([type=range]), select, textarea, [contenteditable]";
  const main = document.querySelector("main");
  let box, frames, names, step;
  let timer = 0;

  // What a step does not change stays as it was.
  function whole(given) {
    let seats = {};
    return given.map((frame) => ({ ...frame, seats: (seats = { ...seats, ...frame.seats }) }));
  }

  function tile(given) {
    const code = given.replace("'", "");
    const svg = box.querySelector("template").content.querySelector("svg").cloneNode(true);
    const use = svg.querySelector("use");
    use.setAttribute("href", `${use.getAttribute("href").split("#")[0]}#t${code}`);
    svg.setAttribute("aria-label", names[code]);
    svg.classList.toggle("turned", given !== code);
    return svg;
  }

  function row(codes) {
    const made = document.createElement("span");
    made.className = "tile-row";
    made.append(...codes.split(" ").filter(Boolean).map(tile));
    return made;
  }

  function meld([how, codes]) {
    const made = document.createElement("span");
    const word = document.createElement("small");
    made.className = "meld";
    word.textContent = how;
    made.append(row(codes), word);
    return made;
  }

  function showSeat(part, seat, isTurn) {
    const rows = [seat.hand, seat.drawn].map(row);
    const norths = seat.norths ? [row(seat.norths)] : [];
    part.querySelector(".held").replaceChildren(...rows, ...seat.melds.map(meld), ...norths);
    part.querySelector("[data-score]").textContent = seat.score;
    part.querySelector("[data-riichi]").hidden = !seat.riichi;
    part.querySelector("[data-turn]").hidden = !isTurn;
    part.classList.toggle("acting", isTurn);
    for (const each of part.querySelectorAll(".river li")) {
      const isCalled = step >= Number(each.dataset.called ?? Infinity);
      each.classList.toggle("later", step < Number(each.dataset.made));
      each.classList.toggle("called", isCalled);
      each.querySelector(".call")?.toggleAttribute("hidden", !isCalled);
    }
  }

  function show(wanted) {
    step = Math.min(Math.max(wanted, 0), frames.length - 1);
    const frame = frames[step];
    for (const part of box.querySelectorAll("[data-seat]")) {
      const seat = Number(part.dataset.seat);
      showSeat(part, frame.seats[seat], seat === frame.turn);
    }
    box.querySelector("[data-dora]").replaceChildren(row(frame.dora));
    box.querySelector("[data-sticks]").textContent = frame.sticks;
    const line = main.querySelectorAll("#steps li")[step];
    main.querySelector("#steps li[aria-current]")?.removeAttribute("aria-current");
    line.setAttribute("aria-current", "step");
    const said = line.textContent.trim();
    box.querySelector(".said").textContent = said;
    const slider = box.querySelector("input");
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step}: ${said}`);
    // Browsers limit how often an address may change.
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(history.state, "", `#${step}`), KEPT);
  }

  function go(where) {
    if (where === "prev" || where === "next") main.querySelector(`a[rel=${where}]`)?.click();
    else show({ first: 0, back: step - 1, on: step + 1, last: frames.length - 1 }[where]);
  }

  const stepOfAddress = () => (/^#\d{1,4}$/.test(location.hash) ? Number(location.hash.slice(1)) : 0);

  // live.js exchanges what is in <main>: the board is set up again at the same step.
  function start() {
    const found = main.querySelector(".replay");
    if (!found || found === box) return;
    const data = JSON.parse(found.querySelector("#replay-data").textContent);
    [box, frames, names] = [found, whole(data.frames), data.names];
    for (const part of box.querySelectorAll(".controls, .said, .keys")) part.hidden = false;
    const slider = box.querySelector("input");
    slider.max = frames.length - 1;
    slider.addEventListener("input", () => show(Number(slider.value)));
    for (const button of box.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => go(button.dataset.go));
    }
    show(step ?? stepOfAddress());
  }

  document.addEventListener("keydown", (event) => {
    const where = KEYS[event.key];
    if (!box || !where || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest(TYPING)) return;
    event.preventDefault();
    go(where);
  });
  addEventListener("hashchange", () => box && show(stepOfAddress()));
  new MutationObserver(start).observe(main, { childList: true });
  start();
})();
