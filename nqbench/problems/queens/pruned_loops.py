"""n nested loops, with a check at every level.

Source: Deng Junhui, lecture "Probe and backtrack: eight queens" (Tsinghua University, undated),
place4Queens, written there for n = 4. For another n the loops have to be written out again, so they
are generated and compiled. CPython allows at most 20 nested blocks in one function ("too many
statically nested blocks"), so 20 is the largest n.
"""

from collections.abc import Sequence

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally
from nqbench.search.builds import generated

NESTED_BLOCKS = 20  # the most nested blocks of one function in CPython


def collide(solution: Sequence[int], k: int, tally: Tally) -> bool:
    """Return whether the queen of row k attacks a queen above it."""
    tally.test(k, solution[k])
    for i in range(k):
        tally.scans += 1
        tally.comparisons += 1 if solution[i] == solution[k] else 2
        if solution[i] == solution[k] or abs(solution[i] - solution[k]) == k - i:
            return True
    return False


def nested_loops(n: int) -> str:
    """Return the text of the search: n loops, each inside the test of the one before.

    >>> print(nested_loops(1))
    def nested(solution, collide, tally):
     tally.node(0)
     for solution[0] in range(1):
      if not collide(solution, 0, tally):
       tally.node(1)
       tally.solution()
       yield tuple(solution)
     tally.exhausted(0)
    """
    opening, closing = ["def nested(solution, collide, tally):", " tally.node(0)"], []
    for k in range(n):
        indent = " " * (2 * k + 1)
        opening += [f"{indent}for solution[{k}] in range({n}):",
                    f"{indent} if not collide(solution, {k}, tally):",  # idea: prune in each loop
                    f"{indent}  tally.node({k + 1})"]
        closing.append(f"{indent}tally.exhausted({k})")
    indent = " " * (2 * n + 1)
    opening += [f"{indent}tally.solution()", f"{indent}yield tuple(solution)"]
    return "\n".join(opening + closing[::-1])


def visits(n: int, tally: Tally) -> Placements:
    nested = generated(nested_loops(n), "nested", globals())
    found: Placements = nested([0] * n, collide, tally)
    return found


ALGORITHM = Search(
    name="pruned_loops", order=80,
    origin="Deng Junhui, Probe and backtrack: eight queens, place4Queens",
    technique="n nested loops, scan of earlier rows at every level", search=visits,
    prints=count_line, largest_n=NESTED_BLOCKS)
