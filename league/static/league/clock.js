// The round clock: counts down on every screen that shows one, and calls when the rules say so.
//
// Texts and moments come with the page (`.clock[data-ends]`); without this script it shows the time of the end. Sound
// needs a tap first, as browsers demand. Where the page itself is not kept up to date, `data-refresh` is the address
// of the clock's own page, which is fetched now and then.

(() => {
  "use strict";
  const REFRESH = 20000;
  const EARLY_CALL_STANDS = 90000;
  const BEEPS = { called: [660], over: [880, 660, 880] };
  const phases = new Map();
  let audio = null;
  let isLoud = false;

  const two = (number) => String(number).padStart(2, "0");

  function phaseOf(clock, now) {
    if (now >= new Date(clock.dataset.ends)) return "over";
    return clock.dataset.calls && now >= new Date(clock.dataset.calls) ? "called" : "running";
  }

  function tick() {
    for (const clock of document.querySelectorAll(".clock[data-ends]")) show(clock, Date.now());
  }

  function show(clock, now) {
    const seconds = Math.ceil((new Date(clock.dataset.ends) - now) / 1000);
    const phase = phaseOf(clock, now);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const text = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
    write(clock.querySelector(".left"), seconds > 0 ? text : clock.dataset.over);
    const isEarly = phase === "called" && now - new Date(clock.dataset.calls) < EARLY_CALL_STANDS;
    write(clock.querySelector(".call"), phase === "over" ? clock.dataset.call : isEarly ? clock.dataset.early : "");
    clock.querySelector(".left").classList.toggle("over", phase === "over");
    clock.classList.toggle("is-over", phase === "over");
    const before = phases.get(clock.dataset.ends);
    if (before && before !== phase) sound(phase);
    phases.set(clock.dataset.ends, phase);
    const button = clock.querySelector(".sound");
    button.hidden = !("AudioContext" in window);
    button.setAttribute("aria-pressed", String(isLoud));
    write(button, isLoud ? button.dataset.off : button.dataset.on);
  }

  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function sound(phase) {
    if (!isLoud) return;
    (BEEPS[phase] || []).forEach((pitch, place) => beep(pitch, audio.currentTime + place * 0.6));
  }

  function beep(pitch, at) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.4, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  }

  // On the document: the clock may be exchanged together with the page's content. Capturing, so that a tap on the
  // button is not taken for one on the screen.
  addEventListener(
    "click",
    (event) => {
      if (!event.target.closest(".clock .sound")) return;
      event.stopPropagation();
      audio = audio || new AudioContext();
      audio.resume();
      isLoud = !isLoud;
      if (isLoud) beep(660, audio.currentTime);
      tick();
    },
    true,
  );

  async function refresh() {
    const clock = document.querySelector(".clock[data-refresh]");
    if (!clock || document.hidden) return;
    try {
      const answer = await fetch(clock.dataset.refresh, { cache: "no-cache" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.querySelector(".clock") || page.createElement("div");
      if ((next.dataset.ends || "") === (clock.dataset.ends || "")) return;
      next.classList.add("clock");
      next.dataset.refresh = clock.dataset.refresh;
      clock.replaceWith(document.importNode(next, true));
      tick();
    } catch {
      // Without a connection the clock runs on as it was.
    }
  }

  setInterval(tick, 500);
  setInterval(refresh, REFRESH);
  tick();
})();
