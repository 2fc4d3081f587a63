"""Write the b-files of the sequences that have new terms (docs/new-terms.md):

    python research/new_terms/new_terms.py results/sequences

A term follows from published values and from what symmetries leave unchanged, which is counted
here where it is not published; A103331(21) takes a minute. The terms of A099152 beyond the
published ones are the sums of the files of research/semi_queens in the same folder, the trees those
of profiles.json.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from nqbench.problems.published import published
from nqbench.problems.published.computed import profiles
from nqbench.problems.published.sequences import SUPERQUEENS, with_pawn_up_to_symmetry


def orbits_of_four(largest: int = 32) -> list[int]:
    """A260319 from the placements that turns leave unchanged, published (A032522, A033148)."""
    half, quarter = published("A032522"), published("A033148")
    return [(half[n] - quarter[n]) // 4 for n in range(1, largest + 1)]


def orbits_of_eight() -> list[int]:
    """A260320 from all solutions (A000170) and those that a half turn leaves unchanged."""
    half = published("A032522")
    return [(count - half[n]) // 8 for n, count in published("A000170").up_to(27) if n]


def superqueens(largest: int = 26) -> dict[str, list[int]]:
    """A352661, A352662 and A352663 from all solutions (A051223) and the symmetric ones."""
    found: dict[str, list[int]] = {"A352661": [], "A352662": [], "A352663": []}
    for n, count in published("A051223").up_to(largest):
        half, quarter = (SUPERQUEENS.fixed(n, turn) for turn in ("half turn", "quarter turn"))
        orbits = (quarter // 2, (half - quarter) // 4, (count - half) // 8) if n > 1 else (0, 0, 0)
        for terms, number in zip(found.values(), orbits, strict=True):
            terms.append(number)
    return found


def pawns(largest: int = 22) -> list[int]:
    """A103331 from all placements (A103330) and those that turns leave unchanged."""
    return [with_pawn_up_to_symmetry(False, n) for n in range(1, largest + 1)]


def semi_queens(folder: Path) -> list[int]:
    """A099152 with the sums of the files N.quadrants and N.layers, if both are complete."""
    terms = [*published("A099152").values]
    while None not in (sums := {total(folder / f"{len(terms)}.{method}")
                                for method in ("quadrants", "layers")}):
        (term,) = sums  # both are equal
        terms.append(term)
    return terms


def total(path: Path) -> int | None:
    """The sum of the parts of a file; None if any is missing."""
    head, *lines = path.read_text("utf-8").splitlines() if path.exists() else ["# n 0 none 1"]
    parts = {int(line.split()[0]): int(line.split()[1]) for line in lines}
    return sum(parts.values()) if len(parts) == int(head.split()[4]) else None


def b_files(folder: Path) -> Iterator[tuple[str, int, list[int]]]:
    """Yield the name, the first number and the terms of each."""
    trees = profiles()
    if len(terms := semi_queens(folder)) > len(published("A099152").values):
        yield "A099152", 0, terms
    yield "A103331", 1, pawns()
    yield "A260319", 1, orbits_of_four()
    yield "A260320", 1, orbits_of_eight()
    yield "A319283", 0, [tree.nodes for tree in trees.values()]
    yield "A319284", 0, [number for tree in trees.values() for number in tree.levels]
    yield "A319288", 0, [tree.widest for tree in trees.values()]
    for name, terms in superqueens().items():
        yield name, 1, terms


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, first, terms in b_files(folder):
        text = "".join(f"{n} {term}\n" for n, term in enumerate(terms, first))
        (folder / f"b{name[1:]}.txt").write_text(text, "utf-8", newline="")
        print(f"{name}: {len(terms)} terms", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python research/new_terms/new_terms.py FOLDER")
    main(Path(sys.argv[1]))
