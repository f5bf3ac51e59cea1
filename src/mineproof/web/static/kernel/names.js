// @ts-check
/**
 * How proofs name clues and cells, and what clues still say when some cells are settled: the twin
 * of `reasoning/proofs/names.py`, for exact clues.
 */
import { nameCell } from "./refusals.js";
import { EXPLODED, isClue, isUnknown } from "./texts.js";

/** @typedef {import("./texts.js").View} View */
/** @typedef {Map<number, boolean>} Known cells that are settled, and whether they are mines */
/** @typedef {{clue: number, cells: number[], mines: number}} Statement so many of these cells are mines */
/** @typedef {{cells: number[], low: number, high: number, mines: number[]}} Left what a statement leaves open */

export const COUNT = -1; // stands for the mine count where a clue is asked for
const MOST_NAMED = 8;

/**
 * What the clues say, and the count where it is known: a density of 0 or 1 is as good as one.
 * @param {import("./positions.js").Position} position
 * @returns {Statement[]}
 */
export function gatherStatements({ view, density }) {
  const { grid, states, mines } = view;
  /** @type {Statement[]} */
  const found = [];
  for (const clue of view.indices(isClue)) {
    const around = grid.around(clue);
    const cells = around.filter((near) => isUnknown(states[near]));
    const hit = around.filter((near) => states[near] === EXPLODED).length;
    if (cells.length) found.push({ clue, cells, mines: states[clue] - hit });
  }
  const unknown = view.indices(isUnknown);
  const hit = view.indices((state) => state === EXPLODED).length;
  if (mines !== null) found.push({ clue: COUNT, cells: unknown, mines: mines - hit });
  else if (density === 0 || density === 1) found.push({ clue: COUNT, cells: unknown, mines: density * unknown.length });
  return found;
}

/** `a`, `a and b`, `a, b and c`. @param {string[]} parts */
export const joined = (parts) => (parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

/** Some cells; of very many the first ones. @param {import("./texts.js").Cell[]} cells */
export function listing(cells) {
  const named = cells.map(nameCell);
  if (named.length > MOST_NAMED) return `${named.slice(0, MOST_NAMED - 1).join(", ")} and ${named.length - MOST_NAMED + 1} more`;
  return joined(named);
}

/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Whether no cell is in two of them. @param {Left[]} parts */
export function areApart(parts) {
  const cells = parts.flatMap((part) => part.cells);
  return cells.length === new Set(cells).size;
}

export class Namer {
  /**
   * @param {View} view
   * @param {Map<number, Statement>} statements
   * @param {Known} known what is settled so far
   */
  constructor(view, statements, known) {
    this.view = view;
    this.statements = statements;
    this.known = known;
  }

  /** `the 2 at (3,4)`. @param {number} clue */
  name(clue) {
    return clue === COUNT ? "the mine count" : `the ${this.view.states[clue]} at ${this.at(clue)}`;
  }

  /** @param {number} index */
  at(index) {
    return this.view.grid.name(index);
  }

  /** @param {number[]} indices */
  cells(indices) {
    return listing(this.view.grid.cells([...indices].sort((a, b) => a - b)));
  }

  /** The exploded cells that a clue counts already. @param {number} clue */
  hit(clue) {
    return this.view.grid.around(clue).filter((near) => this.view.states[near] === EXPLODED);
  }

  /** @param {number} clue @returns {Statement} */
  statement(clue) {
    return /** @type {Statement} */ (this.statements.get(clue));
  }

  /** @param {number} clue @returns {Left} */
  left(clue) {
    const statement = this.statement(clue);
    const cells = statement.cells.filter((cell) => !this.known.has(cell));
    const mines = statement.cells.filter((cell) => this.known.get(cell));
    const left = statement.mines - mines.length;
    const holds = left >= 0 && left <= cells.length;
    return {
      cells,
      low: holds ? left : 0,
      high: holds ? left : cells.length,
      mines: clue === COUNT ? mines : [...mines, ...this.hit(clue)],
    };
  }

  /** One that takes other cells for settled. @param {Known} known */
  knowing(known) {
    return new Namer(this.view, this.statements, known);
  }

  /** What clues, added and taken away, say of the cells left. @param {number[]} clues @param {number[]} signs */
  equation(clues, signs) {
    /** @type {Map<number, number>} */
    let terms = new Map();
    let least = 0;
    let most = 0;
    clues.forEach((clue, place) => {
      const sign = signs[place];
      const { cells, low, high } = this.left(clue);
      least += sign * (sign > 0 ? low : high);
      most += sign * (sign > 0 ? high : low);
      for (const cell of cells) terms.set(cell, (terms.get(cell) ?? 0) + sign);
    });
    let above = [...terms.values()].filter((number) => number > 0).reduce((sum, number) => sum + number, 0);
    if (!above) { // nothing but cells taken away: the other way round it reads better
      terms = new Map([...terms].map(([cell, number]) => [cell, -number]));
      [least, most] = [-most, -least];
      above = [...terms.values()].reduce((sum, number) => sum + number, 0);
    }
    const value = least === most ? `= ${least + 0}` : least >= above ? `>= ${least + 0}` : `<= ${most + 0}`;
    return `${this.#sides(terms)} ${value}`;
  }

  /** @param {Map<number, number>} terms */
  #sides(terms) {
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const [cell, number] of [...terms].sort(([a], [b]) => a - b)) groups.set(number, [...(groups.get(number) ?? []), cell]);
    /** @type {string[]} */
    const parts = [];
    for (const number of [...groups.keys()].filter(Boolean).sort((a, b) => b - a)) {
      const cells = groups.get(number) ?? [];
      const sign = number < 0 ? "-" : "+";
      const times = Math.abs(number) === 1 ? "" : `${Math.abs(number)} `;
      for (const cell of cells.slice(0, MOST_NAMED)) parts.push(`${sign} ${times}${this.at(cell)}`);
      if (cells.length > MOST_NAMED) parts.push(`${sign} ${cells.length - MOST_NAMED} other cells`);
    }
    return parts.join(" ").replace(/^\+ /, "") || "0";
  }
}
