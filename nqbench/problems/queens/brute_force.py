"""All n^n ways to place one queen in each row, each checked when it is complete.

Source: Deng Junhui, lecture "Probe and backtrack: eight queens" (Tsinghua University, undated),
place4Queens_BruteForce; its four nested loops become a product of n ranges. A leaf is checked row
by row, up to the first row that collides. Nothing is pruned, so the root is the only node.
"""

from itertools import product

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import MEMORY, Columns, Placements, Search, Tally, Tree


def collide(solution: Columns, k: int, tally: Tally) -> bool:
    """Return whether the queen of row k attacks a queen above it."""
    tally.test(k, solution[k])
    for i in range(k):
        tally.scans += 1
        tally.comparisons += 1 if solution[i] == solution[k] else 2
        if solution[i] == solution[k] or abs(solution[i] - solution[k]) == k - i:
            return True
    tally.jump(solution[:k + 1])
    return False


def visits(n: int, tally: Tally) -> Placements:
    tally.node(0)
    for candidate in product(range(n), repeat=n):  # idea: every placement, complete
        if any(collide(candidate, k, tally) for k in range(n)):
            continue
        tally.solution()
        yield candidate


ALGORITHM = Search(
    name="brute_force", order=60,
    origin="Deng Junhui, Probe and backtrack: eight queens, place4Queens_BruteForce",
    technique="all n^n leaves, checked at the leaf",
    worst_case="n^n placements, each looked at when it is complete", search=visits,
    prints=count_line, tree=Tree.NONE, jumps=True, largest_n=MEMORY)
