"""No search is timed before its builds were compared."""

import gc
from functools import partial

import pytest
from programs import load, search

from nqbench import study
from nqbench.errors import BuildsDifferError
from nqbench.problems import PROBLEMS, DataSet, sudoku
from nqbench.problems.queens import NAMES, catalogue, threads
from nqbench.records.descriptions import presets
from nqbench.search.builds import built
from nqbench.search.implementations import compare, noting_calls
from nqbench.study.worker import Worker
from nqbench.topics.sudoku.rates import rate

TEXT = """
class Board:
    looked = 0

    @property
    def level(self):
        self.looked += 1
        return 0

def visits(n, tally):
    board, found = Board(), [(0,) * n, (1,) * n]
    tally.node(board.level)  # only counts, as far as anybody can tell
    {}
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    def make(body):
        return search(load(tmp_path, monkeypatch, queens=TEXT.format(body)).visits)
    return make


@pytest.mark.parametrize("name", NAMES)
def test_the_builds_of_every_algorithm_agree(name):
    catalogue()[name].compare_builds()


@pytest.mark.parametrize(("body", "says"), [
    ("yield from found[::1 - 2 * board.looked]",
     "at n = 1: answer 1 is (0,), not (1,)"),
    ("yield from found[board.looked:]", "at n = 0: it reaches more than 1 answers"),
    ("yield from found[:1 + board.looked]", "at n = 0: it reaches 1 answer, not 2"),
    ("yield found[1 // board.looked]", "at n = 0: it raises ZeroDivisionError: "),
])
def test_a_difference_names_the_algorithm_and_n(mine, body, says):
    with pytest.raises(BuildsDifferError) as caught:
        mine(body).compare_builds()
    assert str(caught.value).startswith(
        f"the plain build of mine differs from its counting build {says}")
    assert caught.value.status == 1


def test_order_counts():
    a, b = (1, 3, 0, 2), (2, 0, 3, 1)
    compare("some", "n = 4", lambda: [a, b], {"plain": lambda: [a, b], "bare": lambda: [None, b]})
    with pytest.raises(BuildsDifferError, match=r"bare build of some .* n = 4: answer 1 is"):
        compare("some", "n = 4", lambda: [a, b], {"bare": lambda: [b, a]})


def test_what_the_garbage_collector_calls_is_no_work_of_a_build():
    def search():
        return [[] for _ in range(gc.get_threshold()[0] + 100)]

    gc.callbacks.append(callback := lambda phase, info: None)
    try:
        with noting_calls(True) as calls:
            search()
    finally:
        gc.callbacks.remove(callback)
    assert "<lambda>" not in {name for name, _, _ in calls}
    assert gc.isenabled()


def test_the_bare_build_must_call_what_the_plain_one_calls():
    def make():
        return 1

    def other():
        return 1

    def run(call):
        yield call()

    with pytest.raises(BuildsDifferError, match="at n = 4: a `yield` calls make "):
        compare("mine", "n = 4", lambda: [1], {
            "plain": partial(run, make), "bare": partial(run, other)})


def test_what_every_build_refuses_is_no_difference(mine):
    mine("if n < 4: raise ValueError(n)\n    yield from found").compare_builds()


def test_builds_are_compared_once(mine, monkeypatch):
    algorithm = mine("yield from found")
    algorithm.compare_builds()
    monkeypatch.setattr("nqbench.search.implementations.compare", None)
    algorithm.compare_builds()


def differ(*ignored):
    raise BuildsDifferError("they differ")


@pytest.mark.slow
@pytest.mark.parametrize("experiment", ["points", "peers"])
def test_a_study_compares_before_it_measures(experiment, tmp_path, monkeypatch):
    monkeypatch.setitem(presets(), "one", {
        "budget": 5, "n": 1, "samples": 1, "experiments": [experiment]})
    monkeypatch.setattr("nqbench.search.implementations.PythonBuilds.compare", differ)
    for timed in ("study.worker.in_turns", "study.worker.Worker.measure", "study.worker.Child"):
        monkeypatch.setattr(f"nqbench.{timed}", None)
    with pytest.raises(BuildsDifferError):
        study.run("one", results=tmp_path)


def test_the_tasks_of_workers_and_the_crosses_are_compared_too(monkeypatch):
    def other(function, kind):
        return built(function, kind) if function is threads.visits else lambda *n: iter(())

    for name, module in (("threads", "threads"), ("cross", "_engines")):
        monkeypatch.setattr(f"nqbench.problems.queens.{module}.built", other)
        with pytest.raises(BuildsDifferError, match=rf"build of {name}.* n = [01]: it reaches 0"):
            catalogue()[name].compare_builds()


def test_builds_of_solvers_of_sudoku_are_compared(monkeypatch):
    monkeypatch.setattr("nqbench.search.implementations.PythonBuilds.counter",
                        lambda *ignored: lambda: [2])
    with pytest.raises(BuildsDifferError, match=r"textbook_bitmask \(python\) differ at instance 1"
                       ": the one that is timed finds 2 of at most 2 solutions, the one that"):
        rate(DataSet(PROBLEMS["sudoku"], "easy50", [sudoku.read("easy50")[0].digits]),
             [("textbook_bitmask", "python")], Worker(), samples=1)
