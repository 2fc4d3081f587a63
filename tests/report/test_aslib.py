"""A scenario of ASlib has the nodes, the features and the folds of a study of instances."""

import json
import re
from io import BytesIO
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from conftest import RESULTS

from nqbench.errors import InvalidValueError
from nqbench.problems.instances import blocked, generate
from nqbench.records.runs import find_run, group, locate
from nqbench.report.aslib import of_board, scenario
from nqbench.report.exports import export


def search(algorithm, samples, solvable=None, **more):
    return {"metric": "transition", "status": "measured", "algorithm": algorithm, "n": 6,
            "implementation": "python", "family": "blocked", "amount": 4, "seed": 1,
            "nodes_allowed": 100, "samples": samples,
            "solvable": solvable or [True] * len(samples)} | more


def files_of(*records):
    with ZipFile(BytesIO(scenario([SimpleNamespace(records=records)]))) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def table(text):
    """The attributes and the rows of a file of ARFF."""
    head, _, data = text.partition("@DATA\n")
    names = re.findall(r"^@ATTRIBUTE (\w+) ", head, re.MULTILINE)
    rows = [dict(zip(names, (cell.strip("'") for cell in line.split(",")), strict=True))
            for line in data.splitlines()]
    return names, rows


def described(text):
    return {key: json.loads(value) for key, _, value in (
        line.partition(": ") for line in text.splitlines())}


TWO = search("a", [3, 100, 7], [True, None, False]), search("b", [5, 6], nodes_allowed=200)


def test_each_instance_has_the_nodes_and_the_status_of_each_algorithm():
    _, rows = table(files_of(*TWO)["algorithm_runs.arff"])
    assert [(row["instance_id"], row["algorithm"], row["nodes"], row["runstatus"])
            for row in rows] == [
        ("blocked-6-4-1-0", "a@python", "3", "ok"), ("blocked-6-4-1-0", "b@python", "5", "ok"),
        ("blocked-6-4-1-1", "a@python", "100", "timeout"),
        ("blocked-6-4-1-1", "b@python", "6", "ok"),
        ("blocked-6-4-1-2", "a@python", "7", "ok"), ("blocked-6-4-1-2", "b@python", "?", "other")]


def test_a_search_beyond_the_least_limit_timed_out():
    files = files_of(search("a", [3]), search("b", [150], nodes_allowed=200))
    assert described(files["description.txt"])["algorithm_cutoff_time"] == 100
    assert table(files["algorithm_runs.arff"])[1][1] == {
        "instance_id": "blocked-6-4-1-0", "repetition": "1", "algorithm": "b@python",
        "nodes": "100", "runstatus": "timeout"}


def test_the_features_are_those_of_the_instances():
    files = files_of(*TWO)
    names, rows = table(files["feature_values.arff"])
    boards = generate(lambda random: blocked(6, 4, random), 3, seed=1)
    assert [tuple(int(row[name]) for name in names[2:]) for row in rows] == [*map(of_board, boards)]
    about = described(files["description.txt"])
    assert about["features_deterministic"] == names[2:]
    assert about["feature_steps"] == {"all": {"provides": names[2:]}}
    assert {row["all"] for row in table(files["feature_runstatus.arff"])[1]} == {"ok"}


def test_each_instance_is_in_one_fold_and_the_file_is_always_the_same():
    many = [search(name, [1] * 25) for name in "ab"]
    _, rows = table(files_of(*many)["cv.arff"])
    folds = [row["fold"] for row in rows]
    assert len({row["instance_id"] for row in rows}) == 25
    assert {folds.count(fold) for fold in folds} == {2, 3}
    runs = [SimpleNamespace(records=many)]
    assert export(runs, "aslib") == export(runs, "aslib")


@pytest.mark.parametrize("records", [
    [], [search("a", [1])], [search("a", [1]), search("b", [], status="left out")],
    [{"metric": "seconds", "status": "measured"}]])
def test_a_run_without_two_algorithms_is_no_scenario(records):
    with pytest.raises(InvalidValueError, match="--format aslib needs a run in which two or more"):
        scenario([SimpleNamespace(records=records)])


@pytest.mark.slow
@pytest.mark.needs("liac-arff")
@pytest.mark.parametrize(("name", "instances", "algorithms"), [
    ("2026-11-22T20:35", 400, 7), ("2026-11-24T10:11", 1669, 6)])
def test_a_published_study_is_read_as_a_scenario(tmp_path, name, instances, algorithms):
    """By liac-arff and PyYAML, on which the programs that read ASlib stand."""
    import arff
    import yaml  # a dependency of asv

    run = find_run(group(locate(str(RESULTS))), name)
    with ZipFile(BytesIO(scenario([run]))) as packed:
        found = {file: arff.loads(packed.read(file).decode()) for file in packed.namelist()
                 if file.endswith(".arff")}
        about = yaml.safe_load(packed.read("description.txt"))
    assert len(about["metainfo_algorithms"]) == algorithms
    assert {file: len(each["data"]) for file, each in found.items()} == {
        "algorithm_runs.arff": instances * algorithms, "feature_values.arff": instances,
        "feature_runstatus.arff": instances, "cv.arff": instances}


@pytest.mark.slow
def test_instances_of_queens_and_sudoku_are_two_scenarios():
    runs = group(locate(str(RESULTS)))
    with pytest.raises(InvalidValueError, match="--format aslib needs a run"):
        scenario([find_run(runs, "2026-11-22T20:35"), find_run(runs, "2026-11-24T10:11")])
