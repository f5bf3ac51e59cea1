// @ts-check
/**
 * Names of clues and cells in proofs, and what clues still say when some cells are known: the twin
 * of `reasoning/proofs/namer.py`.
 */
import { phrase, say } from "../phrases.js";
import { EXPLODED, NO_CLUE, isUnknown } from "./notation.js";

/** @typedef {import("./notation.js").View} View */
/** @typedef {import("./notation.js").Cell} Cell */
/** @typedef {import("../phrases.js").Phrase} Phrase */
/** @typedef {Map<number, boolean>} Known deduced cells, and whether they are mines */
/** @typedef {{clue: number, cells: number[], counts: number[]}} Statement a constraint: the possible numbers of mines among some cells, rising */
/** @typedef {{cells: number[], low: number, high: number, mines: number[]}} Left what a constraint still says about cells that are not deduced yet */

export const COUNT = -1; // the mine count, in place of the index of a clue
const MOST_NAMED = 8; // the most cells with the same number of which an equation names each

/**
 * The constraint of the mine count if it is known, or if the density is 0 or 1.
 * @param {import("./positions.js").Position} position
 * @returns {Statement[]}
 */
export function countStatements({ view, density }) {
  const unknown = view.indices(isUnknown);
  const hit = view.indices((state) => state === EXPLODED).length;
  if (view.mines !== null) return [{ clue: COUNT, cells: unknown, counts: [view.mines - hit] }];
  return density === 0 || density === 1 ? [{ clue: COUNT, cells: unknown, counts: [density * unknown.length] }] : [];
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

  /** `the 2 at (3,4)`; an uncertain clue with its range. @param {number} clue @param {boolean} [start] whether it starts a sentence @returns {Phrase} */
  name(clue, start = false) {
    if (clue === COUNT) return phrase("clue.count");
    const state = this.view.states[clue];
    const about = { at: this.at(clue), start };
    const name = state === NO_CLUE ? phrase("clue.none", about) : phrase("clue.number", { ...about, number: state });
    return this.statement(clue).counts.length === 1 ? name : phrase("clue.range", { clue: name, range: this.#range(clue) });
  }

  /** The possible numbers of mines around an uncertain clue. @param {number} clue */
  #range(clue) {
    const { cells, counts } = this.statement(clue);
    const hit = this.hit(clue).length;
    const [least, most] = [counts[0] + hit, /** @type {number} */ (counts.at(-1)) + hit];
    if (counts.length < most - least + 1) {
      const [first, ...others] = counts.map((count) => count + hit);
      return phrase("clue.some", { counts: others.reduce((/** @type {any} */ one, other) => phrase("clue.or", { one, other }), first) });
    }
    if (most === cells.length + hit) return phrase("clue.least", { count: least });
    return least <= hit ? phrase("clue.most", { count: most }) : phrase("clue.between", { least, most });
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
    const left = statement.counts.map((count) => count - mines.length).filter((count) => count >= 0 && count <= cells.length);
    return {
      cells,
      low: left[0] ?? 0,
      high: left.at(-1) ?? cells.length,
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
