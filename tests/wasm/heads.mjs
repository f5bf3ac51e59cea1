// Messages as a JSON list on standard input; what the page's worker reads of each.
import { readFileSync } from "node:fs";
const { headOf, readMessage } = await import(`${process.argv[2]}/fields.js`);

const read = (message) => {
  try {
    readMessage(message);
    return "";
  } catch (error) {
    if (!error.kind) throw error;
    return error.kind;
  }
};
const messages = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(messages.map((message) => [headOf(message), read(message)])));
