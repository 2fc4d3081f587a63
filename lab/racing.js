// A race of two searches, replayed from moments that Python kept, by a clock that both share.
import { attacking, board, duration, figures, h, several } from "./drawing.js";

const SECONDS = 3; // that the slower one takes on the screen
const CLOCKS = { lines: "lines of Python run", nodes: "nodes", tests: "squares tested", seconds: "time in this browser" };

const FEWER = { lines: "fewer", nodes: "fewer", tests: "fewer", seconds: "as fast" };
const MIRRORED = "somers";

// Lines beyond a limit are not counted: then the last one is the first beyond it.
const capped = (racer, clock) => clock === "lines" && !racer.whole;
const shown = (racer, clock) => (racer[clock] === null ? "not counted" : clock === "seconds" ? duration(racer.seconds)
  : clock === "nodes" && racer.nodes === 1 ? "no tree"
    : capped(racer, clock) ? `more than ${figures.format(racer.lines - 1)}` : figures.format(racer[clock]));

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
    h("tr", {}, h("th", { scope: "row" }, text), ...racers.map((racer) => h("td", {}, shown(racer, name))))),
  h("tr", {}, h("th", { scope: "row" }, "solutions"), ...racers.map((racer) => h("td", {}, figures.format(racer.solutions)))))),
  h("p", { class: "small" }, "A time in a browser is of one run (the shorter of two, if they are quick) of Python compiled "
    + "to WebAssembly, beside whatever else runs: it says which search is many times faster, no more. Lines, nodes and tests are exact. ",
  racers.some(({ nodes, tests }) => nodes === null || tests === null) ? "The nodes of your "
    + "search are the calls of a function that calls itself; the squares that it tests are not seen. " : "",
  racers.some(({ nodes }) => nodes === 1) ? "A search without a tree completes each placement before it looks at it." : ""));

  function finish() {
    const [mine, other] = racers.map((racer) => racer[clock.value]);
    for (const { racer, bar, picture } of lanes) {
      bar.value = 1;
      const final = racer.moments.findLast(([, columns]) => columns.length === n
        && !attacking(columns).size);
      const [, columns] = final ?? racer.moments.at(-1) ?? [0, []];
      picture.replaceChildren(board(n, columns, { state: final ? "found" : "", wrong: attacking(columns) }));
    }
    const [own, theirs] = racers.map(({ solutions }) => solutions);
    const half = racers[1].name === MIRRORED && own === 2 * theirs;
    if (own !== theirs && !half) {
      verdict.textContent = `The searches find different numbers: ${several(own, "solution")} and ${figures.format(theirs)}. `
        + "So neither wins.";
      return;
    }
    const [first, second] = mine <= other ? racers : racers.toReversed();
    const least = shown(first, clock.value);
    const most = shown(second, clock.value);
    const times = Math.max(mine, other) / Math.max(Math.min(mine, other), 1e-9);
    verdict.textContent = (mine === other ? `${capped(first, clock.value) ? "Neither wins" : "A tie"}: ${least} each.`
      : `${first.name} wins by ${CLOCKS[clock.value]}, ${least} : ${most}, ${capped(second, clock.value) ? "more than " : ""}`
        + `${figures.format(Number(times.toPrecision(3)))} times ${FEWER[clock.value]}.`)
      + (half ? ` ${MIRRORED} finds half of the solutions; the mirror gives the others.` : "");
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
