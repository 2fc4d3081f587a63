"""A grid of parameters in a study file, its cells and their records."""

from pathlib import Path

import pytest
from conftest import measured, refused
from kept import said

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.report import builder
from nqbench.study import outside
from nqbench.study.fields import ALGORITHMS
from nqbench.study.plan import make_plan, read_study

IDEA = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"').replace(
    "def idea(n, tally):", 'def idea(n, tally, skip=0, order="rising", part="all"):').replace(
    "range(n):", 'range(n - skip) if order == "rising" else reversed(range(n)):')
STUDY = """
[study]
name = "parts"
algorithms = ["idea.py", "bitmask@python"]
baseline = "bitmask"
n = "4-6"
samples = 2
processes = 3
budget = "5 min"
"""
SHORT = STUDY.replace("4-6", "4").replace("processes = 3", "processes = 1")
LOCAL = Path("results/local")
GRID = '[grid]\norder = ["rising", "falling"]\npart = ["all", "none"]\n'
NAMES = ["idea", "idea:part=none", "idea:order=falling", "idea:order=falling,part=none"]

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with idea.py and a study of its parameters; checks are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(outside, "CHECKED_N", 5)
    Path("idea.py").write_text(IDEA)
    Path("parts.toml").write_text(STUDY + GRID)
    return tmp_path


def names(text):
    Path("parts.toml").write_text(text)
    return [solver.algorithm.name for solver in read_study("parts.toml")[ALGORITHMS]]


def test_the_cells_of_a_grid_are_all_combinations_and_others_are_measured_once(here):
    assert names(STUDY + GRID) == [*NAMES, "bitmask"]
    single = "idea.py::idea:part=none,order=falling"
    both = STUDY.replace('"idea.py"', f'"idea.py", "{single}"')
    assert names(f'{both}[grid]\npart = ["none", "all"]\n') == [
        NAMES[1], NAMES[0], NAMES[3], "bitmask"]
    text = both.replace(f'["idea.py", "{single}", "bitmask@python"]',
                        f'"idea.py, {single}, bitmask@python"')
    assert names(text) == ["idea", NAMES[3], "bitmask"]
    assert names(text.replace('baseline = "bitmask"', f'baseline = "{single}"'))


@pytest.mark.parametrize(("grid", "says"), [
    ("ordr = ['falling']", "there is no parameter of idea: 'ordr'; did you mean order?"),
    ("skip = ['x']", "the skip of idea must be a whole number, 0 or more, not 'x'"),
    ("skip = 1", "[grid] must have a list of values for each parameter, as in depth = [0, 1, 2], "
     "not {'skip': 1}"),
    (f"skip = {[*range(1001)]}", "the grid has 1,001 cells, more than 1,000; measure them all the "
     "same with --yes")])
def test_a_grid_that_is_wrong_is_refused_in_one_line(here, run, grid, says):
    Path("parts.toml").write_text(f"{STUDY}[grid]\n{grid}\n")
    assert refused(run("study", "parts.toml")) == f"parts.toml: {says}"
    assert not Path("results").exists()


def test_a_large_grid_may_be_wanted_and_one_for_nobody_is_refused(here):
    Path("parts.toml").write_text(f"{STUDY}[grid]\nskip = {[*range(1001)]}\n")
    assert len(read_study("parts.toml", large=True)[ALGORITHMS]) == 1002
    with pytest.raises(ValueError, match=r"no algorithm of the study takes depth of its \[grid\]"):
        make_plan("mine", {"depth": [1]}, algorithms="bitmask", n=5)


@pytest.mark.thorough
@pytest.mark.slow
def test_cells_are_checked_measured_and_shown_with_their_parameters(here, run):
    status, out, err = run("study", "parts.toml")
    assert (status, out.partition(",")[0]) == (0, "15 points measured")
    assert "4 cells of parameters, 15 points in all: after the checks, measuring takes" in err
    records = nqbench.analysis.load("results/local")
    timings, counters, samples = (getattr(nqbench.analysis, name)(records) for name in (
        "timings", "counters", "samples"))
    for found in (records, timings, counters, samples):
        rows = found[found["algorithm"] == NAMES[1]]
        assert set(zip(rows["skip"].dropna(), rows["part"].dropna(), strict=True)) == {(0, "none")}
        assert found.loc[found["algorithm"] == "bitmask", "part"].isna().all()
    assert "part" not in nqbench.analysis.timings(records[records["algorithm"] == "bitmask"])
    found = nqbench.analysis.effects(records)
    nodes = found[found["metric"] == "nodes"]
    assert list(nodes["term"]) == ["order=falling", "part=none", "order=falling,part=none"]
    assert nodes[["factor", "low", "high"]].to_numpy() == pytest.approx(1)  # the tree is the same
    text = " ".join(said(builder.read(here / "results"), "effects").split())
    assert "over n = 5 to 6. An <i>effect</i> is how many times as many nodes" in text


@pytest.mark.slow
def test_a_cell_that_counts_wrong_is_not_measured_and_the_others_are(here, run):
    Path("parts.toml").write_text(f"{SHORT}[grid]\nskip = [0, 1]\n")
    status, _, err = run("study", "parts.toml")
    assert status == 1
    assert "idea:skip=1 is not measured, as it is wrong: n = 1: 1 of 1 solutions are missing" in err
    assert {record["algorithm"] for record in measured(LOCAL)} == {"idea", "bitmask"}
