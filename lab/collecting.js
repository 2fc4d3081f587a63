// The hand-in links of a class: who is right, and with how many nodes; as a table, and as a file to keep.
import { offer, unpack } from "./address.js";
import { figures, h } from "./drawing.js";
import { EXERCISES, LEVELS } from "./manifest.js";

const SEPARATORS = /[\s,;:"<(]+$/; // between a name and its link
const SAID = { right: "ok", damaged: "bad", "no link": "bad", fails: "bad", "not right": "bad" };

// The hand-ins of a text, one a line: a link, and before it a name. `code` is undefined without a link.
const read = (text) => text.split(/[\r\n]+/).filter((line) => line.trim()).map((line, k) => {
  const link = line.match(/https?:\/\/[^\s",;<>]*/)?.[0] ?? "";
  const name = (link ? line.slice(0, line.indexOf(link)) : line).replace(SEPARATORS, "").trim().replace(/^"/, "");
  return { name: name || `line ${k + 1}`, link, code: link.match(/#code=([\w-]*)/)?.[1] };
});

// What Python says of a hand-in: result, nodes if they are seen, and a sentence.
async function grade(python, code) {
  if (code === undefined) return { result: "no link", says: "there is no hand-in link in this line" };
  const state = await unpack(code);
  if (!state) return { result: "damaged", says: "this link is damaged: ask for it again" };
  const exercise = EXERCISES.some(({ name }) => name === state.home);
  const found = await (exercise ? python.ask("check_exercise", state.code, state.home) : python.ask("check_search", state.code));
  if (found.error) return { result: "fails", says: `${found.line ? `line ${found.line}: ` : ""}${found.error}`, stopped: found.stopped };
  const levels = found.by_level ?? [];
  return { result: found.right ?? found.ok ? "right" : "not right",
    nodes: levels.length ? levels.reduce((sum, { calls }) => sum + calls, 0) : undefined,
    says: exercise ? `${state.home}: ${found.text}` : found.ok ? `up to n = ${found.max_n}` : found.verdict };
}

// A field of a CSV file; a spreadsheet takes none for a formula.
const field = (value) => `"${String(value ?? "").replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`;

export function collecting(panel, python) {
  const links = h("textarea", { rows: 6, spellcheck: "false", "aria-label": "Links, one a line", placeholder: "Ada http://…#code=…" });
  const file = h("input", { type: "file", accept: ".txt,.csv,text/*", "aria-label": "A text file of links", onchange: async () => {
    links.value += await file.files[0].text();
  } });
  const results = h("div");
  const collect = h("button", { type: "button", class: "main", onclick: async () => {
    collect.disabled = true;
    await run().finally(() => { collect.disabled = false; });
  } }, "Check all");

  async function run() {
    const rows = read(links.value);
    const told = h("p", { role: "status" });
    const body = h("tbody");
    results.replaceChildren(told, ...rows.length ? [h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The class" },
      h("table", {}, h("thead", {}, h("tr", {}, ...["name", "result", `nodes for ${LEVELS} queens`].map((head) => h("th", { scope: "col" }, head)))), body))] : []);
    if (!rows.length) told.textContent = "There is no line: paste the links, one a line.";
    for (const [k, row] of rows.entries()) {
      told.textContent = `Python checks ${k + 1} of ${rows.length} …`;
      Object.assign(row, await grade(python, row.code));
      if (row.stopped) return told.replaceChildren(`Checked ${k} of ${rows.length}: ${row.says}.`);
      body.append(h("tr", {}, h("th", { scope: "row" }, row.link && row.code ? h("a", { href: row.link, target: "_blank" }, row.name) : row.name),
        h("td", {}, h("b", { class: SAID[row.result] }, row.result), h("br"), h("span", { class: "small" }, row.says)),
        h("td", {}, row.nodes === undefined ? "" : figures.format(row.nodes))));
    }
    if (!rows.length) return undefined;
    const many = Object.keys(SAID).map((result) => [rows.filter((row) => row.result === result).length, result]);
    told.textContent = `${rows.length} lines: ${many.filter(([count]) => count).map(([count, result]) => `${count} ${result}`).join(", ")}.`;
    const table = [["name", "result", "nodes", "says", "link"], ...rows.map(({ name, result, nodes, says, link }) => [name, result, nodes, says, link])];
    told.after(h("button", { type: "button", onclick: () => offer("class.csv", // with a mark that it is UTF-8
      `\ufeff${table.map((line) => line.map(field).join(",")).join("\r\n")}\r\n`, "text/csv") }, "Download as CSV"));
    return undefined;
  }

  panel.replaceChildren(h("p", {}, "Paste the links that students made with \"Link to this\", one a line, each with a name before it if you like; or open "
    + "a text file of such lines. Nothing is sent anywhere."), links, h("div", { class: "buttons" }, file, collect), results);
}
