// @ts-check
/** The Analyse page: draw or paste a position and see its mine probabilities, deductions and best moves. */
import { Board } from "../board/board.js";
import { EXPLODED, FLAGGED, HIDDEN, NO_CLUE, KNOWN_SAFE, neighbours, blank, fromText, isCovered, toText } from "../board/cells.js";
import { icon } from "../board/sheet.js";
import { Refusal, can, needsServer } from "../client.js";
import { button, el, fill, input, percent, select, checkbox } from "../dom.js";
import { OddsOverlay } from "../oddsOverlay.js";
import { Hint } from "../hint.js";
import { keep, recall } from "../preferences.js";
import { download, png, svg } from "../pictureFile.js";
import { CLUES } from "../gameForm.js";
import { counted, link, linkedSentence, sentence } from "../linkedText.js";

/** @typedef {import("../board/cells.js").Cell} Cell */

const EXAMPLE = "8x9/14 ?????????/?????????/?11124???/?10002?5?/?201122??/?212?1122/????21000/????10000";
const BRUSHES = [HIDDEN, 0, 1, 2, 3, 4, 5, 6, 7, 8, FLAGGED, NO_CLUE, EXPLODED, KNOWN_SAFE];
const KEYS = /** @type {Record<string, number>} */ ({ "?": HIDDEN, Backspace: HIDDEN, Delete: HIDDEN, f: FLAGGED, F: FLAGGED, "-": NO_CLUE, "*": EXPLODED, s: KNOWN_SAFE });
const NAMES = /** @type {Record<number, string>} */ ({ [HIDDEN]: "hidden", [FLAGGED]: "flag", [NO_CLUE]: "open without a clue", [EXPLODED]: "exploded mine", [KNOWN_SAFE]: "known safe" });

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 * @param {string} text a position
 */
export async function show(main, app, text) {
  return new Analyse(main, app, text || recall("position", EXAMPLE), await app.hello);
}

class Analyse {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   * @param {string} text
   * @param {import("../messages.js").Capabilities} hello what the server or worker offers
   */
  constructor(main, app, text, hello) {
    this.app = app;
    this.comparesReasoners = can(hello, "reasoners");
    this.brush = 1;
    this.follow = false;
    this.clues = "exact";
    this.timer = 0;
    this.verdict = el("div", { class: "stack", role: "status" });
    this.comparison = el("div", { class: "stack" });
    const hold = el("div", {});
    this.board = new Board(hold, {
      label: "Position. Arrow keys move, 0 to 8 set a clue, F sets a flag, question mark hides the cell, minus opens it without a clue, S marks it as known safe.",
      gestures: {
        drag: (cell, pressed) => this.#put(cell, pressed === 2 ? HIDDEN : this.brush),
        primary: (cell) => this.#put(cell, this.brush),
        wheel: (cell, steps) => this.#turn(cell, steps),
        hover: (cell) => { if (this.heat.words(cell)) this.note.textContent = this.heat.words(cell); },
      },
      key: (key, cell) => this.#typed(key, cell),
    });
    this.note = el("p", { class: "note" });
    const position = () => ({ view: toText(this.board.position), clues: this.clues });
    this.heat = new OddsOverlay(app.client, this.board, position, (error) => this.#refused(error));
    this.heat.on = true;
    this.hint = new Hint(app, this.board, position);
    this.brushes = el("div", { class: "brushes", role: "radiogroup", "aria-label": "What to draw" }, BRUSHES.map((look) =>
      el("button", { type: "button", role: "radio", "aria-checked": String(look === this.brush), "aria-label": NAMES[look] ?? `clue ${look}`, "data-brush": look, onclick: () => this.#choose(look) }, icon(look === 0 ? 116 : look, 24))));
    this.text = el("textarea", { rows: 7, spellcheck: false, "aria-label": "The position as text", onchange: () => void this.load(this.text.value) });
    this.size = el("div", { class: "row" });
    this.oddsButton = button("Odds", () => void this.#odds(), { key: "O", "aria-pressed": "true" });
    this.playButton = button("Play from here", () => void this.#play(), { class: "main" });
    const stage = el("section", { class: "card stage", "aria-label": "Position" }, this.brushes, hold, el("div", { class: "beneath" }, this.heat.legend), this.note,
      el("div", { class: "row tools" },
        this.oddsButton,
        button("Undo", () => this.#undo(), { key: "U" }),
        button("Clear", () => this.#resize({}), {}),
        this.playButton));
    main.append(el("h1", { class: "unseen" }, "Analyse"), el("div", { class: "layout" }, stage, el("div", { class: "side" },
      el("section", { class: "card stack", "aria-label": "Deductions" }, el("h2", {}, "Deductions"), this.verdict),
      this.hint.root,
      el("section", { class: "card stack", "aria-label": "Position as text" }, el("h2", {}, "Position"), this.size,
        el("div", { class: "row" }, select("Clues", CLUES, this.clues, (chosen) => { this.clues = chosen; this.#changed(); })),
        checkbox("Compute clues from flags", this.follow, (on) => { this.follow = on; if (on) this.#followAll(); }),
        this.text, el("p", { class: "soft small" }, "Paste a position here, or drop a file on the page."), this.#exports())),
      el("section", { class: "card stack below", "aria-label": "Reasoners" }, el("h2", {}, "What each reasoner deduces"), this.comparison)));
    if (!this.comparesReasoners) fill(this.comparison, el("p", { class: "soft small" }, needsServer("Comparing reasoners needs")));
    this.dropping = (/** @type {DragEvent} */ event) => this.#dropped(event);
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, /** @type {any} */ (this.dropping));
    /** @type {string[]} */
    this.past = [];
    void this.load(text);
  }

  #exports() {
    const name = "position";
    return el("div", { class: "row" },
      button("Copy text", () => void this.#copy(toText(this.board.position, true), "Position copied as text.")),
      button("Copy link", () => void this.#copy(new URL(`#analyse/${encodeURIComponent(toText(this.board.position))}`, location.href).href, "Link to this position copied.")),
      button("SVG", async () => download(`${name}.svg`, new Blob([await svg(this.board)], { type: "image/svg+xml" }))),
      button("PNG", async () => download(`${name}.png`, await png(this.board))));
  }

  /**
   * @param {string} text
   * @param {string} done
   */
  async #copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.app.say(done);
    } catch {
      this.app.say(text);
    }
  }

  /** Shows a position from any text that the engine reads. @param {string} text */
  async load(text) {
    const known = fromText(text);
    if (known) return this.#show(known);
    try {
      const { view } = await this.app.client.ask("position", { view: text });
      const read = fromText(view);
      if (read) this.#show(read);
    } catch (error) {
      this.app.complain(error);
      if (!this.board.position.rows) void this.load(EXAMPLE);
    }
  }

  /** @param {import("../board/cells.js").Position} position */
  #show(position) {
    this.board.show(position);
    const number = (/** @type {string} */ label, /** @type {"rows"|"cols"|"mines"} */ name) => input(label, {
      type: "number", min: name === "mines" ? 0 : 1, max: name === "mines" ? 40000 : 200, value: position[name] ?? "", placeholder: "?",
      onchange: (/** @type {any} */ event) => this.#resize({ [name]: event.target.value === "" ? null : Math.round(Number(event.target.value)) }),
    });
    fill(this.size, number("Rows", "rows"), number("Columns", "cols"), number("Mines", "mines"));
    this.#changed();
  }

  /** Changes the size and keeps the cells that still fit; without a change, hides all cells. @param {{rows?: number, cols?: number, mines?: number | null}} change */
  #resize(change) {
    this.#remember();
    const was = this.board.position;
    const next = blank(Math.min(Math.max(change.rows ?? was.rows, 1), 200), Math.min(Math.max(change.cols ?? was.cols, 1), 200), change.mines === undefined ? was.mines : change.mines);
    if (Object.keys(change).length) {
      for (let row = 0; row < Math.min(was.rows, next.rows); row++) {
        for (let col = 0; col < Math.min(was.cols, next.cols); col++) next.states[row * next.cols + col] = was.states[row * was.cols + col];
      }
    }
    this.#show(next);
  }

  #remember() {
    this.past.push(toText(this.board.position));
    if (this.past.length > 200) this.past.shift();
  }

  #undo() {
    const text = this.past.pop();
    const position = text && fromText(text);
    if (position) this.#show(position);
  }

  /** @param {number} look */
  #choose(look) {
    this.brush = look;
    for (const each of this.brushes.children) each.setAttribute("aria-checked", String(Number(each.dataset.brush) === look));
  }

  /**
   * @param {Cell} cell
   * @param {number} state
   */
  #put(cell, state) {
    const { cols, states } = this.board.position;
    const index = cell[0] * cols + cell[1];
    if (states[index] === state) return;
    this.#remember();
    states[index] = state;
    delete this.board.position.marks;
    if (this.follow) this.#followAround(index);
    this.#changed();
  }

  /**
   * @param {Cell} cell
   * @param {number} steps
   */
  #turn(cell, steps) {
    const state = this.board.state(cell);
    const now = state <= 8 ? state : -1;
    const next = Math.min(Math.max(now + steps, -1), 8);
    this.#put(cell, next < 0 ? HIDDEN : next);
  }

  /**
   * @param {string} key
   * @param {Cell} cell
   */
  #typed(key, cell) {
    const state = /^[0-8]$/.test(key) ? Number(key) : KEYS[key] ?? (key === " " || key === "Enter" ? this.brush : undefined);
    if (state === undefined) return false;
    this.#put(cell, state);
    return true;
  }

  /** Sets the clues around a cell to the number of flags around them. @param {number} index */
  #followAround(index) {
    const { rows, cols, states } = this.board.position;
    for (const near of [index, ...neighbours(rows, cols, index)]) {
      if (states[near] <= 8) states[near] = neighbours(rows, cols, near).filter((each) => states[each] === FLAGGED || states[each] === EXPLODED).length;
    }
  }

  #followAll() {
    this.#remember();
    this.board.position.states.forEach((_, index) => this.#followAround(index));
    this.#changed();
  }

  #changed() {
    const text = toText(this.board.position);
    keep("position", text);
    this.text.value = toText(this.board.position, true);
    this.hint.reset();
    this.board.overlay = {};
    this.heat.forget();
    this.playButton.disabled = this.clues !== "exact";
    this.playButton.title = this.playButton.disabled ? "Only positions with exact clues can be played" : "Play on from this position, on a random board consistent with it";
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.#think(), 150);
  }

  async #odds() {
    this.oddsButton.setAttribute("aria-pressed", String(!this.heat.on));
    await this.heat.set(!this.heat.on);
  }

  async #think() {
    if (!this.board.position.states.some(isCovered)) {
      fill(this.verdict, el("p", { class: "soft" }, "No cell is hidden."));
      return;
    }
    const on = this.heat.on;
    this.heat.on = true;
    const odds = await this.heat.refresh();
    if (!on) await this.heat.set(false);
    if (!odds) return;
    const at = odds.best[0]?.cell;
    if (at && !odds.safe.length) this.board.overlay = { asked: [at] };
    this.board.draw();
    const words = [counted(odds.safe.length, "safe cell"), counted(odds.mined.length, "mine")].join(", ");
    fill(this.verdict,
      el("p", {}, "Certain: ", el("b", {}, words), ".", odds.exact ? "" : " The other probabilities are estimates."),
      at && !odds.safe.length && el("p", {}, "Lowest risk: ", link(at, this.board), `, ${percent(odds.best[0].risk, 2)}.`),
      el("p", { class: "soft small" }, "Point at a cell to see its risk. Use Help for a proof or an agent's move."));
    if (this.comparesReasoners) void this.#reasoners();
  }

  /** @param {unknown} refused */
  #refused(refused) {
    const error = Refusal.of(refused);
    this.board.overlay = { clash: error.cells };
    this.board.draw();
    fill(this.verdict, el("p", { class: "bad" }, el("b", {}, error.kind === "contradiction" ? "Contradiction. " : ""), linkedSentence(error.why ?? error.what, this.board)));
    if (this.comparesReasoners) fill(this.comparison, el("p", { class: "soft small" }, "Nothing: the position above is not valid."));
  }

  async #reasoners() {
    try {
      const text = toText(this.board.position);
      const { reasoners } = await this.app.client.ask("reasoners", { view: text, clues: this.clues });
      if (text !== toText(this.board.position)) return;
      fill(this.comparison, el("table", {}, el("tbody", {}, reasoners.map((result) => {
        const show = () => {
          for (const each of this.comparison.querySelectorAll("tr")) each.classList.toggle("now", each === row);
          if (this.board.root.getBoundingClientRect().bottom < 120) this.board.root.scrollIntoView({ block: "center" });
          this.board.odds = null;
          this.board.settled = new Map(result.settled.map((each) => [each.cell[0] * this.board.position.cols + each.cell[1], each.mine]));
          this.board.draw();
        };
        const safe = result.settled.filter((each) => !each.mine).length;
        const row = el("tr", {}, el("td", {}, button(result.title, show, { class: "ref" }), " ", el("code", {}, result.name), el("div", { class: "soft small" }, sentence(result.about))),
          el("td", { class: "number" }, `${safe} safe`), el("td", { class: "number" }, counted(result.settled.length - safe, "mine")));
        return row;
      }))));
    } catch (error) {
      fill(this.comparison, el("p", { class: "soft small" }, Refusal.of(error).message));
    }
  }

  async #play() {
    try {
      const state = await this.app.client.ask("game.new", { view: toText(this.board.position) });
      location.hash = `#play/${state.game}`;
    } catch (error) {
      this.app.complain(error);
    }
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (event.type === "drop" && file) void file.text().then((text) => this.load(text));
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const does = /** @type {Record<string, () => void>} */ ({
      o: () => void this.#odds(), u: () => this.#undo(), h: () => this.hint.more(), b: () => void this.hint.best(), w: () => void this.hint.explain(this.board.cursor),
      Escape: () => { this.hint.reset(); void this.heat.refresh(); },
    })[key];
    does?.();
    return Boolean(does);
  }

  leave() {
    window.clearTimeout(this.timer);
    for (const kind of ["dragover", "drop"]) document.removeEventListener(kind, /** @type {any} */ (this.dropping));
    this.board.destroy();
  }
}
