// @ts-check
/**
 * Names of clues and cells in proofs, and what clues still say when some cells are known: the twin
 * of `reasoning/proofs/namer.py`, for exact clues.
 */
import { phrase, say } from "../phrases.js";
import { EXPLODED, isClue, isUnknown } from "./notation.js";

/** @typedef {import("./notation.js").View} View */
/** @typedef {import("./notation.js").Cell} Cell */
/** @typedef {import("../phrases.js").Phrase} Phrase */
/** @typedef {Map<number, boolean>} Known deduced cells, and whether they are mines */
/** @typedef {{clue: number, cells: number[], mines: number}} Statement a constraint: the number of mines among some cells */
/** @typedef {{cells: number[], low: number, high: number, mines: number[]}} Left what a constraint still says about cells that are not deduced yet */

export const COUNT = -1; // the mine count, in place of the index of a clue
const MOST_NAMED = 8; // the most cells with the same number of which an equation names each

/**
 * The constraints of the clues, and of the mine count if it is known (or the density is 0 or 1).
 * @param {import("./positions.js").Position} position
 * @returns {Statement[]}
 */
export function gatherStatements({ view, density }) {
  const { grid, states, mines } = view;
  /** @type {Statement[]} */
  const found = [];
  for (const clue of view.indices(isClue)) {
    const around = grid.neighbours(clue);
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

/** Whether no cell is in two of the parts. @param {Left[]} parts */
export function areApart(parts) {
  const cells = parts.flatMap((part) => part.cells);
  return cells.length === new Set(cells).size;
}

export class Namer {
  /**
   * @param {View} view
   * @param {Map<number, Statement>} statements
   * @param {Known} known the deduced cells so far
   */
  constructor(view, statements, known) {
    this.view = view;
    this.statements = statements;
    this.known = known;
  }

  /** `the 2 at (3,4)`. @param {number} clue @param {boolean} [start] whether it starts a sentence @returns {Phrase} */
  name(clue, start = false) {
    if (clue === COUNT) return phrase("clue.count");
    return phrase("clue.number", { number: this.view.states[clue], at: this.at(clue), start });
  }

  /** @param {number} index */
  at(index) {
    return this.view.grid.cell(index);
  }

  /** @param {number[]} indices @returns {Cell[]} */
  cells(indices) {
    return this.view.grid.cells([...indices].sort((a, b) => a - b));
  }

  /** Which cells are mines and which are safe: `(1,2) is a mine`, `(1,3) is safe`. @param {[number, boolean][]} settled */
  verdict(settled) {
    const [mines, safe] = [true, false].map((wanted) => this.cells(settled.flatMap(([cell, mine]) => (mine === wanted ? [cell] : []))));
    const some = [phrase("cells.mines", { cells: mines }), phrase("cells.safe", { cells: safe })];
    return some.filter(({ values }) => values.cells.length);
  }

  /** The exploded cells that a clue counts already. @param {number} clue */
  hit(clue) {
    return this.view.grid.neighbours(clue).filter((near) => this.view.states[near] === EXPLODED);
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

  /** @param {[number, boolean][]} settled */
  learn(settled) {
    for (const [cell, mine] of settled) this.known.set(cell, mine);
  }

  /** A namer that also knows this cell; this one learns nothing from it. @param {number} cell @param {boolean} mine */
  supposing(cell, mine) {
    return new Namer(this.view, this.statements, new Map(this.known).set(cell, mine));
  }

  /** The sum of constraints with these signs, as an equation. @param {number[]} clues @param {number[]} signs */
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
    if (!above) { // only negative terms: change all signs
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
      const times = Math.abs(number) === 1 ? "" : `${Math.abs(number)} `;
      const named = cells.slice(0, MOST_NAMED).map((cell) => `${times}${this.view.grid.name(cell)}`);
      if (cells.length > MOST_NAMED) named.push(say("proof.other-cells", { cells: cells.length - MOST_NAMED }));
      parts.push(...named.map((term) => `${number < 0 ? "-" : "+"} ${term}`));
    }
    return parts.join(" ").replace(/^\+ /, "") || "0";
  }
}
