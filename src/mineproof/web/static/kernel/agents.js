// @ts-check
/** The agents of `agents/builtin.py` that the kernel can play, and the reasons of their moves. */
import known from "../agents.json" with { type: "json" };
import tables from "./tables.json" with { type: "json" };
import { Reader, halves } from "./kernel.js";
import { contradiction, rowOf } from "./positions.js";
import { phrase, said, say } from "../phrases.js";
import { RequestRefused, needsServer, quoted, unknown } from "./errors.js";
import { certainty } from "./proofs.js";
import { EXACT, truth } from "./clueModels.js";
import { FLAGGED, HIDDEN, UNBOUNDED, isClue, isCovered } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./notation.js").View} View */
/** @typedef {{first: View, seen: import("./notation.js").Change[][]}} Past a game's first view, and what changed before and after each decision */
/** @typedef {import("./positions.js").Position & {rules: Rules, seed: bigint, past?: Past}} Seat in a game with its past, on which decisions of naive agents depend */
/** @typedef {import("./proofs.js").Why} Why */
/** @typedef {Required<Omit<import("../messages.js").SomeRules, "density" | "luck">> & {density: number | null, luck?: "dealt" | "fair"}} Rules all rules of a game */
/** @typedef {import("../messages.js").NextMove} Move */
/** @typedef {import("../messages.js").CandidateData} Candidate */
/** @typedef {{method: string, candidates: Candidate[]}} Advice */
/** @typedef {typeof tables.budgets.default} Budget */
/** @typedef {{local: boolean, pairs: boolean, beyond: string, guesser: string, first: number | null}} Plays as `Twin` in `_engine.py` */
/** @typedef {{name: string, plays: Plays, budget: Budget | null, naive: boolean}} Agent a naive one takes every clue for exact */

/** @type {Record<string, Budget>} */
const BUDGETS = tables.budgets;
const NONE = -1;
const FEW = tables.few_mines; // the density below which the lowest risk scores as well as a look-ahead
/** @type {Record<string, Plays>} */
const PLAYS = tables.agents;
const ACTIONS = /** @type {Move["action"][]} */ (tables.actions);
export const names = () => Object.keys(PLAYS);

/** @param {string} text @returns {Agent} */
export function agent(text) {
  const [name, options] = text.trim().split(/:(.*)/s);
  if (!Object.hasOwn(known, name)) throw unknown("agent", name, Object.keys(known));
  if (!(name in PLAYS)) throw needsServer(`the agent ${quoted(name)}`);
  /** @type {string | null} */
  let budget = name === "champion" ? "default" : null;
  let naive = false;
  for (const option of options?.split(",") ?? []) {
    const [, key, value] = option.trim().match(/^(?:(\w+)=)?(\w+)$/) ?? [];
    const isNaive = key === "naive" ? truth(value) : undefined;
    if (isNaive !== undefined) naive = isNaive;
    else if (budget && (key ?? "budget") === "budget") budget = value;
    else throw needsServer(`the agent ${quoted(text)}`);
  }
  if (budget && !Object.hasOwn(BUDGETS, budget)) throw unknown("budget", budget, Object.keys(BUDGETS));
  return { name: text.trim(), plays: PLAYS[name], budget: budget ? BUDGETS[budget] : null, naive };
}

/** @param {Rules} rules */
export const rulesRow = (rules) => [Number(rules.on_mine === "end"), tables.openings.indexOf(rules.opening), Number(rules.count_known), Number(rules.flood), rules.density ?? -1, tables.luck.indexOf(rules.luck ?? "dealt")];

/** A budget as a row of numbers; without one, that of `name`. @param {Budget | null} budget @param {string} name */
export const budgetRow = (budget, name) => Object.values(budget ?? BUDGETS[name]).map(Number);

/** @param {Plays} plays */
const playsRow = ({ local, pairs, beyond, guesser, first }) => [Number(local), Number(pairs), tables.beyond.indexOf(beyond), tables.guessers.indexOf(guesser), first ?? NONE];

/**
 * The move of an agent, with its reason.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @param {boolean} [withProof] whether a certain move gets a proof as its reason
 * @returns {Move}
 */
export function decide(kernel, who, seat, withProof = true) {
  const { view, rules } = seat;
  const read = who.naive ? { ...seat, clues: EXACT } : seat;
  const searches = who.plays.guesser === "champion";
  const forScore = searches && rules.on_mine === "continue" && !read.clues.exact;
  if (forScore && view.mines !== null && view.grid.size <= tables.most_tree_cells) throw needsServer(`the agent ${quoted(who.name)} with uncertain clues on so small a board`);
  const plays = searches && !forScore ? { ...who.plays, guesser: "least_exact", first: null } : who.plays;
  const { first: from, seen } = who.naive && seat.past ? seat.past : { first: view, seen: [] };
  const past = seen.flatMap((changes) => [3 * changes.length, ...changes.flatMap(([index, state, bound = UNBOUNDED]) => [index, state, bound])]);
  const row = [...rowOf({ ...seat, view: from }), ...rulesRow(rules), ...playsRow(plays), Number(who.naive), ...budgetRow(who.budget, "fast"), ...halves(seat.seed), seen.length, ...past];
  const reader = new Reader(kernel.ask("decide", row));
  const fault = reader.name(tables.faults);
  if (fault === "contradiction") throw contradiction(kernel, seat);
  if (fault !== "none") throw new RequestRefused("engine", say("refusal.cannot-continue", { agent: quoted(who.name), large: fault === "overflow", fault }));
  const index = reader.number();
  const action = reader.name(ACTIONS);
  const certain = reader.truth();
  const rule = reader.name(tables.rules);
  const risk = reader.number();
  const clue = reader.number();
  const first = !view.states.some((state) => !isCovered(state));
  /** @type {Move} */
  const move = { cell: view.grid.cell(index), action, risk: Number.isNaN(risk) ? null : risk, certain, reason: "", rule, estimated: reader.truth() };
  if (action === "stop") return because({ ...move, cell: [0, 0], risk: null }, phrase("stop.nothing-left"));
  if (certain && rule) return withProof ? because(move, whyCertain(kernel, who, seat, move)) : move;
  if (searches && !forScore) return searched(kernel, who, read, certain, move);
  if (certain) return because(move, phrase("first.guaranteed", { opening: rules.opening }));
  if (first && plays.first === index) return because(move, phrase("first.usual"));
  if (!plays.local) return because(move, phrase("guess.in-order"));
  return (forScore && lookedAhead(kernel, who, seat, move)) || guessed(seat, forScore ? "least_exact" : plays.guesser, move, clue);
}

/** Why a move is certain; a naive agent only claims it. @param {Kernel} kernel @param {Agent} who @param {Seat} seat @param {Move} move @returns {Why & {claimed?: boolean}} */
export function whyCertain(kernel, who, seat, { cell, action, rule }) {
  const index = seat.view.grid.index(cell);
  const mine = action === "flag";
  if (!who.naive || seat.clues.exact) return certainty(kernel, seat, index, mine);
  const claimed = rule === "opening" ? {} : { claimed: true };
  try {
    return { ...certainty(kernel, { ...seat, clues: EXACT }, index, mine), ...claimed };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    return { ...phrase("exact.certain", { mine, count: false }), clues: [], known: [], count_used: false, ...claimed }; // contradictory clues, taken for exact
  }
}

/**
 * The move with its reason, if it was found by look-ahead in a game for a score with uncertain clues.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @param {Move} move
 */
function lookedAhead(kernel, who, seat, move) {
  const { view, clues } = seat;
  const few = view.mines !== null && view.mines < FEW * view.grid.size;
  if (clues.redraw || (few && !clues.canBeMissing) || move.estimated || move.action !== "open" || !view.states.some((state) => !isCovered(state))) return null;
  const advice = advise(kernel, who, seat);
  const isHidden = advice.candidates.some(({ cell }) => view.states[view.grid.index(cell)] === HIDDEN);
  return advice.method === "look-ahead" && isHidden ? because(move, searchReason(advice)) : null;
}

/** A move with its reason, in words and as data. @param {Move} move @param {import("../phrases.js").Phrase | Why} why @returns {Move} */
export const because = (move, why) => ({ ...move, reason: said(why), why: { clues: [], known: [], count_used: false, ...why } });

/** A guess with its reason. @param {Seat} seat @param {string} guesser @param {Move} move @param {number} [clue] by which the cell was chosen */
function guessed({ view: { grid, states } }, guesser, move, clue = NONE) {
  const { risk, estimated } = move;
  const near = grid.neighbours(grid.index(move.cell)).map((cell) => states[cell]).filter(isClue);
  if (guesser === "least_exact" && risk !== null) {
    if (move.action === "flag") return because(move, phrase("guess.flag", { risk: 1 - risk, estimated, worth: 1 - 2 * risk }));
    return because(move, phrase(move.action === "unflag" ? "guess.unflag" : "guess.exact", { risk, estimated }));
  }
  if (clue !== NONE) return because(move, phrase("guess.clue-share", { clue: grid.cell(clue), share: risk }));
  if (guesser === "local_probability" && risk !== null) return because(move, phrase("guess.single-clues", { risk, density: !near.length }));
  if (guesser === "clue_sum" && near.length) return because(move, phrase("guess.clue-sum", { sum: near.reduce((sum, clue) => sum + clue, 0) }));
  return because(move, phrase("guess.random"));
}

/** The champion's move if no cell is certain. @param {Kernel} kernel @param {Agent} who @param {Seat} seat @param {boolean} promised @param {Move} move @returns {Move} */
function searched(kernel, who, seat, promised, move) {
  const { method, candidates: all } = advise(kernel, who, seat);
  const candidates = withoutFlagged(all, seat.view);
  if (method === "flags") {
    const [likeliest] = candidates;
    if (likeliest) return because({ ...move, cell: likeliest.cell, action: "flag", risk: 1 - likeliest.risk, certain: false }, phrase("search.flag", { risk: likeliest.risk }));
  }
  if (!candidates.length || method === "flags") return guessed(seat, "least_exact", move);
  const { cell, risk } = candidates[0];
  if (promised) return because({ ...move, cell }, phrase("first.guaranteed", { opening: seat.rules.opening }));
  return because({ ...move, cell, risk }, searchReason({ method, candidates }));
}

/**
 * The cells that the champion considers if no cell is certain, the best first.
 * @param {Kernel} kernel
 * @param {Agent} who
 * @param {Seat} seat
 * @returns {Advice}
 */
export function advise(kernel, who, seat) {
  const reader = new Reader(kernel.ask("advise", [...rowOf(seat), ...rulesRow(seat.rules), ...budgetRow(who.budget, "default")]));
  const figure = () => {
    const value = reader.number();
    return Number.isNaN(value) ? null : value;
  };
  return {
    method: reader.name(tables.methods),
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

/** Drops the flagged cells: the search ignores flags, but a flagged cell cannot be opened. @param {Candidate[]} candidates @param {View} view */
export const withoutFlagged = (candidates, view) => candidates.filter((one) => view.states[view.grid.index(one.cell)] !== FLAGGED);

/** Half the width of a 95 % confidence interval, in standard errors. */
export const CONFIDENT = tables.confident;

/** A win probability, with its 95 % interval if it is an estimate. @param {number} win @param {number | null} error */
function winPhrase(win, error) {
  if (!error) return phrase("search.win-share", { win });
  const [low, high] = [Math.max(win - CONFIDENT * error, 0), Math.min(win + CONFIDENT * error, 1)];
  return phrase("search.win-interval", { win, low: 100 * low, high });
}

/** Why the first candidate is the best. @param {Advice} advice */
export function searchReason({ method, candidates: [best, second] }) {
  const { risk } = best;
  const wins = best.win === null ? "" : phrase("search.wins", { win: winPhrase(best.win, best.error) });
  const costs = best.loss === null ? "" : phrase("search.costs", { loss: best.loss });
  const values = { risk, wins, costs, next: second ? nextBest(best, second) : "" };
  if (method === "opening") return phrase("search.opening", { wins, costs });
  if (method === "least-risk") return phrase("search.least-risk", { risk });
  if (risk === 0.5 && (method === "part" || best.win === 0.5)) return phrase("search.even", { wins });
  if (method === "part") return phrase("search.part", { risk });
  if (method === "fifty-fifty") return phrase("search.fifty-fifty", values);
  if (method === "endgame") return phrase(best.win === null ? "search.score" : "search.endgame", values);
  return best.win === null ? phrase("search.estimate", { ...values, learned: method === "learned" }) : phrase("search.win", values);
}

/** @param {Candidate} best @param {Candidate} other */
function nextBest(best, { cell, win }) {
  if (best.win === null || win === null) return phrase("search.next", { cell, win });
  return phrase(win > best.win ? "search.as-good" : "search.next-win", { cell, win }); // by chance, in different playouts
}
