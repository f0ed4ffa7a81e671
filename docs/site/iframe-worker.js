// The search of the site runs in a Worker, which browsers refuse to pages opened from a disk (file://). There this
// class runs the script of the worker in a hidden frame. The theme looks for its name.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html>";
      this.ready = new Promise((resolve, reject) => {
        this.frame.addEventListener("load", () => {
          const inside = this.frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = inside.document.createElement("script");
          script.src = new URL(url, location.href).href;
          script.addEventListener("load", () => resolve(inside));
          script.addEventListener("error", () => reject(new Error(`cannot load ${script.src}`)));
          inside.document.body.append(script);
        }, { once: true });
      });
      document.body.append(this.frame);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
