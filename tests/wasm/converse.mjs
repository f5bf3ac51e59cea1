// Answers messages with the worker of a page without a server.
//
//   node converse.mjs mineproof.wasm < messages
//
// It runs next to a copy of the folder `kernel` of the page.
//
// One message per line; prints a list of answers for each, as JSON. Where a message names a game by a
// number, it is the game of the answer to that message.

import { readFile } from "node:fs/promises";
import { argv, stdin } from "node:process";
import { Methods } from "./kernel/methods.js";

let asked = "";
for await (const part of stdin.setEncoding("utf8")) asked += part;
const worker = new Methods(await WebAssembly.compile(await readFile(argv[2])));
const all = [];
for (const line of asked.split("\n").filter(Boolean)) {
  const answers = [];
  const message = JSON.parse(line);
  for (const name of ["game", "again"]) if (typeof message?.[name] === "number") message[name] = all[message[name]][0].game;
  for await (const answer of worker.answer(message)) answers.push(answer);
  all.push(answers);
}
console.log(JSON.stringify(all));
