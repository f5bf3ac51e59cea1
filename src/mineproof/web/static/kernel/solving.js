// @ts-check
/** The methods of a solver about a position: the twin of `protocol/verbs.py`. */
import { agent, decide } from "./agents.js";
import { oneOf, position, truth, whole } from "./fields.js";
import { opinion, positionChance } from "./opinions.js";
import { odds, zeroChance } from "./positions.js";
import { PROOF_BUDGET, explainAll, explainCell } from "./proofs.js";
import { invalid, needsServer } from "./refusals.js";
import { isCovered, readCell } from "./texts.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Odds} Odds */
/** @typedef {import("./agents.js").Seat} Seat */
/** @typedef {Record<string, any>} Fields */

/** By verb. @type {Record<string, (kernel: Kernel, given: Fields) => Fields>} */
export const SOLVER = {
  position: (_, given) => {
    if ("events" in given) throw needsServer("a position given by events");
    return { view: position(given).view.text };
  },
  odds: (kernel, given) => {
    const seat = position(given);
    const found = odds(kernel, seat);
    const who = agent(given.agent ?? "exact");
    const best = bestMoves(seat, found, whole(given.best ?? 5, "best", 1, 1e6));
    return {
      ...oddsJson(seat, found, best),
      win: truth(given.win ?? false, "win") ? positionChance(kernel, who, seat) : null,
      ...(truth(given.zeros ?? false, "zeros") ? { zeros: zeros(kernel, seat, found) } : {}),
    };
  },
  explain: (kernel, given) => {
    const seat = position(given);
    const budget = whole(given.budget ?? PROOF_BUDGET, "budget", 1, 1e9);
    const every = truth(given.all ?? false, "all");
    if (!("cell" in given)) return explainAll(kernel, seat, budget, every);
    if (every) throw invalid("refusal.cell-or-all");
    return explainCell(kernel, seat, seat.view.grid.index(readCell(given.cell, "cell")), budget);
  },
  go: (kernel, given) => {
    const seat = position(given);
    const name = given.agent ?? "exact";
    const budget = "budget" in given ? `${name.includes(":") ? "," : ":"}budget=${oneOf(given.budget, "budget", ["fast", "default", "max"])}` : "";
    const who = agent(name + budget);
    return truth(given.step ?? false, "step") ? decide(kernel, who, seat) : opinion(kernel, who, seat);
  },
};

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
  for (const one of near) one.near = grid.around(one.index).filter((other) => isCovered(states[other])).length;
  near.sort((a, b) => a.rank - b.rank || a.near - b.near || a.index - b.index);
  return near.slice(0, count).map(({ index }) => ({ cell: grid.cell(index), risk: safe.has(index) ? 0 : found.risk[index] }));
}

/** @param {Seat} seat @param {Odds} found @param {Fields[]} best */
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

/** @template T @param {import("./texts.js").Grid} grid @param {T[]} values @returns {T[][]} */
const rows = (grid, values) => Array.from({ length: grid.rows }, (_, row) => values.slice(row * grid.cols, (row + 1) * grid.cols));

/** The probability of each cell to show 0 when opened. @param {Kernel} kernel @param {Seat} seat @param {Odds} found */
function zeros(kernel, seat, found) {
  const { grid, states } = seat.view;
  const mined = new Set(found.mined);
  return rows(grid, Array.from(states, (state, index) => {
    if (!isCovered(state)) return null;
    if (mined.has(index) || grid.around(index).some((near) => mined.has(near))) return 0;
    return zeroChance(kernel, seat, found, index);
  }));
}
