"""The commands `nqbench audit` and `nqbench plan`: long counts, looked at before and after."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from nqbench import engine
from nqbench.console import Size, emit, example, json_option, say
from nqbench.terminal import progress, table


def contradictions(n: int, total: int) -> list[str]:
    """What is known of Q(n) and is not true of a total, a line each."""
    from nqbench.reference import invariants

    return [f"{total:,} solutions cannot be: {known.name} says {known.expected:,}, not "
            f"{known.found:,}" for known in invariants(n, total) if not known.ok]


def agree(n: int, total: int) -> None:
    """Refuse a total that is not what is known of it.

    Raises
    ------
    nqbench.engine.DistrustError
        naming the first thing that it contradicts.
    """
    wrong = contradictions(n, total)
    if wrong:
        raise engine.DistrustError(wrong[0])


@click.command(epilog=example("nqbench count 18 --checkpoint 18.checkpoint",
                            "nqbench audit 18.checkpoint --sample 100"))
@click.argument("file", metavar="CHECKPOINT")
@click.option("--sample", type=Size("--sample", least=1), default=20, show_default=True,
              metavar="K", help="Parts to count again.")
@click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
              help="Of the choice: the same seed takes the same parts.")
@click.option("--kernel", metavar="KERNEL",
              help="avx512, avx2 or portable. Default: one that did not count them.")
@json_option
def audit(file: str, sample: int, seed: int, kernel: str | None, as_json: bool) -> None:
    """Count random parts of a checkpoint again, with another kernel, and compare.

    Shows what the file holds by the number of images that the crosses of a part have, and looks
    whether a whole count agrees with what is known. Exit status 1 if something differs.
    """
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"there is no checkpoint {file!r}")
    held = engine.held(path, say)
    found = []
    with progress(sample) as show:
        for recount in engine.audit(path, sample, seed, kernel):
            found.append(recount)
            show(f"part {recount.part}", len(found))
    wrong = [recount for recount in found if not recount.ok]
    whole = held.done == held.division.parts
    against = contradictions(held.division.n, held.found) if whole else []
    if as_json:
        emit({"checkpoint": file, "n": held.division.n, "parts": held.division.parts,
              "counted": held.done, "solutions": held.found,
              "by_images": {str(images): {"parts": sums.parts, "completions": sums.completions}
                            for images, sums in held.by_images.items()},
              "counted_again": len(found), "ok": not wrong and not against,
              "contradictions": against,
              "differ": [{"part": r.part, "kept": r.kept, "again": r.again} for r in wrong]})
    else:
        table(f"n = {held.division.n}: {held.done:,} of {held.division.parts:,} parts, "
              f"{held.found:,} solutions", ["images", "parts", "completions", "solutions"],
              [[images, f"{sums.parts:,}", f"{sums.completions:,}",
                f"{images * sums.completions:,}"]
               for images, sums in held.by_images.items() if sums.parts],
              numeric=["images", "parts", "completions", "solutions"])
        for recount in wrong:
            click.echo(f"part {recount.part}: {recount.kept} in the file, {recount.again} counted "
                       "again")
        click.echo(f"{len(found) - len(wrong)} of {len(found)} parts counted again are the same")
    for line in against:
        say(line)
    sys.exit(1 if wrong or against else 0)


@click.command(epilog=example("nqbench plan 28", "nqbench plan 24 --workers 100 --cores 8"))
@click.argument("n", type=Size("N"), metavar="N")
@click.option("--workers", type=Size("--workers", least=1), metavar="W",
              help="Machines that count. Default: one, with the cores of this one.")
@click.option("--cores", type=Size("--cores", least=1), metavar="C",
              help="Of each worker. Default: 1, and all of this machine without --workers.")
@click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
              help="Of the sample: the same seed draws the same parts.")
@json_option
def plan(n: int, workers: int | None, cores: int | None, seed: int, as_json: bool) -> None:
    """Tell what counting N queens would take, from a sample of its parts timed here.

    Times are those of cores like one of this machine, with nothing else to do; intervals are
    of 95 %, for the choice of the sample. The solutions in the sample show whether it is a good
    one: they stand beside the known value.
    """
    from nqbench.engine import planning
    from nqbench.reference import EFFORTS, published

    cores = cores or (engine.cores() if workers is None else 1)
    with progress(1.0) as show:
        sample = planning.sample(n, seed, lambda done: show(f"parts for n = {n}", done))
    planned = planning.plan(sample, workers or 1, cores)
    known = published("A000170").get(n)
    if as_json:
        emit({"n": n, "workers": planned.workers, "cores": cores, "kernel": sample.kernel,
              "seed": seed, "drawn": len(sample.draws), "shrunk": sample.shrunk,
              "parts": sample.parts, "slices": sample.slices,
              "part_seconds": {"mean": sample.mean, "median": sample.longest(0.5),
                               "95 %": sample.longest(0.95), "longest": sample.longest()},
              "core_hours": interval([seconds / HOUR for seconds in sample.seconds]),
              "wall_seconds": interval(planned.wall), "tasks": planned.tasks,
              "tasks_a_second": planned.load, "checkpoint_bytes": sample.checkpoint,
              "solutions": {**interval(sample.solutions), "known": known},
              "published": [vars(effort) for effort in EFFORTS]})
        return
    table(f"{n} queens; workers: {planned.workers:,}, cores of each: {cores}, kernel: "
          f"{sample.kernel}",
          ["", "estimate", "from", "to"],
          [["core-hours", *(f"{seconds / HOUR:,.4g}" for seconds in sample.seconds)],
           ["time", *map(span, planned.wall)],
           ["parts", f"{sample.parts:,}", "", ""],
           ["a part takes", span(sample.mean), "", ""],
           ["half of them at most", span(sample.longest(0.5)), "", ""],
           ["95 % at most", span(sample.longest(0.95)), "", ""],
           [f"the longest of {len(sample.draws)}", span(sample.longest()), "", ""],
           ["tasks", f"{planned.tasks:,}", "", ""],
           ["tasks a second", f"{planned.load:,.3g}", "", ""],
           ["checkpoint", volume(sample.checkpoint), "", ""],
           ["solutions, by the sample", *(f"{total:,.4g}" for total in sample.solutions)],
           ["solutions, published", "none" if known is None else f"{known:,.4g}", "", ""]],
          numeric=["estimate", "from", "to"])
    for effort in EFFORTS:
        click.echo(f"{effort.n} queens took {effort.time} on {effort.machine} ({effort.year}; "
                   f"{effort.source})")


HOUR = 3600.0
SPANS = (("years", 365.25 * 24 * HOUR), ("days", 24 * HOUR), ("hours", HOUR), ("minutes", 60.0),
         ("s", 1.0), ("ms", 1e-3))


def span(seconds: float) -> str:
    """A time in the unit that reads best.

    >>> span(0.0213), span(97.0), span(5e9)
    ('21.3 ms', '1.62 minutes', '158 years')
    """
    name, unit = next((entry for entry in SPANS if seconds >= entry[1]), SPANS[-1])
    return f"{seconds / unit:,.3g} {name}"


def volume(size: int) -> str:
    """Bytes in the unit that reads best.

    >>> volume(1_500), volume(47_050_138_146)
    ('1.5 kB', '47.1 GB')
    """
    for name, unit in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 1e3:.3g} kB"


def interval(of: Sequence[float]) -> dict[str, object]:
    """An estimate with its interval, as JSON shows it."""
    estimate, low, high = of
    return {"estimate": estimate, "interval": [low, high]}
