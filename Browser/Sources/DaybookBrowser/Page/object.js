/** The view of an object: its values, its links, and its history. */

import { button, element } from "./element.js";
import { get } from "./server.js";
import { momentAddress, routeAddress } from "./route.js";
import { formatCount, formatNumber, objectLink, textNodes, wholeValue } from "./values.js";
import { changeTable, commitFacts, kindMark } from "./changes.js";
import { removeControl, restoreControl } from "./edit.js";

/** @typedef {import("./interface.js").ObjectDescription} ObjectDescription */
/** @typedef {import("./interface.js").VersionDescription} VersionDescription */
/** @typedef {import("./main.js").Context} Context */

/** @param {Context} context */
export async function objectView(context) {
  const { route, at, signal, store, rerender } = context;
  const [entity, id] = route.names;
  const title = `${entity} ${id}`;
  const history = await get("history", { entity, id, limit: 20, before: at === undefined ? undefined : at + 1 }, signal);
  let object;
  let absence;
  try {
    object = await get("object", { entity, id, at }, signal);
  } catch (problem) {
    // A removed object still has a history.
    if (problem.status !== 404 || history.versions.length === 0) throw problem;
    absence = problem;
  }
  const allowsWrites = store.allowsWrites && at === undefined;
  const content = [
    element("p", { class: "crumbs" }, element("a", { href: routeAddress("objects", [entity]) }, `All objects of ${entity}`)),
    ...(object ? objectNodes(object, at) : [element("p", { class: "notice" }, absence.message)]),
    object && allowsWrites && element("div", { class: "bar" },
      element("a", { class: "button", href: routeAddress("edit", [entity, id]) }, `Edit ${title}`),
      removeControl(context, entity, id)),
    element("h2", { id: "history" }, "History"),
    historyNodes(context, entity, id, history),
  ];
  const refresh = async () => {
    const newer = await get("history", { entity, id, limit: 1 }, signal);
    if (newer.versions[0]?.commit.sequence !== history.versions[0]?.commit.sequence) rerender();
  };
  return { title, content, refresh };
}

/**
 * @param {ObjectDescription} object
 * @param {number | undefined} at
 */
function objectNodes(object, at) {
  const { entity, id } = object;
  const term = ({ name, value }) => [element("dt", {}, name),
    element("dd", {}, wholeValue(value, { entity, id, property: name, at }))];
  const properties = element("dl", { class: "properties" }, object.properties.slice(0, 200).flatMap(term));
  const more = object.properties.length > 200 && button(`Show all ${formatNumber(object.properties.length)} properties`, () => {
    properties.append(...object.properties.slice(200).flatMap(term));
    more.remove();
  });
  return [
    element("p", {}, "Version of ", element("a", { href: routeAddress("commit", [object.sequence]) }, `commit ${formatNumber(object.sequence)}`), "."),
    element("h2", {}, "Properties"), properties, more,
    object.relations.length > 0 && element("h2", {}, "Relations"), linkList(object.relations, "This object links to nothing."),
    object.backlinks.length > 0 && element("h2", {}, "Backlinks"),
    linkList(object.backlinks, "No object links to this one.", ({ entity: source, name }) => `${source}.${name}`),
  ];
}

/**
 * @param {import("./interface.js").LinkedObjects[]} groups
 * @param {string} emptiness
 */
function linkList(groups, emptiness, label = group => group.name) {
  if (groups.length === 0) return null;
  const links = group => group.ids.map((id, index) => element("li", {},
    group.keys[index] !== undefined && [element("bdi", { class: "key" }, textNodes(group.keys[index])), ": "],
    objectLink(group.entity, id)));
  const others = ({ count, ids }) => count === undefined ? element("li", { class: "quiet" }, "and more")
    : count > ids.length && element("li", { class: "quiet" }, `and ${formatNumber(count - ids.length)} others`);
  return element("dl", { class: "properties" }, groups.flatMap(group => [element("dt", {}, label(group)),
    element("dd", {}, group.ids.length === 0 ? element("span", { class: "none", title: emptiness }, "none")
      : element("ul", { class: "links" }, links(group), others(group)))]));
}

/**
 * @param {Context} context
 * @param {string} entity
 * @param {string} id
 * @param {import("./interface.js").HistoryPage} first
 */
function historyNodes(context, entity, id, first) {
  const list = element("ol", { class: "history", "aria-label": `Versions of ${entity} ${id}, newest first` });
  const end = element("p", { class: "quiet" });
  const more = button("Show older versions", async () => {
    more.disabled = true;
    try {
      show(await get("history", { entity, id, limit: 20, before: more.dataset.before }, context.signal));
    } catch (error) {
      end.textContent = error.message;
    }
    more.disabled = false;
  });
  const show = page => {
    const old = list.children.length;
    list.append(...page.versions.map((version, index) => versionItem(context, entity, id, version, old + index)));
    if (old > 0) list.children[old]?.querySelector("a")?.focus();
    more.hidden = page.next === undefined;
    more.dataset.before = page.next;
    if (page.next === undefined) {
      end.textContent = page.isTruncated ? "A compaction dropped the older versions."
        : `${formatCount(list.children.length, "version")}. The history is complete.`;
    }
  };
  show(first);
  return element("div", {}, list, more, end);
}

/** @param {VersionDescription} version */
function versionItem(context, entity, id, version, index) {
  const { sequence } = version.commit;
  const { at, store } = context;
  const isNewest = at === undefined && index === 0;
  const heading = element("h3", {}, kindMark(version.kind), " ",
    element("a", { href: routeAddress("commit", [sequence]) }, `Commit ${formatNumber(sequence)}`));
  return element("li", { class: `version ${version.kind}` }, heading,
    element("p", {}, commitFacts(version.commit)),
    changeTable(version.changes, `Changes of commit ${sequence}`),
    element("div", { class: "bar" },
      at !== sequence && element("a", { class: "button", href: momentAddress(sequence),
        "aria-label": `Show the store at this version, commit ${sequence}` }, "Show the store at this version"),
      !isNewest && version.kind !== "remove" && store.allowsWrites && restoreControl(context, entity, id, sequence)));
}
