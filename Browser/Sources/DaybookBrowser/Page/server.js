/** The requests to the server. */

/** An answer other than success, or no answer. */
export class ProblemError extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {import("./interface.js").Problem} problem
   */
  constructor(status, problem) {
    super(problem.message);
    this.status = status;
    this.code = problem.code;
    this.offset = problem.offset;
  }
}

/**
 * The address of a request. Parameters without a value are left out.
 * @param {string} name
 * @param {Record<string, any>} [parameters]
 */
export function requestAddress(name, parameters = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, String(value));
  }
  const text = query.toString();
  return text ? `/api/${name}?${text}` : `/api/${name}`;
}

/**
 * @param {string} name
 * @param {Record<string, any>} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function get(name, parameters, signal) {
  return answer(requestAddress(name, parameters), { signal });
}

/**
 * @param {string} name
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export function post(name, body = {}) {
  // The server accepts a change only with this header, which no form of another site can send.
  const headers = { "Content-Type": "application/json", "X-Daybook": "browse" };
  return answer(requestAddress(name), { method: "POST", headers, body: JSON.stringify(body) });
}

async function answer(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ProblemError(0, {
      code: "unreachable",
      message: "The server does not answer. Check that daybook browse still runs.",
    });
  }
  if (response.status === 204) return null;
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = { code: "invalidAnswer", message: `The server sent an answer that the page cannot read (status ${response.status}).` };
  }
  if (!response.ok || body?.code === "invalidAnswer") throw new ProblemError(response.status, body);
  return body;
}
