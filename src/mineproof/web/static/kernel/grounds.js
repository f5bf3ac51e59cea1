// @ts-check
/** What a game is played on, as it is asked for and as it is kept: the twin of `web/ground.py`. */
import { OPENINGS, rulesRow } from "./agents.js";
import { LEVELS, REASONING, checkClues, deal, mineCount, oneOf, rules, seed, someRules, text } from "./fields.js";
import { Reader, freshSeed, halves, joined } from "./kernel.js";
import { draw } from "./positions.js";
import { Refused, counted, doNotFit, invalid, needsServer } from "./refusals.js";
import { EXPLODED, FLAGGED, Grid, boardText, isCovered, readBoard, readCell, readView } from "./texts.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./agents.js").Rules} Rules */
/** @typedef {import("./fields.js").Deal} Deal */
/** @typedef {Record<string, any>} Fields */
/** @typedef {{deal: Deal, board: string | null, rules: Rules, start: [number, number] | null, seed: string}} Ground with the moves, the whole game */
/** @typedef {{cell: [number, number], action: string, by: string}} Deed what is done before the game is shown */

const SEARCHED = ["no_guess", "reasoning", "needs"];
const [DEALS, REPAIRS, MOVES] = [10_000, 100, 4_000]; // as boards/generation.py has them
const BREATH = 20; // milliseconds of search between two looks at what else is asked

/** Lets messages come in. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

/** @param {Deal} kind @returns {Grid} */
export const gridOf = (kind) => new Grid(kind.rows, kind.cols);

/**
 * What a message asks for; slow where a board must be found.
 * @param {Kernel} kernel
 * @param {Fields} given
 * @returns {Promise<{ground: Ground, deeds: Deed[]}>}
 */
export async function asked(kernel, given) {
  checkClues(given.clues);
  if ("view" in given) return fromPosition(kernel, given);
  if (SEARCHED.some((name) => given[name])) return { ground: await searched(kernel, given), deeds: [] };
  return { ground: plain(given), deeds: [] };
}

/** A board, or a deal; of a beginner's unless it says which. @param {Fields} given @returns {Ground} */
function plain(given) {
  const start = "start" in given ? readCell(given.start, "start") : null;
  const some = "rules" in given ? someRules(given.rules) : {};
  let kind = deal(given.deal ?? { level: "beginner" });
  let board = null;
  if ("board" in given) {
    if ("deal" in given) throw invalid("give a board or a deal, not both");
    const { grid, mined } = readBoard(text(given.board, "board"));
    board = boardText(grid, mined);
    kind = { rows: grid.rows, cols: grid.cols, mines: mined.reduce((sum, mine) => sum + mine, 0), density: null, independent: false };
    some.opening ??= start === null ? "any" : "safe";
  }
  if (start) gridOf(kind).index(start);
  if (kind.independent) {
    if (some.count_known ?? true) some.density ??= kind.density;
    some.count_known = false;
  }
  const all = rules({ opening: "safe", ...some });
  if (!board) checkRoom(kind, all.opening, start);
  return { deal: kind, board, rules: all, start, seed: String("seed" in given ? seed(given.seed) : freshSeed()) };
}

/** Whether the mines fit beside what the opening rule keeps free. @param {Deal} kind @param {string} opening @param {[number, number] | null} start */
function checkRoom(kind, opening, start) {
  const mines = mineCount(kind);
  if (mines === null || opening === "any") return;
  const grid = gridOf(kind);
  let free = 1;
  if (opening === "clear") free = start ? grid.around(grid.index(start)).length + 1 : Math.min(3, kind.rows) * Math.min(3, kind.cols);
  const places = grid.size - free;
  if (mines <= places) return;
  const where = opening === "safe" ? "the first move" : `the ${free} around the first move`;
  throw invalid(`${doNotFit(mines)}: ${kind.rows}x${kind.cols} has ${counted(places, "cell")} besides ${where}`);
}

/** A ground that needs no guess: the board is searched for from its start on. @param {Kernel} kernel @param {Fields} given @returns {Promise<Ground>} */
async function searched(kernel, given) {
  for (const name of ["board", "view"]) if (name in given) throw invalid(`a board without a guess is searched for: not with '${name}'`);
  const { no_guess: _, reasoning, needs, ...others } = given;
  const ground = plain(others);
  const opening = ground.rules.opening === "any" ? "safe" : ground.rules.opening;
  const start = ground.start ?? [Math.floor(ground.deal.rows / 2), Math.floor(ground.deal.cols / 2)];
  checkRoom(ground.deal, opening, start);
  const found = await findBoard(kernel, ground.deal, { start, opening, reasoning, needs, seed: BigInt(ground.seed) });
  const grid = gridOf(ground.deal);
  return { ...ground, board: boardText(grid, found.mined), rules: rules({ ...ground.rules, opening }), start, deal: { ...ground.deal, mines: mineCount(ground.deal), density: null } };
}

/**
 * A board that needs no guess: dealt and thrown away until one is solved.
 * @param {Kernel} kernel
 * @param {Deal} kind
 * @param {{start: [number, number], opening: string, reasoning?: any, needs?: any, seed: bigint, number?: number, tries?: number, repair?: boolean}} wanted
 */
export async function findBoard(kernel, kind, { start, opening, reasoning, needs, seed: series, number = 0, tries: deals = DEALS, repair = true }) {
  const mines = mineCount(kind);
  if (mines === null) throw invalid("boards without a guess are dealt by count: not independent");
  if (opening === "any") throw invalid("a board without a guess begins at a safe cell: give start, and opening safe or clear");
  for (const level of [reasoning, needs]) if (level !== undefined) oneOf(level, "reasoning", REASONING);
  if (needs && reasoning && REASONING.indexOf(needs) > REASONING.indexOf(reasoning)) throw invalid(`a board that needs '${needs}' is not solved by '${reasoning}'`);
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
  const what = needs ? `needs '${level}'` : `'${level}' solves`;
  const share = (100 * best) / Math.max(grid.size - mines, 1);
  throw new Refused("not-found", `none of ${deals} deals${repair ? ` and ${REPAIRS} repaired ones` : ""} of ${kind.rows}x${kind.cols} with ${counted(mines, "mine")} is a board that ${what} without a guess; the best came to ${share.toFixed(1)} % of the safe cells`);
}

/** A board that fits a position, and the deeds that open what it shows. @param {Kernel} kernel @param {Fields} given @returns {{ground: Ground, deeds: Deed[]}} */
function fromPosition(kernel, given) {
  const other = Object.keys(given).find((name) => !["view", "rules", "seed"].includes(name));
  if (other) throw invalid(`to play on from a view goes with rules only, not '${other}'`);
  const view = readView(text(given.view, "view"));
  if (view.mines === null) throw invalid("to play on from a position the number of mines must be known");
  if (view.states.includes(EXPLODED)) throw invalid("to play on from a position no mine must have exploded in it");
  const own = "seed" in given ? seed(given.seed) : freshSeed();
  const mined = draw(kernel, { view, density: null }, own);
  if (!mined) throw new Refused("failed", "there are too many cases to draw a board that fits");
  const deeds = view.indices((state) => state === FLAGGED || !isCovered(state))
    .map((index) => ({ cell: view.grid.cell(index), action: view.states[index] === FLAGGED ? "flag" : "open", by: "position" }));
  const some = "rules" in given ? someRules(given.rules) : {};
  return { ground: plain({ board: boardText(view.grid, mined), rules: { ...some, opening: "any" }, seed: String(own) }), deeds };
}

/** The level that it is of, if of one. @param {Ground} ground */
export function levelOf({ deal: kind, rules: { on_mine: onMine, count_known: countKnown } }) {
  if (onMine !== "end" || !countKnown) return null;
  const mines = mineCount(kind);
  const found = Object.entries(LEVELS).find(([, level]) => level.rows === kind.rows && level.cols === kind.cols && level.mines === mines);
  return found?.[0] ?? null;
}

/** As the kernel begins a game on it. @param {Ground} ground */
export function groundRow({ deal: kind, board, rules: all, start, seed: own }) {
  const threshold = kind.independent ? halves(BigInt(Math.round((kind.density ?? 0) * 2 ** 53))) : [-1, 0];
  const mined = board === null ? [] : readBoard(board).mined;
  const grid = gridOf(kind);
  return [kind.rows, kind.cols, mineCount(kind) ?? 0, ...threshold, ...rulesRow(all), start ? grid.index(start) : -1, ...halves(BigInt(own)), mined.length, ...mined];
}

/** @param {Fields} given */
export async function generate(/** @type {Kernel} */ kernel, given) {
  if ("chain" in given) throw needsServer("a board by its chain");
  if (!("deal" in given)) throw invalid("'generate' needs 'deal': the boards' kind");
  const kind = deal(given.deal);
  const start = "start" in given ? readCell(given.start, "start") : /** @type {[number, number]} */ ([0, 0]);
  const opening = "opening" in given ? oneOf(given.opening, "opening", OPENINGS) : "safe";
  const series = "seed" in given ? seed(given.seed) : freshSeed();
  if (!SEARCHED.some((name) => given[name])) throw needsServer("boards by their numbers alone");
  checkRoom(kind, opening, start);
  const grid = gridOf(kind);
  const boards = [];
  for (let number = 0; number < (given.count ?? 1); ++number) {
    const found = await findBoard(kernel, kind, { start, opening, reasoning: given.reasoning, needs: given.needs, seed: series, number, tries: given.tries, repair: given.repair });
    const [openings, islands, bbbv] = figures(kernel, grid, found.mined);
    boards.push({ board: boardText(grid, found.mined), start, seed: seedJson(found.seed), tries: found.tries, repaired: found.repaired, openings, islands, bbbv });
  }
  return { seed: seedJson(series), boards };
}

/** Openings, islands and 3BV. @param {Kernel} kernel @param {Grid} grid @param {ArrayLike<number>} mined */
export const figures = (kernel, grid, mined) => Array.from(kernel.ask("count_figures", [grid.rows, grid.cols, ...Array.from(mined)]));

/** A text where readers of JSON may round the number. @param {bigint} own */
export const seedJson = (own) => (own <= 1n << 53n ? Number(own) : String(own));
