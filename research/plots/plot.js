// The same in Observable Plot; it has no highlighting of a line of its own.
const start = performance.now();
const rows = DATA.filter((d) => d.n >= 4).map((d) => ({...d, solver: `${d.algorithm} (${d.implementation})`}));
const near = {x: "n", y: "seconds", fx: "implementation"};
document.querySelector("#plot").append(Plot.plot({
  width: 900, height: 420, y: {type: "log"}, x: {domain: [4, 15]}, ariaLabel: "Seconds by n",
  marks: [
    Plot.ruleX(rows, {x: "n", y1: "low", y2: "high", fx: "implementation", stroke: "solver"}),
    Plot.lineY(rows, {...near, stroke: "solver", ariaLabel: "solver"}),
    Plot.dot(rows, {...near, fill: "solver", r: 2}),
    Plot.tip(rows, Plot.pointer({...near, title: (d) =>
      `${d.solver}, n = ${d.n}: ${d.seconds} s, 95 % ${d.low} to ${d.high}, ${d.samples} samples`})),
  ],
}));
window.took = performance.now() - start;
