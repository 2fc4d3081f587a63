"""The nodes of the pruned search, predicted from those of smaller boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.errors import InvalidValueError
from nqbench.first.predicting import measure_rate, predict_nodes
from nqbench.reference.first_solutions import FIRST_SOLUTIONS

NODES = {n: row.nodes for n, row in FIRST_SOLUTIONS.items()}


@given(st.floats(1.1, 30), st.integers(30, 64))
def test_growth_by_a_constant_factor_goes_on(factor, n):
    known = {size: round(1000 * factor**size) for size in range(1, 25)}
    middle, low, high = predict_nodes(n, known)
    assert low <= middle <= high
    assert [middle, low, high] == pytest.approx([1000 * factor**n] * 3, rel=0.01)


def test_sizes_of_the_other_parity_do_not_count():
    odd = {n: nodes for n, nodes in NODES.items() if n % 2}
    assert predict_nodes(63, NODES) == predict_nodes(63, odd)


def test_most_intervals_hold_the_known_nodes():
    held = []
    for n in range(30, 54):
        if n in NODES:
            _, low, high = predict_nodes(n, {size: NODES[size] for size in NODES if size < n})
            held.append(low < NODES[n] < high)
    assert len(held) > sum(held) > 0.8 * len(held)


@pytest.mark.parametrize(("n", "known"), [(10, NODES), (54, {}), (54, {2: 3, 3: 4}), (65, NODES)])
def test_other_sizes_are_refused(n, known):
    with pytest.raises(InvalidValueError, match=r"cannot be predicted|at most 64"):
        predict_nodes(n, known)


def test_the_rate_is_that_of_a_kernel():
    assert measure_rate(48, "portable", 0.01) > 0
    with pytest.raises(ValueError, match="kernel"):
        measure_rate(48, "abacus", 0.01)
