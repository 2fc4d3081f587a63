// What Python runs first: in the worker, and in Node.js, where its memory is written (snapshot.mjs).
const FOLDER = "/lib/nqbench";

// Unpack the package, and return the function that answers requests (tracer/session.py).
export function enter(python, zip) {
  python.unpackArchive(zip, "zip", { extractDir: FOLDER });
  // This Python has one thread, and no clock for it.
  return python.runPython(`
    import sys, time
    time.thread_time, time.thread_time_ns = time.process_time, time.process_time_ns
    sys.path[:0] = {"${FOLDER}"} - {*sys.path}
    from tracer.session import answer
    answer`);
}
