// @ts-check
/** The reasoning behind a move: its steps with their matrices, and the equations. */
import { el } from "./dom.js";
import { say } from "./phrases.js";
import { linkedFormula } from "./linkedText.js";

/** @typedef {import("./messages.js").GameMove} GameMove */
/** @typedef {import("./board/board.js").Board} Board */

/** @typedef {import("./messages.js").LogEntry} Entry a line of a log */
/** @typedef {{cells: [number, number][], rule: string}} Deduced the values of an entry of this kind */

/**
 * When the cell of a certain move was deduced (it may have been queued since), and the steps.
 * @param {GameMove[]} frames
 * @param {number} at
 * @returns {[number, Entry[]]}
 */
function origin(frames, at) {
  const { cell } = frames[at];
  const isIt = (/** @type {[number, number]} */ [row, col]) => row === cell?.[0] && col === cell?.[1];
  for (let before = at; before >= 0; before--) {
    /** @type {Entry[]} */
    const steps = frames[before].thought?.steps ?? [];
    const found = steps.findIndex(({ kind, values }) => kind === "deduced" && /** @type {Deduced} */ (values).cells.some(isIt));
    if (found < 0) continue;
    let first = found;
    while (first > 0 && steps[first - 1].kind === "deduced") first--; // found in the same go
    let from = first;
    while (from > 0 && steps[from - 1].kind !== "deduced" && steps[from].kind !== "scope") from--;
    // For a single clue the reason itself is enough.
    const alone = steps[from].kind !== "scope" || steps[found].values?.rule === "local";
    return [before, alone ? [] : [...steps.slice(from, first), steps[found]]];
  }
  return [at, []];
}

/**
 * @param {Entry[]} entries
 * @param {Board} board
 */
function set(entries, board) {
  const parts = [];
  for (let at = 0; at < entries.length; at++) {
    const from = at;
    const columns = entries[from].kind === "columns";
    while (columns && entries[at + 1]?.kind === "columns") at++;
    const text = entries.slice(from, at + 1).flatMap(({ text: formula, phrase = "", values = {} }, line) => [line ? "\n" : "", ...linkedFormula(formula ?? { phrase, values }, board)]);
    parts.push(columns ? el("pre", { class: "scroll", tabIndex: 0 }, text) : el("p", { class: "small" }, text));
  }
  return parts;
}

/**
 * @param {GameMove[]} frames
 * @param {number} at the number of the frame, from 0
 * @param {Board} board where a named cell is framed
 * @param {{steps: boolean, equations: boolean}} open what was left open; kept up to date
 */
export function moveReasoning(frames, at, board, open) {
  const thought = frames[at]?.thought;
  if (!thought) return null;
  /** @type {[number, Entry[]]} */
  const all = [at, thought.steps.filter(({ kind }) => kind !== "idle" && kind !== "deduced")];
  const [from, steps] = frames[at].certain ? origin(frames, at) : all;
  /**
   * @param {"steps" | "equations"} name
   * @param {string} title
   * @param {Entry[]} entries
   */
  const part = (name, title, entries) => entries.length > 0 && el("details", {
    open: open[name], ontoggle: (/** @type {any} */ event) => (open[name] = event.target.open),
  }, el("summary", {}, title), el("div", { class: "stack" }, set(entries, board)));
  const matrix = steps.some((entry) => entry.phrase === "log.matrix");
  return [
    part("steps", say("thought.steps", { matrix, before: from === at ? "none" : from + 1 }), steps),
    part("equations", say("thought.equations", { equations: thought.equations.length }), thought.equations),
  ];
}
