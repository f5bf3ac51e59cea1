// @ts-check
/** Answers the requests of the page with the compiled kernel alone, without a server. */
import messages from "../messages.json" with { type: "json" };
import { say } from "../phrases.js";
import { names } from "./agents.js";
import { GameService } from "./gameService.js";
import { generate } from "./gameSetup.js";
import { Broken, Kernel } from "./kernel.js";
import { CLUES } from "./clueModels.js";
import { RequestRefused } from "./errors.js";
import { PROTOCOL, fieldsOf, headOf, readMessage, versionOf } from "./requests.js";
import { answerExplain, answerGo, answerOdds, readPosition } from "./positionMethods.js";
import { nothingKept } from "./gameStore.js";

/** @typedef {import("./requests.js").Method} Method */
/** @typedef {import("./requests.js").Requests} Requests */
/** @typedef {import("../messages.js").Responses} Responses */
/**
 * @template {Method} M
 * @typedef {(given: Requests[M]) => Responses[M] | Promise<Responses[M]> | AsyncGenerator<Responses[M]>} Answerer
 */
/** @typedef {{[M in Method]?: Answerer<M>}} Answerers */

export class Methods {
  /** @param {WebAssembly.Module} module @param {import("./gameService.js").Store} [store] @param {string} [version] */
  constructor(module, store = nothingKept(), version = "") {
    this.version = version;
    this.kernel = new Kernel(module);
    this.games = new GameService(this.kernel, store);
    /** Running requests by id, and whether each was stopped. @type {Map<unknown, {stopped: boolean}>} */
    this.running = new Map();
  }

  /** By method. @type {Answerers} */
  #methods = {
    hello: () => this.#hello(),
    stop: ({ of }) => ({ stopped: this.#stop(of) }),
    position: readPosition,
    go: (given) => answerGo(this.kernel, this.games.positionOf(given)),
    odds: (given) => answerOdds(this.kernel, this.games.positionOf(given)),
    explain: (given) => answerExplain(this.kernel, this.games.positionOf(given)),
    generate: (given) => generate(this.kernel, given),
    "game.new": (given) => this.games.new(given),
    "game.state": (given) => this.games.state(given),
    "game.move": (given) => this.games.move(given),
    "game.watch": (given) => this.games.watch(given),
    "game.review": (given) => this.games.review(given),
    "game.list": (given) => this.games.list(given),
    "game.delete": (given) => this.games.delete(given),
    "game.record": (given) => this.games.record(given),
  };

  /**
   * The responses to a request; errors are responses, too.
   * @param {unknown} message
   * @returns {AsyncGenerator<object>}
   */
  async *answer(message) {
    const head = headOf(message);
    const task = { stopped: false };
    try {
      const { method, given } = readMessage(message, this.#known);
      await this.games.ready;
      if (method !== "stop") this.running.set(head.id, task);
      for await (const answer of this.#answers(method, given)) {
        yield { ...head, ...(method === "hello" && versionOf(message) === 1 ? inVersion1(answer) : answer) };
        if (task.stopped) throw new RequestRefused("stopped", say("refusal.stopped"));
      }
    } catch (error) {
      yield { ...head, error: asError(error) };
    } finally {
      if (this.running.get(head.id) === task) this.running.delete(head.id);
    }
  }

  get #known() {
    return /** @type {Method[]} */ (Object.keys(this.#methods));
  }

  /**
   * @template {Method} M
   * @param {M} method
   * @param {Requests[M]} given
   */
  async *#answers(method, given) {
    const found = await /** @type {Answerer<M>} */ (this.#methods[method])(given);
    if (Symbol.asyncIterator in found) yield* found;
    else yield found;
  }

  #hello() {
    const fields = Object.fromEntries(this.#known.map((method) => [method, fieldsOf(method)]));
    return { protocol: PROTOCOL, name: "mineproof", version: this.version, engine: "wasm", methods: this.#known, fields, agents: names(), clues: CLUES, levels: messages.levels };
  }

  /** @param {unknown} id */
  #stop(id) {
    const task = this.running.get(id);
    if (task) task.stopped = true;
    return Boolean(task);
  }
}

/** The response to `hello` as version 1 of the protocol has it. @param {object} hello */
const inVersion1 = (hello) => Object.fromEntries(Object.entries({ ...hello, protocol: 1 }).map(([name, value]) => [name === "methods" ? "verbs" : name, value]));

/** @param {unknown} error */
function asError(error) {
  if (error instanceof RequestRefused) return error.toJSON();
  if (error instanceof Broken) return { kind: "memory", message: error.message };
  console.error(error);
  return { kind: "fault", message: `internal error in mineproof (${/** @type {Error} */ (error)?.message ?? error})` };
}
