"""External algorithms in a study: their records, and when they are refused."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import measured, refused, stop_at
from kept import said as said_on_page
from programs import CACHED

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.errors import PluginError
from nqbench.explain.recordings import RECORDED_N
from nqbench.problems.plugins.limits import STOPPED
from nqbench.problems.queens import find
from nqbench.records.record import read
from nqbench.study import experiments, outside
from nqbench.study.fields import BASELINE
from nqbench.study.plan import read_study

IDEA = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"')
UNSOUND = IDEA.replace("range(n):", "range(n - 1):")
FEW = {"n": [4, 5], "samples": 1, "processes": 1, "budget": 60}
LOCAL = Path("results/local")
WORDS = ["study", "-a", "idea.py", "--samples", 1, "--processes", 1, "--budget", 60, "-n"]
PACKAGE = Path(nqbench.__file__).parents[1]

pytestmark = [pytest.mark.usefixtures("no_plugins"), pytest.mark.slow]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with idea.py; checks are short."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(outside, "CHECKED_N", 5)
    write(IDEA)
    return tmp_path


def write(text, name="idea"):
    Path(f"{name}.py").write_text(text.replace("def idea", f"def {name}"), "utf-8")


def doing(statement):
    """The search, which does something at first."""
    return IDEA.replace("    columns = []", f"    {statement}\n    columns = []", 1).replace(
        "import nqbench", "import nqbench, os, tempfile, time", 1)


def found(folder=LOCAL):
    """The files of records."""
    return list(folder.glob("*.jsonl"))


def described(folder):
    """The records that describe an algorithm."""
    return [record for record in read(folder, pytest.fail) if record["metric"] == "algorithm"]


def execute(*words, path=""):
    """Run Python in a separate process, with a folder of packages."""
    environment = os.environ | {"PYTHONPATH": f"{PACKAGE}{os.pathsep}{path}"}
    return subprocess.run([sys.executable, *map(str, words)], text=True, capture_output=True,
                          env=environment)


def test_its_records_have_its_source_and_its_description(here):
    nqbench.study.run(algorithms=["idea.py", "bitmask@python"], results="r", **FEW)
    source = sha256(IDEA.encode()).hexdigest()
    assert {(record["algorithm"], record.get("source")) for record in measured(Path("r"))} == {
        ("idea", source), ("bitmask", None)}
    (said,) = described(Path("r"))
    assert (said["algorithm"], said["source"]) == ("idea", source)
    assert said["description"] == {
        "technique": "list of columns, scan of earlier rows", "origin": "idea.py", "year": None,
        "symmetry": "none", "uses_symmetry": False, "keeps_marks": False, "tree": "own",
        "finds": "all solutions", "implementations": ["python"], "file": "idea.py",
        "repository": {"commit": None, "changed": None, "imports": {}},
        "checked": True, "warnings": [], "program": {}}
    assert [recording["n"] for recording in said["recordings"]] == list(RECORDED_N)
    assert str(here) not in found(Path("r"))[0].read_text("utf-8")


def test_a_wrong_one_is_refused_in_one_line_and_leaves_no_file(here, run):
    write(UNSOUND)
    assert refused(run(*WORDS, "4,5")).startswith(
        "idea is not measured, as it is wrong: n = 1: 1 of 1 solutions are missing, the first is ")
    assert found() == []


def test_a_wrong_one_among_others_is_left_out_with_a_warning(here):
    write(UNSOUND)
    with pytest.warns(UserWarning, match="idea is not measured, as it is wrong: n = 1: 1 of 1 s"):
        nqbench.study.run(algorithms=["idea.py", "bitmask@python"], results="r", **FEW)
    assert {record["algorithm"] for record in measured(Path("r"))} == {"bitmask"}


def test_the_warnings_of_its_check_are_kept_and_shown(here, run):
    write(CACHED)
    status, _, err = run(*WORDS, "4,5")
    (said,) = described(LOCAL)
    (warning,) = said["description"]["warnings"]
    assert (status, "a second search runs" in warning) == (0, True)
    assert f"nqbench: idea, {warning}" in err.splitlines()
    assert f"nqbench: idea, {warning}" in run("compare", LOCAL, LOCAL)[2].splitlines()
    assert f"<li>idea, {warning}</li>" in said_on_page(LOCAL, "header")


def test_every_record_says_that_it_is_not_checked(here, run):
    write(UNSOUND)
    assert run(*WORDS, "4,5", "--unchecked")[0] == 1  # its totals are wrong
    assert {record["algorithm"] for record in measured(LOCAL)} == {"idea (unchecked)"}
    (said,) = described(LOCAL)
    assert (said["algorithm"], said["description"]["checked"]) == ("idea (unchecked)", False)


def test_searches_that_do_not_all_find_the_same_have_no_time(here, run):
    """One finds nothing from its fourth call on, and one in its first call."""
    faults = {"> 3": "round 1 found 0, not 4",
              "== 1": "the timed build finds 4 solutions, the counting build 0"}
    for name, calls in zip(("idea", "other"), faults, strict=True):
        write(IDEA.replace("tally.node(level)", "tally.node(level)\n        if not level and "
                           f"len(CALLS) {calls}: return").replace(
            "    columns = []", "    CALLS.append(n)\n    columns = []") + "\n\nCALLS = []\n", name)
    status, _, err = run(*WORDS, "6", "-a", "other.py", "--unchecked", "--metrics", "seconds,nodes")
    assert status == 1
    times = [one for one in measured(LOCAL) if one["metric"] == "seconds"]
    for name, fault, one in zip(("idea", "other"), faults.values(), times, strict=True):
        assert f"nqbench: {name} (unchecked) (python), n = 6: {fault}; it has no samples\n" in err
        assert (one["status"], one["samples"], one["fault"]) == ("failed", [], fault)


@pytest.fixture
def interrupted(here):
    """A study of which n = 5 is missing."""
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run(algorithms=["idea.py"], progress=stop_at("n = 5"), **FEW)
    return here


def state(run):
    (only,) = json.loads(run("results", "list", "--json")[1])["runs"]
    return only["state"]


def test_one_that_changed_since_the_run_began_is_not_resumed(interrupted, run):
    before = found()[0].read_bytes()
    write(IDEA + "\n")
    assert refused(run(*WORDS, "4,5", "--resume")) == (
        "the source of idea has changed since that run began; begin a new one, without --resume")
    assert found()[0].read_bytes() == before


@pytest.mark.thorough
def test_the_algorithm_of_a_script_is_measured_in_every_process(here):
    """Also a variant. The script has no guard around its last statement, which child processes
    must not run.
    """
    text = IDEA.replace("def idea(n, tally)", "def mine(n, tally, width=3)")
    Path("script.py").write_text(text + (
        "\n\nnqbench.study.run(algorithms=['mine:2', 'idea.py'], n=[4, 5], samples=1,\n"
        "                  processes=2, results='r')\n"), "utf-8")
    done = execute("script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {(record["algorithm"], record["process"]) for record in measured(Path("r"))
            if record["metric"] == "seconds"} == {
        (name, process) for name in ("mine:2", "idea") for process in (0, 1)}
    assert {said["algorithm"]: said["description"]["file"] for said in described(Path("r"))} == {
        "mine:2": None, "idea": "idea.py"}


@pytest.mark.thorough
def test_the_algorithm_of_a_notebook_is_measured(here):
    """Its source is known by the cell's name only."""
    cells = [IDEA, "nqbench.study.run(algorithms=[idea], n=4, samples=1, processes=1, results='r')"]
    done = execute("-c", "import __main__, programs\n" + "".join(
        f"programs.cell(vars(__main__), {text!r})\n" for text in cells),
        path=Path(__file__).parents[1])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (said,) = described(Path("r"))
    assert (said["description"]["file"], said["source"]) == (
        None, sha256(IDEA.encode()).hexdigest())


def test_the_baseline_is_one_of_the_algorithms(here):
    with pytest.raises(ValueError, match="algorithms of the study, bitmask, idea, not 'somers'"):
        nqbench.study.run(algorithms=["idea.py", "bitmask"], baseline="somers", **FEW)
    assert found() == []


def test_paths_in_a_study_file_are_relative_to_it(here, monkeypatch):
    Path("my.toml").write_text(
        '[study]\nalgorithms = ["idea.py::idea", "bitmask"]\nbaseline = "idea.py"\nn = 4\n')
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    plan = read_study("../my.toml")
    assert (plan.name, plan[BASELINE]) == ("my", "idea")
    assert plan.algorithms[0].name == "idea"


def test_one_without_a_tree_has_no_nodes(here):
    write(IDEA.replace("algorithm(", 'algorithm(tree="none", ').replace(
        "tally.node(level)", "()"))
    nqbench.study.run(algorithms=["idea.py"], results="r", **FEW)
    assert {record["metric"] for record in measured(Path("r"))} == {"seconds", "solutions"}
    assert described(Path("r"))[0]["recordings"] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no supervisors")
@pytest.mark.parametrize(("statement", "keys", "status", "says"), [
    ("while n == 6: pass", {"time_limit": 0.3}, "timed out", "stopped after "),
    *(pytest.param(*each, marks=pytest.mark.thorough) for each in (
        ("n == 6 and bytes(10**9)", {"memory_limit": 10**8}, "out of memory",
         "stopped, as it needs more than 100 MB of memory"),
        ("[os.fork() or time.sleep(60) for _ in range(5) if n == 6]; n == 6 and time.sleep(60)",
         {"process_limit": 3}, "too many processes", "stopped, as it had more than 3 processes"),
        ("n == 6 and tempfile.TemporaryFile().write(bytes(10**7))", {"file_limit": 10**6},
         "too large a file", "stopped, as it wrote a file of more than 1 MB")))])
def test_a_search_that_reaches_a_limit_is_recorded_and_the_study_goes_on(
        here, run, monkeypatch, statement, keys, status, says):
    monkeypatch.setattr(outside, "RECORDING", 0.5)  # of a search that does not end
    monkeypatch.setattr(experiments, "LEAST", 0.5)
    write(doing(statement))
    study = {"algorithms": ["idea.py", "bitmask@python"], "n": "5-6", "samples": 2,
             "processes": 1, "budget": 10, **keys}
    Path("s.toml").write_text("[study]\n" + "".join(
        f"{key} = {json.dumps(value)}\n" for key, value in study.items()))
    code, out, _ = run("study", "s.toml", "--json")
    times = {(record["algorithm"], record["n"]): record for record in measured(LOCAL)
             if record["metric"] == "seconds"}
    assert {point: record["status"] for point, record in times.items()} == {
        **{(name, n): "measured" for name in ("idea", "bitmask") for n in (5, 6)},
        ("idea", 6): status}
    stopped = times["idea", 6]
    assert (stopped["samples"], stopped["fault"][:len(says)]) == ([], says)
    told = json.loads(out)
    assert (code, told[status.replace(" ", "_")], told["stopped"]) == (
        0, 1, [f"idea (python) at n = 6 was {stopped['fault']}"])
    assert status in STOPPED
    assert f"{status}: {stopped['fault']}" in set(nqbench.analysis.left_out(
        nqbench.analysis.load("results"))["reason"])
    (about, *_) = [record for record in read(LOCAL, pytest.fail)
                   if record["metric"] == "study"]
    named = {"time": None, "memory": "memory", "process": "processes", "file": "file_size"}
    for key, value in keys.items():
        kept = named[key.partition("_")[0]]
        assert about["study"][key] == value
        assert kept is None or about["limits"][kept] == value


@pytest.mark.parametrize(("imported", "statement"), [
    ("os", "if n == 9: os._exit(3)"), ("os", "os.chdir('/'); print('found')"),
    ("os; multiprocessing.parent_process() and (os.close(1), os.close(2), os.fork())", "()")])
def test_what_a_search_does_besides_harms_no_study(here, run, imported, statement):
    """It runs in child processes only; boards of 9 are those of the player."""
    write(f"import multiprocessing, {imported}\n" + doing(statement))
    status, out, _ = run(*WORDS, "4,5", "--json")
    assert (status, json.loads(out)["measured"]) == (0, 2)
    assert {record["n"] for record in measured(LOCAL)} == {4, 5}


def test_a_search_that_fails_is_recorded_and_the_study_goes_on(here, run):
    """So it does when it is resumed, without that search at that size."""
    says = {"ends": "its process ended with status 3",
            "raises": "the plug-in raises failed: raises.py, line 7: KeyError: 6"}
    write(doing("if n == 6: os._exit(3)"), "ends")
    write(doing("if n == 6: {}[n]"), "raises")
    names = ["bitmask@python", "ends.py", "raises.py"]
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run(algorithms=names, n="5-7", processes=1, samples=1,
                          progress=stop_at("n = 7"))
    status, out, err = run("study", "-n", "5-7", "--processes", 1, "--samples", 1, "--resume",
                           *(word for name in names for word in ("-a", name)))
    assert (status, out.split(",")[0]) == (1, "3 points measured")  # those of bitmask
    for name, why in says.items():
        assert f"nqbench: {name} (python), n = 6: {why}; it has no samples\n" in err
    assert "nqbench: 2 failures: " + "; ".join(
        f"{name} (python) at n = 6: {why}" for name, why in says.items()) + "\n" in err
    times = [(record["algorithm"], record["n"], record["status"]) for record in measured(LOCAL)
             if record["metric"] == "seconds"]
    assert sorted(times) == [
        (name, n, "failed" if n == 6 and name in says else "measured")
        for name in ("bitmask", *says) for n in (5, 6, 7)]
    assert state(run) == "complete"


def test_a_plug_in_whose_import_ends_its_process_is_named(here, run):
    write(f"import multiprocessing, os\n{IDEA}\nif multiprocessing.parent_process(): os._exit(3)")
    assert refused(run(*WORDS, "4,5", "--unchecked")) == (
        "an external algorithm cannot be loaded: its process ended with status 3")
    assert found() == []


def test_a_plug_in_that_fails_to_load_in_a_later_process_loses_its_own_points(here, run):
    """It counts its imports in a file, and raises from the fourth on."""
    write(IDEA, "other")
    write("from pathlib import Path\nseen = Path(__file__).with_suffix('.log')\n"
          "seen.write_text('x' + (seen.read_text() if seen.exists() else ''))\n"
          f"if len(seen.read_text()) > 4: raise OSError('no licence')\n{IDEA}")
    status, out, err = run("study", "-a", "idea.py", "-a", "other.py", "-n", "4-6", "--samples", 1,
                           "--processes", 3, "--budget", 60)
    assert status == 1 and "idea" in out + err and "no licence" in out + err
    kept = [(record["algorithm"], record["status"]) for record in measured(LOCAL)
            if record["metric"] == "seconds"]
    assert ("other", "measured") in kept and ("other", "failed") not in kept
    assert ("idea", "failed") in kept


def test_what_an_import_does_to_its_process_harms_no_command(here):
    write(f"import os; os.close(1); os.close(2); os.fork()\n{IDEA}")
    done = execute("-m", "nqbench", "count", "6", "-a", "idea.py")
    assert (done.returncode, done.stdout) == (0, "4\n")


def test_two_algorithms_of_one_name_are_refused(here):
    one = find("idea.py")
    with pytest.raises(ValueError, match="two algorithms have the name 'idea'"):
        nqbench.study.run(algorithms=[one, replace(one, technique="another")], **FEW)


def test_a_file_that_was_changed_after_it_was_loaded_is_refused(here):
    one = find("idea.py")
    write(IDEA + "\n")
    with pytest.raises(PluginError, match="the source of idea has changed since it was loaded"):
        nqbench.study.run(algorithms=[one], unchecked=True, **FEW)
    assert not found()
