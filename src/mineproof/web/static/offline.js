// @ts-check
/** On a static host: keeps the page's files in the browser, so that it works offline after one visit. */
window.addEventListener("load", () => {
  // Browsers offer service workers over https and on localhost only; without one the page just needs its host.
  navigator.serviceWorker?.register(new URL("serviceWorker.js", document.baseURI)).catch(() => {});
});
