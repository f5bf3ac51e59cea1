// @ts-check
/**
 * Reads and checks requests by the schemas in `messages.json`: the twin of `protocol/heads.py`.
 *
 * Version 2 of the protocol names the method `method`. In version 1 that field is `do`, and some
 * methods have other names.
 */
import messages from "../messages.json" with { type: "json" };
import { isObject, problem } from "../schema.js";
import { RequestRefused, invalid, needsServer, quoted, unknown } from "./errors.js";

/** @typedef {import("../messages.js").Requests} Requests */
/** @typedef {keyof Requests} Method */

/** The type of each method's requests. @type {Record<string, string>} */
const TYPES = messages.requests;
/** @type {Record<string, import("../schema.js").Schema>} */
const DEFINITIONS = messages.definitions;
/** Methods of version 1 by their old names. @type {Record<string, string>} */
const OLD_NAMES = messages.old_names;
/** Fields that only the server reads. @type {Record<string, string[]>} */
const LACKING = { position: ["events"], generate: ["chain"], "game.watch": ["thoughts"], "game.review": ["record"] };

/** The version of the protocol. */
export const PROTOCOL = 2;
const MOST_ID = 64;
const SURROGATE = /\p{Surrogate}/u;

/** The fields that a method takes here. @param {Method} method */
export const fieldsOf = (method) => Object.keys(DEFINITIONS[TYPES[method]].properties ?? {}).filter((name) => !LACKING[method]?.includes(name));

/** Whether a value can be the id of a request: a short string or a finite number. @param {unknown} value */
const isId = (value) => (typeof value === "string" ? [...value.slice(0, 2 * MOST_ID + 1)].length <= MOST_ID && !SURROGATE.test(value) : Number.isFinite(value));

/** The version of the protocol of a request, even if it is not valid. @param {unknown} message */
export const versionOf = (message) => (isObject(message) && "method" in message && !("do" in message) ? 2 : 1);

/** The first fields of every response: id and method, if they are safe to repeat. @param {unknown} message */
export function headOf(message) {
  const key = versionOf(message) === 2 ? "method" : "do";
  const { id, [key]: method } = isObject(message) ? message : {};
  return { ...(isId(id) ? { id } : {}), [key]: typeof method === "string" && isId(method) ? method : null };
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
  if (!isObject(message)) throw invalid("refusal.request", { shape: '{"method": METHOD, ...}', value: quoted(message) });
  const { do: old, method: name, id, ...fields } = message;
  if (id !== null && id !== undefined) checkId(id, "id");
  checkTexts(message);
  if ("do" in message && "method" in message) throw invalid("refusal.two-names");
  const version = versionOf(message);
  const called = version === 2 ? name : old;
  if (typeof called !== "string") throw invalid(version === 2 ? "refusal.text" : "refusal.method", { name: "'method'", value: quoted(called) });
  const method = methodOf(called, version);
  if (!known.includes(method)) throw needsServer(quoted(called));
  return { method, given: readFields(method, fields, called) };
}

/** @param {string} called @param {number} version @returns {Method} */
function methodOf(called, version) {
  const olds = version === 1 ? Object.keys(OLD_NAMES) : [];
  const names = Object.keys(TYPES).map((method) => olds.find((name) => OLD_NAMES[name] === method) ?? method);
  if (!names.includes(called)) throw unknown("method", called, names);
  return /** @type {Method} */ (olds.includes(called) ? OLD_NAMES[called] : called);
}

/**
 * The fields of a request, checked and without null, which means absent.
 * @template {Method} M
 * @param {M} method
 * @param {Record<string, unknown>} fields
 * @param {string} [called] the name of the method in errors
 * @returns {Requests[M]}
 */
export function readFields(method, fields, called = method) {
  const lacking = LACKING[method]?.find((name) => (fields[name] ?? null) !== null);
  if (lacking) throw needsServer(`${quoted(lacking)} of ${quoted(called)}`);
  const wrong = problem(fields, DEFINITIONS[TYPES[method]], DEFINITIONS, quoted(called));
  if (wrong) throw wrong;
  if ((fields.of ?? null) !== null) checkId(fields.of, "of");
  return /** @type {Requests[M]} */ (withoutNull(fields));
}

/** @param {Record<string, unknown>} fields @returns {object} */
const withoutNull = (fields) => Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, isObject(value) ? withoutNull(value) : value]])));
