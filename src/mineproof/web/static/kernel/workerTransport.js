// @ts-check
/** @typedef {import("../client.js").Transport} Transport */

/**
 * The transport to a Web Worker that runs the compiled kernel.
 * @implements {Transport}
 */
export class WorkerTransport {
  /** @param {URL} script */
  constructor(script) {
    this.worker = new Worker(script, { type: "module" });
  }

  /**
   * @param {(text: string) => void} receive
   * @param {(open: boolean) => void} changed
   */
  open(receive, changed) {
    this.worker.onmessage = (event) => receive(event.data);
    window.setTimeout(() => changed(true), 0);
  }

  /** @param {string} text */
  send(text) {
    this.worker.postMessage(text);
  }

  close() {
    this.worker.terminate();
  }
}
