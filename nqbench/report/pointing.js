// Shows the values of a plot's points, on pointing and by keyboard. They are the titles of unseen
// circles in the drawing, a group a series; without this script the browser shows those itself.
"use strict";

(() => {
  const NEAR = 30; // pixels between the pointer and a point
  const GAP = 12; // pixels between a point and what is said of it

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("aria-hidden", "true");
  tip.hidden = true;
  const heard = document.createElement("p");
  heard.className = "unseen";
  heard.setAttribute("role", "status");
  document.querySelector("main").append(tip, heard);

  let shown = null; // the plot and the place of its point

  function hide() {
    if (!shown) return;
    shown.plot.ring.remove();
    shown = null;
    tip.hidden = true;
    heard.textContent = "";
  }

  function onPage(svg, point) {
    const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(svg.getScreenCTM());
    return { x, y };
  }

  function beside() {
    const { svg, series } = shown.plot;
    const { x, y } = onPage(svg, series[shown.row][shown.place]);
    const room = document.documentElement.clientWidth - tip.offsetWidth - 4;
    const above = y - tip.offsetHeight - GAP;
    tip.style.left = `${window.scrollX + Math.max(4, Math.min(x + GAP, room))}px`;
    tip.style.top = `${window.scrollY + (above < 4 ? y + GAP : above)}px`;
  }

  function show(plot, row, place) {
    if (shown && shown.plot === plot && shown.row === row && shown.place === place) return;
    if (shown) shown.plot.ring.remove();
    shown = { plot, row, place };
    const point = plot.series[row][place];
    plot.ring.setAttribute("cx", point.x);
    plot.ring.setAttribute("cy", point.y);
    plot.svg.append(plot.ring);
    const [first, ...others] = point.text.split("\n");
    const name = document.createElement("b");
    name.textContent = first;
    tip.replaceChildren(name, ...others.map((line) => {
      const part = document.createElement("div");
      part.textContent = line;
      return part;
    }));
    tip.hidden = false;
    beside();
  }

  function pointed(plot, event) {
    let best = { distance: NEAR };
    plot.series.forEach((points, row) => points.forEach((point, place) => {
      const { x, y } = onPage(plot.svg, point);
      const distance = Math.hypot(x - event.clientX, y - event.clientY);
      if (distance <= best.distance) best = { distance, row, place }; // the last is drawn on top
    }));
    if (best.row === undefined) hide();
    else show(plot, best.row, best.place);
  }

  // The point of another series with the least way across.
  function beyond({ series }, row, x) {
    const away = series[row].map((point) => Math.abs(point.x - x));
    return [row, away.indexOf(Math.min(...away))];
  }

  const moves = {
    ArrowRight: ({ series }, row, place) => place + 1 < series[row].length ? [row, place + 1]
      : row + 1 < series.length ? [row + 1, 0] : [row, place],
    ArrowLeft: ({ series }, row, place) => place > 0 ? [row, place - 1]
      : row > 0 ? [row - 1, series[row - 1].length - 1] : [row, place],
    ArrowDown: (plot, row, place) => beyond(
      plot, Math.min(row + 1, plot.series.length - 1), plot.series[row][place].x),
    ArrowUp: (plot, row, place) => beyond(
      plot, Math.max(row - 1, 0), plot.series[row][place].x),
    Home: (_plot, row) => [row, 0],
    End: ({ series }, row) => [row, series[row].length - 1],
  };

  function pressed(plot, event) {
    const move = event.target === plot.figure && moves[event.key]; // names have keys of their own
    if (!move || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const next = shown?.plot === plot ? move(plot, shown.row, shown.place) : [0, 0];
    show(plot, ...next);
    plot.ring.scrollIntoView({ block: "nearest", inline: "nearest" });
    beside();
    heard.textContent = tip.innerText.replaceAll("\n", ", ");
  }

  // Takes the points out of the drawings, which may be others than before.
  function read(plot) {
    plot.drawings = [...plot.figure.querySelectorAll("svg")].map((svg) => {
      const series = [...svg.querySelectorAll(".points > g")].map((group) => [...group.children].map(
        (circle) => ({ x: circle.cx.baseVal.value, y: circle.cy.baseVal.value, text: circle.textContent })));
      svg.querySelector(".points").remove();
      svg.setAttribute("aria-hidden", "true");
      return { svg, series };
    });
  }

  function begin(figure) {
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("class", "ring");
    ring.setAttribute("r", "6");
    const plot = { figure, ring,
      get drawing() { return this.drawings.find(({ svg }) => svg.clientWidth) ?? this.drawings[0]; },
      get svg() { return this.drawing.svg; },
      get series() { return this.drawing.series; } };
    read(plot);
    // Its keys are its own: a screen reader is to leave them to it.
    figure.setAttribute("role", "application");
    figure.setAttribute("aria-roledescription", "plot");
    figure.setAttribute("aria-describedby", "keys");
    figure.addEventListener("drawn", () => {
      hide();
      read(plot);
    });
    figure.addEventListener("pointermove", (event) => pointed(plot, event));
    figure.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".entry")) return; // it takes the focus
      figure.focus({ preventScroll: true });
      pointed(plot, event);
    });
    figure.addEventListener("pointerleave", () => { // as a finger does after each tap
      if (document.activeElement !== figure) hide();
    });
    figure.addEventListener("blur", hide);
    figure.addEventListener("keydown", (event) => pressed(plot, event));
  }

  for (const figure of document.querySelectorAll(".plot")) {
    if (figure.querySelector(".points > g")) begin(figure);
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  window.addEventListener("resize", hide);
  document.getElementById("keys").hidden = false;
})();
