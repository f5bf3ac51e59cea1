// @ts-check
/**
 * The compiled kernel: takes and returns rows of numbers (native/wasm/row.hpp). It gets only the few
 * system functions that the C library needs.
 */

/** @typedef {number[] | Float64Array} Row */

/** The kernel failed and was restarted. */
export class Broken extends Error {}

const WHOLE = 2 ** 32;

export class Kernel {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    /** How often the kernel was started; its games are lost when this changes. */
    this.life = 0;
    /** @type {any} */
    this.exports = null;
    this.#begin();
  }

  #begin() {
    this.life += 1;
    this.exports = new WebAssembly.Instance(this.module, imports(this.module, () => this.exports.memory)).exports;
    this.exports._initialize();
  }

  /**
   * @param {string} call
   * @param {Row} row
   * @returns {Float64Array} the answer, a copy
   */
  ask(call, row) {
    try {
      const begin = this.exports.question(row.length);
      new Float64Array(this.exports.memory.buffer, begin, row.length).set(row);
      const count = this.exports[call]() ?? 0;
      return new Float64Array(this.exports.memory.buffer, this.exports.answer(), count).slice();
    } catch (error) {
      this.#begin(); // out of memory or an internal error: its state cannot be trusted
      throw new Broken(`the engine failed (${/** @type {Error} */ (error).message}); this request is probably too large for the browser`);
    }
  }
}

/**
 * The WASI functions that the C library imports: a clock and random numbers, but no files or environment.
 * @param {WebAssembly.Module} module
 * @param {() => WebAssembly.Memory} memory
 */
function imports(module, memory) {
  const bytes = () => new DataView(memory().buffer);
  /** @type {Record<string, Function>} */
  const known = {
    clock_time_get: (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
      bytes().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get: (/** @type {number} */ at, /** @type {number} */ count) => {
      crypto.getRandomValues(new Uint8Array(memory().buffer, at, count));
      return 0;
    },
    proc_exit: (/** @type {number} */ code) => {
      throw new Error(`exit ${code}`);
    },
  };
  /** @type {Record<string, Record<string, any>>} */
  const found = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (found[from] ??= {})[name] = known[name] ?? (() => 52); // ENOSYS: there is no such thing here
  }
  return found;
}

/** The two halves of a seed. @param {bigint} seed @returns {[number, number]} */
export const halves = (seed) => [Number(seed >> 32n), Number(seed & 0xffffffffn)];

/** @param {number} high @param {number} low */
export const joined = (high, low) => (BigInt(high) << 32n) | BigInt(low);

/** A new secret of 64 bits. */
export function freshSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return BigInt(high) * BigInt(WHOLE) + BigInt(low);
}

/** Reads a row of numbers from its start. */
export class Reader {
  /** @param {Float64Array} row */
  constructor(row) {
    this.row = row;
    this.at = 0;
  }

  number() {
    return this.row[this.at++];
  }

  truth() {
    return this.number() !== 0;
  }

  /** What a number stands for. @template {string} T @param {T[]} names */
  name(names) {
    return names[this.number()];
  }

  /** @returns {number[]} */
  list() {
    return this.some(this.number());
  }

  /** The next numbers. @param {number} count @returns {number[]} */
  some(count) {
    const found = Array.from(this.row.subarray(this.at, this.at + count));
    this.at += count;
    return found;
  }

  /**
   * A list whose entries are all read by the same function.
   * @template T
   * @param {() => T} each
   */
  many(each) {
    return Array.from({ length: this.number() }, each);
  }

  get ended() {
    return this.at >= this.row.length;
  }
}
