"""What searches take: time, steps from brute force to the engine, machines."""

from functools import partial
from statistics import median

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import NOT_SIGNIFICANT, POINT, ratio
from nqbench.analysis.solvers import PLAIN_SOLVER, beside, is_solver
from nqbench.analysis.uncertainty import NOT_KNOWN
from nqbench.problems import SolverKey
from nqbench.report import style
from nqbench.report.drawings import by_size
from nqbench.report.formats import format_first
from nqbench.report.frames import ENGINE, ENOUGH, Frames, at_largest_common, largest_common
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.topics.searches.section import time
from nqbench.util.text import format_justified, format_seconds, plural

FEW = 4  # solvers, of which no plot is offered
ASKED_N = 12  # the header names the fastest at this n, or at the largest measured below it
FACTOR = ["times", "times_low", "times_high"]
RATIOS = [*FACTOR, "verdict"]


def make_time(frames: Frames) -> Part | None:
    """Return the times of the main run; None if no search in it prunes."""
    timings = frames.timings
    if analysis.pruning(timings).empty:
        return None
    found = times(timings)
    made = _facts(found, frames)
    python = made.common.first_in_python
    fastest, slowest = (format_seconds(row["seconds"]) for row in (
        made.common.first if python is None else python, made.slowest))
    where = "" if python is None else " in Python"
    return Part(made, {"times": found}, {
        "time": by_size(partial(time, found), found[found["n"].map(
            found["n"].value_counts()) > FEW]["n"].unique(), made.n)},
                finding=claim(f"At n = {made.n} the fastest search{where} takes {fastest}, the "
                              f"slowest {slowest}" * (fastest != slowest), n=made.n,
                              processes=made.taken.processes))


def _facts(found: pd.DataFrame, frames: Frames) -> Facts:
    """Return the facts of the table of times.

    n: the largest that most pruning algorithms reached; asked, common: the fastest at the n of the
    header, and at that n; largest: the fastest at the largest n; slowest: at n, in Python if any
    is; rows: the table of times there; compared: whether it has ratios; compiled: the algorithms
    with times in Cython; engine: whether the counting engine is among them; points, noisy: the
    number of times, and of those with a warning; startups: the median time of each program for one
    queen, None if it prints its own time.
    """
    n = largest_common(analysis.pruning(found))
    at_n = found[found["n"] == n].sort_values("seconds", kind="stable")
    trees = analysis.pruning(at_n)
    python = at_n[at_n["implementation"] == "python"]
    compared = bool(at_n["times"].notna().any())
    compiled = sorted(set(found[found["implementation"] == "cython"]["algorithm"]))
    return Facts(
        n=n, asked=asked(found, frames.timings), common=fastest(trees, n, frames.timings),
        largest=fastest(found, found["n"].max(), frames.timings),
        slowest=(python if len(python) else at_n).iloc[-1],
        rows=at_n.drop(columns=["n", "loops", "processes", *([] if compared else RATIOS)]),
        compared=compared, compiled=compiled, engine=ENGINE in compiled,
        points=len(found), noisy=int((found["warning"] != "").sum()), taken=frames.taken,
        startups={name: None if "seconds" in each.program else median(each.program["startup"])
                  for name, each in frames.descriptions.items() if each.program})


def times(timings: pd.DataFrame) -> pd.DataFrame:
    """Return by point: seconds (`typical`), low, high (its 95 % interval); how many times as long
    as the plain tree: times, times_low, times_high, verdict; number of samples, loops a sample,
    processes, warning.
    """
    return beside(timings, PLAIN_SOLVER).assign(samples=timings["samples"].map(len))[
        [*POINT, "seconds", "low", "high", *RATIOS, "samples", "loops", "processes", "warning"]]


def asked(found: pd.DataFrame, timings: pd.DataFrame) -> Facts:
    """Return the fastest at n = ASKED_N, or at the nearest n that was measured."""
    n = max(filter(ASKED_N.__ge__, found["n"]), default=found["n"].min())
    return fastest(found, n, timings)


def fastest(found: pd.DataFrame, n: int, timings: pd.DataFrame) -> Facts:
    """Return the fastest at n, and the fastest in Python, None if there is none; each with its lead
    over the next, None if there is no next; leads: those that are known.
    """
    ranked = found[found["n"] == n].sort_values("seconds", kind="stable")
    python = ranked[ranked["implementation"] == "python"]
    leads = [_lead(ranked, timings), _lead(python, timings)]
    return Facts(n=int(n), first=ranked.iloc[0], lead=leads[0],
                 first_in_python=python.iloc[0] if len(python) else None, lead_in_python=leads[1],
                 leads=[lead for lead in leads if lead])


def _lead(rows: pd.DataFrame, timings: pd.DataFrame) -> Facts | None:
    """Return the lead of the first of rows that are sorted by their time; None if it is alone. The
    verdict is corrected for all rows, which are compared with the first.

    times, low, high: how many times as long the second one takes, round by round; doubtful: whether
    chance may explain the difference; single: whether there are too few samples to know; disturbed:
    whether other programs disturbed too many.
    """
    if len(rows) < 2:
        return None
    first, then = rows.iloc[0], rows.iloc[1]
    compared = beside(rows[POINT].merge(timings, on=POINT), tuple(first[POINT[:2]])).iloc[1]
    times, low, high, verdict = compared[RATIOS]
    return Facts(first=first, then=then, times=times, low=low, high=high,
                 doubtful=verdict == NOT_SIGNIFICANT,
                 single=verdict == NOT_KNOWN and pd.isna(low),
                 disturbed=verdict == NOT_KNOWN and pd.notna(low))


STEPS = {
    ("brute_force", "python"): "brute force",
    ("permutations", "python"): "one queen for each row and column",
    ("recursive", "python"): "stop at the first attack",
    ("flat_marks", "python"): "mark the attacked lines",
    ("bitmask", "python"): "lines as bits of a word",
    ("somers", "python"): "half of the board, explicit stack",
}
SOMERS = "Somers' program, compiled"
VECTORS = {"avx512": "sixteen boards at once", "avx2": "eight boards at once",
           "sse4": "four boards at once", "neon": "four boards at once"}
COLUMNS = ["n", "step", "solver", "seconds", "low", "high", *FACTOR]


def make_steps(frames: Frames) -> Part | None:
    """Return the steps of the main run; None if no two in Python were measured at one n.

    steps: those in Python, at the largest n that all were measured at; ideas: from the first to the
    last of them, with those between that were not measured; compiled, engine: the compiled one and
    those of the engine, at others, which may be empty.
    """
    timings = frames.timings
    names = [name for name in STEPS if is_solver(timings, name).any()]
    found = steps(timings, names)
    if len(found) < 2:
        return None
    n, every = int(found["n"].iloc[0]), [*STEPS]
    whole = steps(timings[timings["n"] == n], [names[0], names[-1]]).iloc[-1]
    made = Facts(n=n, ideas=every.index(names[-1]) - every.index(names[0]), steps=found,
                 compiled=steps(timings, [("somers", "python"), ("somers", "cython")]),
                 engine=engine_steps(frames.kernels))
    table = pd.DataFrame([row for each in (found, made.compiled, made.engine)
                          for row in each.to_dict("records")], columns=COLUMNS)
    table = table.drop_duplicates(["n", "solver"])
    return Part(made, {"steps": table}, {"steps": partial(draw_steps, table)},
                finding=claim(steps_finding(made, whole), n=None,  # it names it
                              processes=frames.taken.processes))


def steps_finding(made: Facts, whole: pd.Series) -> str:
    """Return what the ideas save together in Python, and what compiling does; empty if the ideas
    are not significantly faster. `whole` is the last step in Python, compared with the first one.
    """
    if not whole["times_low"] > 1:
        return ""
    more = "".join(
        f"; compiling makes counting {row['n']} queens "
        f"{format_justified(*row[FACTOR])} times as fast"
        for _, row in made.compiled.iterrows() if row["times_low"] > 1)
    return (f"{format_first(made.ideas)} {plural(made.ideas, 'idea makes', 'ideas make')} counting "
            f"{made.n} queens in Python {format_justified(*whole[FACTOR])} times as fast{more}")


def steps(timings: pd.DataFrame, names: list[tuple[str, str]]) -> pd.DataFrame:
    """Return the steps at the largest n that all were measured at, each compared with the previous
    one: COLUMNS. Empty if there is no such n. On a small board a sample repeats so short a search
    that the processor learns its branches.
    """
    sizes = [{*timings[is_solver(timings, name)]["n"]} for name in names]
    n = max(set.intersection(*sizes), default=None) if sizes else None
    points = {(row["algorithm"], row["implementation"]): row
              for row in timings[timings["n"] == n].to_dict("records")}
    rows, before = [], None
    for name in names if points else ():
        row = points[name]
        gain = ratio(before["samples"], row["samples"])[:3] if before else (None,) * 3
        rows.append((n, STEPS.get(name, "compiled"), f"{name[0]} ({name[1]})",
                     row["seconds"], row["low"], row["high"], *gain))
        before = row
    return pd.DataFrame(rows, columns=COLUMNS)


def engine_steps(kernels: pd.DataFrame) -> pd.DataFrame:
    """Return the steps of the engine at its largest n: Somers' program, the ideas of the portable
    kernel, vectors, and threads; the last two are compared with the previous one by the ends of
    both intervals, which are wider than those of a ratio taken round by round.
    """
    rows = kernels[kernels["n"] == kernels["n"].max()].sort_values("ratio").to_dict("records")
    alone = [row for row in rows if row["jobs"] == 1]
    if not alone or alone[0]["kernel"] != "portable":
        return pd.DataFrame(columns=COLUMNS)
    first, best, fastest = alone[0], alone[-1], rows[-1]
    chosen = [(first, "all eight symmetries, two rows ahead")]
    if best is not first:
        chosen.append((best, f"vectors: {VECTORS.get(best['kernel'], 'several boards at once')}"))
    if fastest["jobs"] > 1:
        chosen.append((fastest, f"{fastest['jobs']} threads"))
    found = [(first["n"], SOMERS, "somers (cython)", first["seconds"] * first["ratio"],
              None, None, None, None, None)]
    low, middle, high = 1.0, 1.0, 1.0
    for row, step in chosen:
        found.append((row["n"], step, f"cross ({row['kernel']})", row["seconds"], None, None,
                      row["ratio"] / middle, row["low"] / high, row["high"] / low))
        low, middle, high = row["low"], row["ratio"], row["high"]
    return pd.DataFrame(found, columns=COLUMNS)


def draw_steps(table: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the time of each step, with its factor over the step before, a panel for each n."""
    groups = [rows for _, rows in table.groupby("n")]
    steps = [list(rows["step"]) for rows in groups]
    with style.rows_of_dots(width, *steps) as (made, panels):
        for axes, rows, labels in zip(panels, groups, steps, strict=True):
            texts = ["{}{}".format(format_seconds(row["seconds"]), "" if pd.isna(
                row["times"]) else ", {}x {}".format(
                    format_justified(row["times"], row["times_low"], row["times_high"]),
                    "faster" if row["times"] >= 1 else "as fast"))
                for row in rows.to_dict("records")]
            axes.set(xscale="log", title=f"{rows['n'].iloc[0]} queens",
                     xlim=(table["seconds"].min() / 1.5, table["seconds"].max() * 1.5))
            style.dots(axes, rows, "seconds", labels, style.BLUE, texts=texts,
                       told=rows.drop(columns="step"))
        style.write_times(panels[-1].xaxis)
    return made


# The words for each verdict on a solver.
WORDS = {"faster": "significantly faster", "slower": "significantly slower",
         NOT_SIGNIFICANT: "not significantly faster or slower",
         NOT_KNOWN: "measured in {few}, which allows no verdict",
         "": "measured in samples that other programs disturbed, which allow no verdict"}


def make_baseline(frames: Frames) -> Part | None:
    """Return the solvers of the main run against the baseline of its study; None if it has none
    that was timed, or nothing to compare with it.

    n: the largest that most solvers reached; over: the baseline; shown: the table at n; groups: the
    solvers there by their verdict, in words; costly: those that save nodes and lose time.
    """
    over = analysis.baseline(frames.main)
    if over is None:
        return None
    timings = frames.timings
    found = analysis.against_baseline(timings[timings["n"] >= ENOUGH], frames.counters, over)
    if found.empty:
        return None
    rows = at_largest_common(found).sort_values("ratio", ascending=False, kind="stable")
    key, verdicts = SolverKey(*over), rows["verdict"]
    faster = int((verdicts == "faster").sum())
    unknown = verdicts == NOT_KNOWN
    known, told = int((~unknown).sum()), verdicts.mask(unknown & rows["low"].notna(), "")
    groups = [(words.format(few=frames.taken.few), rows[told == verdict])
              for verdict, words in WORDS.items() if (told == verdict).any()]
    return Part(
        Facts(n=int(rows["n"].iloc[0]), over=key, taken=frames.taken, groups=groups,
              shown=rows.drop(columns="n").dropna(axis="columns", how="all"),
              costly=rows[(rows["nodes"] > 1) & (verdicts == "slower")]),
        {"baseline": found.assign(baseline=str(key))},
        finding=claim(
            f"{faster or 'None'} of {known} {plural(known, 'solver')} "
            f"{'with a verdict ' * (known < len(rows))}{plural(faster or 1, 'is', 'are')} "
            f"significantly faster than {key}", n=None,
            processes=frames.taken.processes if known else 0))


SECTIONS = (
    Section("baseline", "Against the baseline", 15, make_baseline, requires=("timings",),
            timed=True, chapter="How fast"),
    Section("time", "Time", 40, make_time, requires=("timings",), timed=True, chapter="How fast"),
    Section("steps", "From brute force to the engine", 5, make_steps, requires=("timings",),
            timed=True, named=False, chapter="Start"),
)
