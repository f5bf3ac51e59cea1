// @ts-check
/** Clue models: their texts, and what the page must know of them; the twin of `world/clues.py`. */
import tables from "./tables.json" with { type: "json" };
import { say } from "../phrases.js";
import { RequestRefused, floatText, invalid, quoted, repr, shorten, unknown } from "./errors.js";

/** @typedef {import("./notation.js").Grid} Grid */
/** @typedef {"truth" | "number"} OptionKind */

/**
 * @typedef {object} ClueModel
 * @property {string} name
 * @property {string} text as Python writes it
 * @property {boolean} exact
 * @property {boolean} redraw whether cells without a clue may be asked again
 * @property {boolean} known whether a clue also depends on what was known around its cell
 * @property {boolean} canBeMissing whether a cell may open without a clue
 * @property {number[]} row for the kernel
 * @property {number[][]} rows of a table; otherwise none
 */

/** The names of all clue models. */
export const CLUES = tables.clues;
/** The options of a model, the first of which needs no name. @type {Record<string, Record<string, OptionKind>>} */
const OPTIONS = { exact: {}, sometimes: { p: "number", redraw: "truth" }, optimistic: { known: "truth" }, cautious: { known: "truth" } };
const TRUTHS = new Map([["true", true], ["yes", true], ["on", true], ["1", true], ["false", false], ["no", false], ["off", false], ["0", false]]);
/** Whether a word means true or false; undefined for others. @param {string} word */
export const truth = (word) => TRUTHS.get(word.trim().toLowerCase());
const NUMBER = /^[+-]?(?:(?:\d+(?:_\d+)*)?\.?\d+(?:_\d+)*|\d+(?:_\d+)*\.)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NOT_FINITE = /^[+-]?(?:inf(?:inity)?|nan)$/i;
const MOST = 8; // neighbours
const COUNTS = MOST + 1;

/** @param {string} name @param {Partial<ClueModel> & {row: number[]}} more @returns {ClueModel} */
const model = (name, { row, ...more }) => ({
  name, text: name, exact: name === "exact", redraw: false, known: false, canBeMissing: false, rows: [], ...more, row: [CLUES.indexOf(name), ...row],
});

export const EXACT = model("exact", { row: [] });

/**
 * Reads a model: `exact`, `sometimes:0.5`, `optimistic:known=true`, `table:[[...]]`.
 * @param {string} [text]
 * @param {Grid} [grid] of the boards that it must suit
 */
export function readClues(text = "exact", grid) {
  const [name, rest = ""] = text.trim().split(/:(.*)/s);
  if (!CLUES.includes(name)) throw unknown("clue model", name, CLUES);
  const found = name === "table" ? table(rest) : noise(name, readOptions(rest, OPTIONS[name], name));
  if (grid) checkTable(found, grid);
  return found;
}

/** @param {string} name @param {Map<string, any>} options */
function noise(name, options) {
  if (name === "exact") return EXACT;
  const p = options.get("p");
  if (name === "sometimes" && p === undefined) throw invalid("refusal.sometimes");
  if (p !== undefined && !(p >= 0 && p <= 1)) throw invalid("refusal.range", { name: "sometimes:p", least: 0, most: 1, value: floatText(p) });
  const redraw = options.get("redraw") ?? false;
  const known = options.get("known") ?? false;
  const written = [...(p === undefined ? [] : [`p=${floatText(p)}`]), ...(redraw ? ["redraw=true"] : []), ...(known ? ["known=true"] : [])];
  const row = p === undefined ? [Number(known)] : [p, Number(redraw)];
  return model(name, { text: [name, ...(written.length ? [written.join(",")] : [])].join(":"), redraw, known, canBeMissing: p < 1, row });
}

/**
 * The options in the text after the colon: the twin of `read_options` in `world/naming.py`.
 * @param {string} text
 * @param {Record<string, OptionKind>} kinds
 * @param {string} owner what has the options, for errors
 * @returns {Map<string, any>}
 */
function readOptions(text, kinds, owner) {
  const found = new Map();
  for (const part of text.split(",").map((one) => one.trim()).filter(Boolean)) {
    const known = Object.keys(kinds);
    if (!known.length) throw invalid("refusal.no-options", { owner, option: repr(shorten(part)) });
    const named = part.match(/^([^=]*)=(.*)$/s);
    const [name, value] = named ? named.slice(1) : [known[0], part];
    if (!known.includes(name)) throw unknown(`option of ${owner}`, name, known);
    const about = { name: `${owner}:${name}` };
    if (found.has(name)) throw invalid("refusal.option-twice", { ...about, value: repr(value) });
    const read = kinds[name] === "truth" ? truth(value) : float(value.trim());
    if (read === undefined) throw invalid("refusal.option", { ...about, kind: kinds[name], value: repr(shorten(value.trim())) });
    found.set(name, read);
  }
  return found;
}

/** A number as Python reads it. @param {string} text */
function float(text) {
  if (NUMBER.test(text)) return Number(text.replaceAll("_", ""));
  if (!NOT_FINITE.test(text)) return undefined;
  return /n$/i.test(text) ? NaN : text.startsWith("-") ? -Infinity : Infinity;
}

/** @param {string} text */
function table(text) {
  /** @type {unknown} */
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalid("refusal.table", { text: true, value: repr(shorten(text)) });
  }
  if (!Array.isArray(given) || !given.every((row) => Array.isArray(row) && row.every((one) => typeof one === "number"))) throw invalid("refusal.table", { text: false, value: quoted(given) });
  if (given.length !== COUNTS) throw invalid("refusal.table-rows", { got: given.length });
  const rows = given.map((row, count) => {
    if (row.length !== COUNTS && row.length !== COUNTS + 1) throw invalid("refusal.table-row", { row: count, got: row.length });
    const sum = row.reduce((/** @type {number} */ all, /** @type {number} */ one) => all + one, 0);
    if (row.some((/** @type {number} */ one) => one < 0 || one > 1) || Math.abs(sum - 1) > 1e-9) throw invalid("refusal.table-sum", { row: count, value: shorten(`[${row.map(floatText).join(", ")}]`) });
    return row.length === COUNTS ? [...row, 0] : row;
  });
  const written = rows.map((row) => `[${row.map(floatText).join(",")}]`).join(",");
  return model("table", { text: `table:[${written}]`, canBeMissing: rows.some((row) => row[COUNTS]), rows, row: rows.flat() });
}

/** Refuses boards on which a table leaves a cell nothing to show. @param {ClueModel} clues @param {Grid} grid */
function checkTable({ rows }, grid) {
  if (!rows.length) return;
  const near = [0, 1].flatMap((row) => [0, 1].map((col) => [row, col])).filter(([row, col]) => row < grid.rows && col < grid.cols);
  /** Cells by their number of neighbours. @type {Map<number, number>} */
  const cells = new Map();
  for (const [row, col] of near.reverse()) {
    const index = row * grid.cols + col;
    cells.set(grid.neighbours(index).length, index);
  }
  for (const [degree, index] of cells) {
    const empty = rows.slice(0, degree + 1).findIndex((row) => ![...row.slice(0, degree + 1), row[COUNTS]].some(Boolean));
    if (empty >= 0) throw invalid("refusal.table-empty", { row: empty, degree, at: grid.cell(index) });
  }
}
