/**
 * A table of any number of rows. It loads pages while the reader scrolls, keeps the pages near the
 * visible rows, and has a `<tr>` only for these rows.
 */

import { button, element } from "./element.js";
import { cellOf, formatNumber, objectLink, shownText } from "./values.js";

/** @typedef {import("./interface.js").ObjectLine} ObjectLine */
/** @typedef {{rows: ObjectLine[], next?: string}} Page */
/**
 * @typedef {object} TableOptions
 * @property {string} caption
 * @property {string} entity
 * @property {string[]} columns all columns of the rows
 * @property {string[]} shown the columns to show
 * @property {Set<string>} relations the columns whose values are links
 * @property {Page} first
 * @property {(after: string) => Promise<Page>} load
 * @property {number} [total]
 * @property {(column: string) => void} [sort]
 * @property {{column: string, isDescending: boolean}} [sorted]
 */

// The height of a row in style.css. All rows have it, so that a position gives the row.
const rowHeight = 36;
const rowsAround = 20;
const pagesAround = 3;

export class RowTable {
  /** @param {TableOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {{after: string, count: number, rows?: ObjectLine[], isLoading?: boolean}[]} */
    this.pages = [];
    /** @type {Map<number, HTMLTableRowElement>} */
    this.visible = new Map();
    this.next = "";
    this.append("", options.first);
    this.hasIds = options.first.rows.some(row => row.id !== undefined);
    this.body = element("tbody");
    const table = element("table", { class: "rows", "aria-rowcount": options.total === undefined ? -1 : options.total + 1 },
      element("caption", { class: "unseen" }, options.caption), this.columnWidths(), this.head(), this.body);
    table.style.width = `${this.width}ch`;
    this.node = element("div", { class: "scroller rows-scroller", role: "region", "aria-label": options.caption, tabindex: 0,
      onscroll: () => this.draw(), onclick: event => this.openRow(event), onkeydown: event => this.moveFocus(event) }, table);
    this.draw();
    // The height of the view is known after the page shows it.
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  /** The id of the first visible row. */
  get firstVisibleId() {
    const index = Math.floor(this.node.scrollTop / rowHeight);
    return index > 0 ? this.rowAt(index)?.id : undefined;
  }

  /**
   * Loads the pages in memory again, after a commit.
   * @param {number} [total]
   */
  async refresh(total) {
    if (total !== undefined) this.node.firstElementChild.setAttribute("aria-rowcount", String(total + 1));
    for (const page of [...this.pages]) if (page.rows && this.pages.includes(page)) await this.fetch(page);
    this.visible.clear();
    this.draw();
  }

  /** Loads a page. It ends where the next one begins, so that no row is missing or there twice. */
  async fetch(page) {
    const { rows, next } = await this.options.load(page.after);
    const index = this.pages.indexOf(page);
    if (index < 0) return;
    const following = this.pages[index + 1];
    if (following && next && BigInt(next) >= BigInt(following.after)) {
      page.rows = rows.filter(row => BigInt(row.id) <= BigInt(following.after));
    } else {
      // The page has new rows or is now the last one, and the later pages begin elsewhere.
      page.rows = rows;
      this.pages.length = index + 1;
      this.next = next ?? "";
    }
    page.count = page.rows.length;
  }

  append(after, { rows, next }) {
    this.pages.push({ after, count: rows.length, rows });
    this.next = next ?? "";
  }

  head() {
    const { shown, sort, sorted } = this.options;
    const name = column => sort ? button(column, () => sort(column), { class: "sort", title: `Order by ${column}` }) : column;
    const direction = column => sorted?.column !== column ? undefined : sorted.isDescending ? "descending" : "ascending";
    return element("thead", {}, element("tr", { "aria-rowindex": 1 },
      this.hasIds && element("th", { scope: "col", class: "id" }, "id"),
      shown.map(column => element("th", { scope: "col", class: this.kindOf(column), "aria-sort": direction(column) }, name(column)))));
  }

  /** The kind of the first value of a column, because a head is aligned like its values. */
  kindOf(column) {
    const index = this.options.columns.indexOf(column);
    return this.options.first.rows.map(row => row.values[index].kind).find(kind => kind !== "null");
  }

  // Fixed widths, because automatic ones change with the rows that are visible.
  columnWidths() {
    const { columns, shown, first } = this.options;
    const group = element("colgroup");
    this.width = 0;
    const add = characters => {
      const column = element("col");
      const width = Math.min(Math.max(characters, 6), 36) + 4;
      column.style.width = `${width}ch`;
      this.width += width;
      group.append(column);
    };
    if (this.hasIds) add(Math.max(...first.rows.map(row => row.id?.length ?? 0)));
    for (const name of shown) {
      const index = columns.indexOf(name);
      add(Math.max(name.length + 1, ...first.rows.map(({ values: { [index]: value } }) =>
        !value ? 0 : value.kind === "bytes" ? 24 : shownText(value).length)));
    }
    return group;
  }

  rowAt(index) {
    for (const page of this.pages) {
      if (index < page.count) return page.rows?.[index];
      index -= page.count;
    }
    return undefined;
  }

  draw() {
    const known = this.pages.reduce((sum, page) => sum + page.count, 0);
    const top = this.node.scrollTop;
    const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - rowsAround, known - 1));
    const last = Math.min(known, Math.ceil((top + (this.node.clientHeight || 600)) / rowHeight) + rowsAround);
    this.loadPages(first, last, known);

    const rows = [];
    for (let index = first; index < last; index++) {
      rows.push(this.visible.get(index) ?? this.row(index, this.rowAt(index)));
    }
    const focus = this.focusedLink();
    this.visible = new Map(rows.map((row, offset) => [first + offset, row]));
    this.body.replaceChildren(this.spacer(first), ...rows, this.spacer(known - last));
    // A node that moves in the document, or goes away, loses the focus.
    if (focus) (this.visible.get(focus.row)?.querySelectorAll("a")[focus.link] ?? this.node).focus({ preventScroll: true });
  }

  /** The row and the number of the link with the focus. */
  focusedLink() {
    const link = document.activeElement;
    const row = this.body.contains(link) && link.closest("tr[data-index]");
    return row ? { row: Number(row.dataset.index), link: [...row.querySelectorAll("a")].indexOf(link) } : undefined;
  }

  spacer(rows) {
    const row = element("tr", { class: "spacer", "aria-hidden": "true" }, element("td"));
    row.style.height = `${rows * rowHeight}px`;
    return row;
  }

  row(index, line) {
    const { columns, shown, relations, entity } = this.options;
    const row = element("tr", { "aria-rowindex": index + 2 }, !line && element("td", { colspan: shown.length + 1, class: "quiet" }, "…"));
    row.dataset.index = String(index);
    if (!line) return row;
    if (this.hasIds) row.append(element("td", { class: "id" }, objectLink(entity, line.id, line.id)));
    for (const column of shown) {
      const value = line.values[columns.indexOf(column)];
      row.append(element("td", { class: value?.kind }, value && cellOf(value, relations.has(column))));
    }
    return row;
  }

  loadPages(first, last, known) {
    if (this.next && last > known - rowsAround && !this.isAppending) this.appendNext();
    const near = pagesAround * this.pages[0].count;
    let start = 0;
    for (const [index, page] of this.pages.entries()) {
      const isNear = start < last + near && start + page.count > first - near;
      const isVisible = start < last && start + page.count > first;
      if (!page.rows && isVisible && !page.isLoading) this.reload(page);
      else if (page.rows && !isNear && index < this.pages.length - 1) page.rows = undefined;
      start += page.count;
    }
  }

  async reload(page) {
    page.isLoading = true;
    try {
      await this.fetch(page);
      this.visible.clear();
      this.draw();
    } catch (error) {
      this.showError(error);
    }
    page.isLoading = false;
  }

  async appendNext() {
    this.isAppending = true;
    const after = this.next;
    try {
      const page = await this.options.load(after);
      // A refresh can have moved the end in the meantime.
      if (this.next === after) this.append(after, page);
    } catch (error) {
      this.next = "";
      this.showError(error);
    }
    this.isAppending = false;
    this.draw();
  }

  showError(error) {
    if (error.name !== "AbortError") this.node.after(element("p", { role: "alert", class: "error" }, error.message));
  }

  /** A click beside the links of a row opens its object, unless it ends the selection of text. */
  openRow(event) {
    if (event.target.closest("a, button") || String(getSelection())) return;
    event.target.closest("tr[data-index]")?.querySelector("td.id a")?.click();
  }

  /** The arrow keys move between the links of the rows. */
  moveFocus(event) {
    const row = event.target.closest?.("tr[data-index]");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || (!row && event.target !== this.node)) return;
    const index = row ? Number(row.dataset.index) + step : Math.round(this.node.scrollTop / rowHeight);
    const next = this.visible.get(index)?.querySelector("a");
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
    const top = index * rowHeight;
    const space = this.node.clientHeight - 2 * rowHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top > this.node.scrollTop + space) this.node.scrollTop = top - space;
  }
}

/**
 * The shown columns of an entity, which the browser remembers, and a control to choose them.
 * @param {string} entity
 * @param {string[]} columns
 * @param {() => void} changed
 */
export function columnChoice(entity, columns, changed) {
  const key = `daybook.columns.${entity}`;
  let stored;
  try { stored = JSON.parse(localStorage.getItem(key) ?? "null"); } catch { stored = null; }
  const known = Array.isArray(stored) ? columns.filter(name => stored.includes(name)) : [];
  const shown = new Set(known.length ? known : columns.slice(0, 12));
  const list = element("ul", { class: "checks" });
  const filter = element("input", { type: "search", "aria-label": "Find a column", placeholder: "Find a column", oninput: () => fill() });
  const fill = () => {
    const found = columns.filter(name => name.toLowerCase().includes(filter.value.toLowerCase()));
    list.replaceChildren(...found.slice(0, 100).map(name => element("li", {}, element("label", {}, element("input", {
      type: "checkbox", checked: shown.has(name), onchange: event => {
        if (event.target.checked) shown.add(name); else shown.delete(name);
        localStorage.setItem(key, JSON.stringify([...shown]));
        changed();
      } }), " ", name))), ...(found.length > 100 ? [element("li", { class: "quiet" }, `${formatNumber(found.length - 100)} others`)] : []));
  };
  const control = element("details", { class: "chooser", ontoggle: event => { if (event.target.open) fill(); } },
    element("summary", {}, "Columns"), columns.length > 20 && filter, list);
  return { shown: () => columns.filter(name => shown.has(name)), control };
}
