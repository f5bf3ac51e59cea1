// @ts-check
/** Assist: advice for a board in another program; the user types what the cells show. */
import { agentChoice } from "../agents.js";
import { Board } from "../board/board.js";
import { EXPLODED, MINE, NO_CLUE, blank, isCovered, toText } from "../board/cells.js";
import { icon } from "../board/sheet.js";
import { Refusal } from "../client.js";
import { button, el, fill, percent, select } from "../dom.js";
import { keep, recall } from "../preferences.js";
import { phrase, say } from "../phrases.js";
import { Setup, request, sizeOf } from "../gameForm.js";
import { linked, linkedSentence, links } from "../linkedText.js";

/** @typedef {import("../board/cells.js").Cell} Cell */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 */
export async function show(main, app) {
  const { agents, levels } = await app.hello;
  return new Assist(main, app, agents, levels);
}

class Assist {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   * @param {string[]} agents
   * @param {Record<string, {rows: number, cols: number, mines: number}>} levels
   */
  constructor(main, app, agents, levels) {
    this.app = app;
    this.levels = levels;
    this.agent = recall("assistant", "exact");
    this.turn = 0;
    /** @type {[number, number][]} cells and their previous states, for undo */
    this.past = [];
    /** @type {Cell[]} */
    this.safe = [];
    /** @type {import("../messages.js").SomeRules} */
    this.rules = {};
    /** @type {string | undefined} */
    this.clues = undefined;
    this.words = el("div", { class: "stack", role: "status" });
    const hold = el("div", {});
    this.board = new Board(hold, {
      label: "Your board. Arrow keys move; type 0 to 8 for a clue, M for a mine, minus for no clue.",
      gestures: { primary: (cell) => this.#select(cell), secondary: (cell) => this.#select(cell) },
      key: (key, cell) => this.#typed(key, cell),
    });
    this.board.well.addEventListener("focus", () => (this.board.cursorSeen = true));
    const pad = el("div", { class: "brushes", role: "group", "aria-label": "What the cell shows" },
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((clue) => el("button", { type: "button", "aria-label": `It shows ${clue}`, onclick: () => this.#put(this.board.cursor, clue) }, icon(clue || 116, 24))),
      el("button", { type: "button", "aria-label": "It opened without a clue", onclick: () => this.#put(this.board.cursor, NO_CLUE) }, icon(NO_CLUE, 24)),
      el("button", { type: "button", "aria-label": "It was a mine", onclick: () => this.#put(this.board.cursor, EXPLODED) }, icon(MINE, 24)));
    this.setup = new Setup("assist", () => this.begin(), { graded: false, seeded: false });
    main.append(el("h1", { class: "unseen" }, "Assist"), el("div", { class: "layout" },
      el("section", { class: "card stage", "aria-label": "Your board" }, this.words, hold, pad,
        el("div", { class: "row tools" }, button("Undo", () => this.#undo(), { key: "U" }), button("Start over", () => this.begin()))),
      el("div", { class: "side" },
        el("section", { class: "card stack", "aria-label": "How it works" }, el("h2", {}, "A board in another program"),
          el("p", { class: "soft" }, "In the other program, open the ticked cells (or the framed one, if none is safe). Then enter here what they show: digits, M for a mine, − for no clue. Contradictions are reported at once, with the clues that clash.")),
        el("section", { class: "card stack", "aria-label": "Settings of your board" }, el("h2", {}, "Your board"), this.setup.root,
          agentChoice("Agent for guesses", ["exact", "champion:budget=fast", ...agents.filter((name) => name !== "exact")], this.agent, (agent) => { this.agent = agent; keep("assistant", agent); void this.#think(); })))));
    this.begin();
  }

  begin() {
    const { deal, rules, clues } = request(this.setup.choice);
    const { rows, cols } = sizeOf(deal, this.levels);
    const mines = deal.level ? this.levels[deal.level].mines : deal.mines ?? Math.round(rows * cols * (deal.density ?? 0));
    this.rules = rules;
    this.clues = clues;
    this.past = [];
    this.board.show(blank(rows, cols, rules.count_known ? mines : null));
    void this.#think();
  }

  get #asked() {
    const { density, ...rules } = this.rules;
    return { view: toText(this.board.position), clues: this.clues, rules, density };
  }

  /** @param {Cell} cell */
  #select(cell) {
    this.board.cursor = cell;
    this.board.cursorSeen = true;
    this.board.draw();
  }

  /**
   * @param {string} key
   * @param {Cell} cell
   */
  #typed(key, cell) {
    if (/^[0-8]$/.test(key)) this.#put(cell, Number(key));
    else if (key === "m" || key === "M" || key === "*") this.#put(cell, EXPLODED);
    else if (key === "-") this.#put(cell, NO_CLUE);
    else return false;
    return true;
  }

  /**
   * @param {Cell} cell
   * @param {number} state
   */
  #put(cell, state) {
    const { cols, states } = this.board.position;
    const index = cell[0] * cols + cell[1];
    this.past.push([index, states[index]]);
    states[index] = state;
    this.board.last = cell;
    this.board.well.focus({ preventScroll: true });
    void this.#think();
  }

  #undo() {
    const last = this.past.pop();
    if (!last) return;
    this.board.position.states[last[0]] = last[1];
    this.#select(this.board.cellOf(last[0]));
    void this.#think();
  }

  async #think() {
    const turn = ++this.turn;
    try {
      const odds = await this.app.client.ask("odds", this.#asked);
      if (turn !== this.turn) return;
      const { cols, states } = this.board.position;
      this.safe = odds.safe;
      const mark = (/** @type {Cell} */ [row, col], /** @type {boolean} */ mine) => /** @type {[number, boolean]} */ ([row * cols + col, mine]);
      this.board.overlay = {};
      this.board.settled = new Map([...odds.safe.map((cell) => mark(cell, false)), ...odds.mined.map((cell) => mark(cell, true))]);
      this.board.draw();
      const covered = states.filter(isCovered).length;
      if (states.includes(EXPLODED) && this.rules.on_mine === "end") return fill(this.words, el("p", {}, el("b", { class: "bad" }, say("assist.lost")), " ", say("assist.undo")));
      if (odds.mined.length === covered) return fill(this.words, el("p", {}, el("b", { class: "good" }, say("assist.done")), " ", say("assist.only-mines")));
      if (odds.safe.length) return this.#name(odds.safe);
      const move = await this.app.client.ask("go", { ...this.#asked, agent: this.agent });
      if (turn === this.turn) this.#guess(move);
    } catch (error) {
      if (turn === this.turn) this.#refuse(Refusal.of(error));
    }
  }

  /** @param {Cell[]} safe */
  #name(safe) {
    const [row, col] = this.board.cursor;
    const near = [...safe].sort((a, b) => Math.hypot(a[0] - row, a[1] - col) - Math.hypot(b[0] - row, b[1] - col));
    this.#select(near[0]);
    fill(this.words, el("p", {}, el("b", { class: "good" }, say("assist.safe-cells", { cells: safe.length })), " ",
      links(near.slice(0, 8), this.board), near.length > 8 ? " …" : "", ". ", say("assist.open-selected")));
  }

  /** @param {import("../messages.js").Responses["go"]} move */
  #guess(move) {
    this.board.overlay = { asked: [move.cell] };
    this.#select(move.cell);
    const risk = move.certain ? "" : percent(move.risk ?? 0);
    const win = "win" in move && typeof move.win === "number" ? percent(move.win) : "none";
    const [verdict, ...rest] = linked(phrase("assist.open", { cell: move.cell, certain: move.certain, risk, win }), this.board);
    fill(this.words, el("p", {}, el("b", {}, verdict), ...rest),
      move.reason && el("p", { class: "soft small reason" }, linked(move.why ?? move.reason, this.board)));
  }

  /** Takes back a contradictory answer and frames the clues that clash. @param {import("../client.js").Refusal} error */
  #refuse(error) {
    if (error.kind !== "contradiction" && error.kind !== "invalid") return fill(this.words, el("p", { class: "bad" }, error.message));
    const last = this.past.pop();
    if (last) this.board.position.states[last[0]] = last[1];
    this.board.overlay = { clash: error.cells };
    if (last) this.#select(this.board.cellOf(last[0]));
    this.board.draw();
    fill(this.words, el("p", {}, el("b", { class: "bad" }, say("assist.wrong")), " ", linkedSentence(error.why ?? error.what, this.board)), el("p", { class: "soft small" }, say("assist.taken-back", { clues: error.cells.length > 0 })));
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (key !== "u") return this.#typed(key, this.board.cursor);
    this.#undo();
    return true;
  }

  leave() {
    this.turn++;
    this.board.destroy();
  }
}
