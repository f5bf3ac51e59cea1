// @ts-check
/** The form in which a player chooses a game. */
import { el, fill, input, radioGroup, select, checkbox } from "./dom.js";
import { keep, recall } from "./preferences.js";

/** @typedef {import("./messages.js").NewGameRequest} NewGame */
/** @typedef {import("./messages.js").Size} Size */
/** @typedef {Required<import("./messages.js").SomeRules>} Rules */

/**
 * @typedef {object} Choice
 * @property {NonNullable<Size["level"]> | "custom"} level
 * @property {number} rows
 * @property {number} cols
 * @property {"mines" | "density" | "independent"} by
 * @property {number} mines
 * @property {number} density
 * @property {Rules["opening"]} opening
 * @property {Rules["on_mine"]} onMine
 * @property {boolean} count whether the player knows the mine count
 * @property {string} clues
 * @property {string} seed
 * @property {NonNullable<NewGame["needs"]> | "any" | "none"} guess none: a no-guess board; or the reasoning that it needs
 */

/** @type {Choice} */
const USUAL = {
  level: "beginner", rows: 12, cols: 12, by: "mines", mines: 20, density: 0.15,
  opening: "clear", onMine: "end", count: true, clues: "exact", seed: "", guess: "any",
};

/** @type {[string, string][]} */
export const CLUES = [
  ["exact", "exact"], ["optimistic", "optimistic (may be too low)"], ["cautious", "cautious (may be too high)"],
  ["sometimes:0.9", "10 % missing"], ["sometimes:0.75", "25 % missing"], ["sometimes:0.5", "50 % missing"],
];

/** @type {[Choice["guess"], string][]} */
const GUESS = [
  ["any", "any"], ["none", "no guess"], ["local", "no guess: single clues"], ["pairs", "no guess: pairs of clues"],
  ["subset", "no guess: subsets"], ["gauss", "no guess: linear equations"], ["exact", "no guess: all clues at once"],
];

/**
 * The fields of the request for a choice.
 * @param {Choice} choice
 * @returns {NewGame & {deal: Size, rules: import("./messages.js").SomeRules}}
 */
export function request(choice) {
  const { level, rows, cols, by, mines, density, guess } = choice;
  const amount = by === "mines" ? { mines } : { density, independent: by === "independent" || undefined };
  const deal = level === "custom" ? { rows, cols, ...amount } : { level };
  const independent = level === "custom" && by === "independent";
  const known = choice.count && !independent;
  const asked = {
    deal,
    rules: {
      opening: choice.opening, on_mine: choice.onMine, count_known: known,
      density: independent ? density : undefined,
    },
    clues: choice.clues,
    seed: choice.seed.trim() || undefined,
  };
  if (guess === "none") return { ...asked, no_guess: true };
  return guess === "any" ? asked : { ...asked, no_guess: true, needs: guess };
}

/**
 * The shape of the boards of a choice.
 * @param {Size} deal
 * @param {import("./messages.js").Capabilities["levels"]} levels
 */
export function sizeOf({ level, rows = 0, cols = 0 }, levels) {
  return level ? levels[level] : { rows, cols };
}

export class Setup {
  /**
   * @param {string} name under which the choice is stored
   * @param {(changed: "level" | "more") => void} onchange
   * @param {{graded?: boolean, seeded?: boolean}} [options] whether to show the fields for difficulty and seed
   */
  constructor(name, onchange, { graded = true, seeded = true } = {}) {
    this.name = name;
    this.onchange = onchange;
    this.graded = graded;
    this.seeded = seeded;
    /** @type {Choice} */
    this.choice = { ...USUAL, ...recall(name, {}), seed: "" };
    this.shape = el("div", { class: "stack" });
    this.more = el("details", {}, el("summary", {}, "More options"), el("div", { class: "stack" }));
    /** @type {[Choice["level"], string][]} */
    const levels = [["beginner", "Beginner"], ["intermediate", "Intermediate"], ["expert", "Expert"], ["custom", "Custom"]];
    this.root = el(
      "div",
      { class: "stack" },
      radioGroup("Level", levels, this.choice.level, (level) => this.#set({ level }, "level")),
      this.shape,
      this.more,
    );
    this.#draw();
  }

  /**
   * @param {Partial<Choice>} change
   * @param {"level" | "more"} [kind]
   */
  #set(change, kind = "more") {
    Object.assign(this.choice, change);
    keep(this.name, { ...this.choice, seed: "" });
    if ("level" in change || "by" in change) this.#draw();
    this.onchange(kind);
  }

  #draw() {
    const { choice } = this;
    const custom = choice.level === "custom";
    const number = (/** @type {string} */ label, /** @type {"rows"|"cols"|"mines"} */ name, /** @type {number} */ most) =>
      input(label, {
        type: "number", min: name === "mines" ? 0 : 1, max: most, value: choice[name], inputMode: "numeric",
        onchange: (/** @type {any} */ event) => this.#set({ [name]: Math.round(Number(event.target.value)) || 0 }),
      });
    const density = input("Mine density", {
      type: "number", min: 0, max: 1, step: 0.01, value: choice.density,
      onchange: (/** @type {any} */ event) => this.#set({ density: Number(event.target.value) }),
    });
    fill(
      this.shape,
      custom && el("div", { class: "row" }, number("Rows", "rows", 200), number("Columns", "cols", 200)),
      custom && el(
        "div",
        { class: "row" },
        select("Mines", [["mines", "fixed number"], ["density", "share of cells"], ["independent", "random per cell"]], choice.by, (by) => this.#set({ by })),
        choice.by === "mines" ? number("Mine count", "mines", 40000) : density,
      ),
    );
    fill(
      /** @type {Element} */ (this.more.lastElementChild),
      el(
        "div",
        { class: "row" },
        select("First cell", [["safe", "is safe"], ["clear", "opens an area"], ["any", "may be a mine"]], choice.opening, (opening) => this.#set({ opening })),
        select("Hitting a mine", [["end", "ends the game"], ["continue", "costs points"]], choice.onMine, (onMine) => this.#set({ onMine })),
      ),
      el(
        "div",
        { class: "row" },
        select("Clues", CLUES, choice.clues, (clues) => this.#set({ clues })),
        this.graded && select("Difficulty", GUESS, choice.guess, (guess) => this.#set({ guess })),
      ),
      this.seeded && el(
        "div",
        { class: "row" },
        input("Seed", {
          value: choice.seed, placeholder: "random", inputMode: "numeric", autocomplete: "off",
          onchange: (/** @type {any} */ event) => this.#set({ seed: event.target.value }),
        }),
      ),
      checkbox("Show the mine count", choice.count, (count) => this.#set({ count })),
    );
  }
}
