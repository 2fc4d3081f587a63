// Draws the screens of the story, and moves each to what its reader chooses.
import { h } from "./drawing.js";
import { screens } from "./screens.js";

const scenes = await fetch("./story.json").then((answer) => answer.json());

for (const element of document.querySelectorAll("[data-scene]")) {
  const { count, start, what, draw } = screens[element.dataset.scene](scenes);
  const picture = h("div", { class: "drawn" });
  const told = h("p", { class: "says", role: "status" });
  let at = start;
  const show = (next) => {
    const before = at;
    at = (next + count) % count;
    const shown = draw(at, before);
    picture.replaceChildren(...shown.picture);
    told.textContent = shown.says;
    place.value = at;
  };
  const place = h("input", { type: "range", min: 0, max: count - 1, "aria-label": `Choose a ${what}`, oninput: () => show(Number(place.value)) });
  const step = (by, name) => h("button", { type: "button", "aria-label": `${what}, ${name}`, onclick: () => show(at + by) }, by < 0 ? "‹" : "›");
  picture.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-at]");
    if (chosen && Number(chosen.dataset.at) < count) show(Number(chosen.dataset.at));
  });
  element.replaceChildren(picture, told, h("div", { class: "tries" }, h("b", {}, "Try it"), step(-1, "previous"), place, step(1, "next")));
  show(at);
}
