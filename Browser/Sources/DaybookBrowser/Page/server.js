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

/**
 * A long request, which ends early when `signal` aborts. See {@link WorkProgress}.
 * @param {string} name
 * @param {Record<string, any>} parameters
 * @param {AbortSignal} signal
 * @param {(progress: import("./interface.js").WorkProgress) => void} report
 * @returns {Promise<any>} the result
 */
export async function work(name, parameters, signal, report) {
  const response = await request(requestAddress(name, parameters), { signal });
  if (!response.ok) return body(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(error => { throw signal.aborted ? error : noAnswer(); });
    if (done) throw noAnswer();
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const { progress, result, problem } = JSON.parse(line);
      if (problem) throw new ProblemError(500, problem);
      if (result) return result;
      report(progress);
    }
  }
}

async function answer(address, options) {
  return body(await request(address, options));
}

const noAnswer = () => new ProblemError(0, {
  code: "unreachable", message: "The server does not answer. Check that daybook browse still runs." });

async function request(address, options) {
  try {
    return await fetch(address, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    throw error.name === "AbortError" ? error : noAnswer();
  }
}

async function body(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    content = { code: "invalidAnswer", message: `The server sent an answer that the page cannot read (status ${response.status}).` };
  }
  if (!response.ok || content?.code === "invalidAnswer") throw new ProblemError(response.status, content);
  return content;
}
