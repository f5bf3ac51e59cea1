// @ts-check
/**
 * The service worker of an exported folder. Each version of the page has a cache of its own, which
 * is complete once it contains the page. A visit gets the newest complete version, and keeps it
 * until the page is loaded again. This script never takes over from its predecessor
 * (`skipWaiting`), so it deletes old caches only when no page is open that could need them.
 */
{
  /** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} LifecycleEvent */
  /** @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void}} FetchEvent */

  /**
   * @typedef {object} Scope
   * @property {{folder: string, files: string[]}} release written by the export: the folder of this version, and its files
   * @property {ServiceWorkerRegistration} registration
   * @property {{claim: () => Promise<void>}} clients
   */

  const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));
  const { folder, files } = worker.release;
  const scope = worker.registration.scope;
  const prefix = `mineproof ${scope} `; // other pages of this host have caches, too
  const loosely = { ignoreSearch: true, ignoreVary: true };

  async function install() {
    await caches.delete(prefix + folder); // it may be incomplete, or older than other versions
    const cache = await caches.open(prefix + folder);
    const page = await fetch("./", { cache: "no-cache" });
    const text = await page.text();
    if (!text.includes(`${folder}/`)) throw new Error("the host is being updated"); // the browser tries again at the next visit
    await cache.addAll(files.map((file) => `${folder}/${file}`));
    await cache.put("./", new Response(text, { headers: page.headers })); // a copy may be shown even if the host redirected
  }

  async function activate() {
    for (const name of await caches.keys()) {
      if (name.startsWith(prefix) && name !== prefix + folder) await caches.delete(name);
    }
    await worker.clients.claim();
  }

  /** The newest complete version of the page. @param {Request} request */
  async function page(request) {
    for (const cacheName of (await caches.keys()).reverse()) {
      const found = cacheName.startsWith(prefix) && await caches.match("./", { cacheName, ...loosely });
      if (found) return found;
    }
    return fetch(request);
  }

  /** @param {Request} request @param {string} version */
  async function file(request, version) {
    return await caches.match(request, { cacheName: prefix + version, ...loosely }) ?? fetch(request);
  }

  self.addEventListener("install", (event) => /** @type {LifecycleEvent} */ (event).waitUntil(install()));
  self.addEventListener("activate", (event) => /** @type {LifecycleEvent} */ (event).waitUntil(activate()));
  self.addEventListener("fetch", (event) => {
    const { request } = /** @type {FetchEvent} */ (event);
    const answer = (/** @type {Promise<Response>} */ response) => /** @type {FetchEvent} */ (event).respondWith(response);
    const [path] = request.url.slice(scope.length).split(/[?#]/);
    const version = /^(assets-\w+)\//.exec(path)?.[1];
    if (request.method !== "GET" || !request.url.startsWith(scope)) return;
    if (version) answer(file(request, version));
    else if (path === "" || path === "index.html") answer(page(request));
  });
}
