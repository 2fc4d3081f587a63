// Draws a moment of a search: board, stack, levels, tree and counters. Each drawing has the parts that
// stay, and a function that shows a moment; `find` returns an element by its name.
"use strict";

const drawing = (() => {
  const { label, place, told } = replaying;
  const SQUARE = 24; // side of a square in the drawing, as in nqbench/search/board.py
  const DRAWN_TREE = 6; // up to this n the tree is drawn node by node
  const LABELLED_TREE = 5; // and up to this with the column of each queen
  const QUEEN = JSON.parse(document.getElementById("recordings").textContent).queen;
  const figures = new Intl.NumberFormat("en");

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

  function board(search, find) {
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
      return drawn("path", { d: QUEEN, transform: `translate(${x} ${y})` });
    });
    const numbers = Array.from({ length: n }, (_, k) => [
      drawn("text", { x: -edge / 2, y: (k + 0.5) * SQUARE, class: "coordinate" }, k + 1),
      drawn("text", { x: (k + 0.5) * SQUARE, y: -edge / 2, class: "coordinate" }, k + 1)]).flat();
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
        parts.push(drawn("path", { d: QUEEN, transform: `translate(${x} ${y})`,
          class: `queen ${state}` }));
      }
      if (kind === "conflict") {
        const [y, x] = middle(n, candidate);
        parts.push(drawn("path", { d: `M${x - 6} ${y - 6}l12 12m0-12l-12 12`, class: "cross" }));
      }
      marks.replaceChildren(...parts);
      const what = search.jumps ? jumping.told(search, moment) : told(search, moment, from);
      picture.setAttribute("aria-label", `Board of ${n}: ${label(search, queens)}, ${what}`);
    };
  }

  // The stack and the nodes of each level; the pale bars are those at the recording's end.
  function levels(search, find) {
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
  function tree(search, find) {
    const box = find("tree");
    const small = search.n <= DRAWN_TREE;
    box.classList.toggle("large", !small);
    if (!small) return () => {};
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

  function counters(search, find) {
    return (moment) => {
      const { tests, nodes } = search.counts;
      for (const [name, count] of Object.entries({ step: moment, tests: tests[moment],
        nodes: nodes[moment], backtracks: search.backtracks[moment],
        solutions: search.solutions[moment] })) find(name).textContent = figures.format(count);
    };
  }

  return { QUEEN, SQUARE, board, counters, drawn, figures, levels, tree, written };
})();
