// @ts-check
/**
 * A board on the page: shows cells, mine probabilities, proofs and mines, and reports clicks and keys.
 * The server or worker decides what a move does.
 */
import { el } from "../dom.js";
import { attach } from "./pointer.js";
import {
  FLAGGED, HIDDEN, MINE, KNOWN_SAFE, WRONG_FLAG, ZERO,
  neighbours, isCovered, riskLook, stateOf, wordsOf,
} from "./cells.js";
import { Painter } from "./painter.js";
import { Rows } from "./rows.js";

/** @typedef {import("./cells.js").Cell} Cell */
/** @typedef {import("./cells.js").Position} Position */
/** @typedef {{risk: (number | null)[][], safe: Cell[], mined: Cell[], zero?: (number | null)[][]}} Odds */

const LARGEST = 42; // CSS pixels of a cell at most, unless zoomed

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {{label?: string, gestures?: import("./pointer.js").Gestures,
   *   key?: (key: string, cell: Cell, event: KeyboardEvent) => boolean | void,
   *   least?: number, most?: number, share?: number}} [options]
   */
  constructor(host, { label = "board", gestures = {}, key, least, most = LARGEST, share = 1 } = {}) {
    this.gestures = gestures;
    this.key = key;
    this.least = least ?? (window.matchMedia("(pointer: coarse)").matches ? 28 : 20);
    this.most = most;
    this.share = share; // of the window's height that it may take
    this.zoom = 1;
    this.side = this.least; // of a cell, in CSS pixels
    /** @type {Position} */
    this.position = { rows: 0, cols: 0, mines: null, states: new Uint8Array(0) };
    /** @type {Odds | null} */
    this.odds = null;
    /** @type {Uint8Array | null} */
    this.truth = null;
    /** @type {Map<number, boolean>} cells deduced in a proof: whether each is a mine */
    this.settled = new Map();
    /** @type {import("./painter.js").Overlay} */
    this.overlay = {};
    /** @type {Cell} */
    this.cursor = [0, 0];
    this.cursorSeen = false;
    /** @type {Cell | null} */
    this.last = null;
    /** @type {Cell[]} */
    this.pressed = [];
    this.zeros = false; // show the chance of a zero in place of the risk

    this.columns = el("div", { class: "ruler columns", "aria-hidden": "true" });
    this.lines = el("div", { class: "ruler rows", "aria-hidden": "true" });
    this.cells = el("div", { class: "cells", role: "rowgroup" });
    this.well = el("div", { class: "well", role: "grid", tabIndex: 0, "aria-label": label });
    this.sheet = el("div", { class: "sheet" }, el("div", { class: "corner" }), this.columns, this.lines, this.well);
    this.root = el("div", { class: "board" }, this.sheet);
    host.append(this.root);
    this.painter = new Painter(this.well);
    this.well.append(this.cells);
    this.rows = new Rows(this.well, this.cells, (cell) => this.#words(cell));
    this.#listen();
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(host);
    this.host = host;
    this.waiting = false; // for the next frame
    this.stale = true; // cells, too
  }

  #listen() {
    attach(this.cells, (x, y) => this.cellAt(x, y), () => ({
      ...this.gestures,
      press: (cell) => {
        this.pressed = cell && this.gestures.primary ? this.#held(cell) : [];
        this.draw(false);
      },
    }));
    this.well.addEventListener("hand", (/** @type {any} */ event) => {
      this.well.focus({ preventScroll: true });
      this.cursorSeen = false;
      this.cursor = event.detail;
      this.rows.move(this.cursor);
    });
    // What a screen reader sends when it activates a cell.
    this.cells.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const name = /** @type {HTMLElement} */ (event.target).dataset.cell;
      if (name && event.detail === 0) this.gestures.primary?.(parse(name), /** @type {any} */ (event));
    });
    this.well.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#keyed(event));
    this.well.addEventListener("blur", () => {
      this.cursorSeen = false;
      this.draw(false);
    });
    this.well.addEventListener("focus", () => {
      this.cursorSeen = this.well.matches(":focus-visible");
      this.draw(false);
    });
  }

  /** @param {Cell} cell */
  #held([row, col]) {
    const { rows, cols, states } = this.position;
    const index = row * cols + col;
    if (isCovered(states[index])) return states[index] === FLAGGED ? [] : [/** @type {Cell} */ ([row, col])];
    return neighbours(rows, cols, index)
      .filter((near) => states[near] === HIDDEN || states[near] === KNOWN_SAFE)
      .map((near) => this.cellOf(near));
  }

  /** @param {KeyboardEvent} event */
  #keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = /** @type {Record<string, Cell>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -this.position.cols], End: [0, this.position.cols],
      PageUp: [-5, 0], PageDown: [5, 0],
    });
    const step = steps[event.key];
    if (step) {
      const [row, col] = this.cursor;
      this.cursorSeen = true;
      this.goTo([
        Math.min(Math.max(row + step[0], 0), this.position.rows - 1),
        Math.min(Math.max(col + step[1], 0), this.position.cols - 1),
      ]);
      event.preventDefault();
    } else if (this.key?.(event.key, this.cursor, event)) {
      this.cursorSeen = true;
      event.preventDefault();
      event.stopPropagation();
      this.goTo(this.cursor); // it may be out of sight
      this.draw();
    }
  }

  /** @param {Cell} cell */
  goTo(cell) {
    this.cursor = cell;
    this.rows.move(cell);
    this.draw(false);
    const side = this.side;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
    const [x, y] = [cell[1] * side, cell[0] * side];
    if (x < scrollLeft + 30 || x + side > scrollLeft + clientWidth - 30) {
      this.root.scrollLeft = x - clientWidth / 2;
    }
    if (y < scrollTop + 30 || y + side > scrollTop + clientHeight - 30) {
      this.root.scrollTop = y - clientHeight / 2;
    }
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Cell | null}
   */
  cellAt(x, y) {
    const box = this.cells.getBoundingClientRect();
    const [row, col] = [Math.floor((y - box.top) / this.side), Math.floor((x - box.left) / this.side)];
    const { rows, cols } = this.position;
    return row >= 0 && col >= 0 && row < rows && col < cols ? [row, col] : null;
  }

  /** @param {number} index @returns {Cell} */
  cellOf(index) {
    return [Math.floor(index / this.position.cols), index % this.position.cols];
  }

  /** @param {Cell} cell */
  state([row, col]) {
    return this.position.states[row * this.position.cols + col];
  }

  /** The description of a cell for screen readers. @param {Cell} cell */
  #words([row, col]) {
    const index = row * this.position.cols + col;
    const risk = this.odds?.risk[row]?.[col];
    const chance = this.truth || risk === null || risk === undefined ? "" : `, risk ${(100 * risk).toFixed(1)} %`;
    return `row ${row}, column ${col}: ${wordsOf(this.#look(index))}${chance}`;
  }

  /** The look of a cell without probabilities. @param {number} index */
  #look(index) {
    const state = this.position.states[index];
    if (this.truth) {
      if (state === FLAGGED && !this.truth[index]) return WRONG_FLAG;
      if ((state === HIDDEN || state === KNOWN_SAFE) && this.truth[index]) return MINE;
    }
    const settled = this.settled.get(index);
    if (settled !== undefined && isCovered(state)) {
      return state === FLAGGED && !settled ? WRONG_FLAG : settled ? MINE : KNOWN_SAFE;
    }
    return state;
  }

  /** Shows a new position of any size. @param {Position} position */
  show(position) {
    const { rows, cols } = this.position;
    this.position = position;
    this.clear();
    this.truth = null;
    this.last = null;
    if (rows !== position.rows || cols !== position.cols) {
      this.cursor = [Math.floor(position.rows / 2), Math.floor(position.cols / 2)];
      this.root.scrollLeft = this.root.scrollTop = 0;
    }
    this.layout();
  }

  /** Applies changes: rows, columns and symbols. @param {import("../messages.js").Change[]} events */
  apply(events) {
    const { cols, states } = this.position;
    for (const [row, col, symbol] of events) states[row * cols + col] = stateOf(symbol);
    this.draw();
  }

  /** Removes probabilities, deductions and frames. */
  clear() {
    this.odds = null;
    this.settled = new Map();
    this.overlay = {};
    this.draw();
  }

  /** Fits the board to the available space. */
  layout() {
    const { rows, cols } = this.position;
    if (!rows) return;
    const gutter = 24;
    const width = this.host.clientWidth - gutter - 4;
    const height = window.innerHeight * this.share - 210;
    const fit = Math.min(width / cols, Math.max(height / rows, 24), this.most);
    this.side = Math.max(Math.floor(Math.max(fit, this.least) * this.zoom), 6);
    for (const [ruler, count] of /** @type {[HTMLElement, number][]} */ ([[this.columns, cols], [this.lines, rows]])) {
      ruler.style.setProperty("--side", `${this.side}px`);
      if (ruler.childElementCount !== count) {
        ruler.replaceChildren(...Array.from({ length: count }, (_, each) => el("span", {}, each)));
      }
    }
    this.rows.resize(rows, cols, this.side);
    this.rows.move(this.cursor);
    this.cells.style.width = `${this.side * cols}px`;
    this.cells.style.height = `${this.side * rows}px`;
    void this.painter.resize(rows, cols, this.side, window.devicePixelRatio || 1).then(() => this.draw());
  }

  /** Draws what changed before the next frame. @param {boolean} [cells] false: only frames, not cells */
  draw(cells = true) {
    this.stale ||= cells;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.stale) this.#paint();
      this.stale = false;
      this.painter.over(this.overlay, {
        cursor: this.cursorSeen ? this.cursor : null,
        last: this.last,
        pressed: this.pressed,
      });
    });
  }

  #paint() {
    const { rows, cols, states } = this.position;
    const looks = new Uint8Array(states.length);
    const pins = new Set();
    const odds = this.truth ? null : this.odds;
    for (let index = 0; index < states.length; index++) {
      looks[index] = this.#look(index);
      if (odds && isCovered(states[index])) {
        const chance = (this.zeros ? odds.zero : odds.risk)?.[Math.floor(index / cols)][index % cols];
        if (chance === null || chance === undefined || (this.zeros && chance === 0)) continue;
        looks[index] = riskLook(chance);
        if (states[index] === FLAGGED) pins.add(index);
      } else if (looks[index] === 0 && neighbours(rows, cols, index).some((near) => isCovered(states[near]))) {
        looks[index] = ZERO;
      }
    }
    if (odds && !this.zeros) {
      for (const [row, col] of odds.safe) looks[row * cols + col] = KNOWN_SAFE;
      for (const [row, col] of odds.mined) looks[row * cols + col] = MINE;
    }
    this.painter.cells(looks, pins);
    this.rows.refresh();
  }

  destroy() {
    this.observer.disconnect();
    this.root.remove();
  }
}

/** @param {string} name `row,col` @returns {Cell} */
function parse(name) {
  const [row, col] = name.split(",").map(Number);
  return [row, col];
}
