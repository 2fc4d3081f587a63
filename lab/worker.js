// Python in a worker: loads Pyodide and the package, and answers requests (lab/tracer/session.py).
// A worker that does not answer is ended by the page, so nothing that a search does can last.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { SIZES } from "./manifest.js";
import { enter } from "./start.mjs";

const MEMORY = 512; // MiB that Python may take; then a search gets a MemoryError
const PAGE = 65536;
const PRINTED = 200; // lines of output that are kept

// Counts what arrives, for the progress bar; a request that is not counted is passed on.
const [fetched, total] = [globalThis.fetch, Object.values(SIZES).reduce((sum, size) => sum + size)];
let arrived = 0;
globalThis.fetch = async (...request) => {
  const answer = await fetched(...request).catch(({ message }) => ({ url: String(request[0]), status: message }));
  const name = new URL(answer.url).pathname.split("/").at(-1);
  if (!answer.ok) { // Pyodide would wait for ever
    postMessage({ failed: `${name} is missing (${answer.status})` });
    throw new Error(name);
  }
  if (!answer.body || !(name in SIZES)) return answer;
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(piece, controller) {
      arrived += piece.byteLength;
      postMessage({ progress: Math.min(1, arrived / total) });
      controller.enqueue(piece);
    },
  }));
  return new Response(counted, { headers: answer.headers, status: answer.status });
};

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function limited(pages) {
  if (this.buffer.byteLength + pages * PAGE > MEMORY * 2 ** 20) throw new RangeError("no memory left");
  return grow.call(this, pages);
};

let printed = [];
const print = (line) => {
  if (printed.length < PRINTED) printed.push(line);
  else if (printed.length === PRINTED) printed.push(`… only the first ${PRINTED} lines are kept`);
};

// The memory of a Python that has started (snapshot.mjs). A browser that cannot use it starts Python.
async function load() {
  const get = (name) => fetch(new URL(name, import.meta.url));
  const [memory, sources] = [get("./memory.bin"), get("./nqbench.zip")];
  const begin = (kept) => loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href,
    stdout: print, stderr: print, ...kept });
  const unpacked = memory.then(({ body }) =>
    new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const python = await begin({ _loadSnapshot: unpacked }).catch(() => begin());
  return enter(python, await (await sources).arrayBuffer());
}

const answer = load();
answer.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

onmessage = async ({ data: { number, request } }) => {
  const ask = await answer;
  printed = [];
  let found;
  try {
    found = JSON.parse(ask(JSON.stringify(request)));
  } catch (error) { // not even Python goes on: memory, or the stack, is at its end
    found = { error: `Python stopped: ${String(error.message ?? error).trim().split("\n").at(-1)}`,
      line: null, fatal: true };
  }
  postMessage({ number, found, printed });
};
