// Asks Python in the worker. A request that takes too long, or that a reader stops, ends the worker;
// another one begins at once, from the browser's cache.
const SECONDS = 20; // that a request may take

export class Python {
  #worker; #pending = new Map(); #number = 0; #tell; #ready;

  // `tell` gets the state: "loading" with a share of 1, "ready", "busy", or "failed" with a reason.
  constructor(tell) {
    this.#tell = tell;
    this.#begin();
  }

  get ready() { return this.#ready; }

  #begin() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => {
        if (data.progress !== undefined) this.#tell("loading", data.progress);
        else if (data.ready) resolve(this.#tell("ready"));
        else if (data.failed) reject(new Error(data.failed));
        else if (data.found) this.#answer(data); // a search may send messages of its own
      };
      this.#worker.onerror = (event) => reject(new Error(event.message || "it cannot be loaded"));
    });
    this.#ready.catch((error) => {
      this.#worker.terminate();
      this.#tell("failed", error.message);
    });
  }

  #answer({ number, found, printed }) {
    this.#pending.get(number)?.({ ...found, printed });
    if (found.fatal) this.#restart();
  }

  #restart() {
    this.#worker.terminate();
    this.#pending.clear();
    this.#tell("loading", 0);
    this.#begin();
  }

  // Ask for a function of lab/tracer/session.py; the answer has an `error` if it failed, and
  // is `fatal` if Python then starts again, and `stopped` if it says nothing of what was asked.
  async ask(name, ...given) {
    try {
      await this.#ready;
    } catch (error) {
      return { error: `Python cannot be loaded: ${error.message}`, line: null, printed: [], stopped: true };
    }
    this.#tell("busy");
    const number = this.#number += 1;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.stop(`stopped after ${SECONDS} seconds: `
        + "it may never end, or the board is too large", false), SECONDS * 1000);
      this.#pending.set(number, (found) => {
        clearTimeout(late);
        this.#pending.delete(number);
        this.#tell("ready");
        resolve(found);
      });
      this.#worker.postMessage({ number, request: [name, given] });
    });
  }

  stop(why = "stopped", stopped = true) {
    for (const answer of [...this.#pending.values()]) answer({ error: why, line: null, printed: [], fatal: true, stopped });
    this.#restart();
  }
}
