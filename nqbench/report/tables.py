"""What the tables of several sections have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import Any

import pandas as pd

from nqbench.analysis import NOT_SIGNIFICANT, Ratio, ratio, verdicts, verdicts_by_n
from nqbench.records.contradictions import WRONG
from nqbench.records.record import SMALL

ENGINE = "cross"  # the algorithm whose compiled implementation is the counting engine


@dataclass(frozen=True)
class Taken:
    """The number of samples of the times, and of their processes."""

    samples: int = 0
    processes: int = 0

    @property
    def few(self) -> str:
        """Why there is no verdict, in words.

        >>> Taken(8, 2).few, Taken(1, 1).few
        ('two processes, too few for an interval', 'a single sample')
        """
        return ("two processes, too few for an interval" if self.processes == 2 else
                "two samples, too few for an interval" if self.samples == 2 else "a single sample")


def taken(rows: pd.DataFrame) -> Taken:
    """Return the least number of samples and of processes of the points in these rows, except for
    the smallest n, which have fewer; 0 without rows.
    """
    usual = rows[rows["n"] > SMALL]
    chosen = usual if len(usual) else rows
    return Taken(*(int(chosen[name].min()) for name in ("samples", "processes"))
                 ) if len(chosen) else Taken()


def taken_of_timings(timings: pd.DataFrame) -> Taken:
    """Return the same for timings, which have the samples themselves."""
    return taken(timings.assign(samples=timings["samples"].map(len)))


def largest_common(found: pd.DataFrame) -> int:
    """Return the largest n that most algorithms reached."""
    sizes = found.groupby("n").size()
    return int(sizes[sizes == sizes.max()].index.max())


def at_largest_common(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of this n."""
    return found[found["n"] == largest_common(found)]


def by_solver(found: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """Return the rows of each algorithm in each implementation, in their order."""
    groups: Any = found.groupby(["algorithm", "implementation"], sort=False)
    return list(groups)


def gained(found: pd.DataFrame, times: str) -> pd.DataFrame:
    """Return rows with a verdict on the ratio of another time to their own, in place of its chance.
    """
    verdicts = verdicts_by_n(found.rename(columns={times: "times"}), "faster", "slower")
    return found.assign(chance=verdicts).rename(columns={"chance": "verdict"})


SECONDS = "seconds, n = "
NEVER = "N"
MARKS = {"failed": "F", "timed out": "T", "out of memory": "M", "left out": "S",
         "not installed": "I", WRONG: "W"}
MEANING = {
    "F": "failed", "T": "timed out: it ran, and was stopped when its time was over",
    "M": "out of memory: it ran, and was stopped as it needed too much",
    "S": "skipped: its predicted time was too long",
    "I": "its package is not installed", "W": "wrong: it takes part in nothing",
    NEVER: "never run at this n",
}


def by_n(outcomes: pd.DataFrame, base: str) -> pd.DataFrame:
    """Return a row for each solver: for each n its seconds (median) or a mark, and how many times
    as long as `base` it took (median, round by round), with "not significant" if the interval of
    this ratio contains 1; before them the geometric mean of these ratios, and its range of n.

    `outcomes` has solver, n, status and samples; solvers keep their order. A geometric mean
    includes all n that both have, so means over different n cannot be compared.
    """
    cells = {(row["solver"], row["n"]): row for row in outcomes.to_dict("records")}
    sizes = sorted(outcomes["n"].unique())
    rows = []
    ratios: dict[int, dict[str, Ratio]] = {}
    for solver in outcomes["solver"].drop_duplicates():
        row: dict[str, Any] = {"solver": solver}
        times: dict[int, float] = {}
        for n in sizes:
            mine, under = cells.get((solver, n)), cells.get((base, n))
            row[seconds_at(n)] = _seconds(mine)
            row[times_at(n)] = ""
            if mine and under and mine["samples"] and under["samples"]:
                found = ratios.setdefault(n, {})[solver] = ratio(mine["samples"], under["samples"])
                row[times_at(n)] = times[n] = found.times
        row["geometric mean"] = geometric_mean(times.values()) if times else ""
        row["over n"] = _sizes(list(times))
        rows.append(row)
    for n, at_n in ratios.items():
        doubtful = _doubtful({solver: one for solver, one in at_n.items() if solver != base})
        for row in rows:
            if row["solver"] in doubtful:
                row[times_at(n)] = f"{row[times_at(n)]:.3g}, {NOT_SIGNIFICANT}"
    pairs = [name for n in sizes for name in (seconds_at(n), times_at(n))]
    return pd.DataFrame(rows, columns=["solver", "geometric mean", "over n", *pairs], dtype=object)


def _doubtful(ratios: Mapping[str, Ratio]) -> set[str]:
    """Return the solvers whose difference from the base at one n is not significant."""
    said = verdicts([one.times for one in ratios.values()], [one.chance for one in ratios.values()])
    return {solver for solver, verdict in zip(ratios, said, strict=True)
            if verdict == NOT_SIGNIFICANT}


def seconds_at(n: int) -> str:
    """Return the name of the column of the times at n."""
    return f"{SECONDS}{n}"


def times_at(n: int) -> str:
    """Return the name of the column of the ratios at n."""
    return f"times, n = {n}"


def _seconds(cell: Mapping[Any, Any] | None) -> float | str:
    if cell is None:
        return NEVER
    return median(cell["samples"]) if cell["samples"] else MARKS[cell["status"]]


def _sizes(known: list[int]) -> str:
    """Return rising numbers in a short text.

    >>> _sizes([4, 5, 6]), _sizes([4, 6]), _sizes([8]), _sizes([])
    ('4 to 6', '4, 6', '8', '')
    """
    if len(known) > 2 and known[-1] - known[0] == len(known) - 1:
        return f"{known[0]} to {known[-1]}"
    return ", ".join(map(str, known))


def shown(table: pd.DataFrame, most: int = 5) -> pd.DataFrame:
    """Return the table with every second n only, counted from the largest that has two ratios, and
    with at most `most` of them.
    """
    sizes = [int(name.removeprefix(SECONDS)) for name in table.columns if name.startswith(SECONDS)]
    compared = [n for n in sizes if (table[times_at(n)] != "").sum() > 1]
    hidden = set(sizes) - set((compared or sizes)[::-2][:most])
    return table.drop(columns=[at(n) for n in sorted(hidden) for at in (seconds_at, times_at)])


def legend(table: pd.DataFrame) -> dict[str, str]:
    """Return the marks that occur in a table, and what they mean."""
    there = {value for value in table.to_numpy().flat if isinstance(value, str)}
    return {mark: meaning for mark, meaning in MEANING.items() if mark in there}
