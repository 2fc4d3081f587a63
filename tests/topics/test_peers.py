"""Peers: they count rightly, a study measures them beside our own searches, and the page compares
them.
"""

import multiprocessing
import subprocess
import sys

import faulty
import pytest
from conftest import SOLUTIONS, measured, stop_at
from examples import timed
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
@pytest.mark.thorough
def test_every_contender_has_a_record_at_every_n_with_its_version(rows):
    names = [*measurement.OWN, *(peer.name for peer in FAKES)]
    assert list(rows) == [(name, n) for n in (4, 5, 6) for name in names]
    assert [rows[name, 4]["version"] for name in (BASELINE, "right", "absent")] == [
        nqbench.__version__, pytest.__version__, None]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*measurement.OWN, "right"])
def test_a_right_answer_is_timed(rows, name):
    for n, solutions in faulty.RIGHT.items():
        record = rows[name, n]
        assert (record["status"], record["solutions"], record["fault"], record["processes"],
                len(record["samples"])) == ("measured", solutions, None, 2, 2 if n == 4 else 4)


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
def test_an_interrupted_study_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(measurement, "OWN", {BASELINE: ("cross", "cython")})
    monkeypatch.setattr(measurement, "PEERS", FAKES[-1:])
    monkeypatch.setitem(presets(), "peers", SMALL)
    before = {*multiprocessing.active_children()}  # of a solver that another test used
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("peers", results=tmp_path, progress=stop_at("n = 5, round 2"))
    assert {*multiprocessing.active_children()} <= before
    nqbench.study.run("peers", results=tmp_path, resume=True)
    assert [(r["n"], r["status"], r["process"]) for r in measured(tmp_path)] == [
        *((n, status, 0) for n in (4, 5, 6) for status in ("measured", "not installed")),
        *((n, "measured", 1) for n in (4, 5, 6))]
    assert {*multiprocessing.active_children()} <= before


def test_a_preset_measures_all_contenders_and_nothing_else():
    for preset in ("peers", "same_tree"):
        assert {name for name, _ in Study(find_preset(preset)).steps} == {preset}
    assert {c.name for c in measurement.Peers.find_contenders()} == {
        *measurement.OWN, *(peer.name for peer in PEERS)}


def row(**fields):
    return peer(timed(machine="m"), run="2026-01-01", samples=[1.0, 2.0, 4.0]) | fields


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
    absent = {"status": "not installed", "samples": [], "loops": None, "solutions": None}
    found = section.against_peers(frame([SLOW, row() | absent, row(peer="wrong") | wrong]))
    assert list(found["status"]) == ["measured", "not installed", "failed"]
    assert found["seconds"].iloc[1:].isna().all()
    assert found["times"].isna().all()  # without the cross at that n
    assert (found["solutions"].iloc[2], found["fault"].iloc[2]) == (91, "counted 91")
    assert (found["samples"].iloc[1], found["verdict"].iloc[1]) == (0, "")


def test_the_newest_run_counts_unless_it_measured_fewer_peers():
    both = frame([row(), SLOW, row(run="2026-02-01"), SLOW | {"run": "2026-02-01"},
                  row(run="2026-03-01"), row(run="2026-04-01", n=7),
                  row(run="2026-05-01", context={"machine": "x"})])
    assert set(section.latest_peers(both, "m")["run"]) == {"2026-02-01"}
    assert set(section.latest_peers(both, "x")["run"]) == {"2026-05-01"}
    assert section.latest_peers(both, "y").empty


def test_of_two_machines_that_began_at_the_same_moment_one_is_shown():
    both = frame([record | {"context": {"machine": machine}}
                  for record in (row(), SLOW) for machine in ("a", "b")])
    assert section.latest_peers(both)["machine"].nunique() == 1


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
    assert f"The slowest, numba,\ntakes {times:.3g} times as long (95 %: {low:.3g} to " in text
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
@pytest.mark.parametrize(("status", "n"), [("timed out", 5), ("failed", 8)])
def test_a_peer_that_fails_does_not_move_the_comparison(records, tmp_path, status, n):
    """The most were measured at n = 5."""
    ours = {"n": 5, "solutions": 10}
    beside(records, tmp_path, NUMBA, ours, NUMBA | ours, NUMBA | ours | {"peer": "clingo"},
           GONE | {"peer": "clingo", "package": "clingo", "status": status, "fault": "no"})
    assert facts(read(tmp_path), "peers").n == n


def test_nothing_is_compared_with_a_baseline_that_is_wrong(records):
    first = lines(records)[0]
    found = section.against_peers(section.latest_peers(frame([
        peer(first, n=4, solutions=3), peer(first), *(
            peer(first, n=n, solutions=many, peer="numba", package="numba")
            for n, many in ((4, 2), (8, 92)))])))
    assert list(found["status"]) == ["failed", "wrong", "measured", "measured"]
    assert found["times"].isna().all()
