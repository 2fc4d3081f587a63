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
from nqbench.report.drawings import by_size
from nqbench.report.frames import Frames, largest_common, taken
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.topics.peers.measurement import BASELINE, IN_PYTHON, OWN
from nqbench.util.text import format_justified

FEW = 4  # peers, of which no plot is offered
COMPARED_N = 8  # a run that reached this n is preferred
_FIGURES = ["seconds", "low", "high", "times", "times_low", "times_high"]
_HEAD = ["peer", "package", "version", "n", "status"]
_COLUMNS = [*_HEAD, *_FIGURES, "verdict", "samples", "processes", "warning", "solutions", "fault"]


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


def peers(found: pd.DataFrame, n: int, width: float = style.WIDE) -> Figure:
    """Draw the seconds of each peer for all solutions of n queens, with their 95 % interval."""
    solvers = [OWN.get(peer, (peer, "")) for peer in found["peer"]]
    return style.ranking_of_times(found.assign(
        algorithm=[name for name, _ in solvers], implementation=[way for _, way in solvers],
        colour=[style.BLUE if peer == BASELINE else style.GREY if peer in OWN else style.ORANGE
                for peer in found["peer"]]), n, width)


def make_peers(frames: Frames) -> Part | None:
    """Return the peers of this machine; None without them.

    n: where most were measured; a peer that failed does not affect it; nearest, farthest: the
    fastest and the slowest of the others, whose number is `others`; slower_than_python: how many of
    these are slower than our search in Python; absent, ended: those that are not installed, and
    those that failed or timed out; table: that for n.
    """
    run = latest_peers(frames.records, frames.machine["machine"])
    found = against_peers(run)
    if found.empty:
        return None
    measured = found[found["status"] == "measured"]
    ended = found[found["status"].isin([*STOPPED, ENDED])].drop_duplicates("peer")
    sound = measured[~measured["peer"].isin(ended[ended["status"] == ENDED]["peer"])]
    absent = list(found[found["status"] == "not installed"]["peer"].unique())
    n = largest_common(sound) if len(sound) else 0
    there = found[(found["n"] == n) & ~found["peer"].isin(absent)].sort_values(
        "seconds", kind="stable")
    others = there[(there["package"] != "nqbench") & there["times"].notna()]
    in_python = there.set_index("peer")["high"].get(IN_PYTHON, inf)
    table = there.drop(columns=["package", "n", "samples", "processes", "solutions", "fault"])
    made = Facts(
        n=n, nearest=others.iloc[0] if len(others) else None,
        farthest=others.iloc[-1] if len(others) else None,
        others=len(others), slower_than_python=int((others["low"] > in_python).sum()),
        absent=absent, ended=ended.to_dict("records"), taken=taken(measured),
        table=table.assign(to_n=there["peer"].map(measured.groupby("peer")["n"].max())))
    sizes = measured["n"]
    return Part(made, {"peers": found},
                {"peers": by_size(
                    partial(peers, found), sizes[sizes.map(sizes.value_counts()) > FEW], n)
                 } if len(sizes) else {}, run,
                claim(peers_finding(made), n=n, processes=made.taken.processes))


def peers_finding(facts: Facts) -> str:
    """Return how much slower the fastest other package is; empty if it is not significantly slower.
    """
    if facts.nearest is None or not facts.nearest["times_low"] > 1:
        return ""
    times = format_justified(*facts.nearest[["times", "times_low", "times_high"]])
    return f"At n = {facts.n} the fastest other package takes {times} times as long as the engine"


SECTIONS = (
    Section("peers", "The peers", 140, make_peers, timed=True, names_run=True,
            chapter="How fast"),
)
