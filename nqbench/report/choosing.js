// Shows a plot for another n or on another scale. The other drawings are kept beside it, compressed;
// without this script the plot stays as it is.
"use strict";

(() => {
  async function begin(kept) {
    const figure = kept.previousElementSibling;
    const own = figure.innerHTML; // before another script takes something out of it
    const { name, options } = JSON.parse(new TextDecoder().decode(
      await replaying.inflated(kept.textContent)));
    const drawings = new Map(options.map(([text, drawing]) => [text, drawing ?? own]));
    const [standard] = options.find(([, drawing]) => drawing === null);

    const box = document.createElement("div");
    box.className = "choosing";
    box.innerHTML = "<label><span></span><span class=unseen></span> <select></select></label>";
    const [label, about] = box.querySelectorAll("span");
    label.textContent = name;
    about.textContent = ` of the plot ${figure.getAttribute("aria-label")}`;
    const select = box.querySelector("select");
    select.append(...options.map(([text]) => new Option(text, text, text === standard, text === standard)));

    let drawn = standard;
    function draw(text) {
      if (text === drawn) return;
      drawn = text;
      figure.innerHTML = drawings.get(text);
      figure.dispatchEvent(new Event("drawn", { bubbles: true }));
    }
    select.addEventListener("change", () => draw(select.value));
    // On paper a plot is as without this script.
    window.addEventListener("beforeprint", () => draw(standard));
    window.addEventListener("afterprint", () => draw(select.value));
    figure.before(box);
  }

  if (typeof DecompressionStream !== "undefined") {
    document.querySelectorAll("script.ways").forEach(begin);
  }
})();
