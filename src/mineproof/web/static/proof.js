// @ts-check
/** A proof on a board: the clues, the cell, then step by step; or two configurations. */
import { Board } from "./board/board.js";
import { button, el, fill } from "./dom.js";
import { say } from "./phrases.js";
import { linked } from "./linkedText.js";

/** @typedef {import("./board/cells.js").Cell} Cell */
/** @typedef {import("./phrases.js").Phrase} Phrase */

/**
 * Shows why a cell is certain, or that it is not.
 * @param {HTMLElement} host
 * @param {Board} board
 * @param {import("./messages.js").Responses["explain"]} proof of one cell
 * @param {{step?: number, key?: string}} [options] how many steps are shown at first (default: all),
 *   and the key that shows the next
 * @returns {() => boolean} shows the next step and returns whether there was one
 */
export function showProof(host, board, proof, { step, key } = {}) {
  if (!("cell" in proof)) return () => false;
  if (proof.mine === null) {
    showWitnesses(host, board, proof);
    return () => false;
  }
  const { steps } = proof;
  let shown = Math.min(step ?? steps.length, steps.length);
  const draw = () => {
    const here = steps[shown - 1];
    /** @type {Map<number, boolean>} */
    const settled = new Map();
    /** @type {[Cell, number][]} */
    const numbers = [];
    steps.slice(0, shown).forEach((each, number) => {
      for (const { cell, mine } of each.settled) {
        settled.set(cell[0] * board.position.cols + cell[1], mine);
        if (steps.length > 1) numbers.push([cell, number + 1]);
      }
    });
    if (!steps.length) settled.set(proof.cell[0] * board.position.cols + proof.cell[1], proof.mine);
    board.settled = settled;
    board.overlay = { clues: here && shown < steps.length ? here.clues : proof.clues, asked: [proof.cell], numbers };
    board.draw();
    fill(
      host,
      el("p", {}, linked(proof.verdict, board), "."),
      steps.length > 0 && el(
        "ol",
        { class: "proof" },
        steps.slice(0, Math.max(shown, 0)).map((each, number) =>
          el("li", { class: number === shown - 1 ? "now" : "" }, linked(each.why, board))),
      ),
      steps.length > 1 && el(
        "div",
        { class: "row" },
        button("Back", () => { shown -= 1; draw(); }, { disabled: shown <= 0 }),
        button("Next step", () => { shown += 1; draw(); }, { disabled: shown >= steps.length, class: shown < steps.length ? "main" : "", key: shown < steps.length ? key : undefined }),
        el("span", { class: "soft small" }, say("proof.step", { step: shown, steps: steps.length })),
      ),
    );
  };
  draw();
  return () => {
    if (shown >= steps.length) return false;
    shown += 1;
    draw();
    return true;
  };
}

/**
 * Two configurations consistent with the clues: one with a mine in the cell, one without.
 * @param {HTMLElement} host
 * @param {Board} board
 * @param {import("./messages.js").UndecidedCell} proof
 */
function showWitnesses(host, board, proof) {
  /** @type {HTMLElement[]} */
  const choices = [];
  const show = (/** @type {Cell[] | null} */ mines, /** @type {HTMLElement} */ chosen) => {
    for (const each of choices) each.setAttribute("aria-pressed", String(each === chosen));
    const { cols } = board.position;
    board.settled = new Map((mines ?? []).map(([row, col]) => [row * cols + col, true]));
    board.overlay = { asked: [proof.cell] };
    board.draw();
  };
  const [withMine, without] = proof.witnesses ?? [];
  const offer = (/** @type {string} */ words, /** @type {Cell[]} */ mines) => {
    const one = button(words, () => show(mines, one), { "aria-pressed": "false" });
    choices.push(one);
  };
  if (withMine) offer(say("proof.witness", { mine: true }), withMine);
  if (without) offer(say("proof.witness", { mine: false }), without);
  show(null, host);
  fill(
    host,
    el("p", {}, linked(proof.verdict, board), "."),
    proof.notes.map((note) => el("p", {}, linked(note, board))),
    choices.length > 0 && el("p", { class: "soft small" }, say("proof.consistent")),
    el("div", { class: "row" }, choices),
  );
}
