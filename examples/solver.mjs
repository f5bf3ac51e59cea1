// A small solver in JavaScript for mineproof: it reasons about one clue at a time; if nothing is
// certain, it opens the cell with the lowest risk by single clues.
//
//   mineproof arena --level beginner --agents 'baseline,"engine:node examples/solver.mjs"'
//
// It reads one request per line and writes one response per line; only `go` is required.

import { createInterface } from "node:readline";

// "2x3/2 ???/121": the size, the mine count if it is known, then the rows.
function parse(text) {
  const [header, body] = text.split(" ");
  const rows = body.split("/");
  const mines = header.includes("/") ? Number(header.split("/")[1]) : null;
  return { rows: rows.length, cols: rows[0].length, mines, at: (r, c) => rows[r][c] };
}

function* around(view, row, col) {
  for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, view.rows - 1); r++)
    for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, view.cols - 1); c++)
      if (r !== row || c !== col) yield [r, c];
}

// What single clues prove: cells that are mines, cells that are safe, and the risk of the others.
function reason(view) {
  const mined = new Set(), safe = new Map(), risk = new Map();
  const covered = (r, c) => "?sF".includes(view.at(r, c));
  for (let changed = true; changed; ) {
    changed = false;
    for (let r = 0; r < view.rows; r++)
      for (let c = 0; c < view.cols; c++) {
        if (!"012345678".includes(view.at(r, c))) continue;
        const near = [...around(view, r, c)];
        const hit = near.filter(([y, x]) => view.at(y, x) === "*" || mined.has(`${y},${x}`));
        const open = near.filter(([y, x]) => covered(y, x) && !mined.has(`${y},${x}`) && !safe.has(`${y},${x}`));
        const left = Number(view.at(r, c)) - hit.length;
        for (const [y, x] of open) {
          const key = `${y},${x}`;
          if (left === open.length) changed = mined.add(key) && true;
          else if (left === 0) changed = safe.set(key, `the ${view.at(r, c)} at (${r},${c}) already touches all its mines`) && true;
          else risk.set(key, Math.max(risk.get(key) ?? 0, left / open.length));
        }
      }
  }
  return { mined, safe, risk };
}

function choose(view) {
  const { mined, safe, risk } = reason(view);
  const all = [];
  for (let r = 0; r < view.rows; r++)
    for (let c = 0; c < view.cols; c++) if ("?s".includes(view.at(r, c))) all.push([r, c]);
  const certain = all.find(([r, c]) => view.at(r, c) === "s" || safe.has(`${r},${c}`));
  if (certain) {
    const why = safe.get(certain.join()) ?? "it is known to be safe";
    return { cell: certain, action: "open", risk: 0, certain: true, reason: why, rule: "local" };
  }
  const usual = view.mines === null ? 0.2 : Math.max(view.mines - mined.size, 0) / Math.max(all.length, 1);
  const seen = ([r, c]) => risk.get(`${r},${c}`) ?? usual;
  const left = all.filter((cell) => !mined.has(cell.join()));
  if (!left.length) return { cell: [0, 0], action: "stop", reason: "there is no cell left to open" };
  const cell = left.reduce((best, one) => (seen(one) < seen(best) ? one : best));
  const chance = Math.min(seen(cell), 1);
  return { cell, action: "open", risk: chance, reason: `its risk by single clues is ${chance.toFixed(2)}` };
}

const methods = {
  hello: () => ({ protocol: 1, name: "small solver", verbs: Object.keys(methods) }),
  go: ({ view }) => choose(parse(view)),
  quit: () => process.exit(0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: method, id, ...fields } = JSON.parse(line);
  const error = { kind: "unknown", message: `unknown method ${method}` };
  const response = method in methods ? methods[method](fields) : { error };
  console.log(JSON.stringify({ id, do: method, ...response }));
}
