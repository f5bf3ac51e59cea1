// @ts-check
/** The kernel on positions: mine probabilities, random boards, contradictions. */
import tables from "./tables.json" with { type: "json" };
import { Reader, halves } from "./kernel.js";
import { phrase } from "../phrases.js";
import { readClues } from "./clueModels.js";
import { invalid, quoted, refusedIn } from "./errors.js";
import { KNOWN_SAFE, NO_CLUE, SYMBOLS, readView } from "./notation.js";

/** @typedef {import("./notation.js").View} View */
/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./clueModels.js").ClueModel} ClueModel */
/** @typedef {{view: View, clues: ClueModel, density: number | null}} Position */
/** @typedef {import("../messages.js").SomeRules} SomeRules */
/** @typedef {{view?: string, clues?: string, density?: number, rules?: SomeRules, seed?: number | string}} Asked the fields that describe a position */
/** @typedef {{exact: boolean, error: number, logWeight: number, risk: number[], safe: number[], mined: number[]}} Odds */

const [SAFE, MINED] = ["safe", "mine"].map((name) => tables.verdicts.indexOf(name));
const MOST_NAMED = 6; // the most contradicting clues that a message names
/** A whole number up to 2**64 - 1, or its digits. @param {number | string} value */
export function seed(value) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw invalid("refusal.seed", { value: quoted(value) }); // it was rounded
  const found = BigInt(value);
  if (found >= 1n << 64n) throw invalid("refusal.range", { name: "a seed", least: 0, most: "2**64 - 1", value: String(found) });
  return found;
}

/** All rules, with defaults. @param {SomeRules} given @returns {import("./agents.js").Rules} */
export function rules(given) {
  /** @type {import("./agents.js").Rules} */
  const all = { on_mine: "end", opening: "any", count_known: true, density: null, flood: true, ...given };
  if (all.density !== null && all.count_known) throw invalid("refusal.density-of-known-count");
  if (all.luck === "fair" && all.on_mine !== "end") throw invalid("refusal.fair-goes-on");
  if (all.luck === "dealt") delete all.luck; // as in the server's responses
  return all;
}

/** The position that fields describe; the view supplies missing values. @param {Asked} given @returns {import("./agents.js").Seat} */
export function position(given) {
  if (given.view === undefined) throw invalid("refusal.no-position");
  const view = readView(given.view);
  const some = { ...given.rules };
  if (given.density !== undefined) {
    if ((some.density ?? given.density) !== given.density) throw invalid("refusal.two-densities");
    some.density = given.density;
  }
  some.count_known ??= view.mines !== null;
  if (some.count_known !== (view.mines !== null)) throw invalid("refusal.count-known", { known: some.count_known });
  const clues = readClues(given.clues, view.grid);
  const all = rules(some);
  return { view, clues, rules: all, density: view.mines === null ? all.density : null, seed: seed(given.seed ?? 0) };
}

/** A position as a row of numbers for the kernel. @param {Position} position @returns {number[]} */
export const rowOf = ({ view, clues, density }) => [view.grid.rows, view.grid.cols, view.mines ?? -1, view.mines === null ? density ?? -1 : -1, ...clues.row, ...view.states, 2 * view.bounds.size, ...view.marks.flat()];

/**
 * The mine probabilities; null if no configuration is possible.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {{budget?: number, alike?: boolean}} [options] the most states that are counted; whether all configurations have the same weight
 * @returns {Odds | null}
 */
export function tryOdds(kernel, position, { budget = tables.count_budgets.position, alike = false } = {}) {
  const reader = new Reader(kernel.ask("odds", [...rowOf(position), budget, Number(alike)]));
  const outcome = reader.name(tables.outcomes);
  if (outcome === "contradiction") return null;
  const { size } = position.view.grid;
  const [error, logWeight] = reader.some(2);
  const risk = reader.some(size);
  const verdicts = reader.some(size);
  // Cells that the opening rule guarantees are known, too.
  const { states } = position.view;
  const verdict = (/** @type {number} */ index) => (states[index] === KNOWN_SAFE ? SAFE : verdicts[index]);
  const of = (/** @type {number} */ wanted) => verdicts.flatMap((_, index) => (verdict(index) === wanted ? [index] : []));
  return { exact: outcome === "exact", error, logWeight, risk, safe: of(SAFE), mined: of(MINED) };
}

/** The mine probabilities; an error if no configuration is possible. @param {Kernel} kernel @param {Position} position @param {number} [budget] */
export function odds(kernel, position, budget) {
  const found = tryOdds(kernel, position, { budget });
  if (found === null) throw contradiction(kernel, position);
  return found;
}

/** The probability of each of these hidden cells to show 0 when opened. @param {Kernel} kernel @param {Position} position @param {number[]} cells */
export const zeroChances = (kernel, position, cells) => Array.from(kernel.ask("zeros", [...rowOf(position), cells.length, ...cells]));

/** The error that names the contradicting clues. @param {Kernel} kernel @param {Position} position */
export function contradiction(kernel, position) {
  const { view } = position;
  const reader = new Reader(kernel.ask("clash", rowOf(position)));
  const countUsed = reader.truth();
  const clues = reader.list();
  const named = clues.map((index) => phrase("subset.term", { at: view.grid.cell(index), clue: view.states[index] === NO_CLUE ? SYMBOLS[NO_CLUE] : view.states[index] }));
  if (named.length > MOST_NAMED) named.splice(MOST_NAMED, named.length, phrase("refusal.more", { more: named.length - MOST_NAMED }));
  const about = { clues: named, irreducible: true, count_used: countUsed };
  const some = named.length === 1 ? phrase("refusal.clue", about) : phrase("refusal.clues", about);
  const why = named.length ? some : phrase("refusal.no-clues");
  const what = phrase("refusal.contradiction", { mines: view.mines ?? "unknown", why });
  return refusedIn("contradiction", what, view.shown, { cells: view.grid.cells(clues), count_used: countUsed });
}

/**
 * A random board consistent with a position, one number per cell; null if there are too many cases.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {bigint} seed
 */
export function draw(kernel, position, seed) {
  const reader = new Reader(kernel.ask("draw", [...rowOf(position), ...halves(seed)]));
  const outcome = reader.name(tables.outcomes);
  if (outcome === "contradiction") throw contradiction(kernel, position);
  return outcome === "exact" ? reader.some(position.view.grid.size) : null;
}
