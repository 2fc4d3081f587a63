// Writes the memory of a Python that has answered each kind of request, compressed: a browser that
// loads it neither starts Python nor imports the package.
//
//     node lab/snapshot.mjs build/lab
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { enter } from "./start.mjs";

const at = (name) => resolve(process.argv[2], name);
const { loadPyodide } = await import(pathToFileURL(at("pyodide/pyodide.mjs")));

const python = await loadPyodide({ _makeSnapshot: true });
const answer = enter(python, new Uint8Array(readFileSync(at("nqbench.zip"))));
const ask = (name, ...given) => {
  const found = JSON.parse(answer(JSON.stringify([name, given])));
  if (found.error) throw new Error(`${name}: ${found.error}`);
  return found;
};
const { text } = ask("open_search", "recursive");
ask("check_search", text);
ask("list_prunings", "n=4");
ask("list_profiles");
python.runPython("import gc; gc.collect()");
answer.destroy();
writeFileSync(at("memory.bin"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
