/** The view of the commits, and of one commit. */

import { button, choice, element, field } from "./element.js";
import { get } from "./server.js";
import { routeAddress } from "./route.js";
import { formatCount, formatNumber, objectLink } from "./values.js";
import { commitFacts, kindMark, objectChange } from "./changes.js";
import { undoControl } from "./edit.js";
import { progressLine } from "./work.js";

/** @typedef {import("./interface.js").CommitLine} CommitLine */
/** @typedef {import("./main.js").Context} Context */

const pageCount = 50;
const kinds = ["put", "remove", "event", "link", "unlink"];

/** @param {Context} context */
export async function commitsView(context) {
  const { entities, route, at, signal, go } = context;
  const { entity = "", author = "", kind = "" } = route.parameters;
  const load = (before, aborts = signal) => get("commits", { before, limit: pageCount, entity, author, kind }, aborts);
  const first = await load(at === undefined ? undefined : at + 1);

  const inputs = {
    entity: choice([["", "all"], ...entities.map(each => [each.name, each.name])], entity),
    author: element("input", { type: "text", value: author, autocomplete: "off" }),
    kind: choice([["", "all"], ...kinds.map(each => [each, each])], kind),
  };
  const form = element("form", { class: "bar", role: "search", "aria-label": "Commits", onsubmit: event => {
    event.preventDefault();
    go(routeAddress("commits", [], { entity: inputs.entity.value, author: inputs.author.value, kind: inputs.kind.value }));
  } }, field("Entity", inputs.entity), field("Author", inputs.author), field("Kind of change", inputs.kind),
  element("button", { type: "submit", class: "primary" }, "Filter"));

  const note = at !== undefined && element("p", { class: "quiet" }, `The commits up to the shown moment, commit ${formatNumber(at)}.`);
  const list = element("ol", { class: "commits", "aria-label": "Commits, newest first" });
  const end = element("p", { class: "quiet" });
  const item = commit => commitItem(context, commit);
  let newest = first.commits[0]?.sequence ?? 0;
  let next = first.next;
  // One request reads a limited number of commits, and a rare filter needs many of them.
  let search = new AbortController();
  const progress = progressLine("Search for commits", "commits", () => search.abort());
  const more = button("Show older commits", () => searchOlder(true));
  const searchOlder = async movesFocus => {
    more.disabled = true;
    const own = search = new AbortController();
    const [start, began, old] = [performance.now(), next, list.children.length];
    try {
      do {
        const page = await load(next, AbortSignal.any([signal, own.signal]));
        if (own.signal.aborted) break;
        next = page.next;
        list.append(...page.commits.map(item));
        const searched = began - (next ?? 1);
        progress.report({ fraction: searched / Math.max(1, began - 1), done: searched, seconds: (performance.now() - start) / 1000 });
      } while (next !== undefined && list.children.length - old < pageCount);
    } catch (error) {
      if (error.name !== "AbortError") end.textContent = error.message;
    }
    progress.hide();
    more.disabled = false;
    if (movesFocus) list.children[old]?.querySelector("a")?.focus();
    showEnd();
  };
  const showEnd = () => {
    more.hidden = next === undefined;
    if (next === undefined) {
      end.textContent = list.children.length === 0 ? "No commit passes the filter."
        : `${formatCount(list.children.length, "commit")}. No older commit passes the filter.`;
    } else {
      end.textContent = entity || author || kind ? `The search has reached commit ${formatNumber(next)}.` : "";
    }
  };
  list.append(...first.commits.map(item));
  showEnd();
  if (next !== undefined && first.commits.length < pageCount) searchOlder(false);
  const refresh = async () => {
    const page = await load(undefined);
    const added = page.commits.filter(commit => commit.sequence > newest);
    const items = added.map(item);
    for (const node of items) node.classList.add("new");
    // More commits than a page has: the list begins again with the newest.
    if (page.next !== undefined && page.next - 1 > newest) {
      search.abort();
      list.replaceChildren(...items);
      next = page.next;
    } else {
      list.prepend(...items);
    }
    newest = added[0]?.sequence ?? newest;
    // The list of a long session would grow without end.
    while (progress.node.hidden && list.children.length > 1000) {
      next = Number(list.lastElementChild.dataset.sequence) + 1;
      list.lastElementChild.remove();
    }
    showEnd();
  };
  return { title: "Commits", content: [form, note, list, progress.node, more, end], refresh };
}

/** @param {Context} context @param {CommitLine} commit */
function commitItem(context, commit) {
  const number = formatNumber(commit.sequence);
  const changes = element("details", { ontoggle: async () => {
    if (!changes.open || changes.dataset.loaded) return;
    changes.dataset.loaded = "true";
    try {
      const description = await get("commit", { sequence: commit.sequence }, context.signal);
      changes.append(...changeNodes(description, "h3"));
    } catch (error) {
      delete changes.dataset.loaded;
      changes.append(element("p", { class: "error", role: "alert" }, error.message));
    }
  } }, element("summary", {}, `Changes of commit ${number}`));
  const node = element("li", { class: "commit" }, element("h2", {}, element("a", {
    href: routeAddress("commit", [commit.sequence]) }, `Commit ${number}`)), commitFacts(commit), changes);
  node.dataset.sequence = String(commit.sequence);
  return node;
}

/** One commit. @param {Context} context */
export async function commitView(context) {
  const { route, signal, store, newest, oldest } = context;
  const sequence = Number(route.names[0]);
  const description = await get("commit", { sequence }, signal);
  const neighbour = (other, label) => other >= oldest && other <= (newest?.sequence ?? 0)
    && element("a", { class: "button", href: routeAddress("commit", [other]) }, label);
  return { title: `Commit ${formatNumber(sequence)}`, refresh: () => {}, content: [
    element("p", {}, commitFacts(description.commit)),
    element("div", { class: "bar" },
      neighbour(sequence - 1, "Previous commit"), neighbour(sequence + 1, "Next commit"),
      element("a", { class: "button", href: routeAddress("entities", [], { at: sequence }) }, "Show the store at this commit"),
      store.allowsWrites && undoControl(context, sequence)),
    ...changeNodes(description, "h2")] };
}

/**
 * @param {import("./interface.js").CommitDescription} description
 * @param {string} headingName
 * @returns {Node[]}
 */
function changeNodes({ objects, links, hasMore }, headingName) {
  const link = each => {
    const source = each.relation.split(".")[0];
    return element("li", {}, kindMark(each.isAdded ? "link" : "unlink"), " ", element("code", {}, each.relation), " ",
      objectLink(each.sourceEntity ?? source, each.source), " → ", objectLink(each.targetEntity, each.target));
  };
  const nodes = objects.map(change => objectChange(change, headingName));
  if (links.length) nodes.push(element(headingName, {}, "Links"), element("ul", { class: "link-changes" }, links.map(link)));
  if (hasMore) nodes.push(element("p", { class: "quiet" }, "The commit has more changes than these."));
  if (!nodes.length) nodes.push(element("p", { class: "quiet" }, "The commit changes no object."));
  return nodes;
}
