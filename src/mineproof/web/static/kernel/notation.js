// @ts-check
/** Grids, views and boards, and their texts: the twin of `world/notation.py` and `world/view.py`. */
import tables from "./tables.json" with { type: "json" };
import { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, KNOWN_SAFE, neighbours, isCovered } from "../board/cells.js";
import { say } from "../phrases.js";
import { doNotFit, invalid, nameCell, needsServer, quoted, refusedIn, shorten } from "./errors.js";

export { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, KNOWN_SAFE, isCovered };

/** @typedef {import("../board/cells.js").Cell} Cell */

export const SYMBOLS = tables.symbols;
const { longest_side: MOST_SIDE, most_cells: MOST_CELLS } = tables;

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

/** The values of the message about more mines than cells. @param {number} mines @param {Grid} grid */
export const tooManyMines = (mines, { rows, cols, size }) => ({ fit: doNotFit(mines), rows, cols, cells: size });

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
  if (!rows.length) throw refusedIn("invalid", say("refusal.no-rows"), shown);
  const [height, width] = header ? [header[1], header[2]].map((side) => Number(side.slice(0, 9))) : [rows.length, rows[0].length];
  const grid = gridIn(height, width, shown);
  const mines = header?.[3] === undefined ? null : Number(header[3].slice(0, 9));
  if (rows.length !== grid.rows) throw refusedIn("invalid", say("refusal.rows", { rows: grid.rows, got: rows.length }), shown);
  if (mines !== null && mines > grid.size) throw refusedIn("invalid", say("refusal.too-many-mines", tooManyMines(mines, grid)), shown);
  rows.forEach((row, number) => {
    if ([...row].length !== grid.cols) throw refusedIn("invalid", say("refusal.row", { cells: grid.cols, row: number, got: [...row].length }), shown);
    [...row].forEach((character, col) => {
      if (!alphabet.includes(character)) throw invalid("refusal.character", { character: quoted(character), cell: [number, col], position: shown, alphabet: [...alphabet].join(" ") });
    });
  });
  return { grid, characters: rows.join(""), mines };
}

/** @param {number} rows @param {number} cols @param {string} shown the position that has this shape */
function gridIn(rows, cols, shown) {
  try {
    return new Grid(rows, cols);
  } catch (error) {
    throw refusedIn("invalid", /** @type {Error} */ (error).message, shown);
  }
}

/** @param {string} text */
export function readView(text) {
  const { grid, characters, mines } = read(text, `${SYMBOLS}.`);
  const mined = [...characters].filter((each) => each === "*").length;
  if (/^[.*]+$/.test(characters) && characters.includes(".") && (mines === null || mines === mined)) {
    throw invalid("refusal.dots", { options: false, position: `'${shorten(gridText(grid, mines, characters))}'` });
  }
  const states = Uint8Array.from(characters, (each) => (each === "." ? HIDDEN : SYMBOLS.indexOf(each)));
  return new View(grid, states, mines).check();
}

/** @param {string} text */
export function readBoard(text) {
  const { grid, characters, mines } = read(text, "*.");
  const mined = Uint8Array.from(characters, (each) => Number(each === "*"));
  const found = mined.reduce((sum, mine) => sum + mine, 0);
  if (mines !== null && mines !== found) throw invalid("refusal.header", { mines, got: found, position: `'${shorten(text.split(/\s+/).filter(Boolean).join(" "))}'` });
  return { grid, mined };
}
