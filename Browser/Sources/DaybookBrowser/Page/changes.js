/** Differences: of a property, of an object, and between two moments. */

import { button, choice, element, field, simpleTable } from "./element.js";
import { get } from "./server.js";
import { parseRoute, routeAddress } from "./route.js";
import { formatCount, formatNumber, objectLink, shortValue, textNodes, timeOf } from "./values.js";

/** @typedef {import("./interface.js").ValueChange} ValueChange */
/** @typedef {import("./interface.js").ObjectChangeDescription} ObjectChange */
/** @typedef {import("./interface.js").CommitLine} CommitLine */

/**
 * A table of changed properties.
 * @param {ValueChange[]} changes
 * @param {string} caption
 */
export function changeTable(changes, caption) {
  if (changes.length === 0) return element("p", { class: "quiet" }, "No property changed.");
  const row = change => [element("span", { class: "property" }, change.name), ...bothSides(change)];
  const table = simpleTable(caption, ["Property", "Before", "After"], changes.slice(0, 100).map(row), { class: "changes" });
  if (changes.length <= 100) return table;
  const more = button(`Show all ${formatNumber(changes.length)} properties`, () => {
    more.replaceWith(simpleTable(`${caption}, others`, ["Property", "Before", "After"], changes.slice(100).map(row), { class: "changes" }));
  });
  return element("div", {}, table, more);
}

/** @param {ValueChange} change */
function bothSides({ before, after }) {
  const isText = before?.kind === "text" && after?.kind === "text" && before.text && after.text;
  if (!isText) return [shortValue(before, 400), shortValue(after, 400)];
  const parts = textDifference(before.text, after.text);
  const side = (name, kept) => element("bdi", { class: "value text" }, parts.filter(part => part.kind === "same" || part.kind === kept)
    .map((part, index, all) => part.kind === "same"
      ? element("span", {}, textNodes(shortened(part.text, index > 0, index < all.length - 1)))
      : element(name, {}, textNodes(part.text))));
  return [side("del", "removed"), side("ins", "added")];
}

/** Leaves the ends of an unchanged part that touch a change. */
function shortened(text, hasBefore, hasAfter) {
  const keep = 60;
  if (text.length <= 3 * keep) return text;
  const [head, tail] = [text.slice(0, keep).replace(/\S*$/, ""), text.slice(-keep).replace(/^\S*/, "")];
  return (hasBefore ? head : "") + " … " + (hasAfter ? tail : "");
}

/**
 * The parts of two texts by words: the same, removed, or added.
 * @param {string} before
 * @param {string} after
 * @returns {{kind: "same" | "removed" | "added", text: string}[]}
 */
export function textDifference(before, after) {
  const [a, b] = [before, after].map(text => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const parts = [];
  const add = (kind, text) => {
    if (!text) return;
    if (parts.at(-1)?.kind === kind) parts.at(-1).text += text;
    else parts.push({ kind, text });
  };
  add("same", a.slice(0, start).join(""));
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  // The table of common subsequences needs the product of both lengths, so that larger parts count
  // as wholly changed.
  if (left.length * right.length > 250_000) {
    add("removed", left.join(""));
    add("added", right.join(""));
  } else {
    for (const [kind, word] of commonWords(left, right)) add(kind, word);
  }
  add("same", a.slice(a.length - end).join(""));
  return parts;
}

function* commonWords(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { yield ["same", a[i]]; i++; j++; }
    else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) yield ["removed", a[i++]];
    else yield ["added", b[j++]];
  }
}

/**
 * The changes of an object, under a heading with a link to it.
 * @param {ObjectChange} change
 * @param {string} headingName such as `h3`
 */
export function objectChange(change, headingName) {
  const title = `${change.entity} ${change.id}`;
  return element("section", { class: "object-change" },
    element(headingName, {}, kindMark(change.kind), " ",
      change.kind === "event" ? title : objectLink(change.entity, change.id)),
    changeTable(change.changes, `Changes of ${title}`));
}

const kindWords = { insert: "inserted", update: "updated", remove: "removed", put: "stored", event: "event", link: "linked", unlink: "unlinked" };

/** @param {string} kind */
export function kindMark(kind) {
  return element("span", { class: `kind ${kind}` }, kindWords[kind] ?? kind);
}

/**
 * The author, the other metadata and the numbers of changes of a commit.
 * @param {CommitLine} commit
 */
export function commitFacts(commit) {
  return element("span", { class: "facts" },
    timeOf(commit.microseconds),
    element("span", { class: "author" }, commit.author === undefined
      ? element("span", { class: "quiet" }, "no author") : element("bdi", {}, textNodes(commit.author))),
    commit.metadata.map(entry => element("span", { class: "metadata" }, element("bdi", {}, textNodes(entry.key)), ": ",
      element("bdi", {}, textNodes(entry.value)))),
    commit.counts.map(count => element("span", { class: "count" },
      `${count.name} `, kindMark(count.kind), ` ${formatNumber(count.count)}`)));
}

/**
 * The view of the differences between two moments.
 * @param {import("./main.js").Context} context
 */
export async function compareView({ entities, newest, oldest, signal, go }) {
  const { parameters, at } = parseRoute();
  const objects = entities.filter(entity => entity.kind === "object");
  const last = at ?? newest?.sequence ?? 0;
  const chosen = parameters.entity ?? objects[0]?.name ?? "";
  const from = parameters.from ?? String(Math.max(oldest, last - 10));
  const to = parameters.to ?? String(last);
  const limit = Number(parameters.limit ?? 100);

  const inputs = {
    entity: choice(objects.map(entity => [entity.name, entity.name]), chosen, { name: "entity" }),
    from: element("input", { type: "number", name: "from", min: oldest, max: newest?.sequence ?? 0, value: from, required: true }),
    to: element("input", { type: "number", name: "to", min: oldest, max: newest?.sequence ?? 0, value: to, required: true }),
  };
  const form = element("form", { class: "bar", onsubmit: event => {
    event.preventDefault();
    go(routeAddress("compare", [], { entity: inputs.entity.value, from: inputs.from.value, to: inputs.to.value }));
  } }, field("Entity", inputs.entity), field("From sequence", inputs.from), field("To sequence", inputs.to),
  element("button", { type: "submit", class: "primary" }, "Compare"));

  const content = [element("p", {}, "The objects of an entity that differ between two moments."), form];
  if (!chosen) return { title: "Compare", content: [element("p", {}, "The store has no objects.")] };
  const comparison = await get("compare", { entity: chosen, from, to, limit }, signal);
  const total = comparison.inserted + comparison.updated + comparison.removed;
  content.push(element("h2", {}, `From sequence ${formatNumber(Number(from))} to ${formatNumber(Number(to))}`),
    element("p", { class: "totals" }, kindMark("insert"), ` ${formatNumber(comparison.inserted)} `,
      kindMark("update"), ` ${formatNumber(comparison.updated)} `, kindMark("remove"), ` ${formatNumber(comparison.removed)}`),
    total === 0 && element("p", {}, `No ${chosen} differs.`),
    ...comparison.objects.map(change => objectChange(change, "h3")),
    comparison.hasMore && element("p", {}, `The first ${formatCount(comparison.objects.length, "object")}. `,
      comparison.objects.length < limit ? "The page shows no more."
        : element("a", { href: routeAddress("compare", [], { entity: chosen, from, to, limit: limit * 5 }) }, "Show more")));
  // A comparison of two named moments does not change with a new commit.
  return { title: `Compare ${chosen}`, content, refresh: () => {} };
}
