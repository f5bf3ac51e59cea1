// @ts-check
/** Answers that say no, and how values stand in them: the words are those of `errors.py`. */

/** @typedef {[number, number]} Cell */

export class Refused extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   * @param {Record<string, any>} [more]
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

/** @param {string} message */
export const invalid = (message) => new Refused("invalid", message);

/** @param {string} message */
export const illegal = (message) => new Refused("illegal", message);

/** What only Python can do. @param {string} what */
export const needsServer = (what) => new Refused("server", `${what} needs the server: make web`);

/** Its beginning and end. @param {string} text @param {number} [most] */
export function shorten(text, most = 60) {
  const head = Math.floor((most * 2) / 3);
  return text.length <= most ? text : `${text.slice(0, head)}...${text.slice(head + 3 - most)}`;
}

const DEEPEST = 5;

/** As Python writes it, whatever it is. @param {any} value @param {number} [depth] @returns {string} */
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
export const unknown = (kind, name, known) => new Refused("unknown", `unknown ${kind} ${quoted(name)}: there are: ${known.join(", ")}`);

/** `1 mine`, `2 mines`. @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** @param {number} mines */
export const doNotFit = (mines) => (mines === 1 ? "1 mine does not fit" : `${mines} mines do not fit`);

/** `(3,4)`. @param {Cell} cell */
export const nameCell = ([row, col]) => `(${row},${col})`;

/** With so many decimals, ties to the even one as in Python. @param {number} value @param {number} digits */
export function fixed(value, digits) {
  const exact = value.toFixed(Math.min(digits + 40, 100));
  const cut = exact.length - (exact.length - exact.indexOf(".") - 1 - digits);
  if (!/^50*$/.test(exact.slice(cut))) return value.toFixed(digits);
  const kept = exact.slice(0, cut).replace(/\.$/, "");
  return Number(kept.at(-1)) % 2 === 0 ? kept : value.toFixed(digits);
}

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
