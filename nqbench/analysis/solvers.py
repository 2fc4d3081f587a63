"""How the solvers of a run differ: ratios of their times, what each pruning idea saves and at what
cost, and effects of parameters.

    records = nqbench.analysis.latest(nqbench.analysis.load("results"))
    counters, timings = nqbench.analysis.counters(records), nqbench.analysis.timings(records)
    nqbench.analysis.gains(counters, timings)

A study with a baseline compares all others with it:

    over = nqbench.analysis.baseline(records)
    nqbench.analysis.against_baseline(timings, counters, over)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import exp, factorial, hypot, nan
from typing import Any

import numpy as np
import pandas as pd

from nqbench.analysis import frames
from nqbench.analysis.frames import POINT, measured, pruning
from nqbench.analysis.uncertainty import Ratio, interval, ratio, typical, units, verdicts_of
from nqbench.problems.plugins.parcels import remove_mark
from nqbench.records import record
from nqbench.search.algorithm import write_values
from nqbench.search.estimates import Quantity, quantities, ratio_of_runs

Names = tuple[str, str]  # of a solver: algorithm, implementation

PLAIN_SOLVER: Names = (record.PLAIN_SEARCH, "python")  # the fastest of the plain tree in Python


def ratios(timings: pd.DataFrame, over: Names | None = None,
           under: Names | None = None) -> pd.DataFrame:
    """Return the time of a solver at the same n, `over` that of each point or `under` it, with the
    index of the timings: times, low, high, chance; NaN where the solver was not timed.
    """
    known = timings[is_solver(timings, over or under)].set_index("n")["samples"].to_dict()
    sides = [(known.get(n), own) if over else (own, known.get(n))
             for n, own in zip(timings["n"], timings["samples"], strict=True)]
    return pd.DataFrame([ratio(*pair)[:4] if all(pair) else [nan] * 4 for pair in sides],
                        timings.index, columns=Ratio._fields[:4], dtype=float)


def beside(timings: pd.DataFrame, solver: Names) -> pd.DataFrame:
    """Return timings beside those of a solver at the same n, with how many times as long: times,
    times_low, times_high, verdict, which is empty for the solver itself and where it was not timed;
    and the chance of the ratio.
    """
    found = timings.copy()
    found[["times", "times_low", "times_high", "chance"]] = ratios(timings, under=solver)
    others = found["times"].notna() & ~is_solver(found, solver)
    return found.assign(verdict=verdicts_of(found[others])).fillna({"verdict": ""})


def is_solver(rows: pd.DataFrame, solver: Names | None) -> "pd.Series[bool]":
    """Return which rows are of this algorithm in this implementation."""
    return pd.Series([key == solver for key in zip(
        rows["algorithm"], rows["implementation"], strict=True)], rows.index, bool)


def gained(found: pd.DataFrame) -> pd.DataFrame:
    """Return rows with `times`, those of another time over their own, as `ratio`, and with the
    verdict on it in place of its chance.
    """
    return found.assign(chance=verdicts_of(found, "faster", "slower")).rename(
        columns={"times": "ratio", "chance": "verdict"})


def kernels(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Compare the kernels of the counting engine with compiled `somers`, from the newest study that
    has both, only of `machine`, if it is given: n, kernel, jobs, seconds, ratio (how many
    times faster), low, high, verdict, samples and processes (how many), warning.
    """
    timed = frames.figures(measured(frames.latest(records, machine, about="engine"), "seconds"))
    timed = timed.drop(columns=["low", "high"]).join(ratios(timed, ("somers", "cython")))
    found = timed[(timed["algorithm"] == "cross") & timed["times"].notna()]
    found = gained(found.assign(samples=found["samples"].map(len)))
    return found[["n", "kernel", "jobs", "seconds", "ratio", "low", "high", "verdict", "samples",
                  "processes", "warning"]].infer_objects().reset_index(drop=True)


def baseline(records: pd.DataFrame) -> Names | None:
    """Return the baseline that the study of these records names, NAME or NAME@IMPLEMENTATION, if
    it was timed: algorithm and implementation; without one, Python or the first that was measured.
    """
    named = frames.study(records).get("baseline")
    timed = measured(records, "seconds")
    solvers = list(dict.fromkeys(zip(timed["algorithm"], timed["implementation"], strict=True)))
    fitting = [(name, way) for name, way in solvers if named in (name, f"{name}@{way}")]
    return min(fitting, key=lambda solver: solver[1] != "python", default=None)


def against_baseline(timings: pd.DataFrame, counters: pd.DataFrame, over: Names) -> pd.DataFrame:
    """Compare the solvers with a baseline, for each n that both have: POINT, ratio (the time of the
    baseline divided by that of the solver, round by round), low, high, verdict, and nodes (the same
    ratio for the nodes; missing unless both have counted the nodes of a tree).

    Above 1 is a gain: the solver is faster, or has fewer nodes.
    """
    found = timings[POINT].join(ratios(timings, over))[~is_solver(timings, over)]
    found = gained(found.dropna(subset="times"))
    nodes = {(*point,): nodes for *point, nodes in zip(
        *(counters[name] for name in [*POINT, "nodes"]), strict=True)
        if nodes is not None and nodes > 1}  # without a tree there is only the root
    found["nodes"] = [nodes[*over, n] / nodes[name, way, n]
                      if {(*over, n), (name, way, n)} <= nodes.keys() else None
                      for name, way, n in zip(*(found[name] for name in POINT), strict=True)]
    return found.astype({"nodes": float}).reset_index(drop=True)


def survival(profiles: pd.DataFrame) -> pd.DataFrame:
    """Return how each level leads to the next: POINT, level, nodes, dead_ends, children (the nodes
    of the next level for each node of this one) and dead_share (the share of the level's nodes that
    are dead ends; missing where they were not counted by level).
    """
    found = pruning(profiles).reset_index(drop=True).copy()
    nodes = found["nodes"].astype(float)
    below = nodes.groupby([found[name] for name in POINT], sort=False).shift(-1)
    found["children"] = (below / nodes).where(nodes > 0)
    found["dead_share"] = (found["dead_ends"].astype(float) / nodes).where(nodes > 0)
    return found


def gains(counters: pd.DataFrame, timings: pd.DataFrame,
          plain: Names = PLAIN_SOLVER) -> pd.DataFrame:
    """Return what each solver gains: POINT, leaves (n^n over its nodes), permutations (n!
    over its nodes), nodes (those of `plain` over its own) and time, low, high (the time
    of `plain` over its own, round by round) with its verdict; leaves_time and
    permutations_time, the time of `brute_force` and of `permutations` over its own, where these
    were timed.

    Above 1 is a gain. An idea with nodes above 1 and time below saves nodes and loses time.
    """
    both = counters.merge(timings[[*POINT, "samples"]], on=POINT)
    plain_nodes = both[is_solver(both, plain)].set_index("n")["nodes"].to_dict()
    found = pruning(both.join(ratios(both, plain)).assign(
        leaves_time=ratios(both, ("brute_force", "python"))["times"],
        permutations_time=ratios(both, ("permutations", "python"))["times"]))
    found = found[found["times"].notna() & found["nodes"].astype(bool)]
    trees = list(zip(found["n"], found["nodes"], strict=True))
    found = found.assign(
        leaves=[n**n / nodes for n, nodes in trees],
        permutations=[factorial(n) / nodes for n, nodes in trees],
        nodes=[plain_nodes[n] / nodes for n, nodes in trees],
        verdict=verdicts_of(found[~is_solver(found, plain)], above="faster", below="slower"))
    return found.rename(columns={"times": "time"}).fillna({"verdict": ""})[[
        *POINT, "leaves", "permutations", "nodes", "time", "low", "high", "verdict", "leaves_time",
        "permutations_time"]].reset_index(drop=True)


def estimated_gains(records: pd.DataFrame, plain: str = record.PLAIN_SEARCH) -> pd.DataFrame:
    """Return what each search in Python gains on boards that are too large to search, by its
    estimated tree: algorithm, implementation, n, nodes, nodes_low, nodes_high, time, low, high (the
    estimates of `plain` over its own, with 95 % intervals), probes.

    The intervals of nodes are those of runs that visit the same nodes; those of the time are of the
    logarithm, by the standard errors of both. Of several estimates, the one from the most probes
    counts, the newest of equals; both searches are of one run.
    """
    found = measured(records, "tree")
    known = {(row["run"], row["n"], row["algorithm"]): row["samples"][0]
             for row in found.to_dict("records")}
    rows = []
    for row in frames.most_sampled(found, ["algorithm", "n"], "probes").to_dict("records"):
        base, own = known.get((row["run"], row["n"], plain)), row["samples"][0]
        if base is None or row["algorithm"] == plain:
            continue
        fewer = ratio_of_runs(base["runs"], own["runs"])
        (over, error), (mean, own_error) = base["seconds"], own["seconds"]
        wide = exp(base["reach"] * hypot(error / over, own_error / mean))
        rows.append((row["algorithm"], row["implementation"], row["n"], fewer.mean,
                     *fewer.interval, over / mean, over / mean / wide, over / mean * wide,
                     row["probes"]))
    return pd.DataFrame(rows, columns=["algorithm", "implementation", "n", "nodes", "nodes_low",
                                       "nodes_high", "time", "low", "high", "probes"])


def varied(records: pd.DataFrame) -> pd.DataFrame:
    """Return the records of the newest run that measured variants of an algorithm, which differ in
    their parameters; none if there is none.
    """
    known = records.reindex(columns=["parameters"])["parameters"].map(lambda one: isinstance(
        one, dict)).astype(bool)
    found = records[known & (records["status"] == "measured")]
    bases: Any = found["algorithm"].map(_base)
    several = found.groupby(["run", "machine", bases])["algorithm"].transform("nunique") > 1
    return frames.newest_run(found[several.astype(bool)], records)


def _base(name: str) -> str:
    """Return the name of an algorithm without the values of its parameters."""
    return remove_mark(name).partition(":")[0]


def effects(records: pd.DataFrame) -> pd.DataFrame:
    """Return the effects of the parameters of algorithms in the newest run that varied some, on
    the nodes and on the time of a search.

    An effect is the factor by which a value of a parameter multiplies the nodes or the time of the
    first value that the study names: the ratio of the geometric means over all values of the other
    parameters. An interaction is the factor by which a value of one parameter multiplies the effect
    of a value of another; 1 is none. Both are differences of logarithms (Box, Hunter and Hunter,
    Statistics for Experimenters, 2nd edition, 2005, chapter 5). They compare with the first value,
    the idea left out, and not with a mean of all values, so a parameter may have more than two; an
    interaction is not halved, so that it is a factor of what is measured.

    They come from the least-squares fit of the logarithms at each n with all effects and
    interactions, each value of a parameter weighted alike (Searle, Speed and Milliken, Population
    marginal means in the linear model, 1980); their means over all n are shown, so n is a block.
    Only the n at which all variants were measured are used, and of these only those above 4, if
    there are some. Two parameters whose values were not all combined have no interaction; what
    the variants do not determine is left out.

    The interval of a time is that of `nqbench.analysis.uncertainty`: the effects are fitted in each
    process, in which all variants take turns. Of nodes, low and high are the range of the effects
    from n to n, which `effects_by_size` has.

    Parameters
    ----------
    records
        those of `load`, or of one run.

    Returns
    -------
    pandas.DataFrame
        algorithm, implementation, metric ("nodes" or "seconds"), kind ("effect" or "interaction"),
        term (as "depth=2", or "depth=2,order=fewest"), against (the first values), factor, low,
        high, first_n, last_n (the smallest and the largest n). It is empty if no run varied
        parameters.
    """
    run = varied(records)
    points = pd.concat([measured(run, each) for each in ("seconds", "ladder")])
    rows: list[tuple[Any, ...]] = []
    for base, way, own, names, terms in _designs(points):
        sizes, logarithms = _logarithms(own, names)
        for *words, weights in terms if sizes else ():
            each = np.exp(np.tensordot(logarithms, weights, (1, 0)).mean(axis=0)).tolist()
            rows.append((base, way, "seconds", *words, typical(each), *interval(each), sizes[0],
                         sizes[-1]))
    words = ["algorithm", "implementation", "kind", "term", "against"]
    by_term: Any = effects_by_size(records).groupby(words, sort=False)
    for (base, way, *named), own in by_term:
        rows.append((base, way, "nodes", *named, exp(np.log(own["factor"]).mean()),
                     own["factor"].min(), own["factor"].max(), own["n"].min(), own["n"].max()))
    return pd.DataFrame(rows, columns=[*words[:2], "metric", *words[2:], "factor", "low", "high",
                                       "first_n", "last_n"])


def effects_by_size(records: pd.DataFrame) -> pd.DataFrame:
    """Return the effects on the nodes at each n: algorithm, implementation, kind, term, against, n,
    factor, low, high, per_queen.

    Where all variants were searched, they are exact, and low and high are missing. Else they come
    from estimated trees, whose runs visit the same nodes (`estimate_together`), with the 95 %
    interval of these runs. `per_queen` is the factor by which an effect becomes larger with each
    queen, from the first n to the last one: 1 if it is a factor whatever n.
    """
    run = varied(records)
    counted: dict[str, Callable[[Any], list[float]]] = {
        "nodes": lambda row: row["samples"], "tree": lambda row: row["samples"][0]["runs"],
        "ladder": lambda row: [row["counters"]["nodes"]]}
    rows: list[tuple[Any, ...]] = []
    for base, way, own, names, terms in _designs(measured(run, *counted)):
        known: dict[bool, dict[int, dict[str, list[float]]]] = {True: {}, False: {}}  # estimated?
        for row in own.to_dict("records"):
            known[row["metric"] == "tree"].setdefault(row["n"], {})[row["algorithm"]] = (
                counted[row["metric"]](row))
        whole = {n: [cells[name] for name in names] for estimated in (True, False)
                 for n, cells in known[estimated].items() if len(cells) == len(names)}
        sizes = [n for n in sorted(whole) if n > record.SMALL] or sorted(whole)
        for *words, weights in terms if sizes else ():
            found = []
            for n in sizes:
                runs = np.array(whole[n], float)
                means = runs.mean(axis=1)
                factor = float(np.exp(weights @ np.log(means)))
                (off,) = quantities((weights @ (runs.T / means - 1).T)[:, None]) if len(
                    runs[0]) > 1 else (Quantity(nan, nan),)
                found.append((n, factor, *(factor * np.exp(off.interval))))
            wide = sizes[-1] - sizes[0]
            slope = (found[-1][1] / found[0][1]) ** (1 / wide) if wide else nan
            rows += [(base, way, *words, *each, slope) for each in found]
    return pd.DataFrame(rows, columns=[
        "algorithm", "implementation", "kind", "term", "against", "n", "factor", "low", "high",
        "per_queen"])


def _designs(points: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame, list[str], Any]]:
    """Yield for each algorithm whose parameters were varied: its name, its implementation, its
    points, the names of its variants, and what they determine.
    """
    points = points.dropna(subset="parameters")
    groups: Any = points.groupby([points["algorithm"].map(_base), "implementation"], sort=False)
    for (base, way), own in groups:
        given = dict(zip(own["algorithm"], own["parameters"], strict=True))
        yield base, way, own, [*given], list(_contrasts(list(given.values())))


def _contrasts(cells: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str, Any]]:
    """Yield kind, term and against of each effect and interaction that these variants determine,
    and what each variant weighs in it.
    """
    levels = {name: list(dict.fromkeys(cell[name] for cell in cells)) for name in cells[0]}
    levels = {name: values for name, values in levels.items() if len(values) > 1}
    pairs = [(a, b) for a, b in combinations(levels, 2) if len(
        {(cell[a], cell[b]) for cell in cells}) == len(levels[a]) * len(levels[b])]

    def row(chosen: Mapping[str, Any]) -> Any:
        """Return the row of the design; what is not chosen has all its values, weighted alike."""
        shares = {name: np.array([value == chosen[name] if name in chosen else 1 / len(values)
                                  for value in values], float) for name, values in levels.items()}
        return np.concatenate([[1.0], *shares.values(), *(
            np.outer(shares[a], shares[b]).ravel() for a, b in pairs)])

    design = np.array([row(cell) for cell in cells])
    inverse = np.linalg.pinv(design)
    for names in [*((name,) for name in levels), *pairs]:
        first = {name: levels[name][0] for name in names}
        for values in product(*(levels[name][1:] for name in names)):
            chosen = dict(zip(names, values, strict=True))
            contrast = sum((-1) ** (len(names) - many) * row({**first, **dict(some)})
                           for many in range(len(names) + 1)
                           for some in combinations(chosen.items(), many))
            if np.allclose(contrast @ inverse @ design, contrast):
                yield ("interaction" if len(names) > 1 else "effect", write_values(chosen),
                       write_values(first), contrast @ inverse)


def _logarithms(points: pd.DataFrame, names: Sequence[str]) -> tuple[list[int], Any]:
    """Return the n at which all of these were measured, and the logarithms of the samples by n,
    name and process.
    """
    known = {(name, n): units(samples) for name, n, samples in zip(
        points["algorithm"], points["n"], points["samples"], strict=True)}
    sizes = [n for n in sorted(set(points["n"])) if all((name, n) in known for name in names)]
    sizes = [n for n in sizes if n > record.SMALL] or sizes  # others have one round
    found = [[known[name, n] for name in names] for n in sizes]
    many = min((len(each) for row in found for each in row), default=0)
    return sizes, np.log(np.array([[each[:many] for each in row] for row in found], float))
