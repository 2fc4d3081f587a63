"""Old names still work, and say what to use instead."""

from importlib import import_module

import pytest

import nqbench
from nqbench import _deprecated


@pytest.mark.parametrize(("old", "new"), _deprecated.MODULES.items())
def test_a_module_that_moved_is_found_by_its_old_name(old, new, monkeypatch):
    monkeypatch.delitem(import_module("sys").modules, f"nqbench.{old}", raising=False)
    with pytest.warns(DeprecationWarning, match=rf"\.{old} is deprecated; use nqbench\.{new}"):
        found = import_module(f"nqbench.{old}")
    assert found is import_module(f"nqbench.{new}")
    assert found.__name__ == found.__spec__.name == f"nqbench.{new}"
    assert import_module(f"nqbench.{old}") is found  # without another warning


def test_as_an_attribute_of_the_package_too(monkeypatch):
    monkeypatch.delitem(import_module("sys").modules, "nqbench.probing", raising=False)
    monkeypatch.delitem(vars(nqbench), "probing", raising=False)
    with pytest.warns(DeprecationWarning, match="use nqbench.estimation"):
        assert nqbench.probing is nqbench.estimation


@pytest.mark.parametrize(("package", "name", "home"), [
    (package, name, home) for package, names in _deprecated.FUNCTIONS.items()
    for name, home in names.items()])
def test_a_function_that_moved_is_found_in_its_old_place(package, name, home):
    with pytest.warns(DeprecationWarning, match=rf"{package}\.{name} is deprecated; use nqbench"):
        found = getattr(import_module(f"nqbench.{package}"), name)
    assert found is getattr(import_module(f"nqbench.{home}"), name)


@pytest.mark.parametrize(("module", "old", "new"), [
    (module, old, new) for module, names in _deprecated.RENAMED.items()
    for old, new in names.items()])
def test_a_renamed_function_is_found_by_its_old_name(module, old, new):
    with pytest.warns(DeprecationWarning, match=rf"{module}\.{old} is deprecated; use .*\.{new}"):
        found = getattr(import_module(f"nqbench.{module}"), old)
    assert found is getattr(import_module(f"nqbench.{module}"), new)


@pytest.mark.parametrize(("instance", "old", "new"), [
    (nqbench.engine.Recount(1, 2, 3), "kept", "stored"),
    (nqbench.engine.Recount(1, 2, 3), "again", "recounted"),
    (nqbench.traces.recording.record(4), "whole", "complete"),
    (next(nqbench.traces.recording.replay(nqbench.traces.recording.record(4))), "step", "event"),
])
def test_a_renamed_attribute_has_its_old_name_too(instance, old, new):
    with pytest.warns(DeprecationWarning, match=rf"\.{old} is deprecated; use nqbench\..*\.{new}"):
        found = getattr(instance, old)
    assert found is getattr(instance, new)


def test_the_solutions_of_a_ledger_have_their_old_name_too(tmp_path):
    division = nqbench.engine.Division.new(12, "portable")
    with nqbench.engine.Checkpoint(tmp_path / "c", division) as file:
        file.add([(0, (15, 2, 0))])
    ledger = nqbench.engine.read_checkpoint(tmp_path / "c")
    with pytest.warns(DeprecationWarning, match=r"Ledger\.found is deprecated; use .*\.solutions"):
        found = ledger.found
    assert found == ledger.solutions == 15 * division.engine.images(0)


def test_other_names_are_not_there():
    with pytest.raises(ModuleNotFoundError):
        import_module("nqbench.nothing")
    with pytest.raises(AttributeError, match=r"nqbench\.engine. has no attribute .nothing."):
        _ = nqbench.engine.nothing
