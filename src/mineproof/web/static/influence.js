// @ts-check
/** The chain of influence over a board: how deep each cell lies, and what one rests on. */
import { el, fill } from "./dom.js";
import { linked } from "./words.js";

/** @typedef {import("./board/looks.js").Cell} Cell */

/**
 * @param {import("./app.js").App} app
 * @param {HTMLElement} host
 * @param {import("./board/board.js").Board} board
 * @param {any} record
 */
export async function showInfluence(app, host, board, record) {
  const chain = await app.brain.ask("influence", { record });
  const depth = new Map(chain.nodes.map((/** @type {any} */ node) => [node.cell.join(","), node.depth]));
  const parents = new Map(chain.nodes.map((/** @type {any} */ node) => [node.cell.join(","), node.parents]));
  const numbers = chain.nodes.map((/** @type {any} */ node) => [node.cell, node.depth]);

  /** @param {Cell[]} path */
  const along = (path) => path.slice(1).map((cell, at) => /** @type {[Cell, Cell]} */ ([path[at], cell]));
  const whole = () => {
    board.overlay = { numbers, arrows: along(chain.longest), asked: chain.longest.slice(-1) };
    board.draw();
    fill(host, el("p", {}, `The longest chain has ${chain.longest.length} cells; numbers tell how deep each cell lies.`),
      el("p", { class: "soft small" }, "Click a cell to see what it rests on."));
  };
  /** @param {Cell} cell */
  const one = async (cell) => {
    if (!depth.has(cell.join(","))) return whole();
    const answer = await app.brain.ask("influence", { record, cell });
    /** @type {[Cell, Cell][]} */
    const arrows = [];
    for (const each of [cell, ...answer.ancestors]) {
      for (const parent of parents.get(each.join(",")) ?? []) arrows.push([parent, each]);
    }
    board.overlay = { arrows: arrows.slice(0, 400), asked: [cell] };
    board.draw();
    fill(host, el("p", {}, el("b", {}, `(${cell.join(",")})`), ` lies ${answer.depth} deep and rests on ${answer.ancestors.length} cells.`),
      el("ol", { class: "proof scroll" }, answer.words.slice(0, 60).map((/** @type {string} */ line) => el("li", {}, linked(line, board)))));
  };
  board.gestures = { primary: (cell) => void one(cell).catch(app.complain) };
  whole();
}
