/**
 * The address of a view: `#/object/Person/7?at=42`. The moment is part of it, so that a bookmark and
 * the Back button show the same state again.
 */

/** @typedef {{view: string, names: string[], parameters: Record<string, string>, at: number | undefined}} Route */

/**
 * @param {string} [hash]
 * @returns {Route}
 */
export function parseRoute(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...names] = path.split("/").map(decode);
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const at = /^\d+$/.test(parameters.at ?? "") ? Number(parameters.at) : undefined;
  return { view: view || "entities", names, parameters, at };
}

/**
 * The address of a view at the moment that the page shows. `{at: undefined}` is the newest state.
 * @param {string} view
 * @param {(string | number)[]} [names]
 * @param {Record<string, any>} [parameters]
 */
export function routeAddress(view, names = [], parameters = {}) {
  const all = { at: parseRoute().at, ...parameters };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(all)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, String(value));
  }
  const path = [view, ...names].map(name => encodeURIComponent(String(name))).join("/");
  return query.size ? `#/${path}?${query}` : `#/${path}`;
}

/**
 * The address of the present view at another moment.
 * @param {number | undefined} at
 */
export function momentAddress(at) {
  const { view, names, parameters } = parseRoute();
  return routeAddress(view, names, { ...parameters, at });
}

/**
 * Whether two addresses differ in nothing but the moment.
 * @param {string} one
 * @param {string} other
 */
export function isSamePlace(one, other) {
  const [a, b] = [parseRoute(one), parseRoute(other)];
  return JSON.stringify([a.view, a.names, { ...a.parameters, at: "" }])
    === JSON.stringify([b.view, b.names, { ...b.parameters, at: "" }]);
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
