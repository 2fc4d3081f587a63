"""The pruned search rejects a prefix only if it has no completion: compared prefix by prefix."""

from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random

import check
import naive_pruned as naive
import pytest
from first import KERNELS, decide
from search import free_columns

import nqbench
from nqbench.problems.published.computed import FIRST_SOLUTIONS

CHAINS = Path(__file__).parents[1] / "results"
CHAINED = [row.n for row in FIRST_SOLUTIONS.values() if "SAT chain" in row.found_by]
# Somewhere below these, a single column of a row is near enough on both of its diagonals.
ONE_COLUMN = [(16, (9, 1, 15, 13)), (21, (20, 1, 6, 18, 15, 19, 5, 16, 4))]
ENOUGH = 10**6  # nodes: every prefix is decided


def prefixes(n, prefix=()):
    """Yield all placements of the first rows, one queen or more."""
    for column in free_columns(n, prefix):
        yield (*prefix, column)
        yield from prefixes(n, (*prefix, column))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", range(1, 10))
def test_exactly_the_prefixes_without_completion_are_rejected(n, kernel):
    begun = {tuple(columns[:rows]) for columns in nqbench.solutions(n) for rows in range(1, n + 1)}
    assert begun == {prefix for prefix in prefixes(n)
                     if not decide(n, [prefix], ENOUGH, 1, kernel)[0][0]}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [10, 11])
def test_no_part_of_any_solution_is_rejected(n, kernel):
    begun = {tuple(columns[:rows]) for columns in nqbench.solutions(n) for rows in range(1, n - 2)}
    assert not [prefix for prefix in begun if decide(n, [prefix], ENOUGH, 1, kernel)[0][0]]


def test_every_node_is_one_by_definition():
    """A square on a diagonal exactly as far away as the bound allows stays, others do not."""
    random, some = Random(1), [*ONE_COLUMN]
    for _ in range(60):
        n, prefix = random.randint(4, 20), ()
        for _ in range(random.randint(max(1, n // 5), n // 2)):
            if free := free_columns(n, prefix):
                prefix += (random.choice(free),)
        some.append((n, prefix))
    for n, prefix in some:
        expected = naive.decide(n, prefix)
        for kernel in KERNELS:
            assert decide(n, [prefix], ENOUGH, 1, kernel)[0] == expected, (n, prefix)


@pytest.mark.parametrize("n", [33, 43, 53])
def test_wide_boards_have_the_nodes_of_the_definition(n):
    """With diagonals in both words, and rows in the last vector: prefixes beside a solution."""
    columns, nodes = [column - 1 for column in FIRST_SOLUTIONS[n].solution], []
    for rows in range(n - 18, n - 10):
        prefix = (*columns[:rows], free_columns(n, columns[:rows])[-1])
        expected = naive.decide(n, prefix)
        nodes.append(expected[1])
        for kernel in KERNELS:
            assert decide(n, [prefix], ENOUGH, 1, kernel)[0] == expected
    assert sum(nodes) > 10


@pytest.mark.parametrize("places", [range(8), (0, 1, 3, 4, 8, 9, 10), (2, 3, 5, 7, 11, 13)])
@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_the_bound_holds_for_all_diagonals_and_is_reached(places, count):
    """Also if one of them is some way below a or above b, as it must be to be kept."""
    reached = 0
    for total in range(-1, sum(places) + 2):
        found = naive.bound_squares(list(places), count, total)
        sets = [chosen for chosen in combinations(places, count) if sum(chosen) == total]
        assert found is not None or not sets
        for chosen in sets:
            bound, a, b = found
            squares = sum(x * x for x in chosen)
            reached += squares == bound
            assert max(0, *((x - a) * (x - b) for x in chosen), 0) <= squares - bound
    assert reached > len(places) - count


def test_the_table_names_each_complete_chain():
    complete = {int(path.stem) for path in CHAINS.glob("*.chain")
                if path.read_text("ascii").splitlines()[-1].startswith("# ")}
    assert complete == {*CHAINED}


@pytest.mark.parametrize("n", CHAINED)
def test_a_chain_of_sat_calls_leaves_no_prefix_before_the_first_solution(n):
    """prefixes.py proved each of its lines; here, that they are all."""
    *lines, last = (CHAINS / f"{n}.chain").read_text("ascii").splitlines()
    words = [line.partition(": ")[0] for line in lines]
    proved = {tuple(int(column) - 1 for column in line.split()) for line in words}
    solution = tuple(column - 1 for column in FIRST_SOLUTIONS[n].solution)
    assert not check.uncovered(n, solution, proved)
    assert all(prefix < solution[:len(prefix)] for prefix in proved)
    digest = sha256("".join(f"{line}\n" for line in sorted(words)).encode()).hexdigest()
    assert last.startswith(f"# {n} queens: {len(lines):,} prefixes, ")
    assert last.endswith(digest)
