// The search of a Sudoku: unpacked, drawn and put into words. The codes of the events are those of
// nqbench/explain/recordings.py. A cell is the number row * 9 + column.
"use strict";

const puzzling = (() => {
  const { drawn } = drawing;
  const { place } = replaying;
  const KINDS = { 30: "conflict", 31: "place", 32: "back", 33: "solution" };
  const TESTED = 10; // is added to a digit that was tested
  const SIDE = 24; // of a cell in the drawing
  const EDGE = 12; // for the numbers of rows and columns

  // The digits of each event, and its kind.
  function events(codes) {
    const found = [];
    let digits = [];
    for (let at = 0; at < codes.length;) {
      if (KINDS[codes[at]]) {
        found.push({ kind: KINDS[codes[at]], digits });
        digits = [];
        at += 1;
      } else {
        digits.push({ digit: codes[at] % TESTED, tested: codes[at] > TESTED, cell: codes[at + 1] });
        at += 2;
      }
    }
    return found;
  }

  // The search with all its moments in arrays, as replaying.replayed makes that of queens. A node
  // has the digits placed with it; the root those that follow from the givens.
  function replayed(givens, codes) {
    const found = events(codes);
    const numbers = () => new Int32Array(found.length + 1);
    const [tests, made, backtracks, solutions, top] = Array.from({ length: 5 }, numbers);
    const search = { givens: [...givens].map((digit) => Number(digit) || 0), last: found.length,
      events: [{ kind: "start", digits: [] }, ...found], nodes: [], top: top.fill(-1), tests,
      backtracks, solutions, counts: { step: null, tests, nodes: made } };
    const stack = [];
    found.forEach(({ kind, digits }, k) => {
      const step = k + 1;
      for (const count of [tests, made, backtracks, solutions]) count[step] = count[k];
      tests[step] += digits.filter(({ tested }) => tested).length;
      if (kind === "place") {
        stack.push(search.nodes.push({ parent: stack.at(-1) ?? -1, digits }) - 1);
        made[step] += 1;
      }
      if (kind === "back") backtracks[step] += 1;
      if (kind === "solution") solutions[step] += 1;
      top[step] = stack.at(-1) ?? -1;
      if (kind === "back" || kind === "solution") stack.pop();
    });
    search.first = solutions.findIndex(Boolean);
    return search;
  }

  // The digits of the grid at a moment, by cell.
  function gridAt({ givens, nodes, top }, moment) {
    const grid = [...givens];
    for (let node = top[moment]; node >= 0; node = nodes[node].parent) {
      for (const { cell, digit } of nodes[node].digits) grid[cell] = digit;
    }
    return grid;
  }

  const box = (cell) => Math.floor(cell / 27) * 3 + Math.floor(cell % 9 / 3);
  const named = (cell) => place(9, cell).map((k, is) => `${["row", "column"][is]} ${k + 1}`)
    .join(", ");

  // The cells that already hold the digit of a conflict.
  function holders(grid, cell, digit) {
    const [row, column] = place(9, cell);
    return grid.flatMap((other, at) => {
      const [r, c] = place(9, at);
      return other === digit && at !== cell && (r === row || c === column || box(at) === box(cell))
        ? [at] : [];
    });
  }

  function told(search, moment) {
    const { kind, digits } = search.events[moment];
    if (kind === "back" || kind === "solution") return kind;
    if (!digits.length) return "the search begins with the givens";
    const [{ cell, digit, tested }, ...more] = digits;
    if (kind === "conflict") {
      const [holder] = holders(gridAt(search, moment), cell, digit);
      const why = holder === undefined ? "it leaves a cell or a digit without a place"
        : `${named(holder)} holds it`;
      return `conflict: ${named(cell)} is not ${digit}: ${why}`;
    }
    const cells = ({ length }) => `${length} cell${length === 1 ? "" : "s"}`;
    if (!tested) return `the givens settle ${cells(digits)}`;
    return `place: ${named(cell)} is ${digit}${more.length ? `, which settles ${cells(more)}` : ""}`;
  }

  function board(search, find) {
    const picture = find("board");
    const side = 9 * SIDE;
    picture.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${side + EDGE + 2} ${side + EDGE + 2}`);
    const at = (cell) => {
      const [row, column] = place(9, cell);
      return { x: column * SIDE, y: row * SIDE };
    };
    const cells = search.givens.map((_, cell) => drawn("rect", { ...at(cell), width: SIDE,
      height: SIDE, class: box(cell) % 2 ? "dark" : "light" }));
    const digits = search.givens.map((digit, cell) => drawn("text", { x: at(cell).x + SIDE / 2,
      y: at(cell).y + SIDE / 2, class: digit ? "digit given" : "digit" }, digit || ""));
    const numbers = Array.from({ length: 9 }, (_, k) => [
      drawn("text", { x: -EDGE / 2, y: (k + 0.5) * SIDE, class: "coordinate" }, k + 1),
      drawn("text", { x: (k + 0.5) * SIDE, y: -EDGE / 2, class: "coordinate" }, k + 1)]).flat();
    const frame = drawn("rect", { width: side, height: side });
    const ring = drawn("rect", { rx: 2, width: SIDE - 2, height: SIDE - 2 });
    picture.replaceChildren(...cells, ...numbers, frame, ring, ...digits);

    return (moment) => {
      const { kind, digits: changed } = search.events[moment];
      const grid = gridAt(search, moment);
      const leaving = kind === "back" ? search.nodes[search.top[moment]].digits : [];
      const [first] = kind === "back" ? leaving : changed;
      const refused = kind === "conflict" ? holders(grid, first.cell, first.digit) : [];
      digits.forEach((text, cell) => {
        const now = kind === "conflict" && cell === first.cell ? first.digit : grid[cell];
        const state = kind === "solution" ? "found"
          : refused.includes(cell) || (kind === "conflict" && cell === first.cell) ? "refused"
            : kind === "place" && changed.some((one) => one.cell === cell) ? "placed"
              : leaving.some((one) => one.cell === cell) ? "leaving" : "";
        text.textContent = now || "";
        text.setAttribute("class", `digit ${search.givens[cell] ? "given" : ""} ${state}`);
      });
      frame.setAttribute("class", kind === "solution" ? "frame found" : "frame");
      ring.setAttribute("class", first ? `ring ${kind}` : "unseen");
      if (first) {
        ring.setAttribute("x", at(first.cell).x + 1);
        ring.setAttribute("y", at(first.cell).y + 1);
      }
      const open = grid.filter((digit) => !digit).length;
      picture.setAttribute("aria-label", `Sudoku with ${open} empty cell${open === 1 ? "" : "s"}: `
        + `${moment ? told(search, moment) : "before the first step"}`);
    };
  }

  return { board, replayed, told };
})();
