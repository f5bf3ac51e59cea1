// @ts-check
/** Reads and checks the fields of requests: the twin of `protocol/fields.py`. */
import { OPENINGS } from "./agents.js";
import { invalid, needsServer, quoted, unknown } from "./refusals.js";
import { Grid, readView, tooManyMines } from "./texts.js";

/** @typedef {import("./agents.js").Rules} Rules */
/** @typedef {Record<string, any>} Fields */
/** @typedef {{rows: number, cols: number, mines: number | null, density: number | null, independent: boolean}} Deal */

/** @type {Record<string, {rows: number, cols: number, mines: number}>} */
export const LEVELS = {
  beginner: { rows: 9, cols: 9, mines: 10 },
  intermediate: { rows: 16, cols: 16, mines: 40 },
  expert: { rows: 16, cols: 30, mines: 99 },
};
export const REASONING = ["local", "pairs", "subset", "gauss", "exact"];
const POSITION = ["view", "clues", "density", "rules"];
const VIEW = [...POSITION, "game", "at"];
const NEW = ["deal", "rules", "clues", "seed", "start", "no_guess", "reasoning", "needs", "board", "view", "again"];
/** The fields of each method. @type {Record<string, string[]>} */
export const FIELDS = {
  hello: [],
  stop: ["of"],
  position: [...POSITION, "agent", "seed", "events"],
  go: [...VIEW, "agent", "seed", "budget", "step"],
  odds: [...VIEW, "agent", "best", "zeros", "win"],
  explain: [...VIEW, "cell", "all", "budget"],
  generate: ["deal", "count", "seed", "start", "opening", "no_guess", "reasoning", "needs", "chain", "tries", "repair"],
  "game.new": NEW,
  "game.state": ["game", "at", "moves"],
  "game.move": ["game", "action", "cell", "n"],
  "game.watch": [...NEW, "game", "agent", "steps", "teacher"],
  "game.review": ["game", "win"],
  "game.list": ["level", "limit", "before"],
  "game.delete": ["game", "all"],
  "game.record": ["game"],
};
/** The clue models that are available here. */
export const CLUES = ["exact"];
/** Fields that only the server takes. @type {Record<string, string[]>} */
const MORE = { "game.watch": ["thoughts"], "game.review": ["record"] };
/** Methods that only the server has. */
const OTHERS = ["new", "tell", "undo", "quit", "reasoners", "influence", "grade", "game.import", "arena.run", "study.list", "study.page"];

const MOST_HEAD = 64;
const HALF = /\p{Surrogate}/u;

/** Whether a value can be the id of a request: a short string or a finite number. @param {any} value */
const isId = (value) => (typeof value === "string" ? [...value.slice(0, 2 * MOST_HEAD + 1)].length <= MOST_HEAD && !HALF.test(value) : typeof value === "number" && Number.isFinite(value));

/** The first fields of every response: id and method, if they are safe to repeat. @param {any} message @returns {Fields} */
export function headOf(message) {
  const { id, do: verb } = message ?? {};
  return { ...(isId(id) ? { id } : {}), do: typeof verb === "string" && isId(verb) ? verb : null };
}

/** The id of a request. @param {any} value @param {string} name */
function checkId(value, name) {
  if (!isId(value)) throw invalid("refusal.id", { name: quoted(name), most: MOST_HEAD, value: quoted(value) });
}

/** Refuses strings with a lone surrogate, which UTF-8 cannot encode. @param {any} message */
function checkTexts(message) {
  const waiting = [message];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "string" && HALF.test(one)) throw invalid("refusal.surrogate", { text: quoted(one) });
    if (typeof one === "object" && one !== null) for (const [name, value] of Object.entries(one)) waiting.push(name, value);
  }
}

/** The method and the fields of a request; null means absent. @param {any} message @returns {{verb: string, given: Fields}} */
export function readMessage(message) {
  if (typeof message !== "object" || message === null || Array.isArray(message)) throw invalid("refusal.request", { shape: '{"do": METHOD, ...}', value: quoted(message) });
  const verb = message.do;
  if (message.id !== null && message.id !== undefined) checkId(message.id, "id");
  checkTexts(message);
  if (typeof verb !== "string") throw invalid("refusal.method", { value: quoted(verb) });
  if (OTHERS.includes(verb)) throw needsServer(quoted(verb));
  if (!Object.hasOwn(FIELDS, verb)) throw unknown("method", verb, Object.keys(FIELDS));
  const given = known(message, FIELDS[verb], verb);
  if ("of" in given) checkId(given.of, "of");
  return { verb, given };
}

/** @param {Fields} message @param {string[]} names @param {string} verb */
function known(message, names, verb) {
  /** @type {Fields} */
  const given = {};
  for (const [name, value] of Object.entries(message)) {
    if (name === "do" || name === "id") continue;
    if (MORE[verb]?.includes(name)) throw needsServer(`${quoted(name)} of ${quoted(verb)}`);
    if (!names.includes(name)) throw unknown(`field of ${quoted(verb)}`, name, [...names, "do", "id"]);
    if (value !== null && value !== undefined) given[name] = value;
  }
  return given;
}

/** @param {any} value @param {string} name @param {number} least @param {number} most */
export function whole(value, name, least, most) {
  if (!Number.isInteger(value)) throw invalid("refusal.whole", { name: quoted(name), value: quoted(value) });
  if (value < least || value > most) throw invalid("refusal.range", { name: quoted(name), least, most, value });
  return value;
}

/** @param {any} value @param {string} name */
export function share(value, name) {
  if (typeof value !== "number" || Number.isNaN(value)) throw invalid("refusal.number", { name: quoted(name), value: quoted(value) });
  if (value < 0 || value > 1) throw invalid("refusal.range", { name: quoted(name), least: 0, most: 1, value });
  return value;
}

/** @param {any} value @param {string} name */
export function truth(value, name) {
  if (typeof value !== "boolean") throw invalid("refusal.truth", { name: quoted(name), value: quoted(value) });
  return value;
}

/** @param {any} value @param {string} name */
export function text(value, name) {
  if (typeof value !== "string") throw invalid("refusal.text", { name: quoted(name), value: quoted(value) });
  return value;
}

/** @param {any} value @param {string} name @param {string[]} names */
export function oneOf(value, name, names) {
  if (!names.includes(text(value, name))) throw unknown(`value of ${quoted(name)}`, value, names);
  return value;
}

/** A whole number up to 2**64 - 1, or its digits. @param {any} value */
export function seed(value) {
  const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits) || BigInt(digits) >= 1n << 64n) throw invalid("refusal.seed", { value: quoted(value) });
  return BigInt(digits);
}

/** @param {any} value */
export function checkClues(value) {
  if (value !== undefined && !CLUES.includes(text(value, "clues").trim())) throw needsServer(`the clue model ${quoted(value)}`);
}

/** Reads the rules that are given. @param {any} value @returns {Fields} */
export function someRules(value) {
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("refusal.object", { name: "'rules'", value: quoted(value) });
  const given = known(value, ["on_mine", "opening", "count_known", "density", "flood"], "rules");
  if ("on_mine" in given) oneOf(given.on_mine, "on_mine", ["end", "continue"]);
  if ("opening" in given) oneOf(given.opening, "opening", OPENINGS);
  for (const name of ["count_known", "flood"]) if (name in given) truth(given[name], name);
  if ("density" in given) share(given.density, "density");
  return given;
}

/** All rules, with defaults. @param {Fields} given @returns {Rules} */
export function rules(given) {
  const all = { on_mine: "end", opening: "any", count_known: true, density: null, flood: true, ...given };
  if (all.density !== null && all.count_known) throw invalid("refusal.density-of-known-count");
  return all;
}

/** Reads a level, or a size with a mine count or a density. @param {any} value @returns {Deal} */
export function deal(value) {
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("refusal.object", { name: "'deal'", value: quoted(value) });
  const given = known(value, ["level", "rows", "cols", "mines", "density", "independent"], "deal");
  if ("level" in given) {
    if ("rows" in given || "cols" in given) throw invalid("refusal.level-or-size", { name: "'deal'" });
    const { rows, cols, mines } = LEVELS[oneOf(given.level, "level", Object.keys(LEVELS))];
    Object.assign(given, { rows, cols }, "mines" in given || "density" in given ? {} : { mines });
  }
  if (!("rows" in given && "cols" in given)) throw invalid("refusal.size-missing", { name: "'deal'" });
  const grid = new Grid(given.rows, given.cols);
  const independent = "independent" in given ? truth(given.independent, "independent") : false;
  if ("mines" in given === "density" in given) throw invalid("refusal.mines-or-density");
  if ("mines" in given && independent) throw invalid("refusal.independent");
  if (whole(given.mines ?? 0, "mines", 0, 1e6) > grid.size) throw invalid("refusal.too-many-mines", tooManyMines(given.mines, grid));
  if ("density" in given) share(given.density, "density");
  return { rows: given.rows, cols: given.cols, mines: given.mines ?? null, density: given.density ?? null, independent };
}

/** The mine count of a deal; null if each cell is drawn independently. @param {Deal} kind */
export const mineCount = ({ rows, cols, mines, density, independent }) => mines ?? (independent ? null : Math.floor((density ?? 0) * rows * cols + 0.5));

/**
 * The position that fields describe; the view supplies missing values.
 * @param {Fields} given
 * @returns {import("./agents.js").Seat}
 */
export function position(given) {
  checkClues(given.clues);
  if (!("view" in given)) throw invalid("refusal.no-position");
  const view = readView(text(given.view, "view"));
  const some = "rules" in given ? someRules(given.rules) : {};
  if ("density" in given) {
    if ((some.density ?? given.density) !== given.density) throw invalid("refusal.two-densities");
    some.density = share(given.density, "density");
  }
  some.count_known ??= view.mines !== null;
  if (some.count_known !== (view.mines !== null)) throw invalid("refusal.count-known", { known: some.count_known });
  const all = rules(some);
  return { view, rules: all, density: view.mines === null ? all.density : null, seed: "seed" in given ? seed(given.seed) : 0n };
}

