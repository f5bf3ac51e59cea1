// @ts-check
/** The odds of every hidden cell over a board, as long as they are wanted. */
import { icon } from "./board/sheet.js";
import { MINE, TOLD_SAFE } from "./board/looks.js";
import { button, el, percent } from "./dom.js";

export class Heat {
  /**
   * @param {import("./brain.js").Brain} brain
   * @param {import("./board/board.js").Board} board
   * @param {() => Record<string, any> | null} position the fields that name the position
   * @param {(error: any) => void} refused
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
    this.other = button("chance of a 0", () => void this.set(true, !this.zeros), { class: "ref" });
    this.marks = [el("span", {}, icon(TOLD_SAFE), " safe"), el("span", {}, icon(MINE), " mine")];
    this.legend = el(
      "div",
      { class: "legend", hidden: true },
      el("span", {}, "0"), el("span", { class: "scale", role: "img", "aria-label": "from cool to hot" }), el("span", {}, "100 "), this.what,
      ...this.marks, this.other,
    );
  }

  /**
   * @param {boolean} on
   * @param {boolean} [zeros] the chance of a zero in place of the risk
   */
  async set(on, zeros = false) {
    this.on = on;
    this.zeros = zeros;
    this.what.textContent = zeros ? "chance of a 0 in %; plain: none" : "risk in %";
    for (const mark of this.marks) mark.hidden = zeros;
    this.other.textContent = zeros ? "risk" : "chance of a 0";
    await this.refresh();
  }

  /** The position is another one: odds that are still on their way are not its own. */
  forget() {
    this.turn++;
    this.board.odds = null;
    this.board.draw();
  }

  /** Asks again: the position is another one. */
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

  /** The words of a cell under the mouse. @param {[number, number] | null} cell */
  words(cell) {
    const odds = this.board.odds;
    if (!cell || !odds || this.board.truth) return "";
    const risk = odds.risk[cell[0]]?.[cell[1]];
    if (risk === null || risk === undefined) return "";
    const same = (/** @type {[number, number][]} */ cells) => cells.some(([r, c]) => r === cell[0] && c === cell[1]);
    const name = `(${cell.join(",")})`;
    if (same(odds.safe)) return `${name} is safe for certain`;
    if (same(odds.mined)) return `${name} is a mine for certain`;
    const zero = odds.zero?.[cell[0]]?.[cell[1]];
    return `${name} is a mine with ${percent(risk, 2)}${typeof zero === "number" ? `, shows 0 with ${percent(zero, 2)}` : ""}`;
  }
}
