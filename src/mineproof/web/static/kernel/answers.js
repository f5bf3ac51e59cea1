// @ts-check
/** Answers the requests of the page with the compiled kernel alone, without a server. */
import { say } from "../phrases.js";
import { names } from "./agents.js";
import { Desk } from "./desk.js";
import { CLUES, FIELDS, headOf, LEVELS, readMessage } from "./fields.js";
import { generate } from "./grounds.js";
import { Broken, Kernel } from "./kernel.js";
import { Refused } from "./refusals.js";
import { SOLVER } from "./solving.js";
import { nothingKept } from "./store.js";

/** @typedef {Record<string, any>} Fields */

export class Answers {
  /** @param {WebAssembly.Module} module @param {import("./desk.js").Store} [store] @param {string} [version] */
  constructor(module, store = nothingKept(), version = "") {
    this.version = version;
    this.kernel = new Kernel(module);
    this.desk = new Desk(this.kernel, store);
    /** Running requests by id, and whether each was stopped. @type {Map<any, {stopped: boolean}>} */
    this.running = new Map();
  }

  /**
   * The responses to a request; errors are responses, too.
   * @param {any} message
   * @returns {AsyncGenerator<Fields>}
   */
  async *answer(message) {
    const head = headOf(message);
    const task = { stopped: false };
    try {
      const { verb, given } = readMessage(message);
      await this.desk.ready;
      if (verb !== "stop") this.running.set(head.id, task);
      for await (const answer of this.#answers(verb, given)) {
        yield { ...head, ...answer };
        if (task.stopped) throw new Refused("stopped", say("refusal.stopped"));
      }
    } catch (error) {
      yield { ...head, error: asError(error) };
    } finally {
      if (this.running.get(head.id) === task) this.running.delete(head.id);
    }
  }

  /** @param {string} verb @param {Fields} given @returns {AsyncGenerator<Fields>} */
  async *#answers(verb, given) {
    if (verb === "hello") yield this.#hello();
    else if (verb === "stop") yield { stopped: this.#stop(given.of) };
    else if (verb in SOLVER) yield SOLVER[verb](this.kernel, this.desk.positionOf(given));
    else if (verb === "generate") yield generate(this.kernel, given);
    else if (verb === "game.watch") yield* this.desk.watch(given);
    else if (verb === "game.review") yield* this.desk.review(given);
    else yield this.#atDesk(verb, given);
  }

  /** @param {string} verb @param {Fields} given @returns {Fields | Promise<Fields>} */
  #atDesk(verb, given) {
    switch (verb) {
      case "game.new": return this.desk.new(given);
      case "game.state": return this.desk.state(given);
      case "game.move": return this.desk.move(given);
      case "game.list": return this.desk.list(given);
      case "game.delete": return this.desk.delete(given);
      default: return this.desk.record(given);
    }
  }

  #hello() {
    return { protocol: 1, name: "mineproof", version: this.version, engine: "wasm", verbs: Object.keys(FIELDS), fields: FIELDS, agents: names(), clues: CLUES, levels: LEVELS };
  }

  /** @param {any} id */
  #stop(id) {
    const task = this.running.get(id);
    if (task) task.stopped = true;
    return Boolean(task);
  }
}

/** @param {unknown} error */
function asError(error) {
  if (error instanceof Refused) return error.toJSON();
  if (error instanceof Broken) return { kind: "memory", message: error.message };
  console.error(error);
  return { kind: "fault", message: `internal error in mineproof (${/** @type {Error} */ (error)?.message ?? error})` };
}
