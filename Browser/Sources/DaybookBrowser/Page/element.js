/**
 * Builds the nodes of the page. No other file creates nodes, and no file parses HTML: text from a
 * store becomes a text node or an attribute, so that markup in it does nothing.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An HTML element. An attribute whose value is a function is a listener, such as `onclick`; true is
 * an empty attribute, and false or undefined is none.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element, with the same rules.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/**
 * A button that does not submit a form.
 * @param {string} label
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(label, action, attributes = {}) {
  return element("button", { type: "button", onclick: action, ...attributes }, label);
}

let fieldCount = 0;

/**
 * A label and its control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [className]
 */
export function field(label, control, className = "field") {
  if (!control.id) control.id = `field-${++fieldCount}`;
  return element("div", { class: className }, element("label", { for: control.id }, label), control);
}

/**
 * A choice of one value.
 * @param {[value: string, label: string][]} choices
 * @param {string} chosen
 * @param {Record<string, any>} [attributes]
 */
export function choice(choices, chosen, attributes = {}) {
  return element("select", attributes,
    choices.map(([value, label]) => element("option", { value, selected: value === chosen }, label)));
}

/**
 * A table with a head. The caption names it for screen readers.
 * @param {string} caption
 * @param {string[]} columns
 * @param {Child[][]} rows
 * @param {Record<string, any>} [attributes]
 */
export function simpleTable(caption, columns, rows, attributes = {}) {
  const table = element("table", attributes,
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", {}, columns.map(name => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.map(row => element("tr", {}, row.map(cell => element("td", {}, cell))))));
  // A table of changes is never wider than the page, and a history has too many of them to stop at each.
  const scrolls = attributes.class !== "changes";
  return element("div", scrolls ? { class: "scroller", role: "region", "aria-label": caption, tabindex: 0 } : { class: "scroller" }, table);
}

/**
 * Says a sentence to screen readers, and shows it at the bottom for some seconds.
 * @param {string} sentence
 */
export function announce(sentence) {
  const status = document.getElementById("status");
  status.textContent = sentence;
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => { status.textContent = ""; }, 6000);
}

let announceTimer = 0;
