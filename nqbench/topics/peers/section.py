"""The peers beside the searches of nqbench: times, and how many times slower than the cross.

    records = nqbench.analysis.load("results")
    section = nqbench.topics.peers.section
    section.against_peers(section.latest_peers(records))
"""

from functools import partial
from math import inf

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import POINT, figures, newest_run
from nqbench.analysis.solvers import beside
from nqbench.problems.plugins.limits import ENDED, STOPPED
from nqbench.report import style
from nqbench.report.drawings import named
from nqbench.report.frames import Frames, largest_common, taken
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.topics.peers.measurement import BASELINE, IN_PYTHON, OWN
from nqbench.util.text import format_justified

COMPARED_N = 8  # a run that reached this n is preferred
_FIGURES = ["seconds", "low", "high", "times", "times_low", "times_high"]
_HEAD = ["peer", "package", "version", "n", "status"]
_COLUMNS = [*_HEAD, *_FIGURES, "verdict", "samples", "processes", "warning", "solutions", "fault"]
LOOK = {
    "cross (Cython)": (style.look_of("cross")[0], "*", "--"),
    "bitmask (Cython)": ("#7f7f7f", "s", "--"), "bitmask (Python)": ("#1b1b1b", "X", "-"),
    "CP-SAT": ("#d55e00", "o", "-"), "python-sat": ("#cc79a7", "D", "-"),
    "clingo": ("#0072b2", "^", "-"), "exact-cover": ("#009e73", "v", "-"),
    "dlx-cython": ("#117733", "<", "-"), "numba": ("#e69f00", "P", "-"),
}


def latest_peers(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the records of one run of the preset `peers`: the run that measured the most peers at
    n = COMPARED_N, the newest of equals; only of `machine`, if it is given.
    """
    found = records[records["metric"] == "peer"]
    if machine is not None:
        found = found[found["machine"] == machine]
    compared = (found["n"] == COMPARED_N) & (found["status"] == "measured")
    many = compared.groupby([found["machine"], found["run"]]).transform("sum")
    return newest_run(found.assign(many=many), found, first=("many",)).reset_index(drop=True)


def against_peers(run: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each peer and n of a run: peer, package, version, n, status, seconds
    low, high (its 95 % interval), times (how many times as long as `BASELINE`, round by round),
    times_low, times_high, verdict (against it), samples and processes (how many), warning,
    solutions (what it counted), fault (why it failed or was stopped).

    A wrong count is a failure, and the other times of that peer are "wrong". A peer that was not
    measured or is wrong has no figures.
    """
    measured = run[run["status"] == "measured"]
    measured = measured.assign(algorithm=measured["peer"], implementation="")
    timed = beside(figures(measured.reindex(columns=[*POINT, "samples", "loops", "disturbed"])),
                   (BASELINE, ""))
    found = run[[*_HEAD, "processes", "solutions", "fault"]].join(
        timed[[*_FIGURES, "verdict", "warning"]].assign(samples=timed["samples"].map(len)))
    return found.fillna({"samples": 0, "verdict": "", "warning": ""}).infer_objects().astype(
        dict.fromkeys(_FIGURES, float) | {"samples": int, "solutions": "Int64"})[_COLUMNS]


def peers(found: pd.DataFrame) -> Figure:
    """Draw seconds for all solutions against n: with its 95 % interval."""
    measured = found[found["status"] == "measured"]
    with style.figure(7.2, 4.2) as (made, (axes,)):
        for name, rows in measured.groupby("peer", sort=False):
            peer = str(name)
            style.line(axes, [named(*OWN.get(peer, (peer,)))], style.plain(peer),
                       LOOK.get(peer) or (*style.foreign(peer), "-"),
                       rows[["n", "seconds", "low", "high"]], "n", "seconds", 0.18)
        axes.set(title="Counting all solutions, one thread each", yscale="log",
                 ylabel=f"time for all solutions\n{style.INTERVAL}")
        style.write_times(axes.yaxis)
        # Lines end at different n, close together: labels at their ends would cross them.
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        style.sizes(axes, measured["n"])
    return made


def make_peers(frames: Frames) -> Part | None:
    """Return the peers of this machine; None without them."""
    run = latest_peers(frames.records, frames.machine["machine"])
    found = against_peers(run)
    if found.empty:
        return None
    measured = (found["status"] == "measured").any()
    made = _facts(found)
    return Part(made, {"peers": found},
                {"peers": partial(peers, found)} if measured else {}, run,
                claim(peers_finding(made), n=made.n, processes=made.taken.processes))


def peers_finding(facts: Facts) -> str:
    """Return how much slower the fastest other package is; empty if it is not significantly slower.
    """
    if facts.nearest is None or not facts.nearest["times_low"] > 1:
        return ""
    times = format_justified(*facts.nearest[["times", "times_low", "times_high"]])
    return f"At n = {facts.n} the fastest other package takes {times} times as long as the engine"


def _facts(found: pd.DataFrame) -> Facts:
    """Return the facts of the table of peers.

    n: where most were measured; a peer that failed does not affect it; seconds: the time of the
    baseline there; nearest, farthest: the fastest and the slowest of the others, whose number is
    `others`; slower_than_python: how many of these are slower than our search in Python; absent,
    ended: those that are not installed, and those that failed or timed out; table: that for n.
    """
    measured = found[found["status"] == "measured"]
    ended = found[found["status"].isin([*STOPPED, ENDED])].drop_duplicates("peer")
    sound = measured[~measured["peer"].isin(ended[ended["status"] == ENDED]["peer"])]
    absent = list(found[found["status"] == "not installed"]["peer"].unique())
    n = largest_common(sound) if len(sound) else 0
    there = found[(found["n"] == n) & ~found["peer"].isin(absent)].sort_values(
        "seconds", kind="stable")
    others = there[(there["package"] != "nqbench") & there["times"].notna()]
    reached = measured.groupby("peer")["n"].max()
    in_python = there.set_index("peer")["high"].get(IN_PYTHON, inf)
    return Facts(
        n=n, baseline=BASELINE, seconds=there.set_index("peer")["seconds"].get(BASELINE),
        nearest=others.iloc[0] if len(others) else None,
        farthest=others.iloc[-1] if len(others) else None,
        others=len(others), slower_than_python=int((others["low"] > in_python).sum()),
        absent=absent, ended=ended.to_dict("records"), taken=taken(measured),
        table=there.drop(columns=["package", "n", "samples", "processes", "solutions",
                                  "fault"]).assign(to_n=there["peer"].map(reached)))


SECTIONS = (
    Section("peers", "The peers", 140, make_peers, timed=True, names_run=True,
            chapter="How fast"),
)
