"""Print one number that tells whether the compiled searches are the same, like the bench of
Stockfish.

    python tools/signature.py --cores

Each row of signature.json has a core, one of its functions, the arguments, and for an
engine the range of the parts, by default all. Every kernel that runs here computes the rows of its
core, and must give the same results: counts, remainders, nodes, guesses, placements visited. The
signature is a hash of them, so it is the same on every processor. A change that only saves time
does not change it; a change of a search does. It takes some seconds; --cores also prints the number
of each core.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from nqbench.errors import NOT_COMPILED, InvalidValueError, MiscountError, NqbenchError
from nqbench.util.cores import find_core

ROWS = Path(__file__).with_suffix(".json").read_text("utf-8")
CORES = tuple(dict.fromkeys(name for name, *_ in json.loads(ROWS)))
FACTS = ("parts", "placements")  # of an engine or a kernel


def combine(numbers: dict[str, int]) -> int:
    """Return the signature, given the numbers of all cores."""
    return hash_text(repr(sorted(numbers.items())))


def compute_number(name: str) -> int:
    """Return the number of one of `CORES`.

    Raises
    ------
    InvalidValueError
        if the core is not compiled.
    MiscountError
        if a kernel differs from the portable one.
    """
    core = find_core(name)
    if core is None:
        raise InvalidValueError(f"there is no signature without {name}: {NOT_COMPILED}")
    *others, portable = getattr(core, "kernels", lambda: ["portable"])()
    right = [*compute_results(name, core, portable)]
    for kernel in others:
        for (row, expected), (_, got) in zip(right, compute_results(name, core, kernel),
                                             strict=True):
            if got != expected:
                raise MiscountError(
                    f"the kernels {kernel} and portable of {name} differ in {row}: one "
                    "counts wrongly on this processor; please report it")
    return hash_text(repr([result for _, result in right]))


def compute_results(name: str, core: Any, kernel: str) -> Iterator[tuple[str, Any]]:
    """Yield the call of each row of a core, as text, and its result."""
    for each, call, arguments, *parts in json.loads(
            ROWS.replace("KERNEL", kernel),
            object_hook=lambda grid: bytes(map(int, grid["digits"]))):
        if each == name:
            yield (f"{call} {arguments}",
                   collect(core, kernel, getattr(core, call)(*arguments), *parts))


def collect(core: Any, kernel: str, found: Any, parts: Any = ()) -> Any:
    """Return what a call returned; of an engine, what is counted for its parts."""
    if not hasattr(found, "images"):
        return found
    memory, chosen = core.Kernel(kernel), range(*parts or [found.parts])
    counted = memory.complete(found, chosen)
    return ({fact: getattr(each, fact) for each in (found, memory) for fact in FACTS
             if hasattr(each, fact)},
            [(found.images(part), *counts) for part, counts in zip(chosen, counted, strict=True)])


def hash_text(text: str) -> int:
    """Return a number of at most ten digits."""
    return int(sha256(text.encode()).hexdigest()[:8], 16)


def main(words: list[str] | None = None) -> None:
    """Print the number; exit with status 1 and a message if two kernels differ."""
    parser = argparse.ArgumentParser(description="Print the signature of the compiled searches.")
    parser.add_argument("--cores", action="store_true", help="print the number of each core, too")
    asked = parser.parse_args(words)
    try:
        numbers = {name: compute_number(name) for name in CORES}
    except NqbenchError as error:
        sys.exit(str(error))
    print(combine(numbers))
    for name, number in numbers.items() if asked.cores else ():
        print(name, number)


if __name__ == "__main__":
    main()
