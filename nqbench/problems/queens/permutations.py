"""All n! permutations of the columns, each checked when it is complete.

Source: Deng Junhui, lecture "Probe and backtrack: eight queens" (Tsinghua University, undated), the
remark on coding: a solution is a permutation of 0 .. n-1, though not each permutation is a
solution. The remark has no listing; here the permutations come in lexicographic order and, as no
two of their queens share a column, only the diagonals are compared, row by row as in `brute_force`.
Nothing is pruned, so the root is the only node.
"""

from itertools import permutations

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import MEMORY, Columns, Placements, Search, Tally, Tree


def collide(solution: Columns, k: int, tally: Tally) -> bool:
    """Return whether the queen of row k shares a diagonal with a queen above it."""
    tally.test(k, solution[k])
    for i in range(k):
        tally.scans += 1
        tally.comparisons += 1
        if abs(solution[i] - solution[k]) == k - i:
            return True
    tally.jump(solution[:k + 1])
    return False


def visits(n: int, tally: Tally) -> Placements:
    tally.node(0)
    for candidate in permutations(range(n)):  # idea: no two queens share a column
        if any(collide(candidate, k, tally) for k in range(n)):
            continue
        tally.solution()
        yield candidate


ALGORITHM = Search(
    name="permutations", order=70,
    origin="Deng Junhui, Probe and backtrack: eight queens, remark on coding",
    technique="all n! permutations, checked at the leaf",
    worst_case="n! placements, each looked at when it is complete", search=visits,
    prints=count_line, tree=Tree.NONE, jumps=True, largest_n=MEMORY)
