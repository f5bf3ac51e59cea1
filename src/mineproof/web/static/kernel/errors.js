// @ts-check
/** Errors, and how values are written in their messages: the twin of `errors.py`. */

import { said, say } from "../phrases.js";

/** @typedef {[number, number]} Cell */
/** @typedef {Omit<import("../messages.js").Error, "kind" | "message">} More further fields of an error */

const LONGEST = 400; // characters of a message

export class RequestRefused extends Error {
  /**
   * @param {import("../messages.js").Error["kind"]} kind
   * @param {string} message
   * @param {More} [more]
   */
  constructor(kind, message, more = {}) {
    super(message);
    this.kind = kind;
    this.more = more;
  }

  toJSON() {
    return { kind: this.kind, message: shorten(this.message, LONGEST), ...this.more };
  }
}

/** @param {string} key of a phrase @param {import("../phrases.js").Values} [values] */
export const invalid = (key, values) => new RequestRefused("invalid", say(key, values));

/** @param {string} key of a phrase @param {import("../phrases.js").Values} [values] */
export const illegal = (key, values) => new RequestRefused("illegal", say(key, values));

/** An error about a position. @param {import("../messages.js").Error["kind"]} kind @param {string | import("../phrases.js").Phrase} what @param {string} position @param {More} [more] */
export function refusedIn(kind, what, position, more) {
  const about = typeof what === "string" ? { what } : { what: said(what), why: what };
  return new RequestRefused(kind, say("refusal.in", { what, position }), { ...about, ...more });
}

/** The error for what only the server can do. @param {string} what */
export const needsServer = (what) => new RequestRefused("server", say("refusal.server", { what }));

/** The text, or its beginning and end if it is too long. @param {string} text @param {number} [most] */
export function shorten(text, most = 60) {
  const head = Math.floor((most * 2) / 3);
  const characters = text.length <= most ? [] : [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, head).join("")}...${characters.slice(head + 3 - most).join("")}`;
}

const DEEPEST = 60; // what is deeper is not shown: it is far from the beginning and the end

/** Any value as Python writes it, on one line and shortened. @param {unknown} value @param {number} [depth] @returns {string} */
export function quoted(value, depth = 0) {
  if (typeof value === "string") return shorten(repr(value).replace(/ +/g, " "));
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return numberText(Number(value));
  if (depth === DEEPEST) return "...";
  const inner = (/** @type {unknown} */ each) => quoted(each, depth + 1);
  if (Array.isArray(value)) return shorten(`[${value.map(inner).join(", ")}]`);
  return shorten(`{${Object.entries(value).map(([name, each]) => `${inner(name)}: ${inner(each)}`).join(", ")}}`);
}

/** @param {number} value */
function numberText(value) {
  const size = Math.abs(value);
  const text = value !== 0 && (size < 1e-4 || (size >= 1e16 && size < Infinity)) ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** A float as Python writes it. @param {number} value */
export function floatText(value) {
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "inf").toLowerCase();
  const text = Object.is(value, -0) ? "-0" : numberText(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES = new Map([["\\", "\\\\"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);

/** A string as Python writes it. @param {string} text */
export function repr(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const written = text.replace(/[\\\p{C}\p{Z}]/gu, (one) => (one === " " ? one : ESCAPES.get(one) ?? escaped(one)));
  return `${quote}${quote === "'" ? written.replaceAll("'", "\\'") : written}${quote}`;
}

/** `\x07`, `\u2028` or `\U000e0001`. @param {string} character */
function escaped(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** @param {string} kind @param {string} name @param {string[]} known */
export function unknown(kind, name, known) {
  const near = nearest(name, known);
  const names = { names: known.join(", "), near: near === null ? "none" : quoted(near), known: known.length };
  return new RequestRefused("unknown", say("refusal.unknown", { kind, name: repr(shorten(name)), ...names }));
}

/** The known name that is most similar, as `difflib` finds it. @param {string} name @param {string[]} known */
function nearest(name, known) {
  const length = [...name].length;
  const ranked = known.map((one) => {
    const sum = one.length + length;
    const most = 2 * Math.min(one.length, length); // spares comparisons with long texts
    return { one, likeness: 2 * most < sum ? 0 : (2 * matches([...one], [...name])) / sum };
  });
  ranked.sort((a, b) => b.likeness - a.likeness || (a.one < b.one ? 1 : -1));
  return ranked[0]?.likeness >= 0.5 ? ranked[0].one : null;
}

/** How many characters two texts share, in blocks in the same order, the longest first. @param {string[]} one @param {string[]} other @returns {number} */
function matches(one, other) {
  let [size, left, right] = [0, 0, 0];
  for (let i = 0; i < one.length; ++i) {
    for (let j = 0; j < other.length; ++j) {
      let run = 0;
      while (i + run < one.length && one[i + run] === other[j + run]) ++run;
      if (run > size) [size, left, right] = [run, i, j];
    }
  }
  if (!size) return 0;
  return size + matches(one.slice(0, left), other.slice(0, right)) + matches(one.slice(left + size), other.slice(right + size));
}

/** @param {number} mines */
export const doNotFit = (mines) => say("refusal.do-not-fit", { mines, one: mines === 1 });

/** `(3,4)`. @param {Cell} cell */
export const nameCell = ([row, col]) => `(${row},${col})`;

/** Python's `.4g`. @param {number} value @param {number} digits */
export function general(value, digits) {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  const plain = (/** @type {string} */ text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < digits) return plain(value.toFixed(Math.max(digits - 1 - power, 0)));
  return `${plain(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
