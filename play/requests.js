// Requests to the worker, one at a time.

/**
 * Sends the requests of `ask` first and then those of `wanted()`, which returns the next one or null. It is called when
 * the worker is free, so that a request uses the sliders as they stand then. `idle(true)` is called when none is left.
 */
export class Requests {
  constructor(source, wanted, idle) {
    Object.assign(this, { wanted, idle, asked: [], busy: null });
    this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => {
      const { take } = this.busy;
      this.busy = null;
      take(data);
      this.next();
    };
  }

  /** A promise of the answer to { system, values, law }, and rtol or frames. */
  ask(request) {
    return new Promise((take) => {
      this.asked.push({ request, take });
      this.next();
    });
  }

  next() {
    if (this.busy) return;
    this.busy = this.asked.shift() ?? this.wanted();
    this.idle(!this.busy);
    if (this.busy) this.worker.postMessage(this.busy.request);
  }
}
