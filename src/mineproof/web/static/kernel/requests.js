// @ts-check
/** Reads and checks requests by the schemas in `messages.json`: the twin of `protocol/heads.py`. */
import messages from "../messages.json" with { type: "json" };
import { problem } from "../schema.js";
import { invalid, needsServer, quoted, unknown } from "./refusals.js";

/** @typedef {import("../messages.js").Requests} Requests */
/** @typedef {keyof Requests} Method */

/** The type of each method's requests. @type {Record<string, string>} */
const TYPES = messages.requests;
/** @type {Record<string, import("../schema.js").Schema>} */
const DEFINITIONS = messages.definitions;
/** Fields that only the server reads. @type {Record<string, string[]>} */
const LACKING = { position: ["events"], generate: ["chain"], "game.watch": ["thoughts"], "game.review": ["record"] };

const MOST_ID = 64;
const SURROGATE = /\p{Surrogate}/u;

/** The fields that a method takes here. @param {Method} method */
export const fieldsOf = (method) => Object.keys(DEFINITIONS[TYPES[method]].properties ?? {}).filter((name) => !LACKING[method]?.includes(name));

/** Whether a value can be the id of a request: a short string or a finite number. @param {unknown} value */
const isId = (value) => (typeof value === "string" ? [...value.slice(0, 2 * MOST_ID + 1)].length <= MOST_ID && !SURROGATE.test(value) : Number.isFinite(value));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The first fields of every response: id and method, if they are safe to repeat. @param {unknown} message */
export function headOf(message) {
  const { id, do: method } = isObject(message) ? message : {};
  return { ...(isId(id) ? { id } : {}), do: typeof method === "string" && isId(method) ? method : null };
}

/** @param {unknown} value @param {string} name */
function checkId(value, name) {
  if (!isId(value)) throw invalid("refusal.id", { name: quoted(name), most: MOST_ID, value: quoted(value) });
}

/** Refuses strings with a lone surrogate, which UTF-8 cannot encode. @param {unknown} message */
function checkTexts(message) {
  const waiting = [message];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "string" && SURROGATE.test(one)) throw invalid("refusal.surrogate", { text: quoted(one) });
    if (typeof one === "object" && one !== null) for (const [name, value] of Object.entries(one)) waiting.push(name, value);
  }
}

/**
 * The method of a valid request, and its fields.
 * @param {unknown} message
 * @param {readonly string[]} known the methods that are answered here
 */
export function readMessage(message, known) {
  if (!isObject(message)) throw invalid("refusal.request", { shape: '{"do": METHOD, ...}', value: quoted(message) });
  const { do: method, id, ...fields } = message;
  if (id !== null && id !== undefined) checkId(id, "id");
  checkTexts(message);
  if (typeof method !== "string") throw invalid("refusal.method", { value: quoted(method) });
  if (!Object.hasOwn(TYPES, method)) throw unknown("method", method, Object.keys(TYPES));
  if (!known.includes(method)) throw needsServer(quoted(method));
  const name = /** @type {Method} */ (method);
  return { method: name, given: readFields(name, fields) };
}

/**
 * The fields of a request, checked and without null, which means absent.
 * @template {Method} M
 * @param {M} method
 * @param {Record<string, unknown>} fields
 * @returns {Requests[M]}
 */
export function readFields(method, fields) {
  const lacking = LACKING[method]?.find((name) => (fields[name] ?? null) !== null);
  if (lacking) throw needsServer(`${quoted(lacking)} of ${quoted(method)}`);
  const wrong = problem(fields, DEFINITIONS[TYPES[method]], DEFINITIONS, quoted(method));
  if (wrong) throw wrong;
  if (fields.of) checkId(fields.of, "of");
  return /** @type {Requests[M]} */ (withoutNull(fields));
}

/** @param {Record<string, unknown>} fields @returns {object} */
const withoutNull = (fields) => Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, isObject(value) ? withoutNull(value) : value]])));
