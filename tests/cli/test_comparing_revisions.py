"""`nqbench compare` of two revisions of the package: built, measured in turns, told truthfully."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import refused
from examples import FIRST, SECOND, counted, head, timed
from hypothesis import given
from hypothesis import strategies as st

from nqbench.records.record import to_line
from nqbench.records.runs import group, locate
from nqbench.search.metrics import METRICS
from nqbench.study import revisions
from nqbench.util.versions import Revision, find_revision, git

HERE = Path(__file__).parents[2]
PACKAGE = {"nqbench/_version.py": "one", "ext/core.pyx": "", "setup.py": "1 / 0"}
# What stands for the package of a revision: it notes its name, and copies records that are there.
FAKE = """
import sys
from pathlib import Path
here = Path(__file__).parent
with (here.parents[1] / "order").open("a") as order:
    order.write(here.parent.name)
results = Path(sys.argv[sys.argv.index("--results") + 1])
results.mkdir()
(results / "run.jsonl").write_text((here / "records").read_text())
"""
SLEEP = """
import os, subprocess, sys, time
from pathlib import Path
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
(Path(__file__).parents[2] / "pids").write_text(f"{os.getpid()} {other.pid} ")
time.sleep(60)
"""


def commit(folder, **changes):
    for name, text in ({**PACKAGE, "nqbench/_version.py": json.dumps(changes)}).items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    for words in (("add", "-A"), ("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "1")):
        subprocess.run(["git", *words], check=True, cwd=folder)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone of something like this package, with two commits."""
    folder = tmp_path / "clone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git(folder, "init", "-q")
    commit(folder, number=1)
    commit(folder, number=2)
    return folder


def fake(folder, name, factor=1.0, nodes=2057, main=FAKE, study=()):
    """The package of a revision, in which bitmask takes so many times as long."""
    when = SECOND if name == "B" else FIRST
    begun = head(timed(run=when)) | METRICS["study"].fields | {
        "n": 0, "status": "begun", "samples": [], "study": {"n": [8], **dict(study)}, "limits": {},
        "unlimited": {}}
    records = [begun, begun | {"status": "complete", "points": 0},
               timed(samples=[factor, 1.1 * factor], run=when),
               counted(timed(run=when), "nodes", nodes)]
    package = folder / name / "nqbench"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(main)
    (package / "records").write_text("".join(map(to_line, records)))
    return folder / name


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Have revisions built as these fakes; the last commit is called B, the one before it A."""
    def make(processes=2, **sides):
        monkeypatch.setattr(revisions, "PROCESSES", processes)
        for name, fields in sides.items():
            fake(tmp_path, name, **fields)
        monkeypatch.setattr(revisions, "build", lambda revision, folder: tmp_path / (
            "A" if revision.commit == git(Path(), "rev-parse", "HEAD~1") else "B"))
    return make


def test_two_revisions_are_measured_in_turns_and_make_a_page(run, clone, build, tmp_path):
    build(4, A={}, B={"factor": 2.0})
    status, out, err = run("compare", "HEAD~1", "HEAD", "--out", "page")
    assert status == 0
    assert "measured in turns, process by process" in out
    assert "A is HEAD~1, B is HEAD, measured in turns; the records are in " in err
    assert (tmp_path / "order").read_text() == "ABBAABBA"
    assert {path.name for path in Path("page").iterdir()} == {
        "SHA256SUMS", "index.html", "comparison.csv", "comparison.md", "comparison.svg"}
    text = Path("page/index.html").read_text()
    assert "<code>HEAD~1</code>" in text
    assert [*pd.read_csv("page/comparison.csv")[["a", "b"]].iloc[0]] == ["HEAD~1", "HEAD"]
    assert "Of 1 point, B is slower at 1 and faster at 0" in text
    assert "B takes 2 times as long as A" in text
    sides = group(locate("results"))
    assert [(run.commit, run.context["dirty"], run.state) for run in sides] == [
        (git(clone, "rev-parse", name), False, "complete") for name in ("HEAD~1", "HEAD")]


def test_revisions_with_records_are_not_measured_again(run, clone, build, monkeypatch):
    build(A={}, B={"factor": 2.0})
    run("compare", "HEAD~1", "HEAD")
    monkeypatch.setattr(revisions, "measure", pytest.fail)
    words = "compare", "HEAD~1", "HEAD", "-a", "bitmask@python", "-n", 8, "--json"
    (point,) = json.loads(run(*words)[1])["points"]
    assert (point["ratio"], point["interleaved"]) == (pytest.approx(2), True)


@pytest.mark.parametrize("more", [
    (), ("-a", "bitmask", "-a", "somers"), ("-a", "bitmask", "-n", "8-9")])
def test_records_of_a_few_searches_do_not_pass_for_all(run, clone, build, monkeypatch, more):
    few = {"study": {"algorithms": ["bitmask"]}}
    monkeypatch.setattr(revisions, "PRESET", "quick")  # that of these records
    build(A=few, B=few)
    run("compare", "HEAD~1", "HEAD", "-a", "bitmask")
    assert "measured in turns; the records" not in run(
        "compare", "HEAD~1", "HEAD", "-a", "bitmask")[2]
    assert "measured in turns; the records" in run("compare", "HEAD~1", "HEAD", *more)[2]


def test_counts_of_revisions_that_differ_are_told(run, clone, build):
    build(A={}, B={"nodes": 2139})
    status, out, err = run("compare", "HEAD~1", "HEAD", "--json")
    assert status == 1
    assert "nodes of bitmask (python) at n = 8: 2057 in A, 2139 in B" in err
    assert not json.loads(out)["points"]  # the times of a search that is wrong


def test_the_working_tree_is_what_git_tracks_as_it_is_now(clone):
    assert find_revision("worktree").archived == git(clone, "rev-parse", "HEAD")
    Path("setup.py").write_text("changed")
    git(clone, "config", "user.useConfigOnly", "true")  # there is no user
    found = find_revision("worktree")
    assert found.commit == git(clone, "rev-parse", "HEAD")
    assert git(clone, "show", f"{found.archived}:setup.py") == "changed"
    assert git(clone, "status", "--porcelain") == " M setup.py"


@pytest.mark.parametrize(("words", "said"), [
    (("HEAD", "HEAD~0"), "HEAD and HEAD~0 are the same"),
    (("HEAD", "worktree"), "HEAD and worktree are the same"),
    (("HEAD~1", "HEAD~9"), "there is no folder 'results' with results"),
    (("HEAD~1", "HEAD"), "HEAD~1 cannot be built: "),
    (("HEAD~1", "HEAD", "-n", "x"), "n must be numbers of queens")])
def test_revisions_that_cannot_be_compared_are_refused_in_one_line(clone, run, words, said):
    assert refused(run("compare", *words)).startswith(said)


@pytest.mark.parametrize(("shallow", "said"), [
    (True, "this clone is shallow: `git fetch --unshallow` gets all revisions"),
    (False, "revisions of nqbench can be compared in a clone of its repository")])
def test_without_its_history_a_revision_is_refused(
        clone, run, tmp_path, monkeypatch, shallow, said):
    copy = tmp_path / "copy"
    if shallow:
        subprocess.run(["git", "clone", "-q", "--depth=1", clone.as_uri(), str(copy)], check=True)
    else:
        monkeypatch.setattr("nqbench.util.versions.git", lambda folder, *words: None)
    (copy / "results").mkdir(parents=True)
    monkeypatch.chdir(copy)
    assert refused(run("compare", "HEAD~1", "HEAD")).endswith(said)


def test_ctrl_c_leaves_no_process(clone, tmp_path):
    fake(tmp_path, "A", main=SLEEP)
    code = ("import sys; from pathlib import Path; from nqbench.study import revisions; "
            f"revisions.build = lambda *_: Path({str(tmp_path / 'A')!r}); "
            "from nqbench.cli import run; sys.argv = ['nqbench', 'compare', 'HEAD~1', 'HEAD']; "
            "sys.exit(run())")
    started = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": str(HERE)})
    pids = tmp_path / "pids"
    while started.poll() is None and not (pids.is_file() and pids.read_text().endswith(" ")):
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    assert started.communicate(timeout=60)[1].endswith("nqbench: interrupted\n")
    assert started.returncode == 130
    for pid in map(int, pids.read_text().split()):
        assert not alive(pid)


def alive(pid):
    """Whether a process runs; one that has ended may not be waited for yet."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.is_file() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=3, max_size=8))
def test_only_processes_of_which_both_revisions_have_samples_are_paired(taken):
    about = head(timed()) | {"metric": "study", "n": 0, "status": "begun", "samples": []}
    own, other = ([[about, *[timed(samples=[1.0 + number])] * there]
                   for number, there in enumerate(side)] for side in zip(*taken, strict=True))
    revision = Revision("HEAD", "b" * 40, "c" * 40)
    found = revisions.merge(own, other, FIRST, revision)
    both = [float(number + 1) for number, pair in enumerate(taken) if all(pair)] or [
        float(number + 1) for number, pair in enumerate(taken) if pair[0]]
    times = [record for record in found if record["metric"] == "seconds"]
    if times:
        assert [each["samples"] for each in times] == [[one] for one in both]
        assert [each["process"] for each in times] == [*range(len(both))]
    else:
        assert not taken[0][0] or both[0] != 1 or 2 * len(both) < len(taken)
    assert {record["turns"] for record in found} == {FIRST}
    assert all(record["context"]["dirty"] for record in found)


@pytest.mark.thorough
@pytest.mark.skipif(not git(HERE, "rev-parse", "HEAD"), reason="this is no clone")
def test_a_planted_change_of_this_package_is_found(run, tmp_path, monkeypatch):
    subprocess.run(["git", "clone", "-q", str(HERE), str(tmp_path / "clone")], check=True)
    monkeypatch.chdir(tmp_path / "clone")
    monkeypatch.setattr(revisions, "PROCESSES", 3)
    search = Path("nqbench/problems/queens/recursive.py")
    search.write_text(re.sub(r"( +)(tally\.test\()", r"\1tally.test(0, 0)\n\1\2",
                             search.read_text()))
    status, out, _ = run("compare", "HEAD", "worktree", "-a", "recursive", "-n", 6, "--json")
    assert status == 1
    assert {"tests"} <= {each["metric"] for each in json.loads(out)["differing"]}


def test_a_build_keeps_its_temporary_files_in_its_folder(tmp_path):
    (tmp_path / "pip.py").write_text("import tempfile\nprint(tempfile.gettempdir())")
    ran = subprocess.run([sys.executable, "-c", revisions.PIP], cwd=tmp_path, text=True,
                         capture_output=True, check=True, env=os.environ | {
                             "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": ""})
    assert ran.stdout == f"{tmp_path.resolve()}\n"
