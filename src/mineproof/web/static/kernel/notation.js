// @ts-check
/** Grids, views and boards, and their texts: the twin of `world/notation.py` and `world/view.py`. */
import tables from "./tables.json" with { type: "json" };
import { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, KNOWN_SAFE, neighbours, isCovered } from "../board/cells.js";
import { say } from "../phrases.js";
import { doNotFit, invalid, nameCell, quoted, refusedIn, shorten } from "./errors.js";

export { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, KNOWN_SAFE, isCovered };

/** @typedef {import("../board/cells.js").Cell} Cell */

export const SYMBOLS = tables.symbols;
const { longest_side: MOST_SIDE, most_cells: MOST_CELLS } = tables;
const LONGEST_MARK = 3 * String(MOST_SIDE).length;

/** @param {number} state */
export const isClue = (state) => state < HIDDEN;
/** What may be opened. @param {number} state */
export const isUntouched = (state) => state === HIDDEN || state === KNOWN_SAFE;
/** Covered and undecided. @param {number} state */
export const isUnknown = (state) => state === HIDDEN || state === FLAGGED;

export class Grid {
  /** @param {number} rows @param {number} cols */
  constructor(rows, cols) {
    for (const [side, length] of Object.entries({ rows, cols })) {
      if (length < 1 || length > MOST_SIDE) throw invalid("refusal.sides", { most: MOST_SIDE, side, value: length });
    }
    if (rows * cols > MOST_CELLS) throw invalid("refusal.large", { most: MOST_CELLS, rows, cols });
    this.rows = rows;
    this.cols = cols;
    this.size = rows * cols;
  }

  /** @param {number} index @returns {Cell} */
  cell(index) {
    return [Math.floor(index / this.cols), index % this.cols];
  }

  /** @param {Iterable<number>} indices @returns {Cell[]} */
  cells(indices) {
    return Array.from(indices, (index) => this.cell(index));
  }

  /** @param {Cell} cell */
  index([row, col]) {
    if (row >= this.rows || col >= this.cols) throw invalid("refusal.outside", { cell: [row, col], row: this.rows - 1, col: this.cols - 1 });
    return row * this.cols + col;
  }

  /** @param {number} index */
  name(index) {
    return nameCell(this.cell(index));
  }

  /** The neighbours, rising. @param {number} index @returns {number[]} */
  neighbours(index) {
    return neighbours(this.rows, this.cols, index);
  }
}

/** @typedef {[index: number, state: number, bound?: number]} Change what a cell shows now, and the bound of its clue */
/** In place of a bound: there is none. */
export const UNBOUNDED = -1;

/** What a player sees. */
export class View {
  /**
   * @param {Grid} grid
   * @param {Uint8Array} states
   * @param {number | null} mines
   * @param {ReadonlyMap<number, number>} [bounds] by cell, for clues whose range depends on what was known
   */
  constructor(grid, states, mines, bounds = new Map()) {
    this.grid = grid;
    this.states = states;
    this.mines = mines;
    this.bounds = bounds;
  }

  /** The cells with a bound and their bounds, rising. @returns {[number, number][]} */
  get marks() {
    return [...this.bounds].sort(([one], [other]) => one - other);
  }

  /** Refuses what cannot be. */
  check() {
    const { grid, states, mines } = this;
    states.forEach((state, index) => {
      if (!isClue(state) || state === 0) return;
      const degree = grid.neighbours(index).length;
      if (state > degree) throw refusedIn("invalid", say("refusal.clue-too-high", { clue: state, cell: grid.cell(index), degree }), this.shown);
    });
    if (mines === null) return this;
    const hit = states.filter((state) => state === EXPLODED).length;
    const room = hit + states.filter(isUnknown).length;
    const about = { fit: doNotFit(mines), position: this.shown };
    if (mines < hit) throw invalid("refusal.too-few-mines", { ...about, mines: hit });
    if (mines > room) throw invalid("refusal.mines-without-room", { ...about, cells: room });
    return this;
  }

  /** @param {(state: number) => boolean} wanted @returns {number[]} */
  indices(wanted) {
    const found = [];
    for (let index = 0; index < this.states.length; ++index) if (wanted(this.states[index])) found.push(index);
    return found;
  }

  /** The same with cells that show something else. @param {Change[]} changes */
  with(...changes) {
    const states = this.states.slice();
    const bounds = new Map(this.bounds);
    for (const [index, state, bound = UNBOUNDED] of changes) {
      states[index] = state;
      bounds.delete(index);
      if (bound !== UNBOUNDED) bounds.set(index, bound);
    }
    return new View(this.grid, states, this.mines, bounds);
  }

  get text() {
    const text = gridText(this.grid, this.mines, Array.from(this.states, (state) => SYMBOLS[state]).join(""));
    return [text, ...this.marks.map(([index, bound]) => `${this.grid.cell(index)}:${bound}`)].join(" ");
  }

  get shown() {
    return `'${shorten(this.text)}'`;
  }
}

/** @param {Grid} grid @param {number | null} mines @param {string} characters */
function gridText(grid, mines, characters) {
  const rows = Array.from({ length: grid.rows }, (_, row) => characters.slice(row * grid.cols, (row + 1) * grid.cols));
  return `${grid.rows}x${grid.cols}${mines === null ? "" : `/${mines}`} ${rows.join("/")}`;
}

/** @param {Grid} grid @param {ArrayLike<number>} mined */
export function boardText(grid, mined) {
  const characters = Array.from(mined, (mine) => (mine ? "*" : ".")).join("");
  return gridText(grid, Array.from(mined).filter(Boolean).length, characters);
}

/** The values of the message about more mines than cells. @param {number} mines @param {Grid} grid */
export const tooManyMines = (mines, { rows, cols, size }) => ({ fit: doNotFit(mines), rows, cols, cells: size });

const MARK = /^(\d+),(\d+):(\d+)$/;
const HEADER = /^(\d+)[xX](\d+)(?:\/(\d+))?$/;

/**
 * @param {string} text
 * @param {string} alphabet
 * @returns {{grid: Grid, characters: string, mines: number | null, bounds: Map<number, number>, shown: string}}
 */
function read(text, alphabet) {
  const shown = `'${shorten(text.split(/\s+/).filter(Boolean).join(" "))}'`;
  /** @type {RegExpMatchArray | null} */
  let header = null;
  /** @type {string[]} */
  const rows = [];
  /** @type {string[]} */
  const marks = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|[\n\r\v\f]/)) {
    let left = line.trim();
    if (!left) continue;
    const first = left.split(" ", 1)[0];
    if (!header && !rows.length && (header = first.match(HEADER))) left = left.slice(first.length).trim();
    if (left.includes(":")) {
      const words = left.split(/\s+/);
      marks.push(...words.filter((word) => word.includes(":")));
      left = words.filter((word) => !word.includes(":")).join(" ");
    }
    if (left) rows.push(...left.split("/").map((row) => row.replace(/\s+/g, "")));
  }
  if (!rows.length) throw refusedIn("invalid", say("refusal.no-rows"), shown);
  const [height, width] = header ? [header[1], header[2]].map((side) => Number(side.slice(0, 9))) : [rows.length, rows[0].length];
  const grid = inPosition(() => new Grid(height, width), shown);
  const mines = header?.[3] === undefined ? null : Number(header[3].slice(0, 9));
  if (rows.length !== grid.rows) throw refusedIn("invalid", say("refusal.rows", { rows: grid.rows, got: rows.length }), shown);
  if (mines !== null && mines > grid.size) throw refusedIn("invalid", say("refusal.too-many-mines", tooManyMines(mines, grid)), shown);
  rows.forEach((row, number) => {
    if ([...row].length !== grid.cols) throw refusedIn("invalid", say("refusal.row", { cells: grid.cols, row: number, got: [...row].length }), shown);
    [...row].forEach((character, col) => {
      if (!alphabet.includes(character)) throw invalid("refusal.character", { character: quoted(character), cell: [number, col], position: shown, alphabet: [...alphabet].join(" ") });
    });
  });
  const bounds = new Map(marks.map((word) => readMark(word, grid, shown)));
  if (bounds.size < marks.length) throw refusedIn("invalid", say("refusal.marks"), shown);
  return { grid, characters: rows.join(""), mines, bounds, shown };
}

/** A cell with its bound. @param {string} word @param {Grid} grid @param {string} shown @returns {[number, number]} */
function readMark(word, grid, shown) {
  const [row, col, bound] = (word.match(MARK) ?? []).slice(1).map(Number);
  if (bound === undefined || word.length > LONGEST_MARK) throw refusedIn("invalid", say("refusal.mark", { mark: quoted(word) }), shown);
  return [inPosition(() => grid.index([row, col]), shown), bound];
}

/** What is read, or the error with the position. @template T @param {() => T} read @param {string} shown */
function inPosition(read, shown) {
  try {
    return read();
  } catch (error) {
    throw refusedIn("invalid", /** @type {Error} */ (error).message, shown);
  }
}

/** @param {string} text */
export function readView(text) {
  const { grid, characters, mines, bounds, shown } = read(text, `${SYMBOLS}.`);
  const mined = [...characters].filter((each) => each === "*").length;
  if (/^[.*]+$/.test(characters) && characters.includes(".") && !bounds.size && (mines === null || mines === mined)) {
    throw invalid("refusal.dots", { options: false, position: `'${shorten(gridText(grid, mines, characters))}'` });
  }
  const states = Uint8Array.from(characters, (each) => (each === "." ? HIDDEN : SYMBOLS.indexOf(each)));
  for (const [index, bound] of bounds) {
    if (!isClue(states[index]) || bound > grid.neighbours(index).length) throw invalid("refusal.bound", { bound, at: grid.cell(index), position: shown });
  }
  return new View(grid, states, mines, bounds).check();
}

/** @param {string} text */
export function readBoard(text) {
  const { grid, characters, mines, bounds, shown } = read(text, "*.");
  if (bounds.size) throw invalid("refusal.board-marks", { at: grid.cell(Math.min(...bounds.keys())) });
  const mined = Uint8Array.from(characters, (each) => Number(each === "*"));
  const found = mined.reduce((sum, mine) => sum + mine, 0);
  if (mines !== null && mines !== found) throw invalid("refusal.header", { mines, got: found, position: shown });
  return { grid, mined };
}
