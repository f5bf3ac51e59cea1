// @ts-check
/** Proofs in words, step by step: the twin of `reasoning/proofs/proof_writer.py` and `case_writer.py`. */
import { phrase } from "../phrases.js";
import { COUNT, Namer, areApart } from "./namer.js";

/**
 * @typedef {object} Line of an argument by cases
 * @property {import("../messages.js").CaseLineData["what"]} what
 * @property {number} depth
 * @property {number[]} clues
 * @property {number[]} signs
 * @property {number[]} cells
 * @property {boolean} mine
 */

/**
 * @typedef {object} Step
 * @property {import("../messages.js").ProofStepData["kind"]} kind
 * @property {number[]} clues
 * @property {number[]} signs
 * @property {[number, boolean][]} settled
 * @property {Line[]} lines
 */

/** @typedef {import("../phrases.js").Phrase} Phrase */

/** Words for the steps of one proof, in order: later steps may use what earlier ones prove. */
export class ProofWriter extends Namer {
  /** @param {Step} step @returns {Phrase} */
  phrase(step) {
    const tellers = { clue: this.#byClue, pattern: this.#byPattern, subset: this.#byTwo, pair: this.#byTwo, sum: this.#bySum, count: this.#byCount, cases: this.#byCases };
    const { phrase: key, values } = tellers[step.kind].call(this, step);
    const sentence = phrase(key, { ...values, verdict: this.verdict(step.settled) });
    const name = ["subset", "pair"].includes(step.kind) && this.#pattern(step.clues[0], step.clues[1]);
    this.learn(step.settled);
    return name ? phrase("proof.named", { name, sentence }) : sentence;
  }

  /** One clue has all its mines, or needs all its cells. @param {Step} step */
  #byClue(step) {
    const clue = step.clues[0];
    const { cells, low, mines } = this.left(clue);
    const about = { clue: this.name(clue, true), mines: this.cells(mines) };
    if (!step.settled[0][1]) return phrase("proof.clue-safe", about);
    return phrase("proof.clue-mines", { ...about, low, cells: this.cells(cells), named: cells.length > step.settled.length });
  }

  /** Clues in a row along a wall. @param {Step} step */
  #byPattern(step) {
    const numbers = step.clues.map((clue) => this.left(clue).low);
    const reduced = step.clues.some((clue, place) => this.view.states[clue] !== numbers[place]);
    return phrase("proof.pattern", { clues: this.cells(step.clues), reduced, numbers: numbers.join("-") });
  }

  /** One clue needs more mines than another allows in the cells that they share. @param {Step} step */
  #byTwo(step) {
    const [one, two] = step.clues;
    const { cells, low, mines: found } = this.left(one);
    const { cells: others, high, mines: has } = this.left(two);
    const shared = cells.filter((cell) => others.includes(cell));
    const own = cells.filter((cell) => !shared.includes(cell));
    const about = { clue: this.name(one, true), other: this.name(two), low, known: found.length > 0, shared: this.cells(shared), has: this.cells(has) };
    if (!own.length) return phrase("proof.subset", about);
    const full = !step.settled.every(([, mine]) => mine);
    return phrase("proof.pair", { ...about, high, at: this.at(two), own: this.cells(own), full });
  }

  /** The players' name of two neighbouring clues. @param {number} one @param {number} two */
  #pattern(one, two) {
    const { grid } = this.view;
    const { cells, low } = this.left(one);
    const { cells: others, high } = this.left(two);
    const [a, b] = grid.cell(one);
    const [c, d] = grid.cell(two);
    const apart = cells.filter((cell) => !others.includes(cell)).length;
    if (Math.abs(a - c) + Math.abs(b - d) !== 1 || low - high !== apart) return null;
    if (low === 2 && high === 1) return "1-2";
    if (low !== 1 || high !== 1) return null;
    const across = cells.map((cell) => (a !== c ? grid.cell(cell)[1] - b : grid.cell(cell)[0] - a));
    return Math.min(...across) < 0 && Math.max(...across) > 0 ? "hole" : "1-1";
  }

  /** Equations added and subtracted. @param {Step} step */
  #bySum(step) {
    return phrase("proof.sum", this.#terms(step, step.clues.length));
  }

  /** The first clues of a sum, by sign, and the equation that all of them give. @param {Step} step @param {number} number */
  #terms({ clues, signs }, number) {
    const named = (/** @type {number} */ sign) => clues.slice(0, number).filter((_, place) => signs[place] === sign).map((clue) => this.name(clue));
    return { added: named(1), taken: named(-1), equation: this.equation(clues, signs) };
  }

  /** The mine count minus the mines of some clues. @param {Step} step */
  #byCount(step) {
    const { cells, low: left, mines } = this.left(COUNT);
    const count = phrase("proof.left", { left, found: mines.length });
    const taken = step.clues.slice(0, -1);
    if (!taken.length) return phrase("proof.count", { count, left });
    const parts = taken.map((clue) => this.left(clue));
    if (!areApart(parts) || step.signs.slice(0, -1).some((sign) => sign > 0)) {
      return phrase("proof.count-sum", { count, ...this.#terms(step, taken.length) });
    }
    const room = cells.length - parts.reduce((sum, part) => sum + part.cells.length, 0);
    const [first, isMine] = step.settled[0];
    const mine = isMine === parts.every((part) => !part.cells.includes(first));
    return phrase("proof.count-apart", { count, held: taken.map((clue) => this.#held(clue, step)), others: mine ? room : 0 });
  }

  /** The number of mines around a clue, or its bound on the side that the step needs. @param {number} clue @param {Step} step */
  #held(clue, step) {
    const { low, high } = this.left(clue);
    const most = step.settled.find(([cell]) => !this.statement(clue).cells.includes(cell))?.[1] ?? false;
    return phrase("proof.held", { bound: low === high ? "" : most ? "most" : "least", number: most ? high : low, clue: this.name(clue) });
  }

  /** The opposite leads to a contradiction. @param {Step} step */
  #byCases(step) {
    const [{ cells: [cell], mine }, ...rest] = step.lines;
    return phrase("proof.cases", { cell: this.at(cell), mine, argument: argument(this.supposing(cell, mine), rest) });
  }
}

/**
 * The lines of one case, up to its contradiction or split.
 * @param {Namer} namer knows the deduced and assumed cells
 * @param {Line[]} lines
 * @returns {Phrase}
 */
function argument(namer, lines) {
  /** @type {Phrase[]} */
  const forced = [];
  while (lines[forced.length].what === "force") {
    const { cells, clues, mine } = lines[forced.length];
    const settled = cells.map((cell) => /** @type {[number, boolean]} */ ([cell, mine]));
    forced.push(phrase("case.force", { verdict: namer.verdict(settled), clue: namer.name(clues[0]) }));
    namer.learn(settled);
  }
  const line = lines[forced.length];
  const isClash = line.what === "clash";
  const end = isClash ? clash(namer, line) : split(namer, lines.slice(forced.length));
  return forced.reduceRight((then, first, place) => phrase("case.then", { first, last: isClash && place === forced.length - 1, then }), end);
}

/** A cell that may be a mine or safe: both lead to a contradiction. @param {Namer} namer @param {Line[]} lines */
function split(namer, lines) {
  const { depth, cells: [cell] } = lines[0];
  const second = lines.findIndex((line, at) => at > 0 && line.what === "assume" && line.depth === depth);
  const [mine, safe] = [lines.slice(0, second), lines.slice(second)].map(([{ mine: value }, ...rest]) => argument(namer.supposing(cell, value), rest));
  return phrase("case.split", { cell: namer.at(cell), mine, safe });
}

/** How clues are contradicted. @param {Namer} namer @param {Line} line */
function clash(namer, { clues, signs }) {
  if (clues.length === 1) return singleClash(namer, clues[0]);
  const names = clues.map((clue) => namer.name(clue));
  const others = new Set(signs.slice(0, -1));
  if (clues.at(-1) !== COUNT || others.size > 1 || signs[0] === signs.at(-1)) {
    return phrase("case.sum", { clues: names, equation: namer.equation(clues, signs) });
  }
  const about = { clues: names.slice(0, -1), left: namer.left(COUNT).low };
  const parts = clues.slice(0, -1).map((clue) => namer.left(clue));
  const needed = parts.reduce((sum, part) => sum + part.low, 0);
  if (areApart(parts) && needed > about.left) return phrase("case.count-needs", { ...about, needed });
  return phrase("case.count-sum", { ...about, equation: namer.equation(clues, signs) });
}

/** How one clue is contradicted. @param {Namer} namer @param {number} clue */
function singleClash(namer, clue) {
  const { cells, counts } = namer.statement(clue);
  const seen = clue === COUNT ? 0 : namer.hit(clue).length;
  const mines = cells.filter((cell) => namer.known.get(cell) ?? false).length;
  const room = cells.filter((cell) => namer.known.get(cell) ?? true).length;
  const name = namer.name(clue);
  if (counts.every((count) => count < mines)) return clue === COUNT ? phrase("case.count-over") : phrase("case.over", { clue: name, mines: mines + seen });
  if (counts.some((count) => count <= room)) return phrase("case.wrong", { clue: name });
  return clue === COUNT ? phrase("case.count-under") : phrase("case.under", { clue: name, mines: room + seen });
}
