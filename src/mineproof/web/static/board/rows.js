// @ts-check
/**
 * The board for screen readers: rows of grid cells over the picture, each with a description. Large
 * boards have only the rows near the active one, as ARIA's row and column indices allow.
 */
import { el } from "../dom.js";

const ALL = 1200; // boards with at most this many cells have all rows
const NEAR = 3; // other boards: rows above and below the active one

/** @typedef {import("./cells.js").Cell} Cell */

export class Rows {
  /**
   * @param {HTMLElement} grid
   * @param {HTMLElement} host over the canvas
   * @param {(cell: Cell) => string} words
   */
  constructor(grid, host, words) {
    this.grid = grid;
    this.host = host;
    this.words = words;
    this.rows = this.cols = this.side = 0;
    /** @type {Map<number, HTMLElement[]>} */
    this.shown = new Map();
    this.name = `g${Math.random().toString(36).slice(2, 8)}`;
  }

  /**
   * @param {number} rows
   * @param {number} cols
   * @param {number} side
   */
  resize(rows, cols, side) {
    if (rows === this.rows && cols === this.cols && side === this.side) return;
    Object.assign(this, { rows, cols, side });
    this.grid.setAttribute("aria-rowcount", String(rows));
    this.grid.setAttribute("aria-colcount", String(cols));
    this.host.replaceChildren();
    this.shown.clear();
  }

  /** @param {Cell} active */
  move(active) {
    const all = this.rows * this.cols <= ALL;
    const first = all ? 0 : Math.max(0, active[0] - NEAR);
    const last = all ? this.rows - 1 : Math.min(this.rows - 1, active[0] + NEAR);
    for (const row of [...this.shown.keys()]) {
      if (row < first || row > last) this.#drop(row);
    }
    for (let row = first; row <= last; row++) if (!this.shown.has(row)) this.#add(row);
    const cell = this.shown.get(active[0])?.[active[1]];
    if (cell) this.grid.setAttribute("aria-activedescendant", cell.id);
  }

  /** @param {number} row */
  #drop(row) {
    this.shown.get(row)?.[0]?.parentElement?.remove();
    this.shown.delete(row);
  }

  /** @param {number} row */
  #add(row) {
    const cells = Array.from({ length: this.cols }, (_, col) => {
      const label = this.words([row, col]);
      const cell = el("div", {
        role: "gridcell",
        id: `${this.name}-${row}-${col}`,
        "aria-colindex": col + 1,
        "aria-label": label,
        "data-cell": `${row},${col}`,
      });
      cell.style.width = `${this.side}px`;
      return cell;
    });
    const line = el("div", { role: "row", "aria-rowindex": row + 1, class: "line" }, cells);
    line.style.top = `${row * this.side}px`;
    line.style.height = `${this.side}px`;
    const after = [...this.shown.keys()].filter((each) => each > row).sort((a, b) => a - b)[0];
    const before = after === undefined ? null : this.shown.get(after)?.[0]?.parentElement ?? null;
    this.host.insertBefore(line, before);
    this.shown.set(row, cells);
  }

  /** Words of all cells that are there, where they changed. */
  refresh() {
    for (const [row, cells] of this.shown) {
      cells.forEach((cell, col) => {
        const label = this.words([row, col]);
        if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      });
    }
  }
}
