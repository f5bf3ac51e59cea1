// @ts-check
/** Stores games in IndexedDB; without it, games last as long as the worker. */

/** @typedef {import("./manualGame.js").Row} Row */
/** @typedef {import("./gameService.js").Store} Store */

const NAME = "mineproof";
const MOST = 1000; // games that are kept: the oldest go

/** @returns {Store} */
export const nothingKept = () => ({ all: async () => [], put: () => {}, drop: () => {} });

/** @returns {Promise<Store>} */
export async function openStore() {
  try {
    return storeIn(await opened());
  } catch {
    return nothingKept(); // a private window, a file, no room
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** @param {IDBDatabase} base @returns {Store} */
function storeIn(base) {
  const games = (/** @type {IDBTransactionMode} */ mode) => base.transaction("games", mode).objectStore("games");
  const drop = (/** @type {string[]} */ ids) => {
    const store = games("readwrite");
    for (const id of ids) store.delete(id);
  };
  return {
    all: () => new Promise((resolve) => {
      const request = games("readonly").getAll();
      request.onerror = () => resolve([]);
      request.onsuccess = () => {
        const rows = /** @type {Row[]} */ (request.result).sort((a, b) => b.begun - a.begun);
        drop(rows.slice(MOST).map((row) => row.id));
        resolve(rows.slice(0, MOST));
      };
    }),
    put: (row) => void games("readwrite").put(row),
    drop,
  };
}
