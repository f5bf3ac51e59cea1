// @ts-check
/** The mine probabilities on a board, while they are switched on. */
import { icon } from "./board/sheet.js";
import { MINE, TOLD_SAFE } from "./board/looks.js";
import { button, el, percent } from "./dom.js";

export class Heat {
  /**
   * @param {import("./brain.js").Brain} brain
   * @param {import("./board/board.js").Board} board
   * @param {() => import("./messages.js").Odds | null} position the fields that name the position
   * @param {(error: unknown) => void} refused
   */
  constructor(brain, board, position, refused) {
    this.brain = brain;
    this.board = board;
    this.position = position;
    this.refused = refused;
    this.on = false;
    this.zeros = false;
    this.turn = 0;
    this.what = el("span", {}, "risk in %");
    this.other = button("probability of a 0", () => void this.set(true, !this.zeros), { class: "ref" });
    this.marks = [el("span", {}, icon(TOLD_SAFE), " safe"), el("span", {}, icon(MINE), " mine")];
    this.legend = el(
      "div",
      { class: "legend", hidden: true },
      el("span", {}, "0"), el("span", { class: "scale", role: "img", "aria-label": "colour scale from cool to hot" }), el("span", {}, "100 "), this.what,
      ...this.marks, this.other,
    );
  }

  /**
   * @param {boolean} on
   * @param {boolean} [zeros] show the probability of a 0 instead of the risk
   */
  async set(on, zeros = false) {
    this.on = on;
    this.zeros = zeros;
    this.what.textContent = zeros ? "probability of a 0 in % (no colour: impossible)" : "risk in %";
    for (const mark of this.marks) mark.hidden = zeros;
    this.other.textContent = zeros ? "risk" : "probability of a 0";
    await this.refresh();
  }

  /** The position has changed: ignore probabilities that are still being computed. */
  forget() {
    this.turn++;
    this.board.odds = null;
    this.board.draw();
  }

  /** The position has changed: compute the probabilities again. */
  async refresh() {
    const turn = ++this.turn;
    const position = this.on ? this.position() : null;
    this.legend.hidden = !position;
    if (!position) {
      this.board.odds = null;
      this.board.draw();
      return null;
    }
    try {
      const odds = await this.brain.ask("odds", { ...position, zeros: this.zeros || undefined });
      if (turn !== this.turn) return null;
      this.board.zeros = this.zeros;
      this.board.odds = { ...odds, zero: odds.zeros };
      this.board.draw();
      return odds;
    } catch (error) {
      if (turn === this.turn) {
        this.board.odds = null;
        this.board.draw();
        this.refused(error);
      }
      return null;
    }
  }

  /** A sentence about the cell under the mouse. @param {[number, number] | null} cell */
  words(cell) {
    const odds = this.board.odds;
    if (!cell || !odds || this.board.truth) return "";
    const risk = odds.risk[cell[0]]?.[cell[1]];
    if (risk === null || risk === undefined) return "";
    const same = (/** @type {[number, number][]} */ cells) => cells.some(([r, c]) => r === cell[0] && c === cell[1]);
    const name = `(${cell.join(",")})`;
    if (same(odds.safe)) return `${name} is certainly safe`;
    if (same(odds.mined)) return `${name} is certainly a mine`;
    const zero = odds.zero?.[cell[0]]?.[cell[1]];
    return `${name}: risk ${percent(risk, 2)}${typeof zero === "number" ? `, probability of a 0: ${percent(zero, 2)}` : ""}`;
  }
}
