// @ts-check
/** The frame of all pages: navigation, theme, messages, and the one client that they share. */
import { Client, Refusal, Socket } from "./client.js";
import { el, fill } from "./dom.js";
import { WorkerTransport } from "./kernel/workerTransport.js";

/**
 * @typedef {object} Page what `show` of a module in `pages/` returns
 * @property {(event: KeyboardEvent) => boolean | void} [key] handles keys that no input field uses
 * @property {() => void} [leave]
 */

/**
 * @typedef {object} App
 * @property {Client} client
 * @property {Promise<import("./messages.js").Capabilities>} hello what the server or worker offers: agents, levels, clue models, methods and their fields
 * @property {(text: string) => void} say shows a message for a few seconds
 * @property {(error: unknown) => void} complain shows an error in the same way
 */

/** @type {[string, string][]} */
const PAGES = [
  ["play", "Play"], ["watch", "Watch"], ["analyse", "Analyse"], ["learn", "Learn"],
  ["review", "Review"], ["history", "History"], ["assist", "Assist"], ["compare", "Compare"],
];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
const toast = /** @type {HTMLElement} */ (document.getElementById("toast"));
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

/** The connection to the server that served the page or, on a static site, to a Web Worker. */
function transport() {
  const near = document.querySelector("meta[name=mineproof-worker]")?.getAttribute("content");
  if (near) return new WorkerTransport(new URL(near, document.baseURI));
  const address = new URL("ws", document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  return new Socket(address.href);
}
const client = new Client(transport());

let silence = 0;
/** @param {string} text */
function say(text) {
  toast.textContent = text;
  toast.classList.add("shown");
  window.clearTimeout(silence);
  silence = window.setTimeout(() => toast.classList.remove("shown"), 4000);
}

/** @type {App} */
const app = {
  client,
  hello: client.ask("hello", {}),
  say,
  complain: (error) => {
    const { kind, message } = Refusal.of(error);
    if (kind !== "stopped") say(message);
  },
};

let late = 0;
client.watchers.add((open) => {
  window.clearTimeout(late);
  if (open) connection.hidden = true;
  else late = window.setTimeout(() => (connection.hidden = false), 1200);
});

/** @type {Page | null} */
let current = null;
let turn = 0;

async function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  if (name === "main") return;
  const known = PAGES.find(([each]) => each === name)?.[0] ?? "play";
  const mine = ++turn;
  for (const link of nav.querySelectorAll("a")) {
    if (link.hash === `#${known}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else link.removeAttribute("aria-current");
  }
  const module = await import(`./pages/${known}.js`).catch(() => null);
  if (mine !== turn) return;
  if (!module) return say("This page could not be loaded. Check that the server is running, then reload.");
  current?.leave?.();
  current = null;
  fill(main);
  main.className = known;
  document.title = `${PAGES.find(([each]) => each === known)?.[1]} · mineproof`;
  current = await module.show(main, app, decodeURIComponent(rest.join("/")));
}

for (const [name, words] of PAGES) nav.append(el("a", { href: `#${name}` }, words));
window.addEventListener("hashchange", () => void show());
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select")) return;
  if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary, input")) return;
  if (current?.key?.(event)) event.preventDefault();
});

const theme = /** @type {HTMLElement} */ (document.getElementById("theme"));
const dark = () => getComputedStyle(document.documentElement).colorScheme === "dark"
  || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
theme.addEventListener("click", () => {
  const now = dark() ? "light" : "dark";
  document.documentElement.dataset.theme = now;
  try {
    localStorage.setItem("mineproof.theme", now);
  } catch {
    // The browser stores nothing: the choice lasts until the page is closed.
  }
});

void show();

// For tests and debugging: whether all requests are answered, and the current board.
/** @type {Window & {mineproof?: object}} */ (window).mineproof = {
  idle: () => client.open && client.pending.size === 0 && current !== null,
  board: () => /** @type {{board?: unknown} | null} */ (current)?.board,
};
