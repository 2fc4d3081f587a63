"""Many puzzles at once: counts and solutions in arrays, in threads, until Ctrl-C."""


import numpy as np
import pytest
from programs import press_ctrl_c

from nqbench import _sudoku
from nqbench.problems.sudoku import DATA_SETS, Grid, data_set, solve_many

PUZZLES = np.array([grid.digits for name in DATA_SETS for grid in data_set(name)], dtype=np.uint8)
EMPTY = np.zeros((1, 81), dtype=np.uint8)


@pytest.mark.parametrize("kernel", [None, *_sudoku.kernels()])
@pytest.mark.parametrize("jobs", [1, 3])
def test_every_puzzle_has_its_solution(kernel, jobs):
    found = solve_many(PUZZLES, kernel=kernel, jobs=jobs)
    assert found.counts.tolist() == [1] * len(PUZZLES)
    assert ((PUZZLES == 0) | (found.solutions == PUZZLES)).all()
    assert all(Grid(tuple(map(int, digits))).solved for digits in found.solutions)


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_counts_are_those_of_the_core(limit):
    few = PUZZLES[50:65].copy()
    few[:, ::9] = 0
    few[::5, :2] = 1  # contradictory
    found = solve_many(few, limit)
    assert found.counts.tolist() == _sudoku.counts("fast", [row.tobytes() for row in few], limit)
    assert not found.solutions[::5].any()


def test_any_part_of_an_array_may_be_solved_also_none_of_it():
    assert (solve_many(PUZZLES[::-7]).solutions == solve_many(PUZZLES).solutions[::-7]).all()
    kept = PUZZLES[:3].copy()
    kept.flags.writeable = False
    assert solve_many(kept).counts.sum() == 3
    found = solve_many(np.zeros((0, 81), dtype=np.uint8), jobs=2)
    assert (found.counts.shape, found.solutions.shape) == ((0,), (0, 81))


@pytest.mark.parametrize(("arguments", "error", "says"), [
    (([[0] * 81],), TypeError, "puzzles must be a NumPy array of uint8"),
    ((EMPTY.astype(int),), TypeError, "puzzles must be a NumPy array of uint8"),
    ((EMPTY[0],), ValueError, r"puzzles must have the shape \(m, 81\), not \(81,\)"),
    ((EMPTY[:, :80],), ValueError, r"puzzles must have the shape \(m, 81\), not \(1, 80\)"),
    ((EMPTY + 10,), ValueError, r"puzzles must be digits from 0 to 9, .* not 10"),
    ((EMPTY, 0), ValueError, "limit must be"), ((EMPTY, 2, "sse"), ValueError, "no kernel 'sse'"),
    ((EMPTY, 2, None, 0), ValueError, "jobs must be")])
def test_what_is_not_allowed_is_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        solve_many(*arguments)


@pytest.mark.parametrize(("begin", "end", "columns"), [(0, 2, 81), (-1, 1, 81), (0, 1, 80)])
def test_the_core_itself_refuses_what_is_not_there(begin, end, columns):
    with pytest.raises(ValueError, match=r"no such puzzles|must be 81 digits"):
        _sudoku.solve_many("portable", np.zeros((1, columns), np.uint8), np.zeros(1, np.uint64),
                           np.zeros((1, 81), np.uint8), begin, end, 1, bytearray(1))


@pytest.mark.slow
def test_ctrl_c_stops_within_a_second():
    _, _, err = press_ctrl_c(
        "import numpy as np; from nqbench.problems.sudoku import solve_many; "
        "print('ready', flush=True); solve_many(np.zeros((4, 81), np.uint8), 10**18, jobs=2)",
        after=0.5)
    assert err.rstrip().endswith("KeyboardInterrupt")
