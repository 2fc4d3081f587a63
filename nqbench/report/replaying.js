// Unpacks the page's recordings, and says what each moment of a search shows; no algorithm runs here.
// The codes of the steps are those of nqbench/explain/recordings.py. A square is the number
// row * n + column; rows and columns count from 0 in here, and from 1 where they are shown, as
// `nqbench trace` shows them.
"use strict";

const replaying = (() => {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  async function inflated(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // The search with all its moments in arrays, so that going back is looking up; moment 0 is
  // before the first step. `top` is the node of the queen placed last, the root without one.
  // In an instance, the board has queens before; the search places the others.
  function replayed(n, codes, instance, rules = []) {
    const squares = n * n;
    const given = (instance.placed ?? []).map(([row, column]) => row * n + column);
    const untested = 2 * squares + 2;
    const ofRules = untested + n + 3; // the codes from here on
    const last = codes.filter((code) => code !== untested && code < ofRules).length;
    const numbers = () => new Int32Array(last + 1);
    const search = {
      n, instance, given, last, kind: ["start"], rules: [], square: numbers().fill(-1), top: numbers(),
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
      if (code >= ofRules) {
        search.rules[step + 1] = rules[code - ofRules]; // which refuses the next square
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
    search.first = search.solutions.findIndex(Boolean);
    search.counts = { step: null, tests: search.tests,
      nodes: search.tests.map((_, k) => sum(search.levels.map((level) => level[k]))) };
    return search;
  }

  // The moment of a search at a time of the clock: the last one that has counted no more.
  function momentAt(search, clock, time) {
    const counted = search.counts[clock];
    if (!counted) return Math.max(0, Math.min(time, search.last));
    let [low, high] = [0, search.last];
    while (low < high) {
      const between = (low + high + 1) >> 1;
      if (counted[between] <= time) low = between;
      else high = between - 1;
    }
    return low;
  }

  // The time of the clock at a moment.
  const timeAt = (search, clock, moment) => search.counts[clock]?.[moment] ?? moment;

  function path(search, moment) {
    const found = [];
    for (let node = search.top[moment]; node; node = search.nodes[node].parent) found.unshift(node);
    return found;
  }

  const place = (n, square) => [Math.floor(square / n), square % n];

  const attackers = (search, moment, queens) => (search.kind?.[moment] === "conflict"
    ? attackersOf(search, queens, search.square[moment]) : []);

  // The queens, those given too, that attack a square.
  function attackersOf({ n, instance, given }, queens, square) {
    const [row, column] = place(n, square);
    const same = (one, other) => one === other || (instance.torus && (one - other) % n === 0);
    return [...given, ...queens].filter((queen) => {
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

  // Why no queen may ever stand on a square of an instance; empty if one may.
  function barred({ blocked = [], sums = [], differences = [] }, row, column) {
    if (blocked.some(([r, c]) => r === row && c === column)) return "is blocked";
    return sums.includes(row + column) || differences.includes(row - column)
      ? "is on an excluded diagonal" : "";
  }

  // The first open row that these queens leave without a free square, -1 if there is none.
  function emptied(search, queens) {
    const { n, instance, given } = search;
    const rows = Array.from({ length: n }, (_, row) => row);
    const taken = [...given, ...queens].map((queen) => place(n, queen)[0]);
    return rows.find((row) => !taken.includes(row) && rows.every((column) => (
      barred(instance, row, column) || attackersOf(search, queens, row * n + column).length))) ?? -1;
  }

  // Why a search refuses a square that no queen attacks.
  function refused(search, moment) {
    const square = search.square[moment];
    const known = barred(search.instance, ...place(search.n, square));
    if (known) return known;
    const queens = path(search, moment).map((node) => search.nodes[node].square);
    const empty = emptied(search, [...queens, square]);
    return empty < 0 ? "is left out" : `leaves no free square in row ${empty + 1}`;
  }

  // The words of `nqbench trace`.
  function told(search, moment, from) {
    const kind = search.kind[moment];
    if (search.square[moment] < 0) return kind;
    const [row, column] = place(search.n, search.square[moment]);
    const text = `${kind}: row ${row + 1}, column ${column + 1}`;
    if (kind === "place") return text;
    const rule = search.rules[moment] ? ` (rule ${search.rules[moment]})` : "";
    if (!from.length) return `${text} ${refused(search, moment)}${rule}`;
    const rows = from.map((queen) => `row ${place(search.n, queen)[0] + 1}`);
    return `${text} is attacked from ${rows.join(", ")}${rule}`;
  }

  return { attackers, attackersOf, inflated, label, momentAt, path, place, replayed, timeAt, told };
})();
