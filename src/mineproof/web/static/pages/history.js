// @ts-check
/** The History page: your games, and your win rates. */
import { intervals } from "../chart.js";
import { button, el, fill, percent, select } from "../dom.js";

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 */
export async function show(main, app) {
  /** @type {NonNullable<import("../messages.js").ListGamesRequest["level"]> | ""} */
  let level = "";
  const rates = el("section", { class: "card stack", "aria-label": "Win rates" });
  const rows = el("tbody", {});
  const more = button("Earlier games", () => void list(next), { hidden: true });
  /** @type {number | null} */
  let next = null;
  let sure = false;
  const wipe = button("Delete all", () => {
    if (!sure) {
      sure = true;
      wipe.textContent = "Delete all games?";
      window.setTimeout(() => { sure = false; wipe.textContent = "Delete all"; }, 4000);
      return;
    }
    app.client.ask("game.delete", { all: true }).then(() => list(), app.complain);
  });
  const table = el("section", { class: "card stack", "aria-label": "Games" },
    el("div", { class: "row between" }, el("h1", {}, "Your games"), el("div", { class: "row" },
      select("Level", [["", "all"], "beginner", "intermediate", "expert", ["other", "other"]], "", (value) => { level = value; void list(); }), wipe)),
    el("div", { class: "wide" }, el("table", { class: "games" }, el("thead", {}, el("tr", {}, ["when", "board", "result", "time", "speed", ""].map((name) => el("th", { scope: "col", class: name === "time" || name === "speed" ? "number" : "" }, name || el("span", { class: "unseen" }, "actions"))))), rows)),
    more);
  main.append(el("div", { class: "stack" }, rates, table));

  /** @param {import("../messages.js").ListedGame} game */
  const line = (game) => {
    const result = !game.over ? "in progress" : typeof game.score === "number" ? `score ${game.score.toFixed(2)}` : game.won ? "won" : "lost";
    const what = [game.level ?? `${game.rows}×${game.cols}`, game.clues !== "exact" ? game.clues : "", game.agent ? `by ${game.agent}` : ""].filter(Boolean).join(", ");
    const agents = game.kind === "agents" || game.kind === "teacher"; // a player may not move there
    const gone = () => app.client.ask("game.delete", { game: game.game }).then(() => list(), app.complain);
    return el("tr", {},
      el("td", {}, new Date(1000 * game.begun).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })),
      el("td", {}, what), el("td", { class: game.won ? "good" : "" }, result),
      el("td", { class: "number" }, game.seconds === null ? "" : `${game.seconds.toFixed(1)} s`),
      el("td", { class: "number" }, game.won && game.bbbv && game.seconds && !game.agent ? `${(game.bbbv / game.seconds).toFixed(2)} 3BV/s` : ""),
      el("td", {}, el("div", { class: "row" },
        game.over ? el("a", { href: `#review/${game.game}` }, "Review") : !agents && el("a", { href: `#play/${game.game}` }, "Continue"),
        button("Delete", gone, { class: "ref", "aria-label": "Delete this game" }))));
  };

  /** @param {number | null} [before] */
  async function list(before = null) {
    try {
      const answer = await app.client.ask("game.list", { level: level || undefined, limit: 30, before: before ?? undefined });
      if (before === null) fill(rows);
      rows.append(...answer.games.map(line));
      if (!rows.children.length) rows.append(el("tr", {}, el("td", { colSpan: 6, class: "soft" }, "No games yet. Games that you play appear here.")));
      next = answer.next;
      more.hidden = next === null;
      const won = answer.rates.filter((each) => each.games > 0);
      fill(rates, el("h2", {}, "Your win rates"), won.length
        ? intervals(won.map((each) => ({ name: each.level, rate: each.rate, interval: each.interval, words: `${each.wins} of ${each.games}` })))
        : el("p", { class: "soft" }, "After your first finished game, your win rate appears here with its 95 % confidence interval."),
        el("p", { class: "soft small" }, won.map((each) => `${each.level}: ${percent(each.rate)} (95 % CI ${percent(each.interval[0])} to ${percent(each.interval[1])})${each.best_seconds ? `, best time ${each.best_seconds.toFixed(1)} s` : ""}`).join(" · ")));
    } catch (error) {
      app.complain(error);
    }
  }
  await list();
  return {};
}
