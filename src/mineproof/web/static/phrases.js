// @ts-check
/**
 * Phrases: what moves, proofs, hints and refusals say, from the catalogue `phrases.json`. The twin
 * of `mineproof/phrases.py`, which explains the format.
 */
import catalogue from "./phrases.json" with { type: "json" };

/** @typedef {{name: string, kind?: string, cases: Record<string, Parts>}} Place a placeholder: how it is shown and, if it chooses, its cases */
/** @typedef {(string | Place)[]} Parts */
/** @typedef {string | [number, number]} Piece a text or a cell */
/** @typedef {Record<string, any>} Values of a phrase by the names of its placeholders: texts, numbers, cells, phrases, lists */
/** @typedef {{phrase: string, values: Values}} Phrase a key and its values, before they become words */

const MOST = 8; // the most cells of a list that are shown

/** @type {Map<string, Parts>} */
const parsed = new Map();

/** The phrase with this key, its placeholders filled in. @param {string} key @param {Values} [values] */
export const say = (key, values = {}) => said(phrase(key, values));

/** @param {string} key @param {Values} [values] @returns {Phrase} */
export const phrase = (key, values = {}) => ({ phrase: key, values });

/** A phrase in words. @param {Phrase} phrase */
export const said = (phrase) => pieces(phrase).map(worded).join("");

/** A phrase as texts and cells, so that cells can be shown as more than text. @param {Phrase} phrase */
export function pieces({ phrase: key, values }) {
  if (!parsed.has(key)) parsed.set(key, parse(/** @type {Record<string, string>} */ (catalogue)[key]));
  return filled(/** @type {Parts} */ (parsed.get(key)), values);
}

/** @param {Piece} piece */
const worded = (piece) => (typeof piece === "string" ? piece : `(${piece[0]},${piece[1]})`);

/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A phrase with its placeholders filled in. @param {Parts} parts @param {Values} values */
export const fill = (parts, values) => filled(parts, values).map(worded).join("");

/** The same as pieces; `number` replaces `#`. @param {Parts} parts @param {Values} values @param {string} [number] @returns {Piece[]} */
const filled = (parts, values, number = "#") => parts.flatMap((part) => (typeof part === "string" ? [part.replaceAll("#", number)] : fillPlace(part, values)));

/** The parts of a phrase. @param {string} phrase */
export function parse(phrase) {
  const [parts, end] = parseParts(phrase, 0);
  if (end !== phrase.length) throw new Error(`unexpected '${phrase[end]}' at ${end} in '${phrase}'`);
  return parts;
}

/** @param {RegExp} pattern @param {string} text @param {number} at */
function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The parts from `at` to the end, or to the brace that closes them. @param {string} phrase @param {number} at @returns {[Parts, number]} */
function parseParts(phrase, at) {
  /** @type {Parts} */
  const parts = [];
  while (at < phrase.length && phrase[at] !== "}") {
    const text = match(/[^{}]+/y, phrase, at);
    if (text) {
      parts.push(text[0]);
      at += text[0].length;
      continue;
    }
    const head = match(/\{\s*(\w+)\s*(?:,\s*(?:(plural|select)\s*,|(list|\.\d%?)\s*\})|\})/y, phrase, at);
    if (!head) throw new Error(`not a placeholder at ${at} in '${phrase}'`);
    const [all, name, choice, form] = head;
    /** @type {Record<string, Parts>} */
    let cases = {};
    at += all.length;
    if (choice) [cases, at] = parseCases(phrase, at);
    parts.push({ name, kind: choice ?? form, cases });
  }
  return [parts, at];
}

/** @param {string} phrase @param {number} at @returns {[Record<string, Parts>, number]} */
function parseCases(phrase, at) {
  /** @type {Record<string, Parts>} */
  const cases = {};
  for (let head; (head = match(/\s*(=?\w+)\s*\{/y, phrase, at)); at += 1) {
    [cases[head[1]], at] = parseParts(phrase, at + head[0].length);
  }
  const end = match(/\s*\}/y, phrase, at);
  if (!end || !cases.other) throw new Error(`cases must end with 'other' and a brace at ${at} in '${phrase}'`);
  return [cases, at + end[0].length];
}

/** @param {Place} place @param {Values} values @returns {Piece[]} */
function fillPlace({ name, kind, cases }, values) {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for {${name}}`);
  if (!kind) return show(value);
  if (kind === "list") return joined(value, " ");
  if (kind.startsWith(".")) return [kind.endsWith("%") ? `${fixed(100 * value, +kind[1])} %` : fixed(value, +kind[1])];
  if (kind === "select") return filled(cases[String(value)] ?? cases.other, values);
  const number = Array.isArray(value) ? value.length : value;
  return filled(cases[`=${number}`] ?? ((number === 1 && cases.one) || cases.other), values, String(number));
}

/** @param {any} value @returns {Piece[]} */
function show(value) {
  if (value?.phrase !== undefined) return pieces(value);
  if (value?.pieces) return value.pieces;
  if (isCell(value)) return [value];
  if (!Array.isArray(value)) return [String(value)];
  const more = value.length - MOST + 1;
  const first = (/** @type {number} */ end) => ({ pieces: joined(value.slice(0, end), ", ") });
  if (more > 1 && value.every(isCell)) return pieces(phrase("list.more", { first: first(MOST - 1), more }));
  return value.length === 1 ? show(value[0]) : pieces(phrase("list.and", { first: first(-1), last: value.at(-1) }));
}

/** @param {any[]} values @param {string} between */
const joined = (values, between) => values.flatMap((value, at) => (at ? [between, ...show(value)] : show(value)));

/** @param {any} value */
const isCell = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);

/** A number with a fixed number of decimals; ties are rounded to even, as in Python. @param {number} value @param {number} digits */
export function fixed(value, digits) {
  const exact = value.toFixed(Math.min(digits + 40, 100));
  const cut = exact.length - (exact.length - exact.indexOf(".") - 1 - digits);
  if (!/^50*$/.test(exact.slice(cut))) return value.toFixed(digits);
  const kept = exact.slice(0, cut).replace(/\.$/, "");
  return Number(kept.at(-1)) % 2 === 0 ? kept : value.toFixed(digits);
}
