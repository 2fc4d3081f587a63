"""The command `list`: the catalogue of algorithms, and what can be measured."""

from typing import Any

import click

from nqbench import engine
from nqbench.algorithms import QueensAlgorithm, catalogue
from nqbench.cli.shared import (
    algorithms_option,
    command,
    emit,
    example,
    json_option,
    print_warnings,
)
from nqbench.cli.terminal import table
from nqbench.engine.processor import ENGINES
from nqbench.plugins import find_all, load_entry_points, registered


@command("list", epilog=example("nqbench list", "nqbench list --json",
                                "nqbench list --metrics"))
@algorithms_option
@click.option("--metrics", is_flag=True,
              help="Show the metrics, and which are not available here.")
@json_option
def list_algorithms(algorithms: tuple[str, ...], metrics: bool, as_json: bool) -> None:
    """Show the catalogue of algorithms, or of metrics.

    Algorithms of installed packages follow those that are built in. The largest n is the largest
    that an implementation accepts, however long it takes. A name with a colon takes a parameter,
    as in width_limited:4.
    """
    if metrics:
        list_metrics(as_json)
        return
    if not algorithms:
        load_entry_points()
    chosen: list[QueensAlgorithm] = (
        [found for each in algorithms for found in find_all(each)] if algorithms else
        [*catalogue().values(), *(each for each in registered().values()
                                  if isinstance(each, QueensAlgorithm))])
    entries = [{
        "name": a.name, "origin": a.origin, "year": a.year, "technique": a.technique,
        "symmetry": a.symmetry, "finds": a.finds,
        "choice": f"{a.choice.name}, {a.choice.default} by default" if a.choice else None,
        "implementations": {name: {"largest_n": i.largest_n, **(
            {"kernels": engine.kernels()} if a.name in ENGINES and name == "cython" else {})}
                            for name, i in a.implementations.items()},
    } for a in chosen]
    if as_json:
        emit({"algorithms": entries})
        return
    table(f"{len(entries)} algorithm{'s' * (len(entries) != 1)}",
          ["name", "year", "technique", "symmetry", "finds", "largest n", "origin"],
          [[f"{a.name}:{a.choice.name.upper()}" if a.choice else a.name, a.year, a.technique,
            a.symmetry, a.finds,
            ", ".join(f"{name} {i.largest_n:,}" for name, i in a.implementations.items()),
            a.origin] for a in chosen], numeric=["year"],
          optional=["origin", "year", "finds"])
    if engine.available() and not algorithms:
        click.echo(f"kernels of cross and join here: {', '.join(engine.kernels())}")


def list_metrics(as_json: bool) -> None:
    """Show all metrics: their units and meanings, and whether they can be measured here."""
    from nqbench.metrics import METRICS, Kind
    from nqbench.study.gauges import explain_absence

    with print_warnings():
        found = sorted(METRICS.values(), key=lambda m: list(Kind).index(m.kind))
    entries: list[dict[str, Any]] = [{
        "name": m.name, "unit": m.unit, "kind": m.kind, "meaning": m.meaning,
        "by_level": m.by_level, "less_is_better": m.less_is_better,
        "not_available": explain_absence(m) or None} for m in found]
    if as_json:
        emit({"metrics": entries})
        return
    absent: dict[str, list[str]] = {}
    for entry in entries:
        if entry["not_available"]:
            absent.setdefault(entry["not_available"], []).append(entry["name"])
    table(f"{len(entries)} metrics", ["name", "unit", "kind", "meaning", "better", "here"],
          [[m.name, m.unit, m.kind, m.meaning,
            {True: "less", False: "more", None: ""}[m.less_is_better],
            "no" if entry["not_available"] else "yes"]
           for m, entry in zip(found, entries, strict=True)], optional=["kind"])
    for reason, names in absent.items():
        click.echo(f"not available here: {', '.join(names)}: {reason}")
