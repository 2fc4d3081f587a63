// "Your turn": the reader places queens and sees which attack each other, and which squares remain
// free. A hint is a complete search in this page from the queens on the board.
"use strict";

(() => {
  const { QUEEN, drawn, figures, written } = drawing;
  const SIZES = [4, 5, 6, 7, 8, 9, 10, 11, 12]; // a search on these takes less than a blink
  const USUAL = 8;

  const find = (name) => document.getElementById(`turn-${name}`);
  const [grid, line, answer, size] = ["board", "line", "answer", "n"].map(find);
  const chosen = Number(JSON.parse(document.getElementById("recordings").textContent).start.board);
  let n = USUAL;
  let queens = []; // [row, column]
  let buttons = []; // by row and column
  let here = [0, 0]; // the square that the Tab key reaches

  const attack = ([r, c], [row, column]) => (r === row) + (c === column) < 2
    && (r === row || c === column || Math.abs(r - row) === Math.abs(c - column));
  const isFree = (placed, row, column) => placed.every(([r, c]) => r !== row && c !== column
    && Math.abs(r - row) !== Math.abs(c - column));
  const named = ([row, column]) => `row ${row + 1}, column ${column + 1}`;
  const range = () => Array.from({ length: n }, (_, k) => k);

  // Complete a placement without conflicts, in the row with the fewest free squares first; return
  // the queens, null if there is no way, and how many placements the search made.
  function complete(given) {
    let made = 0;
    function extend(placed) {
      if (placed.length === n) return placed;
      const open = range().filter((row) => !placed.some(([r]) => r === row)).map((row) =>
        range().filter((column) => isFree(placed, row, column)).map((column) => [row, column]));
      const fewest = open.reduce((one, other) => (other.length < one.length ? other : one));
      for (const square of fewest) {
        made += 1;
        const found = extend([...placed, square]);
        if (found) return found;
      }
      return null;
    }
    return { found: extend(given), made };
  }

  const conflicts = () => queens.flatMap((one, k) => queens.slice(k + 1)
    .filter((other) => attack(one, other)).map((other) => [one, other]));

  function advise() {
    if (conflicts().length) {
      const count = (queen) => conflicts().flat().filter((one) => one === queen).length;
      const worst = queens.reduce((one, other) => (count(other) > count(one) ? other : one));
      return [`Queens attack each other. Remove that of ${named(worst)}.`];
    }
    const { found, made } = complete(queens);
    const placements = `${figures.format(made)} placement${made === 1 ? "" : "s"}`;
    if (!found) {
      const wrong = [...queens].reverse().find((queen) =>
        complete(queens.filter((other) => other !== queen)).found);
      const advice = wrong ? `Remove the queen of ${named(wrong)}: the others have a completion.`
        : "No single queen is at fault: remove several.";
      return [`This placement has no completion: the search in this page made ${placements} and `
        + `found no solution. ${advice}`];
    }
    if (queens.length === n) return ["This is a solution."];
    return [`Try ${named(found[queens.length])}. The search in this page, which fills the row with `
      + `the fewest free squares first, found a solution after ${placements}.`, found[queens.length]];
  }

  function show(hinted) {
    const pairs = conflicts();
    let free = 0;
    for (const row of range()) {
      for (const column of range()) {
        const queen = queens.some(([r, c]) => r === row && c === column);
        const attacked = queen ? pairs.flat().some(([r, c]) => r === row && c === column)
          : !isFree(queens, row, column);
        if (!queen && !attacked) free += 1;
        const hint = hinted && hinted[0] === row && hinted[1] === column;
        const button = buttons[row][column];
        button.className = [(row + column) % 2 ? "dark" : "light", queen ? "queen" : "",
          attacked ? "attacked" : "free", hint ? "hint" : ""].join(" ");
        button.setAttribute("aria-label", `${named([row, column])}: ${queen ? "queen, " : ""}`
          + `${attacked ? "attacked" : queen ? "safe" : "free"}${hint ? ", hint" : ""}`);
        button.setAttribute("aria-pressed", queen);
        button.tabIndex = row === here[0] && column === here[1] ? 0 : -1;
      }
    }
    const state = pairs.length ? ` In conflict: ${pairs.map((pair) =>
      pair.map(named).join(" and ")).join("; ")}.`
      : queens.length === n ? " This is a solution." : "";
    line.textContent = `${queens.length} of ${n} queens; ${free} square${free === 1 ? "" : "s"} `
      + `remain${free === 1 ? "s" : ""} free.${state}`;
    line.classList.toggle("ok", !pairs.length && queens.length === n);
    line.classList.toggle("bad", pairs.length > 0);
  }

  function toggle(row, column) {
    const others = queens.filter(([r, c]) => r !== row || c !== column);
    queens = others.length < queens.length ? others : [...queens, [row, column]];
    here = [row, column];
    answer.textContent = "";
    show();
  }

  function move(event) {
    const [row, column] = here;
    const to = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], Home: [row, 0],
      End: [row, n - 1] }[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    buttons[row][column].tabIndex = -1;
    here = to.map((k) => Math.max(0, Math.min(k, n - 1)));
    const button = buttons[here[0]][here[1]];
    button.tabIndex = 0;
    button.focus();
  }

  function square(row, column) {
    const picture = drawn("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" });
    picture.append(drawn("path", { d: QUEEN }), drawn("circle", { r: 2.2 }));
    const button = written("button", { type: "button" }, picture);
    button.addEventListener("click", () => toggle(row, column));
    return button;
  }

  function clear() {
    n = Number(size.value);
    [queens, here] = [[], [0, 0]];
    buttons = range().map((row) => range().map((column) => square(row, column)));
    const number = (text) => written("span", { "aria-hidden": "true" }, text); // labels say it
    grid.replaceChildren(written("div", { class: "numbered", "aria-hidden": "true" }, number(""),
      ...range().map((column) => number(String(column + 1)))),
    ...buttons.map((row, k) => written("div", { role: "row" }, number(String(k + 1)),
      ...row.map((button) => written("div", { role: "gridcell" }, button)))));
    grid.setAttribute("aria-label", `Board of ${n}`);
    answer.textContent = "";
    show();
  }

  size.append(...SIZES.map((value) => written("option", { value }, String(value))));
  size.value = SIZES.includes(chosen) ? chosen : USUAL;
  size.addEventListener("change", clear);
  grid.addEventListener("keydown", move);
  find("clear").addEventListener("click", clear);
  find("hint").addEventListener("click", () => {
    const [text, hinted] = advise();
    show(hinted);
    answer.textContent = text;
  });
  clear();
  document.getElementById("turn").hidden = false;
})();
