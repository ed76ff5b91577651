/** Values as text and as nodes. */

import { element } from "./element.js";
import { requestAddress } from "./server.js";
import { routeAddress } from "./route.js";

/** @typedef {import("./interface.js").ShownValue} ShownValue */

const numbers = new Intl.NumberFormat("en");

/** @param {number} number */
export const formatNumber = number => numbers.format(number);

/**
 * A number with its noun: `1 commit`, `2 commits`.
 * @param {number} number
 * @param {string} noun
 */
export const formatCount = (number, noun) => `${formatNumber(number)} ${noun}${number === 1 ? "" : "s"}`;

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1024) return formatCount(bytes, "byte");
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let unit = -1;
  for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
  return `${bytes.toFixed(bytes < 10 ? 1 : 0)} ${units[unit]}`;
}

/**
 * A time in the zone of the browser: `2026-11-21 10:00:00`.
 * @param {Date} date
 */
export function formatLocal(date) {
  if (isNaN(date.getTime())) return "outside the calendar";
  const two = number => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `
    + `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/**
 * The time of a commit, with UTC as a tooltip.
 * @param {number} microseconds
 */
export function timeOf(microseconds) {
  const date = new Date(microseconds / 1000);
  if (isNaN(date.getTime())) return element("span", {}, `${microseconds} µs`);
  const utc = date.toISOString();
  return element("time", { datetime: utc, title: `${utc} (UTC)` }, formatLocal(date));
}

// Characters without a shape, or that reorder the text around them. A store may contain them to
// make a value look like another one, so that the page shows their code.
const hidden = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd])/;

/**
 * Text from the store, with marks for characters that have no shape.
 * @param {string} text
 * @returns {Node[]}
 */
export function textNodes(text) {
  return text.split(hidden).filter(part => part).map(part => hidden.test(part)
    ? element("span", { class: "code-point" }, `U+${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)
    : document.createTextNode(part));
}

/**
 * The text of a value. Most dates are whole seconds.
 * @param {ShownValue} value
 */
export const shownText = ({ kind, text }) => kind === "date" ? text.replace(/\.0+Z$/, "Z") : text;

/**
 * A value in one line.
 * @param {ShownValue | undefined} value
 * @param {number} [limit] the largest number of characters
 */
export function shortValue(value, limit = 200) {
  if (!value) return element("span", { class: "none" }, "none");
  if (value.kind === "null") return element("span", { class: "none" }, "null");
  if (value.kind === "bytes") {
    const length = value.length ?? value.text.length / 2;
    return element("span", { class: "bytes" }, value.text.slice(0, 16), length > 8 && "…", " ",
      element("span", { class: "quiet" }, formatBytes(length)));
  }
  if (value.kind === "text" && value.text === "") return element("span", { class: "none" }, "empty");
  const text = shownText(value).slice(0, limit);
  const isCut = text.length < shownText(value).length || value.length !== undefined;
  return element("bdi", { class: `value ${value.kind}` }, textNodes(text), isCut && "…");
}

/**
 * A cell of a table. A relation with one target is a link.
 * @param {ShownValue} value
 * @param {boolean} isRelation
 */
export function cellOf(value, isRelation) {
  const target = isRelation && /^(.+):(\d+)$/.exec(value.text);
  return target ? objectLink(target[1], target[2]) : shortValue(value);
}

/**
 * @param {string} entity
 * @param {string} id
 * @param {string} [label]
 */
export function objectLink(entity, id, label = `${entity} ${id}`) {
  return element("a", { href: routeAddress("object", [entity, id]) }, label);
}

/**
 * A whole value on the page of its object.
 * @param {ShownValue} value
 * @param {Record<string, any>} place the parameters of the request for the whole value
 */
export function wholeValue(value, place) {
  const name = place.property;
  const download = label => element("a", { href: requestAddress("value", place), download: true }, label);
  switch (value.kind) {
  case "bytes": {
    const length = value.length ?? value.text.length / 2;
    const groups = value.text.match(/.{1,8}/g) ?? [];
    return element("div", { class: "whole" },
      value.image && element("img", { src: requestAddress("image", place), alt: `The image in ${name}`, loading: "lazy" }),
      element("p", {}, formatBytes(length), value.image && ` (${value.image})`, ". ", download(`Download ${name}`)),
      length > 0 && element("details", {}, element("summary", {}, `Bytes of ${name}`),
        element("code", { class: "hex" }, groups.join(" "), value.length !== undefined && " …")));
  }
  case "date": {
    const date = new Date(value.text);
    return element("div", { class: "whole" }, element("span", { class: "value date" }, shownText(value)), " ",
      !isNaN(date.getTime()) && element("span", { class: "quiet" }, `${formatLocal(date)} in your time zone`));
  }
  case "list":
  case "map":
    return element("div", { class: "whole" }, element("pre", { class: "json" }, textNodes(prettyJSON(value.text))),
      value.length !== undefined && cutNote(value, download));
  default:
    return element("div", { class: "whole" },
      value.kind === "text" && value.text.length > 120
        ? element("div", { class: "long", dir: "auto" }, textNodes(value.text)) : shortValue(value, Infinity),
      value.length !== undefined && cutNote(value, download));
  }
}

function cutNote(value, download) {
  return element("p", { class: "quiet" }, `The first ${formatNumber([...value.text].length)} of `
    + `${formatNumber(value.length)} characters. `, download("Download the whole value"));
}

// JSON.parse rounds large numbers, so this function moves lines only and leaves all tokens alone.
/** @param {string} text */
export function prettyJSON(text) {
  const tokens = text.match(/"(?:\\.|[^"\\])*"?|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let result = "";
  tokens.forEach((token, index) => {
    const line = () => "\n" + "  ".repeat(Math.max(depth, 0));
    const before = tokens[index - 1];
    if (token === "}" || token === "]") {
      depth--;
      result += before === "{" || before === "[" ? token : line() + token;
    } else {
      if (before === "{" || before === "[" || before === ",") result += line();
      result += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth++;
    }
  });
  return result;
}
