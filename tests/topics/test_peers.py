"""Peers: they count rightly, a study measures them beside our own searches, and the page compares
them.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import faulty
import pandas as pd
import pytest
from conftest import SOLUTIONS, measured, stop_at
from kept import facts, few, lines, peer, read, said, write

import nqbench
from nqbench.analysis import interval, typical
from nqbench.problems.peers import PEERS, Peer
from nqbench.records.descriptions import presets
from nqbench.records.record import join
from nqbench.study import frame
from nqbench.study.loop import Study
from nqbench.study.plan import find_preset
from nqbench.topics.peers import measurement, section
from nqbench.topics.peers.measurement import BASELINE, IN_PYTHON


@pytest.mark.parametrize("peer", [
    pytest.param(peer, id=peer.name, marks=pytest.mark.needs(peer.name)) for peer in PEERS])
def test_a_peer_counts_what_is_published(peer):
    assert [peer.count(n) for n in range(1, 7)] == [SOLUTIONS[n] for n in range(1, 7)]


def test_the_version_is_that_of_the_package():
    assert Peer("pytest", "pytest", "", len).installed() == pytest.__version__
    assert Peer("none", "no-such-package", "", len).installed() is None


@pytest.mark.slow
def test_no_peer_is_imported_before_it_is_used():
    code = ("import sys\nimport nqbench.topics.peers.measurement\n"
            "from nqbench.problems.peers import PEERS\n[peer.installed() for peer in PEERS]\n"
            "print({'clingo', 'dlxsolver', 'exact_cover', 'numba', 'ortools', 'pysat'}"
            " & set(sys.modules))")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "set()\n"


FAKES = [Peer(name, package, "", count) for name, package, count in (
    ("right", "pytest", faulty.right), ("wrong", "pytest", faulty.one_less),
    ("raising", "pytest", faulty.raises_above_4), ("dying", "pytest", faulty.dies_above_4),
    ("forgetting", "pytest", faulty.forgets_above_4),
    ("hanging", "pytest", faulty.hangs_above_4), ("broken", "pytest", faulty.cannot_start),
    ("absent", "no-such-package", faulty.right))]
SMALL = {"budget": 60, "n": "4-6", "samples": 2, "share": 0.02, "experiments": ["peers"],
         "processes": 2}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """The records of a study of these, by name and n."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurement, "PEERS", FAKES)
        patch.setitem(presets(), "peers", SMALL)
        nqbench.study.run("peers", results=folder)
    return {(r["peer"], r["n"]): r for r in join(measured(folder))}


@pytest.mark.slow
def test_every_contender_has_a_record_at_every_n(rows):
    names = [*measurement.OWN, *(peer.name for peer in FAKES)]
    assert list(rows) == [(name, n) for n in (4, 5, 6) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*measurement.OWN, "right"])
def test_a_right_answer_is_timed(rows, name):
    for n, solutions in faulty.RIGHT.items():
        record = rows[name, n]
        assert (record["status"], record["solutions"]) == ("measured", solutions)
        assert (len(record["samples"]), record["fault"]) == (2 if n == 4 else 4, None)
        assert record["processes"] == 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n", "status", "fault"), [
    ("wrong", 4, "failed", "counted 1 instead of 2"),
    ("wrong", 6, "failed", "counted 3 instead of 4"),
    ("raising", 4, "measured", None),
    ("raising", 5, "failed", "OverflowError: n is too large for me"),
    ("forgetting", 5, "failed", "counted 0 instead of 10"),
    ("dying", 6, "failed", "its process ended with status 7"),
    ("hanging", 5, "timed out", "stopped after 1.2 s"),
    ("hanging", 6, "left out", None),  # predicted to take longer
    ("broken", 4, "failed", "ImportError: a library is missing"),
    ("absent", 4, "not installed", None)])
def test_what_goes_wrong_is_recorded(rows, name, n, status, fault):
    record = rows[name, n]
    assert (record["status"], record["fault"]) == (status, fault)
    assert bool(record["samples"]) == (status == "measured")


@pytest.mark.slow
def test_versions_are_those_installed(rows):
    assert rows["right", 4]["version"] == pytest.__version__
    assert rows["absent", 4]["version"] is None
    assert rows[BASELINE, 4]["version"] == nqbench.__version__


@pytest.mark.slow
def test_no_process_is_left(rows):
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_an_interrupted_study_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(measurement, "OWN", {BASELINE: ("cross", "cython")})
    monkeypatch.setattr(measurement, "PEERS", FAKES[-1:])
    monkeypatch.setitem(presets(), "peers", SMALL)
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("peers", results=tmp_path, progress=stop_at("n = 5, round 2"))
    assert multiprocessing.active_children() == []
    nqbench.study.run("peers", results=tmp_path, resume=True)
    assert [(r["n"], r["status"], r["process"]) for r in measured(tmp_path)] == [
        *((n, status, 0) for n in (4, 5, 6) for status in ("measured", "not installed")),
        *((n, "measured", 1) for n in (4, 5, 6))]


def test_the_preset_measures_nothing_else():
    assert {name for name, _ in Study(find_preset("peers")).steps} == {"peers"}
    assert {c.name for c in measurement.contenders()} == {
        *measurement.OWN, *(peer.name for peer in PEERS)}


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")
def test_ctrl_c_stops_a_count_that_hears_nothing(tmp_path):
    """The signal reaches the whole group, as from a keyboard."""
    code = ("import faulty\nfrom nqbench.topics.peers import measurement as contenders\n"
            "if __name__ == '__main__':\n"
            "    child = contenders.Contender('a', 'a', '1', faulty.hangs_above_4)\n"
            "    child.start(1000)\n"
            "    print('ready', flush=True)\n"
            "    try:\n        child.ask(5, 0, 1000)\n"
            "    finally:\n        child.stop()\n")
    (tmp_path / "hang.py").write_text(code)
    with subprocess.Popen([sys.executable, tmp_path / "hang.py"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
    assert errors.count("KeyboardInterrupt") == 1  # none from the child


def row(**fields):
    return {"schema": 1, "run": "2026-01-01", "time": "2026-01-01", "preset": "peers",
            "context": {"machine": "m"}, "metric": "peer", "status": "measured", "n": 8,
            "peer": BASELINE, "package": "nqbench", "version": "0.1.0", "samples": [1.0, 2.0, 4.0],
            "loops": 1, "solutions": 92, "fault": None, "predicted": None} | fields


SLOW = row(peer="slow", package="slow", samples=[10.0, 10.0, 80.0])


def test_ratios_are_taken_round_by_round():
    rows = section.against_peers(frame([row(), SLOW])).to_dict("records")
    for each, quotients in zip(rows, ([1.0] * 3, [10.0, 5.0, 20.0]), strict=True):
        assert [each[name] for name in ("times", "times_low", "times_high")] == pytest.approx(
            [typical(quotients), *interval(quotients)])
    assert (rows[1]["seconds"], rows[1]["low"], rows[1]["high"]) == pytest.approx(
        (typical(SLOW["samples"]), *interval(SLOW["samples"])))


def test_what_was_not_measured_has_no_figures():
    wrong = {"status": "failed", "samples": [], "solutions": 91, "fault": "counted 91"}
    found = section.against_peers(frame([row(), SLOW | wrong]))
    assert list(found["status"]) == ["measured", "failed"]
    assert found[["seconds", "times"]].iloc[1].isna().all()
    assert (found["solutions"].iloc[1], found["fault"].iloc[1]) == (91, "counted 91")


def test_without_the_cross_at_that_n_there_is_no_ratio():
    (row,) = section.against_peers(frame([SLOW])).to_dict("records")
    assert row["seconds"] == pytest.approx(20)
    assert pd.isna(row["times"])


def test_the_newest_run_counts_unless_it_measured_fewer_peers():
    both = frame([row(), SLOW, row(run="2026-02-01"), SLOW | {"run": "2026-02-01"},
                  row(run="2026-03-01"), row(run="2026-04-01", n=7),
                  row(run="2026-05-01", context={"machine": "x"})])
    assert set(section.latest_peers(both, "m")["run"]) == {"2026-02-01"}
    assert set(section.latest_peers(both, "x")["run"]) == {"2026-05-01"}


def test_of_two_machines_that_began_at_the_same_moment_one_is_shown():
    both = frame([record | {"context": {"machine": machine},
                            "samples": [slower * sample for sample in record["samples"]]}
                  for record in (row(), SLOW) for machine, slower in (("a", 1), ("b", 10))])
    found = section.latest_peers(both)
    assert found["machine"].nunique() == 1
    assert list(section.against_peers(found)["times"]) == pytest.approx([1, 10])


def test_without_records_there_are_no_rows_and_without_times_no_figures():
    assert section.latest_peers(frame([row()]), "y").empty
    assert section.against_peers(section.latest_peers(frame([]))).empty
    absent = row(status="not installed", samples=[], loops=None, solutions=None)
    (found,) = section.against_peers(frame([absent])).to_dict("records")
    assert (found["status"], found["samples"], found["verdict"]) == ("not installed", 0, "")
    assert found["seconds"] != found["seconds"]


def beside(records, folder, *changed):
    """Put records of the peers, some of them changed, beside those of a study."""
    study = few(records)
    write(folder, [*study, *(peer(study[0], **fields) for fields in ({}, *changed))])


NUMBA = {"peer": "numba", "package": "numba", "version": "0.68", "samples": [1.0, 1.0, 1.125]}
GONE = {"samples": [], "loops": None, "solutions": None}


def test_peers_stand_beside_the_cross(records, tmp_path):
    beside(records, tmp_path, NUMBA, GONE | {
        "peer": "<clingo>", "package": "clingo", "version": "5.8", "status": "failed",
        "solutions": 91, "fault": "counted 91 instead of 92"}, GONE | {
        "peer": "CP-SAT", "package": "ortools", "version": None, "status": "not installed"},
        GONE | {"peer": "exact-cover", "package": "exact-cover", "version": "1.5",
                "status": "timed out", "fault": "stopped after 3 s"})
    made = read(tmp_path)
    text = said(made, "peers")
    times, (low, high) = typical([2.0, 4.0, 3.0]), interval([2.0, 4.0, 3.0])
    assert f"the slowest, numba,\ntakes {times:.3g} times as long (95 %: {low:.3g} to " in text
    assert f"to {high:.3g})" in text
    assert '<p class="bad">&lt;clingo&gt; failed at n = 8: counted 91 instead of 92.</p>' in text
    assert "Not installed: CP-SAT.</p>" in text
    assert text.count("From <code>nqbench study --preset peers") == 1
    assert "<p>exact-cover timed out at n = 8: stopped after 3 s.</p>" in text
    assert "peers" in made.parts["peers"].figures
    table = made.parts["peers"].tables["peers"]
    assert list(table["status"]) == ["measured", "measured", "failed", "not installed",
                                     "timed out"]
    assert list(table["times"].fillna(0)) == pytest.approx([1, times, 0, 0, 0])


@pytest.mark.thorough
def test_peers_are_set_beside_plain_python_too(records, tmp_path):
    beside(records, tmp_path, NUMBA, NUMBA | {"peer": "clingo", "samples": [5.0, 5.0, 5.0]},
           NUMBA | {"peer": IN_PYTHON, "package": "nqbench", "samples": [2.0, 2.0, 2.0]})
    found = facts(read(tmp_path), "peers")
    assert (found.slower_than_python, found.others) == (1, 2)
    assert list(found.table["peer"]) == [BASELINE, "numba", IN_PYTHON, "clingo"]


@pytest.mark.thorough
def test_a_peer_that_fails_does_not_move_the_comparison(records, tmp_path):
    ours = {"n": 5, "solutions": 10}
    beside(records, tmp_path, NUMBA, ours, NUMBA | ours, NUMBA | ours | {"peer": "clingo"},
           GONE | {"peer": "clingo", "package": "clingo", "status": "timed out"})
    assert facts(read(tmp_path), "peers").n == 5  # the most were measured there
    beside(records, tmp_path, NUMBA, ours, NUMBA | ours, NUMBA | ours | {"peer": "clingo"},
           GONE | {"peer": "clingo", "package": "clingo", "status": "failed", "fault": "no"})
    assert facts(read(tmp_path), "peers").n == 8
    text = said(tmp_path, "peers")
    assert '<p class="bad">clingo failed at n = 8: no.</p>' in text


@pytest.mark.thorough
def test_one_search_alone_is_shown_beside_no_peer(records, tmp_path):
    beside(records, tmp_path)
    text = said(tmp_path, "peers")
    assert "takes\n" not in text
    assert "in plain Python:" not in text
    assert "every answer was compared" in text


def test_nothing_is_compared_with_a_baseline_that_is_wrong(records):
    first = lines(records)[0]
    found = section.against_peers(section.latest_peers(frame([
        peer(first, n=4, solutions=3), peer(first), *(
            peer(first, n=n, solutions=many, peer="numba", package="numba")
            for n, many in ((4, 2), (8, 92)))])))
    assert list(found["status"]) == ["failed", "wrong", "measured", "measured"]
    assert found["times"].isna().all()


def test_a_peer_that_is_wrong_fails_in_its_section_and_not_the_command(records, tmp_path):
    first = lines(records)[0]
    write(tmp_path, [peer(first), peer(first, peer="clingo", package="clingo", solutions=91)])
    made = read(tmp_path)
    assert made.wrong == []
    assert '<p class="bad">clingo failed at n = 8: counted 91 instead of 92.</p>' in said(
        made, "peers")
