// @ts-check
/**
 * Help in steps, each revealing only what the player asked for: is any cell certain, where to look,
 * which cell, and why. If no cell is certain: an agent's move.
 */
import { agentChoice } from "./agents.js";
import { FLAGGED, HIDDEN } from "./board/cells.js";
import { Refusal } from "./client.js";
import { button, el, fill, percent } from "./dom.js";
import { keep, recall } from "./preferences.js";
import { phrase, say } from "./phrases.js";
import { showProof } from "./proof.js";
import { link, linked, linkedSentence } from "./linkedText.js";

/** @typedef {import("./board/cells.js").Cell} Cell */
/** @typedef {import("./messages.js").ProofData} Proof */
/** @typedef {import("./messages.js").Responses} Responses */

/** The proof in a response, if there is one. @param {Responses["explain"] | null} found */
const proofIn = (found) => (found && "steps" in found ? found : null);

export class Hint {
  /**
   * @param {import("./app.js").App} app
   * @param {import("./board/board.js").Board} board
   * @param {() => import("./messages.js").OddsRequest | null} position the fields that name the position
   * @param {() => string} [opening] the opening rule, if a game is played
   */
  constructor(app, board, position, opening = () => "any") {
    this.app = app;
    this.board = board;
    this.position = position;
    this.opening = opening;
    this.agent = recall("adviser", "champion:budget=fast");
    this.body = el("div", { class: "stack", "aria-live": "polite" });
    this.root = el("section", { class: "card stack", "aria-label": "Help" }, el("h2", {}, "Help"), this.body);
    /** @type {(() => void) | null} the next action of the hint key */
    this.next = null;
    this.turn = 0;
    this.reset();
  }

  /** Starts over, because the position has changed. */
  reset() {
    this.turn++;
    this.board.overlay = {};
    this.board.settled = new Map();
    this.board.draw();
    this.next = () => void this.#look();
    fill(
      this.body,
      el("p", { class: "soft" }, say("hint.stuck")),
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
   * Sends a request; returns null if the position changes in the meantime.
   * @template {"explain" | "go"} M
   * @param {M} method
   * @param {import("./messages.js").Requests[M]} fields
   */
  async #ask(method, fields) {
    const position = this.position();
    if (!position) return null;
    const turn = ++this.turn;
    try {
      const answer = await this.app.client.ask(method, { ...position, ...fields });
      return turn === this.turn ? answer : null;
    } catch (error) {
      if (turn === this.turn) this.#refused(Refusal.of(error));
      return null;
    }
  }

  /** @param {import("./client.js").Refusal} error */
  #refused(error) {
    this.board.overlay = { clash: error.cells };
    this.board.draw();
    fill(this.body, el("p", { class: "bad" }, linkedSentence(error.why ?? error.what, this.board)));
  }

  /** What the opening rule guarantees, before the first cell is opened; otherwise empty. */
  get #promise() {
    const opening = this.opening();
    const fresh = this.board.position.states.every((state) => state === HIDDEN || state === FLAGGED);
    return fresh && opening !== "any" ? say("hint.first", { opening }) : "";
  }

  /** No cell is certain: what to say, and an agent's move. @param {(Node | string)[]} words */
  #adviseBest(...words) {
    this.next = () => void this.best();
    fill(
      this.body,
      el("p", {}, ...words),
      el("div", { class: "row" }, button("Best move", () => void this.best(), { class: "main", key: "B" })),
    );
  }

  async #look() {
    if (this.#promise) return this.#adviseBest(this.#promise);
    const found = await this.#ask("explain", {});
    if (!found || !("easiest" in found)) return;
    const { safe, mined, wrong_flags: wrong, easiest } = found;
    if (wrong.length) return this.#wrong(wrong[0]);
    const unmarked = mined.filter((cell) => this.board.state(cell) !== FLAGGED);
    const useful = easiest && (easiest.mine === false || unmarked.length > 0);
    if (!safe.length && !unmarked.length) {
      return this.#adviseBest(el("b", {}, say("hint.no")), " ", say("hint.nothing"));
    }
    const words = safe.length ? say("hint.safe-cells", { cells: safe.length }) : say("hint.mines-only", { mines: unmarked.length });
    let proof = useful ? easiest : null;
    if (proof && proof.mine && this.board.state(proof.cell) === FLAGGED) {
      proof = proofIn(await this.#ask("explain", { cell: unmarked[0] }));
    }
    this.next = () => this.#where(proof, safe);
    fill(
      this.body,
      el("p", {}, el("b", {}, say("hint.yes")), " ", words),
      el("div", { class: "row" }, button("Where?", () => this.#where(proof, safe), { class: "main", key: "H" })),
    );
  }

  /**
   * @param {Proof | null} proof
   * @param {Cell[]} safe
   */
  #where(proof, safe) {
    if (!proof) {
      // Safe by the opening rule: nothing to prove.
      this.board.overlay = { asked: safe.slice(0, 1) };
      this.board.draw();
      fill(this.body, el("p", {}, say("hint.opening-rule")));
      return;
    }
    this.board.overlay = { clues: proof.clues };
    this.board.draw();
    this.next = () => this.#which(proof);
    fill(
      this.body,
      el("p", {}, say("hint.look", { clues: proof.clues.length, count_used: proof.clues.length > 0 && proof.count_used })),
      el("div", { class: "row" }, button("Which cell?", () => this.#which(proof), { class: "main", key: "H" })),
    );
  }

  /** @param {Proof} proof */
  #which(proof) {
    this.board.overlay = { clues: proof.clues, asked: [proof.cell] };
    this.board.draw();
    this.next = () => this.why(proof);
    fill(
      this.body,
      el("p", {}, linked(phrase("hint.verdict", { cell: proof.cell, mine: proof.mine }), this.board)),
      el("div", { class: "row" }, button("Why?", () => this.why(proof), { class: "main", key: "H" })),
    );
  }

  /** @param {Responses["explain"]} proof of one cell */
  why(proof) {
    const body = el("div", { class: "stack" });
    fill(this.body, body, el("div", { class: "row" }, button("Done", () => this.reset(), { key: "Esc" })));
    const further = showProof(body, this.board, proof, { step: "steps" in proof && proof.steps.length > 1 ? 1 : undefined, key: "H" });
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
      el("p", { class: "bad" }, linked(phrase("hint.flag", { cell }), this.board)),
      el("div", { class: "row" }, button("Why?", () => void prove(), { class: "main", key: "H" })),
    );
  }

  /** Why a cell is certain, or two configurations that differ in it. @param {Cell} cell */
  async explain(cell) {
    if (this.#promise) return this.#adviseBest(say("hint.none-open", { first: this.#promise }));
    const proof = await this.#ask("explain", { cell });
    if (proof) this.why(proof);
  }

  /** The move of an agent, with its reason. */
  async best() {
    const thinking = el("p", { class: "soft" }, say("hint.thinking"));
    fill(this.body, thinking);
    const move = await this.#ask("go", { agent: this.agent });
    if (!move || !("candidates" in move)) return thinking.isConnected ? this.reset() : undefined;
    this.next = () => this.reset();
    this.board.overlay = { asked: [move.cell] };
    this.board.draw();
    const hello = await this.app.hello;
    const names = ["champion:budget=fast", ...hello.agents];
    const more = move.candidates.slice(0, 5);
    const wins = more.some((each) => typeof each.win === "number");
    const chance = el("p", { class: "soft small" });
    const win = typeof move.win === "number" ? percent(move.win) : "unknown";
    const risk = move.certain ? "" : percent(move.risk ?? 0);
    const [verdict, ...rest] = linked(phrase("hint.move", { action: move.action, cell: move.cell, certain: move.why?.claimed ? "claimed" : move.certain, risk, win }), this.board);
    fill(
      this.body,
      el("p", {}, el("b", {}, verdict), ...rest),
      move.reason && el("p", { class: "soft reason" }, linkedSentence(move.why ?? move.reason, this.board)),
      more.length > 1 && el(
        "table", {},
        el("thead", {}, el("tr", {}, ["cell", "risk", ...(wins ? ["win probability"] : [])].map((each) => el("th", { class: each === "cell" ? "" : "number", scope: "col" }, each)))),
        el("tbody", {}, more.map((each) => el("tr", {},
          el("td", {}, link(each.cell, this.board)),
          el("td", { class: "number" }, percent(each.risk)),
          wins && el("td", { class: "number" }, typeof each.win === "number" ? percent(each.win) : "")))),
      ),
      chance,
      agentChoice("Advice from", names.filter((name, at) => names.indexOf(name) === at), this.agent, (agent) => {
        this.agent = agent;
        keep("adviser", agent);
        void this.best();
      }),
    );
    if (!move.certain && typeof move.win !== "number") await this.#outlook(chance);
  }

  /** The win probability, which takes some playouts. @param {HTMLElement} place */
  async #outlook(place) {
    const turn = this.turn;
    place.textContent = say("hint.estimating");
    const position = this.position();
    try {
      const { win } = await this.app.client.ask("odds", { ...position, best: 1, win: true, agent: "champion:budget=fast" });
      if (turn !== this.turn) return;
      const [low, high] = (win?.interval ?? []).map((end) => percent(end));
      place.textContent = win ? say("hint.wins", { chance: percent(win.chance), exact: !win.error, low, high }) : "";
    } catch {
      place.textContent = "";
    }
  }
}
