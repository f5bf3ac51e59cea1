// @ts-check
/**
 * Draws a board on two canvases: cells below, frames and arrows above. Only cells whose look
 * changed are drawn again, so that a flood of a thousand cells costs a millisecond or two.
 */
import { ACROSS, PIN } from "./cells.js";
import { sheetOf } from "./sheet.js";

// The colours of mineproof.render.palette; a test compares them.
export const OPENED = "#eef1f4";
export const GRID_LINE = "#d4dae1";
export const DARK = "#1b2230";
export const LIGHT = "#ffffff";
export const CLUE = "#8a3ffc";
export const CLASH = "#c81e1e";

/** @typedef {import("./cells.js").Cell} Cell */

/**
 * Frames, numbers and arrows over the cells.
 * @typedef {object} Overlay
 * @property {Cell[]} [clues] framed in violet: clues that are used
 * @property {Cell[]} [asked] framed in dark and light: the cells in question
 * @property {Cell[]} [clash] framed in red and dashed: clues that cannot hold together
 * @property {Cell[]} [marks] framed thinly
 * @property {boolean} [veil] whether the cells are dimmed below all that lies over them
 * @property {[Cell, string | number][]} [numbers] small numbers in a corner, or in the middle over a veil
 * @property {[Cell, Cell][]} [arrows]
 */

export class Painter {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.below = document.createElement("canvas");
    this.above = document.createElement("canvas");
    for (const canvas of [this.below, this.above]) {
      canvas.setAttribute("aria-hidden", "true");
      host.append(canvas);
    }
    this.above.className = "above";
    this.rows = this.cols = 0;
    this.side = 0; // of a cell, in device pixels
    this.scale = 1; // device pixels in a CSS pixel
    /** @type {HTMLCanvasElement | null} */
    this.sheet = null;
    this.drawn = new Uint16Array(0);
  }

  /**
   * @param {number} rows
   * @param {number} cols
   * @param {number} cssSide
   * @param {number} ratio device pixels wanted in a CSS pixel
   */
  async resize(rows, cols, cssSide, ratio) {
    // Browsers refuse huge canvases; a coarser one is better than none.
    const most = 8000 / Math.max(rows, cols);
    const side = Math.max(1, Math.round(Math.min(cssSide * ratio, Math.max(most, 4))));
    const same = side === this.side && rows === this.rows && cols === this.cols;
    this.scale = side / cssSide;
    for (const canvas of [this.below, this.above]) {
      canvas.style.width = `${cssSide * cols}px`;
      canvas.style.height = `${cssSide * rows}px`;
    }
    if (same && this.sheet) return;
    Object.assign(this, { rows, cols, side });
    const sheet = await sheetOf(side);
    if (this.side !== side || this.rows !== rows || this.cols !== cols) return;
    this.sheet = sheet;
    for (const canvas of [this.below, this.above]) {
      canvas.width = cols * side;
      canvas.height = rows * side;
    }
    this.drawn = new Uint16Array(rows * cols).fill(0xffff);
  }

  /**
   * @param {Uint8Array} looks
   * @param {Set<number>} pins places with a small flag in a corner
   */
  cells(looks, pins) {
    const context = this.below.getContext("2d");
    if (!context || !this.sheet || this.drawn.length !== looks.length) return;
    for (let index = 0; index < looks.length; index++) {
      const look = looks[index] + (pins.has(index) ? 256 : 0);
      if (this.drawn[index] === look) continue;
      this.drawn[index] = look;
      this.#cell(context, index, looks[index]);
      if (pins.has(index)) this.#shape(context, index, PIN);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} index
   * @param {number} look
   */
  #cell(context, index, look) {
    const { side, cols } = this;
    const [x, y] = [(index % cols) * side, Math.floor(index / cols) * side];
    const line = Math.max(1, Math.round(side / 24));
    context.fillStyle = GRID_LINE;
    context.fillRect(x, y, side, side);
    context.fillStyle = OPENED;
    context.fillRect(x, y, side - line, side - line);
    if (look > 0) this.#shape(context, index, look);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} index
   * @param {number} look
   */
  #shape(context, index, look) {
    const { side, cols, sheet } = this;
    if (!sheet) return;
    const [x, y] = [(index % cols) * side, Math.floor(index / cols) * side];
    const [from, top] = [(look % ACROSS) * side, Math.floor(look / ACROSS) * side];
    context.drawImage(sheet, from, top, side, side, x, y, side, side);
  }

  /**
   * @param {Overlay} overlay
   * @param {{cursor: Cell | null, last: Cell | null, pressed: Cell[]}} hand
   */
  over(overlay, { cursor, last, pressed }) {
    const context = this.above.getContext("2d");
    if (!context) return;
    const { side } = this;
    context.clearRect(0, 0, this.above.width, this.above.height);
    const unit = side / 24;
    if (overlay.veil) {
      context.fillStyle = "rgba(255,255,255,.72)";
      context.fillRect(0, 0, this.above.width, this.above.height);
    }
    context.fillStyle = "rgba(27,34,48,.22)";
    for (const [row, col] of pressed) {
      context.fillRect(col * side + unit, row * side + unit, side - 2 * unit, side - 2 * unit);
    }
    const frame = (/** @type {Cell} */ [row, col], /** @type {string} */ colour,
      /** @type {number} */ width, /** @type {number} */ inset) => {
      context.strokeStyle = colour;
      context.lineWidth = width * unit;
      context.beginPath();
      const [x, y] = [col * side + inset * unit, row * side + inset * unit];
      context.roundRect(x, y, side - 2 * inset * unit, side - 2 * inset * unit, 4 * unit);
      context.stroke();
    };
    if (last) frame(last, "rgba(27,34,48,.55)", 1.4, 1);
    for (const cell of overlay.marks ?? []) frame(cell, CLUE, 1.4, 2);
    for (const cell of overlay.clues ?? []) frame(cell, CLUE, 2.6, 1.5);
    context.setLineDash([4 * unit, 2.4 * unit]);
    for (const cell of overlay.clash ?? []) frame(cell, CLASH, 3, 1.8);
    context.setLineDash([]);
    for (const cell of overlay.asked ?? []) {
      frame(cell, LIGHT, 5.5, 1.4);
      frame(cell, DARK, 3, 1.4);
    }
    this.#arrows(context, overlay.arrows ?? []);
    this.#numbers(context, overlay.numbers ?? [], overlay.veil ?? false);
    if (cursor) {
      frame(cursor, LIGHT, 4.4, 2.4);
      frame(cursor, "#6d28d9", 2.4, 2.4);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {[Cell, string | number][]} numbers
   * @param {boolean} middle of the cells, or their corners
   */
  #numbers(context, numbers, middle) {
    const { side } = this;
    const unit = side / 24;
    context.font = `700 ${(middle ? 11 : 9) * unit}px system-ui, sans-serif`;
    context.textAlign = middle ? "center" : "right";
    context.lineJoin = "round";
    context.lineWidth = 2.6 * unit;
    context.strokeStyle = LIGHT;
    context.fillStyle = DARK;
    for (const [[row, col], number] of numbers) {
      const [x, y] = [col * side + (middle ? 12 : 22) * unit, row * side + (middle ? 16 : 21.5) * unit];
      context.strokeText(String(number), x, y);
      context.fillText(String(number), x, y);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {[Cell, Cell][]} arrows
   */
  #arrows(context, arrows) {
    const { side } = this;
    const unit = side / 24;
    context.lineCap = "round";
    for (const [from, to] of arrows) {
      const [x, y] = [(from[1] + 0.5) * side, (from[0] + 0.5) * side];
      const [u, v] = [(to[1] + 0.5) * side, (to[0] + 0.5) * side];
      const angle = Math.atan2(v - y, u - x);
      const [endX, endY] = [u - Math.cos(angle) * 6 * unit, v - Math.sin(angle) * 6 * unit];
      for (const [colour, width] of /** @type {[string, number][]} */ ([[LIGHT, 4], [CLUE, 2]])) {
        context.strokeStyle = colour;
        context.lineWidth = width * unit;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(endX, endY);
        for (const turn of [2.6, -2.6]) {
          context.moveTo(endX, endY);
          context.lineTo(endX + Math.cos(angle + turn) * 5 * unit, endY + Math.sin(angle + turn) * 5 * unit);
        }
        context.stroke();
      }
    }
  }

  /** The picture, both layers in one. */
  picture() {
    const canvas = document.createElement("canvas");
    canvas.width = this.below.width;
    canvas.height = this.below.height;
    const context = canvas.getContext("2d");
    context?.drawImage(this.below, 0, 0);
    context?.drawImage(this.above, 0, 0);
    return canvas;
  }
}

