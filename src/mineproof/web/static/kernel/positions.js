// @ts-check
/** What the kernel says of positions with exact clues: odds, boards that fit, what clashes. */
import { Reader, halves } from "./kernel.js";
import { Refused, counted } from "./refusals.js";
import { TOLD_SAFE } from "./texts.js";

/** @typedef {import("./texts.js").View} View */
/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {{view: View, density: number | null}} Position */
/** @typedef {{exact: boolean, error: number, logWeight: number, risk: number[], safe: number[], mined: number[]}} Odds */

const [EXACT, CONTRADICTION] = [0, 2];
const [SAFE, MINED] = [1, 2];

/** As the kernel reads it. @param {Position} position @returns {number[]} */
export const rowOf = ({ view, density }) => [view.grid.rows, view.grid.cols, view.mines ?? -1, view.mines === null ? density ?? -1 : -1, ...view.states];

/**
 * The exact odds; none where nothing fits.
 * @param {Kernel} kernel
 * @param {Position} position
 * @returns {Odds | null}
 */
export function tryOdds(kernel, position) {
  const reader = new Reader(kernel.ask("odds", rowOf(position)));
  const outcome = reader.number();
  if (outcome === CONTRADICTION) return null;
  const { size } = position.view.grid;
  const [error, logWeight] = reader.some(2);
  const risk = reader.some(size);
  const verdicts = reader.some(size);
  // What was told is known, too.
  const { states } = position.view;
  const verdict = (/** @type {number} */ index) => (states[index] === TOLD_SAFE ? SAFE : verdicts[index]);
  const of = (/** @type {number} */ wanted) => verdicts.flatMap((_, index) => (verdict(index) === wanted ? [index] : []));
  return { exact: outcome === EXACT, error, logWeight, risk, safe: of(SAFE), mined: of(MINED) };
}

/** The same; an error where nothing fits. @param {Kernel} kernel @param {Position} position */
export function odds(kernel, position) {
  const found = tryOdds(kernel, position);
  if (found === null) throw contradiction(kernel, position);
  return found;
}

/** The chance that a covered cell shows 0 when it is opened. @param {Kernel} kernel @param {Position} position @param {Odds} found @param {number} index */
export function zeroChance(kernel, { view, density }, found, index) {
  const opened = tryOdds(kernel, { view: view.with([index, 0]), density });
  return opened ? Math.exp(opened.logWeight - found.logWeight) : 0;
}

/** Which clues cannot hold together, as an error. @param {Kernel} kernel @param {Position} position */
export function contradiction(kernel, position) {
  const { view } = position;
  const reader = new Reader(kernel.ask("clash", rowOf(position)));
  const countUsed = reader.truth();
  const clues = reader.list();
  const said = clues.map((index) => `${view.grid.name(index)}=${view.states[index]}`);
  const count = countUsed ? " given the mine count" : "";
  let why = "there is no room for them";
  if (said.length === 1) why = `the clue at ${said[0]} cannot hold${count}`;
  else if (said.length) why = `the clues at ${said.slice(0, 6).join(", ")}${said.length > 6 ? ` and ${said.length - 6} more` : ""} contradict each other${count}`;
  const mines = view.mines === null ? "mines" : counted(view.mines, "mine");
  const message = `no arrangement of ${mines} fits: ${why} in ${view.shown}`;
  return new Refused("contradiction", message, { cells: view.grid.cells(clues), count_used: countUsed });
}

/**
 * A board drawn among those that fit, a number a cell; none where they cannot be counted.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {bigint} seed
 */
export function draw(kernel, position, seed) {
  const reader = new Reader(kernel.ask("draw", [...rowOf(position), ...halves(seed)]));
  const outcome = reader.number();
  if (outcome === CONTRADICTION) throw contradiction(kernel, position);
  return outcome === EXACT ? reader.some(position.view.grid.size) : null;
}
