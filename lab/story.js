// Replays the search of the screen that is read, its board and its line of code in step.
import { board } from "./drawing.js";

const PACE = { code: 350, none: 1500 }; // ms of a step
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
export const scenes = await fetch("./story.json").then((answer) => answer.json());

for (const element of document.querySelectorAll("[data-scene]")) {
  const { n, technique, steps } = scenes[element.dataset.scene];
  const lines = [...element.querySelectorAll("pre code")];
  const button = element.querySelector(".pause");
  let at = 0;
  let timer = 0;

  const show = () => {
    const [line, columns] = steps[at];
    element.querySelector(".board").replaceWith(board(n, columns));
    lines.forEach((each, k) => each.classList.toggle("here", k + 1 === line));
    const box = element.querySelector(".scroll");
    const here = lines[line - 1];
    if (here && box.scrollHeight > box.clientHeight) box.scrollTop = here.offsetTop - box.clientHeight / 2;
    at = (at + 1) % steps.length;
  };
  const play = (on) => {
    clearInterval(timer);
    timer = on ? setInterval(show, technique ? PACE.code : PACE.none) : 0;
    button.textContent = on ? "Pause" : "Play";
  };
  let wanted = !still;
  button.hidden = false;
  button.addEventListener("click", () => {
    wanted = !timer;
    play(wanted);
  });
  new IntersectionObserver(([{ isIntersecting }]) => play(isIntersecting && wanted),
    { threshold: 0.5 }).observe(element);
}
