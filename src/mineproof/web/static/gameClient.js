// @ts-check
/** A game: sends moves one after the other to the referee and applies the changes that it returns. */
import { blank } from "./board/cells.js";
import { Refusal } from "./client.js";

/** @typedef {import("./board/cells.js").Cell} Cell */
/** @typedef {import("./messages.js").GameState} State */

export class GameClient {
  /**
   * @param {import("./client.js").Client} client
   * @param {import("./board/board.js").Board} board
   * @param {() => void} onchange after every answer
   * @param {(error: unknown) => void} complain
   */
  constructor(client, board, onchange, complain) {
    this.client = client;
    this.board = board;
    this.onchange = onchange;
    this.complain = complain;
    /** @type {State | null} the last state that was received */
    this.state = null;
    this.began = 0; // when the clock started, in milliseconds
    /** @type {Promise<void>} */
    this.queue = Promise.resolve();
  }

  /** @param {import("./messages.js").NewGameRequest} fields */
  async begin(fields) {
    this.#take(await this.client.ask("game.new", fields), true);
  }

  /** @param {string} name */
  async resume(name) {
    this.#take(await this.client.ask("game.state", { game: name }), true);
  }

  /**
   * @param {import("./messages.js").MakeMoveRequest["action"]} action
   * @param {Cell} [cell]
   */
  move(action, cell) {
    const { game, over } = this.state ?? {};
    if (!game || over) return;
    this.queue = this.queue.then(async () => {
      if (this.state?.game !== game || this.state.over) return;
      try {
        const answer = await this.client.ask("game.move", { game, action, cell, n: this.state.n });
        if (this.state.game !== game) return;
        if (cell && (action === "open" || action === "chord")) this.board.last = cell;
        this.#take(answer, false);
      } catch (error) {
        // A chord that does nothing or a cell that is open already is not worth a message.
        if (Refusal.of(error).kind !== "illegal") this.complain(error);
        else await this.resume(game);
      }
    });
  }

  /**
   * @param {State} state
   * @param {boolean} whole
   */
  #take(state, whole) {
    const running = state.n > 0 && !state.over;
    this.began = running ? performance.now() - 1000 * state.seconds : 0;
    this.state = state;
    if (whole) this.board.show(blank(state.rows, state.cols, state.mines));
    this.board.apply(state.events);
    this.onchange();
  }

  /** Seconds played. */
  get seconds() {
    return this.began ? (performance.now() - this.began) / 1000 : (this.state?.seconds ?? 0);
  }
}
