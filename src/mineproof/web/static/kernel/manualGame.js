// @ts-check
/** A game with its turns: the twin of `games/manual.py`. The mines stay in the kernel's referee. */
import tables from "./tables.json" with { type: "json" };
import { figures, gridOf, groundRow, mineCount } from "./gameSetup.js";
import { readClues } from "./clueModels.js";
import { Reader } from "./kernel.js";
import { illegal, invalid, quoted } from "./errors.js";
import { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, SYMBOLS, KNOWN_SAFE, UNBOUNDED, View, boardText, isClue, isUntouched } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./gameSetup.js").Ground} Ground */
/** @typedef {import("../messages.js").MakeMoveRequest["action"]} Act */
/** @typedef {import("./notation.js").Change} Change */

/**
 * @typedef {object} AskedMove what a turn asks for: a move, or a chord, which may be several moves
 * @property {[number, number]} cell
 * @property {Act} action
 * @property {string} [by] the agent that asked
 * @property {number | null} [risk]
 * @property {boolean} [certain]
 * @property {string} [reason]
 * @property {import("../messages.js").Reason} [why]
 * @property {string} [rule]
 * @property {boolean} [estimated]
 */

/**
 * @typedef {object} Turn a turn that was played: its moves, and what each of them changed
 * @property {AskedMove[]} moves
 * @property {Change[][]} changes
 */

/**
 * @typedef {object} Row a game as it is kept
 * @property {string} id
 * @property {string} share
 * @property {import("../messages.js").GameState["kind"]} kind
 * @property {string} agent
 * @property {Ground} ground
 * @property {import("../messages.js").GameState["level"]} level
 * @property {number} begun seconds since 1970
 * @property {{deed: AskedMove, at: number}[]} done
 * @property {{won: boolean, score: number | null, seconds: number, bbbv: number} | null} ending
 */

const CLICKS = ["open", "flag", "unflag", "chord"];

export class ManualGame {
  /** @param {Kernel} kernel @param {Row} row */
  constructor(kernel, row) {
    this.kernel = kernel;
    this.row = row;
    this.grid = gridOf(row.ground.deal);
    this.clues = readClues(row.ground.clues);
    this.seen = new View(this.grid, new Uint8Array(this.grid.size).fill(HIDDEN), null);
    /** @type {Turn[]} */
    this.turns = [];
    this.begun = false;
    this.life = kernel.life;
    this.over = this.won = this.dealt = false;
    this.mines = this.right = this.wrong = this.exploded = this.number = 0;
    this.#note(kernel.ask("begin", groundRow(row.ground)), row.ground.start);
    this.first = this.view();
    for (const { deed: move } of row.done) this.#do(move);
  }

  /** Forgets the referee. */
  leave() {
    if (this.life === this.kernel.life) this.kernel.ask("leave", [this.number]);
  }

  get rules() {
    return this.row.ground.rules;
  }

  get states() {
    return this.seen.states;
  }

  /** Whether cells without a clue can be asked again. */
  get unanswered() {
    return this.clues.redraw && this.states.includes(NO_CLUE);
  }

  /** What some turns changed. @param {number} from @param {number} [to] */
  changes(from, to) {
    return this.turns.slice(from, to).flatMap((turn) => turn.changes.flat());
  }

  /** Every move with the number of its turn, the view before it and what it changed. @returns {Generator<{number: number, move: AskedMove, view: View, changes: Change[]}>} */
  *positions() {
    let view = this.view(0);
    for (const [number, { moves, changes }] of this.turns.entries()) {
      for (const [at, move] of moves.entries()) {
        yield { number, move, view, changes: changes[at] };
        view = view.with(...changes[at]);
      }
    }
  }

  /** The view now, or after a number of turns. @param {number} [at] @returns {View} */
  view(at) {
    const { states, bounds } = at === undefined ? this.seen : this.first.with(...this.changes(0, at));
    const count = this.dealt ? this.mines : mineCount(this.row.ground.deal);
    return new View(this.grid, states, this.rules.count_known ? count : null, bounds);
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

  /** The mines, one number per cell; never shown to a player before the end. */
  get truth() {
    return Array.from(this.kernel.ask("truth", [this.number]));
  }

  /** The boards that replaced the one before, in a game without luck; never shown to a player before the end. */
  get drawn() {
    const reader = new Reader(this.kernel.ask("drawn", [this.number]));
    const found = [];
    while (!reader.ended) {
      const [move, kind] = [reader.number(), reader.truth()];
      found.push({ move, board: boardText(this.grid, reader.some(this.grid.size)), kind });
    }
    return found;
  }

  /** Plays a turn and stores it. @param {AskedMove} move */
  play(move) {
    this.#do(move);
    this.row.done.push({ deed: move, at: Date.now() / 1000 });
    if (this.over && !this.row.ending) {
      const { bbbv } = figures(this.kernel, this.grid, this.truth);
      this.row.ending = { won: this.won, score: this.score, seconds: this.seconds, bbbv };
    }
  }

  /** @param {AskedMove} move */
  #do(move) {
    const index = this.grid.index(move.cell);
    if (this.over) throw illegal("refusal.over");
    /** @type {Turn} */
    const turn = { moves: [], changes: [] };
    if (move.action === "chord") {
      for (const near of this.#around(index)) {
        if (this.over || !isUntouched(this.states[near])) continue;
        turn.changes.push(this.#act("open", near));
        turn.moves.push({ ...move, action: "open", cell: this.grid.cell(near) });
      }
    } else {
      this.#check(move.action, index);
      turn.changes.push(this.#act(move.action, index));
      turn.moves.push(move);
    }
    this.turns.push(turn);
  }

  /** Refuses illegal moves. @param {string} action @param {number} index */
  #check(action, index) {
    const cell = this.grid.cell(index);
    const state = this.states[index];
    if (action === "stop") return;
    if (action === "ask") {
      if (!this.clues.redraw) throw illegal("refusal.ask", { clues: this.clues.text });
      return;
    }
    if (action === "unflag") {
      if (state !== FLAGGED) throw illegal("refusal.unflag", { cell });
      return;
    }
    if (!isUntouched(state)) throw illegal("refusal.play", { cell, state: state === FLAGGED ? "flagged" : state === EXPLODED ? "exploded" : "open" });
    if (action === "flag") {
      if (!this.dealt) throw illegal("refusal.flag-before", { opening: quoted(this.rules.opening) });
      if (state === KNOWN_SAFE) throw illegal("refusal.flag-safe", { cell });
      return;
    }
    const { start } = this.row.ground;
    if (!this.begun && start && this.grid.index(start) !== index) throw illegal("refusal.start", { start, cell });
  }

  /** What is left around a clue whose mines are all marked. @param {number} index */
  #around(index) {
    const cell = this.grid.cell(index);
    const clue = this.states[index];
    if (!isClue(clue)) throw illegal("refusal.chord-no-clue", { cell });
    const around = this.grid.neighbours(index);
    const marked = around.filter((near) => this.states[near] === FLAGGED || this.states[near] === EXPLODED).length;
    if (marked !== clue) throw illegal("refusal.chord-marks", { cell, clue, marked });
    const left = around.filter((near) => isUntouched(this.states[near]));
    if (!left.length) throw illegal("refusal.chord-nothing", { cell });
    return left;
  }

  /** @param {string} action @param {number} index @returns {Change[]} */
  #act(action, index) {
    this.begun ||= action === "open";
    return this.#note(this.kernel.ask("play", [this.number, tables.actions.indexOf(action), index]), this.grid.cell(index));
  }

  /** Reads the new state and the changes. @param {Float64Array} answer @param {[number, number] | null} first @returns {Change[]} */
  #note(answer, first) {
    const reader = new Reader(answer);
    this.number = reader.number();
    const fault = reader.name(tables.faults);
    [this.over, this.won, this.dealt] = [reader.truth(), reader.truth(), reader.truth()];
    [this.mines, this.right, this.wrong, this.exploded] = reader.some(4);
    if (fault === "broken_opening") {
      throw invalid("refusal.opening", { opening: quoted(this.rules.opening), cell: first ?? [0, 0] });
    }
    /** @type {Change[]} */
    const changes = [];
    while (!reader.ended) changes.push([reader.number(), reader.number(), reader.number()]);
    this.seen = this.seen.with(...changes);
    return changes;
  }

  /** Changes as lists for a response. @param {Iterable<Change>} changes @returns {import("../messages.js").Change[]} */
  sent(changes) {
    return Array.from(changes, ([index, state, bound = UNBOUNDED]) => {
      const [row, col] = this.grid.cell(index);
      return bound === UNBOUNDED ? [row, col, SYMBOLS[state]] : [row, col, SYMBOLS[state], bound];
    });
  }
}

/**
 * The visible state of a game, or only what changed since a number of moves.
 * @param {ManualGame} game
 * @param {{since?: number, at?: number, moves?: boolean}} [options]
 * @returns {import("../messages.js").GameState}
 */
export function stateJson(game, { since, at, moves = false } = {}) {
  const { row } = game;
  const view = game.view(at);
  const shown = view.indices((state) => state !== HIDDEN).map((index) => /** @type {Change} */ ([index, view.states[index], view.bounds.get(index)]));
  const marked = view.states.filter((state) => state === FLAGGED || state === EXPLODED).length;
  return {
    game: row.id,
    n: row.done.length,
    rows: game.grid.rows,
    cols: game.grid.cols,
    mines: view.mines,
    level: row.level,
    rules: game.rules,
    clues: game.clues.text,
    start: row.ground.start,
    kind: row.kind,
    agent: row.agent || null,
    events: game.sent(since === undefined ? shown : game.changes(since)),
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

/** The board and its seed, for finished games and spectators. @param {ManualGame} game */
function truthJson(game) {
  const { truth, grid, row } = game;
  if (!truth.length) return {};
  const { bbbv } = figures(game.kernel, grid, truth);
  const own = BigInt(row.ground.seed);
  return { board: boardText(grid, truth), bbbv, ...(row.ground.board === null ? { seed: own <= 1n << 53n ? Number(own) : String(own) } : {}) };
}

/** What a turn asked for. @param {AskedMove} move */
const askedJson = ({ cell, action, risk = null, certain = false, reason = "", rule = "", estimated = false, why }) => ({ cell, action, risk, certain, reason, rule, estimated, ...(why && { why }) });

/** When a turn was made, in seconds since the first. @param {ManualGame} game @param {number} number */
const secondsOf = ({ row: { done } }, number) => Math.round(1000 * (done[number].at - done[0].at)) / 1000;

/** A turn with its reason and what it changed. @param {ManualGame} game @param {number} number @returns {import("../messages.js").GameMove} */
export function moveJson(game, number) {
  const { deed: move } = game.row.done[number];
  return { n: number, ...askedJson(move), by: move.by || null, events: game.sent(game.changes(number, number + 1)), seconds: secondsOf(game, number) };
}

/** A finished game as a record. @param {ManualGame} game @returns {import("../messages.js").WrittenRecord} */
export function recordJson(game) {
  if (!game.over) throw illegal("refusal.no-record");
  const { done } = game.row;
  const { drawn } = game;
  const moves = game.turns.flatMap((turn) => turn.moves);
  /** @type {Record<string, number>} */
  const deductions = {};
  for (const rule of moves.map((move) => move.rule ?? "").sort()) if (rule) deductions[rule] = (deductions[rule] ?? 0) + 1;
  const own = BigInt(game.row.ground.seed);
  const clicks = done.filter(({ deed: move }) => !move.by && CLICKS.includes(move.action)).length;
  return {
    format: "mineproof-record-2",
    agent: game.row.agent || "you",
    board: boardText(game.grid, game.truth),
    rules: /** @type {import("../messages.js").SomeRules} */ (game.rules),
    clues: game.clues.text,
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
    ...(drawn.length ? { drawn } : {}),
    moves: done.map(({ deed: move }, number) => ({ ...askedJson(move), ...(move.by && { by: move.by }), seconds: secondsOf(game, number) })),
  };
}
