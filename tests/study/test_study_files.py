"""Study files: their keys, and the messages for mistakes."""

import json
import re

import pytest
from conftest import measured, refused, stop_at
from hypothesis import given
from hypothesis import strategies as st

import nqbench
from nqbench.records.descriptions import presets
from nqbench.study.fields import BUDGET, CHOSEN, PROCESSES, SAMPLES, N, parse_seconds, parse_sizes
from nqbench.study.plan import (
    choose,
    experiment_names,
    find_experiment,
    find_preset,
    make_plan,
    read_study,
    readable,
    to_table,
)
from nqbench.topics.searches.measurement import solvers

MASKS = """
[study]
name = "masks"
algorithms = ["bitmask@python", "recursive"]
n = "4-5"
samples = 2
processes = 1
metrics = ["seconds", "nodes"]
budget = "20 s"
"""


@pytest.fixture
def masks(tmp_path):
    path = tmp_path / "masks.toml"
    path.write_text(MASKS, "utf-8")
    return path


@given(st.sets(st.integers(0, 40), min_size=1))
def test_sizes_are_those_that_were_written(sizes):
    assert parse_sizes(",".join(map(str, sizes))) == parse_sizes(list(sizes)) == tuple(
        sorted(sizes))
    assert parse_sizes(f"{min(sizes)}-{max(sizes)}") == tuple(range(min(sizes), max(sizes) + 1))


@pytest.mark.parametrize("value", ["", "x", "3-2", "-1", "1-2-3", "1.5", [], [True], [1.5], None,
                                   "0-1000", "9" * 30, ",".join(["0-999"] * 1001)])
def test_what_is_no_size_is_refused(value):
    with pytest.raises(ValueError, match="n must be "):
        parse_sizes(value)


@pytest.mark.parametrize("value", ["", "5", "5 weeks", "-5 s", "0 s", "min", 0, -1, float("nan")])
def test_what_is_no_budget_is_refused(value):
    with pytest.raises(ValueError, match="budget must be a"):
        parse_seconds(value)


KEYS = readable(experiment_names())
LIMITS = {name: field.most for name, field in KEYS.items() if field.most}


def minimal(name, **more):
    """The shortest study file of an experiment, with more keys."""
    needed = {each.name: 2 for each in find_experiment(name).reads if each.needed}
    return f'[study]\nexperiments = ["{name}"]\n' + "".join(
        f"{key} = {json.dumps(value)}\n" for key, value in {**needed, **more}.items())


VALUES = {"algorithms": ["bitmask"], "solvers": "pruning", "baseline": "bitmask", "n": 4,
          "metrics": ["nodes"], "family": "blocked", "visited": 64, "data": "hardest",
          "as_given": True}  # of some keys


@pytest.mark.parametrize("name", experiment_names())
def test_an_experiment_accepts_the_keys_that_it_reads_and_names_any_other(tmp_path, name):
    experiment, path = find_experiment(name), tmp_path / "s.toml"
    read = readable([name])
    for key in KEYS:
        value = VALUES.get(key, 1 if key in ("share", "patience") else 2)
        if key == "algorithms" and experiment.problems == ("sudoku",):
            value = ["fast"]
        also = {"algorithms": ["bitmask"]} if key == "baseline" else {}
        path.write_text(minimal(name, **{key: value}, **also), "utf-8")
        if key in read:
            read_study(path)
            continue
        with pytest.raises(ValueError, match=f"no experiment of this study reads {key}"
                           rf"( or algorithms)?; {name} reads .*budget$"):
            read_study(path)


@pytest.mark.parametrize("name", presets())
def test_a_preset_of_the_package_gives_what_its_experiments_read_and_need(tmp_path, name):
    given = "".join(f"{key} = {json.dumps(value)}\n" for key, value in presets()[name].items())
    (tmp_path / "same.toml").write_text(f"[study]\n{given}", "utf-8")
    plan = read_study(tmp_path / "same.toml")
    assert (plan.experiments, plan.given) == (
        find_preset(name).experiments, find_preset(name).given)


@pytest.mark.parametrize(("words", "key", "name"), [
    (["--metrics", "nodes"], "metrics", "ladder"), (["--baseline", "bitmask"], "baseline", "trees"),
    (["--processes", 2], "processes", "blocked"), (["--samples", 2], "samples", "estimate"),
    (["--samples", 2], "samples", "trees")])
def test_an_option_that_no_experiment_reads_is_refused_by_name(run, tmp_path, words, key, name):
    said = refused(run("study", "--preset", name, "--results", tmp_path / "r", *words))
    assert said.startswith(f"no experiment of this study reads {key}; ")
    assert not (tmp_path / "r").exists()


def test_what_is_asked_takes_the_place_of_what_a_file_has_for_it(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('[study]\nsolvers = "pruning"\nn = "1-9"\n', "utf-8")
    chosen = choose(path, n="4-5", algorithms=["bitmask@python"])
    assert (chosen[N], [str(each) for each in solvers(5, chosen)]) == (
        (4, 5), ["bitmask (python)"])
    table = to_table(chosen)
    assert make_plan(table.pop("name"), **table) == chosen


@pytest.mark.parametrize("name", LIMITS)
def test_each_number_has_a_limit(tmp_path, name):
    most, path = int(LIMITS[name]), tmp_path / "many.toml"
    reader = next(each for each in experiment_names() if name in readable([each]))
    said = f"{name} must be "
    for value in (most + 1, 10**17):
        path.write_text(minimal(reader, **{name: value}), "utf-8")
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {said}"):
            read_study(path)
    for value in (most + 1, -1, float("nan")):
        with pytest.raises((TypeError, ValueError), match=f"^{said}"):
            KEYS[name].read(value)
    assert KEYS[name].read(most) in (most, (most,))


def test_a_list_of_numbers_has_a_limit():
    with pytest.raises(ValueError, match="amounts must be at most 1,000 numbers, not 1,001"):
        KEYS["amounts"].read([1] * 1001)


def test_a_file_names_algorithms_and_implementations(masks):
    plan = read_study(masks)
    assert (plan.name, plan[N], plan[SAMPLES], plan[PROCESSES], plan[BUDGET]) == (
        "masks", (4, 5), 2, 1, 20.0)
    assert [str(solver) for solver in solvers(5, plan)] == [
        "bitmask (python)", "recursive (python)"]
    assert plan[CHOSEN] == ("seconds", "nodes")


@pytest.mark.parametrize(("old", "new", "says"), [
    ('"bitmask@python"', '"bitmask@rust"', "bitmask has no implementation 'rust'"),
    ('["bitmask@python", "recursive"]', "[]", "algorithms must be a list of at least one algorit"),
    ('["seconds", "nodes"]', "[]", "metrics must be a list of at least one metric, not []"),
    ('"masks"', '"quick"', "not be that of a preset, not 'quick'"),
    ('"masks"', '"a/b"', "name must have 1 to 40 letters, digits"),
    ("[study]", "[studies]", "must have one table, [study]"),
    ("[study]", "[study", "is not a study file in TOML"),
    ('n = "4-5"', "", "the experiment points needs n"),
    ("samples", "large", "there is no key 'large'"),
    ("samples = 2", 'solvers = "pruning"', "solvers is not supported with algorithms"),
    ("samples = 2", 'experiments = ["points", "ladder"]',
     "experiments of one problem: points is for queens, ladder is for instances"),
    ("samples = 2", 'experiments = ["ladder"]', "study reads processes or metrics; ladder reads"),
    (MASKS, '[study]\nexperiments = ["estimates"]', "the experiment estimates needs probes: rando"),
])
def test_a_mistake_is_named_with_its_file(masks, old, new, says):
    masks.write_text(MASKS.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=r"masks\.toml") as caught:
        read_study(masks)
    assert says in str(caught.value)


@pytest.mark.slow
def test_a_study_measures_what_its_file_says_and_resumes(masks, tmp_path):
    results = tmp_path / "results"
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run(masks, results=results, progress=stop_at("n = 5"))
    nqbench.study.run(masks, results=results, resume=True)
    records = measured(results)
    assert {(r["algorithm"], r["implementation"], r["n"], r["metric"]) for r in records} == {
        (algorithm, "python", n, metric) for algorithm in ("bitmask", "recursive")
        for n in (4, 5) for metric in ("seconds", "solutions", "nodes")}
    assert {record["preset"] for record in records} == {"masks"}


@pytest.mark.slow
def test_the_command_takes_files_and_options(run, masks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = json.loads(run("study", "masks.toml", "--json")[1])
    assert (found["preset"], found["measured"]) == ("masks", 4)
    found = json.loads(run("study", "-a", "bitmask@python", "-n", "4,5", "--samples", 2,
                           "--processes", 1, "--metrics", "seconds", "--json")[1])
    assert (found["preset"], found["measured"], found["records"]) == ("custom", 2, 4)


@pytest.mark.parametrize(("words", "says"), [
    (["masks"], "FILE must be a study file, NAME.toml, a file of puzzles, or one of the"),
    (["none.toml"], "none.toml cannot be read: No such file or directory"),
    (["--preset", "quick", "-a", "bitmask"],
     "algorithms are named for experiments of one problem: points is for queens, rates is for sud"),
    (["--preset", "quick", "masks.toml"], "--preset is not supported with a file"),
    (["-a", "bitmask"], "the experiment points needs n: numbers of queens, as in -n 6-10"),
    (["-n", "5"], "a study needs algorithms; add -a ALGORITHM"),
    (["-a", "bitmask", "-n", "5", "--samples", "0"], "--samples must be a whole number, 1 or more"),
])
def test_requests_that_make_no_sense_are_one_line(run, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    assert refused(run("study", *words)).startswith(says)
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
def test_a_study_whose_end_was_not_recorded_is_resumed_to_record_it(masks, tmp_path):
    results = tmp_path / "results"
    nqbench.study.run(masks, results=results)
    (path,) = results.iterdir()
    *lines, end = path.read_text("utf-8").splitlines(keepends=True)
    assert json.loads(end)["status"] == "complete"
    path.write_text("".join(lines), "utf-8")
    nqbench.study.run(masks, results=results, resume=True)
    *again, end = path.read_text("utf-8").splitlines(keepends=True)
    assert (again, json.loads(end)["status"]) == (lines, "complete")
    with pytest.raises(ValueError, match="no interrupted masks study"):
        nqbench.study.run(masks, results=results, resume=True)
