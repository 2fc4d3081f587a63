// Highlights a series in every plot of the page while its entry in a legend, or its name beside a
// line, is pointed at or has the focus. The names of a plot are a list box: one tab stop, the arrow
// keys go on. What belongs to a series has its names in data-series.
"use strict";

(() => {
  const OWN = "."; // a name that begins so is of one plot alone
  let figures = []; // plots with series, and what belongs to them
  let held = null; // the entry with the focus, and the one pointed at
  let pointed = null;

  // An algorithm stands for all its implementations.
  const same = (one, other) =>
    one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

  function namesIn(element, figure) {
    return element.dataset.series.split("|").map((name) =>
      name.startsWith(OWN) ? `${figure}${name}` : name);
  }

  function highlight() {
    const entry = pointed ?? held;
    const chosen = entry && figures.flatMap(({ parts }) => parts).find(
      ({ element }) => element === entry)?.names;
    for (const { figure, parts } of figures) {
      let some = false;
      for (const { element, names } of parts) {
        const on = Boolean(chosen?.some((name) => names.some((other) => same(name, other))));
        element.classList.toggle("on", on);
        if (element.hasAttribute("role")) element.setAttribute("aria-selected", on && element === entry);
        some ||= on;
      }
      figure.classList.toggle("lit", some);
    }
  }

  const entriesOf = (entry) => [...entry.closest("svg").querySelectorAll("[role=option]")];

  function stop(entry) {
    for (const other of entriesOf(entry)) {
      other.setAttribute("tabindex", other === entry ? "0" : "-1");
    }
  }

  // Only the entries are read out: the other texts of a plot are what its points say.
  function list(svg) {
    const entries = [...svg.querySelectorAll(".entry")].filter((entry) => entry.querySelector("text"));
    if (!entries.length) return;
    for (const other of svg.children) other.setAttribute("aria-hidden", "true");
    const box = document.createElementNS(svg.namespaceURI, "g");
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", "Names in this plot, each to highlight in all plots");
    box.append(...entries);
    svg.append(box);
    svg.removeAttribute("aria-hidden");
    entries.forEach((entry, number) => {
      entry.removeAttribute("aria-hidden");
      entry.setAttribute("role", "option");
      entry.setAttribute("aria-label", entry.textContent.trim());
      entry.setAttribute("aria-selected", "false");
      entry.setAttribute("tabindex", number ? "-1" : "0");
    });
  }

  function begin(figure, place) {
    figure.querySelectorAll("svg").forEach(list);
    figures = figures.filter((other) => other.figure !== figure);
    figures.push({ figure, parts: [...figure.querySelectorAll("[data-series]")].map((element) => (
      { element, names: namesIn(element, place) })) });
  }

  const plots = [...document.querySelectorAll(".plot")];
  plots.forEach(begin);
  document.addEventListener("drawn", ({ target }) => {
    begin(target, plots.indexOf(target));
    held = pointed = null;
    highlight();
  });

  const entryAt = ({ target }) => target.closest?.(".plot .entry") ?? null;
  document.addEventListener("pointerover", (event) => {
    const entry = entryAt(event);
    if (entry === pointed) return;
    pointed = entry;
    highlight();
  });
  document.addEventListener("focusin", (event) => {
    held = entryAt(event);
    if (held) stop(held);
    highlight();
  });
  document.addEventListener("focusout", () => {
    held = null;
    highlight();
  });
  // The mark of a legend takes no focus, but its name.
  document.addEventListener("click", (event) => {
    const entry = entryAt(event);
    if (!entry) return;
    entriesOf(entry).find(
      (other) => other.dataset.series === entry.dataset.series).focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      held = pointed = null;
      highlight();
    }
    const entry = entryAt(event);
    if (!entry || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const entries = entriesOf(entry);
    const place = entries.indexOf(entry);
    const next = { ArrowDown: place + 1, ArrowRight: place + 1, ArrowUp: place - 1,
      ArrowLeft: place - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    entries[Math.max(0, Math.min(next, entries.length - 1))].focus();
  });
})();
