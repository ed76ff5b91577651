/** The view of the files of the store, and of their verification. */

import { button, element, simpleTable } from "./element.js";
import { consumerNodes, measurementNodes } from "./measure.js";
import { get } from "./server.js";
import { routeAddress } from "./route.js";
import { formatBytes, formatCount, formatNumber, timeOf } from "./values.js";
import { workControl } from "./work.js";

/** @typedef {import("./interface.js").StoreReport} StoreReport */
/** @typedef {import("./interface.js").SegmentDescription} Segment */
/** @typedef {import("./main.js").Context} Context */

/** @param {Context} context */
export async function storeView({ store, newest, signal }) {
  const report = await get("statistics", {}, signal);
  const stored = report.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const facts = [
    ["Path", element("bdi", {}, store.path)],
    ["Identity", element("code", {}, store.identity)],
    ["Created", timeOf(report.createdMicroseconds)],
    ["Format", String(report.formatVersion)],
    ["Generation", formatNumber(report.generation)],
    ["Newest commit", newest ? element("span", {}, element("a", { href: routeAddress("commit", [newest.sequence]) },
      formatNumber(newest.sequence)), " of ", timeOf(newest.microseconds)) : "none"],
    ["History", store.historyFloor === 0 ? "complete" : `from sequence ${formatNumber(store.historyFloor)}; a compaction dropped the older versions`],
    ["Retention", "The program that writes decides which history a store keeps. The store notes what a compaction kept: see the measurement."],
    ["Log", `${formatBytes(stored)}, before compression ${formatBytes(report.logRawBytes)}`],
    ["Access", store.allowsWrites ? "This page can change the store." : "This page only reads the store."],
  ];
  return { title: "Store", refresh: () => {}, content: [
    element("dl", { class: "properties" }, facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    element("h2", {}, "Verification"), ...verificationNodes(signal),
    element("h2", {}, "Use of the log"), ...measurementNodes(signal),
    element("h2", {}, "Consumers"), ...consumerNodes(report.consumers, newest),
    element("h2", {}, "Files"), kindTable(report),
    element("h2", {}, "Segments"), ...segmentNodes(report.segments),
    element("h2", {}, "Snapshots"), snapshotTable(report),
    element("h2", {}, "Quarantine"), report.quarantine.length === 0
      ? element("p", {}, "No file is in quarantine.")
      : simpleTable("Files in quarantine", ["File", "Length"], report.quarantine.map(file => [element("code", {}, file.name), formatBytes(file.bytes)])),
  ] };
}

/** A bar whose text is next to it, so that the bar needs no name. */
function sizeBar(bytes, largest, className = "") {
  const mark = element("span", { class: `bar-mark ${className}` });
  mark.style.width = `${Math.max(0.5, bytes / Math.max(largest, 1) * 100)}%`;
  return element("span", { class: "bar-track", "aria-hidden": "true" }, mark);
}

/** @param {StoreReport} report */
function kindTable(report) {
  const largest = Math.max(...report.bytesByKind.map(kind => kind.bytes));
  return simpleTable("Lengths of the files by kind", ["Kind", "Length", "Part"], report.bytesByKind.map(kind => [
    kind.name, formatBytes(kind.bytes), sizeBar(kind.bytes, largest)]), { class: "sizes" });
}

/** @param {Segment[]} segments */
function segmentNodes(segments) {
  const largest = Math.max(...segments.map(segment => Math.max(segment.bytes, segment.rawBytes)));
  const row = segment => [formatNumber(segment.number), element("span", { class: `state ${segment.state}` }, segment.state),
    `${formatNumber(segment.firstSequence)} to ${formatNumber(segment.lastSequence)}`, formatNumber(segment.records),
    formatBytes(segment.bytes), formatBytes(segment.rawBytes),
    element("span", { class: "two-bars" }, sizeBar(segment.bytes, largest), sizeBar(segment.rawBytes, largest, "raw"))];
  const columns = ["Segment", "State", "Sequences", "Records", "Stored", "Raw", "Stored and raw"];
  const newestFirst = [...segments].reverse();
  const table = rows => simpleTable("Segments, newest first", columns, rows.map(row), { class: "sizes" });
  const holder = element("div", {}, table(newestFirst.slice(0, 200)));
  const more = segments.length > 200 && button(`Show all ${formatNumber(segments.length)} segments`, () => {
    holder.replaceChildren(table(newestFirst));
  });
  return [element("p", {}, `${formatCount(segments.length, "segment")}. The upper bar is the stored length, and the lower bar the length before compression.`),
    holder, more].filter(Boolean);
}

/** @param {StoreReport} report */
function snapshotTable({ snapshots }) {
  if (snapshots.length === 0) return element("p", {}, "The store has no snapshots.");
  return simpleTable("Snapshots", ["Sequence", "Length", "Use"], snapshots.map(snapshot => [
    formatNumber(snapshot.sequence), formatBytes(snapshot.bytes),
    snapshot.rejection ?? (snapshot.isBase ? "base of newer snapshots" : "usable")]));
}

/** @param {AbortSignal} signal */
function verificationNodes(signal) {
  const control = workControl({ label: "Verify the store", name: "verification", unit: "bytes", signal, show: ({ isSound, lines }) => {
    const state = element("p", { class: "verification" }, isSound ? "The store is sound." : "The store is damaged.");
    state.dataset.state = isSound ? "sound" : "damaged";
    return [state, element("ul", { class: "lines" }, lines.map(line => element("li", {}, line)))];
  } });
  return [element("p", {}, "The verification reads and checks every byte. It ends when you leave this view."), control.start, control.line, control.result];
}
