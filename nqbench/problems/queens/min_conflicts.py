"""Min-conflicts: local search. Put a queen into every row. As long as two queens attack each other,
move an attacked queen to the square of its row where the fewest queens attack it.

It starts from a placement with few conflicts: for each queen it draws a few columns at random, and
takes the first one on which no earlier queen attacks it, or else the best of them. From such a
start, the number of moves hardly grows with n. On small boards the search can repeat itself, so it
restarts after RESTART moves. For n = 2 and 3 there is no solution, and it stops without a search.

Give the random seed after a colon, as in min_conflicts:42; by default it is 0. The same seed gives
the same solution. Here tests are the squares whose attackers are counted, and there is no tree.

Minton, Johnston, Philips and Laird, Minimizing conflicts, Artificial Intelligence 58 (1992).
"""

from random import Random

from nqbench.problems.queens.base import MEMORY, ONE, Placements, Search, Tally, Tree
from nqbench.search.metrics import declare

DRAWS = 50
RESTART = 1000


def start(n: int, random: Random, queens: list[list[int]], tally: Tally) -> list[int]:
    """Return a placement with few conflicts; `queens` counts the queens on each line."""
    columns, sums, differences = queens
    left = list(range(n))
    placed = []
    for row in range(n):
        best, fewest = 0, n
        for _ in range(DRAWS):
            k = int(random.random() * len(left))
            column = left[k]
            tally.test(row, column)
            attackers = sums[row + column] + differences[column - row]
            if attackers < fewest:
                best, fewest = k, attackers
                if not attackers:
                    break
        column = left[best]
        left[best] = left[-1]
        left.pop()
        placed.append(column)
        tally.jump(placed)
        columns[column] += 1
        sums[row + column] += 1
        differences[column - row] += 1
    return placed


def is_attacked(row: int, placed: list[int], queens: list[list[int]]) -> bool:
    """Return whether the queen of the row shares a line with another."""
    columns, sums, differences = queens
    column = placed[row]
    return columns[column] > 1 or sums[row + column] > 1 or differences[column - row] > 1


def move(row: int, placed: list[int], queens: list[list[int]], random: Random,
         tally: Tally) -> None:
    """Move the queen of the row to the square with the fewest attackers; draw one at random if
    there are several.
    """
    columns, sums, differences = queens
    n = len(placed)
    old = placed[row]
    columns[old] -= 1
    sums[row + old] -= 1
    differences[old - row] -= 1
    tally.repairs += 1
    tally.tests += n
    # A difference of less than 0 counts from the end of its list.
    attackers = [columns[c] + sums[row + c] + differences[c - row] for c in range(n)]
    fewest = min(attackers)  # idea: repair the placement, step by step
    new = random.choice([c for c, a in enumerate(attackers) if a == fewest])
    placed[row] = new
    tally.jump(placed, row)
    columns[new] += 1
    sums[row + new] += 1
    differences[new - row] += 1


def visits(n: int, tally: Tally, seed: int = 0) -> Placements:
    tally.node(0)
    random = Random(seed)
    moves = RESTART
    while n not in (2, 3):
        if moves == RESTART:
            moves = 0
            queens = [[0] * n, [0] * (2 * n), [0] * (2 * n)]
            placed = start(n, random, queens, tally)
        rows = [row for row in range(n) if is_attacked(row, placed, queens)]
        if not rows:
            tally.solution()
            yield tuple(placed)
            return
        for row in random.sample(rows, min(len(rows), RESTART - moves)):
            if is_attacked(row, placed, queens):
                move(row, placed, queens, random, tally)
            moves += 1


ALGORITHM = Search(
    name="min_conflicts", order=290,
    origin="Minton, Johnston, Philips and Laird, Minimizing conflicts", year=1992,
    technique="local search, the square with the fewest attackers",
    worst_case="no bound: it restarts until it succeeds; a move looks at n squares", search=visits,
    counters=declare({"repairs": "queens that are moved"}, dir(Tally).__contains__),
    finds=ONE, tree=Tree.NONE, jumps=True, largest_n=MEMORY)
