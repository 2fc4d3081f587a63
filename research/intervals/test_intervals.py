"""The programs print a table; `repeat` takes minutes, so its pairs are tested only."""

import pandas as pd
import plans
import repeat
import trees


def test_plans_of_a_small_count_hold_its_number_of_solutions_mostly(capsys):
    plans.main(["14", "--seeds", "20"], standalone_mode=False)
    assert capsys.readouterr().out.startswith("n = 14, ")


def test_each_tree_is_estimated_by_each_method(capsys):
    trees.main(["--seeds", "1", "--probes", "20"], standalone_mode=False)
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "1 estimates of each tree from 20 probes"
    assert len(rows) == 2 + len(trees.TREES) * len(trees.estimates.METHODS)


def test_intervals_without_a_common_point_are_disjoint():
    found = pd.DataFrame([("times", "a", 1.0, 2.0), ("times", "a", 1.5, 3.0),
                          ("times", "a", 2.5, 3.0), ("times", "b", 9.0, 9.5)],
                         columns=["what", "solver", "low", "high"])
    assert [disjoint for _, disjoint in repeat.pairs(found)] == [False, True, False]
