// Messages as a JSON list on standard input; prints what the page's worker reads of each: the first
// fields of its response, then its method and fields, or the error.
import { readFileSync } from "node:fs";
const { headOf, readMessage } = await import(`${process.argv[2]}/requests.js`);
const { default: messages } = await import(`${process.argv[2]}/../messages.json`, { with: { type: "json" } });

const read = (message) => {
  try {
    return readMessage(message, Object.keys(messages.requests));
  } catch (error) {
    if (!error.kind) throw error;
    return { error };
  }
};
const list = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(list.map((message) => [headOf(message), read(message)])));
