// A board of the reader's own: queens are placed, squares blocked, the edges joined to a torus; then
// each way of pruning searches it. And a tree whose algorithm the reader guesses.
import { LEVELS, QUEEN } from "./manifest.js";
import { attacking, board, duration, figures, h, levelBar, several, svg } from "./drawing.js";

const REPLAY = 400; // ms between the steps of a replay
const STATES = ["free", "queen", "blocked"];

export function drawing(panel, python, given, changed) {
  let { n, squares, torus } = { n: 6, squares: {}, torus: false, ...given }; // squares: "row,column" -> state
  const grid = h("div", { class: "squares", role: "grid", "aria-label": "Your board", onkeydown: move });
  const size = h("select", { onchange: () => {
    [n, squares] = [Number(size.value), {}];
    draw();
  } }, ...[4, 5, 6, 7, 8, 9, 10].map((k) => h("option", { value: k }, String(k))));
  const wraps = h("input", { type: "checkbox", onchange: () => {
    torus = wraps.checked;
    if (torus) squares = Object.fromEntries(Object.entries(squares).filter(([, state]) => state === "queen"));
    draw();
  } });
  const results = h("div", { role: "status" });

  // The text of the instance, as in nqbench count 'n=6 placed=0:1'.
  function text() {
    const those = (state) => Object.entries(squares).filter(([, one]) => one === state).map(([square]) =>
      square.replace(",", ":"));
    const parts = [`n=${n}`];
    if (those("queen").length) parts.push(`placed=${those("queen").join(",")}`);
    if (those("blocked").length) parts.push(`blocked=${those("blocked").join(",")}`);
    if (torus) parts.push("torus");
    return parts.join(" ");
  }

  function draw(focus) {
    size.value = n;
    wraps.checked = torus;
    grid.style.setProperty("--n", n);
    grid.replaceChildren(...Array.from({ length: n }, (_, row) => h("div", { role: "row" },
      ...Array.from({ length: n }, (__, column) => {
        const key = `${row},${column}`;
        const state = squares[key] ?? "free";
        return h("div", { role: "gridcell" }, h("button", { type: "button", "data-at": key,
          tabindex: key === (focus ?? "0,0") ? 0 : -1, class: `${(row + column) % 2 ? "dark" : "light"} ${state}`,
          "aria-label": `row ${row}, column ${column}: ${state}`, onclick: () => {
            const next = STATES[(STATES.indexOf(state) + 1) % (torus ? 2 : 3)];
            if (next === "free") delete squares[key];
            else squares[key] = next;
            draw(key);
          } }, state === "queen" ? svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
          svg("path", { d: QUEEN, class: "queen" })) : ""));
      }))));
    if (focus) grid.querySelector(`[data-at="${focus}"]`).focus();
    results.replaceChildren(); // of another board
    changed({ n, squares, torus });
  }

  function move(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const from = event.target.dataset.at;
    if (!step || !from) return;
    event.preventDefault();
    const [row, column] = from.split(",").map((k, axis) => Math.max(0, Math.min(n - 1, Number(k) + step[axis])));
    for (const button of grid.querySelectorAll("button")) button.tabIndex = -1;
    const next = grid.querySelector(`[data-at="${row},${column}"]`);
    next.tabIndex = 0;
    next.focus();
  }

  // Each search is asked for on its own, and its row is shown when it ends.
  async function race() {
    const asked = text();
    const told = h("p", {}, "Searching …");
    const picture = h("div", { class: "picture" });
    const body = h("tbody");
    results.replaceChildren(told, picture, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The prunings" },
      h("table", {}, h("thead", {}, h("tr", {}, ...["pruning", "nodes", "tests", "time"].map((head) => h("th", { scope: "col" }, head)))), body)),
      h("p", { class: "small" }, "A time is the mean of searches that last 0.2 s, after a first one, in this browser. The same in a terminal, with nqbench installed: ",
        h("code", {}, `nqbench count '${asked}'`)));
    const fail = (error) => told.replaceWith(h("p", { class: "bad" }, error));
    const listed = await python.ask("list_prunings", asked);
    if (listed.error) return fail(listed.error);
    const rows = [];
    for (const { name, technique } of listed.rows) {
      if (!body.isConnected) return undefined; // another board, or another race
      const row = await python.ask("search_board", asked, name);
      if (row.error) return fail(`${name}: ${row.error}`);
      rows.push(row);
      const place = rows.filter((one) => !one.stopped).toSorted((one, other) => one.nodes - other.nodes).indexOf(row);
      const line = h("tr", {}, h("th", { scope: "row" }, name, h("br"), h("span", { class: "small" }, technique)),
        ...row.stopped ? [h("td", { colspan: 3 }, row.stopped)] : [h("td", {}, figures.format(row.nodes)),
          h("td", {}, figures.format(row.tests)), h("td", {}, duration(row.seconds))]);
      if (place < 0) body.append(line);
      else body.insertBefore(line, body.children[place] ?? null);
      if (row.first && !picture.firstChild) {
        picture.append(board(n, row.first, { state: "found", blocked: Object.entries(squares)
          .filter(([, state]) => state === "blocked").map(([square]) => square.split(",").map(Number)) }));
      }
      told.textContent = `Searching … ${rows.length} of ${listed.rows.length}`;
    }
    const ended = rows.filter((row) => !row.stopped);
    const least = Math.min(...ended.map((row) => row.nodes));
    const smallest = ended.filter((row) => row.nodes === least).map((row) => row.name);
    const [fastest] = ended.toSorted((one, other) => one.seconds - other.seconds);
    told.textContent = fastest ? `${several(fastest.solutions, "solution")}. `
      + `The smallest tree${smallest.length > 1 ? `s, those of ${smallest.length} searches` : ""}: ${smallest.join(", ")}. `
      + `The shortest time here: ${fastest.name}.` : "None of the searches ended.";
    return undefined;
  }

  panel.replaceChildren(h("div", { class: "buttons" }, h("label", {}, "Board ", size),
    h("label", { class: "check" }, wraps, " Torus: the edges are joined"),
    h("button", { type: "button", onclick: () => {
      squares = {};
      draw();
    } }, "Clear"), h("button", { type: "button", class: "main", onclick: race }, "Race the prunings")),
  h("div", { class: "columns" }, h("div", {}, grid, h("p", { class: "small" },
    "Click a square: a queen, then blocked, then free. ", h("span", { class: "keys" },
      "Enter does the same, and the arrow keys go from square to square."))),
  results));
  draw();
}

const score = { right: 0, asked: 0 };

// Ask which of several searches is shown: `show` draws one of the `rows` of an answer of Python.
async function pose(panel, asked, question, show) {
  const found = await asked;
  if (found.error) return panel.replaceChildren(h("p", { class: "bad" }, found.error));
  const { rows } = found;
  const answer = rows[Math.floor(Math.random() * rows.length)];
  const told = h("p", { role: "status" });
  const choose = (row) => {
    const good = row === answer;
    score.asked += 1;
    score.right += good;
    told.className = good ? "ok" : "bad";
    told.textContent = `${good ? "Right" : "No"}: this is ${answer.name}. ${score.right} of ${score.asked} guessed.`;
    for (const button of panel.querySelectorAll(".guess button")) button.disabled = true;
  };
  const choices = rows.map((row) => h("li", {}, h("button", { type: "button", onclick: () => choose(row) }, row.name),
    h("span", {}, row.sign)));
  panel.replaceChildren(h("p", {}, question), h("div", { class: "columns" }, show(answer, found),
    h("div", {}, h("ul", { class: "guess" }, ...choices), told)));
  return panel.scrollIntoView({ block: "nearest" });
}

export const guessTree = (panel, python) => pose(panel, python.ask("list_profiles"),
  `The nodes on each level of a tree for ${LEVELS} queens, beside the plain tree, which is pale. Whose tree is it?`,
  ({ levels }, { plain }) => h("div", { class: "bars", role: "img", "aria-label": `Nodes by level: ${levels.join(", ")}` },
    ...levels.map((nodes, level) => levelBar(level, nodes, plain[level], Math.max(...plain)))));

// Replays the first boards of a search.
export const guessReplay = (panel, python) => pose(panel, python.ask("list_replays"),
  "A search places and takes back its queens. Which search is it?", ({ boards }, { n }) => {
    const picture = h("div", { class: "picture" });
    const seek = h("input", { type: "range", min: 0, max: boards.length - 1, value: 0, "aria-label": "Board", oninput: () => show() });
    const play = h("button", { type: "button", onclick: () => run(!timer) });
    let timer = 0;
    const show = (further = 0) => {
      seek.value = Number(seek.value) + further;
      const columns = boards[seek.value];
      picture.replaceChildren(board(n, columns, { wrong: attacking(columns) }));
      if (!further || Number(seek.value) === boards.length - 1 || !picture.isConnected) run(false);
    };
    const run = (on) => {
      clearInterval(timer);
      timer = on ? setInterval(() => show(1), REPLAY) : 0;
      play.textContent = on ? "Stop the replay" : "Play";
    };
    show();
    run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    return h("div", {}, picture, seek, h("div", { class: "buttons" }, play, h("button", { type: "button", onclick: () => {
      run(false);
      show(1);
    } }, "Step")));
  });
