// A race of two searches, replayed from moments that Python kept, by a clock that both share.
import { attacking, board, figures, h, several } from "./drawing.js";

const SECONDS = 3; // that the slower one takes on the screen
const CLOCKS = { lines: "lines of Python run", nodes: "nodes", tests: "squares tested", seconds: "time in this browser" };

const FEWER = { lines: "fewer", nodes: "fewer", tests: "fewer", seconds: "as fast" };
const MIRRORED = "somers";

const shown = (value, clock) => (value === null ? "not counted" : clock === "seconds"
  ? `${(1000 * value).toPrecision(3)} ms` : figures.format(value));

export function racing(panel, race) {
  const { n, racers } = race;
  // The tree of a search that prunes nothing is its root alone: no clock for a race.
  const offered = Object.keys(CLOCKS).filter((clock) => racers.every((racer) => racer[clock] !== null
    && !(clock === "nodes" && racer.nodes === 1)));
  let frame = 0;
  const clock = h("select", { onchange: run }, ...offered.map((name) => h("option", { value: name }, CLOCKS[name])));
  const lanes = racers.map((racer, k) => ({ racer, bar: h("progress", { max: 1, value: 0,
    "aria-label": racer.name }), picture: h("div", { class: "picture" }), k }));
  const verdict = h("p", { role: "status", class: "verdict" });

  panel.replaceChildren(h("div", { class: "buttons" }, h("label", {}, "Clock ", clock),
    h("button", { type: "button", class: "main", onclick: run }, "Race again")),
  h("div", { class: "columns" }, ...lanes.map(({ racer, bar, picture, k }) => h("div", { class: `lane lane${k}` },
    h("h3", {}, racer.name), bar, picture))), verdict,
  h("table", {}, h("thead", {}, h("tr", {}, h("td"), ...racers.map(({ name }) =>
    h("th", { scope: "col" }, name)))), h("tbody", {}, ...Object.entries(CLOCKS).map(([name, text]) =>
    h("tr", {}, h("th", { scope: "row" }, text), ...racers.map((racer) => h("td", {}, shown(racer[name], name))))),
  h("tr", {}, h("th", { scope: "row" }, "solutions"), ...racers.map((racer) => h("td", {}, figures.format(racer.solutions)))))),
  h("p", { class: "small" }, "A time in a browser is of one run of Python compiled to WebAssembly, beside whatever "
    + "else runs: it says which search is many times faster, no more. Lines, nodes and tests are exact. ",
  racers.every((racer) => racer.whole) ? "" : "A search ran more than 2,000,000 lines: those beyond are not counted."));

  function finish() {
    const [mine, other] = racers.map((racer) => racer[clock.value]);
    for (const { racer, bar, picture } of lanes) {
      bar.value = 1;
      const final = racer.moments.findLast(([, columns]) => columns.length === n
        && !attacking(columns).size);
      picture.replaceChildren(board(n, final?.[1] ?? [], { state: final ? "found" : "" }));
    }
    const wrong = racers[0].solutions !== racers[1].solutions;
    const winner = racers[mine <= other ? 0 : 1].name;
    const times = Math.max(mine, other) / Math.max(Math.min(mine, other), 1e-9);
    verdict.textContent = (mine === other ? `A tie: ${shown(mine, clock.value)} each.`
      : `${winner} wins by ${CLOCKS[clock.value]}, ${shown(Math.min(mine, other), clock.value)} : `
        + `${shown(Math.max(mine, other), clock.value)}, ${times.toPrecision(3)} times ${FEWER[clock.value]}.`)
      + (racers[1].name === MIRRORED ? ` ${MIRRORED} finds half of the solutions; the mirror gives the others.` : wrong
        ? ` But they do not find the same: ${several(racers[0].solutions, "solution")} and `
        + `${figures.format(racers[1].solutions)}.` : "");
  }

  function run() {
    cancelAnimationFrame(frame);
    verdict.textContent = "";
    const most = Math.max(...racers.map((racer) => racer[clock.value]));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return finish();
    const begin = performance.now();
    (function step(now) {
      const time = Math.max(0, now - begin) / 1000 / SECONDS * most;
      for (const { racer, bar, picture } of lanes) {
        const share = Math.min(1, time / Math.max(racer[clock.value], 1e-9));
        bar.value = share;
        const [, columns] = racer.moments[Math.min(racer.moments.length - 1,
          Math.floor(share * racer.moments.length))] ?? [0, []];
        picture.replaceChildren(board(n, columns, { wrong: attacking(columns) }));
      }
      if (time >= most) finish();
      else frame = requestAnimationFrame(step);
    })(begin);
    return undefined;
  }

  run();
  return { stop: () => cancelAnimationFrame(frame) };
}
