// @ts-check
/** The methods of a solver about a position: the twin of `protocol/methods.py`. */
import { agent, decide } from "./agents.js";
import { opinion, positionChance } from "./analysis.js";
import { odds, position, zeroChances } from "./positions.js";
import { PROOF_BUDGET, explainAll, explainCell } from "./proofs.js";
import { invalid } from "./errors.js";
import { isCovered } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Odds} Odds */
/** @typedef {import("./agents.js").Seat} Seat */

/** `position`. @param {import("../messages.js").SetPositionRequest} given */
export const readPosition = (given) => ({ view: position(given).view.text });

/** `odds`. @param {Kernel} kernel @param {import("../messages.js").OddsRequest} given */
export function answerOdds(kernel, given) {
  const seat = position(given);
  const found = odds(kernel, seat);
  const who = agent(given.agent ?? "exact");
  return {
    ...oddsJson(seat, found, bestMoves(seat, found, given.best ?? 5)),
    win: given.win ? positionChance(kernel, who, seat) : null,
    ...(given.zeros ? { zeros: zeros(kernel, seat, found) } : {}),
  };
}

/** `explain`. @param {Kernel} kernel @param {import("../messages.js").ExplainRequest} given */
export function answerExplain(kernel, given) {
  const { cell, all = false, budget = PROOF_BUDGET } = given;
  if (cell && all) throw invalid("refusal.cell-or-all");
  const seat = position(given);
  if (!cell) return explainAll(kernel, seat, budget, all);
  return explainCell(kernel, seat, seat.view.grid.index(cell), budget);
}

/** `go`. @param {Kernel} kernel @param {import("../messages.js").GoRequest} given */
export function answerGo(kernel, given) {
  const { agent: name = "exact", budget, step } = given;
  const seat = position(given);
  const who = agent(budget ? `${name}${name.includes(":") ? "," : ":"}budget=${budget}` : name);
  return step ? decide(kernel, who, seat) : opinion(kernel, who, seat);
}

/**
 * The best cells to open, by risk, then by number of hidden neighbours, then by index.
 * @param {Seat} seat
 * @param {Odds} found
 * @param {number} count
 */
function bestMoves({ view }, found, count) {
  const { grid, states } = view;
  const safe = new Set(found.safe);
  const mined = new Set(found.mined);
  const ranked = view.indices(isCovered).filter((index) => !mined.has(index))
    .map((index) => ({ index, rank: safe.has(index) ? -1 : Math.round(1e10 * found.risk[index]), near: 0 }));
  const last = ranked.map((one) => one.rank).sort((a, b) => a - b).slice(0, count).at(-1) ?? 0;
  const near = ranked.filter((one) => one.rank <= last);
  for (const one of near) one.near = grid.neighbours(one.index).filter((other) => isCovered(states[other])).length;
  near.sort((a, b) => a.rank - b.rank || a.near - b.near || a.index - b.index);
  return near.slice(0, count).map(({ index }) => ({ cell: grid.cell(index), risk: safe.has(index) ? 0 : found.risk[index] }));
}

/** @param {Seat} seat @param {Odds} found @param {{cell: [number, number], risk: number}[]} best */
function oddsJson({ view: { grid } }, found, best) {
  const finite = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
  return {
    risk: rows(grid, found.risk.map(finite)),
    safe: grid.cells(found.safe),
    mined: grid.cells(found.mined),
    best,
    exact: found.exact,
    error: finite(found.error),
    log_weight: finite(found.logWeight),
  };
}

/** @template T @param {import("./notation.js").Grid} grid @param {T[]} values @returns {T[][]} */
const rows = (grid, values) => Array.from({ length: grid.rows }, (_, row) => values.slice(row * grid.cols, (row + 1) * grid.cols));

/** The probability of each cell to show 0 when opened. @param {Kernel} kernel @param {Seat} seat @param {Odds} found */
function zeros(kernel, seat, found) {
  const { grid, states } = seat.view;
  const mined = new Set(found.mined);
  const isPossible = (/** @type {number} */ index) => !mined.has(index) && !(seat.clues.exact && grid.neighbours(index).some((near) => mined.has(near)));
  const cells = seat.view.indices(isCovered).filter(isPossible);
  const chances = zeroChances(kernel, seat, cells);
  const known = new Map(cells.map((index, place) => [index, chances[place]]));
  return rows(grid, Array.from(states, (state, index) => (isCovered(state) ? known.get(index) ?? 0 : null)));
}
