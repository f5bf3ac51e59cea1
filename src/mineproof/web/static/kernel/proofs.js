// @ts-check
/** Why cells are certain, in the words of the server: the twin of `reasoning/proofs/proof.py`. */
import tables from "./tables.json" with { type: "json" };
import { Reader } from "./kernel.js";
import { phrase, said, say } from "../phrases.js";
import { COUNT, countStatements } from "./namer.js";
import { contradiction, draw, odds, rowOf, tryOdds } from "./positions.js";
import { general, invalid } from "./errors.js";
import { EXPLODED, FLAGGED, KNOWN_SAFE, NO_CLUE, UNBOUNDED, View, isCovered, isUnknown, isUntouched } from "./notation.js";
import { ProofWriter } from "./proofWriter.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Position} Position */
/** @typedef {import("./clueModels.js").ClueModel} ClueModel */
/** @typedef {import("./proofWriter.js").Step} Step */
/** @typedef {import("./notation.js").Cell} Cell */
/** @typedef {import("../phrases.js").Phrase} Phrase */
/** @typedef {import("../messages.js").ProofStepData} ProofStep */
/** @typedef {{cell: number, mine: boolean, clues: number[], countUsed: boolean, least: boolean, irreducible: boolean, steps: Step[], statements: import("./namer.js").Statement[]}} Found a proof, and the constraints of all clues */
/** @typedef {{clues: Cell[], known: Cell[], count_used: boolean}} Premises the clues used, the known cells around them, and whether the mine count was used */
/** @typedef {Phrase & Premises} Why the reason of a move, as in `world/move.py` */

export const PROOF_BUDGET = tables.proof_budget;
const REASON_BUDGET = 100; // consistency checks for the reason of a move: most take a few
const KINDS = /** @type {Step["kind"][]} */ (tables.steps);
const WHATS = /** @type {import("./proofWriter.js").Line["what"][]} */ (tables.lines);
const SIGNED = ["subset", "pair", "sum", "count"]; // kinds of steps that add and subtract clues
const FOLDED = 6; // more consecutive single-clue steps than this share one line
const REACH = 2; // how far from an undecided cell another one is tried as the one to open
const MOST_COUNTED = 1000; // the most cells of a board without a mine count whose configurations are counted

/**
 * Proofs of the given cells, as far as they are certain.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number[]} cells
 * @param {number} budget
 * @returns {Found[]}
 */
export function prove(kernel, position, cells, budget) {
  const reader = new Reader(kernel.ask("prove", [...rowOf(position), budget, cells.length, ...cells]));
  if (reader.name(tables.outcomes) === "contradiction") throw contradiction(kernel, position);
  const statements = reader.many(() => ({ clue: reader.number(), cells: reader.list(), counts: bits(reader.number()) }));
  const line = () => ({ what: reader.name(WHATS), depth: reader.number(), clues: reader.list(), signs: reader.list(), cells: reader.list(), mine: reader.truth() });
  /** @returns {Step} */
  const step = () => ({
    kind: reader.name(KINDS),
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
    statements,
  }));
}

/** The places of the bits that are set, rising. @param {number} mask */
const bits = (mask) => Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (mask >> bit) & 1);

/**
 * `explain` without a cell: whether any cell is certain, and the easiest proof or all of them.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} budget
 * @param {boolean} every
 */
export function explainAll(kernel, position, budget, every) {
  const { view } = position;
  const found = prove(kernel, position, view.indices(isUnknown), budget);
  const guaranteed = view.indices((state) => state === KNOWN_SAFE);
  const safe = found.filter((proof) => !proof.mine);
  const best = easiest(safe) ?? easiest(found);
  const cells = (/** @type {Found[]} */ some) => view.grid.cells(some.map((proof) => proof.cell));
  return {
    may_guess: !safe.length && !guaranteed.length,
    safe: view.grid.cells([...guaranteed, ...safe.map((proof) => proof.cell)].sort((a, b) => a - b)),
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
 * @returns {import("../messages.js").ProofData | import("../messages.js").UndecidedCell}
 */
export function explainCell(kernel, position, index, budget) {
  const { view } = position;
  if (!isCovered(view.states[index])) throw invalid("refusal.not-hidden", { cell: view.grid.cell(index), position: view.shown });
  const isGuaranteed = view.states[index] === KNOWN_SAFE;
  const [found] = prove(kernel, position, isGuaranteed ? [] : [index], budget);
  if (found) return proofJson(position, found);
  if (!isGuaranteed) return undecidedJson(kernel, position, index);
  const nothing = { clues: [], count_used: false, least: true, irreducible: true, refutes_flag: false, steps: [] };
  const verdict = headline(view.grid.cell(index), false, false, phrase("proof.known-safe"));
  return { cell: view.grid.cell(index), mine: false, risk: 0, ...nothing, ease: "", verdict, words: `${said(verdict)}.` };
}

/**
 * Why a cell is certain: the last step of a small proof, with the premises of that step.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} index
 * @param {boolean} mine
 * @returns {Why}
 */
export function certainty(kernel, position, index, mine) {
  const { view } = position;
  if (view.states[index] === KNOWN_SAFE) return { ...phrase("opening.guaranteed"), clues: [], known: [], count_used: false };
  const [found] = prove(kernel, position, [index], REASON_BUDGET);
  const step = found && describeSteps(position, found).at(-1);
  if (step) return step;
  // Of a proof without steps the premises are known; without a proof they are the whole position.
  const proved = found && (found.clues.length || found.countUsed);
  const used = proved ? premises(view, found.clues, found.countUsed) : { clues: [], known: [], count_used: view.mines !== null };
  return { ...phrase("exact.certain", { mine, count: used.count_used }), ...used };
}

/** The steps of a proof as phrases, with the premises of each. @param {Position} position @param {Found} proof @returns {Why[]} */
function describeSteps(position, proof) {
  const statements = [...proof.statements, ...countStatements(position)];
  const writer = new ProofWriter(position.view, new Map(statements.map((one) => [one.clue, one])), new Map());
  return proof.steps.map((step) => {
    const used = premises(position.view, step.clues.filter((clue) => clue !== COUNT), step.clues.includes(COUNT), writer.known);
    return { ...writer.phrase(step), ...used };
  });
}

/** @param {View} view @param {number[]} clues @param {boolean} countUsed @param {Map<number, boolean>} [deduced] @returns {Premises} */
function premises({ grid, states }, clues, countUsed, deduced = new Map()) {
  const known = new Set(clues.flatMap((clue) => grid.neighbours(clue)).filter((near) => !isUnknown(states[near]) || deduced.has(near)));
  return { clues: grid.cells(clues), known: grid.cells([...known].sort((a, b) => a - b)), count_used: countUsed };
}

/** The place of the hardest step's kind. @param {Found} proof */
const hardest = ({ steps }) => Math.max(...steps.map((step) => KINDS.indexOf(step.kind)));

/** Simple steps, then few clues, then few steps. @param {Found[]} found */
function easiest(found) {
  const hardness = (/** @type {Found} */ proof) => [hardest(proof), proof.clues.length, proof.steps.length];
  const ranked = found.filter((proof) => proof.steps.length).map((proof) => ({ proof, rank: hardness(proof) }));
  ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2]);
  return ranked[0]?.proof;
}

/** @param {Position} position @param {Found} proof @returns {import("../messages.js").ProofData} */
function proofJson(position, proof) {
  const { view } = position;
  const { grid } = view;
  const described = describeSteps(position, proof);
  const steps = proof.steps.map((step, at) => ({
    kind: step.kind,
    clues: described[at].clues,
    count_used: described[at].count_used,
    settled: step.settled.map(([cell, mine]) => ({ cell: grid.cell(cell), mine })),
    ...(SIGNED.includes(step.kind) ? { signs: step.signs } : {}),
    ...(step.kind === "cases" ? { lines: step.lines.map((line) => lineJson(view, line)) } : {}),
    why: phrase(described[at].phrase, described[at].values),
    words: said(described[at]),
  }));
  const wrong = !proof.mine && view.states[proof.cell] === FLAGGED;
  const verdict = headline(grid.cell(proof.cell), proof.mine, wrong, restsOn(view, proof));
  return {
    cell: grid.cell(proof.cell),
    mine: proof.mine,
    risk: Number(proof.mine),
    clues: grid.cells(proof.clues),
    count_used: proof.countUsed,
    least: proof.least,
    irreducible: proof.irreducible,
    ease: steps.length ? KINDS[hardest(proof)] : "",
    refutes_flag: wrong,
    steps,
    verdict,
    words: [`${said(verdict)}.`, ...stepTexts(proof, steps)].join("\n"),
  };
}

/** @param {View} view @param {import("./proofWriter.js").Line} line @returns {import("../messages.js").CaseLineData} */
function lineJson(view, line) {
  const clues = line.clues.map((clue) => (clue === COUNT ? null : view.grid.cell(clue)));
  return { what: line.what, depth: line.depth, clues, cells: view.grid.cells(line.cells), mine: line.mine };
}

/** @param {Cell} cell @param {boolean} mine @param {boolean} wrong whether the cell is flagged although it is safe @param {Phrase} why */
const headline = (cell, mine, wrong, why) => phrase("proof.headline", { cell, mine, wrong_flag: wrong, why });

/** @param {View} view @param {Found} proof @returns {Phrase} */
function restsOn(view, { clues, countUsed, least, irreducible }) {
  if (!clues.length) return countUsed ? phrase("proof.by-count") : phrase("proof.none-found");
  let fewer = least ? "none" : irreducible ? "all" : "unknown";
  if (least && clues.length === 1) fewer = "obvious";
  return phrase("proof.by-clues", { count_used: countUsed, clues: view.grid.cells(clues), fewer });
}

/** The numbered steps; many consecutive single-clue steps share one line. @param {Found} proof @param {ProofStep[]} steps */
function stepTexts(proof, steps) {
  const lines = [];
  if (!steps.length && (proof.clues.length || proof.countUsed)) lines.push(say("proof.no-steps"));
  for (let at = 0; at < steps.length;) {
    const single = steps[at].kind === "clue";
    let end = at;
    while (end < steps.length && (steps[end].kind === "clue") === single) ++end;
    if (single && end - at > FOLDED) lines.push(`${at + 1}-${end}. ${say("proof.one-by-one", { steps: steps.slice(at, end).map(folded).join("; ") })}`);
    else for (let n = at; n < end; ++n) lines.push(`${n + 1}. ${steps[n].words}`);
    at = end;
  }
  return lines;
}

/** @param {ProofStep} step */
const folded = ({ clues: [clue], settled }) => say("proof.makes", { clue, cells: settled.map((one) => one.cell), mine: settled[0].mine });

/** What is known about an undecided cell. @param {Kernel} kernel @param {Position} position @param {number} index @returns {import("../messages.js").UndecidedCell} */
function undecidedJson(kernel, position, index) {
  const { view } = position;
  const found = odds(kernel, position);
  const risk = found.risk[index];
  const verdict = phrase("proof.undecided", { cell: view.grid.cell(index), estimated: !found.exact, percent: general(100 * risk, 4) });
  const base = { cell: view.grid.cell(index), mine: null, risk };
  if (!found.exact) {
    const notes = [phrase("proof.too-many-cases")];
    return { ...base, arrangements: null, witnesses: null, settler: null, notes, verdict, words: `${said(verdict)}.\n${said(notes[0])}` };
  }
  const views = [EXPLODED, KNOWN_SAFE].map((state) => view.with([index, state]));
  const logs = views.map((one) => logArrangements(kernel, { ...position, view: one }));
  const settled = settler(kernel, position, index, found.logWeight);
  const [mined, free] = views.map((one) => draw(kernel, { ...position, view: one }, 0n));
  const cells = (/** @type {number[]} */ drawn) => view.grid.cells(drawn.flatMap((mine, at) => (mine ? [at] : [])));
  /** @type {Phrase[]} */
  const notes = [];
  if (logs.includes(null)) notes.push(phrase("proof.too-many"));
  else {
    const [mine, safe] = /** @type {number[]} */ (logs);
    const one = (/** @type {number} */ log) => Math.round(Math.exp(log)) === 1;
    const share = 1 / (1 + Math.exp(safe - mine));
    const uneven = Math.abs(share - risk) > 1e-6 * Math.max(share, risk);
    notes.push(phrase("proof.configurations", { mine: number(mine, true), safe: number(safe, false), one_mine: one(mine), one_safe: one(safe), uneven }));
    notes.push(settled === null ? phrase("proof.decides-none") : phrase("proof.decides", { cell: settled.cell, percent: general(100 * settled.chance, 4) }));
  }
  const [mine, safe] = logs.map((log) => (log === null ? Infinity : Math.round(Math.exp(log))));
  return {
    ...base,
    arrangements: Number.isFinite(mine + safe) ? { mine, safe } : null,
    witnesses: mined && free && [cells(mined), cells(free)],
    settler: settled,
    notes,
    verdict,
    words: [`${said(verdict)}.`, ...notes.map(said)].join("\n"),
  };
}

/**
 * The logarithm of the number of configurations; without a mine count, of all counts together.
 * @param {Kernel} kernel
 * @param {Position} position
 * @returns {number | null} null where they cannot be counted
 */
function logArrangements(kernel, { view, clues }) {
  const count = (/** @type {number} */ mines) => tryOdds(kernel, { view: new View(view.grid, view.states, mines, view.bounds), clues, density: null }, { alike: true });
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

/** @param {number} log @param {boolean} start whether it starts a sentence */
function number(log, start) {
  const count = Math.exp(log);
  if (Math.round(count) < 1e9) return Math.round(count);
  return log < 300 * Math.LN10 ? phrase("proof.about", { number: general(count, 3), start }) : phrase("proof.many", { start });
}

/**
 * The cell near a given one whose opening most likely decides it, and the probability of that.
 * @param {Kernel} kernel
 * @param {Position} position
 * @param {number} index
 * @param {number} before the log weight
 */
function settler(kernel, position, index, before) {
  const { view, clues } = position;
  const { grid, states } = view;
  const [row, col] = grid.cell(index);
  let best = { chance: 0, other: -1 };
  for (let r = Math.max(row - REACH, 0); r <= Math.min(row + REACH, grid.rows - 1); ++r) {
    for (let c = Math.max(col - REACH, 0); c <= Math.min(col + REACH, grid.cols - 1); ++c) {
      const other = r * grid.cols + c;
      if (other === index || !isCovered(states[other])) continue;
      let chance = 0;
      for (const opened of openings(view, clues, other)) {
        const found = tryOdds(kernel, { ...position, view: opened });
        if (found && (found.safe.includes(index) || found.mined.includes(index))) chance += Math.exp(found.logWeight - before);
      }
      if (chance > (best.other < 0 ? 0 : best.chance + 1e-9)) best = { chance, other };
    }
  }
  return best.other < 0 ? null : { cell: grid.cell(best.other), chance: Math.min(best.chance, 1) };
}

/** The views in which a cell is opened, for all that it may show. @param {View} view @param {ClueModel} clues @param {number} index @returns {View[]} */
function openings(view, clues, index) {
  const near = view.grid.neighbours(index).map((cell) => view.states[cell]);
  const mines = near.filter((state) => state === EXPLODED || state === FLAGGED).length;
  const room = clues.name === "cautious" ? near.filter((state) => isUntouched(state)).length : 0;
  const bound = clues.known ? mines + room : UNBOUNDED;
  const shown = near.map((_, mine) => mine + 1);
  const opened = [0, ...shown].map((value) => view.with([index, value, bound]));
  return clues.exact ? opened : [...opened, view.with([index, NO_CLUE])];
}
