// Messages as a JSON list on standard input; what the page's worker reads of each, or its error.
import { readFileSync } from "node:fs";
const { headOf, readMessage } = await import(`${process.argv[2]}/requests.js`);
const { default: messages } = await import(`${process.argv[2]}/../messages.json`, { with: { type: "json" } });

const read = (message) => {
  try {
    return { given: readMessage(message, Object.keys(messages.requests)).given };
  } catch (error) {
    if (!error.kind) throw error;
    return { error };
  }
};
const list = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(list.map((message) => [headOf(message), read(message)])));
