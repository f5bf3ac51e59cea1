// A small solver in JavaScript that plays for mineproof: one clue at a time, else the least risk
// that a single clue sees.
//
//   mineproof arena --level beginner --agents 'baseline,"engine:node examples/solver.mjs"'
//
// It reads a message a line and answers each with a line; `go` is all that a solver must know.

import { createInterface } from "node:readline";

// "2x3/2 ???/121": the shape and the mines, if they are told, then the rows.
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

// What single clues prove: cells that are mined and cells that are safe, and the risk they see.
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
          else if (left === 0) changed = safe.set(key, `(${r},${c}) has all its mines`) && true;
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
    const why = safe.get(certain.join()) ?? "it was told to be safe";
    return { cell: certain, action: "open", risk: 0, certain: true, reason: why, rule: "local" };
  }
  const usual = view.mines === null ? 0.2 : Math.max(view.mines - mined.size, 0) / Math.max(all.length, 1);
  const seen = ([r, c]) => risk.get(`${r},${c}`) ?? usual;
  const left = all.filter((cell) => !mined.has(cell.join()));
  if (!left.length) return { cell: [0, 0], action: "stop", reason: "no cell is left to open" };
  const cell = left.reduce((best, one) => (seen(one) < seen(best) ? one : best));
  const chance = Math.min(seen(cell), 1);
  return { cell, action: "open", risk: chance, reason: `single clues see a risk of ${chance.toFixed(2)}` };
}

const verbs = {
  hello: () => ({ protocol: 1, name: "small solver", verbs: Object.keys(verbs) }),
  go: ({ view }) => choose(parse(view)),
  quit: () => process.exit(0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: verb, id, ...fields } = JSON.parse(line);
  const error = { kind: "unknown", message: `no verb ${verb}` };
  const answer = verb in verbs ? verbs[verb](fields) : { error };
  console.log(JSON.stringify({ id, do: verb, ...answer }));
}
