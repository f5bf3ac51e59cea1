// @ts-check
/** The Watch page: agents play with their reasons, forwards and backwards, one or two on the same board. */
import { agentChoice } from "../agents.js";
import { Board } from "../board/board.js";
import { blank, minesOf, solved } from "../board/cells.js";
import { Refusal, can, needsServer } from "../client.js";
import { button, el, fill, markLine, percent, checkbox } from "../dom.js";
import { showInfluence } from "../influence.js";
import { keep, recall } from "../preferences.js";
import { say } from "../phrases.js";
import { showProof } from "../proof.js";
import { Replay, Timeline } from "../timeline.js";
import { Setup, request, sizeOf } from "../gameForm.js";
import { moveReasoning } from "../moveReasoning.js";
import { conditions, linked } from "../linkedText.js";

/** @typedef {import("../messages.js").WatchedGameState} WatchedState */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 */
export async function show(main, app) {
  const page = new Watch(main, app, await app.hello);
  void page.start();
  return page;
}

/** One agent at its board. */
class Seat {
  /**
   * @param {HTMLElement} host
   * @param {string} agent
   * @param {boolean} half
   */
  constructor(host, agent, half) {
    this.agent = agent;
    this.caption = el("figcaption", {}, agent);
    const figure = el("figure", {}, this.caption);
    host.append(figure);
    this.board = new Board(figure, { label: `What ${agent} knows`, least: half ? 12 : 16, most: 32 });
    this.replay = new Replay(this.board);
    /** @type {WatchedState | null} */
    this.end = null;
    this.game = "";
  }
}

class Watch {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   * @param {import("../messages.js").Capabilities} hello what the server or worker offers
   */
  constructor(main, app, hello) {
    this.app = app;
    this.levels = hello.levels;
    this.agent = recall("watched", "csp");
    this.other = recall("rival", "");
    this.teacher = false;
    const [thinks, chains] = [can(hello, "game.watch", "thoughts"), can(hello, "influence")];
    this.thoughts = thinks && recall("thoughts", true);
    this.chains = chains;
    this.unfolded = { steps: true, equations: false };
    this.turn = 0;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Board | null} */
    this.truthBoard = null;
    this.boards = el("div", { class: "boards" });
    this.reason = el("div", { class: "stack", "aria-live": "off" });
    this.moves = el("ol", { class: "moves scroll", "aria-label": "Moves" });
    this.movesTitle = el("h2", {}, "Moves");
    this.under = el("p", { class: "soft small" });
    this.timeline = new Timeline(() => this.#shown());
    this.setup = new Setup("watch", () => {});
    const names = ["champion:budget=fast", ...hello.agents.filter((name) => name !== "champion"), "champion"];
    const stage = el("section", { class: "card stage", "aria-label": "Game" }, this.boards, this.timeline.root,
      el("div", { class: "row tools" },
        button("Why this move?", () => void this.#why(), { key: "W" }),
        button("Odds before this move", () => void this.#odds(), { key: "O" }),
        chains && button("Influence", () => void this.#influence(), { key: "I", title: "Show which earlier cells each deduction rests on" })));
    const choice = el("section", { class: "card stack", "aria-label": "Who plays" }, el("h2", {}, "Who plays"),
      el("div", { class: "stack" },
        agentChoice("Agent", names, this.agent, (agent) => { this.agent = agent; keep("watched", agent); void this.start(); }),
        agentChoice("Compare with", names, this.other, (agent) => { this.other = agent; keep("rival", agent); void this.start(); }, "no other agent")),
      this.setup.root,
      checkbox("Always show the mines", this.teacher, (on) => { this.teacher = on; void this.start(); }),
      thinks && checkbox("Show equations and matrices", this.thoughts, (on) => { this.thoughts = on; keep("thoughts", on); void this.start(); }),
      button("New board", () => void this.start(true), { class: "main", key: "N" }),
      !(thinks && chains) && el("p", { class: "soft small" }, needsServer("Equations, matrices and chains of influence need")));
    main.append(el("h1", { class: "unseen" }, "Watch"), el("div", { class: "layout" }, stage,
      el("section", { class: "card stack below", "aria-label": "Reason" }, el("h2", {}, "Reason"), this.reason),
      el("div", { class: "side" }, choice, el("section", { class: "card stack", "aria-label": "All moves" }, this.movesTitle, this.under, this.moves))));
  }

  /** The chosen agents play. @param {boolean} [fresh] on another board */
  async start(fresh = false) {
    const turn = ++this.turn;
    /** @type {import("../messages.js").WatchRequest & ReturnType<typeof request>} */
    const asked = request(this.setup.choice);
    // Both seats need the same board: one seed for both, kept while only the agents change.
    if (!asked.seed) {
      if (fresh || !this.seed) this.seed = String(Math.floor(Math.random() * 2 ** 48));
      asked.seed = this.seed;
    }
    const { rows, cols } = sizeOf(asked.deal, this.levels);
    // The board is dealt around the first cell: for two it must be the same one.
    if (this.other) asked.start = [Math.floor(rows / 2), Math.floor(cols / 2)];
    // On large boards there are thousands of equations.
    asked.thoughts = (this.thoughts && rows * cols <= 1000) || undefined;
    for (const seat of this.seats) seat.board.destroy();
    this.truthBoard?.destroy();
    this.truthBoard = null;
    fill(this.boards);
    fill(this.moves);
    const names = this.other ? [this.agent, this.other] : [this.agent];
    const mines = asked.deal.level ? this.levels[asked.deal.level].mines : asked.deal.mines;
    this.under.textContent = conditions({ rows, cols, mines, rules: asked.rules, clues: asked.clues ?? "exact" });
    this.movesTitle.textContent = this.other ? `Moves of ${this.agent}` : "Moves";
    this.seats = names.map((name) => new Seat(this.boards, name, names.length > 1));
    this.timeline.pause();
    this.timeline.reels = this.seats.map((seat) => seat.replay);
    this.timeline.at = 0;
    this.timeline.waiting = true;
    this.timeline.grown();
    await Promise.all(this.seats.map((seat) => this.#run(seat, asked, turn)));
    if (turn === this.turn) this.timeline.waiting = false;
  }

  /**
   * @param {Seat} seat
   * @param {import("../messages.js").WatchRequest} asked
   * @param {number} turn
   */
  async #run(seat, asked, turn) {
    try {
      for await (const answer of this.app.client.stream("game.watch", { ...asked, agent: seat.agent, teacher: this.teacher || undefined })) {
        if (turn !== this.turn) return;
        this.#take(seat, answer);
      }
    } catch (error) {
      if (turn !== this.turn) return;
      this.app.complain(error);
      seat.caption.textContent = `${seat.agent}: ${Refusal.of(error).message}`;
    }
  }

  /**
   * @param {Seat} seat
   * @param {WatchedState} answer
   */
  #take(seat, answer) {
    if (seat.board.position.rows === 0) {
      seat.game = answer.game;
      seat.board.show(blank(answer.rows, answer.cols, answer.mines));
      if (seat === this.seats[0] && !this.timeline.playing) this.timeline.play();
    }
    if (answer.move) {
      seat.replay.push(answer.move);
      if (seat === this.seats[0]) this.#list(answer.move, seat.replay.frames.length);
    }
    if (answer.board) this.#truth(seat, answer.board);
    if (!answer.more) {
      seat.end = answer;
      const points = typeof answer.score === "number" ? `score ${answer.score.toFixed(2)}` : answer.won ? "won" : "lost";
      seat.caption.textContent = `${seat.agent}: ${points}, ${seat.replay.frames.length} moves`;
    }
    this.timeline.grown();
  }

  /**
   * @param {import("../messages.js").GameMove} answer
   * @param {number} number
   */
  #list(answer, number) {
    const row = el("li", {}, el("button", { type: "button", onclick: () => { this.timeline.pause(); this.timeline.go(number); } },
      `${number}. ${say("watch.move", answer)}${answer.certain ? "" : kindOf(answer)}`));
    this.moves.append(row);
  }

  /**
   * @param {Seat} seat
   * @param {string} board
   */
  #truth(seat, board) {
    this.mines = minesOf(board);
    if (this.truthBoard || this.seats.length > 1) return;
    const figure = el("figure", {}, el("figcaption", {}, "actual board"));
    this.boards.prepend(figure);
    seat.caption.dataset.side = "knowledge";
    const { rows, cols } = seat.board.position;
    this.truthBoard = new Board(figure, { label: "Actual board", least: 12, most: 32 });
    this.truthBoard.show(solved(rows, cols, this.mines));
    this.truthBoard.truth = this.mines;
  }

  #shown() {
    const { at } = this.timeline;
    for (const seat of this.seats) {
      seat.board.odds = null;
      seat.board.settled = new Map();
      seat.board.overlay = {};
      const ended = !this.timeline.waiting && at >= this.timeline.length;
      seat.board.truth = ended && seat.end?.board ? minesOf(seat.end.board) : null;
      seat.board.draw();
    }
    markLine(this.moves, at);
    if (this.truthBoard) {
      this.truthBoard.last = this.seats[0].board.last;
      this.truthBoard.draw();
    }
    this.#reasons(at);
  }

  /** @param {number} at */
  #reasons(at) {
    this.reason.classList.toggle("two", this.seats.length > 1);
    fill(this.reason, this.seats.map((seat) => {
      const move = seat.replay.frames[at - 1];
      if (!move) return el("p", { class: "soft" }, at === 0 ? "No move yet." : `${seat.agent} has finished.`);
      return el("div", { class: "stack" },
        this.seats.length > 1 && el("h3", {}, seat.agent),
        el("p", {}, el("b", {}, say("watch.move", { action: move.action, cell: move.cell ?? "" })), kindOf(move)),
        move.reason && el("p", { class: "reason" }, linked(move.why ?? move.reason, seat.board)),
        moveReasoning(seat.replay.frames, at - 1, seat.board, this.unfolded));
    }));
  }

  /** The position before the move that is shown, if there is one. */
  #before() {
    const seat = this.seats[0];
    const move = seat?.replay.frames[this.timeline.at - 1];
    if (!move || !seat.game) return null;
    this.timeline.pause();
    return { seat, move, asked: { game: seat.game, at: this.timeline.at - 1 } };
  }

  async #why() {
    const now = this.#before();
    if (!now?.move.cell) return;
    const { at } = this.timeline;
    try {
      const proof = await this.app.client.ask("explain", { ...now.asked, cell: now.move.cell });
      if (at !== this.timeline.at) return;
      now.seat.replay.go(at - 1);
      const body = el("div", { class: "stack" });
      fill(this.reason, body, button("Back to the game", () => this.timeline.go(at)));
      showProof(body, now.seat.board, proof);
    } catch (error) {
      this.app.complain(error);
    }
  }

  async #odds() {
    const now = this.#before();
    if (!now) return;
    const { at } = this.timeline;
    try {
      const odds = await this.app.client.ask("odds", now.asked);
      if (at !== this.timeline.at) return;
      now.seat.replay.go(at - 1);
      now.seat.board.truth = null;
      now.seat.board.odds = odds;
      now.seat.board.overlay = { asked: now.move.cell ? [now.move.cell] : [] };
      now.seat.board.draw();
      const estimated = odds.exact ? "" : " Most of them are estimates.";
      fill(this.reason, el("p", {}, `Mine probability of each hidden cell before move ${at}, in %.${estimated}`), button("Back to the game", () => this.timeline.go(at)));
    } catch (error) {
      this.app.complain(error);
    }
  }

  async #influence() {
    const seat = this.seats[0];
    if (!seat?.end) return this.app.say("The chain of influence is available when the game is over.");
    this.timeline.pause();
    this.timeline.go(this.timeline.length);
    try {
      const { record } = await this.app.client.ask("game.record", { game: seat.game });
      await showInfluence(this.app, this.reason, seat.board, record);
    } catch (error) {
      this.app.complain(error);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const does = /** @type {Record<string, () => void>} */ ({
      w: () => void this.#why(), o: () => void this.#odds(), i: () => this.chains && void this.#influence(), n: () => void this.start(true),
    })[event.key];
    does?.();
    return Boolean(does) || this.timeline.key(event);
  }

  leave() {
    this.turn++;
    this.timeline.pause();
    for (const seat of this.seats) seat.board.destroy();
    this.truthBoard?.destroy();
  }
}

/** Whether a move is proved, only claimed, or a guess. @param {import("../messages.js").GameMove} move */
function kindOf({ certain, why, risk }) {
  const known = why?.claimed ? "claimed" : "certain";
  const kind = certain ? known : typeof risk === "number" ? "risk" : "guess";
  return say("watch.kind", { kind, risk: certain || typeof risk !== "number" ? "" : percent(risk) });
}
