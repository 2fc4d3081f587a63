"""Check one algorithm, in this process."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic, perf_counter, process_time
from typing import Any

from nqbench.checking.findings import Fault, Findings
from nqbench.checking.on_instances import check_on_instances
from nqbench.checking.placements import (
    OUTLIVES,
    TRACED,
    StopError,
    count_lines,
    describe_saving,
    read_twice,
)
from nqbench.checking.recount import find_loss, recount
from nqbench.errors import BuildError, BuildsDifferError, InvalidValueError
from nqbench.explain.tree import Node
from nqbench.problems import instances
from nqbench.problems.forecast import Forecast
from nqbench.problems.instances.board import squares
from nqbench.problems.plugins import find, find_all
from nqbench.problems.plugins.children import MEMORY, TIME, Child, StoppedError
from nqbench.problems.published import published
from nqbench.problems.queens import PART, Search, Tree, catalogue
from nqbench.search.agreement import compare
from nqbench.search.algorithm import Algorithm
from nqbench.search.board import Columns, Placement, attacks, mirror
from nqbench.search.tally import Tally
from nqbench.util.arguments import require_whole
from nqbench.util.text import describe_error

CHECKED = 9  # queens of the largest board that is searched by default; beyond, totals are checked
SAFETY = 2  # times the predicted seconds of a count must be left
FORECAST = 3  # counts from which the time of the next one is predicted
MOST_IMAGES = 8  # of one placement
RECOUNTED = 7  # larger boards are not recounted from their events, which takes longer


def check(algorithm: str | Algorithm[Any, Any], max_n: int = CHECKED,
          progress: Callable[[str], object] = bool, seconds: float = 0.0) -> Findings:
    """Return what is wrong with an algorithm for queens or for instances of queens, for up to
    `max_n` queens.

    `progress` gets a description of what is done next. In what is left of `seconds`, the totals of
    larger boards are checked, as long as each count is predicted to end in time.

    Raises
    ------
    TypeError, ValueError
        if there is no such algorithm, if it is one of another problem, or if it has no search in
        Python.

    Examples
    --------
    >>> found = check("bitmask", 6)
    >>> found.verdict, found.solutions[-1]
    ('right', (6, 4, 4))
    """
    chosen = find(algorithm, None)
    max_n = require_whole(max_n, "max_n")
    if isinstance(chosen, instances.Search):
        return check_on_instances(chosen, max_n, progress)
    if chosen.problem != "queens":
        raise InvalidValueError(f"{chosen.name} is an algorithm of {chosen.problem}; only those of "
                                "queens and instances are checked")
    if not isinstance(chosen, Search):
        raise InvalidValueError(f"{chosen.name} has no search in Python, which is what is checked")
    findings = Findings(chosen.name, max_n)
    end = perf_counter() + seconds
    try:
        for n in range(min(max_n, chosen.largest_n) + 1):
            progress(f"at n = {n}")
            _check_board(chosen, n, findings)
        _check_totals(chosen, findings, progress, end)
    except StopError as error:
        findings.add(error.fault)
    return findings


def _check_board(algorithm: Search, n: int, findings: Findings) -> None:
    reached, tally = read_twice(partial(algorithm.python.follow, n), partial(algorithm.tally, n),
                                algorithm, n, f"n = {n}", findings, algorithm.finds == PART)
    doubled = [image for columns in reached for image in
               ((columns, mirror(columns)) if algorithm.doubles(n) else (columns,))]
    expected: int | None = published("A000170").get(n) if algorithm.exhaustive else None
    findings.solutions.append((n, expected, len(doubled)))
    if algorithm.finds != PART and not findings.has("wrong", "missing"):
        _check_solutions(algorithm, n, doubled, findings)
    if not findings.has("builds"):
        run, follow = algorithm.python.run, algorithm.python.follow
        try:
            # With what was checked: a search may do something else for those who count it. That of
            # no queens may be a list.
            compare(algorithm.name, f"n = {n}", (lambda: reached) if n else partial(
                follow, n, algorithm.tally(n)),
                    {"plain": partial(run, "plain", n), "bare": partial(run, "bare", n)})
        except (BuildError, BuildsDifferError) as error:
            findings.add(Fault("builds", str(error), n))
    _check_counters(algorithm, n, tally, len(reached), findings)
    profile = published("A319284").get(n)
    if n == findings.max_n and profile and algorithm.tree != Tree.NONE:
        findings.tree = list(zip(profile, tally.levels, strict=True))


def _check_solutions(algorithm: Search, n: int, reached: list[Columns],
                     findings: Findings) -> None:
    """Find the first wrong and the first missing placement."""
    right = set(catalogue()["bitmask"].solutions(n))
    seen: dict[Columns, int] = {}
    for place, columns in enumerate(reached, 1):
        if columns in seen or columns not in right:
            findings.add(_describe_wrong(n, columns, place, seen))
            break
        seen[columns] = place
    missing = sorted(right - set(reached)) if algorithm.exhaustive else []
    if missing:
        prefix, where = find_loss(algorithm, n, missing[0])
        first = Node(n, tuple(enumerate(missing[0]))).label
        findings.add(Fault(
            "missing", f"n = {n}: {len(missing)} of {len(right)} solutions are missing, the first "
            f"is {first}" + (f"; {where}" if where else "") + (
                "; if it leaves out mirror images, say mirrors=True: symmetry is only a text"
                if "mirror" in algorithm.symmetry and not algorithm.doubles(n) else ""), n,
            None if prefix is None else len(prefix), placement=missing[0], prefix=prefix))
    if n and findings.has("wrong", "missing") and algorithm.exhaustive:
        expected, got = (Counter(columns[0] for columns in each) for each in (right, reached))
        findings.first_queen = [(c, expected[c], got[c]) for c in range(n)]


def _describe_wrong(n: int, columns: Columns, place: int, seen: Mapping[Columns, int]) -> Fault:
    queens = tuple(enumerate(columns))
    shown = Node(n, queens).label
    if columns in seen:
        return Fault("wrong", f"n = {n}: solution {place} is solution {seen[columns]} again: "
                     f"{shown}", n, placement=columns)
    (r, _), (s, _) = next((p, q) for q in queens for p in queens[:q[0]] if attacks(p, q))
    return Fault("wrong", f"n = {n}: solution {place}, {shown}, is wrong: the queens of rows "
                 f"{r + 1} and {s + 1} attack each other", n, placement=columns)


def _check_counters(algorithm: Search, n: int, tally: Tally, reached: int,
                    findings: Findings) -> None:
    """Compare the counters with each other, and with a recount."""
    several = algorithm.uses_symmetry and not algorithm.doubles(n)  # images for one placement
    if reached > MOST_IMAGES * tally.visits if several else reached != tally.visits:
        findings.add(Fault(
            "counter", f"n = {n}: tally.solution() was called {tally.visits} times, but "
            f"{reached} placements were yielded", n, n, "visits", reached, tally.visits))
    if algorithm.tree == Tree.NONE:
        return
    if tally.levels[0] != 1:
        findings.add(Fault("counter", f"n = {n}, level 0: the root is counted {tally.levels[0]} "
                           "times, not once", n, 0, "levels", 1, tally.levels[0]))
    if algorithm.exhaustive and (tally.levels[n] < tally.visits if several  # others are images
                                 else tally.levels[n] != tally.visits):
        findings.add(Fault("counter", f"n = {n}, level {n}: levels says {tally.levels[n]} nodes, "
                           f"but {tally.visits} solutions were reached", n, n, "levels",
                           tally.visits, tally.levels[n]))
    if tally.nodes != sum(tally.levels):
        findings.add(Fault("counter", f"n = {n}: nodes is {tally.nodes}, but the levels sum to "
                           f"{sum(tally.levels)}", n, None, "nodes", sum(tally.levels),
                           tally.nodes))
    profile = published("A319284").get(n)
    if algorithm.tree == Tree.PLAIN and algorithm.exhaustive and profile:
        for level, (plain, own) in enumerate(zip(profile, tally.levels, strict=True)):
            if plain != own:
                findings.add(Fault(
                    "counter", f'n = {n}, level {level}: it says tree="plain", but has {own} '
                    f"nodes, not {plain}", n, level, "tree", plain, own))
                break
    if n <= RECOUNTED and not findings.has("counter"):  # others may only follow from it
        for fault in recount(partial(algorithm.follow, n), n, f"n = {n}"):
            findings.add(fault)


def _check_totals(algorithm: Search, findings: Findings, progress: Callable[[str], object],
                  end: float) -> None:
    """Compare the totals of each implementation with the published ones, or with ours; those of
    larger boards if nothing is wrong, as long as there is time.
    """
    searched = {n: own if right is None else right for n, right, own in findings.solutions}
    larger = published("A000170").up_to(algorithm.largest_n) if (
        algorithm.exhaustive and findings.ok) else ()
    forecast, able = Forecast(), dict(algorithm.implementations)
    findings.implementations = {name: -1 for name in able if name != "python"}
    for n, right in sorted({**dict(larger), **searched}.items()):
        for name, implementation in [*able.items()]:
            left = end - perf_counter()
            if n > implementation.largest_n or (
                    n not in searched and (
                        not findings.ok or SAFETY * forecast.predict(name, n) > left)):
                del able[name]
            elif name != "python" or (left > 0 and n > findings.max_n - FORECAST):
                progress(f"at n = {n} of {name}")
                start = perf_counter()
                fault = _check_total(algorithm, name, n, right, findings)
                forecast.add(name, n, perf_counter() - start)
                if fault:
                    findings.add(fault)
                    del able[name]
                elif name != "python":
                    findings.implementations[name] = n
                elif n not in searched:
                    findings.solutions.append((n, right, right))


def _check_total(algorithm: Search, name: str, n: int, right: int,
                 findings: Findings) -> Fault | None:
    """Return what is wrong with the total of an implementation. Call it twice, unless it was read
    twice; warn if the second call does far less.
    """
    outside = name != "python"
    place, lines, seconds = f"{f'{name}, ' * outside}n = {n}", [], []
    for again in range(1 + outside):
        start = process_time()
        try:
            with count_lines(outside and n in TRACED) as ran:
                got = algorithm.implementations[name].count(n) * (1 + algorithm.doubles(n))
        except Exception as error:
            return Fault("implementation" if outside else "raises",
                         f"{place}: {describe_error(error.__cause__ or error)}", n, counter=name)
        if got != right:
            return Fault(
                "implementation" if outside else "missing" if got < right else "wrong",
                f"{place}: {'in a second call, ' * again}it counts {got:,} solutions, not "
                f"{right:,}{f'; {OUTLIVES}' * again}", n, None, name, right, got)
        seconds.append(process_time() - start)
        lines.append(len(ran))
    saving = outside and describe_saving(lines, seconds, "call")
    if saving and not any(text.startswith(f"{name}, ") for text in findings.warnings):
        findings.warnings.append(f"{place}: {saving}")
    return None


def draw(fault: Fault) -> str:
    """Return the placement of a fault as a drawing.

    >>> print(draw(Fault("wrong", "", placement=(1, 3, 0, 2))))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    if fault.instance is None:
        return Placement(fault.placement or ()).drawing()
    return "\n".join(" ".join(row) for row in squares(instances.parse(fault.instance),
                                                      fault.placement))


def check_in_child(notation: str, max_n: int | None, limit: float) -> list[dict[str, Any]]:
    """Return the findings about each algorithm that a notation names, see `Findings.as_dict`.

    If there is no `max_n`, totals of larger boards are checked as far as the limit allows. An
    algorithm that is not finished after `limit` seconds in all has a fault of kind "time".

    Raises
    ------
    InvalidValueError
        if there is no such algorithm, or if its file cannot be loaded.
    """
    found: list[dict[str, Any]] = []
    name, doing = notation, "while loading"

    def hear(told: tuple[str, Any]) -> None:
        nonlocal name, doing
        name, said = told
        if isinstance(said, str):
            doing = said
        else:
            found.append(said)

    try:
        with Child() as child:
            child.call(_check, notation, max_n, limit, seconds=limit, hear=hear)
        return found
    except StoppedError as error:
        fault = (f"it is not finished after {limit:g} s: it was stopped {doing}"
                 if error.outcome == TIME else f"it was {error}, {doing}"
                 if error.outcome == MEMORY else f"{error} {doing}")
    return [*found, _unfinished(name, fault)]


def _unfinished(name: str, text: str) -> dict[str, Any]:
    from nqbench.checking.findings import Fault, Findings

    return Findings(name, 0, faults=[Fault("time", text)]).as_dict()


def _check(notation: str, max_n: int | None, limit: float, tell: Any) -> None:
    """Check, and tell what is done and found."""
    end = monotonic() + limit
    algorithms = [*find_all(notation, None)]
    for place, algorithm in enumerate(algorithms):
        # Each takes the same part of what is left.
        seconds = (end - monotonic()) / (len(algorithms) - place) if max_n is None else 0.0
        found = check(algorithm, CHECKED if max_n is None else max_n,
                      partial(_tell, tell, algorithm.name), seconds)
        tell((algorithm.name, found.as_dict()))


def _tell(tell: Any, name: str, doing: str) -> None:
    tell((name, doing))
