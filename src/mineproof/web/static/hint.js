// @ts-check
/**
 * Help in steps, so that nobody is told more than was asked for: is anything certain, where to
 * look, which cell, why. Where nothing is certain, an agent's move.
 */
import { FLAGGED } from "./board/looks.js";
import { button, el, fill, percent, select } from "./dom.js";
import { keep, recall } from "./kept.js";
import { showProof } from "./proof.js";
import { linked, sentence } from "./words.js";

/** @typedef {import("./board/looks.js").Cell} Cell */

export class Hint {
  /**
   * @param {import("./app.js").App} app
   * @param {import("./board/board.js").Board} board
   * @param {() => Record<string, any> | null} position the fields that name the position
   */
  constructor(app, board, position) {
    this.app = app;
    this.board = board;
    this.position = position;
    this.agent = recall("adviser", "champion:budget=fast");
    this.body = el("div", { class: "stack", "aria-live": "polite" });
    this.root = el("section", { class: "card stack", "aria-label": "Help" }, el("h2", {}, "Help"), this.body);
    /** @type {(() => void) | null} what the key for a hint does next */
    this.next = null;
    this.turn = 0;
    this.reset();
  }

  /** Forgets what was told: the position is another one. */
  reset() {
    this.turn++;
    this.board.overlay = {};
    this.board.settled = new Map();
    this.board.draw();
    this.next = () => void this.#look();
    fill(
      this.body,
      el("p", { class: "soft" }, "Stuck? Ask in small steps; each tells a little more."),
      el(
        "div",
        { class: "row" },
        button("Is anything certain?", () => void this.#look(), { key: "H" }),
        button("Best move", () => void this.best(), { key: "B" }),
      ),
    );
  }

  /** The next step of help. */
  more() {
    this.next?.();
  }

  /**
   * Asks, unless the position changes in between.
   * @param {string} verb
   * @param {Record<string, any>} fields
   */
  async #ask(verb, fields) {
    const position = this.position();
    if (!position) return null;
    const turn = ++this.turn;
    try {
      const answer = await this.app.brain.ask(verb, { ...position, ...fields });
      return turn === this.turn ? answer : null;
    } catch (error) {
      if (turn === this.turn) this.#refused(/** @type {any} */ (error));
      return null;
    }
  }

  /** @param {import("./brain.js").Refusal} error */
  #refused(error) {
    this.board.overlay = { clash: error.cells };
    this.board.draw();
    fill(this.body, el("p", { class: "bad" }, linked(sentence(error.message), this.board)));
  }

  async #look() {
    const found = await this.#ask("explain", {});
    if (!found) return;
    const { safe, mined, wrong_flags: wrong, easiest } = found;
    if (wrong.length) return this.#wrong(wrong[0]);
    const unmarked = mined.filter((/** @type {Cell} */ cell) => this.board.state(cell) !== FLAGGED);
    const useful = easiest && (easiest.mine === false || unmarked.length > 0);
    if (!safe.length && !unmarked.length) {
      this.next = () => void this.best();
      fill(
        this.body,
        el("p", {}, el("b", {}, "No."), " Nothing new is certain: one must guess. Odds show where a guess costs least."),
        el("div", { class: "row" }, button("Best move", () => void this.best(), { class: "main", key: "B" })),
      );
      return;
    }
    const words = safe.length
      ? `${safe.length === 1 ? "one cell is" : `${safe.length} cells are`} safe for certain.`
      : `${unmarked.length === 1 ? "one mine is" : `${unmarked.length} mines are`} certain and not flagged, but no cell is safe for certain.`;
    let proof = useful ? easiest : null;
    if (proof && proof.mine && this.board.state(proof.cell) === FLAGGED) {
      proof = await this.#ask("explain", { cell: unmarked[0] });
    }
    this.next = () => this.#where(proof, safe);
    fill(
      this.body,
      el("p", {}, el("b", {}, "Yes: "), words),
      el("div", { class: "row" }, button("Where?", () => this.#where(proof, safe), { class: "main", key: "H" })),
    );
  }

  /**
   * @param {any} proof
   * @param {Cell[]} safe
   */
  #where(proof, safe) {
    if (!proof) {
      // Told by the opening rule: nothing to prove.
      this.board.overlay = { asked: safe.slice(0, 1) };
      this.board.draw();
      fill(this.body, el("p", {}, "This cell is promised to be safe."));
      return;
    }
    this.board.overlay = { clues: proof.clues };
    this.board.draw();
    this.next = () => this.#which(proof);
    const count = proof.clues.length;
    fill(
      this.body,
      el("p", {}, count === 0 ? "Count the mines that are left." : `Look at the ${count === 1 ? "clue" : `${count} clues`} in violet${proof.count_used ? ", and at the number of mines left" : ""}.`),
      el("div", { class: "row" }, button("Which cell?", () => this.#which(proof), { class: "main", key: "H" })),
    );
  }

  /** @param {any} proof */
  #which(proof) {
    this.board.overlay = { clues: proof.clues, asked: [proof.cell] };
    this.board.draw();
    this.next = () => this.why(proof);
    fill(
      this.body,
      el("p", {}, linked(`(${proof.cell.join(",")})`, this.board), proof.mine ? " is a mine." : " is safe."),
      el("div", { class: "row" }, button("Why?", () => this.why(proof), { class: "main", key: "H" })),
    );
  }

  /** @param {any} proof */
  why(proof) {
    const body = el("div", { class: "stack" });
    fill(this.body, body, el("div", { class: "row" }, button("Done", () => this.reset(), { key: "Esc" })));
    const further = showProof(body, this.board, proof, { step: proof.steps?.length > 1 ? 1 : undefined, key: "H" });
    this.next = () => {
      if (!further()) this.reset();
    };
  }

  /** @param {Cell} cell */
  #wrong(cell) {
    const prove = async () => {
      const proof = await this.#ask("explain", { cell });
      if (proof) this.why(proof);
    };
    this.board.overlay = { clash: [cell] };
    this.board.draw();
    this.next = () => void prove();
    fill(
      this.body,
      el("p", {}, el("b", { class: "bad" }, "A flag is wrong: "), linked(`(${cell.join(",")})`, this.board), " is safe for certain."),
      el("div", { class: "row" }, button("Why?", () => void prove(), { class: "main", key: "H" })),
    );
  }

  /** Why a cell is what it is, or two arrangements that differ in it. @param {Cell} cell */
  async explain(cell) {
    const proof = await this.#ask("explain", { cell });
    if (proof) this.why(proof);
  }

  /** The move of an agent, with its reason. */
  async best() {
    fill(this.body, el("p", { class: "soft" }, "Thinking…"));
    const move = await this.#ask("go", { agent: this.agent });
    if (!move) return this.body.textContent === "Thinking…" ? this.reset() : undefined;
    this.next = () => this.reset();
    this.board.overlay = { asked: move.cell ? [move.cell] : [] };
    this.board.draw();
    const hello = await this.app.hello;
    const names = ["champion:budget=fast", ...hello.agents];
    const more = (move.candidates ?? []).slice(0, 5);
    const wins = more.some((/** @type {any} */ each) => typeof each.win === "number");
    const chance = el("p", { class: "soft small" });
    fill(
      this.body,
      el("p", {}, el("b", {}, move.action === "flag" ? "Flag " : "Open "), linked(`(${(move.cell ?? []).join(",")})`, this.board),
        move.certain ? ": certain." : `: ${percent(move.risk)} risk${typeof move.win === "number" ? `, wins ${percent(move.win)}` : ""}.`),
      move.reason && el("p", { class: "soft reason" }, linked(move.reason, this.board)),
      more.length > 1 && el(
        "table", {},
        el("thead", {}, el("tr", {}, ["cell", "risk", ...(wins ? ["wins"] : [])].map((each) => el("th", { class: each === "cell" ? "" : "number", scope: "col" }, each)))),
        el("tbody", {}, more.map((/** @type {any} */ each) => el("tr", {},
          el("td", {}, linked(`(${each.cell.join(",")})`, this.board)),
          el("td", { class: "number" }, percent(each.risk)),
          wins && el("td", { class: "number" }, typeof each.win === "number" ? percent(each.win) : "")))),
      ),
      chance,
      select("Whose move", names.filter((name, at) => names.indexOf(name) === at), this.agent, (agent) => {
        this.agent = agent;
        keep("adviser", agent);
        void this.best();
      }),
    );
    if (!move.certain && typeof move.win !== "number") await this.#outlook(chance);
  }

  /** The chance to win, which takes some games played out. @param {HTMLElement} place */
  async #outlook(place) {
    const turn = this.turn;
    place.textContent = "The chance to win is being played out…";
    const position = this.position();
    try {
      const { win } = await this.app.brain.ask("odds", { ...position, best: 1, win: true, agent: "champion:budget=fast" });
      if (turn !== this.turn) return;
      place.textContent = win ? `Chance to win: ${percent(win.chance)}${win.error ? ` (95 %: ${percent(win.interval[0])} to ${percent(win.interval[1])})` : ", exactly"}.` : "";
    } catch {
      place.textContent = "";
    }
  }
}
