// @ts-check
/** The kernel on positions with exact clues: mine probabilities, random boards, contradictions. */
import tables from "./tables.json" with { type: "json" };
import { Reader, halves } from "./kernel.js";
import { phrase } from "../phrases.js";
import { invalid, needsServer, quoted, refusedIn } from "./errors.js";
import { KNOWN_SAFE, readView } from "./notation.js";

/** @typedef {import("./notation.js").View} View */
/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {{view: View, density: number | null}} Position */
/** @typedef {import("../messages.js").SomeRules} SomeRules */
/** @typedef {{view?: string, clues?: string, density?: number, rules?: SomeRules, seed?: number | string}} Asked the fields that describe a position */
/** @typedef {{exact: boolean, error: number, logWeight: number, risk: number[], safe: number[], mined: number[]}} Odds */

const [SAFE, MINED] = ["safe", "mine"].map((name) => tables.verdicts.indexOf(name));
const MOST_NAMED = 6; // the most contradicting clues that a message names
/** The clue models that are available here. */
export const CLUES = ["exact"];

/** A whole number up to 2**64 - 1, or its digits. @param {number | string} value */
export function seed(value) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw invalid("refusal.seed", { value: quoted(value) }); // it was rounded
  const found = BigInt(value);
  if (found >= 1n << 64n) throw invalid("refusal.range", { name: "a seed", least: 0, most: "2**64 - 1", value: String(found) });
  return found;
}

/** @param {string} [model] */
export function checkClues(model = "exact") {
  if (!CLUES.includes(model.trim())) throw needsServer(`the clue model ${quoted(model)}`);
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
  checkClues(given.clues);
  if (given.view === undefined) throw invalid("refusal.no-position");
  const view = readView(given.view);
  const some = { ...given.rules };
  if (given.density !== undefined) {
    if ((some.density ?? given.density) !== given.density) throw invalid("refusal.two-densities");
    some.density = given.density;
  }
  some.count_known ??= view.mines !== null;
  if (some.count_known !== (view.mines !== null)) throw invalid("refusal.count-known", { known: some.count_known });
  const all = rules(some);
  return { view, rules: all, density: view.mines === null ? all.density : null, seed: seed(given.seed ?? 0) };
}

/** A position as a row of numbers for the kernel. @param {Position} position @returns {number[]} */
export const rowOf = ({ view, density }) => [view.grid.rows, view.grid.cols, view.mines ?? -1, view.mines === null ? density ?? -1 : -1, ...view.states];

/**
 * The mine probabilities; null if no configuration is possible.
 * @param {Kernel} kernel
 * @param {Position} position
 * @returns {Odds | null}
 */
export function tryOdds(kernel, position) {
  const reader = new Reader(kernel.ask("odds", rowOf(position)));
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

/** The mine probabilities; an error if no configuration is possible. @param {Kernel} kernel @param {Position} position */
export function odds(kernel, position) {
  const found = tryOdds(kernel, position);
  if (found === null) throw contradiction(kernel, position);
  return found;
}

/** The probability that a hidden cell shows 0 when opened. @param {Kernel} kernel @param {Position} position @param {Odds} found @param {number} index */
export function zeroChance(kernel, { view, density }, found, index) {
  const opened = tryOdds(kernel, { view: view.with([index, 0]), density });
  return opened ? Math.exp(opened.logWeight - found.logWeight) : 0;
}

/** The error that names the contradicting clues. @param {Kernel} kernel @param {Position} position */
export function contradiction(kernel, position) {
  const { view } = position;
  const reader = new Reader(kernel.ask("clash", rowOf(position)));
  const countUsed = reader.truth();
  const clues = reader.list();
  const named = clues.map((index) => phrase("subset.term", { at: view.grid.cell(index), clue: view.states[index] }));
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
