"""The effects of parameters: what a product of factors gives back, and what cannot be known."""

import re
from itertools import product
from math import exp, isnan, prod
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nqbench.analysis import effects, effects_by_size, interval, typical
from nqbench.records.record import Samples
from nqbench.report.drawings import told
from nqbench.study.fields import ALGORITHMS, N
from nqbench.study.plan import read_study
from nqbench.topics.searches.section_saving import MOST_TERMS, draw_effects

LEVELS = {"depth": [0, 1, 4], "order": ["rows", "fewest"], "mirror": [False, True]}
CELLS = [dict(zip(LEVELS, values, strict=True)) for values in product(*LEVELS.values())]
SMALL = st.floats(-2, 2)


def name(cell):
    """The name of a variant: any that is its own."""
    return ":".join(["mine", *[",".join(f"{k}={v}" for k, v in cell.items())] * (
        cell != CELLS[0])])


def records(cells, cost, sizes=(6, 7, 8), processes=3, rounds=2):
    """Records of cells: `cost` of a cell, n, process and round is both its nodes and its time."""
    points = [(cell, n, metric, samples) for cell in cells for n in sizes for metric, samples in (
        ("nodes", [cost(cell, n, 0, 0)]),
        ("seconds", Samples([cost(cell, n, p, r) for p in range(processes) for r in range(rounds)],
                            processes)))]
    return pd.DataFrame([{
        "run": "r", "machine": "m", "status": "measured", "implementation": "python",
        "algorithm": name(cell), "parameters": cell, "n": n, "metric": metric, "samples": samples}
        for cell, n, metric, samples in points] or None)


def find(found, metric, term):
    (row,) = found[(found["metric"] == metric) & (found["term"] == term)].to_dict("records")
    return row


@settings(max_examples=5)
@given(st.tuples(SMALL, SMALL), SMALL, SMALL, SMALL, st.lists(SMALL, min_size=6, max_size=6))
def test_factors_and_an_interaction_come_back(depths, fewest, mirror, both, noise):
    single = {("depth", 1): depths[0], ("depth", 4): depths[1], ("order", "fewest"): fewest,
              ("mirror", True): mirror}

    def cost(cell, n, process, turn):
        found = sum(single.get(pair, 0) for pair in cell.items())
        found += both * (cell["order"] == "fewest" and cell["mirror"])
        return 100 * 5**n * exp(found + noise[2 * process + turn])

    found = effects(records(CELLS, cost))
    assert len(found) == 2 * (4 + 5)
    for metric in ("nodes", "seconds"):
        for term, logarithm in (
                ("depth=1", depths[0]), ("depth=4", depths[1]),
                ("order=fewest", fewest + both / 2), ("mirror=true", mirror + both / 2),
                ("order=fewest,mirror=true", both), ("depth=4,mirror=true", 0)):
            row = find(found, metric, term)
            # What slows a round slows all variants, so no interval has a width.
            assert [row["factor"], row["low"], row["high"]] == pytest.approx([exp(logarithm)] * 3)
            assert (row["first_n"], row["last_n"]) == (6, 8)


def test_the_range_of_nodes_is_over_n_and_the_interval_of_times_over_processes():
    def cost(cell, n, process, turn):
        return (n if cell["mirror"] else 2.0 * n**2) * (1 + process * cell["mirror"])

    found = effects(records(CELLS, cost, sizes=(4, 5, 10)))  # of n = 4 there is one round
    nodes, times = (find(found, metric, "mirror=true") for metric in ("nodes", "seconds"))
    assert (nodes["low"], nodes["high"]) == pytest.approx((1 / 20, 1 / 10))
    assert nodes["factor"] == pytest.approx((1 / 20 * 1 / 10) ** 0.5)
    each = [1.0, 2.0, 3.0]
    assert [times[key] / nodes["factor"] for key in ("low", "factor", "high")] == pytest.approx(
        [interval(each)[0], typical(each), interval(each)[1]])
    assert isnan(find(effects(records(CELLS, cost, processes=2)), "seconds", "order=fewest")["low"])


def test_one_part_at_a_time_gives_effects_without_interactions():
    cells = [CELLS[0], *(CELLS[0] | {key: value} for key, values in LEVELS.items()
                         for value in values[1:])]
    found = effects(records(cells, lambda cell, *_: prod(
        {"4": 3.0, "fewest": 0.5, "True": 0.25}.get(str(value), 1.0) for value in cell.values())))
    assert set(found["kind"]) == {"effect"}
    assert [find(found, "nodes", term)["factor"] for term in (
        "depth=1", "depth=4", "order=fewest", "mirror=true")] == pytest.approx([1, 3, 0.5, 0.25])


def test_only_an_n_at_which_all_variants_were_measured_counts():
    rows = records(CELLS, lambda cell, n, *_: float(n))
    rows = rows[(rows["n"] < 8) | (rows["algorithm"] != name(CELLS[5]))]
    assert set(effects(rows)["last_n"]) == {7}
    assert effects(rows[rows["algorithm"] == "mine"]).empty
    assert effects(rows.assign(parameters=None)).empty


def test_the_example_of_the_documents_has_these_effects(tmp_path, no_plugins):
    text = (Path(__file__).parents[2] / "docs/ablation.md").read_text("utf-8")
    for name in ("parts.py", "parts.toml"):
        (found,) = re.findall(rf"```\w+ {re.escape(name)}\n(.*?)```", text, re.DOTALL)
        (tmp_path / name).write_text(found)
    plan = read_study(tmp_path / "parts.toml")
    cells = {str(solver.algorithm.parameters): solver.algorithm for solver in plan[ALGORITHMS][:-1]}
    rows = records([each.parameters for each in cells.values()],
                   lambda cell, n, *_: cells[str(cell)].profile(n).nodes, plan[N], 1, 1)
    found = effects(rows[rows["metric"] == "nodes"])
    printed = found[["term", "against", "factor", "low", "high"]].round(3).to_string(index=False)
    assert f"```text\n{printed}\n```" in text


@pytest.mark.parametrize("values", [2, 60])
def test_the_plot_shows_the_effects_that_are_farthest_from_1(values):
    cells = [{"mirror": mirror, "depth": depth} for mirror in (False, True)
             for depth in range(values)]
    found = effects(records(cells, lambda cell, *_: 2.0 ** (cell["depth"] - cell["mirror"])))
    left, right = draw_effects(found, "mine").axes
    shown = [text for points in told(left) for _, text in points]
    assert len(shown) == 2 * min(values, MOST_TERMS)
    assert shown[0][:3] == (["nodes, mirror=true", "against: mirror=false", "factor: 0.5"]
                            if values == 2 else
                            ["nodes, depth=40", "against: depth=0", "factor: 1.1 × 10¹²"])
    assert len(right.get_yticks()) == min(values - 1, MOST_TERMS)


def estimated(runs, sizes=(8, 24)):
    """Records of trees of the variants of depth: `runs` has the nodes that each run found."""
    cells = [cell for cell in CELLS if cell["order"] == "rows" and not cell["mirror"]]
    return pd.DataFrame([{
        "run": "r", "machine": "m", "status": "measured", "implementation": "python",
        "algorithm": name(cell), "parameters": cell, "n": n, "metric": "tree",
        "samples": [{"runs": [nodes * n for nodes in runs[cell["depth"]]]}]}
        for cell in cells for n in sizes])


def test_effects_on_estimated_trees_have_the_interval_of_shared_runs():
    plain = [90.0, 100.0, 110.0, 100.0, 95.0, 105.0, 100.0, 100.0]
    found = effects_by_size(estimated({
        0: plain, 1: [nodes / 2 for nodes in plain],
        4: [nodes * share for nodes, share in zip(plain, [0.2, 0.3] * 4, strict=True)]}))
    half, quarter = (found[found["term"] == f"depth={depth}"].set_index("n") for depth in (1, 4))
    assert half[["factor", "low", "high"]].to_numpy() == pytest.approx(0.5)
    assert half["per_queen"].tolist() == pytest.approx([1, 1])
    low, factor, high = quarter.loc[24, ["low", "factor", "high"]]
    assert 0.19 < low < 0.22 < factor < 0.27 < high < 0.31
    both = effects(estimated({0: plain, 1: plain, 4: plain}))
    assert set(both["metric"]) == {"nodes"} and both["factor"].tolist() == pytest.approx([1, 1])


def test_exact_trees_count_before_estimated_ones():
    exact = records([cell for cell in CELLS if cell["order"] == "rows" and not cell["mirror"]],
                    lambda cell, n, *_: n * 4.0 ** cell["depth"], sizes=(8,))
    trees = estimated({depth: [1.0, 2.0] for depth in (0, 1, 4)})
    found = effects_by_size(pd.concat([exact, trees]))
    rows = found[found["term"] == "depth=1"].set_index("n")
    assert rows["factor"].to_dict() == pytest.approx({8: 4, 24: 1})
    assert rows["low"].isna().to_dict() == {8: True, 24: False}
    assert rows["per_queen"].iloc[0] == pytest.approx(0.25 ** (1 / 16))
