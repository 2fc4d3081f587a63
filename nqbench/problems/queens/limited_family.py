"""Searches that leave out a part of the tree.

Source: the unsigned list of ideas below "The n-queens problem and its optimisations" (blog), which
only names them.
"""

from nqbench.problems.queens.base import PART, RECURSION, SOME, Placements, Search, Tally, Tree

ORIGIN = "a list of ideas below The n-queens problem and its optimisations (blog)"


def search(n: int, tally: Tally, depth: int, width: int) -> Placements:
    full = (1 << n) - 1
    last = min(depth, n)
    columns = [0] * last

    def queens(row: int, taken: int, left: int, right: int) -> Placements:
        tally.node(row)
        if row == last:  # idea: give up here, solution or not
            tally.solution()
            yield tuple(columns)
            return
        free = full & ~(taken | left | right)
        for _ in range(min(width, free.bit_count())):  # idea: the first candidates only
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(row + 1, taken | bit, (left | bit) << 1, (right | bit) >> 1)
        tally.exhausted(row)

    return queens(0, 0, 0, 0)


def to_depth(n: int, tally: Tally, depth: int = RECURSION) -> Placements:
    """Depth limited: give up below a depth. The search reaches the placements of `depth` queens in
    the first `depth` rows, whether they can be completed or not: the nodes of one level of the
    plain tree.

    Give the depth after a colon, as in depth_limited:4. By default it is the largest n, so there is
    no limit.
    """
    return search(n, tally, depth, n)


def to_width(n: int, tally: Tally, width: int = 3) -> Placements:
    """Width limited: in each row, try only the first `width` candidates, from left to right.

    The other candidates are not searched, so some solutions are lost; the question is what share of
    them survives. Give the width after a colon, as in width_limited:4; by default it is 3, as the
    source proposes: "try at most 3 positions in each row".
    """
    return search(n, tally, n, width)


ALGORITHMS = (
    Search(name="depth_limited", order=170, origin=ORIGIN,
           technique="bit masks, recursion to a depth",
           worst_case="at most n! / (n-k)! nodes on level k, down to the depth", keeps_marks=True,
           search=to_depth, finds=PART),
    Search(name="width_limited", order=180, origin=ORIGIN,
           technique="bit masks, at most `width` candidates in each row, recursion",
           worst_case="at most width^k nodes on level k", keeps_marks=True, search=to_width,
           finds=SOME, tree=Tree.OWN))
