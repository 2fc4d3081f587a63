"""Each port does what its original did: equal counters, order and output."""

import hashlib

import pytest
from conftest import rows

from nqbench.problems.queens import catalogue

COUNTERS = [row for row in rows("seed_counters_n1_8.csv")
            if not (row["algorithm"] == "brute_force" and row["n"] in "78")]
OUTPUTS = rows("seed_stdout_md5_n1_7.csv")
COLUMNS = {"nodes": "nodes_incl_root", "scans": "inner_iterations",
           "comparisons": "atomic_comparisons", "exhaustions": "row_exhaustions",
           **{name: name for name in ("tests", "dead_ends", "tests_to_first", "nodes_to_first")}}
# The original somers finds nothing for n = 1, and marks_mirror says 2: see the errata.
WRONG = {("somers", "1"), ("marks_mirror", "1")}


ALGORITHMS = sorted({row["algorithm"] for row in COUNTERS})


def of(name, table, but=frozenset()):
    """The rows of an algorithm, each with its n."""
    return [(int(row["n"]), row) for row in table
            if row["algorithm"] == name and (name, row["n"]) not in but]


def fnv(solutions):
    found = 1469598103934665603
    for columns in solutions:
        for byte in ("".join(f"{c}," for c in columns) + ";").encode():
            found = (found ^ byte) * 1099511628211 % 2**64
    return f"{found:016x}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_counter_equals_that_of_the_original(name):
    for n, row in of(name, COUNTERS, WRONG):
        tally = catalogue()[name].profile(n)
        assert tally.solutions == int(row["reported_count"]), n
        assert tally.visits == int(row["solutions_visited"]), n
        counters = tally.counters()
        assert sum(counters.pop("dead_levels") or []) == int(row["dead_ends"]), n  # see test_ideas
        assert counters["levels"] == [int(nodes) for nodes in row["profile"].split()], n
        for counter, column in COLUMNS.items():
            assert (counters[counter] or 0) == int(row[column]), (n, counter)  # None: not counted


@pytest.mark.parametrize("name", ALGORITHMS)
def test_solutions_come_in_the_order_of_the_original(name):
    for n, row in of(name, COUNTERS, {("somers", "1")}):
        visits = list(catalogue()[name].implementations["python"].visits(n))
        assert fnv(visits) == row["fnv1a64_of_solution_stream"], n
        assert " ".join(map(str, visits[0] if visits else ())) == row["first_solution"], n
        assert " ".join(map(str, visits[-1] if visits else (0,))) == row["last_solution"], n


@pytest.mark.parametrize("name", sorted({row["algorithm"] for row in OUTPUTS}))
def test_output_is_that_of_the_original_byte_for_byte(name):
    for n, row in of(name, OUTPUTS):
        output = "".join(catalogue()[name].original_output(n)).encode()
        assert len(output) == int(row["bytes"]), n
        assert hashlib.md5(output).hexdigest() == row["md5_of_stdout"], n


def test_ports_find_the_single_queen_once():
    tally = catalogue()["marks_mirror"].profile(1)
    assert (tally.solutions, tally.levels, tally.comparisons) == (1, [1, 1], 3)
    tally = catalogue()["somers"].profile(1)
    assert (tally.solutions, tally.levels, tally.dead_ends) == (1, [1, 1], 0)
