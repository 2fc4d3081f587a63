"""Peers beside our own searches: their counts are checked, and failures are recorded."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import faulty
import pytest
from conftest import measured

import nqbench
from nqbench.peers import Peer, peers
from nqbench.records.record import join
from nqbench.study import Preset, peering
from nqbench.study.presets import PRESETS
from nqbench.study.running import Study

pytestmark = pytest.mark.slow

FAKES = [Peer(name, package, "", count) for name, package, count in (
    ("right", "pytest", faulty.right), ("wrong", "pytest", faulty.one_less),
    ("raising", "pytest", faulty.raises_above_4), ("dying", "pytest", faulty.dies_above_4),
    ("forgetting", "pytest", faulty.forgets_above_4),
    ("hanging", "pytest", faulty.hangs_above_4), ("broken", "pytest", faulty.cannot_start),
    ("absent", "no-such-package", faulty.right))]
SMALL = Preset(budget=60, max_n=6, samples=2, share=0.02, first_n=4, experiments=("peers",),
               processes=2)


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The records of a study of these, by name and n."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peering, "peers", lambda: FAKES)
        patch.setitem(PRESETS, "peers", SMALL)
        nqbench.study.run("peers", results=folder)
    return {(r["peer"], r["n"]): r for r in join(measured(folder))}


def test_every_contender_has_a_record_at_every_n(lines):
    names = [*peering.OWN, *(peer.name for peer in FAKES)]
    assert list(lines) == [(name, n) for n in (4, 5, 6) for name in names]


@pytest.mark.parametrize("name", [*peering.OWN, "right"])
def test_a_right_answer_is_timed(lines, name):
    for n, solutions in faulty.RIGHT.items():
        record = lines[name, n]
        assert (record["status"], record["solutions"]) == ("measured", solutions)
        assert (len(record["samples"]), record["fault"]) == (2 if n == 4 else 4, None)
        assert record["processes"] == 2


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
def test_what_goes_wrong_is_recorded(lines, name, n, status, fault):
    record = lines[name, n]
    assert (record["status"], record["fault"]) == (status, fault)
    assert bool(record["samples"]) == (status == "measured")


def test_versions_are_those_installed(lines):
    assert lines["right", 4]["version"] == pytest.__version__
    assert lines["absent", 4]["version"] is None
    assert lines[peering.BASELINE, 4]["version"] == nqbench.__version__


def test_no_process_is_left(lines):
    assert multiprocessing.active_children() == []


def test_an_interrupted_study_goes_on(tmp_path, monkeypatch):
    def interrupt(what, gone, budget):
        if what.startswith("n = 5, round 2"):
            raise KeyboardInterrupt

    monkeypatch.setattr(peering, "OWN", {peering.BASELINE: ("cross", "cython")})
    monkeypatch.setattr(peering, "peers", lambda: FAKES[-1:])
    monkeypatch.setitem(PRESETS, "peers", SMALL)
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("peers", results=tmp_path, progress=interrupt)
    assert multiprocessing.active_children() == []
    nqbench.study.run("peers", results=tmp_path, resume=True)
    assert [(r["n"], r["status"], r["process"]) for r in measured(tmp_path)] == [
        *((n, status, 0) for n in (4, 5, 6) for status in ("measured", "not installed")),
        *((n, "measured", 1) for n in (4, 5, 6))]


def test_the_preset_measures_nothing_else():
    assert {name for name, _ in Study("peers", PRESETS["peers"]).steps} == {"peers"}
    assert {c.name for c in peering.contenders()} == {
        *peering.OWN, *(peer.name for peer in peers())}


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")
def test_ctrl_c_stops_a_count_that_hears_nothing(tmp_path):
    """The signal reaches the whole group, as from a keyboard."""
    code = ("import faulty\nfrom nqbench.study import peering\n"
            "if __name__ == '__main__':\n"
            "    child = peering.CountingChild(faulty.hangs_above_4)\n"
            "    print('ready', flush=True)\n"
            "    try:\n        child.ask(5, 0, 1000)\n"
            "    finally:\n        child.kill()\n")
    (tmp_path / "hang.py").write_text(code)
    with subprocess.Popen([sys.executable, tmp_path / "hang.py"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
    assert errors.count("KeyboardInterrupt") == 1  # none from the child
