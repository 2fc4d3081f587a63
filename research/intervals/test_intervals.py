"""The programs print a table; `repeat` takes minutes, so its pairs are tested only."""

import null
import pandas as pd
import plans
import repeat
import trees


def test_plans_of_a_small_count_hold_its_number_of_solutions_mostly(capsys):
    plans.main(["14", "--seeds", "20"], standalone_mode=False)
    assert capsys.readouterr().out.startswith("n = 14, ")


def test_a_tree_and_a_pair_of_trees_have_a_row_each():
    row = trees.single("queens", "bitmask", "6", seeds=2, probes=10**4)
    assert row[:4] == ["6", "bitmask", 153, 0.0] and row[4:] == [1.0, 1.0]
    problem, *names, _ = trees.PAIRS[-1]
    row = trees.paired(problem, names, 6, seeds=2, probes=10**4)
    assert row[4] == 1.0 and row[5] < 1e-9


def test_intervals_without_a_common_point_are_disjoint():
    found = pd.DataFrame([("times", "a", 1.0, 2.0), ("times", "a", 1.5, 3.0),
                          ("times", "a", 2.5, 3.0), ("times", "b", 9.0, 9.5)],
                         columns=["what", "solver", "low", "high"])
    assert [disjoint for _, disjoint in repeat.pairs(found)] == [False, True, False]


def test_a_table_of_equal_code_is_false_if_a_verdict_says_that_it_differs():
    equal, slower = ([1.0, 1.01, 0.99, 1.02, 0.98], [1.2, 1.21, 1.19, 1.2, 1.2])
    tables = [{8: null.ratio(each, [1.0] * 5)} for each in (equal, slower)]
    told = null.summarise(tables)
    assert (told["false"], told["fails"], told["found"], told["held"]) == (1, 1, 1, 0.5)
    assert null.summarise([{}])["smallest"] != told["smallest"] > 0
