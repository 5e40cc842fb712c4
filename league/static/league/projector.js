// The hall's screen: one picture at a time, the next after `?every=` seconds (12 by default, 3 to 300).
//
// Space, a tap or the button holds the picture, the arrow keys turn it by hand. live.js exchanges what is in <main>
// whenever something new is published; the picture that was shown stays, and without a connection so does everything.

(() => {
  "use strict";
  const main = document.querySelector("main");
  const count = document.querySelector(".count");
  const button = document.querySelector(".pause");
  const asked = Number(new URLSearchParams(location.search).get("every"));
  const every = 1000 * (asked ? Math.min(Math.max(asked, 3), 300) : 12);
  let at = 0;
  let isHeld = false;
  let turner = 0;

  const slides = () => [...main.querySelectorAll(".slide")];

  function show() {
    const all = slides();
    at = all.length ? (at + all.length) % all.length : 0;
    all.forEach((slide, place) => slide.classList.toggle("current", place === at));
    count.textContent = all.length > 1 ? `${at + 1} / ${all.length}` : "";
    button.hidden = all.length < 2;
    fit();
  }

  // Long names and announcements make the picture higher than the screen, which does not scroll: everything is smaller.
  function fit() {
    const { style } = document.body;
    style.removeProperty("--part");
    if (innerHeight > innerWidth) return;
    for (let part = 95; part >= 40 && document.documentElement.scrollHeight > innerHeight; part -= 5) {
      style.setProperty("--part", part / 100);
    }
  }

  function turn(by) {
    at += by;
    show();
    plan();
  }

  function plan() {
    clearTimeout(turner);
    if (!isHeld) turner = setTimeout(() => turn(1), every);
  }

  function hold() {
    isHeld = !isHeld;
    button.textContent = isHeld ? button.dataset.go : button.dataset.pause;
    button.setAttribute("aria-pressed", String(isHeld));
    plan();
  }

  document.documentElement.classList.add("paging");
  new MutationObserver(show).observe(main, { childList: true });
  button.addEventListener("click", hold);
  main.addEventListener("click", hold);
  addEventListener("keydown", (event) => {
    if (event.target.closest("button, a")) return;
    if (event.key === " ") event.preventDefault();
    if (event.key === " ") hold();
    if (event.key === "ArrowRight") turn(1);
    if (event.key === "ArrowLeft") turn(-1);
  });
  addEventListener("resize", fit);
  document.fonts.ready.then(fit);
  show();
  plan();
})();
