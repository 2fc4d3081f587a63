"""Answers about the same instances must agree."""

from examples import decided, write

from nqbench.analysis.comparison import compare_runs, find_side


def sides(folder, first, second):
    """The comparison of two files with these records."""
    return compare_runs(find_side(write(folder / "a", *first)), find_side(write(folder / "b",
                                                                                *second)))


def test_two_algorithms_must_agree_in_their_answers_alone(tmp_path):
    made = sides(tmp_path, [decided([9, 8, 7], [True, False, None])],
                 [decided([2, 3, 4], [True, True, True], "bitmask")])
    assert [str(one) for one in made.wrong] == [
        "fewest_lines (python) answered not solvable instead of solvable for blocked 20, seed 1, "
        "instance 2 at n = 8"]
    assert made.differing == []


def test_the_algorithms_of_a_run_are_compared_by_comparing_it_with_itself(tmp_path):
    run = [decided([9], [True]), decided([9], [False], "bitmask")]
    made = sides(tmp_path, run, run)
    assert (len(made.wrong), made.differing) == (1, [])
