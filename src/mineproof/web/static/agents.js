// @ts-check
/** Agents for people: their names and what they do, from the table of agents (`agents.json`). */
import { el, select } from "./dom.js";

/** @type {Record<string, {title: string, about: string}>} */
const described = await fetch(new URL("agents.json", import.meta.url)).then((answer) => answer.json()).catch(() => ({}));

/** The name of an agent for people; your own agents keep theirs. @param {string} name */
export function titleOf(name) {
  const [base, options] = name.split(/:(.*)/s);
  const title = described[base]?.title;
  return title && options ? `${title}, ${options.replace("budget=", "")}` : title ?? name;
}

/** What an agent does, in a sentence; empty for your own. @param {string} name */
export function aboutOf(name) {
  const about = described[name.split(":")[0]]?.about ?? "";
  return about && `${about[0].toUpperCase()}${about.slice(1)}.`;
}

/**
 * A labelled choice of an agent, with what it does below.
 * @param {string} label
 * @param {string[]} names
 * @param {string} value
 * @param {(value: string) => void} onchange
 * @param {string} [none] offered first, for no agent
 */
export function agentChoice(label, names, value, onchange, none) {
  const about = el("p", { class: "soft small" }, aboutOf(value));
  const options = names.map((name) => /** @type {[string, string]} */ ([name, name in described ? `${titleOf(name)} (${name})` : titleOf(name)]));
  if (none) options.unshift(["", none]);
  const choice = select(label, options, value, (name) => {
    about.textContent = aboutOf(name);
    onchange(name);
  });
  return el("div", { class: "agent" }, choice, about);
}
