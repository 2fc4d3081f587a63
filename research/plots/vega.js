// The times of all solvers in Vega-Lite, with values on pointing and the line that is pointed at.
const spec = {
  data: {values: DATA},
  transform: [{filter: "datum.n >= 4"}, {calculate: "datum.algorithm + ' (' + datum.implementation + ')'", as: "solver"}],
  facet: {field: "implementation", type: "nominal", columns: 2, title: null},
  spec: {
    width: 360, height: 240,
    encoding: {
      x: {field: "n", type: "quantitative", scale: {domain: [4, 15]}},
      color: {field: "solver", type: "nominal", legend: null},
      opacity: {condition: {param: "chosen", value: 1}, value: 0.25},
      description: {field: "solver"},
    },
    layer: [
      {mark: "rule", encoding: {y: {field: "low", type: "quantitative"}, y2: {field: "high"}}},
      {mark: "line", encoding: {y: {field: "seconds", type: "quantitative", scale: {type: "log"}}}},
      {params: [{name: "chosen", select: {type: "point", fields: ["solver"], on: "pointerover", nearest: true}}],
       mark: {type: "point", filled: true}, encoding: {y: {field: "seconds", type: "quantitative"},
        tooltip: [{field: "solver"}, {field: "n"}, {field: "seconds", format: ".3s"}, {field: "low", format: ".3s"},
                  {field: "high", format: ".3s"}, {field: "samples"}]}},
    ],
  },
};
const start = performance.now();
vegaEmbed("#plot", spec, {renderer: "svg", actions: false}).then(() => { window.took = performance.now() - start; });
