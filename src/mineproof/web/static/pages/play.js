// @ts-check
/** The Play page: a board, help on request, and the result. */
import { Board } from "../board/board.js";
import { FLAGGED, isCovered, minesOf, toText } from "../board/cells.js";
import { icon } from "../board/sheet.js";
import { button, el, fill } from "../dom.js";
import { GameClient } from "../gameClient.js";
import { OddsOverlay } from "../oddsOverlay.js";
import { Hint } from "../hint.js";
import { keep, recall } from "../preferences.js";
import { Setup, request } from "../gameForm.js";
import { conditions } from "../linkedText.js";

/** @typedef {import("../board/cells.js").Cell} Cell */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 * @param {string} asked the ID of a game
 */
export async function show(main, app, asked) {
  const page = new Play(main, app);
  await page.start(asked);
  return page;
}

class Play {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   */
  constructor(main, app) {
    this.app = app;
    this.tapFlags = false;
    this.asking = false; // the next click asks why
    this.left = el("div", { class: "figure", title: "Mines left" });
    this.clock = el("div", { class: "figure", title: "Time in seconds", "aria-live": "off" }, "0");
    this.state = el("div", { class: "state", role: "status" });
    this.pointed = el("div", { class: "soft small" });
    this.note = el("p", { class: "note", role: "status" });
    this.result = el("section", { class: "card stack", hidden: true, "aria-label": "Result" });
    const stage = el("section", { class: "card stage", "aria-label": "Game" });
    const hold = el("div", { class: "hold" });
    this.board = new Board(hold, {
      label: "Minesweeper board. Arrow keys move, space opens, F flags, C chords.",
      gestures: {
        primary: (cell, event) => this.#click(cell, event.shiftKey),
        secondary: (cell, event) => (event.pointerType !== "mouse" && this.tapFlags ? this.#open(cell) : this.#flag(cell)),
        chord: (cell) => this.game.move("chord", cell),
        hover: (cell) => this.#hover(cell),
      },
      key: (key, cell) => this.#boardKey(key, cell),
    });
    this.game = new GameClient(app.client, this.board, () => this.#changed(), app.complain);
    const position = () => (this.game.state && !this.game.state.over ? { game: this.game.state.game } : null);
    this.heat = new OddsOverlay(app.client, this.board, position, app.complain);
    this.hint = new Hint(app, this.board, position, () => this.game.state?.rules.opening ?? "any");
    this.setup = new Setup("choice", (kind) => {
      if (kind === "level" && this.setup.choice.level !== "custom") void this.fresh();
    });
    this.hintButton = button("Hint", () => this.#hint(), { key: "H" });
    this.oddsButton = button("Odds", () => this.#odds(), { key: "O", "aria-pressed": "false", title: "Show the mine probability of every hidden cell" });
    this.whyButton = button("Why?", () => this.#ask(), { key: "W", "aria-pressed": "false", title: "Click this, then a hidden cell, to see why it is safe, a mine, or undecided" });
    this.flagButton = button("Tap to flag", () => this.#tap(), { "aria-pressed": "false", class: "touch" });
    this.stopButton = button("Stop", () => this.game.move("stop"), { hidden: true, title: "End the game now; cells that are neither open nor flagged count as safe" });
    stage.append(
      el("div", { class: "bar" }, this.left, el("div", { class: "middle" }, this.state, this.pointed), this.clock),
      hold,
      el("div", { class: "beneath" }, this.heat.legend, this.note),
      el("div", { class: "row tools" },
        button("New game", () => void this.fresh(), { key: "N", class: "main" }),
        button("Same board", () => void this.again(), { key: "R" }),
        this.hintButton, this.oddsButton, this.whyButton, this.flagButton, this.stopButton,
        button("Share", () => void this.#share(), {}),
        el("span", { class: "pair" },
          button("−", () => this.#zoom(1 / 1.2), { "aria-label": "Smaller", class: "quiet" }),
          button("+", () => this.#zoom(1.2), { "aria-label": "Larger", class: "quiet" }))),
    );
    const choice = el("section", { class: "card stack", "aria-label": "New game" },
      el("h2", {}, "Board"), this.setup.root, button("Start", () => void this.fresh()));
    main.append(el("h1", { class: "unseen" }, "Play"), el("div", { class: "layout" }, stage,
      el("div", { class: "side" }, this.result, this.hint.root, choice, this.#help())));
    this.ticking = window.setInterval(() => this.#checkbox(), 200);
  }

  /** Shows the requested game, the game under way, or a new one. @param {string} asked */
  async start(asked) {
    const shared = new URLSearchParams(location.search).get("again");
    try {
      if (shared) {
        await this.game.begin({ again: shared });
        history.replaceState(null, "", `${location.pathname}#play`);
        this.app.say("This is a shared board, with the same mines as in the original game.");
        return;
      }
      const known = asked || recall("game");
      if (known) return await this.game.resume(known);
    } catch (error) {
      if (shared || asked) this.app.complain(error);
      history.replaceState(null, "", `${location.pathname}#play`);
    }
    await this.fresh();
  }

  /** Starts a new game as chosen. */
  async fresh() {
    try {
      const slow = window.setTimeout(() => (this.note.textContent = "Searching for a board…"), 400);
      await this.game.begin(request(this.setup.choice)).finally(() => window.clearTimeout(slow));
      this.board.well.focus({ preventScroll: true });
    } catch (error) {
      this.app.complain(error);
    }
  }

  /** Starts the same board again. */
  async again() {
    if (!this.game.state) return;
    await this.game.begin({ again: this.game.state.game }).catch(this.app.complain);
    this.board.well.focus({ preventScroll: true });
  }

  /**
   * @param {Cell} cell
   * @param {boolean} why
   */
  #click(cell, why) {
    if (this.asking || why) {
      this.#ask(false);
      return isCovered(this.board.state(cell)) ? void this.hint.explain(cell) : undefined;
    }
    if (this.tapFlags && isCovered(this.board.state(cell))) return this.#flag(cell);
    this.#open(cell);
  }

  /** @param {Cell} cell */
  #open(cell) {
    const state = this.board.state(cell);
    if (state === FLAGGED) return;
    this.game.move(isCovered(state) ? "open" : "chord", cell);
  }

  /** @param {Cell} cell */
  #flag(cell) {
    const state = this.board.state(cell);
    if (state === FLAGGED) this.game.move("unflag", cell);
    else if (isCovered(state)) this.game.move("flag", cell);
    else this.game.move("chord", cell);
  }

  /**
   * @param {string} key
   * @param {Cell} cell
   */
  #boardKey(key, cell) {
    if (key === " " || key === "Enter") this.#click(cell, false);
    else if (key === "f" || key === "F") this.#flag(cell);
    else if (key === "c" || key === "C") this.game.move("chord", cell);
    else if (key === "w" || key === "W") void this.hint.explain(cell);
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const does = /** @type {Record<string, () => void>} */ ({
      n: () => void this.fresh(), r: () => void this.again(), o: () => this.#odds(), h: () => this.hint.more(),
      b: () => void this.hint.best(), w: () => this.#ask(), z: () => this.#zeros(),
      "+": () => this.#zoom(1.2), "-": () => this.#zoom(1 / 1.2), Escape: () => this.hint.reset(),
    })[key.length === 1 ? key.toLowerCase() : key];
    does?.();
    return Boolean(does);
  }

  /** Shows the next step of a hint, and scrolls to it. */
  #hint() {
    this.hint.more();
    if (this.hint.root.getBoundingClientRect().top > window.innerHeight - 120) {
      this.hint.root.scrollIntoView({ block: "center", behavior: "smooth" });
    }
  }

  #odds() {
    this.#heated(this.heat.set(!this.heat.on || this.heat.zeros));
  }

  #zeros() {
    this.#heated(this.heat.set(!(this.heat.on && this.heat.zeros), true));
  }

  /** @param {Promise<void>} asked */
  #heated(asked) {
    void asked;
    this.oddsButton.setAttribute("aria-pressed", String(this.heat.on));
    this.pointed.textContent = "";
    if (this.game.state) this.#showState(this.game.state);
  }

  /** @param {boolean} [on] */
  #ask(on = !this.asking) {
    this.asking = on;
    this.whyButton.setAttribute("aria-pressed", String(on));
    if (on) this.note.textContent = "Click a hidden cell to see why it is safe, a mine, or undecided.";
    else if (this.game.state) this.#showState(this.game.state);
  }

  #tap() {
    this.tapFlags = !this.tapFlags;
    this.flagButton.setAttribute("aria-pressed", String(this.tapFlags));
  }

  /** @param {number} by */
  #zoom(by) {
    this.board.zoom = Math.min(Math.max(this.board.zoom * by, 0.4), 3);
    this.board.layout();
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    this.pointed.textContent = this.heat.on && !this.game.state?.over ? this.heat.words(cell) : "";
  }

  async #share() {
    const link = new URL(this.game.state?.link ?? "/", location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.app.say("Link to this board copied.");
    } catch {
      this.app.say(link);
    }
  }

  #changed() {
    const { state } = this.game;
    if (!state) return;
    keep("game", state.over ? null : state.game);
    keep("latest", state.over ? state.game : recall("latest"));
    this.hint.reset();
    for (const each of [this.hintButton, this.oddsButton, this.whyButton]) each.disabled = state.over;
    this.pointed.textContent = "";
    this.stopButton.hidden = state.over || state.rules.on_mine !== "continue";
    fill(this.left, icon(FLAGGED, 26), state.mines_left ?? "?");
    this.board.truth = state.over && state.board ? minesOf(state.board) : null;
    this.result.hidden = !state.over;
    this.hint.root.hidden = state.over;
    this.#showState(state);
    this.#checkbox();
    void this.heat.refresh();
    if (state.over) this.#ended(state);
  }

  /** @param {import("../messages.js").GameState} state */
  #showState(state) {
    const points = typeof state.score === "number" ? `score ${state.score.toFixed(2)}` : "";
    this.state.textContent = state.over ? (points || (state.won ? "Won" : "Lost")) : state.hit ? `${state.hit} ${state.hit === 1 ? "mine" : "mines"} hit` : "";
    this.state.className = `state ${state.over && !points ? (state.won ? "good" : "bad") : ""}`;
    if (state.over || state.n > 0 || this.heat.on) this.note.textContent = "";
    else {
      const first = /** @type {Record<string, string>} */ ({ safe: "the first cell is safe", clear: "the first cell opens an area", any: "the first cell may be a mine" });
      const begin = state.start ? `Start at (${state.start.join(",")})` : "Open any cell";
      const hints = matchMedia("(pointer: coarse)").matches ? "Long-press to flag." : "Right-click to flag; press H for a hint, O for the odds.";
      this.note.textContent = `${begin}: ${first[state.rules.opening]}. ${hints}`;
    }
  }

  /** @param {import("../messages.js").GameState} state */
  #ended(state) {
    const seconds = Math.max(state.seconds, 0.001);
    const figures = [["time", `${seconds.toFixed(1)} s`], ["3BV", state.bbbv], ["3BV/s", state.won && state.bbbv ? (state.bbbv / seconds).toFixed(2) : "–"], ["moves", state.n]];
    if (typeof state.score === "number") figures.push(["score", state.score.toFixed(2)], ["mines hit", state.hit]);
    fill(
      this.result,
      el("h2", { class: state.won ? "good" : "" }, typeof state.score === "number" ? "Game over" : state.won ? "Won" : "Lost"),
      el("p", { class: "soft small" }, conditions(state)),
      el("dl", { class: "figures" }, figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      el("div", { class: "row" },
        el("a", { class: "button", href: `#review/${state.game}` }, "Review this game"),
        el("a", { class: "button", href: `#analyse/${encodeURIComponent(toText(this.board.position))}` }, "Analyse the final position")),
    );
  }

  #checkbox() {
    const text = String(Math.min(Math.floor(this.game.seconds), 9999));
    if (this.clock.textContent !== text) this.clock.textContent = text;
  }

  #help() {
    const keys = [["arrows", "move"], ["space", "open; on a clue: chord"], ["F", "flag"], ["C", "chord: open around a clue whose flags are complete"], ["W", "why is this cell safe or a mine?"], ["H", "hint, step by step"], ["B", "best move"], ["O", "odds: the mine probability of every cell"], ["Z", "probability that a cell shows 0"], ["N", "new game"], ["R", "same board again"], ["+ −", "larger, smaller"]];
    return el("details", { class: "card" }, el("summary", {}, "Keys and gestures"),
      el("table", {}, el("tbody", {}, keys.map(([key, words]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words))))),
      el("p", { class: "soft small" }, "Mouse: left click opens, right click flags, middle click or left click on a clue chords, Shift-click asks why. Touch: tap to open, long-press to flag."));
  }

  leave() {
    window.clearInterval(this.ticking);
    this.board.destroy();
  }
}
