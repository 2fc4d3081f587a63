"""Answers about the same instances must agree, and so must the nodes of one algorithm."""

from examples import SECOND, decided, timed, write

from nqbench.analysis.comparison import compare_runs, find_side


def sides(folder, first, second):
    """The comparison of two files with these records."""
    return compare_runs(find_side(write(folder / "a", *first)), find_side(write(folder / "b",
                                                                                *second)))


def test_equal_records_do_not_differ(tmp_path):
    made = sides(tmp_path, [decided([9, 8, 7], [True, False, True])],
                 [decided([9, 8], [True, False], run=SECOND, machine="bbbb1111")])
    assert made.differing == []
    (row,) = made.instances.rows.to_dict("records")
    assert (row["instances"], row["a_gave_up"], row["differing"]) == (2, 0, 0)


def test_other_nodes_of_an_algorithm_are_named_with_their_instance(tmp_path):
    made = sides(tmp_path, [decided([9, 8], [True, False])], [decided([9, 6], [True, False])])
    assert [str(one) for one in made.differing] == [
        "nodes of fewest_lines on blocked 20, seed 1, instance 2 at n = 8: 8 in A, 6 in B"]


def test_two_algorithms_must_agree_in_their_answers_alone(tmp_path):
    made = sides(tmp_path, [decided([9, 8, 7], [True, False, None])],
                 [decided([2, 3, 4], [True, True, True], "bitmask")])
    assert [str(one) for one in made.wrong] == [
        "fewest_lines (python) answered not solvable instead of solvable for blocked 20, seed 1, "
        "instance 2 at n = 8"]
    assert made.differing == []
    assert made.instances.rows.empty
    assert [point[-1] for point in made.instances.only_a] == ["fewest_lines"]
    assert [point[-1] for point in made.instances.only_b] == ["bitmask"]


def test_the_algorithms_of_a_run_are_compared_by_comparing_it_with_itself(tmp_path):
    run = [decided([9], [True]), decided([9], [False], "bitmask")]
    made = sides(tmp_path, run, run)
    assert (len(made.wrong), made.differing) == (1, [])


def test_a_search_that_was_allowed_fewer_nodes_gives_up_earlier(tmp_path):
    few = decided([5, 10, 10, 10], [True, None, None, True], allowed=10)
    many = decided([5, 11, 10, 10], [True, False, False, True], allowed=100)
    made = sides(tmp_path, [few], [many])
    assert [str(one) for one in made.differing] == [
        "nodes of fewest_lines on blocked 20, seed 1, instance 3 at n = 8: gave up in A, 10 in B"]
    (row,) = made.instances.rows.to_dict("records")
    assert (row["a_gave_up"], row["b_gave_up"]) == (2, 1)


def test_instances_of_another_seed_or_amount_are_others(tmp_path):
    made = sides(tmp_path, [decided([9], [True]), decided([9], [True], amount=21)],
                 [decided([8], [False], seed=2), decided([8], [False], amount=22)])
    assert (made.differing, made.wrong) == ([], [])
    assert (len(made.instances.only_a), len(made.instances.only_b)) == (2, 2)


def test_of_several_records_of_a_point_the_newest_counts(tmp_path):
    made = sides(tmp_path, [decided([9], [True]), decided([8], [True], run=SECOND)],
                 [decided([8], [True])])
    assert made.differing == []


def test_runs_without_instances_have_none(tmp_path):
    made = sides(tmp_path, [timed()], [timed(run=SECOND)]).instances
    assert (made.rows.empty, made.only_a, made.only_b) == (True, [], [])
