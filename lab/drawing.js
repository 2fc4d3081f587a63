// Boards, trees and bars, as SVG and HTML.
import { QUEEN } from "./manifest.js";

export const SQUARE = 24;
const NODES = 400; // of a tree that are drawn
export const figures = new Intl.NumberFormat("en");

export function h(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...content.flat());
  return element;
}

export function svg(name, attributes = {}, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

export const several = (number, one, many = `${one}s`) =>
  `${typeof number === "number" ? figures.format(number) : number} ${number === 1 ? one : many}`;

// Seconds as people read them: 2.17 s, 14.8 ms.
export const duration = (seconds) => (seconds < 0.9995 ? `${(1000 * seconds).toPrecision(3)} ms`
  : `${seconds.toPrecision(3)} s`);

// The queens, columns by row, that attack each other.
export const attacking = (columns) => new Set(columns.flatMap((column, row) =>
  columns.flatMap((other, above) => (above < row && (column === other
    || Math.abs(column - other) === row - above) ? [row, above] : []))));

// `over` is drawn between the squares and the queens.
export function board(n, columns, { wrong = new Set(), state = "", blocked = [], over = [] } = {}) {
  const side = n * SQUARE;
  const squares = Array.from({ length: n * n }, (_, k) => {
    const [row, column] = [Math.floor(k / n), k % n];
    const barred = blocked.some(([r, c]) => r === row && c === column);
    return svg("rect", { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE,
      class: barred ? "barred" : (row + column) % 2 ? "dark" : "light" });
  });
  const queens = columns.map((column, row) => (column === null ? "" : svg("path", { d: QUEEN,
    transform: `translate(${(column + 0.5) * SQUARE} ${(row + 0.5) * SQUARE})`,
    class: wrong.has(row) ? "queen attacker" : "queen" })));
  const told = columns.length ? `queens in columns ${columns.map((column) =>
    (column ?? "none")).join(", ")}, row by row` : "no queens";
  return svg("svg", { viewBox: `-1 -1 ${side + 2} ${side + 2}`, class: `board ${state}`, role: "img",
    "aria-label": `Board of ${n}: ${told}` }, ...squares, svg("rect", { width: side, height: side,
    class: "frame" }), ...over, ...queens);
}

// The tree as far as it is made: [parent, level] of each node; `path` has the nodes on the stack,
// `kind` gives a class for a node.
export function tree(nodes, made, path, kind = () => "") {
  const shown = nodes.slice(0, NODES);
  const children = shown.map(() => []);
  shown.forEach(([parent], k) => parent !== null && children[parent].push(k));
  const x = [];
  let leaves = 0;
  (function spread(node) {
    children[node].forEach(spread);
    x[node] = children[node].length ? (x[children[node][0]] + x[children[node].at(-1)]) / 2 : leaves++;
  })(0);
  const y = (k) => shown[k][1] * 26 + 8;
  const parts = shown.map(([parent], k) => [parent === null ? "" : svg("path", {
    d: `M${x[parent] * 12 + 8} ${y(parent)}L${x[k] * 12 + 8} ${y(k)}`,
    class: k < made ? "edge" : "edge later" }), svg("circle", { cx: x[k] * 12 + 8, cy: y(k), r: 4,
    class: `node ${kind(k)}${k >= made ? " later" : path.includes(k) ? " on" : ""}` })]);
  const deepest = Math.max(...shown.map(([, level]) => level));
  return svg("svg", { viewBox: `0 0 ${leaves * 12 + 4} ${deepest * 26 + 16}`, class: "tree", role: "img",
    style: `max-width: ${(leaves * 12 + 4) * 2}px`,
    "aria-label": `Tree: ${several(Math.min(made, nodes.length), "node")} so far`
      + (nodes.length > NODES ? `, the first ${NODES} are drawn` : "") },
  ...parts.map(([edge]) => edge), ...parts.map(([, node]) => node));
}

// A mask as bits over the columns, column 0 on the left.
export const bits = (mask, n) => h("span", { class: "bits", role: "img",
  "aria-label": `columns ${Array.from({ length: n }, (_, k) => k).filter((k) => (mask >> k) & 1)
    .join(", ") || "none"}` },
...Array.from({ length: n }, (_, k) => h("i", { class: (mask >> k) & 1 ? "on" : "" })));

// The nodes of a search on a level, over those of the plain tree; `most` fills the bar.
export function levelBar(level, nodes, plain, most) {
  const bar = (count, kind) => h("b", { class: kind, style: `width: ${(70 * count / most).toFixed(1)}%` });
  return h("div", {}, h("span", {}, `level ${level}`), h("span", { class: "pair" }, bar(plain, "plain"), bar(nodes, "")),
    h("span", {}, nodes === plain ? figures.format(nodes) : `${figures.format(nodes)} of ${figures.format(plain)}`));
}
