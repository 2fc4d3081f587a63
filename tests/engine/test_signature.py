"""The signature depends on every core; CONTRIBUTING and the last commit that names one have it."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import signature

from nqbench import engine
from nqbench.errors import InvalidValueError, MiscountError
from nqbench.util.versions import git

HOME = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not engine.available(), reason="nothing is compiled")


@pytest.fixture(scope="module")
def numbers():
    return {name: signature.compute_number(name) for name in signature.CORES}


def find_said(text):
    """The last signature that a text says on a line; None if it says none."""
    return next((int(said) for said in reversed(re.findall(
        r"^ *Signature: (\d+)$", text, re.MULTILINE))), None)


def test_the_tool_prints_the_signature_of_contributing(numbers, monkeypatch, capsys):
    said = find_said((HOME / "CONTRIBUTING.md").read_text("utf-8"))
    assert signature.combine(numbers) == said, "write it there, and into the commit message"
    monkeypatch.setattr(signature, "compute_number", numbers.get)
    signature.main(["--cores"])
    assert capsys.readouterr().out.splitlines() == [
        str(said), *(f"{name} {number}" for name, number in numbers.items())]


def test_the_last_commit_that_says_a_signature_says_this_one(numbers):
    said = find_said(git(HOME, "log", "-1", "--format=%B", "--grep=^Signature: [0-9]", "--", "ext",
                         "CONTRIBUTING.md") or "")
    if said is None or git(HOME, "status", "--porcelain", "--", "ext"):
        pytest.skip("there is no history, or ext/ has changes that no commit describes yet")
    assert said == signature.combine(numbers)


def test_every_core_contributes(numbers):
    sources = {f"nqbench._{file.stem}" for file in (HOME / "ext").glob("*.pyx")}
    assert set(signature.CORES) == sources
    whole = signature.combine(numbers)
    assert not [name for name in numbers
                if signature.combine({**numbers, name: numbers[name] + 1}) == whole]


@pytest.mark.parametrize("name", ["nqbench._engine", "nqbench._join"])
def test_a_kernel_that_visits_one_placement_more_changes_the_number(monkeypatch, numbers, name):
    core = signature.find_core(name)

    class Kernel:
        def __init__(self, kernel):
            self.kernel = core.Kernel(kernel)
            self.complete = self.kernel.complete

        @property
        def placements(self):
            return self.kernel.placements + 1

    monkeypatch.setattr(signature, "find_core", lambda name: SimpleNamespace(
        kernels=lambda: ["portable"], Engine=core.Engine, Kernel=Kernel))
    assert signature.compute_number(name) != numbers[name]


@pytest.mark.parametrize("kernel", engine.kernels())
def test_the_placements_do_not_depend_on_how_many_wait_in_a_buffer(kernel):
    core, visited = signature.find_core("nqbench._engine"), set()
    division = core.Engine(12, 5, 50, False, 1)
    for capacity in (128, 200, 1024):
        memory = core.Kernel(kernel, capacity)
        memory.complete(division, range(division.parts))
        visited.add(memory.placements)
    assert len(visited) == 1


def test_a_kernel_that_differs_is_named(monkeypatch):
    core = SimpleNamespace(kernels=lambda: ["wide", "portable"])
    core.search = lambda solver, limit: solver == "fast:wide" and limit == 2
    monkeypatch.setattr(signature, "ROWS", json.dumps(
        [["nqbench._sudoku", "search", ["fast:KERNEL", limit]] for limit in (1, 2)]))
    monkeypatch.setattr(signature, "find_core", lambda name: core)
    said = r"kernels wide and portable of nqbench\._sudoku differ in search \['fast:portable', 2\]"
    with pytest.raises(MiscountError, match=said):
        signature.compute_number("nqbench._sudoku")
    monkeypatch.setattr(signature, "CORES", ["nqbench._sudoku"])
    with pytest.raises(SystemExit, match=said):
        signature.main([])


def test_a_core_that_is_not_compiled_is_named(monkeypatch):
    monkeypatch.setattr(signature, "find_core", lambda name: None)
    with pytest.raises(InvalidValueError, match=r"without nqbench\._join: nqbench was"):
        signature.compute_number("nqbench._join")
