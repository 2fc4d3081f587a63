"""How often do identical studies contradict each other? Repeat a study, and print the share of
pairs of 95 % intervals of one point that do not overlap.

    python research/intervals/repeat.py --studies 12

Each study is a separate command. If the times differed only by chance and the intervals were exact,
0.6 % of the pairs would not overlap. The studies are stored in a folder; the same command continues
there.
"""

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import click
import pandas as pd

from nqbench import analysis
from nqbench.records.context import context
from nqbench.records.runs import read_quietly
from nqbench.topics.sudoku.section import rates_of_solvers


def repeat(studies: int, preset: str, budget: float, processes: int, folder: Path) -> None:
    """Run studies until the folder has `studies` of them."""
    while (done := len(read_quietly(folder))) < studies:
        print(f"study {done + 1} of {studies}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "nqbench", "study", "--preset", preset,
                        "--budget", str(budget), "--processes", str(processes),
                        "--results", str(folder)], check=True, stdout=subprocess.DEVNULL)


def intervals(folder: Path) -> pd.DataFrame:
    """Return the interval of each time and of each rate of each study: what, run, low, high."""
    records = analysis.load(folder)
    rows = []
    for run, found in records.groupby("run"):
        times = analysis.timings(found)
        rows += [(f"times, n = {row.n}", (row.algorithm, row.implementation), run, row.low,
                  row.high) for row in times.itertuples()]
        rates = rates_of_solvers(found[found["metric"] == "rate"])
        rows += [(f"rates, {row.data_set}", (row.algorithm, row.implementation), run, row.low,
                  row.high) for row in rates.dropna(subset=["low"]).itertuples()]
    return pd.DataFrame(rows, columns=["what", "solver", "run", "low", "high"])


def pairs(found: pd.DataFrame) -> Iterator[tuple[str, bool]]:
    """Yield for each pair of studies of one point (what it is, whether the intervals are
    disjoint).
    """
    for (what, _), point in found.groupby(["what", "solver"], sort=False):
        ends = list(zip(point["low"], point["high"], strict=True))
        for (low, high), (other_low, other_high) in combinations(ends, 2):
            yield what, high < other_low or other_high < low


@click.command(help=__doc__.partition("\n\n")[0])
@click.option("--studies", default=12, show_default=True, help="How many.")
@click.option("--preset", default="quick", show_default=True, help="Of `nqbench study`.")
@click.option("--budget", default=30.0, show_default=True, help="Seconds of each study.")
@click.option("--processes", default=5, show_default=True, help="Of each study.")
@click.option("--folder", default="build/intervals", show_default=True, type=Path,
              help="Keep the studies in this folder.")
def main(studies: int, preset: str, budget: float, processes: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    repeat(studies, preset, budget, processes, folder)
    found = pd.DataFrame(pairs(intervals(folder)), columns=["what", "disjoint"])
    rows = [[what, f"{len(some):,}", f"{some.sum():,}", f"{some.mean():.2%}"]
            for what, some in found.groupby("what", sort=False)["disjoint"]]
    here = context()
    print(f"{studies} studies, preset {preset}, {budget:g} s and {processes} processes each; "
          f"{here['processor']}, {here['cores']} cores, {here['python']}, "
          f"commit {str(here['commit'])[:8]}")
    rows.append(["all", f"{len(found):,}", f"{found['disjoint'].sum():,}",
                 f"{found['disjoint'].mean():.2%}"])
    print(pd.DataFrame(rows, columns=["", "pairs", "disjoint", "share"]).to_string(index=False))


if __name__ == "__main__":
    main()
