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


@pytest.mark.parametrize(("numbered", "expected"), [
    (True, [(False, 0), (False, 0), (False, 1), (False, 1), (True, 2), (True, 3)]),
    (False, [(False, 1), (False, 2), (False, 3), (False, 4), (True, 5), (True, 6)])])
def test_processes_are_listed_only_when_there_may_be_too_many_or_they_have_no_numbers(
        monkeypatch, tmp_path, numbered, expected):
    below, listed, found = [None], [], []  # one was there before
    monkeypatch.setattr(psutil.Process, "children",
                        lambda process, recursive: listed.append(process) or below)
    monkeypatch.setattr(limits, "CREATED", tmp_path / "loadavg")
    if numbered:
        limits.CREATED.write_text("0.57 0.41 0.34 2/150 100\n")
    tree = ProcessTree()
    for newest, more in ((103, 3), (105, 2), (114, 0), (114, 0), (116, 1), (3, 0)):
        below += [None] * more
        if numbered:
            limits.CREATED.write_text(f"0.57 0.41 0.34 2/150 {newest}\n")
        found.append((tree.exceeds(5), len(listed)))
    # 4, 6, 6, 6 and 7 processes; at last the numbers begin again.
    assert found == expected
