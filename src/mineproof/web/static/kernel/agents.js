// @ts-check
/** The agents that play natively, and what they say of their moves: of `agents/table.py` the part that is compiled. */
import { Reader, halves } from "./kernel.js";
import { contradiction, rowOf, tryOdds } from "./positions.js";
import { Refused, fixed, nameCell, needsServer, percent, quoted, unknown } from "./refusals.js";
import { explainCell } from "./proofs.js";
import { FLAGGED, isClue, isCovered } from "./texts.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./texts.js").View} View */
/** @typedef {import("./positions.js").Position & {rules: Rules, seed: bigint}} Seat */
/** @typedef {{on_mine: string, opening: string, count_known: boolean, density: number | null, flood: boolean}} Rules */
/** @typedef {{cell: [number, number], action: string, risk: number | null, certain: boolean, reason: string, rule: string, estimated: boolean}} Move */
/** @typedef {{cell: [number, number], risk: number, score: number | null, win: number | null, error: number | null, loss: number | null}} Candidate */
/** @typedef {{method: string, candidates: Candidate[]}} Advice */
/** @typedef {{name: string, plays: number[], budget: number[] | null}} Agent */

/** As `Budget` has them. @type {Record<string, number[]>} */
export const BUDGETS = {
  fast: [500, 500_000, 200, 18, 0.1, 0, 0, 1, 1, 1],
  default: [1000, 2_000_000, 200, 24, 0.1, 500, 1400, 1, 1, 1],
  max: [4000, 50_000_000, 1000, 32, 0.1, 2000, 10_000, 1, 1, 1],
};
export const OPENINGS = ["any", "safe", "clear"];
const [IN_ORDER, CLUE_RATIO, CLUE_SUM, LOCAL_PROBABILITY, LEAST_EXACT, SEARCH] = [0, 1, 2, 3, 4, 5];
const NONE = -1;
/** By name: has the local rules, compares pairs, asks beyond, guesses, begins at. @type {Record<string, number[]>} */
const PLAYS = {
  random: [0, 0, 0, IN_ORDER, NONE],
  baseline: [1, 0, 0, IN_ORDER, NONE],
  "baseline-selection": [1, 0, 0, CLUE_SUM, NONE],
  csp: [1, 0, 1, CLUE_RATIO, 0],
  "csp-count": [1, 0, 2, CLUE_RATIO, 0],
  gauss: [1, 0, 3, IN_ORDER, NONE],
  probability: [1, 0, 0, LOCAL_PROBABILITY, NONE],
  linalg: [1, 0, 3, IN_ORDER, NONE],
  "linalg-count": [1, 0, 4, IN_ORDER, NONE],
  exact: [1, 1, 5, LEAST_EXACT, NONE],
  champion: [1, 1, 5, SEARCH, NONE],
};
/** Those that only Python plays. */
const OTHERS = ["simple", "one-two", "one-two-corners", "brute", "linalg-brute", "linalg-brute-nocount", "mean", "mean-selection", "linopt"];
const RULES = ["", "opening", "local", "count", "subset", "gauss", "exact", "pairs"];
const ACTIONS = ["open", "flag", "unflag", "stop"];
const METHODS = ["endgame", "part", "look-ahead", "playouts", "opening", "least-risk", "fifty-fifty", "flags", "learned"];
const REASON_BUDGET = 100; // questions for the words of a move: most take a few

export const names = () => Object.keys(PLAYS);

/** @param {string} text @returns {Agent} */
export function agent(text) {
  const [name, options] = text.trim().split(/:(.*)/s);
  if (OTHERS.includes(name)) throw needsServer(`the agent ${quoted(name)}`);
  if (!(name in PLAYS)) throw unknown("agent", name, names());
  const budget = name === "champion" ? "default" : null;
  if (!options) return { name, plays: PLAYS[name], budget: budget && BUDGETS[budget] };
  const chosen = options.match(/^budget=(\w+)$/)?.[1];
  if (!budget || !chosen || !(chosen in BUDGETS)) throw needsServer(`the agent ${quoted(text)}`);
  return { name: text, plays: PLAYS[name], budget: BUDGETS[chosen] };
}

/** @param {Rules} rules */
export const rulesRow = (rules) => [Number(rules.on_mine === "end"), OPENINGS.indexOf(rules.opening), Number(rules.count_known), Number(rules.flood), rules.density ?? -1];

/**
 * What an agent does, and why.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @param {boolean} [told] whether a certain move is told by its proof
 * @returns {Move}
 */
export function decide(kernel, who, seat, told = true) {
  const { view, rules } = seat;
  const searches = who.plays[3] === SEARCH;
  const plays = searches ? [...who.plays.slice(0, 3), LEAST_EXACT, NONE] : who.plays;
  const row = [...rowOf(seat), ...rulesRow(rules), ...plays, ...(who.budget ?? BUDGETS.fast), ...halves(seat.seed)];
  const reader = new Reader(kernel.ask("decide", row));
  const fault = reader.number();
  if (fault === 3) throw contradiction(kernel, seat);
  if (fault) throw new Refused("engine", `${quoted(who.name)} cannot be played on here: ${fault === 2 ? "its numbers grow too large" : `fault ${fault}`}`);
  const index = reader.number();
  const action = ACTIONS[reader.number()];
  const certain = reader.truth();
  const rule = RULES[reader.number()];
  const risk = reader.number();
  const first = !view.states.some((state) => !isCovered(state));
  /** @type {Move} */
  const move = { cell: view.grid.cell(index), action, risk: Number.isNaN(risk) ? null : risk, certain, reason: "", rule, estimated: false };
  if (action === "stop") return { ...move, cell: [0, 0], risk: null, reason: "no cell is left to open" };
  if (certain && rule) return { ...move, reason: told ? certainty(kernel, seat, index, action, rule) : "" };
  if (searches) return searched(kernel, who, seat, certain, move);
  if (certain) return { ...move, reason: `the first cell is promised to be ${rules.opening}` };
  if (first && plays[4] === index) return { ...move, reason: "it begins there" };
  return { ...move, ...guessed(kernel, seat, plays[3], index, move.risk) };
}

/** Why something is certain: the last step of a small proof. @param {Kernel} kernel @param {Seat} seat @param {number} index @param {string} action @param {string} rule */
export function certainty(kernel, seat, index, action, rule) {
  const verdict = action === "flag" ? "a mine" : "safe";
  /** @type {any} */
  const proof = explainCell(kernel, seat, index, REASON_BUDGET);
  return proof.steps?.at(-1)?.words ?? (rule === "opening" ? "the opening rule told that it is safe" : `${verdict} in every arrangement that fits`);
}

/** What the guesser says. @param {Kernel} kernel @param {Seat} seat @param {number} guesser @param {number} index @param {number | null} risk */
function guessed(kernel, seat, guesser, index, risk) {
  const { grid, states } = seat.view;
  const near = grid.around(index).map((cell) => states[cell]).filter(isClue);
  if (guesser === LEAST_EXACT && risk !== null) {
    const exact = tryOdds(kernel, seat)?.exact ?? false;
    return { reason: `the least chance of a mine: ${percent(risk)}${exact ? "" : " (an estimate)"}`, estimated: !exact };
  }
  if (guesser === CLUE_RATIO && risk !== null) return { reason: `beside the clue that has the least share of mines around: ${percent(risk, 0)}` };
  if (guesser === LOCAL_PROBABILITY && risk !== null) {
    return { reason: `the least chance of a mine: ${percent(risk)}, ${near.length ? "as single clues tell it" : "no clue tells of it; of all cells"}` };
  }
  if (guesser === CLUE_SUM && near.length) return { reason: `the clues around it sum to the least: ${near.reduce((sum, clue) => sum + clue, 0)}` };
  return { reason: "nothing is certain: the next cell of the shared random order" };
}

/** The champion's move where nothing is certain. @param {Kernel} kernel @param {Agent} who @param {Seat} seat @param {boolean} promised @param {Move} move @returns {Move} */
function searched(kernel, who, seat, promised, move) {
  const { method, candidates: all } = advise(kernel, who, seat);
  const candidates = withoutFlagged(all, seat.view);
  if (method === "flags") {
    const [likeliest] = candidates;
    const why = `a mine with ${share(likeliest?.risk ?? 0)}: flags are worth more than what a cell may tell`;
    if (likeliest) return { ...move, cell: likeliest.cell, action: "flag", risk: 1 - likeliest.risk, certain: false, reason: why };
  }
  if (!candidates.length || method === "flags") return { ...move, ...guessed(kernel, seat, LEAST_EXACT, seat.view.grid.index(move.cell), move.risk) };
  const { cell, risk } = candidates[0];
  if (promised) return { ...move, cell, reason: `the first cell is promised to be ${seat.rules.opening}` };
  return { ...move, cell, risk, reason: searchReason({ method, candidates }) };
}

/**
 * What the champion considers where nothing is certain, the best first.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @returns {Advice}
 */
export function advise(kernel, who, seat) {
  const reader = new Reader(kernel.ask("advise", [...rowOf(seat), ...rulesRow(seat.rules), ...(who.budget ?? BUDGETS.default)]));
  const figure = () => {
    const value = reader.number();
    return Number.isNaN(value) ? null : value;
  };
  return {
    method: METHODS[reader.number()],
    candidates: reader.many(() => ({
      cell: seat.view.grid.cell(reader.number()),
      risk: /** @type {number} */ (figure()),
      score: figure(),
      win: figure(),
      error: figure(),
      loss: figure(),
    })),
  };
}

/** The cells that can be opened: to a search flags tell nothing, the referee refuses them. @param {Candidate[]} candidates @param {View} view */
export const withoutFlagged = (candidates, view) => candidates.filter((one) => view.states[view.grid.index(one.cell)] !== FLAGGED);

/** Standard errors of a chance to either side of it are its 95 % interval. */
export const CONFIDENT = 1.96;
const share = (/** @type {number} */ value) => `${fixed(100 * value, 1)} %`;

/** Why the first candidate, in one sentence. @param {Advice} advice */
export function searchReason({ method, candidates: [best, second] }) {
  const win = () => `${share(best.win ?? 0)}${best.error ? ` +- ${fixed(100 * CONFIDENT * best.error, 1)}` : ""}`;
  const wins = best.win === null ? "" : `; wins ${win()}`;
  const risk = `${share(best.risk)} risk`;
  const costs = best.loss === null ? "" : `; perfect play from here costs ${fixed(best.loss, 2)} flags on average`;
  if (method === "opening") return `nothing is open: the best cell to begin with${best.win === null ? "" : `; from here it wins ${win()}`}${costs}`;
  if (method === "least-risk") return `${risk}, the least: a look ahead would take too long here`;
  if (best.risk === 0.5 && (method === "part" || best.win === 0.5)) return `a 50/50: nothing will ever tell these two apart, guess now${wins}`;
  if (method === "part") return `${risk}, the least bad here: nothing elsewhere can ever help`;
  if (method === "fifty-fifty") return `${risk}; safe, or half of a 50/50: nothing will ever tell the two apart, guess now${wins}`;
  if (method === "endgame" && best.win === null) return `${risk}${costs}`;
  const next = second ? `, ${nextBest(best, second)}` : "";
  if (method === "endgame") return `${risk}; perfect play from here wins ${win()}${next}`;
  const ahead = method === "learned" ? "the best by what games played out have taught" : "the best two steps ahead";
  return `${risk}${wins || `; ${ahead}`}${next}`;
}

/** @param {Candidate} best @param {Candidate} other */
function nextBest(best, other) {
  const cell = nameCell(other.cell);
  if (best.win === null || other.win === null) return `next best ${cell}`;
  if (other.win > best.win) return `about as good ${cell}`; // in other games, as far as these tell
  return `next best ${cell} ${share(other.win)}`;
}
