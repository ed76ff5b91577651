/** The control of a long request: its button, the progress with the rate, and a way to cancel. */

import { announce, button, element } from "./element.js";
import { work } from "./server.js";
import { formatBytes, formatCount, formatNumber } from "./values.js";

/** @typedef {import("./interface.js").WorkProgress} WorkProgress */

/**
 * The words for an amount of work, by its unit.
 * @type {Record<string, (amount: number) => string>}
 */
const units = {
  bytes: bytes => formatBytes(Math.round(bytes)),
  rows: rows => formatCount(Math.round(rows), "row"),
  commits: commits => formatCount(Math.round(commits), "commit"),
};

/**
 * `42%, 120 MiB, 60 MiB per second`.
 * @param {WorkProgress} progress
 * @param {string} unit a name in {@link units}
 */
export function progressText({ fraction, done, seconds }, unit) {
  const parts = [units[unit](done)];
  if (fraction !== undefined) parts.unshift(`${formatNumber(Math.floor(fraction * 100))}%`);
  // The first moments say nothing about the rate.
  if (done > 0 && seconds > 0.2) parts.push(`${units[unit](done / seconds)} per second`);
  return parts.join(", ");
}

/**
 * A bar with a text and a button that ends the work. It is hidden until `report` is called.
 * @param {string} label
 * @param {string} unit
 * @param {() => void} cancel
 */
export function progressLine(label, unit, cancel) {
  const bar = element("progress", { max: 1, "aria-label": `Progress: ${label}` });
  const text = element("span", { class: "quiet" });
  const node = element("div", { class: "work-line", hidden: true }, bar, text, button("Cancel", cancel, { "aria-label": `Cancel: ${label}` }));
  return { node, hide: () => { node.hidden = true; },
    /** @param {WorkProgress} progress */
    report: progress => {
      node.hidden = false;
      if (progress.fraction === undefined) bar.removeAttribute("value"); else bar.value = progress.fraction;
      text.textContent = progressText(progress, unit);
    } };
}

/**
 * @param {object} options
 * @param {string} options.label the words of the button, and the name of the work
 * @param {string} options.name the name of the request
 * @param {Record<string, any>} [options.parameters]
 * @param {string} options.unit
 * @param {AbortSignal} options.signal aborts when the reader leaves the view
 * @param {(result: any) => (Node | string)[]} options.show the nodes of the result
 */
export function workControl({ label, name, parameters = {}, unit, signal, show }) {
  const result = element("div", { class: "work-result" });
  let cancellation = new AbortController();
  const line = progressLine(label, unit, () => cancellation.abort());
  const start = button(label, async () => {
    start.disabled = true;
    result.replaceChildren();
    cancellation = new AbortController();
    line.report({ done: 0, seconds: 0 });
    try {
      const found = await work(name, parameters, AbortSignal.any([signal, cancellation.signal]), line.report);
      result.replaceChildren(...show(found));
      announce(`Finished: ${label}.`);
    } catch (error) {
      const isCancelled = error.name === "AbortError";
      result.replaceChildren(element("p", { class: isCancelled ? "quiet" : "error", role: "alert" }, isCancelled ? "Cancelled." : error.message));
    }
    line.hide();
    start.disabled = false;
  });
  return { start, line: line.node, result };
}
