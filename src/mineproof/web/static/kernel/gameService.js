// @ts-check
/** The games of this browser: the twin of `web/desk.py` and `web/long_running.py`. */
import tables from "./tables.json" with { type: "json" };
import { agent, because, decide } from "./agents.js";
import { ManualGame, moveJson, recordJson, stateJson } from "./manualGame.js";
import { asked, breathe, levelOf, mineCount } from "./gameSetup.js";
import { joined, halves } from "./kernel.js";
import { chanceJson, winChance } from "./analysis.js";
import { odds } from "./positions.js";
import { phrase, say } from "../phrases.js";
import { RequestRefused, illegal, invalid, quoted } from "./errors.js";
import { fieldsOf, readFields } from "./requests.js";
import { EXPLODED, isCovered, isUntouched } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./positions.js").Position} Position */
/** @typedef {import("./manualGame.js").Row} Row */
/** @typedef {import("./manualGame.js").AskedMove} AskedMove */
/** @typedef {import("../messages.js").Requests} Requests */
/** @typedef {import("../messages.js").Responses} Responses */
/** @typedef {import("../messages.js").WinRate} WinRate */
/** @typedef {import("../messages.js").LuckData} Luck */
/** @typedef {Requests["game.new"] & {salt?: string}} Asked what a link contains */
/** @typedef {{all: () => Promise<Row[]>, put: (row: Row) => void, drop: (ids: string[]) => void}} Store keeps games when the page is closed */

const MOST_AT_HAND = 20; // games that the kernel keeps in memory
const MOST_MOVES = 50_000;
const PLAYOUTS = 200; // for each win probability of a review

/** A new random name. @param {number} bytes */
function token(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...drawn)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The content of a link, encoded for a URL. @param {Asked} said */
const packed = (said) => btoa(JSON.stringify(said)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** @param {string} share @returns {Asked | null} null if the link is not valid */
function unpacked(share) {
  try {
    const { salt, ...asking } = JSON.parse(atob(share.replaceAll("-", "+").replaceAll("_", "/")));
    return { ...readFields("game.new", asking), ...(salt && { salt: String(salt) }) };
  } catch {
    return null;
  }
}

/** @param {string} name */
const noSuchGame = (name) => new RequestRefused("unknown", say("refusal.no-game", { name: quoted(name) }));

export class GameService {
  /** @param {Kernel} kernel @param {Store} store */
  constructor(kernel, store) {
    this.kernel = kernel;
    this.store = store;
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {Map<string, ManualGame>} */
    this.atHand = new Map();
    this.ready = store.all().then((rows) => {
      for (const row of rows) this.rows.set(row.id, row);
    });
  }

  /** The game with this ID, replayed if it is not in memory. @param {string} name */
  find(name) {
    const row = this.rows.get(name);
    if (!row) throw noSuchGame(name);
    let game = this.atHand.get(name);
    if (!game || game.life !== this.kernel.life) game = new ManualGame(this.kernel, row);
    this.atHand.delete(name);
    this.atHand.set(name, game);
    for (const [other, old] of this.atHand) {
      if (this.atHand.size <= MOST_AT_HAND) break;
      old.leave();
      this.atHand.delete(other);
    }
    return game;
  }

  /**
   * Starts a new game on the requested board.
   * @param {Requests["game.new"]} given
   * @param {Row["kind"]} [kind]
   * @param {string} [who]
   */
  async begin(given, kind, who = "") {
    /** @type {Asked} */
    let fields = given;
    let known = ["board", "view", "seed"].some((name) => name in given);
    let share = "";
    if (given.again !== undefined) {
      const others = Object.keys(given).filter((name) => name !== "again");
      if (others.length) throw invalid("refusal.again", { name: quoted(others[0]) });
      const name = given.again;
      const before = this.rows.get(name) ?? [...this.rows.values()].find((row) => row.share === name);
      share = before?.share ?? name;
      const said = unpacked(share);
      if (!said) throw new RequestRefused("unknown", say("refusal.no-link", { name: quoted(name) }));
      if (before && !before.ending && before.kind === "own") this.#keep({ ...before, kind: "practice" });
      known = Boolean(before) || ["board", "view", "seed"].some((each) => each in said);
      fields = said;
    }
    const { salt: old, ...asking } = fields;
    // The link contains a salt instead of the seed, which is derived from it.
    const salt = "seed" in asking ? undefined : old ?? token(8);
    const own = salt === undefined ? {} : { seed: String(this.#seedOf(salt)) };
    const { ground, moves } = await asked(this.kernel, { ...asking, ...own });
    share ||= packed(salt === undefined ? asking : { ...asking, salt });
    /** @type {Row} */
    const row = { id: token(12), share, kind: kind ?? (known ? "practice" : "own"), agent: who, ground, level: levelOf(ground), begun: Date.now() / 1000, done: [], ending: null };
    const game = new ManualGame(this.kernel, row);
    for (const move of moves) if (isUntouched(game.states[game.grid.index(move.cell)])) game.play(move);
    this.#keep(row);
    this.atHand.set(row.id, game);
    return this.find(row.id);
  }

  /** The seed that is derived from a salt. @param {string} salt */
  #seedOf(salt) {
    let number = 0n;
    for (const byte of new TextEncoder().encode(salt)) {
      number = (number * 257n + BigInt(byte)) & 0xffffffffffffffffn;
      const [high, low] = this.kernel.ask("player_seed", halves(number));
      number = (number << 11n) & 0xffffffffffffffffn ^ joined(high, low);
    }
    return number;
  }

  /** @param {Row} row */
  #keep(row) {
    const game = this.atHand.get(row.id);
    if (game) game.row = row;
    this.rows.set(row.id, row);
    this.store.put(row);
  }

  /** Makes a move and stores it before the response is sent. @param {ManualGame} game @param {AskedMove} move */
  #play(game, move) {
    const before = game.row.done.length;
    if (before >= MOST_MOVES && move.action !== "stop") throw illegal("refusal.most-moves", { most: MOST_MOVES });
    if (["agents", "teacher"].includes(game.row.kind) && !move.by) throw illegal("refusal.agents-only");
    game.play(move);
    this.#keep(game.row);
    return stateJson(game, { since: before });
  }

  /** `game.new`. @param {Requests["game.new"]} given */
  async new(given) {
    return stateJson(await this.begin(given));
  }

  /** `game.state`. @param {Requests["game.state"]} given */
  state(given) {
    return stateJson(this.find(given.game), { at: given.at, moves: given.moves });
  }

  /** `game.move`. @param {Requests["game.move"]} given */
  move(given) {
    const { action, cell = /** @type {[number, number]} */ ([0, 0]) } = given;
    const game = this.find(given.game);
    if (!given.cell && action !== "ask" && action !== "stop") throw invalid("refusal.needs-cell", { action });
    game.grid.index(cell);
    const made = game.row.done.length;
    const number = given.n ?? made;
    if (number > made) throw illegal("refusal.number-of-move", { moves: made, number });
    if (number === made) return this.#play(game, { cell, action });
    const { deed: move } = game.row.done[number];
    if (move.action !== action || String(move.cell) !== String(cell)) throw illegal("refusal.other-move", { number });
    return stateJson(game, { since: number });
  }

  /** `game.record`. @param {Requests["game.record"]} given */
  record(given) {
    return { game: given.game, record: recordJson(this.find(given.game)) };
  }

  /** `game.list`. @param {Requests["game.list"]} given */
  list(given) {
    const { limit = 50, before = Infinity } = given;
    const level = (/** @type {Row} */ row) => row.level ?? "other";
    const rows = [...this.rows.values()].filter((row) => row.done.length > 0 && row.begun < before && (given.level ?? level(row)) === level(row))
      .sort((a, b) => b.begun - a.begun);
    const shown = rows.slice(0, limit);
    /** @type {Map<WinRate["level"], Row[]>} */
    const byLevel = new Map();
    for (const row of this.rows.values()) {
      if (row.kind === "own" && !row.agent && row.ending) byLevel.set(level(row), [...(byLevel.get(level(row)) ?? []), row]);
    }
    return {
      games: shown.map(listed),
      next: rows.length > limit ? shown[shown.length - 1].begun : null,
      rates: [...byLevel].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, played]) => rate(name, played)),
    };
  }

  /** `game.delete`. @param {Requests["game.delete"]} given */
  delete(given) {
    const { all = false, game } = given;
    if (all === (game !== undefined)) throw invalid("refusal.delete");
    const gone = [...this.rows.keys()].filter((name) => all || name === game);
    if (!all && !gone.length) throw new RequestRefused("unknown", say("refusal.not-yours", { name: quoted(game) }));
    for (const name of gone) {
      this.atHand.get(name)?.leave();
      this.atHand.delete(name);
      this.rows.delete(name);
    }
    this.store.drop(gone);
    return { deleted: gone.length };
  }

  /** `game.watch`: an agent plays on. @param {Requests["game.watch"]} given @returns {AsyncGenerator<Responses["game.watch"]>} */
  async *watch(given) {
    const { game: known, agent: name = "exact", teacher = false, steps = Infinity, thoughts: _, ...fields } = given;
    const who = agent(name);
    const fixed = fieldsOf("game.new").find((each) => known !== undefined && each in fields);
    if (fixed) throw invalid("refusal.fixed", { name: quoted(fixed) });
    const game = known !== undefined ? this.#takeOver(known, name, teacher) : await this.begin(fields, teacher ? "teacher" : "agents", name);
    yield { ...stateJson(game), more: true };
    const [high, low] = this.kernel.ask("player_seed", halves(BigInt(game.row.ground.seed)));
    const seed = joined(high, low);
    const before = game.changes(0);
    const begun = game.turns.length;
    for (let made = 0; made < steps && !game.over; ++made) {
      const number = game.row.done.length;
      const view = game.view();
      const past = { first: game.first, seen: [before, ...game.turns.slice(begun).map((turn) => turn.changes.flat())] };
      const first = !number && game.row.ground.start;
      const promised = game.rules.opening !== "any";
      const decided = first
        ? because({ cell: first, action: "open", risk: promised ? 0 : null, certain: promised, reason: "", rule: "", estimated: false }, phrase("first.given"))
        : decide(this.kernel, who, { view, clues: game.clues, rules: game.rules, density: game.rules.density, seed, past });
      // Cells without a clue are asked again before each guess, once.
      const asks = !decided.certain && game.unanswered && game.row.done.at(-1)?.deed.action !== "ask";
      const move = asks ? because({ ...decided, action: "ask", risk: null, certain: true, rule: "", estimated: false }, phrase("guess.ask")) : decided;
      const response = this.#play(game, { ...move, by: name });
      yield { ...response, move: moveJson(game, number), more: true };
      await breathe();
      if (game.row.done.length !== number + 1) throw illegal("refusal.moved");
    }
    yield stateJson(game, { since: game.row.done.length });
  }

  /** @param {string} id @param {string} who @param {boolean} teacher */
  #takeOver(id, who, teacher) {
    const game = this.find(id);
    const { kind } = game.row;
    if (teacher && !["agents", "teacher"].includes(kind) && !game.over) throw illegal("refusal.teacher");
    if (!game.over) this.#keep({ ...game.row, kind: teacher ? "teacher" : kind, agent: who });
    return game;
  }

  /** `game.review`: reviews a finished game, move by move. @param {Requests["game.review"]} given @returns {AsyncGenerator<Responses["game.review"]>} */
  async *review(given) {
    if (given.game === undefined) throw invalid("refusal.needs-game");
    const game = this.find(given.game);
    if (!game.over) throw illegal("refusal.no-record");
    const positions = [...game.positions()];
    const judged = [];
    let begun = false;
    const position = (/** @type {import("./notation.js").View} */ view) => ({ view, clues: game.clues, density: game.rules.density });
    const chance = (/** @type {import("./notation.js").View} */ view) => winChance(this.kernel, position(view), agent("exact"), PLAYOUTS);
    for (const [at, { number, move, view, changes }] of positions.entries()) {
      const one = judge(this.kernel, position(view), game.rules.opening, number, move);
      const wantsWin = (given.win ?? true) && move.action === "open" && (one.risk || !begun) && game.rules.on_mine === "end";
      begun ||= move.action === "open";
      const next = positions[at + 1]?.view;
      const after = !wantsWin ? null : next ? chance(next) : chanceJson(Number(game.won), 0);
      // Only the server computes the cost compared with the champion's move.
      judged.push({ ...one, hit: changes.some(([, state]) => state === EXPLODED), win: wantsWin && one.risk ? chance(view) : null, after, cost: null });
      yield { move: judged[at], more: true };
      await breathe();
    }
    yield { luck: luckOf(judged), won: game.won, score: game.score };
  }

  /**
   * The fields of a request, with the position of its game if it names one.
   * @template {import("./positions.js").Asked & {game?: string, at?: number}} T
   * @param {T} given
   * @returns {T}
   */
  positionOf(given) {
    if (given.game === undefined && given.at !== undefined) throw invalid("refusal.at-without-game");
    if (given.game === undefined) return given;
    const { game: name, at, ...others } = given;
    const game = this.find(name);
    const about = { view: game.view(at).text, rules: game.rules, clues: game.clues.text };
    for (const field of ["view", "rules", "clues"]) if (field in others) throw invalid("refusal.fixed", { name: quoted(field) });
    return /** @type {T} */ (/** @type {unknown} */ ({ ...others, ...about }));
  }
}

/** A game in the list. @param {Row} row @returns {import("../messages.js").ListedGame} */
function listed(row) {
  const { ground, ending } = row;
  const showsCount = ground.rules.count_known || ending;
  return {
    game: row.id, level: row.level, rows: ground.deal.rows, cols: ground.deal.cols, mines: showsCount ? mineCount(ground.deal) : null,
    clues: ground.clues ?? "exact", on_mine: ground.rules.on_mine, kind: row.kind, agent: row.agent || null, begun: row.begun, n: row.done.length,
    over: Boolean(ending), won: ending?.won ?? null, score: ending?.score ?? null, seconds: ending?.seconds ?? null, bbbv: ending?.bbbv ?? null,
  };
}

/** The win rate at a level with its 95 % confidence interval (Wilson). @param {WinRate["level"]} level @param {Row[]} rows @returns {WinRate} */
function rate(level, rows) {
  const games = rows.length;
  const won = rows.filter((row) => row.ending?.won);
  const wins = won.length;
  const z = 1.959963984540054;
  const middle = (wins + (z * z) / 2) / (games + z * z);
  const half = (z / (games + z * z)) * Math.sqrt((wins * (games - wins)) / games + (z * z) / 4);
  const scores = rows.flatMap((row) => (row.ending?.score ?? null) === null ? [] : [Number(row.ending?.score)]);
  return {
    level, games, wins, rate: wins / games, interval: [Math.max(middle - half, 0), Math.min(middle + half, 1)],
    score: scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
    best_seconds: wins ? Math.min(...won.map((row) => Number(row.ending?.seconds))) : null,
  };
}

/**
 * Judges a move by everything that was known when it was made: the twin of `games/review.py`.
 * @param {Kernel} kernel
 * @param {Position} seat
 * @param {string} opening
 * @param {number} n
 * @param {AskedMove} move
 */
function judge(kernel, seat, opening, n, { cell, action }) {
  const { view } = seat;
  const nothing = { n, cell, action, risk: /** @type {number | null} */ (null), least: /** @type {number | null} */ (null), missed: /** @type {[number, number][]} */ ([]), hit: false, exact: true };
  if (action !== "open" && action !== "flag") return nothing;
  const begun = view.states.some((state) => !isCovered(state));
  if (action === "open" && !begun && opening !== "any") return { ...nothing, risk: 0, least: 0 };
  const found = odds(kernel, seat, seat.clues.exact ? tables.count_budgets.position : tables.count_budgets.move);
  const safe = new Set(found.safe);
  const chance = (/** @type {number} */ index) => (safe.has(index) ? 0 : found.risk[index]);
  const mine = chance(view.grid.index(cell));
  const risk = action === "open" ? mine : 1 - mine;
  const least = Math.min(...view.indices(isCovered).map(chance));
  const missed = action === "open" && risk > 0 ? view.grid.cells(found.safe.filter((index) => isUntouched(view.states[index]))) : [];
  return { ...nothing, risk, least, missed, exact: found.exact };
}

/**
 * Whether more than half of a risk could have been avoided. (Only the server computes its cost.)
 * @param {{risk: number | null, least: number | null, missed: unknown[]}} one
 */
const isUnnecessary = ({ risk, least, missed }) => Boolean(risk) && (missed.length > 0 || Number(risk) > 2 * Number(least));

/** The probabilities of hitting 0, 1, 2, ... mines. @param {number[]} risks */
function chancesOfHits(risks) {
  let chances = [1];
  for (const risk of risks) chances = [...chances, 0].map((same, at) => (1 - risk) * same + (at ? risk * chances[at - 1] : 0));
  return chances;
}

/** How lucky a game was: the twin of `Luck.verdict`. @param {{guesses: number, needless: number, hits: number, unnecessary_hits: number, as_good: number, as_bad: number}} luck @returns {Luck["verdict"]} */
function verdictOf(luck) {
  const even = 0.5 - 1e-9;
  if (!(luck.guesses + luck.needless)) return "none";
  if (luck.hits && 2 * luck.unnecessary_hits >= luck.hits) return "unnecessary";
  if (luck.as_good < even) return "lucky";
  return luck.as_bad < even ? "unlucky" : "expected";
}

/** The risks and the luck of a game. @param {{action: string, risk: number | null, least: number | null, missed: unknown[], hit: boolean}[]} judged @returns {Luck} */
function luckOf(judged) {
  const opened = judged.filter((one) => one.action === "open" && one.risk !== null);
  const risky = opened.filter((one) => one.risk);
  const total = (/** @type {number[]} */ numbers) => numbers.reduce((sum, one) => sum + one, 0);
  const risks = risky.map((one) => Number(one.risk));
  const [expected, chances] = [total(risks), chancesOfHits(risks)];
  const hits = opened.filter((one) => one.hit).length;
  const luck = {
    openings: opened.length,
    guesses: risky.filter((one) => !one.missed.length).length,
    needless: risky.filter((one) => one.missed.length).length,
    unnecessary: risky.filter(isUnnecessary).length,
    excess: total(risky.map((one) => Number(one.risk) - Number(one.least))),
    expected_hits: expected,
    hits,
    unnecessary_hits: risky.filter((one) => one.hit && isUnnecessary(one)).length,
    survival: risks.reduce((product, risk) => product * (1 - risk), 1),
    as_good: Math.min(total(chances.slice(0, hits + 1)), 1),
    as_bad: Math.min(total(chances.slice(hits)), 1),
    luck: expected - hits,
  };
  return { ...luck, verdict: verdictOf(luck) };
}
