"""Several machines side by side, each against its own baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench.analysis import POINT, ratio
from nqbench.analysis.savings import PLAIN
from nqbench.report import style
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import largest_common

RATIOS = ["times", "low", "high"]


@dataclass(frozen=True)
class Facts:
    """The n of the rows shown, the baseline, the contexts of the machines by their names, and the
    rows: a solver each, with its ratios on each machine.
    """

    n: int
    baseline: str
    machines: dict[str, dict[Any, Any]]
    rows: pd.DataFrame


def build(frames: Frames) -> Part | None:
    """Return the ratios to the baseline on each machine; None unless several machines have ratios.
    """
    known = {_name(context): context for context, _ in frames.machines}
    found = pd.concat([_ratios(_name(context), timings) for context, timings in frames.machines]
                      or [pd.DataFrame(columns=["machine"])])
    if found["machine"].nunique() < 2:
        return None
    n = largest_common(found)
    shown = list(dict.fromkeys(found["machine"]))
    return Part(Facts(n, style.solver(*PLAIN), {name: known[name] for name in shown},
                      _beside(found[found["n"] == n], shown)), {"machines": found})


def _name(context: Mapping[Any, Any]) -> str:
    """Return the name of a machine in this section: two machines may have the same label."""
    label, machine = context.get("label"), context["machine"]
    return f"{label} ({machine})" if label else str(machine)


def _ratios(machine: str, timings: pd.DataFrame) -> pd.DataFrame:
    """Return the time of each point as a multiple of the baseline's on the same machine."""
    base = {point[2]: samples for *point, samples in zip(
        *(timings[name] for name in [*POINT, "samples"]), strict=True) if (*point[:2],) == PLAIN}
    rows = [(machine, *point, *ratio(samples, base[point[2]])[:3]) for *point, samples in zip(
        *(timings[name] for name in [*POINT, "samples"]), strict=True)
        if point[2] in base and (*point[:2],) != PLAIN]
    return pd.DataFrame(rows, columns=["machine", *POINT, *RATIOS])


def _beside(found: pd.DataFrame, machines: list[str]) -> pd.DataFrame:
    """Return a row for each solver, with its ratio and the interval for each machine."""
    named = found.assign(solver=list(map(
        style.solver, found["algorithm"], found["implementation"])))
    rows = pd.DataFrame({"solver": named["solver"].drop_duplicates()})
    for machine in machines:
        own = named[named["machine"] == machine].set_index("solver")[RATIOS]
        for name in RATIOS:
            column = machine if name == "times" else f"{machine}, {name}"
            rows[column] = rows["solver"].map(own[name])
    return rows


SECTION = Section("machines", "Machines", 195, build, requires=("timings",), timed=True,
                  chapter="How fast")
