/** Starts the page, shows the view of the address, and follows new commits. */

import { announce, button, element, field } from "./element.js";
import { get, post } from "./server.js";
import { isSamePlace, momentAddress, parseRoute, routeAddress } from "./route.js";
import { makeTimeline } from "./timeline.js";
import { entitiesView, navigationNodes, objectsView, schemaView } from "./entities.js";
import { queryView } from "./query.js";
import { objectView } from "./object.js";
import { editView, newView } from "./edit.js";
import { commitView, commitsView } from "./commits.js";
import { compareView } from "./changes.js";
import { storeView } from "./store.js";

/**
 * What a view gets.
 * @typedef {object} Context
 * @property {import("./route.js").Route} route
 * @property {number | undefined} at the sequence that the page shows; undefined for the newest state
 * @property {import("./interface.js").StoreDescription} store
 * @property {import("./interface.js").EntityDescription[]} entities
 * @property {import("./interface.js").Moment | undefined} newest
 * @property {number} oldest the first sequence that the page can show
 * @property {AbortSignal} signal aborts when the page leaves the view
 * @property {boolean} isSamePlace whether only the moment differs from the previous view
 * @property {(address: string, options?: {replaces?: boolean}) => Promise<void>} go
 * @property {() => Promise<void>} rerender
 */

/**
 * What a view returns. Without `refresh`, a new commit shows the view again.
 * @typedef {{title: string, content: (Node | null | false | undefined)[], focus?: HTMLElement, refresh?: () => any}} View
 */

/** @type {Record<string, (context: Context) => Promise<View>>} */
const views = {
  entities: entitiesView, schema: schemaView, objects: objectsView, object: objectView, query: queryView, new: newView,
  edit: editView, commits: commitsView, commit: commitView, compare: compareView, store: storeView,
};

const main = document.getElementById("main");
const navigation = document.getElementById("navigation");
const timeline = makeTimeline(document.getElementById("timeline"), document.getElementById("past"), go);

/** @type {import("./interface.js").StoreDescription} */
let store;
/** @type {import("./interface.js").Moment | undefined} */
let newest;
/** @type {View | undefined} */
let shown;
let shownAddress = "";
let request = new AbortController();
let isFollowing = false;

const oldest = () => Math.max(store.historyFloor, store.oldest?.sequence ?? 0);

async function start() {
  try {
    store = await get("store");
  } catch (problem) {
    if (problem.status === 401) return showSignIn();
    return showProblem(problem);
  }
  newest = store.newest;
  const path = document.getElementById("path");
  path.textContent = store.path;
  path.title = store.path;
  navigation.hidden = false;
  await timeline.update(oldest(), newest);
  await render({ movesFocus: false });
  if (!isFollowing) follow();
}

/** Shows an address: a new entry for the Back button, or a replacement of the present one. */
async function go(address, { replaces = false } = {}) {
  if (address === location.hash) return render();
  history[replaces ? "replaceState" : "pushState"](null, "", address);
  await render();
}

/** Shows the view of the address. The old view stays until the new one is complete. */
async function render({ movesFocus = true } = {}) {
  if (!store) return start();
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const route = parseRoute();
  const address = location.hash;
  const newestAtStart = newest?.sequence;
  const isSame = shown !== undefined && isSamePlace(address, shownAddress);
  main.setAttribute("aria-busy", "true");
  timeline.show();
  try {
    const entities = await get("schema", { at: route.at }, signal);
    const showView = Object.hasOwn(views, route.view) ? views[route.view] : undefined;
    if (!showView) throw Object.assign(new Error("The page has no such view."), { code: "unknownView" });
    navigation.replaceChildren(...navigationNodes(entities));
    const view = await showView({ route, at: route.at, store, entities, newest, oldest: oldest(), signal, isSamePlace: isSame, go,
      rerender: () => render({ movesFocus: false }) });
    if (signal.aborted) return;
    display(view, address, { movesFocus: movesFocus && !isSame });
    // A commit during the request can be missing in the answer.
    if (route.at === undefined && newest?.sequence !== newestAtStart) await refreshView();
  } catch (problem) {
    if (problem.name === "AbortError" || signal.aborted) return;
    if (problem.status === 401) return showSignIn();
    // Without a refresh, the next commit shows the view again.
    shown = { title: "", content: [] };
    shownAddress = address;
    showProblem(problem, movesFocus && !isSame);
  }
}

function display(view, address, { movesFocus }) {
  const focused = focusKey();
  const heading = element("h1", { tabindex: -1 }, view.title);
  main.replaceChildren(heading, ...view.content.filter(Boolean));
  main.removeAttribute("aria-busy");
  document.title = `${view.title} – Daybook`;
  shown = view;
  shownAddress = address;
  if (movesFocus) {
    closeMenu();
    scrollTo(0, 0);
    (view.focus ?? heading).focus({ preventScroll: true });
  } else if (focused) {
    restoreFocus(focused);
  }
}

/** Recognizes the focused element of the main part after the view has new nodes. */
function focusKey() {
  const active = document.activeElement;
  if (!main.contains(active) || active === main) return undefined;
  return { tag: active.tagName, label: labelOf(active) };
}

const labelOf = node => node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;

function restoreFocus({ tag, label }) {
  const match = [...main.querySelectorAll(tag)].find(node => labelOf(node) === label);
  (match ?? main.querySelector("h1")).focus({ preventScroll: true });
}

/** Waits for new commits. They move the slider, and refresh the view if it shows the newest state. */
async function follow() {
  isFollowing = true;
  let isLost = false;
  for (;;) {
    // A waiting request takes one of the few connections that a browser has for a server.
    if (document.hidden) await new Promise(resolve => document.addEventListener("visibilitychange", resolve, { once: true }));
    try {
      const moment = await get("state", { after: newest?.sequence ?? 0 });
      if (isLost) announce("The server answers again.");
      isLost = false;
      if (moment && moment.sequence > (newest?.sequence ?? 0)) await showCommit(moment);
    } catch (problem) {
      if (problem.status === 401) { isFollowing = false; return showSignIn(); }
      if (!isLost) announce(problem.message);
      isLost = true;
      await pause(2000);
    }
    // A writer with many commits a second must not keep the page busy.
    await pause(300);
  }
}

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

async function showCommit(moment) {
  newest = moment;
  if (store.oldest === undefined) store = await get("store");
  timeline.update(oldest(), newest);
  await refreshView();
}

/** Shows the newest state in the view, which keeps its place and its focus. */
async function refreshView() {
  if (parseRoute().at !== undefined || main.getAttribute("aria-busy")) return;
  if (!shown?.refresh) return render({ movesFocus: false });
  const { signal } = request;
  try {
    await shown.refresh();
    const entities = await get("schema", {}, signal);
    const focused = navigation.contains(document.activeElement) ? document.activeElement.getAttribute("href") : undefined;
    navigation.replaceChildren(...navigationNodes(entities));
    if (focused) [...navigation.querySelectorAll("a")].find(link => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
  } catch (problem) {
    if (problem.name !== "AbortError") announce(problem.message);
  }
}

const titles = {
  historyTruncated: "The store no longer has this moment",
  corruption: "The store is damaged",
  closed: "The store is closed",
  storeMissing: "The store is missing",
  unreachable: "The server does not answer",
  unknownEntity: "Unknown entity",
  unknownView: "Unknown page",
};

/** A panel instead of the view, with what the reader can do. */
function showProblem(problem, movesFocus = true) {
  const title = titles[problem.code] ?? (problem.status === 404 ? "Not found" : "The page cannot show this");
  const heading = element("h1", { tabindex: -1 }, title);
  const isPast = parseRoute().at !== undefined;
  main.replaceChildren(heading, element("div", { class: "notice", role: "alert" },
    element("p", {}, problem.message || String(problem)),
    problem.code && element("p", { class: "quiet" }, "Code: ", element("code", {}, problem.code)),
    element("div", { class: "bar" },
      button("Try again", () => render()),
      problem.code === "historyTruncated" && store && element("a", { class: "button", href: momentAddress(oldest()) }, "Go to the oldest moment"),
      isPast && element("a", { class: "button", href: momentAddress(undefined) }, "Return to now"),
      problem.code === "corruption" && element("a", { class: "button", href: routeAddress("store", [], { at: undefined }) }, "Verify the store"))));
  main.removeAttribute("aria-busy");
  document.title = `${title} – Daybook`;
  if (movesFocus) heading.focus();
}

function showSignIn() {
  // Several requests can find the end of the session, and somebody may be typing already.
  if (main.querySelector(".sign-in")) return;
  request.abort();
  for (const id of ["navigation", "timeline", "past"]) document.getElementById(id).hidden = true;
  const token = element("input", { type: "password", autocomplete: "off", required: true, name: "token" });
  const error = element("p", { role: "alert", class: "error" });
  const form = element("form", { class: "sign-in", onsubmit: async event => {
    event.preventDefault();
    error.textContent = "";
    try {
      await post("session", { token: token.value.trim() });
      store = undefined;
      await start();
    } catch (problem) {
      error.textContent = problem.status === 401 ? "This is not the token of this command." : problem.message;
      token.select();
    }
  } }, field("Enter the token that the command printed", token), error, element("button", { type: "submit", class: "primary" }, "Sign in"));
  document.title = "Sign in – Daybook";
  main.replaceChildren(element("h1", { tabindex: -1 }, "Sign in"), form);
  main.removeAttribute("aria-busy");
  token.focus();
}

const menu = document.getElementById("menu");
const setMenu = isOpen => {
  menu.setAttribute("aria-expanded", String(isOpen));
  navigation.classList.toggle("open", isOpen);
};
const closeMenu = () => setMenu(false);
menu.addEventListener("click", () => setMenu(menu.getAttribute("aria-expanded") !== "true"));
document.getElementById("skip").addEventListener("click", event => {
  // The hash is the address of the view, so that this link must not change it.
  event.preventDefault();
  (main.querySelector("h1") ?? main).focus();
});
addEventListener("hashchange", () => render());
start();
