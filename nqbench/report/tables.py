"""The tables: tidy frames in, DataFrames out, each with the columns its page shows."""

from math import nan
from typing import Any

import pandas as pd

from nqbench._text import spaced
from nqbench.algorithms import Search, catalogue
from nqbench.analysis import POINT, SERIES, pruning, ratios, verdicts, verdicts_by_n
from nqbench.analysis import ratio as round_by_round
from nqbench.analysis.ratios import Solver
from nqbench.analysis.savings import PLAIN
from nqbench.estimation import ENOUGH
from nqbench.records.names import BASELINE, SMALL
from nqbench.reference import ERRATA
from nqbench.report.by_n import by_n
from nqbench.report.style import solver
from nqbench.report.totals import WrongTotal

# A search without mirror and its counterpart with it.
MIRROR_PAIRS = (
    (("bitmask", "python"), ("bitmask_even_mirror", "python")),
    (("flat_marks", "python"), ("marks_mirror", "python")),
    (("bitmask", "python"), ("somers", "python")),
    (("bitmask", "cython"), ("somers", "cython")),
)


def algorithms() -> pd.DataFrame:
    """The catalogue: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": a.name, "year": "" if a.year is None else str(a.year),
        "technique": a.technique, "symmetry": a.symmetry,
        "implementations": ", ".join(a.implementations), "origin": a.origin,
    } for a in catalogue().values()])


def times(timings: pd.DataFrame, base: Solver = PLAIN) -> pd.DataFrame:
    """Seconds by point: median, low, high; how many times as long as `base`: times, times_low,
    times_high, verdict; number of samples, loops a sample, processes, warning.
    """
    found = timings[[*POINT, "median", "low", "high"]].rename(columns={"median": "seconds"})
    under = {point[2]: samples for *point, samples in zip(
        *(timings[c] for c in [*POINT, "samples"]), strict=True) if (*point[:2],) == base}
    against = [round_by_round(samples, under[n]) if n in under else (nan,) * 4
               for n, samples in zip(timings["n"], timings["samples"], strict=True)]
    found[["times", "times_low", "times_high", "chance"]] = pd.DataFrame(
        against, index=found.index, columns=["times", "times_low", "times_high", "chance"])
    others = found["times"].notna() & (
        (found["algorithm"] != base[0]) | (found["implementation"] != base[1]))
    found["verdict"] = verdicts_by_n(found[others])
    found = found.drop(columns="chance").fillna({"verdict": ""})
    found["samples"] = [len(samples) for samples in timings["samples"]]
    return found.join(timings[["loops", "processes", "warning"]])


def taken(rows: pd.DataFrame) -> dict[str, int]:
    """Return how many samples, and of how many processes, the points of these rows have: the
    least, those of the smallest n aside, which have fewer; 0 without rows.
    """
    usual = rows[rows["n"] > SMALL]
    chosen = usual if len(usual) else rows
    return {name: int(chosen[name].min()) if len(chosen) else 0
            for name in ("samples", "processes")}


def times_by_n(outcomes: pd.DataFrame, first: int) -> pd.DataFrame:
    """Solvers by n from `first` on, against the plain tree; see `nqbench.report.by_n`."""
    rows = outcomes[outcomes["n"] >= first]
    return by_n(rows.assign(solver=list(map(solver, rows["algorithm"], rows["implementation"]))),
                solver(*PLAIN))


def peers_by_n(run: pd.DataFrame, peers: pd.DataFrame) -> pd.DataFrame:
    """The peers by n, against `cross`; `run` has their records, in the order of `peers`."""
    samples = [found if status == "measured" else []
               for found, status in zip(run["samples"], peers["status"], strict=True)]
    return by_n(pd.DataFrame({"solver": peers["peer"], "n": peers["n"], "status": peers["status"],
                              "samples": samples}), BASELINE)


def rates(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Nodes per second (median, low, high) at the largest n of each pruning solver."""
    both = pruning(counters.merge(timings, on=POINT))
    both = both.sort_values("n").groupby(["algorithm", "implementation"], sort=False).tail(1)
    nodes = both["nodes"].astype(float)
    found = both[[*POINT, "nodes"]].copy()
    found["nodes_per_second"] = nodes / both["median"]
    found["low"] = nodes / both["high"]
    found["high"] = nodes / both["low"]
    return found.sort_values("nodes_per_second", ascending=False).reset_index(drop=True)


def against_cython(timings: pd.DataFrame) -> pd.DataFrame:
    """Time in Python over time in Cython: algorithm, n, ratio, low, high, verdict."""
    found = pd.concat([
        ratios(timings, (name, "python"), (name, "cython")).assign(algorithm=name)
        for name, a in catalogue().items() if isinstance(a, Search) and a.core
    ])[["algorithm", "n", "ratio", "low", "high", "chance"]].reset_index(drop=True)
    return _gained(found, "ratio")


def _gained(found: pd.DataFrame, times: str) -> pd.DataFrame:
    """Return rows with the verdict on another time over their own in the place of its chance."""
    verdicts = verdicts_by_n(found.rename(columns={times: "times"}), "faster", "slower")
    return found.assign(chance=verdicts).rename(columns={"chance": "verdict"})


def mirror_gains(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Nodes and time without the mirror over those with it, for n >= 4: plain, mirrored,
    implementation, n, nodes, time, time_low, time_high, verdict.
    """
    nodes = counters.set_index(POINT)["nodes"].to_dict()
    rows = [
        {"plain": plain[0], "mirrored": mirrored[0], "implementation": plain[1], "n": n,
         "nodes": nodes[*plain, n] / nodes[*mirrored, n],
         "time": time, "time_low": low, "time_high": high, "chance": chance}
        for plain, mirrored in MIRROR_PAIRS
        for n, time, low, high, chance, *_ in ratios(timings, plain, mirrored).to_numpy()
        if n >= 4 and {(*plain, n), (*mirrored, n)} <= set(nodes)
    ]
    found = pd.DataFrame(rows, columns=["plain", "mirrored", "implementation", "n", "nodes",
                                        "time", "time_low", "time_high", "chance"])
    return _gained(found.astype({"n": int}), "time")


def largest(gains: pd.DataFrame) -> pd.DataFrame:
    """The rows of mirror gains at the largest n of each pair at which it mirrors."""
    mirrored = gains[gains["nodes"] > 1]
    return mirrored.groupby(["plain", "mirrored", "implementation"], sort=False).tail(1)


def largest_common(found: pd.DataFrame) -> int:
    """The largest n at which most algorithms are there."""
    sizes = found.groupby("n").size()
    return int(sizes[sizes == sizes.max()].index.max())


def fastest(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, Any]:
    """The first of rows of one n by their time, and how far it leads; both in Python, too."""
    ranked = rows.sort_values("seconds", kind="stable")
    python = ranked[ranked["implementation"] == "python"]
    return {"first": ranked.iloc[0], "lead": _lead(ranked, timings),
            "first_in_python": python.iloc[0] if len(python) else None,
            "lead_in_python": _lead(python, timings)}


def _lead(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, Any] | None:
    """Return the first of rows that are sorted by their time, and the one after it: how many times
    as long that takes, round by round; None if there is none. All others are compared with the
    first.
    """
    if len(rows) < 2:
        return None
    samples = timings.set_index(POINT)["samples"]
    first, then = rows.iloc[0], rows.iloc[1]
    behind = [round_by_round(samples[(*one[POINT],)], samples[(*first[POINT],)])
              for _, one in rows.iloc[1:].iterrows()]
    said = verdicts([one.times for one in behind], [one.chance for one in behind])
    return {"first": first, "then": then, "times": behind[0].times, "low": behind[0].low,
            "high": behind[0].high, "verdict": said[0]}


# Ways to use the symmetry of the board, each in Python: what it leaves out, and who does so.
SYMMETRIES = {
    "none": "bitmask", "mirror, even n only": "bitmask_even_mirror", "mirror": "somers",
    "all eight, compared at the leaf": "canonical", "all eight, by the cross": "cross",
}


def symmetry(gains: pd.DataFrame) -> pd.DataFrame:
    """What each use of symmetry gains against none: symmetry, algorithm, n, nodes, time, low,
    high, verdict, as in `nqbench.analysis.gains`.
    """
    in_python = gains[gains["implementation"] == "python"]
    found = [in_python[in_python["algorithm"] == name].assign(symmetry=what)
             for what, name in SYMMETRIES.items()]
    return pd.concat(found)[["symmetry", "algorithm", "n", "nodes", "time", "low", "high",
                             "verdict"]]


def extrapolation(estimates: pd.DataFrame, law: pd.DataFrame) -> pd.DataFrame:
    """Q(n) beyond what is known: n, by (probes of a method, if enough of them came to a solution,
    or the law), solutions, low, high, and how far these are from `solutions`, in per cent.
    """
    beyond = estimates[(estimates["quantity"] == "solutions") & estimates["known"].isna()
                       & (estimates["reached"] >= ENOUGH)]
    probed = beyond.rename(columns={"method": "by", "mean": "solutions"})
    found = pd.concat([probed, law.assign(by="the law, fitted")])
    found = found[["n", "by", "solutions", "low", "high"]]
    found["percent"] = 100 * (found["high"] - found["low"]) / (2 * found["solutions"])
    return found.sort_values("n", kind="stable").reset_index(drop=True)


def levels(profiles: pd.DataFrame, n: int) -> pd.DataFrame:
    """Nodes by level for one n: a row an algorithm that prunes, a column a level."""
    chosen = pruning(profiles[profiles["n"] == n])
    wide = chosen.drop_duplicates(["algorithm", "level"]).pivot_table(
        index="algorithm", columns="level", values="nodes", aggfunc="first", sort=False)
    wide.columns = [f"level {level}" for level in wide.columns]
    return wide.reset_index()


def verification(checks: pd.DataFrame, wrong: list[WrongTotal]) -> pd.DataFrame:
    """Published values against ours: sequence, n, published, computed, status, solvers (how many),
    answered_by; first what is `wrong`, with the solver, then the checks that are not.
    """
    right = checks[checks["status"] != "differs"]
    rows = [(one.sequence, one.n, one.expected, one.actual, "differs",
             len(one.solvers), ", ".join(one.solvers))
            for one in wrong]
    rows += [(check["sequence"], check["n"], spaced(check["expected"]), spaced(check["got"]),
              check["status"], len(check["answered_by"]), ", ".join(check["answered_by"]))
             for check in right.to_dict("records")]
    return pd.DataFrame(rows, columns=["sequence", "n", "published", "computed", "status",
                                       "solvers", "answered_by"])


def history(rows: pd.DataFrame) -> pd.DataFrame:
    """What asv measured: a row a series, a column a commit, oldest first. Where there is no
    value it says why: failed, not available, or never run.
    """
    cells = rows.assign(
        commit=rows["commit"].str[:8],
        value=rows["value"].where(rows["status"] == "measured", rows["status"]))
    commits = list(cells["commit"].drop_duplicates())
    wide = cells.pivot_table(index=[*SERIES, "unit"], columns="commit", values="value",
                             aggfunc="last", sort=False)
    return wide.reindex(columns=commits).astype(object).fillna("never run").reset_index()


def errata() -> pd.DataFrame:
    """The faults of the published listings."""
    return pd.DataFrame([{"listing": e.listing, "fault": e.fault, "shown": e.shown,
                          "right": e.right} for e in ERRATA])
