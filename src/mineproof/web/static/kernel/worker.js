// @ts-check
/** The Web Worker: loads the kernel and answers messages, each one a JSON text. */
import { Methods } from "./methods.js";
import { headOf } from "./requests.js";
import { openStore } from "./gameStore.js";

const worker = /** @type {Pick<Worker, "postMessage" | "onmessage">} */ (/** @type {unknown} */ (self));
const begun = Promise.all([compile(), openStore()]).then(([module, store]) => new Methods(module, store, new URL(import.meta.url).searchParams.get("version") ?? ""));

async function compile() {
  const response = await fetch(new URL("mineproof.wasm", import.meta.url));
  if (!response.ok) throw new Error(`mineproof.wasm could not be loaded: HTTP ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer()); // whatever type the host gives it
}

worker.onmessage = async (/** @type {MessageEvent} */ event) => {
  /** @type {unknown} */
  const message = JSON.parse(event.data);
  const answers = await begun.catch((error) => {
    worker.postMessage(JSON.stringify({ ...headOf(message), error: { kind: "engine", message: `the engine could not be started in this browser: ${error.message}` } }));
  });
  if (!answers) return;
  for await (const answer of answers.answer(message)) worker.postMessage(JSON.stringify(answer));
};
