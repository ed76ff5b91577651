/** The top bar: the slider over the commits, and the moment that the page shows. */

import { announce, button, element, field } from "./element.js";
import { get } from "./server.js";
import { momentAddress, parseRoute } from "./route.js";
import { formatLocal, formatNumber, timeOf } from "./values.js";

/** @typedef {import("./interface.js").Moment} Moment */

const playMilliseconds = 700;

/**
 * @param {HTMLElement} holder
 * @param {HTMLElement} banner
 * @param {(address: string, options?: {replaces?: boolean}) => Promise<void>} go shows an address
 */
export function makeTimeline(holder, banner, go) {
  let oldest = 0;
  /** @type {Moment | undefined} */
  let newest;
  // The commit that the slider asks for while the page loads another one.
  /** @type {number | undefined} */
  let wanted;
  let isLoading = false;
  let playing = false;
  let lastStep = 0;
  let momentRequest = new AbortController();

  const slider = element("input", { type: "range", id: "slider", step: 1, min: 0, max: 0,
    oninput: () => {
      stop();
      const sequence = Number(slider.value);
      showText(sequence);
      wanted = sequence;
      if (!isLoading) loadWanted();
    } });
  const label = element("output", { for: "slider", class: "moment" });
  const previous = button("Previous", () => { stop(); step(shown() - 1); }, { "aria-label": "Previous commit" });
  const next = button("Next", () => { stop(); step(shown() + 1); }, { "aria-label": "Next commit" });
  const play = button("Play", () => playing ? stop() : start(), { "aria-pressed": "false" });
  const now = button("Now", () => { stop(); go(momentAddress(undefined)); }, { class: "now", "aria-label": "Now: follow new commits" });
  const date = element("input", { type: "datetime-local", step: 1, required: true });
  const jump = element("form", { class: "jump", onsubmit: event => { event.preventDefault(); stop(); jumpTo(new Date(date.value)); } },
    field("Go to time", date, "field inline"), element("button", { type: "submit" }, "Go"));
  holder.replaceChildren(
    element("div", { class: "slider-line" }, element("label", { for: "slider", class: "unseen" }, "Commit"), slider, label),
    element("div", { class: "controls" }, previous, play, next, now, jump));

  // A drag gives an event for each pixel. The page loads one moment at a time, and then the last one.
  async function loadWanted() {
    isLoading = true;
    while (wanted !== undefined) {
      const sequence = wanted;
      wanted = undefined;
      await step(sequence);
    }
    isLoading = false;
  }

  const shown = () => parseRoute().at ?? newest?.sequence ?? 0;

  function step(sequence) {
    const target = Math.min(Math.max(sequence, oldest), newest.sequence);
    // Steps in quick succession are one entry for the Back button.
    // The end of the slider is the newest state, and follows new commits.
    const address = momentAddress(target === newest.sequence ? undefined : target);
    const replaces = Date.now() - lastStep < 1500 && parseRoute().at !== undefined;
    lastStep = Date.now();
    return go(address, { replaces });
  }

  async function start() {
    playing = true;
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
    if (shown() >= newest.sequence) await step(oldest);
    while (playing && shown() < newest.sequence) {
      await new Promise(resolve => setTimeout(resolve, playMilliseconds));
      if (playing) await step(shown() + 1);
    }
    stop();
  }

  function stop() {
    playing = false;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  async function jumpTo(time) {
    if (isNaN(time.getTime())) return;
    try {
      // The input has whole seconds, and means the whole second.
      const moment = await get("moment", { microseconds: time.getTime() * 1000 + 999_999 });
      await go(momentAddress(Math.max(moment.sequence, oldest)));
      announce(`The page shows the store at commit ${formatNumber(moment.sequence)}.`);
    } catch (error) {
      announce(error.message);
    }
  }

  function showText(sequence, microseconds) {
    const parts = [`Commit ${formatNumber(sequence)} of ${formatNumber(newest?.sequence ?? 0)}`];
    if (microseconds !== undefined) parts.push(formatLocal(new Date(microseconds / 1000)));
    label.textContent = parts.join(", ");
    slider.setAttribute("aria-valuetext", label.textContent);
  }

  /** Shows the moment of the route, and marks the page as past. */
  async function show() {
    const { at } = parseRoute();
    momentRequest.abort();
    momentRequest = new AbortController();
    holder.hidden = false;
    // A screen reader says the moment that the reader chose, but not each new commit.
    label.setAttribute("aria-live", at === undefined ? "off" : "polite");
    slider.disabled = play.disabled = !newest;
    const sequence = shown();
    slider.min = String(oldest);
    slider.max = String(newest?.sequence ?? 0);
    // A new commit must not take the slider out of the hand that moves it.
    if (wanted !== undefined) return;
    slider.value = String(sequence);
    previous.disabled = !newest || sequence <= oldest;
    next.disabled = !newest || sequence >= newest.sequence;
    now.setAttribute("aria-pressed", String(at === undefined));
    document.documentElement.toggleAttribute("data-past", at !== undefined);
    banner.hidden = at === undefined;
    if (!newest) { label.textContent = "The store has no commits."; return; }
    if (at === undefined) { showText(sequence, newest.microseconds); return; }
    showText(sequence);
    showBanner(at);
    try {
      const moment = await get("moment", { sequence: at }, momentRequest.signal);
      showText(at, moment.microseconds);
      showBanner(at, moment.microseconds);
    } catch { /* The view explains why the moment cannot be shown. */ }
  }

  function showBanner(at, microseconds) {
    banner.replaceChildren(element("p", {}, "You see the past: the store after ",
      element("strong", {}, `commit ${formatNumber(at)}`), microseconds !== undefined && [" of ", timeOf(microseconds)], ". "),
    element("a", { href: momentAddress(undefined) }, "Return to now"));
  }

  return {
    show,
    /** @param {number} first @param {Moment | undefined} last */
    update(first, last) {
      oldest = first;
      newest = last;
      return show();
    },
  };
}
