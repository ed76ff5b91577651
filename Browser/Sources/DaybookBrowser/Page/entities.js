/** The navigation, and the views of an entity: its schema and its objects. */

import { element, field, simpleTable } from "./element.js";
import { get } from "./server.js";
import { parseRoute, routeAddress } from "./route.js";
import { formatCount, formatNumber, formatLocal } from "./values.js";
import { RowTable, columnChoice } from "./table.js";
import { quotedName } from "./completion.js";

/** @typedef {import("./interface.js").EntityDescription} EntityDescription */
/** @typedef {import("./main.js").Context} Context */

const views = [["entities", "Entities"], ["query", "Query"], ["commits", "Commits"], ["compare", "Compare"], ["store", "Store"]];

/**
 * The links on the left.
 * @param {EntityDescription[]} entities
 */
export function navigationNodes(entities) {
  const route = parseRoute();
  const current = isCurrent => isCurrent ? "page" : undefined;
  const view = ([name, label]) => element("li", {}, element("a", {
    href: routeAddress(name), "aria-current": current(route.view === name) }, label));
  const entity = ({ name, kind, count }) => element("li", {}, element("a", {
    href: routeAddress(kind === "object" ? "objects" : "schema", [name]),
    "aria-current": current(route.names[0] === name),
  }, element("bdi", { class: "label" }, name), " ",
  element("span", { class: "badge" }, count === undefined ? kind : formatNumber(count))));
  return [
    element("nav", { "aria-label": "Views" }, element("ul", {}, views.map(view))),
    element("nav", { "aria-label": "Entities" }, element("p", { class: "group" }, "Entities"),
      element("ul", {}, entities.map(entity))),
  ];
}

/** All entities. @param {Context} context */
export async function entitiesView({ entities }) {
  const rows = entities.map(({ name, kind, count, properties, relations, indexes }) => [
    element("a", { href: routeAddress(kind === "object" ? "objects" : "schema", [name]) }, element("bdi", {}, name)),
    kind, count === undefined ? "" : formatNumber(count), formatNumber(properties.length), formatNumber(relations.length),
    formatNumber(indexes.length), element("a", { href: routeAddress("schema", [name]), "aria-label": `Schema of ${name}` }, "Schema")]);
  return { title: "Entities", content: [
    entities.length === 0 ? element("p", {}, "The store has no entities at this moment.")
      : simpleTable("Entities", ["Entity", "Kind", "Objects", "Properties", "Relations", "Indexes", "Schema"], rows)] };
}

/** The layout of an entity, and its changes. @param {Context} context */
export async function schemaView({ entities, route, at, signal, rerender }) {
  const entity = entityNamed(entities, route.names[0]);
  const section = (title, columns, rows) => rows.length > 0 && [element("h2", {}, title), simpleTable(title, columns, rows)];
  const schemaLink = name => element("a", { href: routeAddress("schema", [name]) }, name);
  const kinds = { toOne: "to one", toMany: "to many" };
  const count = element("span");
  const showCount = ({ kind, count: number }) => {
    count.textContent = kind === "object" ? `${formatCount(number ?? 0, "object")} at this moment. ` : `The kind of this entity is ${kind}. `;
  };
  showCount(entity);
  // A new commit rarely changes the layout, and must not close the history that the reader opened.
  const layout = each => JSON.stringify({ ...each, count: 0 });
  const refresh = async () => {
    const now = entityNamed(await get("schema", { at }, signal), entity.name);
    if (layout(now) === layout(entity)) showCount(now); else await rerender();
  };
  return { title: `Schema of ${entity.name}`, refresh, content: [
    entityLinks(entity, "schema"),
    element("p", {}, count, entity.primaryKey && `The primary key is ${entity.primaryKey.join(", ")}.`),
    section("Properties", ["Property", "Type", "Optional"], entity.properties.map(property => [
      property.name, element("code", {}, property.type), property.isOptional ? "optional" : ""])),
    section("Relations", ["Relation", "Kind", "Target"], entity.relations.map(relation => [
      relation.name, kinds[relation.kind] ?? relation.kind, schemaLink(relation.target)])),
    section("Backlinks", ["Entity", "Relation"], entity.backlinks.map(backlink => [schemaLink(backlink.entity), backlink.relation])),
    section("Indexes", ["Properties", "Kind", "Unique"], entity.indexes.map(index => [
      index.properties.join(", "), index.kind, index.isUnique ? "unique" : ""])),
    element("h2", {}, "History of the schema"), historyDetails(entity.name, signal),
  ].flat(2) };
}

/** The changes of the schema. The request reads the whole log, so that it waits for the reader. */
function historyDetails(name, signal) {
  const details = element("details", { ontoggle: async () => {
    if (!details.open || details.dataset.loaded) return;
    details.dataset.loaded = "true";
    const state = element("p", { class: "quiet" }, "The server reads the log.");
    details.append(state);
    try {
      const changes = changesOf(name, await get("schema-history", {}, signal));
      state.replaceWith(simpleTable("History of the schema", ["Commit", "Time", "Changes"], changes.map(change => [
        element("a", { href: routeAddress("commit", [change.sequence]) }, formatNumber(change.sequence)),
        formatLocal(new Date(change.microseconds / 1000)), element("ul", {}, change.differences.map(words => element("li", {}, words)))])));
    } catch (error) {
      delete details.dataset.loaded;
      state.replaceWith(element("p", { class: "error", role: "alert" }, error.message));
    }
  } }, element("summary", {}, `Changes of ${name}`));
  return details;
}

/**
 * The changes of an entity, newest first, under its former names too.
 * @param {string} name
 * @param {import("./interface.js").SchemaChangeLine[]} history
 */
function changesOf(name, history) {
  const found = [];
  let current = name;
  for (const change of [...history].reverse()) {
    if (change.entity !== current) continue;
    found.push(change);
    const former = change.differences.map(words => words.match(/^renamed the entity from (.*)$/)?.[1]).find(Boolean);
    if (former) current = former;
  }
  return found;
}

// The table that the page shows, so that a new moment begins at the row that the reader sees.
let latest = { entity: "", /** @type {RowTable | undefined} */ table: undefined };

/** The objects of an entity. @param {Context} context */
export async function objectsView({ entities, route, at, signal, go, isSamePlace, store }) {
  const entity = entityNamed(entities, route.names[0]);
  const columnCount = entity.properties.length + entity.relations.length;
  // A page has the same number of values whatever the number of columns.
  const limit = Math.max(5, Math.min(100, Math.floor(10_000 / (columnCount + 1))));
  const seen = isSamePlace && latest.entity === entity.name ? latest.table?.firstVisibleId : undefined;
  const from = seen ?? route.parameters.from;
  const start = from && /^\d+$/.test(from) ? String(BigInt(from) - (BigInt(from) > 0n ? 1n : 0n)) : "0";
  const load = after => get("objects", { entity: entity.name, after: after || start, limit, at }, signal);
  const first = await load("");

  const count = element("p", { class: "count-line" });
  const showCount = total => { count.textContent = `${formatCount(total, "object")}${start === "0" ? "" : `, from id ${from}`}.`; };
  showCount(first.count);
  const holder = element("div");
  const relations = new Set(entity.relations.filter(relation => relation.kind === "toOne").map(relation => relation.name));
  const columns = columnChoice(entity.name, first.columns, () => build(first));
  const sort = column => go(routeAddress("query", [], { text: `${quotedName(entity.name)} order by ${quotedName(column)}` }));
  const sortable = new Set(entity.properties.map(property => property.name));
  const build = page => {
    latest = { entity: entity.name, table: new RowTable({
      caption: `Objects of ${entity.name}`, entity: entity.name, columns: first.columns, shown: columns.shown(), relations,
      first: page, load, total: first.count, sort: column => (sortable.has(column) || relations.has(column)) && sort(column) }) };
    holder.replaceChildren(page.rows.length ? latest.table.node : element("p", {}, `No ${entity.name} exists at this moment.`));
  };
  build(first);

  const id = element("input", { type: "text", inputmode: "numeric", pattern: "[0-9]+", size: 8, required: true });
  const jump = element("form", { class: "inline", onsubmit: event => {
    event.preventDefault();
    latest.table = undefined;
    go(routeAddress("objects", [entity.name], { from: id.value }));
  } }, field("Go to id", id, "field inline"), element("button", { type: "submit" }, "Go"));
  const reset = start !== "0" && element("a", { href: routeAddress("objects", [entity.name], {}),
    onclick: () => { latest.table = undefined; } }, "From the first object");
  const refresh = async () => {
    const { count: total } = await get("objects", { entity: entity.name, limit: 1, at }, signal);
    showCount(total);
    if (holder.querySelector("table")) await latest.table.refresh(total); else build(await load(""));
  };
  return { title: entity.name, refresh, content: [
    entityLinks(entity, "objects", store.allowsWrites && at === undefined),
    element("div", { class: "bar" }, count, jump, reset, columns.control), holder] };
}

/**
 * @param {EntityDescription} entity
 * @param {string} current
 * @param {boolean} [allowsNew]
 */
function entityLinks(entity, current, allowsNew = false) {
  const tab = (view, label, address = routeAddress(view, [entity.name])) =>
    element("li", {}, element("a", { href: address, "aria-current": view === current ? "page" : undefined }, label));
  return element("nav", { "aria-label": `Views of ${entity.name}`, class: "tabs" }, element("ul", {},
    entity.kind === "object" && tab("objects", "Objects"), tab("schema", "Schema"),
    tab("query", "Query", routeAddress("query", [], { text: quotedName(entity.name) })),
    tab("commits", "Commits", routeAddress("commits", [], { entity: entity.name })),
    allowsNew && tab("new", `New ${entity.name}`)));
}

/**
 * @param {EntityDescription[]} entities
 * @param {string} name
 */
export function entityNamed(entities, name) {
  const entity = entities.find(each => each.name === name);
  if (!entity) throw Object.assign(new Error(`The store has no entity ${name} at this moment.`), { code: "unknownEntity" });
  return entity;
}
