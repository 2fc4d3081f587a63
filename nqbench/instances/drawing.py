"""Draw instances and their solutions, as text and as SVG."""

from collections.abc import Iterable, Sequence

from nqbench.board import QUEEN, SQUARE, Columns
from nqbench.instances.board import Board

PLACED, FOUND, BARRED, FREE = "Q", "q", "x", "."


def squares(board: Board, solution: Columns | None = None) -> list[str]:
    """Return the rows of a board: `Q` for a placed queen, `q` for a queen of a solution, `x` for a
    square that is blocked or on an excluded diagonal, `.` for any other square.

    >>> squares(Board(4, placed=((0, 1),), sums=(6,)), (1, 3, 0, 2))
    ['.Q..', '...q', 'q...', '..qx']
    """
    barred = {*board.blocked}
    rows = []
    for row in range(board.n):
        line = [BARRED if ((row, column) in barred or row + column in board.sums
                           or row - column in board.differences) else FREE
                for column in range(board.n)]
        if solution is not None:
            line[solution[row]] = FOUND
        rows.append(line)
    for row, column in board.placed:
        rows[row][column] = PLACED
    return ["".join(line) for line in rows]


def svg(boards: Iterable[tuple[Board, Columns | None]], across: int = 4) -> str:
    """Return one SVG document with boards and, if given, their solutions.

    Placed queens are black, queens of a solution are outlined, and squares that are not allowed are
    dark.

    >>> svg([(Board(4, placed=((0, 1),)), None)]).count("<use ")
    1
    """
    drawn = [squares(board, solution) for board, solution in boards]
    side = max((len(rows) for rows in drawn), default=1) * SQUARE
    pitch = side + SQUARE
    lines = max(1, -(-len(drawn) // across))
    width, height = max(1, min(across, len(drawn))) * pitch, lines * pitch
    return "".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">'
        f"<title>{len(drawn)} instance{'s' * (len(drawn) != 1)} of queens</title>"
        f'<defs><path id="queen" stroke="#1b1b1b" stroke-width="1.6" stroke-linejoin="round" '
        f'd="{QUEEN}"/></defs>',
        *(_board(rows, place % across * pitch + SQUARE // 2, place // across * pitch + SQUARE // 2)
          for place, rows in enumerate(drawn)), "</svg>"])


def _board(rows: Sequence[str], left: int, top: int) -> str:
    side, half = len(rows) * SQUARE, SQUARE // 2
    pieces = [f'<g transform="translate({left},{top})">'
              f'<rect width="{side}" height="{side}" fill="#f3ead7" stroke="#6b5840"/>']
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            x, y = column * SQUARE, row * SQUARE
            if mark == BARRED or (row + column) % 2:
                colour = "#4d4d4d" if mark == BARRED else "#c8ad86"
                pieces.append(f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
                              f'fill="{colour}"/>')
            if mark in (PLACED, FOUND):
                fill = "#1b1b1b" if mark == PLACED else "#ffffff"
                pieces.append(f'<use href="#queen" x="{x + half}" y="{y + half}" fill="{fill}"/>')
    return "".join([*pieces, "</g>"])
