// What each screen of the story draws, from searches that were recorded: `count` pictures, of which
// `start` is the first that is shown; `draw` returns one, and what it says.
import { attacking, bits, board, figures, h, several, SQUARE, svg, tree } from "./drawing.js";

const range = (n) => Array.from({ length: n }, (_, k) => k);
const mask = (columns) => columns.reduce((bitset, column) => bitset | (1 << column), 0);
const list = (columns) => columns.join(", ") || "none";
const inColumns = (columns) => `${columns.length === 1 ? "column" : "columns"} ${list(columns)}`;
const isPrefix = (start, columns) => start.every((column, row) => column === columns[row]);
const centre = (k) => (k + 0.5) * SQUARE;

// The lines through a queen: its column, the diagonal that falls to the right, the one that rises.
const LINES = ["column", "falling", "rising"];
const numbered = (n, row, column) => [column, column - row + n - 1, column + row];
const attacks = (row, column) => (other, above) => other === column || Math.abs(other - column) === Math.abs(row - above);
const free = (n, columns, row) => range(n).filter((column) => !columns.some(attacks(row, column)));

function lines(n, columns) {
  return columns.flatMap((column, row) => {
    const down = (step) => Math.min(row, step > 0 ? column : n - 1 - column); // rows up to an edge
    const up = (step) => Math.min(n - 1 - row, step > 0 ? n - 1 - column : column);
    const ends = { column: [column, 0, column, n - 1],
      falling: [column - down(1), row - down(1), column + up(1), row + up(1)],
      rising: [column + down(-1), row - down(-1), column - up(-1), row + up(-1)] };
    return LINES.map((kind) => {
      const [x1, y1, x2, y2] = ends[kind].map(centre);
      return svg("line", { x1, y1, x2, y2, class: `line ${kind}` });
    });
  });
}

const squares = (row, columns, name) => columns.map((column) => svg("rect", { x: column * SQUARE + 1.5,
  y: row * SQUARE + 1.5, width: SQUARE - 3, height: SQUARE - 3, class: name }));

// Many small boards; `look` gives the class of each; a click takes one if `pick`.
function wall(n, boards, across, look, label, pick = true) {
  const side = n + 1;
  const down = Math.ceil(boards.length / across);
  return svg("svg", { viewBox: `-0.5 -0.5 ${across * side} ${down * side}`, class: "wall", role: "img", "aria-label": label },
    ...boards.map((columns, k) => svg("g", { class: look(columns, k), ...pick ? { "data-at": k } : {},
      transform: `translate(${(k % across) * side} ${Math.floor(k / across) * side})` },
    svg("rect", { x: -0.25, y: -0.25, width: n + 0.5, height: n + 0.5 }),
    ...columns.map((column, row) => svg("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.42 })))));
}

const verdict = (columns) => (attacking(columns).size ? `${attacking(columns).size} of its queens are attacked` : "a solution");
const drawn = (n, columns) => board(n, columns, { wrong: attacking(columns), state: attacking(columns).size ? "" : "found" });
const looks = (chosen, out) => (columns, k) => [attacking(columns).size ? "" : "lit", k === chosen ? "at" : "",
  out(columns) ? "out" : ""].join(" ");

function placements({ placements: { n, placements: made } }) {
  const boards = made.filter((columns) => columns.length === n);
  return { count: boards.length, start: boards.findIndex((columns) => !attacking(columns).size), what: "placement", draw: (at) => ({
    picture: [wall(n, boards, 16, looks(at, () => false), `${boards.length} placements of ${n} queens, two of them solutions`),
      drawn(n, boards[at])],
    says: `Placement ${at + 1} of ${boards.length}: ${verdict(boards[at])}. All are complete before anybody looks at them.` }) };
}

function permutations({ placements: { n, placements: all }, permutations: { placements: made } }) {
  const boards = made.filter((columns) => columns.length === n);
  const shared = (columns) => new Set(columns).size < n;
  return { count: boards.length, start: 10, what: "permutation", draw: (at) => {
    const every = all.filter((columns) => columns.length === n);
    const place = every.findIndex((columns) => String(columns) === String(boards[at]));
    return { picture: [wall(n, every, 16, looks(place, shared), `The same wall: ${boards.length} boards are left`, false),
      wall(n, boards, 4, looks(at, () => false), `${boards.length} permutations of ${n} columns`)],
    says: `Permutation ${at + 1} of ${boards.length}, columns ${list(boards[at])}: ${verdict(boards[at])}.` };
  } };
}

function early({ early: { n, placements: tested } }) {
  const texts = [...new Set(tested.map(String))].toSorted(); // a list that is used again repeats some
  const made = texts.map((text) => (text ? text.split(",").map(Number) : []));
  const dead = new Set(made.flatMap((columns, k) => (attacking(columns).size ? [k] : [])));
  const nodes = made.map((columns) => [columns.length ? texts.indexOf(String(columns.slice(0, -1))) : null, columns.length]);
  const whole = range(n + 1).reduce((sum, level) => sum + n ** level, 0);
  const bar = (name, nodes) => h("div", {}, h("span", {}, name), h("b", { style: `width: ${100 * nodes / whole}%` }),
    h("span", {}, figures.format(nodes)));
  return { count: made.length, start: made.length - 1, what: "test", draw: (at) => {
    const ended = range(at + 1).filter((k) => dead.has(k)).length;
    const path = range(at + 1).filter((k) => isPrefix(made[k], made[at]));
    return { picture: [h("div", { class: "bars" }, bar("whole tree", whole), bar("nodes", at + 1 - ended), bar("dead ends", ended)),
      drawn(n, made[at]), tree(nodes, at + 1, path, (k) => (dead.has(k) ? "dead" : made[k].length === n ? "won" : ""))],
    says: `${several(at, "square")} tried of ${made.length - 1}: ${several(at + 1 - ended, "node")}, and ${several(ended, "branch", "branches")} cut by an attack. `
      + `The whole tree, down to all complete boards, has ${figures.format(whole)}.` };
  } };
}

// The placements of a search up to its first solution.
function first({ n, placements: made, solutions }) {
  return made.slice(0, made.findIndex((columns) => String(columns) === String(solutions[0])) + 1)
    .filter((columns) => columns.length < n);
}

function marks({ bits: recorded }) {
  const { n } = recorded;
  const made = first(recorded);
  return { count: made.length, start: 3, what: "placement", draw: (at) => {
    const columns = made[at];
    const row = columns.length;
    const left = free(n, columns, row);
    const lamps = LINES.map((kind, k) => h("div", { class: kind }, h("span", {}, ["columns", "diagonals \\", "diagonals /"][k]),
      bits(mask(columns.map((column, above) => numbered(n, above, column)[k])), k ? 2 * n - 1 : n)));
    return { picture: [board(n, columns, { over: [...lines(n, columns), ...squares(row, left, "open")] }), h("div", { class: "lamps" }, ...lamps)],
      says: `${several(row, "queen")}, ${3 * row} lamps on. Row ${row} has ${left.length ? `free squares in ${inColumns(left)}` : "no free square: go back"}.` };
  } };
}

function words({ bits: recorded }) {
  const { n } = recorded;
  const made = first(recorded);
  return { count: made.length, start: 3, what: "placement", draw: (at, before = at) => {
    const columns = made[at];
    const row = columns.length;
    const left = free(n, columns, row);
    const reached = LINES.map((_, k) => columns.map((column, above) => column + [0, 1, -1][k] * (row - above)));
    const deeper = at > before && row > made[before].length;
    const word = (name, ons, label) => [h("div", { class: `word ${name} ${deeper ? "moved" : ""}`, role: "img", style: `--n: ${n}`,
      "aria-label": `${label}: columns ${list(range(n).filter((column) => ons.includes(column)))}` },
    ...range(n).map((column) => h("i", { class: ons.includes(column) ? "on" : "" }, ons.includes(column) ? "1" : "0"))),
    h("code", {}, label)];
    return { picture: [h("div", { class: "words-of-row" }, board(n, columns, { over: [...lines(n, columns), ...squares(row, left, "open")] }),
      h("span", {}), ...reached.flatMap((ons, k) => word(LINES[k], ons, ["row", "left", "right"][k])), ...word("free", left, "free"))],
    says: `Row ${row}: a bit of free is 1 where the three words above it have 0: ${left.length ? inColumns(left) : "nowhere, so go back"}.` };
  } };
}

function mirror({ mirror: { n, solutions } }) {
  const other = solutions.map((columns) => columns.map((column) => n - 1 - column));
  return { count: solutions.length, start: 0, what: "solution", draw: (at) => {
    const image = board(n, other[at]);
    const queens = svg("g", { class: "image" }, ...image.querySelectorAll(".queen"));
    const middle = svg("line", { x1: n * SQUARE / 2, y1: 0, x2: n * SQUARE / 2, y2: n * SQUARE, class: "fold" });
    return { picture: [board(n, solutions[at], { blocked: range(n / 2).map((k) => [0, n / 2 + k]), over: [middle, queens] })],
      says: `Solution ${at + 1} of ${solutions.length} with the first queen on the left: fold the board along its middle, and it is another one, `
        + `in outlines. The grey squares are never tried. Together: 2 × ${solutions.length} = ${2 * solutions.length}.` };
  } };
}

function stack({ bits: recorded }) {
  const { n } = recorded;
  const made = first(recorded).filter((columns) => columns.length);
  return { count: made.length, start: 3, what: "step", draw: (at) => {
    const columns = made[at];
    const rest = columns.map((column, row) => free(n, columns.slice(0, row), row).filter((one) => one > column));
    const rows = range(n).toReversed().flatMap((row) => [
      row < columns.length ? h("div", { class: "call" }, `row ${row}: column ${columns[row]}`) : h("div", { class: "call none" }),
      h("div", { class: "cell" }, h("code", {}, `[${row}] `), row < columns.length ? bits(mask(rest[row]), n) : "",
        row === columns.length - 1 ? h("b", {}, " ◂") : "")]);
    return { picture: [board(n, columns), h("div", { class: "piles" }, h("b", {}, "calls"), h("b", {}, "array"), ...rows)],
      says: `${several(columns.length, "call")} on the pile, or as many cells of the array: what each row has left to try `
        + `(row ${columns.length - 1}: ${list(rest.at(-1))}).` };
  } };
}

function ahead({ ahead: { n, placements: made } }) {
  const nodes = [...new Set(made.map(String))].filter(Boolean).map((text) => text.split(",").map(Number));
  const empty = (columns) => range(n).find((row) => row >= columns.length && !free(n, columns, row).length);
  const cut = nodes.filter((columns) => empty(columns) !== undefined && empty(columns.slice(0, -1)) === undefined);
  const below = (columns) => nodes.filter((each) => each.length >= columns.length && isPrefix(columns, each));
  const sizes = cut.map((columns) => below(columns).length);
  return { count: cut.length, start: sizes.indexOf(Math.max(...sizes)), what: "queen", draw: (at) => {
    const columns = cut[at];
    const row = empty(columns);
    const saved = below(columns);
    const texts = saved.map(String);
    const parents = saved.map((each, k) => [k ? texts.indexOf(String(each.slice(0, -1))) : null, each.length - columns.length]);
    const hit = range(n).slice(columns.length).flatMap((each) => squares(each, range(n).filter((one) => !free(n, columns, each).includes(one)), each === row ? "hit none" : "hit"));
    return { picture: [board(n, columns, { wrong: new Set([columns.length - 1]), over: hit }), tree(parents, 1, [], (k) => (k ? "" : "dead"))],
      says: `The red queen leaves row ${row} without a square, so it is not placed. The plain search places it, and `
        + `${saved.length > 1 ? `${several(saved.length - 1, "queen")} more below it, all in vain` : "finds out in the next row"}.` };
  } };
}

const NAMES = ["as it is", "¼ turn", "½ turn", "¾ turn", "mirrored", "mirrored, ¼", "mirrored, ½", "mirrored, ¾"];

function images({ images: { n, groups } }) {
  return { count: groups.length, start: 1, what: "group", draw: (at) => {
    const all = groups[at].map(String);
    const different = new Set(all).size;
    const cells = groups[at].map((columns, k) => h("figure", { class: k ? all.indexOf(all[k]) < k ? "again" : "" : "kept" },
      board(n, columns, { state: k ? "" : "found" }), h("figcaption", {}, NAMES[k])));
    cells.splice(4, 0, h("p", { class: "one" }, h("b", {}, String(different)), "found as one"));
    return { picture: [h("div", { class: "ring" }, ...cells)],
      says: `Group ${at + 1} of ${groups.length}: ${different} solutions that turns and mirrors make from one. `
        + `All ${groups.length} groups have ${groups.reduce((sum, each) => sum + new Set(each.map(String)).size, 0)} solutions.` };
  } };
}

function halves({ halves: { n, west, east } }) {
  const word = (columns) => columns.flatMap((column, row) => (column === null ? [] : [numbered(n, row, column)[1], 2 * n + numbered(n, row, column)[2]]));
  const [left, right] = [west.map(word), east.map(word)];
  const apart = (k, m) => !left[k].some((bit) => right[m].includes(bit));
  const [width, height, gap, bit] = [4 * n * 5, 18, 120, 5];
  const y = (k, side) => (k + (Math.max(west.length, east.length) - side.length) / 2 + 0.5) * height;
  const row = (ons, x, top, name, clash = []) => svg("g", { class: `half ${name}` }, ...range(4 * n).filter((k) => k % (2 * n) < 2 * n - 1)
    .map((k) => svg("rect", { x: x + k * bit, y: top - 6, width: bit - 1, height: 12, class: clash.includes(k) ? "clash" : ons.includes(k) ? "on" : "" })));
  const fits = (k) => range(east.length).filter((m) => apart(k, m));
  return { count: west.length, start: range(west.length).findIndex((k) => fits(k).length), what: "left half", draw: (at) => {
    const partners = fits(at);
    const pairs = range(west.length).flatMap((k) => fits(k).map((m) => [k, m]));
    const link = ([k, m]) => svg("line", { x1: width, y1: y(k, west), x2: width + gap, y2: y(m, east), class: k === at ? "pair now" : "pair" });
    const rows = west.map((_, k) => {
      const one = row(left[k], 0, y(k, west), k === at ? "at" : "");
      one.dataset.at = k;
      return one;
    });
    const joined = west[at].map((column, r) => column ?? (partners.length ? east[partners[0]][r] : null));
    return { picture: [h("div", { class: "sides" }, h("b", {}, "left halves"), h("b", {}, "right halves")),
      svg("svg", { viewBox: `0 0 ${2 * width + gap} ${Math.max(west.length, east.length) * height}`, class: "halves", role: "img",
        "aria-label": `${west.length} left halves, ${east.length} right halves, ${pairs.length} pairs that share no diagonal` }, ...pairs.map(link), ...rows,
      ...east.map((_, m) => row(right[m], width + gap, y(m, east), partners.includes(m) ? "fits" : "", right[m].filter((one) => left[at].includes(one))))),
      board(n, joined, { state: partners.length ? "found" : "" })],
    says: `Left half ${at + 1} of ${west.length}: ${partners.length ? `${several(partners.length, "right half", "right halves")} of ${east.length} share no diagonal with it (green)` : "every right half shares a diagonal with it (red)"}. `
      + `Of the ${west.length * east.length} pairs for these rows, ${pairs.length} are solutions.` };
  } };
}

export const screens = { placements, permutations, early, marks, bits: words, mirror, stack, ahead, images, halves };
