"""Study files: their keys, and the messages for mistakes."""

import json
import re

import pytest
from conftest import measured, refused
from hypothesis import given
from hypothesis import strategies as st

import nqbench
from nqbench.study.fields import parse_seconds, parse_sizes
from nqbench.study.files import read_study
from nqbench.study.presets import MOST, Preset, declared, solvers

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


LIMITS = {**MOST, **{name: field.most for name, field in declared().items() if field.most}}


@pytest.mark.parametrize("name", LIMITS)
def test_each_number_has_a_limit_in_a_file_and_in_a_preset(tmp_path, name):
    most, path = int(LIMITS[name]), tmp_path / "many.toml"
    start = '[study]\nalgorithms = ["bitmask"]\n' + ("" if name in ("n", "max_n") else "n = 4\n")
    said = f"{name} must be "
    for value in (most + 1, 10**17):
        path.write_text(f"{start}{name} = {value}\n", "utf-8")
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {said}"):
            read_study(path)
    for value in (most + 1, -1, float("nan")):
        allowed = f"at most {most:,}" if value == most + 1 else "0 or more"
        with pytest.raises(ValueError, match=f"^{said}{allowed}, not "):
            Preset(**{"budget": 1, name: (value,) if name in ("n", "amounts") else value})
    assert Preset(**{"budget": 1, name: (most,) if name in ("n", "amounts") else most})


def test_a_preset_refuses_a_field_that_no_experiment_declares():
    with pytest.raises(ValueError, match="there is no key 'bugdet'; did you mean budget"):
        Preset(budget=1, bugdet=2)


def test_a_list_of_numbers_has_a_limit():
    with pytest.raises(ValueError, match="amounts must be at most 1,000 numbers, not 1,001"):
        Preset(budget=1, amounts=(1,) * 1001)


@pytest.mark.parametrize("words", [("--samples", 10**17), ("--budget", 1e17), ("-n", "9" * 17)])
def test_an_option_has_the_limit_of_its_field(run, words):
    status, out, err = run("study", "-a", "bitmask", "-n", "4", *words)
    assert (status, out) == (2, "")
    assert re.fullmatch(r"nqbench: (samples|budget|n) must be .*, not \S+\n", err)


def test_a_file_names_algorithms_and_implementations(masks):
    name, preset = read_study(masks)
    assert name == "masks"
    assert (preset.sizes, preset.samples, preset.processes, preset.budget) == ((4, 5), 2, 1, 20.0)
    assert [str(solver) for solver in solvers(5, preset)] == [
        "bitmask (python)", "recursive (python)"]
    assert preset.metrics == ("seconds", "nodes")


@pytest.mark.parametrize(("old", "new", "says"), [
    ("samples", "sampels", "there is no key 'sampels'; did you mean samples"),
    ('"4-5"', '"5-4"', "n must be numbers of queens, as in 8, 6-12 or 6,8,10, not '5-4'"),
    ('"recursive"', '"recursion"', "there is no algorithm 'recursion'; did you mean recursive"),
    ('"recursive"', '"explicit"', "algorithms that find all solutions; explicit finds one"),
    ('"bitmask@python"', '"bitmask@rust"', "bitmask has no implementation 'rust'"),
    ('["bitmask@python", "recursive"]', "[]", "algorithms must be a list of at least one algorit"),
    ('"nodes"', '"nods"', "there is no metric 'nods'; did you mean nodes"),
    ("samples = 2", "samples = 0", "samples must be 1 or more, not 0"),
    ("samples = 2", "probes = 1", "probes must be 2 or more, not 1"),
    ('"20 s"', '"20"', 'budget must be a time as in 90, "30 s", "5 min" or "2 h", not \'20\''),
    ('"masks"', '"quick"', "not be that of a preset, not 'quick'"),
    ('"masks"', '"a/b"', "name must have 1 to 40 letters, digits"),
    ("[study]", "[studies]", "must have one table, [study]"),
    ("[study]", "[study", "is not a study file in TOML"),
    ('n = "4-5"', "", "a study needs n"),
])
def test_a_mistake_is_named_with_its_file(masks, old, new, says):
    masks.write_text(MASKS.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=r"masks\.toml") as caught:
        read_study(masks)
    assert says in str(caught.value)


@pytest.mark.slow
def test_a_study_measures_what_its_file_says_and_resumes(masks, tmp_path):
    def interrupt(what, elapsed, budget):
        if what.startswith("n = 5"):
            raise KeyboardInterrupt

    results = tmp_path / "results"
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run(masks, results=results, progress=interrupt)
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
    (["masks"], "FILE must be a study file, NAME.toml, not 'masks'; --preset chooses a preset"),
    (["none.toml"], "none.toml cannot be read: No such file or directory"),
    (["--preset", "quick", "-a", "bitmask"], "--preset is not supported with a study file, -a"),
    (["-a", "bitmask"], "a study needs n; add -n, as in -n 6-10"),
    (["-n", "5"], "a study needs algorithms; add -a ALGORITHM"),
    (["-a", "bitmask", "-n", "x"], "n must be numbers of queens"),
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
