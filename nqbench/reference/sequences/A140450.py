"""Count the squares that the plain search tries before it finds a solution."""

from nqbench.algorithms import QueensAlgorithm
from nqbench.first import LARGEST_N, find_first, search
from nqbench.reference.sequences import Sequence
from nqbench.reference.sequences._own import stands_in

PLACEMENTS_A_NODE = 500  # of the pruned search, in about the same time (docs/sequences.md)


def tried(algorithm: QueensAlgorithm, implementation: str, n: int) -> int:
    """Return the squares tried: one by one in Python, by counting subtrees if compiled."""
    return search(n)[1] if implementation == "python" else int(find_first(n).tried or 0)


def cost(n: int) -> float | None:
    """Return the cost of both searches in placements, None if it is not known. It cannot be
    predicted from smaller n: odd n take far fewer placements than even n.
    """
    from nqbench.reference.first_solutions import FIRST_SOLUTIONS  # it needs this sequence

    known = FIRST_SOLUTIONS.get(n)
    if known is None or known.placements is None:
        return None
    return known.placements + PLACEMENTS_A_NODE * known.nodes


SEQUENCE = Sequence(
    name="A140450",
    title="Squares tried by the plain search until the first solution of the n queens problem",
    source="OEIS A140450, by Colin S. Pearson and Martin S. Pearson (2008)",
    first_n=1,
    values=(
        1, 6, 18, 26, 15, 171, 42, 876, 333, 975, 517, 3066, 1365, 26495, 20280, 160712, 91222,
        743229, 48184, 3992510, 179592, 38217905, 584591, 9878316, 1216775, 10339849, 12263400,
        84175966, 44434525, 1692888135, 408773285, 2799725104, 4618568460, 78016579095, 8244234495,
        883134227754, 37481487475, 605847021365, 444710580405, 18325192478100, 670447199438,
        1435630462823151, 9387957604049, 168220196252658, 151162963331040,
    ),
    able=stands_in,
    measure=tried,
    reach=LARGEST_N,
    cost=cost,
)
