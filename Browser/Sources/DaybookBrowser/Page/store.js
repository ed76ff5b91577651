/** The view of the files of the store, and of their verification. */

import { announce, button, element, simpleTable } from "./element.js";
import { get, post } from "./server.js";
import { routeAddress } from "./route.js";
import { formatBytes, formatCount, formatNumber, timeOf } from "./values.js";

/** @typedef {import("./interface.js").StoreReport} StoreReport */
/** @typedef {import("./interface.js").SegmentDescription} Segment */
/** @typedef {import("./main.js").Context} Context */

/** @param {Context} context */
export async function storeView({ store, newest, signal }) {
  const [report, verification] = await Promise.all([get("statistics", {}, signal), get("verification", {}, signal)]);
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
    ["Log", `${formatBytes(stored)}, before compression ${formatBytes(report.logRawBytes)}`],
    ["Access", store.allowsWrites ? "This page can change the store." : "This page only reads the store."],
  ];
  return { title: "Store", refresh: () => {}, content: [
    element("dl", { class: "properties" }, facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    element("h2", {}, "Verification"), verificationNode(verification, signal),
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

const results = {
  none: "Nobody verified the store since the command started.",
  running: "The verification runs.",
  sound: "The store is sound.",
  damaged: "The store is damaged.",
  failed: "The verification failed.",
};

/**
 * @param {import("./interface.js").VerificationDescription} first
 * @param {AbortSignal} signal
 */
function verificationNode(first, signal) {
  const state = element("p", { class: "verification" });
  const progress = element("progress", { max: 1, "aria-label": "Progress of the verification" });
  const lines = element("ul", { class: "lines" });
  const start = button("Verify the store", async () => {
    start.disabled = true;
    try { show(await post("verification")); } catch (error) { state.textContent = error.message; start.disabled = false; }
  });
  const show = verification => {
    const isRunning = verification.state === "running";
    state.textContent = results[verification.state] ?? verification.state;
    state.dataset.state = verification.state;
    progress.hidden = !isRunning;
    progress.value = verification.progress;
    lines.replaceChildren(...verification.lines.map(line => element("li", {}, line)));
    start.disabled = isRunning;
    if (isRunning) setTimeout(poll, 500);
  };
  const poll = async () => {
    // The reader went to another view.
    if (signal.aborted) return;
    try {
      const verification = await get("verification", {}, signal);
      show(verification);
      if (verification.state !== "running") announce(results[verification.state] ?? verification.state);
    } catch (error) {
      if (error.name !== "AbortError") state.textContent = error.message;
    }
  };
  show(first);
  return element("div", {}, state, progress, lines, start);
}
