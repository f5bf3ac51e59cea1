// @ts-check
/** The Compare page: agents on the same boards, with a chart that is updated as games are played. */
import { aboutOf, titleOf } from "../agents.js";
import { can, needsServer } from "../client.js";
import { intervals } from "../chart.js";
import { button, el, fill, input, percent } from "../dom.js";
import { recall, keep } from "../preferences.js";
import { Setup, request } from "../gameForm.js";

/** @typedef {import("../messages.js").StandingsData} Standings */
/** @typedef {import("../messages.js").StandingData} Standing */

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").App} app
 */
export async function show(main, app) {
  const hello = await app.hello;
  const { agents } = hello;
  if (!can(hello, "arena.run")) {
    main.append(el("div", { class: "layout alone" }, el("section", { class: "card stack" }, el("h1", {}, "Which agent is best?"),
      el("p", {}, needsServer("Comparing agents and reading studies need")),
      el("p", {}, "Without it, you can ", el("a", { href: "#watch" }, "watch"), " two agents on the same board."))));
    return {};
  }
  const names = [...agents.filter((name) => name !== "champion"), "champion:budget=fast"];
  const chosen = new Set(recall("arena", ["baseline", "csp", "exact"]));
  let games = 500;
  /** @type {AsyncGenerator<Standings> | null} */
  let running = null;
  const chart = el("div", {}, el("p", { class: "soft" }, "Choose agents and press Start. All of them play the same boards, so that the differences between them are measured precisely."));
  const table = el("div", { class: "wide" });
  const progress = el("progress", { value: 0, max: 1, hidden: true, "aria-label": "Games played" });
  const status = el("p", { class: "soft", role: "status" });
  const go = button("Start", () => (running ? stop() : void run()), { class: "main" });
  const setup = new Setup("arena-board", () => {}, { graded: false });
  const boxes = el("fieldset", { class: "agents" }, el("legend", {}, "Agents"), names.map((name) =>
    el("label", { class: "tick" }, el("input", { type: "checkbox", value: name, checked: chosen.has(name), onchange: (/** @type {any} */ event) => {
      if (event.target.checked) chosen.add(name);
      else chosen.delete(name);
      keep("arena", [...chosen]);
    } }), el("span", {}, titleOf(name), " ", el("code", {}, name), el("span", { class: "soft small" }, aboutOf(name))))));
  const studies = el("section", { class: "card stack", "aria-label": "Studies", hidden: true });
  main.append(el("div", { class: "layout" },
    el("section", { class: "card stage", "aria-label": "Standings" }, el("h1", {}, "Which agent is best?"), progress, status, chart, table),
    el("div", { class: "side" }, el("section", { class: "card stack", "aria-label": "What to compare" }, boxes, setup.root,
      input("Games", { type: "number", min: 1, max: 100000, value: games, onchange: (/** @type {any} */ event) => (games = Math.max(1, Math.round(Number(event.target.value)) || 1)) }), go), studies)));

  function stop() {
    void running?.return(undefined);
    running = null;
    go.textContent = "Start";
  }

  async function run() {
    if (!chosen.size) return app.say("Choose at least one agent.");
    const { deal, rules, clues, seed } = request(setup.choice);
    const mine = app.client.stream("arena.run", { agents: names.filter((name) => chosen.has(name)), deal, rules, clues, seed, games });
    running = mine;
    go.textContent = "Stop";
    progress.hidden = false;
    if (progress.getBoundingClientRect().top < 0) main.scrollIntoView();
    progress.value = 0;
    try {
      for await (const answer of mine) {
        if (running !== mine) return;
        draw(answer);
      }
    } catch (error) {
      app.complain(error);
    }
    if (running === mine) stop();
  }

  /** @param {Standings} answer */
  function draw(answer) {
    progress.max = answer.of;
    progress.value = answer.games;
    status.textContent = `${answer.games} of ${answer.of} boards: ${answer.conditions}`;
    const scored = answer.agents.some((each) => each.score !== null);
    const rateOf = (/** @type {Standing} */ { score, win_rate: wins }) => (scored ? score ?? 0 : wins);
    const shown = (/** @type {Standing} */ one) => (scored ? rateOf(one).toFixed(3) : percent(rateOf(one)));
    const sorted = [...answer.agents].sort((a, b) => rateOf(b) - rateOf(a));
    fill(chart, intervals(sorted.map((each) => ({
      name: each.name,
      rate: rateOf(each),
      interval: (scored ? each.score_interval : each.win_interval) ?? [0, 1],
      words: shown(each),
    }))));
    const words = (/** @type {number} */ value) => (scored ? value.toFixed(3).replace("-", "−") : percent(value));
    const head = ["agent", scored ? "score" : "win rate", "95 % CI", "guesses per game", "games per CPU-second"];
    fill(table, el("table", {}, el("thead", {}, el("tr", {}, head.map((name, at) => el("th", { scope: "col", class: at > 2 ? "extra" : "" }, name)))),
      el("tbody", {}, sorted.map((each) => {
        const interval = (scored ? each.score_interval : each.win_interval) ?? [0, 1];
        return el("tr", {}, el("td", {}, each.faults ? `${each.name} (${each.faults} ${each.faults === 1 ? "game" : "games"} forfeited because of errors)` : each.name), el("td", {}, shown(each)), el("td", {}, `${words(interval[0])} – ${words(interval[1])}`),
          el("td", { class: "extra" }, each.guesses.toFixed(2)), el("td", { class: "extra" }, Math.round(each.games_per_cpu_second).toLocaleString("en")));
      }))),
    answer.paired.length > 0 && el("table", {}, el("caption", { class: "soft small" }, "Paired differences on the same boards, with 95 % CI"),
      el("tbody", {}, answer.paired.map((pair) => el("tr", {}, el("td", {}, `${pair.first} minus ${pair.second}`), el("td", {}, words(pair.difference)), el("td", {}, pair.interval ? `${words(pair.interval[0])} to ${words(pair.interval[1])}` : ""))))));
  }

  try {
    const answer = await app.client.ask("study.list", {});
    if (answer.studies.length) {
      studies.hidden = false;
      fill(studies, el("h2", {}, "Studies on this server"), el("ul", { class: "studies" }, answer.studies.map((each) => {
        const item = el("li", {});
        const link = () => el("a", { href: `studies/${encodeURIComponent(each.study)}/`, target: "_blank", rel: "noopener" }, each.study);
        // Browsers block windows that open after a delay: the report is written first, then linked.
        const write = button(`Write the report on ${each.study}`, async () => {
          write.disabled = true;
          write.textContent = `Writing the report on ${each.study}…`;
          try {
            await app.client.ask("study.page", { study: each.study });
            fill(item, link());
            item.firstElementChild.focus();
          } catch (error) {
            app.complain(error);
            write.disabled = false;
          }
        }, { class: "ref" });
        fill(item, each.ready ? link() : write);
        return item;
      })));
    }
  } catch {
    // No studies are available.
  }
  return { leave: stop };
}
