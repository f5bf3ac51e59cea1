// @ts-check
/** Grids, views and boards, and their texts: the twin of `world/notation.py` and `world/view.py`. */
import { counted, doNotFit, invalid, nameCell, needsServer, quoted, shorten } from "./refusals.js";

/** @typedef {[number, number]} Cell */

export const HIDDEN = 9;
export const TOLD_SAFE = 10;
export const NO_CLUE = 11;
export const EXPLODED = 12;
export const FLAGGED = 13;
export const SYMBOLS = "012345678?s-*F";
export const MOST_CELLS = 40_000;
const MOST_SIDE = 1000;

/** @param {number} state */
export const isClue = (state) => state <= 8;
/** @param {number} state */
export const isCovered = (state) => state === HIDDEN || state === TOLD_SAFE || state === FLAGGED;
/** What may be opened. @param {number} state */
export const isUntouched = (state) => state === HIDDEN || state === TOLD_SAFE;
/** Covered, and nothing tells what is there. @param {number} state */
export const isUnknown = (state) => state === HIDDEN || state === FLAGGED;

export class Grid {
  /** @param {number} rows @param {number} cols */
  constructor(rows, cols) {
    for (const side of [rows, cols]) {
      if (!Number.isInteger(side) || side < 1 || side > MOST_SIDE) throw invalid(`a side of a board is from 1 to ${MOST_SIDE}, got ${quoted(side)}`);
    }
    if (rows * cols > MOST_CELLS) throw invalid(`a board has at most ${MOST_CELLS} cells here, got ${rows}x${cols}`);
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
    if (row >= this.rows || col >= this.cols) throw invalid(`cell ${nameCell([row, col])} is outside the board: rows 0 to ${this.rows - 1}, columns 0 to ${this.cols - 1}`);
    return row * this.cols + col;
  }

  /** @param {number} index */
  name(index) {
    return nameCell(this.cell(index));
  }

  /** The neighbours, rising. @param {number} index @returns {number[]} */
  around(index) {
    const [row, col] = this.cell(index);
    const found = [];
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, this.rows - 1); ++r) {
      for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, this.cols - 1); ++c) {
        if (r !== row || c !== col) found.push(r * this.cols + c);
      }
    }
    return found;
  }
}

/** What a player sees. */
export class View {
  /**
   * @param {Grid} grid
   * @param {Uint8Array} states
   * @param {number | null} mines
   */
  constructor(grid, states, mines) {
    this.grid = grid;
    this.states = states;
    this.mines = mines;
  }

  /** Refuses what cannot be. */
  check() {
    const { grid, states, mines } = this;
    states.forEach((state, index) => {
      if (!isClue(state) || state === 0) return;
      const degree = grid.around(index).length;
      if (state > degree) throw invalid(`clue ${state} at ${grid.name(index)} is too high: the cell has ${counted(degree, "neighbour")} in ${this.shown}`);
    });
    if (mines === null) return this;
    const hit = states.filter((state) => state === EXPLODED).length;
    const room = hit + states.filter(isUnknown).length;
    if (mines < hit || mines > room) {
      throw invalid(`${doNotFit(mines)} ${this.shown}: ${mines < hit ? `at least ${hit} exploded` : `at most ${room} can be`}`);
    }
    return this;
  }

  /** @param {(state: number) => boolean} wanted @returns {number[]} */
  indices(wanted) {
    const found = [];
    for (let index = 0; index < this.states.length; ++index) if (wanted(this.states[index])) found.push(index);
    return found;
  }

  /** The same with cells that show something else. @param {[number, number][]} changes */
  with(...changes) {
    const states = this.states.slice();
    for (const [index, state] of changes) states[index] = state;
    return new View(this.grid, states, this.mines);
  }

  get text() {
    return gridText(this.grid, this.mines, Array.from(this.states, (state) => SYMBOLS[state]).join(""));
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

const HEADER = /^(\d+)[xX](\d+)(?:\/(\d+))?$/;

/**
 * @param {string} text
 * @param {string} alphabet
 * @returns {{grid: Grid, characters: string, mines: number | null}}
 */
function read(text, alphabet) {
  const shown = `'${shorten(text.split(/\s+/).filter(Boolean).join(" "))}'`;
  /** @type {RegExpMatchArray | null} */
  let header = null;
  /** @type {string[]} */
  const rows = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|[\n\r\v\f]/)) {
    let left = line.trim();
    if (!left) continue;
    const first = left.split(" ", 1)[0];
    if (!header && !rows.length && (header = first.match(HEADER))) left = left.slice(first.length).trim();
    if (left.includes(":")) throw needsServer("a view with bounds of uncertain clues");
    if (left) rows.push(...left.split("/").map((row) => row.replace(/\s+/g, "")));
  }
  if (!rows.length) throw invalid(`expected rows of cells, got none in ${shown}`);
  const grid = header ? new Grid(Number(header[1].slice(0, 9)), Number(header[2].slice(0, 9))) : new Grid(rows.length, rows[0].length);
  const mines = header?.[3] === undefined ? null : Number(header[3].slice(0, 9));
  if (rows.length !== grid.rows) throw invalid(`expected ${counted(grid.rows, "row")}, got ${rows.length} in ${shown}`);
  if (mines !== null && mines > grid.size) throw invalid(`${doNotFit(mines)}: ${grid.rows}x${grid.cols} has ${counted(grid.size, "cell")} in ${shown}`);
  rows.forEach((row, number) => {
    if ([...row].length !== grid.cols) throw invalid(`expected ${counted(grid.cols, "cell")} in row ${number}, got ${[...row].length} in ${shown}`);
    [...row].forEach((character, col) => {
      if (!alphabet.includes(character)) throw invalid(`unknown character ${quoted(character)} at ${nameCell([number, col])} in ${shown}: a cell is one of ${[...alphabet].join(" ")}`);
    });
  });
  return { grid, characters: rows.join(""), mines };
}

/** @param {string} text */
export function readView(text) {
  const { grid, characters, mines } = read(text, `${SYMBOLS}.`);
  const mined = [...characters].filter((each) => each === "*").length;
  if (/^[.*]+$/.test(characters) && characters.includes(".") && (mines === null || mines === mined)) {
    throw invalid(`'${shorten(gridText(grid, mines, characters))}' could be a view, its . hidden, or a board, its . safe: write ? for hidden`);
  }
  const states = Uint8Array.from(characters, (each) => (each === "." ? HIDDEN : SYMBOLS.indexOf(each)));
  return new View(grid, states, mines).check();
}

/** @param {string} text */
export function readBoard(text) {
  const { grid, characters, mines } = read(text, "*.");
  const mined = Uint8Array.from(characters, (each) => Number(each === "*"));
  const found = mined.reduce((sum, mine) => sum + mine, 0);
  if (mines !== null && mines !== found) throw invalid(`expected ${counted(mines, "mine")}, got ${found} in '${shorten(text)}'`);
  return { grid, mined };
}

/** @param {any} value @param {string} name @returns {Cell} */
export function readCell(value, name) {
  const fits = Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each) && each >= 0 && each < MOST_SIDE);
  if (!fits) throw invalid(`${quoted(name)} is a cell, [row, col], got ${quoted(value)}`);
  return [value[0], value[1]];
}
