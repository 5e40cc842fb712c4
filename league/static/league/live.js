// A page that stays open follows what is published.
//
// Every few seconds one small address is asked for the version (`main[data-live]`). Only when that has changed is the
// page itself fetched again, and what is in <main> exchanged: scroll, focus and opened parts stay as they were, what is
// new is marked for a while, and one sentence says so. Without a connection the page says as of when it stands.
//
// Written by hand: htmx has 17 KB compressed, as much as two home pages, and would do the fetching alone; keeping
// scroll, focus and opened parts, and catching up with an older copy, would still be ours. This file has 3 KB.

(() => {
  "use strict";
  const EVERY = 3000;
  const SOON = 700;
  const LONGEST = 30000;
  const PATIENCE = 6;
  const FRESH = 12000;
  const ROWS = "tr, li, svg a.row";
  const FRAMES = ".scroll, .drawing";
  const ANCHORS = "h1, h2, h3, h4, tr, li, summary";

  const main = document.querySelector("main[data-live]");
  const mark = document.querySelector(".livemark");
  if (!main || !mark) return;

  let source = main.innerHTML;
  let timer = 0;
  let failures = 0;
  let behind = 0;
  let heard = new Date();

  const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const clock = (at) => at.toLocaleTimeString(document.documentElement.lang, CLOCK);
  const words = (element) => element.textContent.replace(/\s+/g, " ").trim();

  function plan() {
    clearTimeout(timer);
    if (document.hidden) return;
    const wait = behind > 0 && behind < PATIENCE ? SOON : Math.min(EVERY * 2 ** failures, LONGEST);
    timer = setTimeout(ask, wait * (0.85 + Math.random() * 0.3));
  }

  async function ask() {
    clearTimeout(timer);
    try {
      const answer = await get(main.dataset.live);
      const found = answer && (await answer.json());
      behind = found && isNew(found) && !isBusy() && !(await renew(found)) ? behind + 1 : 0;
      failures = 0;
      heard = new Date();
      if (mark.classList.contains("lost")) tell("");
    } catch {
      failures += 1;
      behind = 0;
      if (failures > 1 || !navigator.onLine) lost();
    }
    plan();
  }

  // The answer; null, and an empty page, if the service says that this is not public (any more).
  async function get(address) {
    const answer = await fetch(address, { cache: "no-cache" });
    if (answer.status === 404) return gone();
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }

  // Nothing that was shown stays; the page is asked for again and again until it is public.
  function gone() {
    main.dataset.version = "";
    if (source === null) return null;
    source = null;
    const told = document.createElement("p");
    told.className = "notice";
    told.textContent = mark.dataset.gone;
    main.replaceChildren(told);
    return null;
  }

  // Odds and running games are named only by pages that show them.
  function isNew(found) {
    const { version, odds, games } = main.dataset;
    const differs = (shown, now) => shown !== undefined && shown !== now;
    return String(found.version) !== version || differs(odds, found.odds) || differs(games, found.games);
  }

  // Someone is typing or choosing: the page waits for them.
  function isBusy() {
    const focused = document.activeElement;
    return main.contains(focused) && focused.matches("input, select, textarea");
  }

  // Whether what was fetched is as new as the version. A copy kept on the way, or handed out while the next page is
  // being written, may be older by a moment: then it is fetched again soon, a few times.
  async function renew(found) {
    const answer = await get(location.href.split("#")[0]);
    if (!answer) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("main[data-live]");
    if (!next) throw new Error("no page");
    exchange(next, page.querySelector(".stamp"));
    main.dataset.version = next.dataset.version;
    if (next.dataset.odds !== undefined) main.dataset.odds = found.odds;
    if (next.dataset.games !== undefined) main.dataset.games = next.dataset.games;
    return !isNew(found);
  }

  function exchange(next, stamp) {
    if (next.innerHTML === source) return;
    source = next.innerHTML;
    const before = new Set([...main.querySelectorAll(ROWS)].map(words));
    const was = standing();
    main.replaceChildren(...document.importNode(next, true).childNodes);
    stand(was);
    const fresh = [...main.querySelectorAll(ROWS)].filter((row) => !before.has(words(row)));
    for (const row of fresh.filter((one) => !fresh.some((other) => other !== one && one.contains(other)))) {
      row.classList.add("fresh");
      setTimeout(() => row.classList.remove("fresh"), FRESH);
    }
    const here = document.querySelector(".stamp");
    if (here && stamp) here.replaceChildren(...document.importNode(stamp, true).childNodes);
    tell(`${mark.dataset.updated} ${here ? words(here).split(" · ")[0] : ""}`.trim());
  }

  // Where the reader is: scrolled to, focused on, opened.
  function standing() {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    const seen = (one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().top < innerHeight;
    const anchor = focused && seen(focused) ? focused : [...main.querySelectorAll(ANCHORS)].find(seen);
    return {
      anchor: scrollY > 0 && anchor && { ...find(anchor), top: anchor.getBoundingClientRect().top },
      top: scrollY,
      frames: [...main.querySelectorAll(FRAMES)].map((frame) => frame.scrollLeft),
      opened: new Map([...main.querySelectorAll("details")].map((part) => [nameOf(part), part.open])),
      focus: focused && find(focused),
    };
  }

  function stand(was) {
    [...main.querySelectorAll(FRAMES)].forEach((frame, at) => {
      frame.scrollLeft = was.frames[at] || 0;
    });
    for (const part of main.querySelectorAll("details")) {
      const open = was.opened.get(nameOf(part));
      if (open !== undefined) part.open = open;
    }
    if (was.focus) found(was.focus)?.focus({ preventScroll: true });
    const anchor = was.anchor && found(was.anchor);
    const top = anchor ? scrollY + anchor.getBoundingClientRect().top - was.anchor.top : was.top;
    scrollTo({ top, behavior: "instant" });
  }

  const find = (element) => ({ name: nameOf(element), tag: element.tagName });
  const found = ({ name, tag }) => [...main.querySelectorAll(tag)].find((one) => nameOf(one) === name);

  // What an element is, wherever it stands: its id, its address, or what is written on it without its figures.
  function nameOf(element) {
    if (element.id) return element.id;
    const near = element.closest("[id]");
    const part = element.tagName === "SUMMARY" ? element.parentElement : element;
    if (part.tagName === "DETAILS" && near.tagName === "LI") return near.id;
    const titled = part.tagName === "DETAILS" ? part.querySelector("summary") : part;
    const text = words(titled.querySelector("strong") || titled).replace(/[\d.,▲+-]/g, "");
    return [near.id, part.getAttribute("href") || "", part.getAttribute("aria-label") || "", text].join("|");
  }

  let quiet = 0;
  function tell(text) {
    clearTimeout(quiet);
    mark.textContent = text;
    mark.classList.remove("lost");
    if (text) quiet = setTimeout(() => tell(""), FRESH);
  }

  function lost() {
    clearTimeout(quiet);
    const text = `${mark.dataset.lost} ${clock(heard)}`;
    if (mark.textContent !== text) mark.textContent = text;
    mark.classList.add("lost");
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : ask()));
  addEventListener("online", ask);
  addEventListener("offline", lost);
  addEventListener("pageshow", (event) => event.persisted && ask());
  plan();
})();
