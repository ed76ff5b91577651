/** The use of the bytes of the log, and the consumers that need its history. */

import { element, simpleTable } from "./element.js";
import { routeAddress } from "./route.js";
import { formatBytes, formatCount, formatNumber, timeOf } from "./values.js";
import { workControl } from "./work.js";

/** @typedef {import("./interface.js").MeasurementDescription} Measurement */
/** @typedef {import("./interface.js").MeasuredBytes} MeasuredBytes */

/** @type {[name: keyof MeasuredBytes, label: string, meaning: string][]} */
const parts = [
  ["live", "Live", "newest versions, existing links, and events"],
  ["superseded", "Superseded", "older versions of existing objects and links"],
  ["removed", "Removed", "removed objects and links"],
  ["other", "Other", "commits and layouts"],
];

const sumOf = bytes => parts.reduce((sum, [name]) => sum + bytes[name], 0);

/** @param {AbortSignal} signal */
export function measurementNodes(signal) {
  const control = workControl({ label: "Measure", name: "measurement", unit: "bytes", signal, show: resultNodes });
  return [element("p", {}, "The measurement reads the whole log and tells which records the present state needs. The others are history, which a compaction can drop. It ends when you leave this view."),
    control.start, control.line, control.result];
}

/**
 * @param {Measurement} measurement
 * @returns {Node[]}
 */
function resultNodes({ sequence, total, segments, compactions }) {
  const sum = Math.max(1, sumOf(total));
  const legend = parts.map(([name, label, meaning]) => [
    element("span", { class: "part" }, element("span", { class: `swatch ${name}`, "aria-hidden": "true" }), ` ${label}`), formatBytes(total[name]),
    `${(total[name] / sum * 100).toFixed(1)}%`, meaning]);
  const newestFirst = [...segments].reverse().slice(0, 200);
  const largest = Math.max(1, ...segments.map(segment => sumOf(segment.bytes)));
  return [
    element("p", {}, `At commit ${formatNumber(sequence)}, before compression: ${formatBytes(sumOf(total))}.`),
    stack(total, sum, "total"),
    simpleTable("Bytes of the log by use", ["Use", "Length", "Part", "Records"], legend),
    simpleTable("Bytes of the segments by use, newest first", ["Segment", ...parts.map(([, label]) => label), "Parts"],
      newestFirst.map(({ number, bytes }) => [formatNumber(number), ...parts.map(([name]) => formatBytes(bytes[name])), stack(bytes, largest)]), { class: "sizes" }),
    ...(segments.length > newestFirst.length ? [element("p", { class: "quiet" }, `The newest ${newestFirst.length} of ${formatNumber(segments.length)} segments.`)] : []),
    compactions.length === 0 ? element("p", {}, "No compaction dropped history.")
      : simpleTable("Compactions that dropped history, newest first", ["Commit", "Time", "Kept", "History from"],
        [...compactions].reverse().map(line => [element("a", { href: routeAddress("commit", [line.sequence]) }, formatNumber(line.sequence)),
          timeOf(line.microseconds), policies[line.policy] ?? line.policy, formatNumber(line.historyFloor)])),
  ];
}

const policies = {
  everything: "all versions", since: "everything after the floor", versions: "the newest versions of each object",
  latest: "the last version of each object",
};

/** A bar of all parts. The lengths are next to it as text. */
function stack(bytes, largest, className = "") {
  return element("span", { class: `bar-track stack ${className}`, "aria-hidden": "true" }, parts.map(([name]) => {
    const mark = element("span", { class: `bar-mark ${name}` });
    mark.style.width = `${bytes[name] / largest * 100}%`;
    return mark;
  }));
}

/** @param {import("./interface.js").ConsumerDescription[]} consumers @param {import("./interface.js").Moment | undefined} newest */
export function consumerNodes(consumers, newest) {
  if (consumers.length === 0) return [element("p", {}, "The store has no named consumers.")];
  const behind = ({ lag, microseconds }) => lag === 0 ? "none" : microseconds === undefined || !newest ? "unknown"
    : formatDuration((newest.microseconds - microseconds) / 1e6);
  return [simpleTable("Named consumers", ["Consumer", "Acknowledged", "Time", "Commits behind", "Bytes behind", "Time behind"], consumers.map(consumer =>
    consumer.problem !== undefined ? [consumer.name, element("span", { class: "error" }, consumer.problem), "", "", "", ""]
      : [consumer.name, consumer.sequence === undefined ? "" : formatNumber(consumer.sequence),
        consumer.microseconds === undefined ? "" : timeOf(consumer.microseconds), formatNumber(consumer.lag),
        consumer.lag === 0 ? "none" : `about ${formatBytes(consumer.lagBytes)}`, behind(consumer)])),
  element("p", { class: "quiet" }, "A compaction keeps the changes that a consumer has not acknowledged.")];
}

/** @param {number} seconds */
function formatDuration(seconds) {
  const steps = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const step = steps.find(([, length]) => seconds >= length);
  return step ? formatCount(Math.floor(seconds / step[1]), step[0]) : formatCount(Math.floor(seconds), "second");
}
