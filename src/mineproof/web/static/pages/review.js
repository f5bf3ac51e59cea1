// @ts-check
/** Review: a finished game move by move, with its risks, missed deductions and luck. */
import { Board } from "../board/board.js";
import { blank, minesOf } from "../board/cells.js";
import { Refusal, can, needsServer } from "../client.js";
import { curve } from "../chart.js";
import { button, el, fill, markLine, percent } from "../dom.js";
import { showInfluence } from "../influence.js";
import { keep, recall } from "../preferences.js";
import { download } from "../pictureFile.js";
import { phrase, say } from "../phrases.js";
import { showProof } from "../proof.js";
import { Replay, Timeline } from "../timeline.js";
import { conditions, linkedSentence, sentence } from "../linkedText.js";

/** @typedef {import("../messages.js").Judgement} Judgement */
/** @typedef {Omit<import("../messages.js").GameMove, "risk"> & Pick<Judgement, "missed"> & Partial<Pick<Judgement, "least" | "exact" | "hit" | "win" | "after" | "cost">> & {risk: number, judged?: boolean, unnecessary?: boolean}} Frame one move and what the review says about it */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 * @param {string} game its ID; empty for the latest game
 */
export async function show(main, app, game) {
  const page = new Review(main, app, await app.hello);
  const latest = recall("latest");
  if (game) void page.load({ game });
  else if (latest && (await isThere(app, latest))) void page.load({ game: latest });
  else page.empty();
  return page;
}

/**
 * Whether a game still exists.
 * @param {import("../app.js").App} app
 * @param {string} game
 */
async function isThere(app, game) {
  try {
    return Boolean(await app.client.ask("game.state", { game }));
  } catch {
    keep("latest", null);
    return false;
  }
}

/** What a guess lost, as text. @param {{chance: number, error: number}} cost */
function paid(cost) {
  const loss = cost.chance === 0 && cost.error === 0 ? "none" : isNothing(cost) ? "small" : "some";
  const [points, low, high] = [0, -1.96, 1.96].map((reach) => 100 * (cost.chance + reach * cost.error));
  return sentence(say("review.cost", { loss, points, estimated: cost.error > 0, low, high }));
}

/** Whether the 95 % interval of a cost contains 0. @param {{chance: number, error: number}} cost */
const isNothing = (cost) => cost.chance < Math.max(1.96 * cost.error, 5e-4);

/** Whether more than half of a risk could have been avoided. @param {Judgement} move */
const isUnnecessary = ({ risk, least, missed, cost }) => risk !== null && risk > 0 && (missed.length > 0 || (risk > 2 * (least ?? 0) && !(cost && isNothing(cost))));

/** @param {Frame} frame */
const opens = (frame) => frame.action === "open" || frame.action === "chord";

class Review {
  /**
   * @param {HTMLElement} main
   * @param {import("../app.js").App} app
   * @param {import("../messages.js").Capabilities} hello what the engine can do
   */
  constructor(main, app, hello) {
    this.app = app;
    this.reads = can(hello, "game.import");
    this.chains = can(hello, "influence");
    this.turn = 0;
    this.game = "";
    /** @type {boolean | null} */
    this.won = null;
    this.words = el("div", { class: "stack", role: "status" });
    this.under = el("p", { class: "soft small" });
    this.figures = el("dl", { class: "figures" });
    this.luck = el("p", {});
    this.chart = el("div", {});
    this.moves = el("ol", { class: "moves scroll", "aria-label": "Moves" });
    const hold = el("div", {});
    this.board = new Board(hold, { label: "The game at this move" });
    /** @type {Replay<Frame>} */
    this.replay = new Replay(this.board);
    this.timeline = new Timeline(() => this.#shown());
    this.timeline.reels = [this.replay];
    const file = el("input", { type: "file", accept: ".json,.jsonl,.rawvf,application/json,text/plain", class: "unseen", id: "record-file", onchange: (/** @type {any} */ event) => void this.#read(event.target.files[0]) });
    const open = el("label", { class: "button", for: "record-file" }, "Open a game file");
    const stage = el("section", { class: "card stage needs-game", "aria-label": "Game" }, hold, this.timeline.root,
      el("div", { class: "row tools" },
        button("Odds before this move", () => void this.#odds(), { key: "O" }),
        this.chains && button("Influence", () => void this.#influence(), { key: "I" }),
        button("Download the game", () => void this.#download())));
    this.title = el("h2", {}, "This move");
    const more = this.reads
      ? el("div", { class: "row" }, file, open)
      : el("p", { class: "soft small" }, needsServer("Game files, chains of influence and the cost of guesses need"));
    const figures = el("section", { class: "card stack needs-game below", "aria-label": "The game in figures" }, el("h2", {}, "The game"), this.under, this.figures,
      this.luck, this.chart);
    this.layout = el("div", { class: "layout alone" }, stage, el("div", { class: "side" },
      el("section", { class: "card stack", "aria-label": "This move" }, this.title, this.words, more),
      el("section", { class: "card stack needs-game", "aria-label": "All moves" }, el("h2", {}, "Moves"), this.moves)), figures);
    main.append(el("h1", { class: "unseen" }, "Review"), this.layout);
    this.dropping = (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer?.files ?? [];
      if (event.type === "drop" && dropped && this.reads) void this.#read(dropped);
    };
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, /** @type {any} */ (this.dropping));
  }

  empty() {
    this.title.textContent = "No game to review yet";
    const drop = [", or drop a file here: a game saved by ", el("code", {}, "play --json"), ", or a ", el("code", {}, ".rawvf"), " video."];
    fill(this.words, el("p", {}, el("a", { href: "#play" }, "Finish a game"), ", or choose one in ", el("a", { href: "#history" }, "History"), ...(this.reads ? drop : ["."])));
  }

  /** @param {File} file */
  async #read(file) {
    await this.load({ text: await file.text() });
  }

  /**
   * Loads a stored game; a record from a file is stored first.
   * @param {{game?: string, text?: string}} asked
   */
  async load(asked) {
    const turn = ++this.turn;
    const { client } = this.app;
    fill(this.moves);
    fill(this.figures);
    fill(this.luck);
    fill(this.words, el("p", { class: "soft" }, "Analysing every move…"));
    try {
      const game = asked.game ?? (await client.ask("game.import", { text: asked.text })).game;
      const state = await client.ask("game.state", { game, moves: true });
      if (turn !== this.turn) return;
      if (!state.over) throw new Error("This game is not over yet: finish it first.");
      this.game = game;
      this.under.textContent = conditions(state);
      this.#begin(state);
      for await (const answer of client.stream("game.review", { game })) {
        if (turn !== this.turn) return;
        if ("move" in answer) this.#judge(answer.move);
        else this.#sum(answer);
      }
      this.timeline.waiting = false;
      for (const [number, frame] of this.replay.frames.entries()) this.#mark(frame, number);
      this.#worst();
    } catch (error) {
      if (turn !== this.turn) return;
      fill(this.words, el("p", { class: "bad" }, sentence(Refusal.of(error).what)));
    }
  }

  /** @param {import("../messages.js").GameState} state of the game, with all actions */
  #begin(state) {
    this.layout.classList.remove("alone");
    this.title.textContent = "This move";
    this.board.show(blank(state.rows, state.cols, state.mines));
    this.mines = minesOf(state.board ?? "");
    this.won = typeof state.score === "number" ? null : state.won;
    // Risks come with the review.
    this.replay.frames = (state.moves ?? []).map((move) => ({ ...move, risk: 0, missed: [] }));
    this.replay.covered = [];
    this.replay.at = this.timeline.at = 0;
    this.timeline.waiting = true;
    this.moves.append(...this.replay.frames.map((_, at) =>
      el("li", {}, el("button", { type: "button", onclick: () => { this.timeline.pause(); this.timeline.go(at + 1); } }))));
    this.replay.frames.forEach((frame, at) => this.#mark(frame, at));
    this.timeline.grown();
    this.#draw();
  }

  /** Adds a judged move to its turn: a chord is a turn with several. @param {Judgement} move */
  #judge(move) {
    const frame = this.replay.frames[move.n];
    const first = !frame.judged;
    frame.judged = true;
    frame.risk = first || move.risk === null ? move.risk ?? 0 : 1 - (1 - frame.risk) * (1 - move.risk);
    frame.least = first ? move.least : Math.max(frame.least ?? 0, move.least ?? 0);
    frame.missed = first ? move.missed : frame.missed;
    frame.exact = move.exact && (first || frame.exact);
    frame.hit = frame.hit || move.hit;
    frame.win = frame.win ?? move.win;
    frame.cost = first ? move.cost : null;
    frame.unnecessary = Boolean(frame.unnecessary) || isUnnecessary(move);
    frame.after = move.after ?? frame.after;
  }

  /**
   * @param {Frame} frame
   * @param {number} at
   */
  #mark(frame, at) {
    const mark = frame.hit ? "mine" : !opens(frame) || !frame.risk ? "none" : frame.unnecessary ? "unnecessary" : "risk";
    const line = /** @type {HTMLElement} */ (this.moves.children[at].firstElementChild);
    line.classList.toggle("bad", Boolean(frame.hit || (opens(frame) && frame.unnecessary)));
    line.textContent = say("review.line", { number: at + 1, action: frame.action, cell: frame.cell ?? "", mark, risk: percent(frame.risk ?? 0) });
  }

  /** @param {import("../messages.js").ReviewEnd} answer */
  #sum({ luck, won, score }) {
    const figures = [
      ["result", typeof score === "number" ? score.toFixed(2) : won ? "won" : "lost"],
      ["forced guesses", luck.guesses], ["missed deductions", luck.needless], ["unnecessary risks", luck.unnecessary], ["mines hit", luck.hits],
      ...(luck.verdict === "none" ? [] : [["mines expected at these risks", luck.expected_hits.toFixed(2)], ["mines expected at the lowest risks", (luck.expected_hits - luck.excess).toFixed(2)], ["probability of surviving", percent(luck.survival)]]),
    ];
    fill(this.figures, figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    fill(this.luck, el("b", {}, "Luck: "), sentence(say("review.luck", luck)));
  }

  #draw() {
    const points = this.replay.frames.flatMap((move, at) => {
      const slip = opens(move) && move.unnecessary;
      /** @type {[number, Judgement["win"] | undefined, boolean | undefined][]} */
      const ends = [[at, move.win, slip], [at + 1, move.after, false]];
      return ends.flatMap(([place, chance, bad]) => (chance ? [{ at: place, share: chance.chance, error: chance.error, slip: bad }] : []));
    });
    // A single estimate is not drawn, as in `games/review.py`.
    if (!this.replay.frames.some((move) => move.win)) return fill(this.chart);
    if (!this.timeline.waiting && this.won !== null && points[points.length - 1].at < this.replay.frames.length) points.push({ at: this.replay.frames.length, share: this.won ? 1 : 0, error: 0, slip: false });
    fill(this.chart, el("h3", {}, "Win probability"), curve(points, this.replay.frames.length, this.timeline.at, this.chart.clientWidth));
  }

  /** Goes to the move that cost most. */
  #worst() {
    const cost = (/** @type {Frame} */ move) => (opens(move) ? move.risk - (move.least ?? 0) + (move.missed.length ? 1 : 0) : 0);
    let worst = this.replay.frames.length;
    this.replay.frames.forEach((move, at) => {
      if (cost(move) > (worst ? cost(this.replay.frames[worst - 1]) : 0)) worst = at + 1;
    });
    this.timeline.go(worst);
  }

  #shown() {
    const { at } = this.timeline;
    const move = this.replay.frames[at - 1];
    this.board.odds = null;
    this.board.settled = new Map();
    const ended = at === this.replay.frames.length && !this.timeline.waiting;
    this.board.truth = ended ? this.mines ?? null : null;
    this.board.overlay = move?.missed?.length ? { clues: move.missed } : {};
    this.board.draw();
    markLine(this.moves, at);
    this.#draw();
    if (!move) return fill(this.words, el("p", { class: "soft" }, say("review.first")));
    const { action, cell = "", missed } = move;
    const risky = opens(move) && move.risk > 0;
    const kind = risky ? "risk" : action === "flag" && move.risk > 0 ? "flag" : "none";
    const least = percent(move.least ?? 0, 2);
    const bad = { class: "bad" };
    fill(this.words,
      el("p", {}, linkedSentence(phrase("review.move", { action, cell, kind, risk: percent(move.risk ?? 0, 2), hit: Boolean(move.hit) }), this.board)),
      risky && (missed.length
        ? el("p", bad, linkedSentence(phrase("review.missed", { cells: missed, more: 0, missed }), this.board))
        : move.unnecessary ? el("p", bad, sentence(say("review.lower", { least }))) : el("p", {}, sentence(say("review.lowest", { exact: Boolean(move.exact), least })))),
      risky && missed.length > 0 && el("div", {}, button(say("review.why", { cell: missed[0] }), () => void this.#why(missed[0]))),
      move.win && el("p", { class: "soft" }, sentence(say("review.win", { win: percent(move.win.chance), after: move.after ? percent(move.after.chance) : "none" })), " ", move.cost && paid(move.cost)));
  }

  /** Why a cell was certain before this move. @param {[number, number]} cell */
  async #why(cell) {
    const { at } = this.timeline;
    this.timeline.pause();
    try {
      const proof = await this.app.client.ask("explain", { game: this.game, at: at - 1, cell });
      if (at !== this.timeline.at) return;
      this.replay.go(at - 1);
      this.board.truth = null;
      const body = el("div", { class: "stack" });
      fill(this.words, body, button("Back to the move", () => this.timeline.go(at)));
      showProof(body, this.board, proof);
    } catch (error) {
      this.app.complain(error);
    }
  }

  async #odds() {
    const { at } = this.timeline;
    if (at < 1) return;
    this.timeline.pause();
    this.replay.go(at - 1);
    try {
      this.board.truth = null;
      this.board.odds = await this.app.client.ask("odds", { game: this.game, at: at - 1 });
      const { cell } = this.replay.frames[at - 1];
      this.board.overlay = { asked: cell ? [cell] : [] };
      this.board.draw();
    } catch (error) {
      this.app.complain(error);
    }
  }

  async #record() {
    return (await this.app.client.ask("game.record", { game: this.game })).record;
  }

  async #influence() {
    try {
      const record = await this.#record();
      this.timeline.pause();
      this.timeline.go(this.timeline.length);
      await showInfluence(this.app, this.words, this.board, record);
    } catch (error) {
      this.app.complain(error);
    }
  }

  async #download() {
    try {
      download("game.json", new Blob([JSON.stringify(await this.#record(), null, 1)], { type: "application/json" }));
    } catch (error) {
      this.app.complain(error);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "o") return void this.#odds(), true;
    if (event.key === "i" && this.chains) return void this.#influence(), true;
    return this.timeline.key(event);
  }

  leave() {
    this.turn++;
    this.timeline.pause();
    for (const kind of ["dragover", "drop"]) document.removeEventListener(kind, /** @type {any} */ (this.dropping));
    this.board.destroy();
  }
}
