// @ts-check
/**
 * What cells show. The numbers are the engine's states and positions on the sheet of shapes
 * (`shapes.svg`); higher numbers are looks that only the picture has.
 */
import tables from "../kernel/tables.json" with { type: "json" };

export const { hidden: HIDDEN, known_safe: KNOWN_SAFE, no_clue: NO_CLUE, exploded: EXPLODED, flagged: FLAGGED } = tables.states;
export const MINE = 14;
export const WRONG_FLAG = 15;
const RISK = 16; // plus the risk in per cent, 0 to 99
export const ZERO = 116; // a written zero; other zeros are blank
export const PIN = 117; // a small flag for a corner
export const ACROSS = 16; // shapes in a row of the sheet

const SYMBOLS = tables.symbols;

const WORDS = [
  "0", "1", "2", "3", "4", "5", "6", "7", "8",
  "hidden", "known safe", "no clue", "exploded mine", "flag", "mine", "wrong flag",
];

/** @typedef {[number, number]} Cell row and column, from 0 */

/**
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} cols
 * @property {number | null} mines the mine count, if it is known
 * @property {Uint8Array} states
 * @property {string} [marks] the marks that follow the cells in a text
 */

/** @param {number} state */
export const isCovered = (state) => state === HIDDEN || state === KNOWN_SAFE || state === FLAGGED;

/** @param {string} symbol */
export const stateOf = (symbol) => (symbol === "." ? HIDDEN : SYMBOLS.indexOf(symbol));

/** @param {number} state */
const symbolOf = (state) => SYMBOLS[state] ?? "?";

/**
 * The look of a risk in per cent; risks below 1 % and above 99 % still look uncertain.
 * @param {number} risk
 */
export function riskLook(risk) {
  return RISK + (risk < 0.01 ? 0 : Math.min(Math.floor(100 * risk + 0.5), 99));
}

/** @param {number} look */
export function wordsOf(look) {
  if (look === ZERO) return "0";
  return WORDS[look] ?? "hidden";
}

/**
 * @param {number} rows
 * @param {number} cols
 * @param {number | null} mines
 * @returns {Position}
 */
export function blank(rows, cols, mines) {
  return { rows, cols, mines, states: new Uint8Array(rows * cols).fill(HIDDEN) };
}

/**
 * Reads a position of one line, such as `2x3/2 ???/121`; the engine reads all other forms.
 * @param {string} text
 * @returns {Position | null}
 */
export function fromText(text) {
  const found = /^(\d+)x(\d+)(?:\/(\d+))? (\S+)((?: \d+,\d+:\d+)*)$/.exec(text.trim());
  if (!found) return null;
  const [rows, cols] = [Number(found[1]), Number(found[2])];
  const mines = found[3] === undefined ? null : Number(found[3]);
  const states = Uint8Array.from(found[4].replaceAll("/", ""), (symbol) => stateOf(symbol));
  if (states.length !== rows * cols || states.includes(255)) return null;
  return { rows, cols, mines, states, marks: found[5] };
}

/**
 * @param {Position} position
 * @param {boolean} [lines] on many lines
 */
export function toText({ rows, cols, mines, states, marks = "" }, lines = false) {
  const text = Array.from({ length: rows }, (_, row) =>
    Array.from(states.subarray(row * cols, (row + 1) * cols), symbolOf).join(""),
  );
  const head = `${rows}x${cols}${mines === null ? "" : `/${mines}`}`;
  return lines ? [head, ...text, ...(marks ? [marks.trim()] : [])].join("\n") : `${head} ${text.join("/")}${marks}`;
}

/**
 * Where the mines are, from the text of a board (`*` a mine).
 * @param {string} text
 */
export function minesOf(text) {
  const cells = text.trim().split(/\s+/).slice(1).join("").replaceAll("/", "");
  return Uint8Array.from(cells, (symbol) => (symbol === "*" ? 1 : 0));
}

/**
 * The neighbours of a cell, by index.
 * @param {number} rows
 * @param {number} cols
 * @param {number} index
 */
export function neighbours(rows, cols, index) {
  const [row, col] = [Math.floor(index / cols), index % cols];
  const found = [];
  for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r++) {
    for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); c++) {
      if (r !== row || c !== col) found.push(r * cols + c);
    }
  }
  return found;
}

/**
 * The solved board: mines, and the clues of all other cells.
 * @param {number} rows
 * @param {number} cols
 * @param {Uint8Array} mines
 * @returns {Position}
 */
export function solved(rows, cols, mines) {
  const states = mines.map((mine, index) => (mine ? HIDDEN : neighbours(rows, cols, index).filter((near) => mines[near]).length));
  return { rows, cols, mines: null, states };
}
