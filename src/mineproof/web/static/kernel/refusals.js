// @ts-check
/** Errors, and how values are written in their messages: the twin of `errors.py`. */

import { fixed, say } from "../phrases.js";

/** @typedef {[number, number]} Cell */

export class Refused extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   * @param {Record<string, any>} [more] further fields of the response
   */
  constructor(kind, message, more = {}) {
    super(message);
    this.kind = kind;
    this.more = more;
  }

  toJSON() {
    return { kind: this.kind, message: this.message, ...this.more };
  }
}

/** @param {string} key of a phrase @param {Record<string, any>} [values] */
export const invalid = (key, values) => new Refused("invalid", say(key, values));

/** @param {string} key of a phrase @param {Record<string, any>} [values] */
export const illegal = (key, values) => new Refused("illegal", say(key, values));

/** An error about a position. @param {string} kind @param {string} what @param {string} position @param {Record<string, any>} [more] */
export const refusedIn = (kind, what, position, more) => new Refused(kind, say("refusal.in", { what, position }), { what, ...more });

/** The error for what only the server can do. @param {string} what */
export const needsServer = (what) => new Refused("server", say("refusal.server", { what }));

/** The text, or its beginning and end if it is too long. @param {string} text @param {number} [most] */
export function shorten(text, most = 60) {
  const head = Math.floor((most * 2) / 3);
  return text.length <= most ? text : `${text.slice(0, head)}...${text.slice(head + 3 - most)}`;
}

const DEEPEST = 5;

/** Any value as Python writes it. @param {any} value @param {number} [depth] @returns {string} */
export function quoted(value, depth = 0) {
  if (typeof value === "string") return shorten(inQuotes(value.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)));
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return shorten(String(value));
  if (depth === DEEPEST) return "...";
  const inner = (/** @type {any} */ each) => quoted(each, depth + 1);
  if (Array.isArray(value)) return shorten(`[${value.map(inner).join(", ")}]`);
  return shorten(`{${Object.entries(value).map(([name, each]) => `${inner(name)}: ${inner(each)}`).join(", ")}}`);
}

/** @param {string} text */
const inQuotes = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`);

/** @param {string} kind @param {string} name @param {string[]} known */
export const unknown = (kind, name, known) => new Refused("unknown", say("refusal.unknown", { kind, name: quoted(name), known: known.length, names: known.join(", ") }));

/** @param {number} mines */
export const doNotFit = (mines) => say("refusal.do-not-fit", { mines, one: mines === 1 });

/** `(3,4)`. @param {Cell} cell */
export const nameCell = ([row, col]) => `(${row},${col})`;

/** `12.5%`. @param {number} share @param {number} [digits] */
export const percent = (share, digits = 1) => `${fixed(100 * share, digits)}%`;

/** Python's `.4g`. @param {number} value @param {number} digits */
export function general(value, digits) {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  const plain = (/** @type {string} */ text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < digits) return plain(value.toFixed(Math.max(digits - 1 - power, 0)));
  return `${plain(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
