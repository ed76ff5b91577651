/** The view of a query: its text, its result, its plan, and a chart of groups. */

import { choice, drawing, element, field } from "./element.js";
import { ProblemError, get, requestAddress } from "./server.js";
import { routeAddress } from "./route.js";
import { formatBytes, formatCount, formatNumber } from "./values.js";
import { RowTable, columnChoice } from "./table.js";
import { completedInput, quotedName } from "./completion.js";
import { workControl } from "./work.js";

/** @typedef {import("./interface.js").QueryResult} QueryResult */
/** @typedef {import("./interface.js").PlanStep} PlanStep */
/** @typedef {import("./main.js").Context} Context */

/** @param {Context} context */
export async function queryView({ entities, route, at, signal, go }) {
  const text = route.parameters.text ?? "";
  const limit = Number(route.parameters.limit ?? 200);
  const input = element("input", { type: "text", value: text, name: "text", placeholder: example(entities), "aria-describedby": "query-error" });
  const error = element("div", { id: "query-error", class: "query-error" });
  const form = element("form", { class: "query", role: "search", "aria-label": "Query", onsubmit: event => {
    event.preventDefault();
    go(routeAddress("query", [], { text: input.value }));
  } }, element("label", { for: "query-text" }, "Query"), element("div", { class: "query-line" },
    completedInput(Object.assign(input, { id: "query-text" }), () => entities),
    element("button", { type: "submit", class: "primary" }, "Run")), error);

  const result = element("div", { class: "result" });
  if (!text.trim()) {
    result.append(element("p", { class: "quiet" }, "A query names an entity, then a condition, an order, and the values to show. "
      + "The arrow keys choose a suggestion."));
    return { title: "Query", content: [form, result], focus: input, refresh: () => {} };
  }
  const fill = async () => {
    const [answer, plan] = await Promise.all([
      get("query", { text, limit, at }, signal), get("plan", { text, at }, signal)]);
    result.replaceChildren(...resultNodes(answer, { text, limit, at, entities, signal, go }), element("h2", {}, "Plan"), planTree(plan));
  };
  try {
    await fill();
  } catch (problem) {
    if (!(problem instanceof ProblemError) || problem.status !== 400) throw problem;
    input.setAttribute("aria-invalid", "true");
    error.append(...errorNodes(text, problem));
    return { title: "Query", content: [form, result], focus: input, refresh: () => {} };
  }
  // A new commit replaces the result, but neither the line nor rows that somebody is reading.
  const isRead = () => result.contains(document.activeElement) || result.querySelector(".work-line:not([hidden])") || (result.querySelector(".rows-scroller")?.scrollTop ?? 0) > 0;
  return { title: "Query", content: [form, result], refresh: async () => { if (!isRead()) await fill(); } };
}

function example(entities) {
  const entity = entities.find(each => each.kind === "object" && each.properties.length);
  return entity ? `${quotedName(entity.name)} where ${quotedName(entity.properties[0].name)} is not nil limit 10` : "";
}

/** Marks the place of an error, which the server counts in characters. */
function errorNodes(text, problem) {
  const place = problem.offset;
  const nodes = [element("p", { role: "alert", class: "error" }, problem.message)];
  if (place === undefined) return nodes;
  const characters = [...new Intl.Segmenter("en").segment(text)].map(part => part.segment);
  nodes.unshift(element("p", { class: "error-place" }, element("bdi", {}, characters.slice(0, place).join("")),
    element("mark", { "aria-label": "the place of the error" }, characters[place] ?? " "), characters.slice(place + 1).join("")));
  return nodes;
}

/**
 * @param {QueryResult} answer
 * @returns {Node[]}
 */
function resultNodes(answer, { text, limit, at, entities, signal, go }) {
  const entity = entities.find(each => each.name === answer.entity);
  const relations = new Set(answer.areObjects ? entity?.relations.filter(each => each.kind === "toOne").map(each => each.name) : []);
  const holder = element("div");
  const chooser = columnChoice(answer.areObjects ? answer.entity : text, answer.columns, () => build(answer));
  const ordering = answer.areObjects ? orderingOf(text) : undefined;
  const load = async () => ({ rows: (await get("query", { text, limit, at }, signal)).rows });
  const build = ({ rows }) => {
    const table = new RowTable({
      caption: "Result of the query", entity: answer.entity, columns: answer.columns, shown: chooser.shown(), relations,
      first: { rows }, load, total: answer.hasMore ? undefined : rows.length, sorted: ordering?.sorted,
      sort: ordering && (column => go(routeAddress("query", [], { text: ordering.by(column) }))) });
    holder.replaceChildren(rows.length ? table.node : element("p", {}, "The query finds nothing at this moment."));
  };
  build(answer);
  const exports = [["jsonl", "Export JSON lines"], ["csv", "Export CSV"]].map(([format, label]) => workControl({
    label, name: "export", parameters: { text, format, at }, unit: "rows", signal, show: ({ ticket, rows, bytes }) => {
      element("a", { href: requestAddress("export-file", { ticket }), download: true }).click();
      return [element("p", { class: "quiet" }, `Exported ${formatCount(rows, "row")}, ${formatBytes(bytes)}.`)];
    } }));
  const noun = answer.areObjects ? "object" : "row";
  return [
    element("h2", {}, "Result"),
    element("div", { class: "bar" },
      element("p", { class: "count-line" }, answer.hasMore ? `The first ${formatCount(answer.rows.length, noun)}.`
        : `${formatCount(answer.rows.length, noun)}.`),
      answer.hasMore && answer.rows.length >= limit
        && element("a", { class: "button", href: routeAddress("query", [], { text, limit: limit * 5 }) }, "Show more"),
      answer.hasMore && answer.rows.length < limit && element("p", {}, "The page shows no more. An export has all rows."),
      ...exports.map(each => each.start), chooser.control),
    ...exports.flatMap(each => [each.line, each.result]), holder, ...(answer.areObjects ? [] : chartNodes(answer))];
}

/** How a click on a column changes the order; undefined if the query has clauses after the order. */
function orderingOf(text) {
  const pattern = /\s+order by (`[^`]+`|[\p{L}\p{N}_]+)( desc| asc)?\s*$/iu;
  const match = pattern.exec(text);
  const base = text.replace(pattern, "");
  if (/\b(order by|limit|offset|select|group by|distinct by)\b/i.test(base)) return undefined;
  const sorted = match ? { column: match[1].replaceAll("`", ""), isDescending: match[2]?.trim() === "desc" } : undefined;
  return { sorted, by: column => `${base.trim()} order by ${quotedName(column)}`
    + (sorted?.column === column && !sorted.isDescending ? " desc" : "") };
}

/**
 * The plan as a tree. The bars compare the numbers of objects within the plan.
 * @param {PlanStep} plan
 */
function planTree(plan) {
  const numbers = step => [step.estimate ?? 0, step.found ?? 0, ...step.steps.flatMap(numbers)];
  const largest = Math.max(1, ...numbers(plan));
  const bar = (label, value) => {
    if (value === undefined) return null;
    const mark = element("span", { class: `bar-mark ${label}` });
    mark.style.width = `${Math.max(1, value / largest * 100)}%`;
    return element("span", { class: "bar-line" }, element("span", { class: "bar-label" }, `${label} ${formatNumber(value)}`),
      element("span", { class: "bar-track" }, mark));
  };
  const item = step => element("li", {}, element("div", { class: "step" },
    element("span", { class: "step-text" }, step.text, step.index && [" ", element("code", {}, step.index)]),
    bar("estimate", step.estimate), bar("found", step.found)),
  step.steps.length > 0 && element("ul", {}, step.steps.map(item)));
  return element("ul", { class: "plan", "aria-label": "Plan" }, item(plan));
}

/**
 * A bar for each group: the first column names it, and a column with numbers gives its length.
 * @param {QueryResult} answer
 */
function chartNodes({ columns, rows }) {
  const numeric = columns.map((name, index) => ({ name, index })).filter(({ index }) => index > 0
    && rows.some(row => isNumber(row.values[index])) && rows.every(row => isNumber(row.values[index]) || row.values[index].kind === "null"));
  if (rows.length < 2 || numeric.length === 0) return [];
  const holder = element("div");
  const select = choice(numeric.map(({ name, index }) => [String(index), name]), String(numeric[0].index), { onchange: () => draw() });
  const draw = () => holder.replaceChildren(chart(columns, rows.slice(0, 40), Number(select.value)));
  draw();
  return [element("h2", {}, "Chart"), field("Length of the bars", select, "field inline"), holder,
    rows.length > 40 && element("p", { class: "quiet" }, "The first 40 groups.")].filter(Boolean);
}

const isNumber = value => ["integer", "number", "decimal"].includes(value.kind);

function chart(columns, rows, index) {
  const values = rows.map(row => Number(row.values[index].text) || 0);
  const low = Math.min(0, ...values);
  const scale = 480 / ((Math.max(0, ...values) - low) || 1);
  const zero = 200 - low * scale;
  const bars = rows.map((row, line) => {
    const label = row.values[0].kind === "null" ? "null" : row.values[0].text;
    const [width, y] = [Math.max(1, Math.abs(values[line]) * scale), line * 26];
    return [
      drawing("text", { x: 190, y: y + 17, "text-anchor": "end" }, label.length > 24 ? `${label.slice(0, 23)}…` : label),
      drawing("rect", { x: values[line] < 0 ? zero - width : zero, y: y + 4, width, height: 18, rx: 2 }),
      drawing("text", { x: Math.max(zero, zero + values[line] * scale) + 6, y: y + 17, class: "number" }, row.values[index].text)];
  });
  return drawing("svg", { class: "chart", viewBox: `0 0 800 ${rows.length * 26}`, role: "img",
    "aria-label": `Bar chart of ${columns[index]} by ${columns[0]}. The table above contains the numbers.` }, bars.flat());
}
