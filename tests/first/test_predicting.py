"""The nodes of the pruned search, predicted from those of smaller boards."""

from math import exp, log, sqrt

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


def test_the_interval_is_that_of_student_with_six_degrees_of_freedom():
    """By hand: of 8 sizes the logarithms lie 1 above and 1 below a line in turns, which turns the
    fitted line by -8 / 168. The quantile is 2.446912 for 8 - 2 degrees.
    """
    sizes = range(1, 17, 2)
    known = {n: exp(2 * n + (-1) ** (n // 2)) for n in sizes}
    wrong = 8 - 8**2 / 168  # the sum of (n - 8)^2 is 168, that of (n - 8) (-1)^(n // 2) is -8
    error = sqrt(wrong / 6 * (1 + 1 / 8 + 9**2 / 168))
    middle = 16 + (2 - 8 / 168) * 9
    assert [*map(log, predict_nodes(17, known))] == pytest.approx(
        [middle, middle - 2.446912 * error, middle + 2.446912 * error], rel=1e-6)


@pytest.mark.parametrize(("n", "known"), [(10, NODES), (54, {}), (54, {2: 3, 3: 4}), (65, NODES)])
def test_other_sizes_are_refused(n, known):
    with pytest.raises(InvalidValueError, match=r"cannot be predicted|at most 64"):
        predict_nodes(n, known)


def test_the_rate_is_that_of_a_kernel():
    assert measure_rate(48, "portable", 0.01) > 0
    with pytest.raises(ValueError, match="kernel"):
        measure_rate(48, "abacus", 0.01)
