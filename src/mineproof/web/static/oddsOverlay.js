// @ts-check
/** The mine probabilities on a board, while they are switched on. */
import { icon } from "./board/sheet.js";
import { MINE, KNOWN_SAFE } from "./board/cells.js";
import { button, el, percent } from "./dom.js";
import { say } from "./phrases.js";

export class OddsOverlay {
  /**
   * @param {import("./client.js").Client} client
   * @param {import("./board/board.js").Board} board
   * @param {() => import("./messages.js").OddsRequest | null} position the fields that name the position
   * @param {(error: unknown) => void} refused
   */
  constructor(client, board, position, refused) {
    this.client = client;
    this.board = board;
    this.position = position;
    this.refused = refused;
    this.on = false;
    this.zeros = false;
    this.turn = 0;
    this.what = el("span", {}, say("heat.what", { zeros: false }));
    this.other = button(say("heat.other", { zeros: false }), () => void this.set(true, !this.zeros), { class: "ref" });
    this.marks = [el("span", {}, icon(KNOWN_SAFE), " safe"), el("span", {}, icon(MINE), " mine")];
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
    this.what.textContent = say("heat.what", { zeros });
    for (const mark of this.marks) mark.hidden = zeros;
    this.other.textContent = say("heat.other", { zeros });
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
      const odds = await this.client.ask("odds", { ...position, zeros: this.zeros || undefined });
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
    if (same(odds.safe) || same(odds.mined)) return say("heat.certain", { cell, mine: same(odds.mined) });
    const zero = odds.zero?.[cell[0]]?.[cell[1]];
    return say("heat.risk", { cell, risk: percent(risk, 2), zero: typeof zero === "number" ? percent(zero, 2) : "none" });
  }
}
