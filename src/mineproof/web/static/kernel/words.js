// @ts-check
/** Proofs in words, step by step: the twin of `reasoning/proofs/words.py` and `case_words.py`. */
import { COUNT, Namer, areApart, capital, joined } from "./names.js";

/**
 * @typedef {object} Line of an argument by cases
 * @property {number} what 0 assume, 1 force, 2 clash
 * @property {number} depth
 * @property {number[]} clues
 * @property {number[]} signs
 * @property {number[]} cells
 * @property {boolean} mine
 */

/**
 * @typedef {object} Step
 * @property {number} kind
 * @property {number[]} clues
 * @property {number[]} signs
 * @property {[number, boolean][]} settled
 * @property {Line[]} lines
 */

const [ASSUME, FORCE, CLASH] = [0, 1, 2];
const plural = (/** @type {number} */ number) => (number === 1 ? "" : "s");

/** Tells the steps of one proof, in order: what one settles the next may use. */
export class Teller extends Namer {
  /** @param {Step} step */
  tell(step) {
    const tellers = [this.#byClue, this.#byPattern, this.#byTwo, this.#byTwo, this.#bySum, this.#byCount, this.#byCases];
    const words = tellers[step.kind].call(this, step);
    for (const [cell, mine] of step.settled) this.known.set(cell, mine);
    return words;
  }

  /** `so (1,2) is safe and (1,3) is a mine`. @param {Step} step */
  #verdict(step) {
    const parts = [];
    for (const [mine, one, many] of /** @type {[boolean, string, string][]} */ ([[true, "a mine", "mines"], [false, "safe", "safe"]])) {
      const found = step.settled.filter(([, isMine]) => isMine === mine).map(([cell]) => cell);
      if (found.length) parts.push(`${this.cells(found)} ${found.length === 1 ? `is ${one}` : `are ${many}`}`);
    }
    return `so ${parts.join(" and ")}`;
  }

  /** One clue has all its mines, or needs all its cells. @param {Step} step */
  #byClue(step) {
    const clue = step.clues[0];
    const { cells, low, mines } = this.left(clue);
    const name = capital(this.name(clue));
    if (!step.settled[0][1]) {
      if (!mines.length) return `${name} has no mine around it, ${this.#verdict(step)}.`;
      const has = mines.length === 1 ? "its mine" : `its ${mines.length} mines`;
      return `${name} has ${has} already, ${this.cells(mines)}, ${this.#verdict(step)}.`;
    }
    const more = mines.length ? ` ${low} more than ${this.cells(mines)}` : ` ${low}`;
    const left = `only ${cells.length} cell${cells.length > 1 ? "s" : ""} left`;
    const rest = cells.length === step.settled.length ? "" : `, ${this.cells(cells)}`;
    return `${name} needs${more} and has ${left}${rest}, ${this.#verdict(step)}.`;
  }

  /** Clues in a row along a wall. @param {Step} step */
  #byPattern(step) {
    const numbers = step.clues.map((clue) => this.left(clue).low);
    const less = step.clues.every((clue, place) => this.view.states[clue] === numbers[place]) ? "" : ", less the mines they have,";
    return `The clues at ${this.cells(step.clues)}${less} are a ${numbers.join("-")} along a wall, ${this.#verdict(step)}.`;
  }

  /** One clue has more mines than another leaves it in the cells they share. @param {Step} step */
  #byTwo(step) {
    const [one, two] = step.clues;
    const { cells, low, mines: found } = this.left(one);
    const { cells: others, high, mines: has } = this.left(two);
    const shared = cells.filter((cell) => others.includes(cell));
    const own = cells.filter((cell) => !shared.includes(cell));
    const more = found.length ? " more" : "";
    const both = this.cells(shared);
    const pattern = this.#pattern(one, two, low, high);
    if (!own.length) {
      const its = low > 1 ? `all ${low}${more} mines` : `the mine${more && " still missing"}`;
      const why = `${its} of ${this.name(one)} ${low > 1 ? "are" : "is"} in ${both}`;
      return `${pattern}${capital(why)}, and that is all that ${this.name(two)} can have, ${this.#verdict(step)}.`;
    }
    const most = high ? `at most ${high} of them` : "none of them";
    const needs = `${capital(this.name(one))} needs ${low}${more} mine${plural(low)}, ${most} in ${both}`;
    const rest = step.settled.every(([, mine]) => mine) ? "" : this.#spokenFor(one, two, own);
    const already = has.length ? ` (it has ${this.cells(has)})` : "";
    return `${pattern}${needs} by ${this.name(two)}${already}${rest}, ${this.#verdict(step)}.`;
  }

  /** Why two clues that overlap leave the second none beside what they share. @param {number} one @param {number} two @param {number[]} own */
  #spokenFor(one, two, own) {
    const verb = own.length === 1 ? "is a mine" : "are mines";
    return `: ${this.cells(own)} ${verb}, and the rest of ${this.at(one)} is all ${this.at(two)} has`;
  }

  /** A pair of clues side by side, as players call it. @param {number} one @param {number} two @param {number} low @param {number} high */
  #pattern(one, two, low, high) {
    const { grid } = this.view;
    const cells = this.left(one).cells;
    const others = this.left(two).cells;
    const [a, b] = grid.cell(one);
    const [c, d] = grid.cell(two);
    const apart = cells.filter((cell) => !others.includes(cell)).length;
    if (Math.abs(a - c) + Math.abs(b - d) !== 1 || low - high !== apart) return "";
    if (low === 2 && high === 1) return "A 1-2. ";
    if (low !== 1 || high !== 1) return "";
    const across = cells.map((cell) => (a !== c ? grid.cell(cell)[1] - b : grid.cell(cell)[0] - a));
    return Math.min(...across) < 0 && Math.max(...across) > 0 ? "A 1-1 at a hole. " : "A 1-1. ";
  }

  /** Equations added and taken away. @param {Step} step */
  #bySum(step) {
    const added = step.clues.filter((_, place) => step.signs[place] > 0);
    const taken = step.clues.filter((_, place) => step.signs[place] < 0);
    let words = added.length === 1 ? `From ${this.name(added[0])}` : `Add ${joined(added.map((clue) => this.name(clue)))}`;
    if (taken.length) words += `${added.length > 1 ? ", take away " : " take "}${joined(taken.map((clue) => this.name(clue)))}`;
    return `${words}: ${this.equation(step.clues, step.signs)}, ${this.#verdict(step)}.`;
  }

  /** The mine count, less what clues hold. @param {Step} step */
  #byCount(step) {
    const { cells, low: left, mines } = this.left(COUNT);
    const found = mines.length ? ` besides the ${mines.length} found so far` : "";
    const count = capital(`${left} mine${plural(left)} ${left === 1 ? "is" : "are"} left${found}`);
    if (step.clues.length === 1) {
      if (!left) return `No mines are left${found}, ${this.#verdict(step)}.`;
      const just = left === 1 ? "just 1 cell for it" : `just ${cells.length} cells for them`;
      return `${count}, and ${just}, ${this.#verdict(step)}.`;
    }
    const taken = step.clues.slice(0, -1);
    const parts = taken.map((clue) => this.left(clue));
    if (areApart(parts) && taken.every((_, place) => step.signs[place] < 0)) {
      const held = joined(taken.map((clue) => `${this.#held(clue, step)} around ${this.name(clue)}`));
      const room = cells.length - parts.reduce((sum, part) => sum + part.cells.length, 0);
      const [first, isMine] = step.settled[0];
      const mine = isMine === parts.every((part) => !part.cells.includes(first));
      const end = mine ? `the other ${room} cells have them all` : "none is left for the others";
      return `${count}: ${held}; ${end}, ${this.#verdict(step)}.`;
    }
    const names = joined(taken.map((clue, place) => `${step.signs[place] < 0 ? "less" : "plus"} ${this.name(clue)}`));
    return `${count}; ${names}: ${this.equation(step.clues, step.signs)}, ${this.#verdict(step)}.`;
  }

  /** @param {number} clue @param {Step} step */
  #held(clue, step) {
    const { low, high } = this.left(clue);
    if (low === high) return String(low);
    const other = step.settled.find(([cell]) => !this.statement(clue).cells.includes(cell));
    return other?.[1] ? `at most ${high}` : `at least ${low}`;
  }

  /** The opposite leads to clues that cannot hold. @param {Step} step */
  #byCases(step) {
    const [line, ...rest] = step.lines;
    const known = new Map(this.known).set(line.cells[0], line.mine);
    const told = tellCase(this.knowing(known), rest);
    return `If ${this.at(line.cells[0])} were ${line.mine ? "a mine" : "safe"}: ${told}; ${this.#verdict(step)}.`;
  }
}

/**
 * The lines of one case, up to where it clashes or splits.
 * @param {Namer} namer knows what is settled or assumed
 * @param {Line[]} lines
 * @returns {string}
 */
function tellCase(namer, lines) {
  const parts = [];
  for (const [place, { what, depth, clues, signs, cells, mine }] of lines.entries()) {
    if (what === FORCE) {
      const verb = cells.length === 1 ? `is ${mine ? "a mine" : "safe"}` : `are ${mine ? "mines" : "safe"}`;
      parts.push(`${namer.cells(cells)} ${verb} by ${namer.name(clues[0])}`);
      for (const cell of cells) namer.known.set(cell, mine);
    } else if (what === CLASH) {
      const end = clues.length === 1 ? clash(namer, clues[0]) : sumClash(namer, clues, signs);
      parts.push(parts.length ? `and ${end}` : end);
    } else {
      const second = lines.findIndex((line, at) => at > place && line.what === ASSUME && line.depth === depth);
      parts.push([lines.slice(place, second), lines.slice(second)].map((some) => oneCase(namer, some)).join("; "));
      break;
    }
  }
  return parts.join(", ");
}

/** @param {Namer} namer @param {Line[]} lines */
function oneCase(namer, [{ cells: [cell], mine }, ...lines]) {
  const told = tellCase(namer.knowing(new Map(namer.known).set(cell, mine)), lines);
  return `[if ${namer.at(cell)} is ${mine ? "a mine" : "safe"}: ${told}]`;
}

/** Why some clues cannot hold together. @param {Namer} namer @param {number[]} clues @param {number[]} signs */
function sumClash(namer, clues, signs) {
  const names = clues.map((clue) => namer.name(clue));
  const others = new Set(signs.slice(0, -1));
  if (clues.at(-1) !== COUNT || others.size > 1 || signs[0] === signs.at(-1)) {
    return `${joined(names)} would clash: ${namer.equation(clues, signs)}`;
  }
  const named = joined(names.slice(0, -1));
  const left = namer.left(COUNT).low;
  const parts = clues.slice(0, -1).map((clue) => namer.left(clue));
  const needed = parts.reduce((sum, part) => sum + part.low, 0);
  const mines = `${left} mine${plural(left)}`;
  if (areApart(parts) && needed > left) return `${named} would need ${needed} more mines where ${mines} would be left`;
  return `${named} would clash with the ${mines} left: ${namer.equation(clues, signs)}`;
}

/** How one clue cannot hold. @param {Namer} namer @param {number} clue */
function clash(namer, clue) {
  const { cells, mines: needed } = namer.statement(clue);
  const seen = clue === COUNT ? 0 : namer.hit(clue).length;
  const mines = cells.filter((cell) => namer.known.get(cell) ?? false).length;
  const room = cells.filter((cell) => namer.known.get(cell) ?? true).length;
  if (mines > needed) return `${namer.name(clue)} ${clue === COUNT ? "would be too low" : `would see ${mines + seen}`}`;
  if (needed <= room) return `${namer.name(clue)} could not hold`;
  return `${namer.name(clue)} ${clue === COUNT ? "would be too high" : `would see ${room + seen} at most`}`;
}
