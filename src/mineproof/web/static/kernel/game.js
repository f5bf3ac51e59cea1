// @ts-check
/** A game and all that was done in it: the twin of `games/sitting.py`. The kernel's referee has the mines. */
import { figures, gridOf, groundRow } from "./grounds.js";
import { mineCount } from "./fields.js";
import { Reader } from "./kernel.js";
import { illegal, invalid, nameCell } from "./refusals.js";
import { EXPLODED, FLAGGED, HIDDEN, SYMBOLS, TOLD_SAFE, View, boardText, isClue, isUntouched } from "./texts.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./grounds.js").Ground} Ground */
/** @typedef {[number, number]} Change a cell by index, and what it shows */
/** @typedef {Record<string, any>} Fields */

/**
 * @typedef {object} Deed what one did at once: a move, or a chord, which is some moves
 * @property {[number, number]} cell
 * @property {string} action
 * @property {string} [by] the agent that did it
 * @property {number | null} [risk]
 * @property {boolean} [certain]
 * @property {string} [reason]
 * @property {string} [rule]
 * @property {boolean} [estimated]
 */

/**
 * @typedef {object} Row a game as it is kept
 * @property {string} id
 * @property {string} share
 * @property {string} kind own, practice, agents, teacher
 * @property {string} agent
 * @property {Ground} ground
 * @property {string | null} level
 * @property {number} begun seconds since 1970
 * @property {{deed: Deed, at: number}[]} done
 * @property {{won: boolean, score: number | null, seconds: number, bbbv: number} | null} ending
 */

export const ACTS = ["open", "flag", "unflag", "chord", "ask", "stop"];
const ACTIONS = ["open", "flag", "unflag", "stop"];
const CLICKS = ["open", "flag", "unflag", "chord"];
const BROKEN_OPENING = 1;

export class Game {
  /** @param {Kernel} kernel @param {Row} row */
  constructor(kernel, row) {
    this.kernel = kernel;
    this.row = row;
    this.grid = gridOf(row.ground.deal);
    this.states = new Uint8Array(this.grid.size).fill(HIDDEN);
    /** What each deed changed. @type {Change[][]} */
    this.events = [];
    /** Moves: of a chord, each opening. @type {Deed[]} */
    this.moves = [];
    this.begun = false;
    this.life = kernel.life;
    this.over = this.won = this.dealt = false;
    this.mines = this.right = this.wrong = this.exploded = this.number = 0;
    this.#note(kernel.ask("begin", groundRow(row.ground)), row.ground.start);
    this.first = this.states.slice();
    for (const { deed } of row.done) this.#do(deed);
  }

  /** Forgets the referee. */
  leave() {
    if (this.life === this.kernel.life) this.kernel.ask("leave", [this.number]);
  }

  get rules() {
    return this.row.ground.rules;
  }

  /** What is seen, or what was after so many deeds. @param {number} [at] */
  view(at) {
    const states = at === undefined ? this.states.slice() : this.first.slice();
    for (const [index, state] of this.events.slice(0, at ?? 0).flat()) states[index] = state;
    const count = this.dealt ? this.mines : mineCount(this.row.ground.deal);
    return new View(this.grid, states, this.rules.count_known ? count : null);
  }

  get score() {
    if (this.rules.on_mine === "end" || !this.over) return null;
    return this.mines ? (this.right - this.wrong) / this.mines : 1;
  }

  get seconds() {
    const { done, ending } = this.row;
    if (ending) return ending.seconds;
    if (!done.length) return 0;
    const until = this.over ? done[done.length - 1].at : Date.now() / 1000;
    return Math.max(until - done[0].at, 0);
  }

  /** The mines, a number a cell; for whoever may know. */
  get truth() {
    return Array.from(this.kernel.ask("truth", [this.number]));
  }

  /** Do something, and keep it. @param {Deed} deed */
  play(deed) {
    this.#do(deed);
    this.row.done.push({ deed, at: Date.now() / 1000 });
    if (this.over && !this.row.ending) {
      const [, , bbbv] = figures(this.kernel, this.grid, this.truth);
      this.row.ending = { won: this.won, score: this.score, seconds: this.seconds, bbbv };
    }
  }

  /** @param {Deed} deed */
  #do(deed) {
    const index = this.grid.index(deed.cell);
    if (this.over) throw illegal("the game is over");
    /** @type {Change[]} */
    let changes = [];
    if (deed.action === "chord") {
      for (const near of this.#around(index)) {
        if (this.over || !isUntouched(this.states[near])) continue;
        changes.push(...this.#act("open", near));
        this.moves.push({ ...deed, action: "open", cell: this.grid.cell(near) });
      }
    } else {
      if (deed.action === "ask") throw illegal("cells without a clue cannot be asked again with exact clues");
      this.#check(deed.action, index);
      changes = this.#act(deed.action, index);
      this.moves.push(deed);
    }
    this.events.push(changes);
  }

  /** Refuses what the game does not take. @param {string} action @param {number} index */
  #check(action, index) {
    const name = this.grid.name(index);
    const state = this.states[index];
    if (action === "stop") return;
    if (action === "unflag") {
      if (state !== FLAGGED) throw illegal(`cannot unflag ${name}: it is not flagged`);
      return;
    }
    if (!isUntouched(state)) throw illegal(`cannot play ${name}: it is ${state === FLAGGED ? "flagged" : state === EXPLODED ? "an exploded mine" : "open"}`);
    if (action === "flag") {
      if (!this.dealt) throw illegal(`open a cell first: it is promised to be ${this.rules.opening}, and nothing is dealt before`);
      if (state === TOLD_SAFE) throw illegal(`cannot flag ${name}: the opening rule told that it is safe`);
      return;
    }
    const { start } = this.row.ground;
    if (!this.begun && start && this.grid.index(start) !== index) throw illegal(`the first move was announced at ${nameCell(start)}, not at ${name}`);
  }

  /** What is left around a clue whose mines are all marked. @param {number} index */
  #around(index) {
    const name = this.grid.name(index);
    const clue = this.states[index];
    if (!isClue(clue)) throw illegal(`cannot chord ${name}: it shows no clue`);
    const around = this.grid.around(index);
    const marked = around.filter((near) => this.states[near] === FLAGGED || this.states[near] === EXPLODED).length;
    if (marked !== clue) throw illegal(`cannot chord ${name}: it shows ${clue}, and ${marked} around are marked`);
    const left = around.filter((near) => isUntouched(this.states[near]));
    if (!left.length) throw illegal(`cannot chord ${name}: nothing is left around it`);
    return left;
  }

  /** @param {string} action @param {number} index @returns {Change[]} */
  #act(action, index) {
    this.begun ||= action === "open";
    return this.#note(this.kernel.ask("play", [this.number, ACTIONS.indexOf(action), index]), this.grid.cell(index));
  }

  /** Takes in how it stands and what changed. @param {Float64Array} answer @param {[number, number] | null} first @returns {Change[]} */
  #note(answer, first) {
    const reader = new Reader(answer);
    this.number = reader.number();
    const fault = reader.number();
    [this.over, this.won, this.dealt] = [reader.truth(), reader.truth(), reader.truth()];
    [this.mines, this.right, this.wrong, this.exploded] = reader.some(4);
    if (fault === BROKEN_OPENING) {
      throw invalid(`the opening rule '${this.rules.opening}' does not hold on this board when ${nameCell(first ?? [0, 0])} is opened first: give another start, or another rule`);
    }
    /** @type {Change[]} */
    const changes = [];
    while (!reader.ended) changes.push([reader.number(), reader.number()]);
    for (const [index, state] of changes) this.states[index] = state;
    return changes;
  }

  /** Changes as they are sent. @param {Iterable<Change>} changes */
  sent(changes) {
    return Array.from(changes, ([index, state]) => [...this.grid.cell(index), SYMBOLS[state]]);
  }
}

/**
 * How a game stands: all that is seen, or only what changed since a number of moves.
 * @param {Game} game
 * @param {{since?: number, at?: number, moves?: boolean}} [options]
 */
export function stateJson(game, { since, at, moves = false } = {}) {
  const { row } = game;
  const view = game.view(at);
  const shown = view.indices((state) => state !== HIDDEN).map((index) => /** @type {Change} */ ([index, view.states[index]]));
  const marked = view.states.filter((state) => state === FLAGGED || state === EXPLODED).length;
  return {
    game: row.id,
    n: row.done.length,
    rows: game.grid.rows,
    cols: game.grid.cols,
    mines: view.mines,
    level: row.level,
    rules: game.rules,
    clues: "exact",
    start: row.ground.start,
    kind: row.kind,
    agent: row.agent || null,
    events: game.sent(since === undefined ? shown : game.events.slice(since).flat()),
    over: game.over,
    won: game.over ? game.won : null,
    score: game.score,
    hit: game.exploded,
    mines_left: view.mines === null ? null : view.mines - marked,
    seconds: Math.round(1000 * game.seconds) / 1000,
    link: `?again=${row.share}`,
    ...(at === undefined ? {} : { at: Math.min(at, row.done.length) }),
    ...(moves ? { moves: row.done.map((_, number) => moveJson(game, number)) } : {}),
    ...(game.over || row.kind === "teacher" ? truthJson(game) : {}),
  };
}

/** The board, once it may be told. @param {Game} game */
function truthJson(game) {
  const { truth, grid, row } = game;
  if (!truth.length) return {};
  const [, , bbbv] = figures(game.kernel, grid, truth);
  const own = BigInt(row.ground.seed);
  return { board: boardText(grid, truth), bbbv, ...(row.ground.board === null ? { seed: own <= 1n << 53n ? Number(own) : String(own) } : {}) };
}

/** A move with its reason and what it changed. @param {Game} game @param {number} number */
export function moveJson(game, number) {
  const { deed, at } = game.row.done[number];
  return {
    n: number,
    cell: deed.cell,
    action: deed.action,
    by: deed.by || null,
    risk: deed.risk ?? null,
    certain: deed.certain ?? false,
    reason: deed.reason ?? "",
    rule: deed.rule ?? "",
    events: game.sent(game.events[number]),
    seconds: Math.round(1000 * (at - game.row.done[0].at)) / 1000,
  };
}

/** A finished game as a record. @param {Game} game */
export function recordJson(game) {
  if (!game.over) throw illegal("a record is of a finished game: play on, or stop");
  const moves = game.moves.map((deed) => ({ cell: deed.cell, action: deed.action, risk: deed.risk ?? null, certain: deed.certain ?? false, reason: deed.reason ?? "", rule: deed.rule ?? "", estimated: deed.estimated ?? false }));
  /** @type {Record<string, number>} */
  const deductions = {};
  for (const rule of moves.map((move) => move.rule).sort()) if (rule) deductions[rule] = (deductions[rule] ?? 0) + 1;
  const own = BigInt(game.row.ground.seed);
  const clicks = game.row.done.filter(({ deed }) => !deed.by && CLICKS.includes(deed.action)).length;
  return {
    format: "mineproof-record-1",
    agent: game.row.agent || "you",
    board: boardText(game.grid, game.truth),
    rules: game.rules,
    clues: "exact",
    seed: own <= 1n << 53n ? Number(own) : String(own),
    start: game.row.ground.start,
    won: game.won,
    score: game.score,
    right: game.right,
    wrong: game.wrong,
    exploded: game.exploded,
    guesses: moves.filter((move) => move.action === "open" && !move.certain).length,
    estimates: moves.filter((move) => move.estimated).length,
    deductions,
    seconds: game.seconds,
    ...(clicks ? { clicks } : {}),
    moves,
  };
}
