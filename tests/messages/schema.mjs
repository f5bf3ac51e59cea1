// Checks values against a schema, as the page's worker does.
//
//   node schema.mjs schema.js < lines
//
// The first line is [schema, definitions], each other one a value. Prints for each value the error
// message, or null, as a line of JSON.
import { createInterface } from "node:readline";

const { problem } = await import(process.argv[2]);
let schemas = null;
for await (const line of createInterface({ input: process.stdin })) {
  const read = JSON.parse(line);
  if (schemas) console.log(JSON.stringify(problem(read, ...schemas, "a test")?.message ?? null));
  else schemas = read;
}
