"""The plain search for the first solution: row by row, the columns of a row in their order.

In every row it tries the squares one by one, and counts them like the authors of A140450. A
placement of k < n queens that has no completion costs all n squares of the next row, so the squares
tried are

    n * (placements without completion that are visited) + n (n + 1) / 2

where the second term is the path to the solution, which is a permutation of the columns. The
placements are those of the complete subtrees to the left of that path. Each subtree can be counted
separately, in any order, as a part of a count, like the parts of the engines.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from nqbench.board import Columns
from nqbench.engine import processor
from nqbench.engine.dividing import Division
from nqbench.engine.executing import PATIENCE, entering_answers
from nqbench.engine.ledger import Ledger
from nqbench.engine.threads import entering_counts
from nqbench.errors import DistrustError
from nqbench.util.arguments import require_whole

QUICK_N = 20  # up to here starting threads takes longer than the count


def search(n: int) -> tuple[Columns | None, int]:
    """Return the first solution, or None, and the number of squares tried, by the definition.

    >>> search(4), search(3)
    (((1, 3, 0, 2), 26), (None, 18))
    """
    n = require_whole(n)
    placed: list[int] = []
    tried = 0

    def extend() -> bool:
        nonlocal tried
        row = len(placed)
        if row == n:
            return True
        for column in range(n):
            tried += 1
            if all(column != other and abs(column - other) != row - above
                   for above, other in enumerate(placed)):
                placed.append(column)
                if extend():
                    return True
                placed.pop()
        return False

    return (tuple(placed) if extend() else None), tried


def free_columns(n: int, prefix: Sequence[int]) -> list[int]:
    """Return the columns that are free in the row below a prefix.

    >>> free_columns(5, (0, 2))
    [4]
    """
    row, taken = len(prefix), set(prefix)
    sums = {above + column for above, column in enumerate(prefix)}
    differences = {column - above for above, column in enumerate(prefix)}
    return [column for column in range(n) if column not in taken and row + column not in sums
            and column - row not in differences]


def squares_tried(n: int, columns: Sequence[int] | None, dead: int) -> int:
    """Return the squares tried, given the number of placements that have no completion.

    >>> squares_tried(8, (0, 4, 7, 5, 2, 6, 1, 3), 105)
    876
    """
    return n * dead + (n * (n + 1) // 2 if columns else 0)


def count_dead(ledger: Ledger) -> int:
    """Return the placements without completion in the parts that are counted.

    Raises
    ------
    DistrustError
        if there is a solution among them.
    """
    dead, solutions = ledger.by_images[1].values
    if solutions:
        raise DistrustError(f"there are {solutions:,} solutions to the left of the first one, "
                            f"{ledger.division.columns or 'although there is none'}")
    return int(ledger.engine.inner) + dead


def counting_dead(n: int, columns: Columns | None, kernel: str | None = None,
                  jobs: int | None = None, checkpoint: str | Path | None = None,
                  say: Callable[[str], None] = lambda line: None) -> Generator[Ledger]:
    """Count the placements to the left of the first solution, all placements for None; yield the
    ledger ten times a second and at the end.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed, or the checkpoint belongs to another count.
    DistrustError
        if a part holds a solution.
    OSError
        if the checkpoint cannot be read or written.
    """
    chosen = processor.choose_kernel(kernel)
    division = Division.before_solution(n, chosen, columns or ())
    alone = n <= QUICK_N or not division.parts
    return _checked(entering_counts(division, chosen, processor.choose_threads(jobs), None,
                                    checkpoint, say, alone))


def counting_dead_on(executor: Executor, workers: int | Callable[[], int], n: int,
                     columns: Columns | None, checkpoint: str | Path | None = None,
                     say: Callable[[str], None] = lambda line: None,
                     patience: float = PATIENCE) -> Generator[Ledger]:
    """Count on an executor; see `counting_dead` and `nqbench.engine.counting_on`."""
    division = Division.before_solution(n, processor.choose_kernel(), columns or ())
    return _checked(entering_answers(executor, division, workers, checkpoint, say, patience))


def _checked(ledgers: Iterable[Ledger]) -> Generator[Ledger]:
    for ledger in ledgers:
        count_dead(ledger)
        yield ledger
