// @ts-check
/** The chain of influence on a board: the depth of each cell, and what one cell rests on. */
import { button, el, fill } from "./dom.js";
import { say } from "./phrases.js";
import { linked } from "./linkedText.js";

/** @typedef {import("./board/cells.js").Cell} Cell */

/**
 * @param {import("./app.js").App} app
 * @param {HTMLElement} host
 * @param {import("./board/board.js").Board} board
 * @param {import("./messages.js").RecordData} record
 */
export async function showInfluence(app, host, board, record) {
  const chain = await app.client.ask("influence", { record });
  if (!("nodes" in chain)) return;
  const depth = new Map(chain.nodes.map((node) => [node.cell.join(","), node.depth]));
  const numbers = chain.nodes.map((node) => /** @type {[Cell, number]} */ ([node.cell, node.depth]));

  /** @param {Cell[]} path */
  const along = (path) => path.slice(1).map((cell, at) => /** @type {[Cell, Cell]} */ ([path[at], cell]));
  const whole = () => {
    board.overlay = { veil: true, numbers, arrows: along(chain.longest), asked: chain.longest.slice(-1) };
    board.draw();
    fill(host, el("p", {}, say("influence.page", { cells: chain.longest.length })),
      el("p", { class: "soft small" }, say("influence.click")));
  };
  /** @param {Cell} cell */
  const one = async (cell) => {
    if (!depth.has(cell.join(","))) return whole();
    const answer = await app.client.ask("influence", { record, cell });
    if (!("ancestors" in answer)) return;
    board.overlay = { marks: answer.ancestors, arrows: along(answer.chain), asked: [cell] };
    board.draw();
    const [head, ...steps] = answer.steps;
    const deep = say("influence.depth", { depth: answer.depth });
    fill(host, el("p", {}, linked(head, board)), el("p", { class: "soft small" }, deep),
      el("div", { class: "stack scroll", tabIndex: 0 }, steps.slice(0, 60).map((line) => el("p", { class: "small" }, linked(line, board)))),
      button("The whole chain", whole));
  };
  board.gestures = { primary: (cell) => void one(cell).catch(app.complain) };
  whole();
}
