// @ts-check
/** Shows messages of the engine; every cell that they name can be pointed at. */
import { el } from "./dom.js";
import { capital, pieces } from "./phrases.js";

/** A message as a sentence. @param {string} text */
export const sentence = (text) => `${capital(text)}${".!?".includes(text.slice(-1)) ? "" : "."}`;

/** `1 mine`, `2 mines`. @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** @typedef {import("./board/board.js").Board} Board */
/** @typedef {import("./board/cells.js").Cell} Cell */

/**
 * A phrase whose cells can be pointed at, or the text of another program.
 * @param {string | import("./phrases.js").Phrase} said
 * @param {Board} board on which the cell that is pointed at is framed
 */
export const linked = (said, board) => (typeof said === "string" ? [said] : pieces(said)).map((piece) => (typeof piece === "string" ? piece : link(piece, board)));

/** The same as a sentence. @param {string | import("./phrases.js").Phrase} said @param {Board} board */
export function linkedSentence(said, board) {
  const parts = linked(said, board);
  if (typeof parts[0] === "string") parts[0] = capital(parts[0]);
  const last = parts.at(-1);
  return typeof last === "string" && ".!?".includes(last.slice(-1)) ? parts : [...parts, "."];
}

/**
 * The same for a line of an agent's log. Formulas are notation, in which a cell is `(row,col)`.
 * @param {string | import("./phrases.js").Phrase} said
 * @param {Board} board
 */
export const linkedFormula = (said, board) => linked(said, board).flatMap((piece) => (typeof piece === "string" ? piece.split(/(\(\d+,\d+\))/) : [piece])).map((piece) => {
  const found = typeof piece === "string" && /^\((\d+),(\d+)\)$/.exec(piece);
  return found ? link([Number(found[1]), Number(found[2])], board) : piece;
});

/** Cells that can be pointed at. @param {Cell[]} cells @param {Board} board */
export const links = (cells, board) => cells.flatMap((cell) => [" ", link(cell, board)]).slice(1);

/** A cell that can be pointed at. @param {Cell} cell @param {Board} board */
export function link(cell, board) {
  const name = `(${cell.join(",")})`;
  if (cell[0] >= board.position.rows || cell[1] >= board.position.cols) return name;
  const point = (/** @type {boolean} */ on) => {
    board.overlay = { ...board.overlay, marks: on ? [cell] : [] };
    board.draw(false);
  };
  return el("button", {
    type: "button", class: "ref",
    onclick: () => {
      point(true);
      board.goTo(cell);
    },
    onpointerenter: () => point(true), onpointerleave: () => point(false),
    onfocus: () => point(true), onblur: () => point(false),
  }, name);
}

/**
 * The conditions of a game, as in `world/conditions.py`: `9x9/10, opening clear, exact clues`.
 * @param {{rows: number, cols: number, mines?: number | null, rules: import("./messages.js").SomeRules | import("./messages.js").RulesData, clues: string}} game
 */
export function conditions({ rows, cols, mines, rules, clues }) {
  const parts = [`${rows}x${cols}${typeof mines === "number" ? `/${mines}` : ""}`, `opening ${rules.opening}`, `${clues} clues`];
  if (rules.on_mine === "continue") parts.push("for a score");
  if (rules.count_known === false) parts.push("mine count unknown");
  if (rules.flood === false) parts.push("no flood");
  if (rules.luck === "fair") parts.push("no luck");
  return parts.join(", ");
}
