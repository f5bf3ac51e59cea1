// @ts-check
/** Why cells are certain, as the server tells it: the twin of `reasoning/proofs/proof.py`. */
import { Reader } from "./kernel.js";
import { COUNT, gatherStatements, listing } from "./names.js";
import { contradiction, draw, odds, rowOf, tryOdds } from "./positions.js";
import { general, invalid, nameCell } from "./refusals.js";
import { EXPLODED, FLAGGED, TOLD_SAFE, View, isCovered, isUnknown } from "./texts.js";
import { Teller } from "./words.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Position} Position */
/** @typedef {import("./words.js").Step} Step */
/** @typedef {{cell: number, mine: boolean, clues: number[], countUsed: boolean, least: boolean, irreducible: boolean, steps: Step[]}} Found */

export const PROOF_BUDGET = 20_000;
const KINDS = ["clue", "pattern", "subset", "pair", "sum", "count", "cases"];
const WHATS = ["assume", "force", "clash"];
const FOLDED = 6; // more steps in a row than this that are by one clue each are told in one line
const REACH = 2; // how far away a cell may be that is tried as the one to open
const MOST_COUNTED = 1000; // cells of a board without a count whose arrangements are counted

/**
 * Proofs of those of the cells that are certain.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number[]} cells
 * @param {number} budget
 * @returns {Found[]}
 */
export function prove(kernel, position, cells, budget) {
  const reader = new Reader(kernel.ask("prove", [...rowOf(position), budget, cells.length, ...cells]));
  if (reader.number() === 2) throw contradiction(kernel, position);
  const line = () => ({ what: reader.number(), depth: reader.number(), clues: reader.list(), signs: reader.list(), cells: reader.list(), mine: reader.truth() });
  /** @returns {Step} */
  const step = () => ({
    kind: reader.number(),
    clues: reader.list(),
    signs: reader.list(),
    settled: reader.many(() => /** @type {[number, boolean]} */ ([reader.number(), reader.truth()])),
    lines: reader.many(line),
  });
  return reader.many(() => ({
    cell: reader.number(),
    mine: reader.truth(),
    clues: reader.list(),
    countUsed: reader.truth(),
    least: reader.truth(),
    irreducible: reader.truth(),
    steps: reader.many(step),
  }));
}

/**
 * `explain` without a cell: whether anything is certain, and the easiest proof, or all.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} budget
 * @param {boolean} every
 */
export function explainAll(kernel, position, budget, every) {
  const { view } = position;
  const found = prove(kernel, position, view.indices(isUnknown), budget);
  const told = view.indices((state) => state === TOLD_SAFE);
  const safe = found.filter((proof) => !proof.mine);
  const best = easiest(safe) ?? easiest(found);
  const cells = (/** @type {Found[]} */ some) => view.grid.cells(some.map((proof) => proof.cell));
  return {
    may_guess: !safe.length && !told.length,
    safe: view.grid.cells([...told, ...safe.map((proof) => proof.cell)].sort((a, b) => a - b)),
    mined: cells(found.filter((proof) => proof.mine)),
    wrong_flags: cells(safe.filter((proof) => view.states[proof.cell] === FLAGGED)),
    easiest: best ? proofJson(position, best) : null,
    ...(every ? { proofs: found.map((proof) => proofJson(position, proof)) } : {}),
  };
}

/**
 * `explain` of one cell.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} index
 * @param {number} budget
 */
export function explainCell(kernel, position, index, budget) {
  const { view } = position;
  if (!isCovered(view.states[index])) throw invalid(`cell ${view.grid.name(index)} is not covered in ${view.shown}`);
  const told = view.states[index] === TOLD_SAFE;
  const [found] = prove(kernel, position, told ? [] : [index], budget);
  if (found) return proofJson(position, found);
  if (!told) return undecidedJson(kernel, position, index);
  const nothing = { clues: [], count_used: false, least: true, irreducible: true, ease: "", refutes_flag: false, steps: [] };
  return { cell: view.grid.cell(index), mine: false, risk: 0, ...nothing, words: `${view.grid.name(index)} is safe: it was told.` };
}

/** Simple steps, then few clues, then few steps. @param {Found[]} found */
function easiest(found) {
  const hardness = (/** @type {Found} */ proof) => [Math.max(...proof.steps.map((step) => step.kind)), proof.clues.length, proof.steps.length];
  const ranked = found.filter((proof) => proof.steps.length).map((proof) => ({ proof, rank: hardness(proof) }));
  ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2]);
  return ranked[0]?.proof;
}

/** @param {Position} position @param {Found} proof */
function proofJson(position, proof) {
  const { view } = position;
  const { grid } = view;
  const teller = new Teller(view, new Map(gatherStatements(position).map((one) => [one.clue, one])), new Map());
  const steps = proof.steps.map((step) => ({
    kind: KINDS[step.kind],
    clues: grid.cells(step.clues.filter((clue) => clue !== COUNT)),
    count_used: step.clues.includes(COUNT),
    settled: step.settled.map(([cell, mine]) => ({ cell: grid.cell(cell), mine })),
    ...(step.kind >= 2 && step.kind <= 5 ? { signs: step.signs } : {}),
    ...(step.kind === 6 ? { lines: step.lines.map((line) => lineJson(view, line)) } : {}),
    words: teller.tell(step),
  }));
  const wrong = !proof.mine && view.states[proof.cell] === FLAGGED;
  const verdict = `${proof.mine ? "a mine" : "safe"}${wrong ? "; the flag on it is wrong" : ""}`;
  return {
    cell: grid.cell(proof.cell),
    mine: proof.mine,
    risk: Number(proof.mine),
    clues: grid.cells(proof.clues),
    count_used: proof.countUsed,
    least: proof.least,
    irreducible: proof.irreducible,
    ease: steps.length ? KINDS[Math.max(...proof.steps.map((step) => step.kind))] : "",
    refutes_flag: wrong,
    steps,
    words: [`${grid.name(proof.cell)} is ${verdict}: ${restsOn(view, proof)}.`, ...toldSteps(proof, steps)].join("\n"),
  };
}

/** @param {View} view @param {import("./words.js").Line} line */
function lineJson(view, line) {
  const clues = line.clues.map((clue) => (clue === COUNT ? null : view.grid.cell(clue)));
  return { what: WHATS[line.what], depth: line.depth, clues, cells: view.grid.cells(line.cells), mine: line.mine };
}

/** @param {View} view @param {Found} proof */
function restsOn(view, { clues, countUsed, least, irreducible }) {
  const number = clues.length;
  if (!number && !countUsed) return "every arrangement that fits says so; a proof was not found within the budget";
  if (!number) return "by the mine count alone";
  const rests = `${countUsed ? "the mine count and " : ""}${number} clue${number === 1 ? "" : "s"}, ${listing(view.grid.cells(clues))}`;
  if (least) return number === 1 ? `by ${rests}` : `by ${rests}; fewer will not do`;
  if (irreducible) return `by ${rests}; none can be left out`;
  return `by ${rests}; perhaps not all are needed, the search was given up`;
}

/** The steps, numbered; many in a row by one clue each in one line. @param {Found} proof @param {any[]} steps */
function toldSteps(proof, steps) {
  const lines = [];
  if (!steps.length && (proof.clues.length || proof.countUsed)) lines.push("The steps were not found within the budget.");
  for (let at = 0; at < steps.length;) {
    const single = steps[at].kind === "clue";
    let end = at;
    while (end < steps.length && (steps[end].kind === "clue") === single) ++end;
    if (single && end - at > FOLDED) lines.push(`${at + 1}-${end}. One clue at a time: ${steps.slice(at, end).map(folded).join("; ")}.`);
    else for (let n = at; n < end; ++n) lines.push(`${n + 1}. ${steps[n].words}`);
    at = end;
  }
  return lines;
}

/** @param {any} step */
function folded(step) {
  const cells = listing(step.settled.map((/** @type {any} */ one) => one.cell));
  return `${nameCell(step.clues[0])} makes ${cells} ${step.settled[0].mine ? "mined" : "safe"}`;
}

/** What there is to say of an undecided cell. @param {Kernel} kernel @param {Position} position @param {number} index */
function undecidedJson(kernel, position, index) {
  const { view, density } = position;
  const found = odds(kernel, position);
  const risk = found.risk[index];
  const head = `${view.grid.name(index)} is undecided: a mine with a chance of ${found.exact ? "" : "about "}${general(100 * risk, 4)} %.`;
  const base = { cell: view.grid.cell(index), mine: null, risk };
  if (!found.exact) {
    const words = `${head}\nThere are too many cases to count: it may be certain and nobody can tell.`;
    return { ...base, arrangements: null, witnesses: null, settler: null, words };
  }
  const views = [EXPLODED, TOLD_SAFE].map((state) => view.with([index, state]));
  const logs = views.map((one) => logArrangements(kernel, one));
  const settled = settler(kernel, position, index, found.logWeight);
  const witnesses = views.map((one) => draw(kernel, { view: one, density }, 0n));
  const lines = [head];
  if (logs.includes(null)) lines.push("Its arrangements are too many to be counted within the budget.");
  else {
    const [mine, safe] = /** @type {number[]} */ (logs);
    const one = (/** @type {number} */ log) => Math.round(Math.exp(log)) === 1;
    lines.push(`${number(mine)} arrangement${one(mine) ? "" : "s"} of mines that fit ${one(mine) ? "has" : "have"} a mine there, ${number(safe)} ${one(safe) ? "has" : "have"} none.`);
    lines.push(settled === null ? "No cell near it would settle it by itself." : `Opening ${nameCell(settled.cell)} would settle it with a chance of ${general(100 * settled.chance, 4)} %.`);
  }
  const counts = logs.map((log) => (log === null ? null : Math.round(Math.exp(log))));
  return {
    ...base,
    arrangements: counts.every((count) => count !== null && Number.isFinite(count)) ? { mine: counts[0], safe: counts[1] } : null,
    witnesses: witnesses.includes(null) ? null : witnesses.map((mined) => view.grid.cells((mined ?? []).flatMap((mine, at) => (mine ? [at] : [])))),
    settler: settled,
    words: lines.join("\n"),
  };
}

/**
 * The logarithm of how many arrangements fit; without a count, those of every count together.
 * @param {Kernel} kernel
 * @param {View} view
 * @returns {number | null} none where they cannot be counted
 */
function logArrangements(kernel, view) {
  const count = (/** @type {number | null} */ mines) => tryOdds(kernel, { view: new View(view.grid, view.states, mines), density: null });
  if (view.mines !== null) {
    const found = count(view.mines);
    return found?.exact ? found.logWeight : found ? null : -Infinity;
  }
  if (view.grid.size > MOST_COUNTED) return null;
  const hit = view.indices((state) => state === EXPLODED).length;
  const room = view.indices(isUnknown).length;
  /** @type {number[]} */
  const logs = [];
  for (let mines = hit; mines <= hit + room; ++mines) {
    const found = count(mines);
    if (found && !found.exact) return null;
    if (found) logs.push(found.logWeight);
  }
  const top = Math.max(...logs);
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0));
}

/** @param {number} log */
function number(log) {
  const count = Math.exp(log);
  if (Math.round(count) < 1e9) return String(Math.round(count));
  return log < 300 * Math.LN10 ? `about ${general(count, 3)}` : "many";
}

/**
 * The cell near a given one whose opening most likely settles it, and that chance.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} index
 * @param {number} before the log weight
 */
function settler(kernel, { view, density }, index, before) {
  const { grid, states } = view;
  const [row, col] = grid.cell(index);
  let best = { chance: 0, other: -1 };
  for (let r = Math.max(row - REACH, 0); r <= Math.min(row + REACH, grid.rows - 1); ++r) {
    for (let c = Math.max(col - REACH, 0); c <= Math.min(col + REACH, grid.cols - 1); ++c) {
      const other = r * grid.cols + c;
      if (other === index || !isCovered(states[other])) continue;
      let chance = 0;
      for (let value = 0; value <= grid.around(other).length; ++value) {
        const found = tryOdds(kernel, { view: view.with([other, value]), density });
        if (found && (found.safe.includes(index) || found.mined.includes(index))) chance += Math.exp(found.logWeight - before);
      }
      if (chance > (best.other < 0 ? 0 : best.chance + 1e-9)) best = { chance, other };
    }
  }
  return best.other < 0 ? null : { cell: grid.cell(best.other), chance: Math.min(best.chance, 1) };
}
