// @ts-check
/** A game that can be stepped forwards and backwards. It keeps what each move changed, so a step back is as fast as a step on. */
import { stateOf } from "./board/cells.js";
import { button, el, select } from "./dom.js";

/** @typedef {import("./board/cells.js").Cell} Cell */
/** @typedef {import("./messages.js").GameMove} GameMove */

/** @template {Pick<GameMove, "cell" | "events">} [Frame=GameMove] a move, perhaps with what a review says about it */
export class Replay {
  /** @param {import("./board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {[number, number][][]} for each frame shown, the cells that it changed and their states before */
    this.covered = [];
    this.at = 0;
  }

  /** @param {Frame} frame */
  push(frame) {
    this.frames.push(frame);
  }

  /** @param {number} to the number of moves to show */
  go(to) {
    const goal = Math.min(Math.max(to, 0), this.frames.length);
    const { states, cols } = this.board.position;
    while (this.at < goal) {
      const was = /** @type {[number, number][]} */ ([]);
      for (const [row, col, symbol] of this.frames[this.at].events) {
        const index = row * cols + col;
        was.push([index, states[index]]);
        states[index] = stateOf(symbol);
      }
      this.covered.push(was);
      this.at++;
    }
    while (this.at > goal) {
      for (const [index, state] of this.covered.pop()?.reverse() ?? []) states[index] = state;
      this.at--;
    }
    this.board.last = this.frames[this.at - 1]?.cell ?? null;
    this.board.draw();
  }
}

/** Buttons and a slider for one or more reels that move together. */
export class Timeline {
  /** @param {(at: number) => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
    /** @type {{frames: unknown[], go: (to: number) => void}[]} */
    this.reels = [];
    this.at = 0;
    this.playing = false;
    this.speed = 8; // moves per second
    this.due = 0;
    this.slider = el("input", {
      type: "range", min: 0, max: 0, value: 0, "aria-label": "Move",
      oninput: (/** @type {any} */ event) => { this.pause(); this.go(Number(event.target.value)); },
    });
    this.number = el("span", { class: "soft small" });
    this.playButton = button("Play", () => this.toggle(), { class: "main", key: "P" });
    this.root = el(
      "div",
      { class: "stack" },
      this.slider,
      el("div", { class: "row tools" },
        button("|◀", () => { this.pause(); this.go(0); }, { "aria-label": "To the start" }),
        button("◀", () => this.step(-1), { "aria-label": "One move back" }),
        this.playButton,
        button("▶", () => this.step(1), { "aria-label": "One move forward" }),
        button("▶|", () => { this.pause(); this.go(this.length); }, { "aria-label": "To the end" }),
        this.number,
        el("span", { class: "speed" }, select("Speed", [["1", "1 move/s"], ["2", "2 moves/s"], ["4", "4 moves/s"], ["8", "8 moves/s"], ["20", "20 moves/s"], ["60", "60 moves/s"]], "8", (value) => (this.speed = Number(value))))),
    );
  }

  get length() {
    return Math.max(0, ...this.reels.map((replay) => replay.frames.length));
  }

  /** Call after frames were added. */
  grown() {
    this.slider.max = this.length;
    this.#showPlace();
  }

  #showPlace() {
    this.slider.value = this.at;
    this.number.textContent = `move ${this.at} of ${this.length}`;
    this.slider.setAttribute("aria-valuetext", this.number.textContent);
  }

  /** @param {number} at */
  go(at) {
    this.at = Math.min(Math.max(at, 0), this.length);
    for (const replay of this.reels) replay.go(this.at);
    this.#showPlace();
    this.onchange(this.at);
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.go(this.at + by);
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.at >= this.length) this.go(0);
    this.play();
  }

  play() {
    this.playing = true;
    this.playButton.firstChild.textContent = "Pause";
    this.due = performance.now();
    const turn = (/** @type {number} */ now) => {
      if (!this.playing) return;
      const steps = Math.floor(((now - this.due) * this.speed) / 1000);
      if (steps > 0) {
        this.due += (1000 * steps) / this.speed;
        if (this.at < this.length) this.go(this.at + steps);
        else if (!this.waiting) return this.pause();
      }
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  /** Whether more frames may arrive. */
  waiting = false;

  pause() {
    this.playing = false;
    this.playButton.firstChild.textContent = "Play";
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const does = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), p: () => this.toggle(), " ": () => this.toggle(),
      Home: () => this.go(0), End: () => this.go(this.length),
    })[key];
    does?.();
    return Boolean(does);
  }
}
