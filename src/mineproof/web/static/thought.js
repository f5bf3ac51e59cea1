// @ts-check
/** What a move came from: the steps of reasoning with their matrices, and the equations at hand. */
import { el } from "./dom.js";
import { linked } from "./words.js";

/** @typedef {import("./reel.js").Frame} Frame */
/** @typedef {import("./board/board.js").Board} Board */

const follows = (/** @type {string} */ line) => line.startsWith("it follows");
/** Lines that only say that there was nothing to do. @param {string} line */
const idle = (line) => /^(queued: |(going through the knowledge again: )?nothing new follows)/.test(line);
/** The beginning of what a reasoner looks at. @param {string} line */
const begins = (line) => /^(component |all clues )/.test(line);
/** Lines that stand in columns. @param {string} line */
const columns = (line) => /^( |rows:|columns:|matrix:|reduced:)/.test(line);

/**
 * What settled the cell of a certain move, which may have waited since: when, and the steps.
 * @param {Frame[]} frames
 * @param {number} at
 * @returns {[number, string[]]}
 */
function origin(frames, at) {
  const cell = `(${frames[at].cell?.join(",")})`;
  for (let before = at; before >= 0; before--) {
    /** @type {string[]} */
    const steps = frames[before].thought?.steps ?? [];
    const found = steps.findIndex((line) => follows(line) && line.includes(cell));
    if (found < 0) continue;
    let first = found;
    while (first > 0 && follows(steps[first - 1])) first--; // found in the same go
    let from = first;
    while (from > 0 && !follows(steps[from - 1]) && !begins(steps[from])) from--;
    // What one clue tells needs no more than the reason itself.
    const alone = !begins(steps[from]) || steps[found].startsWith("it follows by local");
    return [before, alone ? [] : [...steps.slice(from, first), steps[found]]];
  }
  return [at, []];
}

/**
 * @param {string[]} lines
 * @param {Board} board
 */
function set(lines, board) {
  const parts = [];
  for (let at = 0; at < lines.length; at++) {
    const from = at;
    while (at + 1 < lines.length && columns(lines[from]) && columns(lines[at + 1])) at++;
    const text = linked(lines.slice(from, at + 1).join("\n"), board);
    parts.push(columns(lines[from]) ? el("pre", { class: "scroll", tabIndex: 0 }, text) : el("p", { class: "small" }, text));
  }
  return parts;
}

/**
 * @param {Frame[]} frames
 * @param {number} at the number of the frame, from 0
 * @param {Board} board where a named cell is framed
 * @param {{steps: boolean, equations: boolean}} open what was left open; kept up to date
 */
export function thoughtOf(frames, at, board, open) {
  const thought = frames[at]?.thought;
  if (!thought) return null;
  /** @type {[number, string[]]} */
  const all = [at, thought.steps.filter((/** @type {string} */ line) => !idle(line) && !follows(line))];
  const [from, steps] = frames[at].certain ? origin(frames, at) : all;
  /**
   * @param {"steps" | "equations"} name
   * @param {string} title
   * @param {string[]} lines
   */
  const part = (name, title, lines) => lines.length > 0 && el("details", {
    open: open[name], ontoggle: (/** @type {any} */ event) => (open[name] = event.target.open),
  }, el("summary", {}, title), el("div", { class: "stack" }, set(lines, board)));
  const matrix = steps.some((line) => line.startsWith("matrix"));
  const where = from === at ? "" : `, before move ${from + 1}`;
  const known = thought.equations.length === 1 ? "1 equation" : `${thought.equations.length} equations`;
  return [
    part("steps", `${matrix ? "Rows and matrix" : "How it was found"}${where}`, steps),
    part("equations", `${known} at hand`, thought.equations.map((/** @type {string} */ line) => ` ${line}`)),
  ];
}
