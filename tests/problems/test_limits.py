"""What a search may take, and which limits a system cannot set."""

import os
import sys

import psutil
import pytest

from nqbench.problems.plugins import limits
from nqbench.problems.plugins.limits import Limits, ProcessTree, explain_unlimited


@pytest.fixture
def elsewhere():
    """A test on another system."""
    explain_unlimited.cache_clear()
    yield
    explain_unlimited.cache_clear()


@pytest.mark.parametrize(("patch", "names"), [
    (lambda patch: patch.delattr(os, "fork", raising=False), {"processes"}),
    (lambda patch: patch.setitem(sys.modules, "resource", None), {"memory", "file_size"}),
    (lambda patch: patch.delattr(os, "sched_setaffinity", raising=False), {"cores"}),
    (lambda patch: patch.setattr(sys, "platform", "darwin"), {"memory"})])
def test_what_a_system_cannot_limit_is_named_with_its_reason(elsewhere, monkeypatch, patch, names):
    before = set(explain_unlimited())
    explain_unlimited.cache_clear()
    patch(monkeypatch)
    found = explain_unlimited()
    assert names <= set(found) <= names | before
    assert all(found.values())


def test_a_system_that_refuses_a_limit_is_heard(elsewhere, monkeypatch):
    resource = pytest.importorskip("resource")

    def refuse(kind, pair):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert "Operation not permitted" in explain_unlimited()["file_size"]


def test_a_hard_limit_below_is_kept(elsewhere, monkeypatch):
    resource = pytest.importorskip("resource")
    told = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (500, 1000))
    monkeypatch.setattr(resource, "setrlimit", lambda *given: told.append(given))
    monkeypatch.setattr(Limits, "kept", Limits.kept)
    Limits(file_size=2000, cores=3).apply()
    assert (resource.RLIMIT_FSIZE, (1000, 1000)) in told
    assert Limits.kept == 3


class Machine:
    """A machine on which processes are made; `listed` counts how often they are listed."""

    def __init__(self, monkeypatch, path):
        self.newest, self.below, self.listed, self.path = 100, 1, 0, path
        monkeypatch.setattr(limits, "CREATED", path)
        monkeypatch.setattr(psutil.Process, "children", lambda process, recursive: self.list())

    def list(self):
        self.listed += 1
        return [None] * self.below

    def make(self, others, below, newest=None):
        self.below += below
        self.newest = self.newest + others + below if newest is None else newest
        self.path.write_text(f"0.57 0.41 0.34 2/150 {self.newest}\n")


def test_processes_are_listed_only_when_there_may_be_too_many(monkeypatch, tmp_path):
    machine = Machine(monkeypatch, tmp_path / "loadavg")
    machine.make(0, 0)
    tree, found = ProcessTree(), []
    for others, below in ((0, 3), (0, 2), (9, 0), (0, 0), (1, 1)):
        machine.make(others, below)
        found.append((tree.exceeds(5), machine.listed))
    # 4, 6, 6, 6 and 7 processes, with the one that was there before.
    assert found == [(False, 0), (False, 0), (False, 1), (False, 1), (True, 2)]
    machine.make(0, 0, newest=3)  # the numbers began again
    assert tree.exceeds(5)


def test_elsewhere_processes_are_always_listed(monkeypatch, tmp_path):
    machine = Machine(monkeypatch, tmp_path / "none")
    tree = ProcessTree()
    machine.below = 4
    assert [tree.exceeds(3), tree.exceeds(2)] == [False, True]
    assert machine.listed == 2
