// Replays the page's recordings; no algorithm runs here. The codes of the steps are those of
// nqbench/traces/recording.py. A square is the number row * n + column; rows and columns count from 0
// in here, and from 1 where they are shown, as `nqbench trace` shows them.
"use strict";

(() => {
  const SQUARE = 24; // side of a square in the drawing, as in nqbench/board.py
  const DRAWN_TREE = 6; // up to this n the tree is drawn node by node
  const LABELLED_TREE = 5; // and up to this with the column of each queen
  const LONGEST_FRAME = 250; // ms; a page that slept does not jump ahead
  const QUIET = 600; // ms without a change before a screen reader is told

  const data = JSON.parse(document.getElementById("recordings").textContent);
  const find = (name) => document.getElementById(`watch-${name}`);
  const [player, line, heard, seek] = ["player", "line", "heard", "seek"].map(find);
  const figures = new Intl.NumberFormat("en");

  async function inflated(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // The search with all its moments in arrays, so that going back is looking up; moment 0 is
  // before the first step. `top` is the node of the queen placed last, the root without one.
  // In an instance, the board has queens before; the search places the others.
  function replayed(n, codes, instance) {
    const squares = n * n;
    const given = (instance.placed ?? []).map(([row, column]) => row * n + column);
    const untested = 2 * squares + 2;
    const last = codes.length - codes.filter((code) => code === untested).length;
    const numbers = () => new Int32Array(last + 1);
    const search = {
      n, instance, given, last, kind: ["start"], square: numbers().fill(-1), top: numbers(),
      tests: numbers(),
      made: numbers().fill(1), backtracks: numbers(), solutions: numbers(),
      levels: Array.from({ length: n - given.length + 1 }, numbers), nodes: [],
    };
    const rowOf = (node) => Math.floor(search.nodes[node].square / n);
    const grow = (parent, square) => {
      const level = parent === null ? 0 : search.nodes[parent].level + 1;
      const node = { parent, square, level, children: [], solved: Infinity, dead: Infinity };
      if (parent !== null) search.nodes[parent].children.push(search.nodes.length);
      return search.nodes.push(node) - 1;
    };
    const counts = [search.tests, search.made, search.backtracks, search.solutions,
      ...search.levels];
    const stack = [grow(null, -1)];
    search.levels[0][0] = 1;
    let [step, tested] = [0, 1];
    for (const code of codes) {
      if (code === untested) {
        tested = 0;
        continue;
      }
      step += 1;
      for (const count of counts) count[step] = count[step - 1];
      if (code < 2 * squares) {
        const square = code % squares;
        const taken = stack.findIndex((node, k) => k && rowOf(node) === Math.floor(square / n));
        if (taken > 0) stack.length = taken;
        search.kind[step] = code < squares ? "place" : "conflict";
        search.square[step] = square;
        search.tests[step] += tested;
        tested = 1;
        if (code < squares) {
          stack.push(grow(stack.at(-1), square));
          search.made[step] += 1;
          search.levels[stack.length - 1][step] += 1;
        }
      } else if (code < untested) {
        search.kind[step] = code === 2 * squares ? "solution" : "reached";
        search.solutions[step] += 1;
        search.nodes[stack.at(-1)].solved = step;
      } else if (code === untested + n + 2) {
        search.kind[step] = "restart";
        search.levels[0][step] += 1;
        stack.length = 1;
      } else {
        search.kind[step] = "back";
        search.backtracks[step] += 1;
        stack.length = code - untested; // the root and k queens
        const node = search.nodes[stack.at(-1)];
        if (!node.children.length) node.dead = step;
      }
      search.top[step] = stack.at(-1);
      if (code >= 2 * squares && stack.length > 1) stack.pop();
    }
    return search;
  }

  function path(search, moment) {
    const found = [];
    for (let node = search.top[moment]; node; node = search.nodes[node].parent) found.unshift(node);
    return found;
  }

  const place = (n, square) => [Math.floor(square / n), square % n];

  function attackers(search, moment, queens) {
    if (search.kind[moment] !== "conflict") return [];
    const { n, instance } = search;
    const [row, column] = place(n, search.square[moment]);
    const same = (one, other) => one === other || (instance.torus && (one - other) % n === 0);
    return [...search.given, ...queens].filter((queen) => {
      const [r, c] = place(n, queen);
      return r === row || c === column || same(r + c, row + column) || same(r - c, row - column);
    });
  }

  function label(search, queens) {
    const columns = Array(search.n).fill("*");
    const put = (text) => (queen) => {
      const [row, column] = place(search.n, queen);
      columns[row] = text(column + 1);
    };
    queens.forEach(put((column) => column));
    search.given.forEach(put((column) => `[${column}]`));
    return `(${columns.join(" ")})`;
  }

  function refused({ blocked = [], sums = [], differences = [] }, row, column) {
    if (blocked.some(([r, c]) => r === row && c === column)) return "is blocked";
    return sums.includes(row + column) || differences.includes(row - column)
      ? "is on an excluded diagonal" : "is left out";
  }

  // The words of `nqbench trace`.
  function told(search, moment, from) {
    const kind = search.kind[moment];
    if (search.square[moment] < 0) return kind;
    const [row, column] = place(search.n, search.square[moment]);
    const text = `${kind}: row ${row + 1}, column ${column + 1}`;
    if (kind === "place") return text;
    if (!from.length) return `${text} ${refused(search.instance, row, column)}`;
    const rows = from.map((queen) => `row ${place(search.n, queen)[0] + 1}`);
    return `${text} is attacked from ${rows.join(", ")}`;
  }

  function drawn(name, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function written(name, attributes, ...content) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...content);
    return element;
  }

  const middle = (n, square) => place(n, square).map((k) => (k + 0.5) * SQUARE);

  // The excluded diagonals, from edge to edge: a sum s runs down to the left, a difference right.
  function excluded({ n, instance: { sums = [], differences = [] } }) {
    return [...sums.map((s) => [Math.max(0, s - n + 1), Math.min(n, s + 1),
      Math.min(n, s + 1), Math.max(0, s - n + 1)]),
    ...differences.map((d) => [Math.max(0, d), Math.max(0, -d), Math.min(n, n + d),
      Math.min(n, n - d)])];
  }

  // Whether a line between two squares meets no edge of a torus.
  function straight(n, one, other) {
    const [[r, c], [row, column]] = [place(n, one), place(n, other)];
    return r === row || c === column || Math.abs(r - row) === Math.abs(c - column);
  }

  // Each drawing has the parts that stay, and a function that shows a moment of it.

  function board(search) {
    const { n } = search;
    const side = n * SQUARE;
    const picture = find("board");
    const edge = 12; // for the numbers of rows and columns
    picture.setAttribute("viewBox", `${-edge} ${-edge} ${side + edge + 2} ${side + edge + 2}`);
    const { blocked = [] } = search.instance;
    const squares = Array.from({ length: n * n }, (_, square) => {
      const [row, column] = place(n, square);
      const barred = blocked.some(([r, c]) => r === row && c === column);
      return drawn("rect", { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE,
        class: barred ? "barred" : (row + column) % 2 ? "dark" : "light" });
    });
    const diagonals = excluded(search).map(([y1, x1, y2, x2]) => drawn("line", {
      class: "barred", x1: x1 * SQUARE, y1: y1 * SQUARE, x2: x2 * SQUARE, y2: y2 * SQUARE }));
    const given = search.given.map((queen) => {
      const [y, x] = middle(n, queen);
      return drawn("path", { d: data.queen, transform: `translate(${x} ${y})` });
    });
    const numbers = Array.from({ length: n }, (_, k) => [
      drawn("text", { x: -edge / 2, y: (k + 0.5) * SQUARE }, k + 1),
      drawn("text", { x: (k + 0.5) * SQUARE, y: -edge / 2 }, k + 1)]).flat();
    const frame = drawn("rect", { width: side, height: side });
    const marks = drawn("g", {});
    picture.replaceChildren(...squares, ...diagonals, ...numbers, frame, ...given, marks);

    return (moment, queens, from) => {
      const kind = search.kind[moment];
      const found = kind === "solution" || kind === "reached";
      const candidate = search.square[moment];
      frame.setAttribute("class", found ? "frame found" : "frame");
      const ring = kind === "back" ? queens.at(-1) ?? -1 : candidate;
      const parts = [];
      if (ring >= 0) {
        const [row, column] = place(n, ring);
        parts.push(drawn("rect", { x: column * SQUARE + 1, y: row * SQUARE + 1, rx: 2,
          width: SQUARE - 2, height: SQUARE - 2, class: `ring ${kind}` }));
      }
      given.forEach((queen, k) => queen.setAttribute("class",
        `queen given ${from.includes(search.given[k]) ? "attacker" : ""}`));
      for (const queen of from.filter((each) => straight(n, each, candidate))) {
        const [[y1, x1], [y2, x2]] = [middle(n, queen), middle(n, candidate)];
        parts.push(drawn("line", { x1, y1, x2, y2, class: "attack" }));
      }
      for (const queen of queens) {
        const [y, x] = middle(n, queen);
        const state = from.includes(queen) ? "attacker" : found ? "found"
          : queen === candidate ? "placed" : queen === ring ? "leaving" : "";
        parts.push(drawn("path", { d: data.queen, transform: `translate(${x} ${y})`,
          class: `queen ${state}` }));
      }
      if (kind === "conflict") {
        const [y, x] = middle(n, candidate);
        parts.push(drawn("path", { d: `M${x - 6} ${y - 6}l12 12m0-12l-12 12`, class: "cross" }));
      }
      marks.replaceChildren(...parts);
      picture.setAttribute("aria-label",
        `Board of ${n}: ${label(search, queens)}, ${told(search, moment, from)}`);
    };
  }

  // The stack and the nodes of each level; the pale bars are those at the recording's end.
  function levels(search) {
    const most = Math.max(...search.levels.map((level) => level[search.last]));
    const width = (count) => `width: ${(100 * count / most).toFixed(2)}%`;
    const rows = search.levels.map((level, k) => {
      const queen = written("td", {});
      const bar = written("span", { class: "now" });
      const count = written("td", { class: "number" });
      const row = written("tr", {}, written("th", { scope: "row" }, String(k)), queen,
        written("td", { class: "bar" }, written("span", {
          class: "end", style: width(level[search.last]) }), bar), count);
      return { level, row, queen, bar, count };
    });
    find("levels").replaceChildren(...rows.map(({ row }) => row));

    return (moment, queens) => {
      rows.forEach(({ level, row, queen, bar, count }, k) => {
        const on = k > 0 && k <= queens.length;
        const [r, c] = on ? place(search.n, queens[k - 1]) : [];
        queen.textContent = on ? `row ${r + 1}, column ${c + 1}` : "";
        row.className = k === queens.length ? "top" : "";
        bar.setAttribute("style", width(level[moment]));
        count.textContent = figures.format(level[moment]);
      });
    };
  }

  // The tree node by node, each in its place from the start, pale until it is made.
  function tree(search) {
    const box = find("tree");
    box.hidden = search.n > DRAWN_TREE;
    if (box.hidden) return () => {};
    const [across, down] = [16, 34];
    const x = [];
    let leaves = 0;
    (function spread(node) {
      const { children } = search.nodes[node];
      children.forEach(spread);
      x[node] = children.length ? (x[children[0]] + x[children.at(-1)]) / 2
        : (leaves++ + 0.5) * across;
    })(0);
    const y = (node) => 10 + search.nodes[node].level * down;
    const labelled = search.n <= LABELLED_TREE;
    const picture = box.querySelector("svg");
    const deepest = search.levels.length - 1;
    picture.setAttribute("viewBox", `0 0 ${leaves * across} ${20 + deepest * down}`);
    picture.setAttribute("style", `max-width: ${leaves * across * 2}px`);
    const edges = search.nodes.map(({ parent }, k) => parent === null ? drawn("path", {})
      : drawn("path", { d: `M${x[parent]} ${y(parent)}L${x[k]} ${y(k)}` }));
    const dots = search.nodes.map((_, k) => drawn("circle", { cx: x[k], cy: y(k), r: 5.5 }));
    const texts = search.nodes.map(({ square }, k) => drawn("text", { x: x[k], y: y(k) },
      labelled && square >= 0 ? square % search.n + 1 : ""));
    picture.replaceChildren(...edges, ...dots, ...texts);

    return (moment, _queens, _from, nodes) => {
      search.nodes.forEach(({ solved, dead }, k) => {
        const state = k >= search.made[moment] ? "later" : solved <= moment ? "solution"
          : dead <= moment ? "dead" : "made";
        const on = k === 0 || nodes.includes(k) ? " on" : "";
        for (const part of [edges[k], dots[k], texts[k]]) part.setAttribute("class", state + on);
      });
      picture.setAttribute("aria-label", `Search tree: ${search.made[moment]} of `
        + `${search.nodes.length} nodes made, ${search.solutions[moment]} solutions reached`);
    };
  }

  function counters(search) {
    return (moment) => {
      const nodes = search.levels.reduce((sum, level) => sum + level[moment], 0);
      for (const [name, count] of Object.entries({ step: moment, tests: search.tests[moment], nodes,
        backtracks: search.backtracks[moment], solutions: search.solutions[moment] })) {
        find(name).textContent = figures.format(count);
      }
    };
  }

  function words(search, whole) {
    const end = whole ? "The search is over." : "The recording ends here; the search goes on.";
    return (moment, queens, from) => {
      line.textContent = moment === 0 ? `${label(search, queens)}  before the first step`
        : `${moment}  ${label(search, queens)}  ${told(search, moment, from)}`
          + (moment === search.last ? `. ${end}` : "");
      seek.value = moment;
      seek.setAttribute("aria-valuetext", `step ${moment} of ${search.last}`);
      quietly(() => `Step ${moment} of ${search.last}: ${line.textContent}; `
        + `${search.tests[moment]} tests, ${search.solutions[moment]} solutions.`);
    };
  }

  let silence = 0;
  function quietly(say) {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!playing) heard.textContent = say();
    }, QUIET);
  }

  const play = player.querySelector("[data-do=play]");
  let shown = null; // the search and what draws it
  let now = 0;
  let playing = 0; // the frame asked for
  let choice = 0; // a recording that comes late, after another choice, is dropped

  function show(moment) {
    const { search, views } = shown;
    now = Math.max(0, Math.min(moment, search.last));
    const nodes = path(search, now);
    const queens = nodes.map((node) => search.nodes[node].square);
    const from = attackers(search, now, queens);
    for (const view of views) view(now, queens, from, nodes);
  }

  function pause() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "Play";
  }

  function go(moment) {
    pause();
    show(moment);
  }

  function start() {
    if (now === shown.search.last) now = 0;
    let before = performance.now();
    let due = 1; // the first step at once
    const frame = (time) => {
      const speed = 2 ** find("speed").value;
      due += speed * Math.max(0, Math.min(time - before, LONGEST_FRAME)) / 1000;
      before = time;
      if (due >= 1) show(now + Math.floor(due));
      due %= 1;
      if (now < shown.search.last) playing = requestAnimationFrame(frame);
      else go(now);
    };
    play.textContent = "Pause";
    playing = requestAnimationFrame(frame);
  }

  // The boards to choose from: the whole ones, and the instances. The recording of an algorithm for
  // a board is the one at its place.
  const boards = [
    ...data.sizes.map((n, at) => ({ value: String(n), algorithms: data.algorithms, at })),
    ...data.instances.map(({ text, algorithms }) => ({ value: text, text, algorithms, at: 0 }))];

  function noted({ algorithms, at, text }, algorithm, recording, search) {
    const same = algorithms.filter((other) => other !== algorithm
      && other.recordings[at] === algorithm.recordings[at]).map((other) => other.name);
    const steps = figures.format(search.last);
    return [...text ? [`As text it is ${text}, with rows and columns from 0.`] : [],
      `${algorithm.technique.charAt(0).toUpperCase()}${algorithm.technique.slice(1)}.`,
      recording.whole ? `The whole search, ${steps} steps.`
        : `The first ${steps} steps are recorded; the search is longer.`,
      ...algorithm.symmetry === null ? []
        : [`It uses symmetry (${algorithm.symmetry}): a solution reached stands for its images.`],
      ...same.length ? [`${recording.whole ? "Step by step the same" : "The same as far as recorded"}: `
        + `${same.join(", ")}.`] : []].join(" ");
  }

  // Let the reader choose among these algorithms; the name stays if they have it.
  let offered = null;
  function offer(algorithms) {
    if (offered === algorithms) return;
    const before = offered?.[find("algorithm").value].name;
    offered = algorithms;
    find("algorithm").replaceChildren(...algorithms.map(({ name }, k) =>
      written("option", { value: k }, name)));
    find("algorithm").value = Math.max(0, algorithms.findIndex(({ name }) => name === before));
  }

  async function choose() {
    const mine = ++choice;
    player.setAttribute("aria-busy", "true");
    const chosen = boards.find(({ value }) => value === find("n").value);
    offer(chosen.algorithms);
    const algorithm = chosen.algorithms[find("algorithm").value];
    const recording = data.recordings[algorithm.recordings[chosen.at]];
    const search = replayed(recording.n, await inflated(recording.codes),
      recording.instance ?? {});
    if (mine !== choice) return;
    seek.max = search.last;
    find("last").textContent = figures.format(search.last);
    find("note").textContent = noted(chosen, algorithm, recording, search);
    shown = { search, views: [board(search), levels(search), tree(search), counters(search),
      words(search, recording.whole)] };
    go(0);
    player.setAttribute("aria-busy", "false");
  }

  const actions = {
    start: () => go(0),
    back: () => go(now - 1),
    play: () => (playing ? go(now) : start()),
    step: () => go(now + 1),
    end: () => go(shown.search.last),
  };
  const keys = { Home: "start", ArrowLeft: "back", " ": "play", ArrowRight: "step", End: "end" };

  function pressed(event) {
    const action = keys[event.key];
    const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const own = event.key === " " ? "button, select" : "input, select"; // keys of their own there
    if (!action || modified || event.target.matches(own)) return;
    event.preventDefault();
    actions[action]();
  }

  function spoken() {
    const speed = 2 ** find("speed").value;
    const text = `${figures.format(speed)} step${speed === 1 ? "" : "s"} a second`;
    find("speed").setAttribute("aria-valuetext", text);
    find("pace").textContent = text;
  }

  async function begin() {
    find("n").append(
      written("optgroup", { label: "Whole boards" }, ...data.sizes.map((n) =>
        written("option", { value: n }, String(n)))),
      written("optgroup", { label: "Instances" }, ...data.instances.map(({ name, text }) =>
        written("option", { value: text }, name))));
    find("n").value = DRAWN_TREE; // the most that shows everything
    await choose();
    for (const name of ["n", "algorithm"]) find(name).addEventListener("change", choose);
    for (const button of player.querySelectorAll("[data-do]")) {
      button.addEventListener("click", actions[button.dataset.do]);
    }
    seek.addEventListener("input", () => go(Number(seek.value)));
    find("speed").addEventListener("input", spoken);
    player.addEventListener("keydown", pressed);
    spoken();
    document.getElementById("watch").classList.add("moving");
  }

  // Without a way to undo deflate the still picture stays.
  if (typeof DecompressionStream !== "undefined") begin();
})();
