// The player: chooses recordings, one or two that race, and moves them on one clock, which counts
// steps, or the tests or nodes of each search. A lane shows one search.
"use strict";

(() => {
  const { attackers, inflated, label, momentAt, path, replayed, timeAt, told } = replaying;
  const { board, counters, figures, levels, tree, written } = drawing;
  const PUZZLES = typeof puzzling === "undefined" ? null : puzzling; // on pages that have some
  const LONGEST_FRAME = 250; // ms; a page that slept does not jump ahead
  const QUIET = 600; // ms without a change before a screen reader is told
  const UNITS = { step: "step", tests: "test", nodes: "node" }; // of the clock
  const USUAL = 3; // the default speed of one search, as a power of two: 8 steps a second
  const RACE = 20; // seconds that a race takes, about, at its default speed

  const data = JSON.parse(document.getElementById("recordings").textContent);
  const named = (prefix) => (name) => document.getElementById(`${prefix}-${name}`);
  const find = named("watch");
  const lanes = [find, named("rival")];
  const [player, heard, seek] = ["player", "heard", "seek"].map(find);
  const several = (count, noun) => `${figures.format(count)} ${noun}${count === 1 ? "" : "s"}`;

  function words(racer) {
    const { search, recording, lane } = racer;
    const end = recording.whole ? "The search is over."
      : "The recording ends here; the search continues.";
    return (moment, queens, from) => {
      const [placed, what] = search.givens ? ["", moment && PUZZLES.told(search, moment)]
        : [`${label(search, queens)}  `, search.jumps ? jumping.told(search, moment)
          : told(search, moment, from)];
      racer.text = moment === 0 ? `${placed}before the first step`
        : `${placed}${what}${moment === search.last ? `. ${end}` : ""}`;
      lane("line").textContent = moment === 0 ? racer.text : `step ${moment}  ${racer.text}`;
    };
  }

  let silence = 0;
  function quietly(say) {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!playing) heard.textContent = say();
    }, QUIET);
  }

  const play = player.querySelector("[data-do=play]");
  let racers = []; // one or two: the search of a lane, and what draws it
  let clock = "step";
  let end = 0; // of the clock
  let now = 0;
  let playing = 0; // the frame asked for
  let choice = 0; // a recording that comes late, after another choice, is dropped

  // What stands on the board of a search at a moment.
  function state(search, moment) {
    const nodes = search.levels ? path(search, moment) : [];
    const queens = search.placed?.[moment] ?? nodes.map((node) => search.nodes[node].square);
    return [moment, queens, search.jumps ? jumping.attackers(search, moment)
      : attackers(search, moment, queens), nodes];
  }

  function show(time) {
    now = Math.max(0, Math.min(time, end));
    const over = racers.length > 1 && now === end;
    for (const racer of racers) {
      const { search, views } = racer;
      racer.moment = momentAt(search, clock, now);
      for (const view of views) view(...state(search, racer.moment));
      const found = search.solutions.indexOf(search.solutions[racer.moment]);
      if (over && found > 0) views[0](...state(search, found)); // the last solution
    }
    find("winner").textContent = over ? result() : "";
    const place = `${UNITS[clock]} ${now} of ${end}`;
    seek.value = now;
    seek.setAttribute("aria-valuetext", place);
    quietly(() => `${place.charAt(0).toUpperCase()}${place.slice(1)}: ${racers.map(summary)
      .join(" ")}`);
  }

  function result() {
    const [one, other] = racers.map(({ algorithm, recording, search }) => ({
      name: algorithm.name, whole: recording.whole, at: timeAt(search, clock, search.last) }))
      .sort((a, b) => a.at - b.at);
    if (!one.whole) return "";
    const score = `${figures.format(one.at)} : ${figures.format(other.at)} ${UNITS[clock]}s`;
    return one.at < other.at ? `${one.name} wins, ${score}` : `A draw, ${score}`;
  }

  function summary({ algorithm, search, moment, text }) {
    return `${racers.length > 1 ? `${algorithm.name}, step ${moment}: ` : ""}${text}; `
      + `${several(search.tests[moment], "test")}, ${several(search.solutions[moment], "solution")}.`;
  }

  function pause() {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "Play";
  }

  function go(time) {
    pause();
    show(time);
  }

  function start() {
    if (now === end) now = 0;
    let before = performance.now();
    let due = 1; // the first step at once
    const frame = (time) => {
      const speed = 2 ** find("speed").value;
      due += speed * Math.max(0, Math.min(time - before, LONGEST_FRAME)) / 1000;
      before = time;
      if (due >= 1) show(now + Math.floor(due));
      due %= 1;
      if (now < end) playing = requestAnimationFrame(frame);
      else go(now);
    };
    play.textContent = "Pause";
    playing = requestAnimationFrame(frame);
  }

  // The boards to choose from: the whole ones, and the instances. The recording of an algorithm for
  // a board is the one at its place.
  const boards = [
    ...data.sizes.map((n, at) => ({ value: String(n), algorithms: data.algorithms, at })),
    ...data.instances.map(({ text, algorithms }) => ({ value: text, text, algorithms, at: 0 })),
    ...data.puzzles.map(({ name, algorithms }) => ({ value: name, algorithms, at: 0 }))];

  function noted({ algorithms, at, text }, { algorithm, recording, search }) {
    const same = algorithms.filter((other) => other !== algorithm
      && other.recordings[at] === algorithm.recordings[at]).map((other) => other.name);
    const steps = figures.format(search.last);
    return [...text ? [`Its text is ${text}; rows and columns count from 0.`] : [],
      `${algorithm.technique.charAt(0).toUpperCase()}${algorithm.technique.slice(1)}.`,
      recording.whole ? `The whole search, ${steps} steps.`
        : `The first ${steps} steps are recorded; the search is longer.`,
      ...algorithm.symmetry === null ? []
        : [`It uses symmetry (${algorithm.symmetry}): each solution stands for its images, too.`],
      ...same.length ? [`${recording.whole ? "The same steps" : "The same steps as far as recorded"}: `
        + `${same.join(", ")}.`] : []].join(" ");
  }

  // Let the reader choose among these algorithms; the names stay if they are among them.
  let offered = [];
  function offer(algorithms) {
    if (offered === algorithms) return;
    const names = algorithms.map(({ name }, k) => [k, name]);
    for (const lane of lanes) {
      const select = lane("algorithm");
      const before = offered[select.value]?.name;
      const nobody = lane === find ? [] : [["", "nobody"]];
      select.replaceChildren(...[...nobody, ...names].map(([value, name]) =>
        written("option", { value }, name)));
      const kept = algorithms.findIndex(({ name }) => name === before);
      select.value = kept < 0 ? nobody.length ? "" : 0 : kept;
    }
    offered = algorithms;
  }

  // A lane with its search, as soon as the recording is unpacked.
  async function entered(lane, chosen) {
    const algorithm = chosen.algorithms[lane("algorithm").value];
    const recording = data.recordings[algorithm.recordings[chosen.at]];
    const codes = await inflated(recording.codes);
    const search = recording.givens ? PUZZLES.replayed(recording.givens, codes)
      : recording.jumps ? jumping.replayed(recording.n, codes)
      : replayed(recording.n, codes, recording.instance ?? {}, recording.rules);
    return { lane, algorithm, recording, search, moment: 0 };
  }

  async function choose() {
    const mine = ++choice;
    player.setAttribute("aria-busy", "true");
    const chosen = boards.find(({ value }) => value === find("n").value);
    offer(chosen.algorithms);
    const taken = lanes.filter((lane) => lane("algorithm").value !== "");
    const entries = await Promise.all(taken.map((lane) => entered(lane, chosen)));
    if (mine !== choice) return;
    pause();
    racers = entries;
    const racing = racers.length > 1;
    player.classList.toggle("race", racing);
    for (const name of ["lane", "note"]) lanes[1](name).hidden = !racing;
    for (const name of ["by", "tracks"]) find(name).hidden = !racing;
    if (!racing) find("clock").value = "step";
    for (const racer of racers) {
      const { lane, algorithm, search } = racer;
      const note = noted(chosen, racer);
      lane("name").hidden = !racing;
      lane("name").textContent = algorithm.name;
      lane("note").replaceChildren(...racing ? [written("b", {}, algorithm.name), `: ${note}`]
        : [note]);
      lane("lane").classList.toggle("flat", !search.levels);
      racer.views = [search.givens ? PUZZLES.board(search, lane) : board(search, lane),
        ...search.levels ? [levels(search, lane), tree(search, lane)] : [],
        counters(search, lane), words(racer)];
    }
    wind();
    player.setAttribute("aria-busy", "false");
  }

  // Set the clock to the start of what the reader chose to count.
  function wind() {
    clock = find("clock").value;
    end = Math.max(...racers.map(({ search }) => timeAt(search, clock, search.last)));
    seek.max = end;
    find("last").textContent = figures.format(end);
    find("unit").textContent = UNITS[clock].charAt(0).toUpperCase() + UNITS[clock].slice(1);
    for (const racer of racers) racer.views = racer.views.filter((view) => !view.track);
    find("tracks").replaceChildren(...racers.length > 1 ? racers.map(track) : []);
    pace();
    go(0);
  }

  // Set the speed, unless the reader has chosen one: a race comes to its end while a class watches.
  let paced = false;
  function pace() {
    if (!paced) {
      find("speed").value = racers.length > 1 ? Math.round(Math.log2(end / RACE)) : USUAL;
    }
    spoken();
  }

  // How far a racer is on its way, with its first solution and its finish.
  function track(racer) {
    const { algorithm, recording, search } = racer;
    const finish = timeAt(search, clock, search.last);
    const first = search.first < 0 ? null : timeAt(search, clock, search.first);
    const share = (time) => `${(100 * time / Math.max(1, end)).toFixed(2)}%`;
    const done = written("span", { class: "done" });
    const marks = [...first === null ? [] : [written("span", { class: "first",
      style: `left: ${share(first)}` })], written("span", {
      class: recording.whole ? "finish" : "finish cut", style: `left: ${share(finish)}` })];
    const at = (time) => several(time, UNITS[clock]);
    const found = first === null ? "No solution" : `First solution after ${at(first)}`;
    const over = recording.whole ? `finish after ${at(finish)}`
      : `recorded up to ${at(finish)}, where the search continues`;
    const row = written("li", {}, written("b", {}, algorithm.name),
      written("span", { class: "track", "aria-hidden": "true" }, done, ...marks),
      written("span", { class: "files" }, written("span", { class: "solution" }, found),
        `; ${over}.`));
    const view = () => {
      done.style.width = share(Math.min(now, finish));
      row.className = now >= finish ? "over" : "";
    };
    view.track = true;
    racer.views.push(view);
    return row;
  }

  const actions = {
    start: () => go(0),
    back: () => go(now - 1),
    play: () => (playing ? go(now) : start()),
    step: () => go(now + 1),
    end: () => go(end),
  };
  const keys = { Home: "start", ArrowLeft: "back", " ": "play", ArrowRight: "step", End: "end" };

  function pressed(event) {
    const action = keys[event.key];
    const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const own = !player.contains(event.target) ? "a, button, input, select, summary"
      : event.key === " " ? "button, select" : "input, select"; // keys of their own there
    if (!action || modified || event.target.matches(own)) return;
    event.preventDefault();
    actions[action]();
  }

  function lasting(seconds) {
    return seconds < 100 ? several(Math.ceil(seconds), "second")
      : several(Math.round(seconds / 60), "minute");
  }

  function spoken() {
    const speed = 2 ** find("speed").value;
    const text = `${several(speed, UNITS[clock])} a second, ${lasting(end / speed)} in all`;
    find("speed").setAttribute("aria-valuetext", text);
    find("pace").textContent = text;
  }

  function begin() {
    const groups = [["Whole boards", data.sizes.map((n) => [n, String(n)])],
      ["Instances", data.instances.map(({ name, text }) => [text, name])],
      ["Puzzles", data.puzzles.map(({ name }) => [name, name])]];
    player.classList.toggle("puzzles", data.puzzles.length > 0);
    find("n").append(...groups.filter(([, options]) => options.length).map(([name, options]) =>
      written("optgroup", { label: name }, ...options.map(([value, text]) =>
        written("option", { value }, text)))));
    find("n").value = data.start.board;
    offer(boards.find(({ value }) => value === find("n").value).algorithms);
    lanes.forEach((lane, k) => {
      const at = offered.findIndex(({ name }) => name === data.start.algorithms[k]);
      if (at >= 0) lane("algorithm").value = at;
      lane("algorithm").addEventListener("change", choose);
    });
    find("n").addEventListener("change", choose);
    find("clock").addEventListener("change", wind);
    for (const button of player.querySelectorAll("[data-do]")) {
      button.addEventListener("click", actions[button.dataset.do]);
    }
    seek.addEventListener("input", () => go(Number(seek.value)));
    find("speed").addEventListener("input", () => {
      paced = true;
      spoken();
    });
    // On a page that only plays, the keys work wherever the focus is, and the first board moves.
    const alone = "alone" in player.dataset;
    (alone ? document : player).addEventListener("keydown", pressed);
    return choose().then(() => {
      const moves = alone && !matchMedia("(prefers-reduced-motion: reduce)").matches;
      go(moves ? 0 : data.start.step);
      if (moves) start();
    });
  }

  // Without a way to undo deflate the still picture stays.
  if (typeof DecompressionStream !== "undefined") {
    begin().then(() => document.getElementById("watch").classList.add("moving"));
  }
})();
