// @ts-check
/** Words of the engine, with every cell that they name as something to point at. */
import { el } from "./dom.js";

/**
 * What a refusal says, as a sentence beside the board that it is about.
 * @param {string} message
 */
export function sentence(message) {
  const told = message.replace(/ in '[^']*'$/, "");
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}${/[.!?]$/.test(told) ? "" : "."}`;
}

/**
 * @param {string} text
 * @param {import("./board/board.js").Board} board where a named cell is framed
 */
export function linked(text, board) {
  return text.split(/(\(\d+,\d+\))/).map((part) => {
    const found = /^\((\d+),(\d+)\)$/.exec(part);
    if (!found) return part;
    /** @type {[number, number]} */
    const cell = [Number(found[1]), Number(found[2])];
    if (cell[0] >= board.position.rows || cell[1] >= board.position.cols) return part;
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
    }, part);
  });
}

/**
 * What a game is played under, as in `world/conditions.py`: `9x9/10, opening clear, exact clues`.
 * @param {{rows: number, cols: number, mines?: number | null, rules: any, clues: string}} game
 */
export function conditions({ rows, cols, mines, rules, clues }) {
  const parts = [`${rows}x${cols}${typeof mines === "number" ? `/${mines}` : ""}`, `opening ${rules.opening}`, `${clues} clues`];
  if (rules.on_mine === "continue") parts.push("for a score");
  if (rules.count_known === false) parts.push("mine count unknown");
  if (rules.flood === false) parts.push("no flood");
  return parts.join(", ");
}
