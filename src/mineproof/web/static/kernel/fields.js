// @ts-check
/** The fields of messages, read and checked: the twin of `protocol/fields.py`, for what is played here. */
import { OPENINGS } from "./agents.js";
import { counted, doNotFit, invalid, needsServer, quoted, unknown } from "./refusals.js";
import { Grid, readView } from "./texts.js";

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
/** What each verb takes. @type {Record<string, string[]>} */
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
/** The clue models that are played here. */
export const CLUES = ["exact"];
/** What only the server takes. @type {Record<string, string[]>} */
const MORE = { "game.watch": ["thoughts"], "game.review": ["record"] };
/** What only the server answers. */
const OTHERS = ["new", "tell", "undo", "quit", "reasoners", "influence", "grade", "game.import", "arena.run", "study.list", "study.page"];

const MOST_HEAD = 64;
const HALF = /\p{Surrogate}/u;

/** Whether JSON can write it in a few characters. @param {any} value */
const isId = (value) => (typeof value === "string" ? [...value.slice(0, 2 * MOST_HEAD + 1)].length <= MOST_HEAD && !HALF.test(value) : typeof value === "number" && Number.isFinite(value));

/** What every answer to a message begins with: only what is safe to repeat is repeated. @param {any} message @returns {Fields} */
export function headOf(message) {
  const { id, do: verb } = message ?? {};
  return { ...(isId(id) ? { id } : {}), do: typeof verb === "string" && isId(verb) ? verb : null };
}

/** The id of a request. @param {any} value @param {string} name */
function checkId(value, name) {
  if (!isId(value)) throw invalid(`${quoted(name)} is a text or a number of at most ${MOST_HEAD} characters, got ${quoted(value)}`);
}

/** No text in a message has half a character: what is kept and sent is UTF-8. @param {any} message */
function checkTexts(message) {
  const waiting = [message];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "string" && HALF.test(one)) throw invalid(`a text has half a character, a lone surrogate: ${quoted(one)}`);
    if (typeof one === "object" && one !== null) for (const [name, value] of Object.entries(one)) waiting.push(name, value);
  }
}

/** The verb and the fields that a message has; null is as good as absent. @param {any} message @returns {{verb: string, given: Fields}} */
export function readMessage(message) {
  if (typeof message !== "object" || message === null || Array.isArray(message)) throw invalid(`a message is an object, {"do": VERB, ...}, got ${quoted(message)}`);
  const verb = message.do;
  if (message.id !== null && message.id !== undefined) checkId(message.id, "id");
  checkTexts(message);
  if (typeof verb !== "string") throw invalid(`a message says what to do: 'do' is a text, got ${quoted(verb)}`);
  if (OTHERS.includes(verb)) throw needsServer(quoted(verb));
  if (!Object.hasOwn(FIELDS, verb)) throw unknown("verb", verb, Object.keys(FIELDS));
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
  if (!Number.isInteger(value)) throw invalid(`${quoted(name)} must be a whole number, got ${quoted(value)}`);
  if (value < least || value > most) throw invalid(`${quoted(name)} is from ${least} to ${most}, got ${value}`);
  return value;
}

/** @param {any} value @param {string} name */
export function share(value, name) {
  if (typeof value !== "number" || Number.isNaN(value)) throw invalid(`${quoted(name)} is a number, got ${quoted(value)}`);
  if (value < 0 || value > 1) throw invalid(`${quoted(name)} is from 0 to 1, got ${value}`);
  return value;
}

/** @param {any} value @param {string} name */
export function truth(value, name) {
  if (typeof value !== "boolean") throw invalid(`${quoted(name)} is true or false, got ${quoted(value)}`);
  return value;
}

/** @param {any} value @param {string} name */
export function text(value, name) {
  if (typeof value !== "string") throw invalid(`${quoted(name)} is a text, got ${quoted(value)}`);
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
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits) || BigInt(digits) >= 1n << 64n) throw invalid(`a seed is a whole number or its digits, got ${quoted(value)}`);
  return BigInt(digits);
}

/** @param {any} value */
export function checkClues(value) {
  if (value !== undefined && !CLUES.includes(text(value, "clues").trim())) throw needsServer(`the clue model ${quoted(value)}`);
}

/** Some of the rules. @param {any} value @returns {Fields} */
export function someRules(value) {
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`'rules' is an object, got ${quoted(value)}`);
  const given = known(value, ["on_mine", "opening", "count_known", "density", "flood"], "rules");
  if ("on_mine" in given) oneOf(given.on_mine, "on_mine", ["end", "continue"]);
  if ("opening" in given) oneOf(given.opening, "opening", OPENINGS);
  for (const name of ["count_known", "flood"]) if (name in given) truth(given[name], name);
  if ("density" in given) share(given.density, "density");
  return given;
}

/** All of them. @param {Fields} given @returns {Rules} */
export function rules(given) {
  const all = { on_mine: "end", opening: "any", count_known: true, density: null, flood: true, ...given };
  if (all.density !== null && all.count_known) throw invalid("a density is told only where the count is not known");
  return all;
}

/** A level, or a shape with a number of mines or their density. @param {any} value @returns {Deal} */
export function deal(value) {
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`'deal' is an object, got ${quoted(value)}`);
  const given = known(value, ["level", "rows", "cols", "mines", "density", "independent"], "deal");
  if ("level" in given) {
    if ("rows" in given || "cols" in given) throw invalid("'deal' has a level or a shape (rows and cols), not both");
    const { rows, cols, mines } = LEVELS[oneOf(given.level, "level", Object.keys(LEVELS))];
    Object.assign(given, { rows, cols }, "mines" in given || "density" in given ? {} : { mines });
  }
  if (!("rows" in given && "cols" in given)) throw invalid("'deal' needs a level, or both rows and cols");
  const { size } = new Grid(given.rows, given.cols);
  const independent = "independent" in given ? truth(given.independent, "independent") : false;
  if ("mines" in given === "density" in given) throw invalid("give the number of mines or their density, and not both");
  if ("mines" in given && independent) throw invalid("cells are mined independently by density, not by count");
  if (whole(given.mines ?? 0, "mines", 0, 1e6) > size) throw invalid(`${doNotFit(given.mines)}: ${given.rows}x${given.cols} has ${counted(size, "cell")}`);
  if ("density" in given) share(given.density, "density");
  return { rows: given.rows, cols: given.cols, mines: given.mines ?? null, density: given.density ?? null, independent };
}

/** How many mines there will be. @param {Deal} kind */
export const mineCount = ({ rows, cols, mines, density, independent }) => mines ?? (independent ? null : Math.floor((density ?? 0) * rows * cols + 0.5));

/**
 * A position from its fields; what they do not say follows from the view.
 * @param {Fields} given
 * @returns {import("./agents.js").Seat}
 */
export function position(given) {
  checkClues(given.clues);
  if (!("view" in given)) throw invalid("which position? give a view, or a game");
  const view = readView(text(given.view, "view"));
  const some = "rules" in given ? someRules(given.rules) : {};
  if ("density" in given) {
    if ((some.density ?? given.density) !== given.density) throw invalid("'density' and that of 'rules' differ");
    some.density = share(given.density, "density");
  }
  some.count_known ??= view.mines !== null;
  if (some.count_known !== (view.mines !== null)) throw invalid(`the rules say count_known ${some.count_known}, the view ${some.count_known ? "no number of mines" : "the number of mines"}`);
  const all = rules(some);
  return { view, rules: all, density: view.mines === null ? all.density : null, seed: "seed" in given ? seed(given.seed) : 0n };
}

