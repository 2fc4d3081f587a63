// The search of A* or of min-conflicts, unpacked and put into words. The codes of the events are those
// of nqbench/explain/recordings.py. A square is the number row * n + column.
"use strict";

const jumping = (() => {
  const { attackersOf, place } = replaying;
  const KINDS = ["conflict", "queue", "take", "put", "put", "move", "solution"];
  const TESTED = [1, 1, 0, 0, 1]; // squares that an event has tested; a move tests a row
  const [TAKE, MOVE, SOLUTION] = [2, 5, 6];

  // The search with all its moments in arrays, as replaying.replayed makes that of a tree; `placed`
  // has the squares of the queens.
  function replayed(n, codes) {
    const search = { n, instance: {}, given: [], kind: ["start"], square: [-1], placed: [[]],
      tests: [0], solutions: [0], backtracks: [], jumps: true };
    const made = [codes[0] === TAKE ? 0 : 1]; // without a queue, the root is the only node
    for (let at = 0; at < codes.length;) {
      const code = codes[at];
      const step = search.kind.length;
      let placed = search.placed.at(-1);
      let square = -1;
      if (code === TAKE) {
        const queens = codes.slice(at + 2, at + 2 + codes[at + 1]);
        placed = Array.from(queens, (column, row) => row * n + column);
        at += 2 + codes[at + 1];
      } else if (code === SOLUTION) at += 1;
      else {
        square = codes[at + 1];
        const row = Math.floor(square / n);
        if (code === MOVE) placed = placed.with(row, square);
        else if (KINDS[code] === "put") placed = [...placed.slice(0, row), square];
        at += 2;
      }
      search.kind[step] = KINDS[code];
      search.square[step] = square;
      search.placed[step] = placed;
      search.tests[step] = search.tests[step - 1] + (code === MOVE ? n : TESTED[code] ?? 0);
      made[step] = made[step - 1] + (code === TAKE);
      search.solutions[step] = search.solutions[step - 1] + (code === SOLUTION);
    }
    search.last = search.kind.length - 1;
    search.backtracks = search.tests.map(() => 0);
    search.first = search.solutions.findIndex(Boolean);
    search.counts = { step: null, tests: search.tests, nodes: made };
    return search;
  }

  // The queens that attack the one that was put or moved, or the square that was tested.
  function attackers(search, moment) {
    const square = search.square[moment];
    return square < 0 ? [] : attackersOf(search, search.placed[moment]
      .filter((queen) => queen !== square), square);
  }

  const many = (queens) => `${queens.length} attacker${queens.length === 1 ? "" : "s"}`;

  function told(search, moment) {
    const { n } = search;
    const [kind, square] = [search.kind[moment], search.square[moment]];
    if (kind === "take") return `take from the queue: f = ${search.placed[moment].length} + `
      + `${n - search.placed[moment].length} = ${n}`;
    if (square < 0) return kind;
    const [row, column] = place(n, square).map((k) => k + 1);
    const text = `${kind}: row ${row}, column ${column}`;
    const from = attackers(search, moment);
    if (kind === "queue") return `${text}: f = ${row} + ${n - row} = ${n}`;
    if (kind === "put") return `${text}, with ${many(from)}`;
    if (kind === "move") {
      const old = search.placed[moment - 1][row - 1];
      const before = attackersOf(search, search.placed[moment - 1]
        .filter((queen) => queen !== old), old);
      return `move: row ${row}, from column ${old % n + 1} with ${many(before)} to column `
        + `${column} with ${many(from)}`;
    }
    return from.length ? `${text} has ${many(from)}`
      : `${text}: f is infinite, as an open row would have no free square`;
  }

  return { attackers, replayed, told };
})();
