// @ts-check
/** The conditions of a game, as they are requested and stored: the twin of `web/ground.py`. */
import messages from "../messages.json" with { type: "json" };
import tables from "./tables.json" with { type: "json" };
import { rulesRow } from "./agents.js";
import { EXACT, readClues } from "./clueModels.js";
import { Reader, freshSeed, halves, joined } from "./kernel.js";
import { say } from "../phrases.js";
import { draw, rules, seed } from "./positions.js";
import { RequestRefused, doNotFit, invalid, needsServer, quoted } from "./errors.js";
import { EXPLODED, FLAGGED, Grid, boardText, isCovered, readBoard, readView, tooManyMines } from "./notation.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./agents.js").Rules} Rules */
/** @typedef {import("../messages.js").NewGameRequest} NewGame */
/** @typedef {{rows: number, cols: number, mines: number | null, density: number | null, independent: boolean}} Deal */
/** @typedef {{deal: Deal, board: string | null, rules: Rules, clues?: string, start: [number, number] | null, seed: string}} Ground together with the moves, the whole game; clues are exact if no model is given */
/** @typedef {{cell: [number, number], action: "open" | "flag", by: string}} AskedMove a move that leads to the first position */

const LEVELS = messages.levels;
const { openings: OPENINGS, reasoning: REASONING, search: { deals: DEALS, repairs: REPAIRS, moves: MOVES } } = tables;
const BREATH = 20; // milliseconds of search before other messages are read

/** Lets other messages be read. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Whether a no-guess board is asked for. @param {Pick<NewGame, "no_guess" | "reasoning" | "needs">} given */
const isSearched = ({ no_guess: noGuess, reasoning, needs }) => Boolean(noGuess || reasoning || needs);

/** A level, or a size with a mine count or a density. @param {import("../messages.js").Size} given @returns {Deal} */
function deal(given) {
  const { level, independent = false } = given;
  let { rows, cols, mines, density } = given;
  if (level) {
    if (rows !== undefined || cols !== undefined) throw invalid("refusal.level-or-size", { name: "'deal'" });
    const usual = LEVELS[level];
    ({ rows, cols } = usual);
    if (mines === undefined && density === undefined) ({ mines } = usual);
  }
  if (rows === undefined || cols === undefined) throw invalid("refusal.size-missing", { name: "'deal'" });
  const grid = new Grid(rows, cols);
  if ((mines === undefined) === (density === undefined)) throw invalid("refusal.mines-or-density");
  if (mines !== undefined && independent) throw invalid("refusal.independent");
  if (mines !== undefined && mines > grid.size) throw invalid("refusal.too-many-mines", tooManyMines(mines, grid));
  return { rows, cols, mines: mines ?? null, density: density ?? null, independent };
}

/** The mine count of a deal; null if each cell is drawn independently. @param {Deal} kind */
export const mineCount = ({ rows, cols, mines, density, independent }) => mines ?? (independent ? null : Math.floor((density ?? 0) * rows * cols + 0.5));

/** @param {Deal} kind @returns {Grid} */
export const gridOf = (kind) => new Grid(kind.rows, kind.cols);

/**
 * The ground that a request describes; slow if a board must be searched for.
 * @param {Kernel} kernel
 * @param {NewGame} given
 * @returns {Promise<{ground: Ground, moves: AskedMove[]}>}
 */
export async function asked(kernel, given) {
  if (given.view !== undefined) return fromPosition(kernel, given);
  if (isSearched(given)) return { ground: await searched(kernel, given), moves: [] };
  return { ground: plain(given), moves: [] };
}

/** A board or a deal; the default is a beginner board. @param {NewGame} given @returns {Ground} */
function plain(given) {
  const start = given.start ?? null;
  const some = { ...given.rules };
  let kind = deal(given.deal ?? { level: "beginner" });
  let board = null;
  if (given.board !== undefined) {
    if (given.deal) throw invalid("refusal.board-or-deal");
    const { grid, mined } = readBoard(given.board);
    board = boardText(grid, mined);
    kind = { rows: grid.rows, cols: grid.cols, mines: mined.reduce((sum, mine) => sum + mine, 0), density: null, independent: false };
    some.opening ??= start === null ? "any" : "safe";
  }
  const clues = readClues(given.clues, gridOf(kind));
  if (start) gridOf(kind).index(start);
  if (kind.independent) {
    if (some.count_known ?? true) some.density ??= kind.density ?? undefined;
    some.count_known = false;
  }
  const all = rules({ opening: "safe", ...some });
  if (!board) checkRoom(kind, all.opening, start);
  return { deal: kind, board, rules: all, clues: clues.text, start, seed: String(given.seed === undefined ? freshSeed() : seed(given.seed)) };
}

/** Refuses more mines than fit outside the cells that the opening rule keeps free. @param {Deal} kind @param {string} opening @param {[number, number] | null} start */
function checkRoom(kind, opening, start) {
  const mines = mineCount(kind);
  if (mines === null || opening === "any") return;
  const grid = gridOf(kind);
  let free = 1;
  if (opening === "clear") free = start ? grid.neighbours(grid.index(start)).length + 1 : Math.min(3, kind.rows) * Math.min(3, kind.cols);
  const places = grid.size - free;
  if (mines <= places) return;
  throw invalid("refusal.no-room", { fit: doNotFit(mines), rows: kind.rows, cols: kind.cols, cells: places, opening });
}

/** Searches for a no-guess board. @param {Kernel} kernel @param {NewGame} given @returns {Promise<Ground>} */
async function searched(kernel, given) {
  for (const name of ["board", "view"]) if (name in given) throw invalid("refusal.no-board", { name: quoted(name) });
  const { no_guess: _, reasoning, needs, ...others } = given;
  const ground = plain(others);
  const opening = ground.rules.opening === "any" ? "safe" : ground.rules.opening;
  const start = ground.start ?? [Math.floor(ground.deal.rows / 2), Math.floor(ground.deal.cols / 2)];
  checkRoom(ground.deal, opening, start);
  const found = await findBoard(kernel, ground.deal, { start, opening, reasoning, needs, seed: BigInt(ground.seed) });
  const grid = gridOf(ground.deal);
  return { ...ground, board: boardText(grid, found.mined), rules: { ...ground.rules, opening }, start, deal: { ...ground.deal, mines: mineCount(ground.deal), density: null } };
}

/**
 * A no-guess board: boards are dealt until one is solved.
 * @param {Kernel} kernel
 * @param {Deal} kind
 * @param {{start: [number, number], opening: string, reasoning?: string, needs?: string, seed: bigint, number?: number, tries?: number, repair?: boolean}} wanted
 */
async function findBoard(kernel, kind, { start, opening, reasoning, needs, seed: series, number = 0, tries: deals = DEALS, repair = true }) {
  const mines = mineCount(kind);
  if (mines === null) throw invalid("refusal.not-independent");
  if (opening === "any") throw invalid("refusal.no-start");
  if (needs && reasoning && REASONING.indexOf(needs) > REASONING.indexOf(reasoning)) throw invalid("refusal.levels", { needs: quoted(needs), reasoning: quoted(reasoning) });
  const level = needs ?? reasoning ?? "exact";
  const grid = gridOf(kind);
  const most = deals + (repair ? REPAIRS : 0);
  const row = [kind.rows, kind.cols, mines, grid.index(start), OPENINGS.indexOf(opening), REASONING.indexOf(level), Number(Boolean(needs)), deals, MOVES, ...halves(series), number];
  let best = 0;
  let size = 1;
  for (let tries = 0; tries < most;) {
    const begun = performance.now();
    // Tries that are repaired take longer by far: one at a time.
    const reader = new Reader(kernel.ask("search_board", [...row, tries, Math.min(tries >= deals ? tries + 1 : Math.min(tries + size, deals), most)]));
    const found = reader.truth();
    tries = reader.number();
    best = Math.max(best, reader.number());
    const own = joined(reader.number(), reader.number());
    if (found) return { mined: reader.some(grid.size), seed: own, tries, repaired: tries > deals };
    size = performance.now() - begun < BREATH ? size * 2 : Math.max(Math.floor(size / 2), 1);
    await breathe();
  }
  const share = (100 * best) / Math.max(grid.size - mines, 1);
  const { rows, cols } = kind;
  throw new RequestRefused("not-found", say("refusal.not-found", { deals, repaired: most - deals, rows, cols, mines, needed: Boolean(needs), level: quoted(level), chain: 0, best: share.toFixed(1) }));
}

/** A random board consistent with a position, and the moves that lead to it. @param {Kernel} kernel @param {NewGame} given @returns {{ground: Ground, moves: AskedMove[]}} */
function fromPosition(kernel, given) {
  const other = Object.keys(given).find((name) => !["view", "rules", "seed"].includes(name));
  if (other) throw invalid("refusal.view-only", { name: quoted(other) });
  const view = readView(given.view ?? "");
  if (view.mines === null) throw invalid("refusal.position-count");
  if (view.states.includes(EXPLODED)) throw invalid("refusal.position-exploded");
  const own = given.seed === undefined ? freshSeed() : seed(given.seed);
  const mined = draw(kernel, { view, clues: EXACT, density: null }, own);
  if (!mined) throw new RequestRefused("failed", say("refusal.position-drawn"));
  const moves = view.indices((state) => state === FLAGGED || !isCovered(state))
    .map((index) => ({ cell: view.grid.cell(index), action: /** @type {AskedMove["action"]} */ (view.states[index] === FLAGGED ? "flag" : "open"), by: "position" }));
  return { ground: plain({ board: boardText(view.grid, mined), rules: { ...given.rules, opening: "any" }, seed: String(own) }), moves };
}

/** The name of the level, if the game is played at one. @param {Ground} ground */
export function levelOf({ deal: kind, clues, rules: { on_mine: onMine, count_known: countKnown, luck } }) {
  if (onMine !== "end" || !countKnown || luck === "fair" || clues !== EXACT.text) return null;
  const mines = mineCount(kind);
  const levels = /** @type {[keyof typeof LEVELS, import("../messages.js").LevelSize][]} */ (Object.entries(LEVELS));
  const found = levels.find(([, level]) => level.rows === kind.rows && level.cols === kind.cols && level.mines === mines);
  return found?.[0] ?? null;
}

/** The row of numbers with which the kernel starts a game. @param {Ground} ground */
export function groundRow({ deal: kind, board, rules: all, clues, start, seed: own }) {
  const threshold = kind.independent ? halves(BigInt(Math.round((kind.density ?? 0) * 2 ** 53))) : [-1, 0];
  const mined = board === null ? [] : readBoard(board).mined;
  const grid = gridOf(kind);
  return [kind.rows, kind.cols, mineCount(kind) ?? 0, ...threshold, ...rulesRow(all), ...readClues(clues).row, start ? grid.index(start) : -1, ...halves(BigInt(own)), mined.length, ...mined];
}

/** Generates no-guess boards. @param {Kernel} kernel @param {import("../messages.js").GenerateRequest} given */
export async function generate(kernel, given) {
  const kind = deal(given.deal);
  const { start = /** @type {[number, number]} */ ([0, 0]), opening = "safe" } = given;
  const series = given.seed === undefined ? freshSeed() : seed(given.seed);
  if (!isSearched(given)) throw needsServer("'generate' without 'no_guess'");
  checkRoom(kind, opening, start);
  const grid = gridOf(kind);
  const boards = [];
  for (let number = 0; number < (given.count ?? 1); ++number) {
    const found = await findBoard(kernel, kind, { start, opening, reasoning: given.reasoning, needs: given.needs, seed: series, number, tries: given.tries, repair: given.repair });
    boards.push({ board: boardText(grid, found.mined), start, seed: seedJson(found.seed), tries: found.tries, repaired: found.repaired, ...figures(kernel, grid, found.mined) });
  }
  return { seed: seedJson(series), boards };
}

/** The numbers of openings and islands, and the 3BV of a board. @param {Kernel} kernel @param {Grid} grid @param {ArrayLike<number>} mined */
export function figures(kernel, grid, mined) {
  const [openings, islands, bbbv] = kernel.ask("count_figures", [grid.rows, grid.cols, ...Array.from(mined)]);
  return { openings, islands, bbbv };
}

/** A seed as JSON: a string if JSON readers may round the number. @param {bigint} own */
const seedJson = (own) => (own <= 1n << 53n ? Number(own) : String(own));
