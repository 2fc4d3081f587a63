"""Min-conflicts: put a queen into every open row, and move attacked queens to the square of their
row with the fewest attackers, drawn at random if there are several.

After MOVES moves the search restarts, and after RUNS runs it gives up: it never proves that an
instance has no solution. Here a node is a placement of all queens, tests are squares whose
attackers are counted, and there is no tree: all nodes are on level 0.

Minton, Johnston, Philips and Laird, Minimizing conflicts, Artificial Intelligence 58 (1992).
"""

from collections import Counter
from random import Random

from nqbench.problems.instances.base import Board, Finds, Placements, Search, Tally, Tree
from nqbench.problems.instances.board import Line
from nqbench.search.board import bits

MOVES = 1000
RESTARTS = 100


def solutions(board: Board, tally: Tally, seed: int = 0) -> Placements:
    rows = board.open_rows
    random = Random(seed)
    squares = {row: [*bits(board.free[row])] for row in rows}
    queens: Counter[Line] = Counter()  # on each line
    columns = board.begin()

    def attackers(row: int, column: int) -> int:
        tally.test(row, column)
        return sum(queens[line] for line in board.lines(row, column))

    def put(row: int) -> None:
        """Put the queen of a row on a square with the fewest attackers."""
        counts = [attackers(row, column) for column in squares[row]]
        fewest = min(counts)
        best = [column for column, count in zip(squares[row], counts, strict=True)
                if count == fewest]
        columns[row] = best[int(random.random() * len(best))]
        queens.update(board.lines(row, columns[row]))

    if not all(squares.values()):
        tally.node(0)
        return
    for _ in range(RESTARTS):
        queens.clear()
        for row in rows:
            put(row)
        for _ in range(MOVES):
            tally.node(0)
            attacked = [row for row in rows
                        if any(queens[line] > 1 for line in board.lines(row, columns[row]))]
            if not attacked:
                tally.solution()
                yield tuple(columns)
                return
            row = attacked[int(random.random() * len(attacked))]
            queens.subtract(board.lines(row, columns[row]))
            put(row)


ALGORITHM = Search(
    name="min_conflicts", order=90,
    origin="Minton, Johnston, Philips and Laird, Minimizing conflicts", year=1992,
    technique="local search with restarts, the square with the fewest attackers", tree=Tree.NONE,
    finds=Finds.ONE, complete=False, search=solutions)
