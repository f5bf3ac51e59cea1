// Solves positions with the kernel as WebAssembly.
//
//   node solve.mjs mineproof.wasm positions.json [repeats]
//
// `positions.json` lists {rows, cols, states, mines, clues, bounds}: states a number a cell, mines a
// number or null, clues as in native/wasm/row.hpp (exact if missing), bounds by cell. Prints a list of {outcome, risk, verdicts, log_weight, error}: the risks as the bytes of
// their doubles in base64. With `repeats`: microseconds a position, the least of so many.

import { readFile } from "node:fs/promises";
import { argv, hrtime } from "node:process";

const BUDGET = 1_000_000; // the usual one
const [wasm, file, repeats] = argv.slice(2);
const module = await WebAssembly.compile(await readFile(wasm));
// The kernel asks nothing of the system; what the C library would ask for must not be called.
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module))
  (imports[from] ??= {})[name] = () => {
    throw new Error(`the kernel called ${name}`);
  };
const kernel = (await WebAssembly.instantiate(module, imports)).exports;
kernel._initialize();

function solve({ rows, cols, states, mines, clues = [0], bounds = [] }, repeats = 1) {
  const row = [rows, cols, mines ?? -1, -1, ...clues, ...states, 2 * bounds.length, ...bounds.flat(), BUDGET];
  const asked = kernel.question(row.length);
  new Float64Array(kernel.memory.buffer, asked, row.length).set(row);
  let count = 0;
  let least = Infinity;
  for (let i = 0; i < repeats; ++i) {
    const begun = hrtime.bigint();
    count = kernel.odds();
    least = Math.min(least, Number(hrtime.bigint() - begun) / 1000);
  }
  const [outcome, error, log_weight, ...cells] = new Float64Array(kernel.memory.buffer, kernel.answer(), count);
  const risk = Buffer.from(Float64Array.from(cells.slice(0, states.length)).buffer).toString("base64");
  return { outcome, risk, verdicts: cells.slice(states.length), log_weight, error, microseconds: least };
}

const positions = JSON.parse(await readFile(file, "utf8"));
if (repeats) {
  for (const position of positions) solve(position); // the compiler of node gets warm
  console.log(JSON.stringify(positions.map((one) => solve(one, Number(repeats)).microseconds)));
} else {
  console.log(JSON.stringify(positions.map((one) => solve(one))));
}
