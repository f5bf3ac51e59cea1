// @ts-check
/** The Learn page: ten short lessons, each with a board. The engine checks every answer and explains mistakes. */
import { Board } from "../board/board.js";
import { NO_CLUE, fromText, isCovered, toText } from "../board/cells.js";
import { button, el, fill, percent } from "../dom.js";
import { keep, recall } from "../preferences.js";
import { showProof } from "../proof.js";
import { say } from "../phrases.js";

/** @typedef {import("../board/cells.js").Cell} Cell */
/** @typedef {import("../messages.js").Responses} Responses */

/**
 * @typedef {object} Lesson
 * @property {string} title
 * @property {string} view
 * @property {string[]} text
 * @property {string} task
 * @property {"mine" | "safe" | "least" | "win" | "clues"} find
 * @property {string} [clues] the clue model
 * @property {Cell} [cell]
 */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 * @param {string} number of the lesson, from 1
 */
export async function show(main, app, number) {
  /** @type {Lesson[]} */
  const lessons = await (await fetch(new URL("../lessons.json", import.meta.url))).json();
  const done = new Set(recall("lessons", []));
  const first = lessons.findIndex((_, at) => !done.has(at)) + 1 || 1;
  const at = Math.min(Math.max(Math.round(Number(number)) || first, 1), lessons.length) - 1;
  return new Learn(main, app, lessons, at, done);
}

class Learn {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   * @param {Lesson[]} lessons
   * @param {number} at
   * @param {Set<number>} done
   */
  constructor(main, app, lessons, at, done) {
    this.app = app;
    this.lesson = lessons[at];
    this.lessons = lessons;
    this.at = at;
    this.done = done;
    /** @type {Map<string, boolean>} cells that were found, and whether they are mines */
    this.found = new Map();
    /** The odds of the position, if the task is about them. @type {import("../messages.js").MineOdds | null} */
    this.odds = null;
    /** The best move, if that is the task. @type {Responses["go"] | null} */
    this.move = null;
    /** The proof whose clues are to be found, if that is the task. @type {import("../messages.js").ProofData | null} */
    this.proof = null;
    this.busy = false;
    this.verdict = el("div", { class: "stack", role: "status" });
    this.progress = el("p", { class: "note" });
    const hold = el("div", {});
    this.board = new Board(hold, {
      label: `${this.lesson.task} Arrow keys move, space answers.`, most: 46,
      gestures: { primary: (cell) => void this.#answer(cell) },
      key: (key, cell) => (key === " " || key === "Enter" ? (void this.#answer(cell), true) : false),
    });
    this.list = el("ol", { class: "lessons" });
    const { title, text, task } = this.lesson;
    main.append(el("div", { class: "layout" },
      el("section", { class: "card stage", "aria-label": "Lesson" },
        el("p", { class: "soft small" }, `Lesson ${at + 1} of ${lessons.length}`), el("h1", {}, title),
        text.map((line) => el("p", { class: "lead" }, line)), el("p", { class: "lead" }, el("b", {}, task)), hold, this.progress, this.verdict),
      el("div", { class: "side" }, el("nav", { class: "card stack", "aria-label": "Lessons" }, el("h2", {}, "Ten lessons"), this.list))));
    this.#contents();
    void this.#begin();
  }

  #contents() {
    fill(this.list, this.lessons.map((each, at) => el("li", {}, el("a", { href: `#learn/${at + 1}`, "aria-current": at === this.at ? "page" : null },
      el("span", {}, this.done.has(at) ? "✓" : at + 1), el("span", {}, each.title, this.done.has(at) && el("span", { class: "unseen" }, " (done)"))))));
  }

  get #asked() {
    return { view: this.lesson.view, clues: this.lesson.clues };
  }

  async #begin() {
    const position = fromText(this.lesson.view);
    if (position) this.board.show(position);
    if (this.lesson.cell) this.board.overlay = { asked: [this.lesson.cell] };
    const { find, cell } = this.lesson;
    try {
      if (find === "clues") {
        const proof = await this.app.client.ask("explain", { ...this.#asked, cell });
        if ("steps" in proof) this.proof = proof;
      } else if (find === "win") this.move = await this.app.client.ask("go", { ...this.#asked, agent: "champion" });
      else this.odds = await this.app.client.ask("odds", this.#asked);
      this.#showProgress();
    } catch (error) {
      this.app.complain(error);
    }
  }

  /** The number of cells to find. */
  get #total() {
    const { find } = this.lesson;
    if (find === "safe") return this.odds?.safe.length ?? 0;
    if (find === "mine") return this.odds?.mined.length ?? 0;
    return this.proof?.clues.length ?? 1;
  }

  #showProgress() {
    if (this.#total > 1) this.progress.textContent = `${this.found.size} of ${this.#total} found`;
  }

  /** @param {Cell} cell */
  async #answer(cell) {
    if (!(this.odds || this.move || this.proof) || this.busy) return;
    const { find } = this.lesson;
    const covered = isCovered(this.board.state(cell));
    if (covered === (find === "clues")) return;
    this.busy = true;
    try {
      if (this.proof) await this.#clue(cell, this.proof);
      else if (this.move) this.#wins(cell, this.move);
      else if (this.odds && find === "least") this.#least(cell, this.odds);
      else await this.#certain(cell);
    } catch (error) {
      this.app.complain(error);
    } finally {
      this.busy = false;
    }
  }

  /**
   * @param {boolean} right
   * @param {...import("../dom.js").Child} words
   */
  #say(right, ...words) {
    fill(this.verdict, el("div", { class: `verdict ${right ? "right" : "wrong"}` }, words));
  }

  /** @param {Cell} cell */
  async #certain(cell) {
    const proof = await this.app.client.ask("explain", { ...this.#asked, cell });
    const wanted = this.lesson.find === "mine";
    if (!("cell" in proof)) return;
    const right = proof.mine === wanted;
    const body = el("div", { class: "stack" });
    const head = right ? say("learn.right") : say("learn.verdict", { mine: proof.mine });
    this.#say(right, el("b", {}, head), body);
    showProof(body, this.board, proof);
    if (right) this.found.set(cell.join(","), wanted);
    const { cols } = this.board.position;
    for (const [name, mine] of this.found) {
      const [row, col] = name.split(",").map(Number);
      this.board.settled.set(row * cols + col, mine);
    }
    this.#showProgress();
    if (this.found.size >= this.#total) this.#finish();
  }

  /** @param {Cell} cell @param {import("../messages.js").MineOdds} odds */
  #least(cell, odds) {
    const risk = odds.risk[cell[0]][cell[1]] ?? 1;
    const least = Math.min(...odds.risk.flat().map((each) => each ?? 1));
    const right = risk - least < 1e-9;
    this.board.odds = odds;
    this.board.overlay = { asked: [cell] };
    this.board.draw();
    const chance = say("learn.risk", { certain: risk === 1, risk: percent(risk, 2), least: percent(least, 2) });
    this.#say(right, el("b", {}, say(right ? "learn.right" : "learn.safer")), el("p", {}, chance),
      !right && this.#because(cell));
    if (right) this.#finish();
  }

  /** @param {Cell} cell @param {Responses["go"]} best */
  #wins(cell, best) {
    const right = cell.join(",") === best.cell.join(",");
    const [risk, win] = [percent(best.risk ?? 0), percent(("win" in best && best.win) || 0)];
    this.board.overlay = { asked: right ? [cell] : [] };
    this.board.draw();
    const words = say("learn.win", { right, risk, win });
    this.#say(right, el("b", {}, say(right ? "learn.right" : "learn.other")), el("p", {}, words), !right && el("div", { class: "row" }, button("Show the odds", () => void this.#odds()), this.#because(cell)));
    if (right) this.#finish();
  }

  /** A button that explains a mistake by a proof or by two configurations. @param {Cell} cell */
  #because(cell) {
    return button("Why?", async () => {
      try {
        const proof = await this.app.client.ask("explain", { ...this.#asked, cell });
        const body = el("div", { class: "stack" });
        this.verdict.append(body);
        this.board.odds = null;
        showProof(body, this.board, proof);
      } catch (error) {
        this.app.complain(error);
      }
    });
  }

  async #odds() {
    this.board.odds = await this.app.client.ask("odds", this.#asked);
    this.board.draw();
  }

  /** Clues are right if they prove the cell by themselves and no fewer clues do. @param {Cell} cell @param {import("../messages.js").ProofData} goal */
  async #clue(cell, goal) {
    const name = cell.join(",");
    if (this.found.has(name)) this.found.delete(name);
    else this.found.set(name, false);
    const chosen = /** @type {Cell[]} */ ([...this.found.keys()].map((each) => each.split(",").map(Number)));
    this.board.settled = new Map();
    this.board.overlay = { asked: [goal.cell], clues: chosen };
    this.board.draw();
    this.#showProgress();
    fill(this.verdict);
    if (chosen.length !== this.#total) return;
    const { rows, cols, mines, states } = this.board.position;
    const kept = states.map((state, index) => (isCovered(state) || this.found.has(`${Math.floor(index / cols)},${index % cols}`) ? state : NO_CLUE));
    const proof = await this.app.client.ask("explain", { view: toText({ rows, cols, mines, states: kept }), cell: goal.cell });
    const body = el("div", { class: "stack" });
    if (!("steps" in proof)) {
      this.#say(false, el("b", {}, say("learn.clues")), body);
      showProof(body, this.board, proof);
      this.board.overlay = { ...this.board.overlay, clues: chosen };
    } else {
      this.#say(true, el("b", {}, say("learn.right")), body);
      showProof(body, this.board, proof);
      this.#finish();
    }
  }

  #finish() {
    this.done.add(this.at);
    keep("lessons", [...this.done]);
    this.#contents();
    this.progress.textContent = "Done.";
    this.#onwards();
  }

  #onwards() {
    const last = this.at + 1 >= this.lessons.length;
    this.verdict.append(el("div", { class: "row" }, el("a", { class: "button", href: last ? "#play" : `#learn/${this.at + 2}` }, last ? "Play" : "Next lesson")));
  }

  leave() {
    this.board.destroy();
  }
}
