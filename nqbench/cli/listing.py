"""The commands `list` and `errata`: the catalogue, and the errors of the textbooks."""

import click

from nqbench import engine
from nqbench.algorithms import QueensAlgorithm, catalogue
from nqbench.cli.shared import algorithms_option, command, emit, example, json_option
from nqbench.cli.terminal import table
from nqbench.plugins import find_all, load_entry_points, registered


@command("list", epilog=example("nqbench list", "nqbench list --json"))
@algorithms_option
@json_option
def list_algorithms(algorithms: tuple[str, ...], as_json: bool) -> None:
    """Show the catalogue of algorithms.

    Algorithms of installed packages follow those that are built in. The largest n is the largest
    that an implementation accepts, however long it takes. A name with a colon takes a parameter,
    as in width_limited:4.
    """
    if not algorithms:
        load_entry_points()
    chosen: list[QueensAlgorithm] = (
        [found for each in algorithms for found in find_all(each)] if algorithms else
        [*catalogue().values(), *registered().values()])
    entries = [{
        "name": a.name, "origin": a.origin, "year": a.year, "technique": a.technique,
        "symmetry": a.symmetry, "finds": a.finds,
        "choice": f"{a.choice.name}, {a.choice.default} by default" if a.choice else None,
        "implementations": {name: {"largest_n": i.largest_n, **(
            {"kernels": engine.kernels()} if (a.name, name) == ("cross", "cython") else {})}
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
        click.echo(f"kernels of cross here: {', '.join(engine.kernels())}")


@command(epilog=example("nqbench errata", "nqbench errata --json"))
@json_option
def errata(as_json: bool) -> None:
    """List the errors of the published listings.

    Each comes with the evidence, and with what is right.
    """
    from nqbench.reference import ERRATA

    if as_json:
        emit({"errata": [e.as_dict() for e in ERRATA]})
        return
    table(f"{len(ERRATA)} faults in the published listings",
          ["listing", "fault", "how it shows", "right"],
          [[e.listing, e.fault, e.shown, e.right] for e in ERRATA])
