// Steps through a search that Python recorded: its line, variables, stack, board and tree; and asks the
// reader to predict the next step.
import { attacking, bits, board, figures, h, several, tree } from "./drawing.js";

const SPEED = 120; // ms between steps

export function watching(panel, trace, editor) {
  const { steps, n, masks } = trace;
  const last = steps.length - 1;
  let at = 0;
  let timer = 0;
  let predicts = false;
  let asked = false; // and not answered
  const late = !trace.yields && steps.every(({ solutions }) => !solutions); // its board is not seen
  const score = { right: 0, asked: 0 };

  const seek = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step",
    oninput: () => go(Number(seek.value)) });
  const picture = h("div", { class: "picture" });
  const stack = h("ol", { class: "stack" });
  const variables = h("tbody");
  const grown = h("div", { class: "grown" });
  const told = h("p", { role: "status", class: "told" });
  const question = h("div", { class: "question", role: "group", "aria-label": "Predict", hidden: true });
  const play = h("button", { type: "button", class: "main", onclick: () => (timer ? stop() : start()) }, "Play");
  const button = (text, to) => h("button", { type: "button", onclick: () => go(to()) }, text);
  const next = (test) => {
    const found = steps.findIndex((step, k) => k > at && test(step, steps[k - 1]));
    return found < 0 ? last : found;
  };
  const predict = h("label", { class: "check" }, h("input", { type: "checkbox",
    onchange: ({ target }) => {
      predicts = target.checked;
      go(at);
      if (predicts) askNext();
    } }), " Predict first");
  const stepper = h("button", { type: "button", onclick: forward }, "Step");

  panel.replaceChildren(
    h("div", { class: "stage", onkeydown: pressed }, picture,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Variables" }, h("table", {}, variables)),
      h("div", { class: "control" }, h("div", { class: "buttons" }, button("Start", () => 0), button("Back", () => at - 1), play,
        stepper, button("Next backtrack", () => next((step) => step.back)),
        button("Next solution", () => next((step, before) => step.solutions > before.solutions)),
        button("End", () => last), predict), question, seek, told)),
    h("h3", {}, "Calls"), stack, grown,
    h("p", { class: "small" }, trace.whole ? `The whole search: ${several(steps.length, "line")} run.`
      : `The first ${several(steps.length, "line")}; the search goes on. Choose a smaller board to see the end.`));

  function show() {
    const step = steps[at];
    const solved = step.queens.length === n && !attacking(step.queens).size;
    picture.replaceChildren(board(n, step.queens, { state: solved ? "found" : "" }));
    stack.replaceChildren(...step.stack.map(([name, line]) => h("li", {}, `${name}, line ${line}`)));
    variables.replaceChildren(...step.variables.map(([name, text, mask]) => h("tr", {},
      h("th", { scope: "row" }, name), h("td", {}, h("code", {}, text)),
      h("td", {}, mask === null || !masks.includes(name) ? "" : bits(mask, n)))));
    grown.replaceChildren(...trace.nodes.length ? [tree(trace.nodes, step.made, step.path)] : []);
    seek.value = at;
    told.textContent = `Step ${figures.format(at + 1)} of ${figures.format(steps.length)}, line ${step.line}: `
      + `${several(step.queens.length, "queen")}, ${late ? "its solutions come at its end" : `${several(step.solutions, "solution")} so far`}`
      + `${step.back ? ". A call has ended: the search goes back" : ""}.`;
    editor.mark({ ideas: trace.ideas, line: step.line }, true);
  }

  function go(to) {
    at = Math.max(0, Math.min(to, last));
    asked = false;
    question.hidden = true;
    grown.hidden = variables.hidden = false;
    if (at === last) stop();
    show();
  }

  // The keys of the player of the report; the slider and an answer have their own.
  function pressed(event) {
    const action = { Home: () => go(0), ArrowLeft: () => go(at - 1), ArrowRight: forward, End: () => go(last) }[event.key];
    if (!action || event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    action();
  }

  // One step, but not past a question that is open.
  function forward() {
    if (asked) question.querySelector("[role=status]").textContent = "Answer first, or switch off Predict first.";
    else if (!predicts || !question.hidden || !ask()) go(at + 1);
  }

  function start() {
    if (at === last) at = 0;
    play.textContent = "Pause";
    timer = setInterval(() => (predicts && ask() ? stop() : go(at + 1)), SPEED);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  // Ask what comes next, if the queens on the board tell it: the column of the queen that is placed
  // next, and whether one that was placed is a dead end. The first queen attacks nothing.
  function ask() {
    const step = steps[at];
    const after = steps[at + 1];
    if (!after || !step.queens.length) return false;
    if (after.queens.length > step.queens.length) {
      return pose(`Into which column goes the queen of row ${after.queens.length - 1}?`,
        Array.from({ length: n }, (_, k) => String(k)), String(after.queens.at(-1)));
    }
    if (step.queens.length > 1 && after.path.length > step.path.length) {
      const node = after.path.at(-1);
      if (trace.nodes[node][1] === n) return false; // a solution has no child, either
      const leads = trace.nodes.some(([parent]) => parent === node);
      return trace.whole && pose("The search goes one level down. Is that a dead end, without a child?",
        ["yes", "no"], leads ? "no" : "yes");
    }
    return false;
  }

  function askNext() {
    while (at < last && !ask()) go(at + 1);
  }

  function pose(text, choices, right) {
    const answer = h("p", { role: "status" });
    const judge = (given) => {
      asked = false;
      const good = given === right;
      score.asked += 1;
      score.right += good;
      answer.textContent = `${good ? "Right" : `No: ${right}`}. ${score.right} of ${score.asked} predicted.`;
      answer.className = good ? "ok" : "bad";
      for (const each of question.querySelectorAll("button")) each.disabled = true;
      question.append(h("button", { type: "button", class: "main", onclick: () => {
        go(at + 1);
        if (predicts) askNext();
        (asked ? question.querySelector("button") : stepper).focus({ preventScroll: true });
      } }, "Go on"));
      question.lastChild.focus({ preventScroll: true });
    };
    question.replaceChildren(h("p", {}, text), h("div", { class: "buttons" }, ...choices.map((choice) =>
      h("button", { type: "button", onclick: () => judge(choice) }, choice))), answer);
    asked = true;
    question.hidden = false;
    grown.hidden = variables.hidden = true; // they would tell
    return true;
  }

  go(0);
  stepper.focus({ preventScroll: true });
  return { stop };
}
