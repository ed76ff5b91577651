/** Changes to the store: forms and confirmations. The page has them only if the server allows writes. */

import { announce, button, element, field } from "./element.js";
import { get, post } from "./server.js";
import { routeAddress } from "./route.js";
import { formatNumber } from "./values.js";
import { entityNamed } from "./entities.js";

/** @typedef {import("./main.js").Context} Context */

const authorKey = "daybook.author";

/** @returns {string | undefined} */
const author = () => sessionStorage.getItem(authorKey) || undefined;

function authorField() {
  return field("Author of the commit", element("input", { type: "text", value: author() ?? "", autocomplete: "off",
    oninput: event => sessionStorage.setItem(authorKey, event.target.value) }));
}

/** The form of a new object. @param {Context} context */
export async function newView(context) {
  const entity = entityNamed(context.entities, context.route.names[0]);
  const values = entity.properties.map(property => ({ name: property.name, value: { kind: "null", text: "" } }));
  return { title: `New ${entity.name}`, content: [putForm(context, entity, undefined, values)], refresh: () => {} };
}

/** The form of an existing object. @param {Context} context */
export async function editView(context) {
  const entity = entityNamed(context.entities, context.route.names[0]);
  const id = context.route.names[1];
  const object = await get("object", { entity: entity.name, id }, context.signal);
  return { title: `Edit ${entity.name} ${id}`, content: [putForm(context, entity, id, object.properties)], refresh: () => {} };
}

/**
 * @param {Context} context
 * @param {import("./interface.js").EntityDescription} entity
 * @param {string | undefined} id
 * @param {import("./interface.js").NamedValue[]} values
 */
function putForm(context, entity, id, values) {
  const types = new Map(entity.properties.map(property => [property.name, property]));
  const fields = values.map(({ name, value }) => valueField(name, value, types.get(name), id === undefined));
  const error = element("p", { role: "alert", class: "error" });
  const visible = element("div", { class: "value-fields" }, fields.slice(0, 200).map(each => each.node));
  const more = fields.length > 200 && button(`Show all ${formatNumber(fields.length)} properties`, () => {
    visible.append(...fields.slice(200).map(each => each.node));
    more.remove();
  });
  return element("form", { class: "edit", onsubmit: async event => {
    event.preventDefault();
    error.textContent = "";
    const changed = fields.map(each => each.written()).filter(Boolean);
    if (changed.length === 0 && id !== undefined) {
      error.textContent = "No value differs.";
      return;
    }
    try {
      const result = await post("put", { entity: entity.name, id, values: changed, author: author() });
      announce(`Commit ${formatNumber(result.sequence)} stores ${entity.name} ${result.id}.`);
      context.go(routeAddress("object", [entity.name, result.id], { at: undefined }));
    } catch (problem) {
      error.textContent = problem.message;
    }
  } }, visible, more, authorField(), error, element("div", { class: "bar" },
    element("button", { type: "submit", class: "primary" }, id === undefined ? `Store a new ${entity.name}` : "Store the changes"),
    element("a", { class: "button", href: routeAddress(id === undefined ? "objects" : "object", id === undefined ? [entity.name] : [entity.name, id]) }, "Cancel")));
}

/**
 * @param {string} name
 * @param {import("./interface.js").ShownValue} value
 * @param {import("./interface.js").PropertyDescription | undefined} property
 * @param {boolean} isNew
 */
function valueField(name, value, property, isNew) {
  const wasNull = value.kind === "null";
  // An input of one line drops line breaks.
  const isLong = value.text.length > 60 || /[\r\n]/.test(value.text) || value.kind === "list" || value.kind === "map";
  // The page has only a part of a long value, and must not store this part as the whole.
  const isCut = value.length !== undefined;
  const input = isLong ? element("textarea", { rows: 4, disabled: isCut }, value.text)
    : element("input", { type: "text", value: value.text, autocomplete: "off" });
  const nullBox = element("input", { type: "checkbox", checked: wasNull && !isNew, "aria-label": `${name} is null`, onchange: () => {
    input.disabled = nullBox.checked || isCut;
  } });
  input.disabled = nullBox.checked || isCut;
  // A control normalizes line breaks, and this is no change by the reader.
  const initial = input.value;
  const node = element("div", { class: "value-field" }, field(property ? `${name} (${property.type})` : name, input),
    property?.isOptional && element("label", { class: "null-box" }, nullBox, " null"),
    isCut && element("p", { class: "quiet" }, "The value is too long for the page. It keeps its value."));
  const written = () => {
    if (nullBox.checked) return wasNull && !isNew ? undefined : { name };
    if (isCut) return undefined;
    if (isNew) return input.value === "" && property?.isOptional ? undefined : { name, text: input.value };
    return input.value !== initial || wasNull ? { name, text: input.value } : undefined;
  };
  return { node, written };
}

/**
 * A button that asks in place before it acts, because a dialog of the browser stops the page.
 * @param {string} label
 * @param {string} question
 * @param {() => Promise<void>} action
 */
function confirmedControl(label, question, action) {
  const error = element("p", { role: "alert", class: "error" });
  const start = button(label, () => {
    holder.replaceChildren(panel);
    panel.querySelector("input").focus();
  });
  const cancel = () => {
    holder.replaceChildren(start);
    start.focus();
  };
  const panel = element("form", { class: "confirmation", onsubmit: async event => {
    event.preventDefault();
    error.textContent = "";
    try { await action(); } catch (problem) { error.textContent = problem.message; }
  }, onkeydown: event => { if (event.key === "Escape") cancel(); } }, element("p", {}, question), authorField(), error,
  element("div", { class: "bar" }, element("button", { type: "submit", class: "primary" }, label), button("Cancel", cancel)));
  const holder = element("div", { class: "confirmed" }, start);
  return holder;
}

/** @param {Context} context @param {string} entity @param {string} id */
export function removeControl(context, entity, id) {
  return confirmedControl(`Remove ${entity} ${id}`, `Remove ${entity} ${id}? Its versions stay in the history.`, async () => {
    const { sequence } = await post("remove", { entity, id, author: author() });
    announce(`Commit ${formatNumber(sequence)} removes ${entity} ${id}.`);
    context.go(routeAddress("objects", [entity], { at: undefined }));
  });
}

/** @param {Context} context @param {string} entity @param {string} id @param {number} sequence */
export function restoreControl(context, entity, id, sequence) {
  return confirmedControl("Put this version back", `Store the values of commit ${formatNumber(sequence)} as a new version of ${entity} ${id}?`, async () => {
    const result = await post("restore", { entity, id, sequence, author: author() });
    announce(`Commit ${formatNumber(result.sequence)} puts the version of commit ${formatNumber(sequence)} back.`);
    context.go(routeAddress("object", [entity, id], { at: undefined }));
  });
}

/** @param {Context} context @param {number} sequence */
export function undoControl(context, sequence) {
  return confirmedControl("Undo this commit", `Store a new commit that reverses commit ${formatNumber(sequence)}?`, async () => {
    const result = await post("undo", { sequence, author: author() });
    announce(`Commit ${formatNumber(result.sequence)} reverses commit ${formatNumber(sequence)}.`);
    context.go(routeAddress("commit", [result.sequence], { at: undefined }));
  });
}
