// @ts-check
/**
 * The client: sends requests and receives responses through a transport. The transport below is
 * the server's WebSocket; `kernel/workerTransport.js` has another one, a Web Worker.
 */

/** @typedef {import("./messages.js").Requests} Requests the fields of requests by method */
/** @typedef {import("./messages.js").Responses} Responses */
/** @typedef {keyof Requests} Method */

/**
 * @typedef {object} Transport
 * @property {(text: string) => void} send throws if there is no connection
 * @property {(receive: (text: string) => void, changed: (open: boolean) => void) => void} open
 * @property {() => void} close
 */

/**
 * Whether the server or worker has a method and takes a field of it, according to its `hello`.
 * @param {Responses["hello"]} hello
 * @param {Method} method
 * @param {string} [field]
 */
export const can = (hello, method, field) => method in hello.fields && (!field || hello.fields[method].includes(field));

/** Shown in place of what a worker cannot do. @param {string} what */
export const needsServer = (what) => `${what} the server (run "make web").`;

/** @typedef {Partial<Omit<import("./messages.js").Error, "kind">> & {kind?: string}} ErrorFields */

/** An error response: its kind, its message, and the cells that it concerns. */
export class Refusal extends Error {
  /** @param {ErrorFields} error */
  constructor(error) {
    super(error.message ?? "something went wrong");
    this.kind = error.kind ?? "fault";
    /** the message without the position, which is shown next to it */
    this.what = error.what ?? this.message;
    /** the same as data, if it is known */
    this.why = error.why;
    this.cells = error.cells ?? [];
    this.countUsed = error.count_used ?? false;
  }

  /** Any error as one that can be shown. @param {unknown} error */
  static of(error) {
    return error instanceof Refusal ? error : new Refusal({ message: error instanceof Error ? error.message : String(error) });
  }
}

/** @typedef {{id: number, more?: boolean, error?: number | ErrorFields | null}} Answer what all responses may have */
/** @typedef {{text: string, many: boolean, take: (answer: Answer) => void, fail: (error: Refusal) => void}} Pending */

export class Client {
  /** @param {Transport} transport */
  constructor(transport) {
    this.transport = transport;
    this.next = 1;
    this.open = false;
    /** @type {Map<number, Pending>} */
    this.pending = new Map();
    /** @type {Set<(open: boolean) => void>} */
    this.watchers = new Set();
    transport.open((text) => this.#receive(text), (open) => this.#changed(open));
  }

  /**
   * Sends a request with one response. After a lost connection it is sent again, which is safe:
   * questions change nothing, and moves are numbered.
   * @template {Method} M
   * @param {M} method
   * @param {Requests[M]} fields
   * @returns {Promise<Responses[M]>}
   */
  ask(method, fields) {
    return new Promise((resolve, reject) => {
      this.#post(method, fields, false, resolve, reject);
    });
  }

  /**
   * The responses of a method that sends many, as they arrive. Leaving the loop stops the work.
   * @template {Method} M
   * @param {M} method
   * @param {Requests[M]} fields
   * @returns {AsyncGenerator<Responses[M], void, undefined>}
   */
  async *stream(method, fields) {
    /** @type {Responses[M][]} */
    const queue = [];
    let wake = () => {};
    /** @type {Refusal | null} */
    let failure = null;
    let over = false;
    const take = (/** @type {Responses[M] & {more?: boolean}} */ answer) => {
      queue.push(answer);
      over = !answer.more;
      wake();
    };
    const fail = (/** @type {Refusal} */ error) => {
      failure = error;
      wake();
    };
    const id = this.#post(method, fields, true, take, fail);
    try {
      for (;;) {
        while (queue.length) yield /** @type {Responses[M]} */ (queue.shift());
        if (failure) throw failure;
        if (over) return;
        await new Promise((resolve) => (wake = () => resolve(undefined)));
      }
    } finally {
      if (this.pending.delete(id) && this.open) {
        this.ask("stop", { of: id }).catch(() => {});
      }
    }
  }

  /**
   * @template {Method} M
   * @param {M} method
   * @param {Requests[M]} fields
   * @param {boolean} many
   * @param {(answer: Responses[M]) => void} take
   * @param {(error: Refusal) => void} fail
   */
  #post(method, fields, many, take, fail) {
    const id = this.next++;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const text = JSON.stringify({ method, id, ...Object.fromEntries(given) });
    this.pending.set(id, { text, many, take: (answer) => take(/** @type {Responses[M] & Answer} */ (answer)), fail });
    if (this.open) this.transport.send(text);
    return id;
  }

  /** @param {string} text */
  #receive(text) {
    /** @type {Answer} */
    const answer = JSON.parse(text);
    const waiting = this.pending.get(answer.id);
    if (!waiting) return;
    // Odds have an error, too, which is a number.
    const error = typeof answer.error === "object" ? answer.error : null;
    if (error || !answer.more) this.pending.delete(answer.id);
    if (error) waiting.fail(new Refusal(error));
    else waiting.take(answer);
  }

  /** @param {boolean} open */
  #changed(open) {
    this.open = open;
    for (const [id, waiting] of [...this.pending]) {
      if (open) this.transport.send(waiting.text);
      else if (waiting.many) {
        this.pending.delete(id);
        waiting.fail(new Refusal({ kind: "lost", message: "the connection was lost; try again" }));
      }
    }
    for (const watcher of this.watchers) watcher(open);
  }
}

/**
 * A WebSocket to the server that served the page. It reconnects with increasing delays.
 * @implements {Transport}
 */
export class Socket {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.closed = false;
    this.patience = 200; // milliseconds
  }

  /**
   * @param {(text: string) => void} receive
   * @param {(open: boolean) => void} changed
   */
  open(receive, changed) {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.patience = 200;
      changed(true);
    };
    socket.onmessage = (event) => receive(String(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      changed(false);
      if (this.closed) return;
      window.setTimeout(() => this.open(receive, changed), this.patience);
      this.patience = Math.min(this.patience * 2, 5000);
    };
  }

  /** @param {string} text */
  send(text) {
    this.socket?.send(text);
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }
}
