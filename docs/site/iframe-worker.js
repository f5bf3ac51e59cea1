// A page that was opened as a file may start no Worker, and the search runs in one. On such
// pages the worker's script runs in a hidden frame instead, which hears and tells messages as
// a worker does. The theme looks for the name IFrameWorker and would else fetch a script of
// that name from the network.
if (location.protocol === "file:") {
  const load = (frame, url) =>
    new Promise((done, failed) => {
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = failed;
      frame.contentDocument.body.append(script);
    });

  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...urls) => {
        for (const one of urls) await load(this.frame, one);
      };
      this.ready = load(this.frame, url);
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
