"""What the original programs print, byte for byte, from their solutions in order.

Each printer takes n and the solutions (tuples of columns) and yields text in
pieces, so that a long output streams.
"""

from collections.abc import Callable, Iterable, Iterator

from nqbench.search.board import Columns

Printer = Callable[[int, Iterable[Columns]], Iterator[str]]


def count_line(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield the number of solutions on a line.

    >>> "".join(count_line(4, [(1, 3, 0, 2), (2, 0, 3, 1)]))
    '2\\n'
    """
    yield f"{sum(1 for _ in solutions)}\n"


def starred_boards(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield boards of `Q` and `*`, each followed by an empty line."""
    for columns in solutions:
        yield "".join("*" * c + "Q" + "*" * (n - 1 - c) + "\n" for c in columns) + "\n"


def chequered_boards(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield boards with `Q` for a queen and, by the parity of row + column, a space or a dot
    elsewhere, with a newline before each row and another before each board.

    >>> "".join(chequered_boards(4, [(1, 3, 0, 2)]))
    '\\n\\n Q .\\n. .Q\\nQ. .\\n. Q '
    """
    for columns in solutions:
        yield "\n" + "".join(
            "\n" + "".join("Q" if c == queen else " ."[(r + c) % 2] for c in range(n))
            for r, queen in enumerate(columns))


def numbered_matrices(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield numbered boards of 0 and 1, each number two characters wide and followed by a space."""
    for number, columns in enumerate(solutions, 1):
        rows = "".join("".join(f"{int(c == queen):2d} " for c in range(n)) + "\n"
                       for queen in columns)
        yield f"The {number} solution:\n{rows}\n"


def rows_by_column(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield for each column, from the last to the first, the row of its queen (from 1), ten
    characters wide, without any newline.

    >>> "".join(rows_by_column(4, [(1, 3, 0, 2)]))
    '         2         4         1         3'
    """
    for columns in solutions:
        rows = {c: r for r, c in enumerate(columns, 1)}
        yield "".join(f"{rows[c]:10d}" for c in reversed(range(n)))


def leetcode_list(n: int, solutions: Iterable[Columns]) -> Iterator[str]:
    """Yield all boards as one list of lists of rows, and a newline.

    >>> "".join(leetcode_list(4, [(1, 3, 0, 2)]))
    '[[".Q..","...Q","Q...","..Q."]]\\n'
    """
    yield "["
    for number, columns in enumerate(solutions):
        rows = ",".join('"' + "." * c + "Q" + "." * (n - 1 - c) + '"' for c in columns)
        yield f"{',' * (number > 0)}[{rows}]"
    yield "]\n"
