"""The first chart: the steps from brute force to the engine, at one n that all of them have."""

import pandas as pd
import pytest
from kept import lines, read, said, sampled, write

from nqbench.report.style import to_svg
from nqbench.topics.searches import section_time
from nqbench.topics.searches.section_time import draw_steps

KERNELS = pd.DataFrame({
    "n": [14, 18, 18, 18, 18], "kernel": ["portable", "portable", "avx2", "avx512", "avx512"],
    "jobs": [1, 1, 1, 1, 2], "seconds": [1.0, 20.0, 5.0, 2.0, 1.0],
    "ratio": [8.0, 8.0, 32.0, 80.0, 160.0], "low": [7.5, 7.5, 30.0, 75.0, 150.0],
    "high": [8.5, 8.5, 34.0, 85.0, 170.0]})


def test_the_steps_are_of_the_largest_n_that_all_of_them_have_and_so_is_compiling(records):
    made = read(records)
    facts, text = made.parts["steps"].facts, said(made, "steps")
    sizes = made.frames.timings.groupby(["algorithm", "implementation"])["n"].agg(set)
    steps, compiled = (max(set.intersection(*map(sizes.get, solvers))) for solvers in (
        section_time.STEPS, [("somers", "python"), ("somers", "cython")]))
    assert (facts.n, set(facts.compiled["n"])) == (steps, {compiled})
    assert steps != compiled
    assert list(facts.steps["step"]) == list(section_time.STEPS.values())
    assert list(facts.compiled["solver"]) == ["somers (python)", "somers (cython)"]
    assert f"Five ideas make counting {steps} queens in Python" in text
    assert f"compiling makes counting {compiled} queens" in text


@pytest.fixture
def those(records):
    """The records of the searches that are steps."""
    names = {name for name, _ in section_time.STEPS}
    return [line for line in lines(records) if line.get("algorithm") in names]


@pytest.mark.thorough
def test_at_one_n_no_step_is_shown_twice(those, tmp_path):
    write(tmp_path, [line for line in those if line.get("n") == 7])
    table = read(tmp_path).parts["steps"].tables["steps"]
    assert list(table["solver"].value_counts()[["somers (python)", "somers (cython)"]]) == [1, 1]
    assert table["times"].isna().sum() == 1


@pytest.mark.thorough
def test_a_factor_is_over_the_step_before(those, tmp_path):
    names = [*section_time.STEPS, ("somers", "cython")]
    seconds = {name: 2.0 ** -place for place, name in enumerate(names)}
    write(tmp_path, [
        sampled(line, [seconds[line["algorithm"], line["implementation"]]] * 5)
        if line["metric"] == "seconds" and line["status"] == "measured"
        and (line["algorithm"], line["implementation"]) in seconds else line
        for line in those])
    part = read(tmp_path).parts["steps"]
    assert list(part.facts.steps["times"])[1:] == [2] * 5
    assert "queens in Python 32 times as fast; compiling makes counting" in part.finding
    assert part.finding.endswith("queens 2 times as fast")


@pytest.mark.parametrize(("names", "steps"), [
    (["recursive", "bitmask"], ["stop at the first attack", "lines as bits of a word"]),
    (["recursive"], None)])
def test_the_steps_that_were_measured_remain_and_one_alone_is_no_chart(
        those, tmp_path, names, steps):
    write(tmp_path, [line for line in those if line["algorithm"] in names])
    parts = read(tmp_path).parts
    assert (list(parts["steps"].facts.steps["step"]) if "steps" in parts else None) == steps
    if steps:  # without marks, which are an idea between them
        assert parts["steps"].finding.startswith("Two ideas make counting ")


def test_the_engine_goes_from_somers_to_threads_at_its_largest_n():
    found = section_time.engine_steps(KERNELS)
    assert list(found["n"]) == [18] * 4
    assert list(found["seconds"]) == [160, 20, 2, 1]
    assert list(found["times"])[1:] == [8, 10, 2]
    assert list(found["step"])[2:] == ["vectors: sixteen boards at once", "2 threads"]
    # Between kernels, the interval is the widest that theirs allow.
    assert list(found[["times_low", "times_high"]].iloc[2]) == [75 / 8.5, 85 / 7.5]


@pytest.mark.parametrize("kernels", [KERNELS[:0], KERNELS[KERNELS["kernel"] == "avx2"]])
def test_without_the_portable_kernel_the_engine_has_no_steps(kernels):
    assert section_time.engine_steps(kernels).empty


def drawn(*steps):
    """The panels of steps, each with its n and its seconds."""
    return draw_steps(pd.DataFrame(
        [(n, f"step {k}", f"solver {k}", seconds, *[None] * 5)
         for k, (n, seconds) in enumerate(steps)], columns=section_time.COLUMNS)).axes


def test_each_n_has_a_panel_with_a_dot_for_each_step():
    panels = drawn((7, 0.1), (7, 0.2), (7, 0.3), (12, 0.1), (12, 0.2))
    assert [len([line for line in axes.lines if line.get_marker() == "o"])
            for axes in panels] == [3, 2]
    assert [axes.get_title(loc="left") for axes in panels] == ["7 queens", "12 queens"]


def test_times_of_two_decades_are_marked_by_powers_of_ten_alone():
    """Between them matplotlib would write more, one over the other."""
    (axes,) = drawn((10, 7.38e-3), (10, 1.14e-4))
    to_svg(axes.figure)
    left, right = axes.get_xlim()
    assert [label.get_text() for label in axes.get_xticklabels()
            if left <= label.get_position()[0] <= right] == ["100 µs", "1 ms", "10 ms"]
    assert not any(label.get_text() for label in axes.get_xticklabels(minor=True))
