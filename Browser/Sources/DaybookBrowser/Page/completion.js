/** The query line: a combobox that completes names and keywords. */

import { element } from "./element.js";

/** @typedef {import("./interface.js").EntityDescription} EntityDescription */
/** @typedef {{text: string, detail: string}} Suggestion */

const keywords = ["where", "order by", "limit", "group by", "select", "and", "or", "not"];
const reserved = new Set(["any", "all", "none", "not", "true", "false", "nil", "null"]);

/**
 * A name as a query needs it.
 * @param {string} name
 */
export function quotedName(name) {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name.toLowerCase()) ? name : "`" + name + "`";
}

/**
 * The suggestions for the word that ends at the caret, and where this word starts.
 * @param {string} before the text before the caret
 * @param {EntityDescription[]} entities
 * @returns {{start: number, suggestions: Suggestion[]}}
 */
export function suggestionsFor(before, entities) {
  const none = { start: before.length, suggestions: [] };
  const outside = before.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, match => " ".repeat(match.length));
  if (/["']/.test(outside)) return none;
  const path = /[`\p{L}\p{N}_.]*$/u.exec(before)[0];
  const start = before.length - path.length;
  if (/^[\d.]/.test(path)) return none;

  if (before.slice(0, start).trim() === "") {
    return { start, suggestions: matching(path, entities.map(({ name, kind }) => ({ text: quotedName(name), detail: kind }))) };
  }
  const entityName = /^\s*(`[^`]*`|[\p{L}\p{N}_]+)/u.exec(before)?.[1].replaceAll("`", "");
  const steps = path.split(".");
  const word = steps.pop();
  let entity = entities.find(each => each.name === entityName);
  for (const step of steps) {
    const target = entity?.relations.find(relation => relation.name === step.replaceAll("`", ""))?.target;
    entity = entities.find(each => each.name === target);
  }
  const names = entity ? [
    ...entity.properties.map(({ name, type }) => ({ text: quotedName(name), detail: type })),
    ...entity.relations.map(({ name, target }) => ({ text: quotedName(name), detail: target })),
    { text: "id", detail: "the id" },
  ] : [];
  const words = steps.length ? [] : keywords.map(text => ({ text, detail: "keyword" }));
  return { start: before.length - word.length, suggestions: matching(word, [...names, ...words]) };
}

/**
 * @param {string} word
 * @param {Suggestion[]} all
 */
function matching(word, all) {
  const lower = word.replaceAll("`", "").toLowerCase();
  return all.filter(({ text }) => text !== word && text.replaceAll("`", "").toLowerCase().startsWith(lower)).slice(0, 12);
}

/**
 * An input with a list of suggestions. The arrow keys choose one, Enter or Tab takes it, and Escape
 * closes the list.
 * @param {HTMLInputElement} input
 * @param {() => EntityDescription[]} entities
 */
export function completedInput(input, entities) {
  const list = element("ul", { id: "suggestions", role: "listbox", "aria-label": "Suggestions", class: "suggestions", hidden: true });
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": "suggestions", autocomplete: "off", autocapitalize: "off", spellcheck: "false" })) input.setAttribute(name, value);
  /** @type {Suggestion[]} */
  let shown = [];
  let start = 0;
  let chosen = -1;

  const close = () => {
    shown = [];
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = index => {
    chosen = index;
    [...list.children].forEach((option, each) => option.setAttribute("aria-selected", String(each === index)));
    if (index < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", `suggestion-${index}`);
      list.children[index].scrollIntoView({ block: "nearest" });
    }
  };
  const take = index => {
    const caret = input.selectionStart;
    const after = input.value.slice(caret);
    const before = input.value.slice(0, start) + shown[index].text + (/^\s/.test(after) ? "" : " ");
    input.value = before + after;
    input.setSelectionRange(before.length, before.length);
    close();
    open();
  };
  const open = () => {
    ({ start, suggestions: shown } = suggestionsFor(input.value.slice(0, input.selectionStart), entities()));
    if (shown.length === 0) return close();
    list.replaceChildren(...shown.map(({ text, detail }, index) => element("li", {
      id: `suggestion-${index}`, role: "option", "aria-selected": "false",
      onmousedown: event => { event.preventDefault(); take(index); },
    }, element("bdi", {}, text), " ", element("span", { class: "quiet" }, detail))));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(-1);
  };
  input.addEventListener("input", open);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", event => {
    const isOpen = shown.length > 0;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return open();
      const step = event.key === "ArrowDown" ? 1 : -1;
      choose((chosen + step + shown.length + (chosen < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (isOpen && chosen >= 0 && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      take(chosen);
    } else if (event.key === "Enter") {
      close();
    }
  });
  return element("div", { class: "combobox" }, input, list);
}
