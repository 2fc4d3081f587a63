"""The tables: tidy frames in, DataFrames out, each with the columns its page shows."""

import pandas as pd

from nqbench.algorithms import Search, catalogue
from nqbench.analysis import POINT, SERIES, pruning, ratios
from nqbench.probing import ENOUGH
from nqbench.reference import ERRATA

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


def times(timings: pd.DataFrame) -> pd.DataFrame:
    """Seconds by point: median, lowest, highest, number of samples, loops a sample."""
    found = timings[[*POINT, "median", "low", "high", "loops"]].copy()
    found.insert(6, "samples", [len(s) for s in timings["samples"]])
    return found.rename(columns={"median": "seconds", "low": "fastest", "high": "slowest"})


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
    """Time in Python over time in Cython: algorithm, n, ratio, low, high."""
    return pd.concat([
        ratios(timings, (name, "python"), (name, "cython")).assign(algorithm=name)
        for name, a in catalogue().items() if isinstance(a, Search) and a.core
    ])[["algorithm", "n", "ratio", "low", "high"]].reset_index(drop=True)


def mirror_gains(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Nodes and time without the mirror over those with it, for n >= 4: plain, mirrored,
    implementation, n, nodes, time, time_low, time_high.
    """
    nodes = counters.set_index(POINT)["nodes"].to_dict()
    rows = [
        {"plain": plain[0], "mirrored": mirrored[0], "implementation": plain[1], "n": n,
         "nodes": nodes[*plain, n] / nodes[*mirrored, n],
         "time": time, "time_low": low, "time_high": high}
        for plain, mirrored in MIRROR_PAIRS
        for n, time, low, high, *_ in ratios(timings, plain, mirrored).to_numpy()
        if n >= 4
    ]
    found = pd.DataFrame(rows, columns=["plain", "mirrored", "implementation", "n", "nodes",
                                        "time", "time_low", "time_high"])
    return found.astype({"n": int})


# Ways to use the symmetry of the board, each in Python: what it leaves out, and who does so.
SYMMETRIES = {
    "none": "bitmask", "mirror, even n only": "bitmask_even_mirror", "mirror": "somers",
    "all eight, compared at the leaf": "canonical", "all eight, by the cross": "cross",
}


def symmetry(gains: pd.DataFrame) -> pd.DataFrame:
    """What each use of symmetry gains against none: symmetry, algorithm, n, nodes, time, low,
    high, as in `nqbench.analysis.gains`.
    """
    in_python = gains[gains["implementation"] == "python"]
    found = [in_python[in_python["algorithm"] == name].assign(symmetry=what)
             for what, name in SYMMETRIES.items()]
    return pd.concat(found)[["symmetry", "algorithm", "n", "nodes", "time", "low", "high"]]


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


def verification(checks: pd.DataFrame) -> pd.DataFrame:
    """Published values against ours: sequence, n, published, computed, status, answered by."""
    def text(value: object) -> str:
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)

    return pd.DataFrame({
        "sequence": checks["sequence"], "n": checks["n"],
        "published": checks["expected"].map(text),
        "computed": ["" if g is None else text(g) for g in checks["got"]],
        "status": checks["status"],
        "solvers": [len(a) for a in checks["answered_by"]],
        "answered_by": [", ".join(a) for a in checks["answered_by"]],
    })


def history(rows: pd.DataFrame) -> pd.DataFrame:
    """What asv measured: a row a series, a column a commit, oldest first. Where there is no
    value it says why, and nothing where it was never run.
    """
    cells = rows.assign(
        commit=rows["commit"].str[:8],
        value=rows["value"].where(rows["status"] == "measured", rows["status"]))
    commits = list(cells["commit"].drop_duplicates())
    wide = cells.pivot_table(index=[*SERIES, "unit"], columns="commit", values="value",
                             aggfunc="last", sort=False)
    return wide.reindex(columns=commits).astype(object).fillna("").reset_index()


def errata() -> pd.DataFrame:
    """The faults of the published listings."""
    return pd.DataFrame([{"listing": e.listing, "fault": e.fault, "shown": e.shown,
                          "right": e.right} for e in ERRATA])
