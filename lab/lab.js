// The page: the state that its parts share, and what each button does.
import * as address from "./address.js";
import { drawing, guessReplay, guessTree } from "./boards.js";
import { collecting } from "./collecting.js";
import { attacking, board, figures, h, levelBar, several } from "./drawing.js";
import { Python } from "./python.js";
import { EXERCISES, OPENED, RACED, SLOW, STARTER } from "./manifest.js";

const SIX = "six"; // to begin with
const LINK = "link";
const FROM_LINK = "This code comes from a link; your own is kept under Open. ";
const DAMAGED = "This link is damaged, so its code is not known: ask for the link again. Your own code is kept under Open.";
const find = (name) => document.getElementById(name);
// `name` is what is open ("" for the reader's own code) and `given` its text; `home` is what it becomes
// once it is edited: "" or an exercise. `texts` has the reader's own code by home, and `earlier` what
// stood there before.
const state = { name: "", home: "", given: "", code: STARTER, texts: {}, earlier: [], n: 5, rival: "brute_force", board: {},
  ...address.recall() };
const linked = await address.read();
const damaged = linked === null;
const ofLink = damaged ? DAMAGED : FROM_LINK;
if (linked === undefined && state.name === LINK) { // that was another address
  Object.assign(state, { name: "", home: "", code: state.texts[""] ?? STARTER, given: "" });
}
if (damaged) Object.assign(state, { linked: { code: "", home: "" }, name: LINK, home: "", code: "", given: "" });
if (linked) {
  const { code, home = "", n = state.n, rival = state.rival, board: drawn } = linked;
  if (Object.keys(drawn?.squares ?? {}).length) state.board = drawn;
  Object.assign(state, { n, rival, linked: { code, home }, code, home, given: code,
    name: code === state.texts[home] ? home : LINK });
}
let addressed = damaged ? "" : linked?.code; // the code in the address
let editor = { text: state.code, mark() {}, focus() {} };
let shown = { stop() {} }; // what moves now

const status = find("python");
const python = new Python((kind, told) => {
  document.body.dataset.python = kind;
  find("stop").disabled = kind !== "busy";
  if (kind === "loading") status.querySelector("progress").value = told;
  status.querySelector("span").textContent = { loading: "Python is loading", ready: "Python is ready",
    busy: "Python works", failed: `Python cannot be loaded: ${told}` }[kind];
  status.querySelector("progress").hidden = kind !== "loading";
});

// Say what is open.
function tell(text) {
  find("opened").textContent = text;
  find("opened").classList.toggle("bad", text === DAMAGED);
}

// Keep the code. Whatever else was opened and is edited becomes the reader's own; what was there
// before stays in the menu.
function save() {
  const { name, home, given, texts, earlier } = state;
  state.code = editor.text;
  if (name !== home && state.code !== given) {
    const before = texts[home];
    if (before && before !== state.code && before !== STARTER) {
      earlier.unshift({ code: before, home, until: Date.now() });
      tell("Edited, this is your own code; what you had is under Open, \"Your earlier code\".");
    }
    state.name = home;
    list();
  }
  if (state.name === home) texts[home] = state.code;
  if (address.carries() && state.code !== addressed) history.replaceState(null, "", location.pathname + location.search);
  address.keep(state);
}

// Ask Python about the code in the editor; show an error beside its line, and in words.
async function asked(name, ...given) {
  shown.stop();
  save();
  const panel = find("result");
  panel.parentElement.classList.remove("watching");
  const waiting = h("p", {}, "Python is loading …");
  panel.replaceChildren(waiting);
  python.ready.then(() => { waiting.textContent = "Python works …"; }, () => {});
  if (matchMedia("(max-width: 60rem)").matches) panel.scrollIntoView();
  const found = await python.ask(name, ...given);
  const output = found.printed?.length ? [h("h3", {}, "Printed"), h("pre", { tabindex: 0 }, found.printed.join("\n"))] : [];
  if (found.error) {
    const [text, mistake] = found.error.split(`; line ${found.line}: `);
    const where = found.line && !mistake ? `Line ${found.line}: ` : "";
    editor.mark({ error: { line: found.line, text: mistake ?? text } }, true);
    const again = found.fatal ? [h("p", { role: "status" }, "Python starts again.")] : [];
    const called = found.called ? [h("p", {}, `The lab called ${found.called}(n), where n is the number of queens.`)] : [];
    panel.replaceChildren(h("p", { class: "bad verdict", role: "alert" }, where + found.error), ...called, ...again,
      ...found.drawn ? draw(found.drawn) : [], ...output);
    python.ready.then(() => again.forEach((one) => { one.textContent = "Python is ready again."; }), () => {});
    return null;
  }
  editor.mark({});
  const part = h("div", {});
  panel.replaceChildren(part, ...output);
  return { found, part };
}

const draw = ({ kind, placement }) => [
  h("div", { class: "picture" }, board(placement.length, placement, {
    wrong: kind === "wrong" ? attacking(placement) : new Set(), state: kind })),
  h("p", { class: "small" }, kind !== "wrong" ? "A solution that the search loses."
    : attacking(placement).size ? "Found, but its queens attack each other." : "Found, more than once.")];

async function checkExercise(name) {
  const { found, part } = await asked("check_exercise", editor.text, name) ?? {};
  if (found) part.replaceChildren(h("p", { class: `verdict ${found.right ? "ok" : "bad"}` }, found.text));
}

async function check() {
  if (exercise()) return checkExercise(exercise().name);
  const { found, part } = await asked("check_search", editor.text) ?? {};
  if (!found) return undefined;
  const { drawn, by_level: levels } = found;
  const most = Math.max(1, ...levels.map(({ calls, plain }) => Math.max(calls, plain)));
  return part.replaceChildren(
    h("p", { class: `verdict ${found.ok ? "ok" : "bad"}` }, found.ok ? `Right, up to n = ${found.max_n}.` : `Not right: ${found.verdict}.`),
    ...found.faults.map(({ text }) => h("p", {}, text)),
    ...drawn ? draw(drawn) : [],
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Solutions" }, h("table", {}, h("tbody", {},
      h("tr", {}, h("th", { scope: "row" }, "n"), ...found.solutions.map(({ n }) => h("td", {}, String(n)))),
      h("tr", {}, h("th", { scope: "row" }, "found"), ...found.solutions.map(({ expected, got }) =>
        h("td", { class: expected === null || expected === got ? "ok" : "bad" }, figures.format(got)))),
      h("tr", {}, h("th", { scope: "row" }, "published"), ...found.solutions.map(({ expected }) =>
        h("td", {}, expected === null ? "" : figures.format(expected))))))),
    ...levels.length ? [h("h3", {}, `Calls at each level, for ${found.queens} queens`),
      h("p", { class: "small" }, "Pale: the plain tree, which never prunes more than an attacked square."),
      h("div", { class: "bars" }, ...levels.map(({ level, calls, plain }) => levelBar(level, calls, plain, most)))]
      : [h("p", { class: "small" }, "The search does not call itself, so its levels are not seen.")],
    h("p", { class: "small" }, `${found.algorithm} ${found.form || "is decorated"}.`));
}

async function watch() {
  const { found, part } = await asked("watch_search", editor.text, state.n) ?? {};
  if (!found) return;
  const { watching } = await import("./watching.js");
  const workbench = find("result").parentElement;
  workbench.classList.add("watching");
  workbench.style.setProperty("--code", `${find("editor").offsetHeight}px`);
  shown = watching(part, found, editor);
  if (matchMedia("(max-width: 60rem)").matches) workbench.scrollIntoView();
}

async function race() {
  const slow = [state.rival, state.name].find((name) => SLOW[name] < state.n);
  const n = slow ? SLOW[slow] : state.n;
  const note = slow ? [h("p", {}, `${slow} takes too long for ${state.n} queens; the race is for ${n}.`)] : [];
  const answered = asked("race_searches", editor.text, state.rival, n);
  find("result").prepend(...note);
  const { found, part } = await answered ?? {};
  if (!found) return;
  const { racing } = await import("./racing.js");
  shown = racing(part, found);
  part.prepend(...note);
}

const exercise = () => EXERCISES.find(({ name }) => name === state.home);

async function open(name) {
  save();
  const kept = name === LINK ? state.linked : state.earlier.find(({ until }) => String(until) === name);
  const task = EXERCISES.find((one) => one.name === (kept?.home ?? name));
  let ideas = [];
  let told = name === LINK ? ofLink : "";
  let [code, home] = [name ? STARTER : state.texts[""] ?? STARTER, ""];
  if (task) {
    [code, home] = [state.texts[task.name] ?? task.code, task.name];
    told += `Exercise of notebook ${task.notebook}. ${task.task} Replace the dots; then run and check.`;
  } else if (name && name !== SIX && !kept) {
    const found = await python.ask("open_search", name);
    if (found.error) return list();
    ({ text: code, ideas } = found);
    told = `${found.name}: ${found.technique}. The lines of its idea are marked.`;
  }
  code = kept?.code ?? code;
  Object.assign(state, { name, home, given: code });
  editor.text = code;
  editor.mark({ ideas });
  tell(told);
  find("open").value = name;
  return save();
}

function list() {
  const group = (label, options) => (options.length ? [h("optgroup", { label }, ...options)] : []);
  const option = (name, text = name) => h("option", { value: name }, text);
  find("open").replaceChildren(option("", "your own"), ...state.linked ? [option(LINK, "from the link")] : [],
    option(SIX, "six lines to begin with"), ...group("Textbooks", OPENED.map((name) => option(name))),
    ...group("Exercises", EXERCISES.map(({ name }) => option(name))),
    ...group("Your earlier code", state.earlier.map(({ until, home }) =>
      option(until, `${home} until ${new Date(until).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`.trim()))));
  find("open").value = state.name;
}

async function share() {
  save();
  const { code, home, n, rival, board: drawn } = state;
  const url = await address.link({ code, home, n, rival, board: drawn });
  addressed = code;
  history.replaceState(null, "", url);
  find("link").textContent = await navigator.clipboard?.writeText(url).then(() => "The link is copied.",
    () => "The link is in the address bar.") ?? "The link is in the address bar.";
}

// "Try it" in the story: open code, choose the board, and do something.
async function attempt({ open: name, n, race: rival, run, view = "write" }) {
  if (n) state.n = Number(find("n").value = n);
  if (rival) state.rival = find("rival").value = rival;
  find(view).scrollIntoView();
  if (name !== undefined) await open(name);
  if (view === "guess") find("guess-tree").click();
  await { check, watch, race }[run]?.();
}

const download = () => address.offer("my_search.py", editor.text, "text/x-python");
const actions = { check, watch, race, download, share, stop: () => python.stop() };
for (const [name, action] of Object.entries(actions)) find(name).addEventListener("click", action);
for (const button of document.querySelectorAll("[data-try]")) {
  button.addEventListener("click", () => attempt(JSON.parse(button.dataset.try)));
}
find("n").append(...[4, 5, 6, 7, 8].map((n) => h("option", { value: n }, String(n))));
find("n").value = state.n;
find("n").addEventListener("change", ({ target }) => { state.n = Number(target.value); });
find("rival").append(...RACED.map((name) => h("option", { value: name }, name)));
find("rival").value = state.rival;
find("rival").addEventListener("change", ({ target }) => { state.rival = target.value; });
list();
if (state.name === LINK) tell(ofLink);
find("open").addEventListener("change", ({ target }) => open(target.value));
drawing(find("board"), python, state.board, (drawn) => {
  state.board = drawn;
  address.keep(state);
});
collecting(find("collect"), python);
find("guess-tree").addEventListener("click", () => guessTree(find("guess-panel"), python));
find("guess-replay").addEventListener("click", () => guessReplay(find("guess-panel"), python));

import("./editor.js").then(({ edit }) => {
  find("plain").remove();
  editor = edit(find("editor"), state.code, save, check);
  if (address.carries()) find("write").scrollIntoView();
});

addEventListener("storage", () => { // another tab
  const { texts, earlier } = address.recall();
  Object.assign(state, { texts: texts ?? state.texts, earlier: earlier ?? state.earlier });
  list();
});
addEventListener("hashchange", () => address.carries() && location.reload());
python.ready.then(() => "serviceWorker" in navigator && navigator.serviceWorker.register("./sw.js", { type: "module" })
  .then(() => navigator.serviceWorker.ready).then(() => { find("offline").hidden = false; }), () => {});
