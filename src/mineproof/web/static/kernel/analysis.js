// @ts-check
/** Analysis of a position: an agent's opinion and the win probability; the twin of `games/analysis.py`. */
import tables from "./tables.json" with { type: "json" };
import { phrase } from "../phrases.js";
import { CONFIDENT, advise, because, budgetRow, decide, rulesRow, searchReason, whyCertain, withoutFlagged } from "./agents.js";
import { rowOf, zeroChances } from "./positions.js";
import { FLAGGED, KNOWN_SAFE } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Position} Position */
/** @typedef {import("./agents.js").Agent} Agent */
/** @typedef {import("./agents.js").Advice} Advice */
/** @typedef {import("./agents.js").Candidate} Candidate */
/** @typedef {import("./agents.js").Rules} Rules */
/** @typedef {import("./agents.js").Seat} Seat */

const { win: GAMES, opinion: BUDGET, quick: QUICK, most_cells: LARGE } = tables.playouts; // as in `games/analysis.py`
const JUDGED = 3; // the number of candidates that are evaluated by playouts
const MAY_OPEN = 0.1 - 1e-9; // the smallest probability of a 0 that is mentioned
/** @type {Rules} */
const PLAIN = { on_mine: "end", opening: "any", count_known: true, density: null, flood: true };

/**
 * An agent's flags, its move after them, and the champion's candidates.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 */
export function opinion(kernel, who, seat) {
  /** @type {[number, number][]} */
  const flags = [];
  let now = seat;
  let move = decide(kernel, who, now, false);
  while (move.action === "flag") {
    flags.push(move.cell);
    now = { ...now, view: now.view.with([now.view.grid.index(move.cell), FLAGGED]) };
    move = decide(kernel, who, now, false);
  }
  if (move.certain && move.rule) move = because(move, whyCertain(kernel, who, now, move));
  const { method, candidates: all } = who.budget && move.action === "open" && !move.certain ? judge(kernel, who, seat) : { method: "", candidates: [] };
  const candidates = method === "flags" ? all : withoutFlagged(all, seat.view);
  if (candidates.length && method !== "flags") {
    const { cell, risk } = candidates[0];
    const why = searchReason({ method, candidates });
    move = because({ ...move, cell, risk, rule: "", estimated: false }, seat.view.mines === null || !seat.clues.exact ? why : mayOpen(kernel, seat, cell, why));
  }
  return { ...move, flags, win: candidates[0]?.win ?? null, candidates };
}

/** The champion's candidates, the best of them evaluated by playouts. @param {Kernel} kernel @param {Agent} who @param {Seat} seat @returns {Advice} */
function judge(kernel, who, seat) {
  const { method, candidates } = advise(kernel, who, seat);
  const hasWin = seat.rules.on_mine === "end" && seat.clues.exact && seat.view.mines !== null;
  if (!hasWin || !candidates.length || method === "opening" || candidates[0].error === 0) return { method, candidates };
  const few = method === "part" || method === "fifty-fifty" ? 1 : JUDGED;
  const games = who.budget?.playouts ? BUDGET : QUICK;
  const judged = candidates.slice(0, few);
  if (judged.length === 1) return { method, candidates: [playOut(kernel, who, seat, judged[0], games), ...candidates.slice(1)] };
  // Half of the playouts choose the move; the other half estimate its win probability.
  const chosenBy = Math.max(Math.floor(Math.floor(games / 2) / judged.length), 2);
  const ranked = judged.map((one) => playOut(kernel, who, seat, one, chosenBy)).sort((a, b) => (b.win ?? 0) - (a.win ?? 0));
  const fresh = playOut(kernel, who, seat, ranked[0], Math.max(Math.floor(games / 2), 2), chosenBy);
  return { method, candidates: [fresh, ...ranked.slice(1), ...candidates.slice(few)] };
}

/**
 * A candidate with its win probability, by playouts that assume that it is safe; `after` skips that number of playouts.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @param {Candidate} candidate
 * @param {number} games
 * @param {number} after
 */
function playOut(kernel, who, seat, candidate, games, after = 0) {
  const { view, rules } = seat;
  const safe = { ...seat, view: view.with([view.grid.index(candidate.cell), KNOWN_SAFE]) };
  const found = winChance(kernel, safe, who, after + games, rules);
  if (!found) return candidate;
  const first = after && found.error ? winChance(kernel, safe, who, after, rules) : null;
  const { chance, error } = first ? without(found, after + games, first, after) : found;
  return { ...candidate, win: (1 - candidate.risk) * chance, error: (1 - candidate.risk) * error };
}

/** @typedef {{chance: number, error: number}} Mean of games, and its standard error. */

/** The mean of games without the first of them. @param {Mean} every @param {number} games @param {Mean} first @param {number} skipped @returns {Mean} */
function without(every, games, first, skipped) {
  const left = games - skipped;
  const mean = (every.chance * games - first.chance * skipped) / left;
  const squares = (/** @type {Mean} */ { chance, error }, /** @type {number} */ count) => count * (count * error ** 2 + chance ** 2);
  const variance = Math.max((squares(every, games) - squares(first, skipped)) / left - mean ** 2, 1 / left);
  return { chance: Math.min(Math.max(mean, 0), 1), error: Math.sqrt(variance / left) };
}

/** The reason, with what the cell opens if it shows 0. @param {Kernel} kernel @param {Seat} seat @param {[number, number]} cell @param {import("../phrases.js").Phrase} why */
function mayOpen(kernel, seat, [row, col], why) {
  const { grid } = seat.view;
  if (zeroChances(kernel, seat, [grid.index([row, col])])[0] < MAY_OPEN) return why;
  const sides = Number(row === 0 || row === grid.rows - 1) + Number(col === 0 || col === grid.cols - 1);
  return phrase("search.may-open", { why, sides });
}

/**
 * The win probability, or null if it is not available.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {Agent} who
 * @param {number} games
 * @param {Rules} [rules]
 */
export function winChance(kernel, position, who, games, rules = PLAIN) {
  const { view, clues } = position;
  if (view.mines === null || !clues.exact || (!who.budget && view.grid.size > LARGE)) return null;
  const [win, error] = kernel.ask("win_chance", [...rowOf(position), ...rulesRow(rules), ...budgetRow(who.budget, "default"), games]);
  return win === undefined ? null : chanceJson(win, error);
}

/** A win probability with its 95 % confidence interval. @param {number} win @param {number} error @returns {import("../messages.js").WinProbabilityData} */
export function chanceJson(win, error) {
  const reach = CONFIDENT * error;
  return { chance: win, error, exact: error === 0, interval: [Math.max(0, win - reach), Math.min(1, win + reach)] };
}

/** The win probability of a position: that of the agent's move. @param {Kernel} kernel @param {Agent} who @param {Seat} seat */
export function positionChance(kernel, who, seat) {
  const { view, clues, density } = seat;
  const known = view.mines !== null;
  const rules = { ...PLAIN, count_known: known, density: known ? null : density };
  const { candidates } = who.budget ? opinion(kernel, who, { view, clues, density, rules, seed: 0n }) : { candidates: [] };
  const [best] = candidates;
  return best && best.win !== null ? chanceJson(best.win, best.error ?? 0) : winChance(kernel, seat, who, GAMES);
}
