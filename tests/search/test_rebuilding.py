"""Builds are made from the given function, in files, packages and notebooks."""

import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest
from programs import OK, VISITS, cell, load, main_module, search

from nqbench.checking.verification import verify
from nqbench.errors import BuildError, BuildsDifferError
from nqbench.search.builds import built
from nqbench.search.implementations import compare
from nqbench.search.tally import Tally

SOLUTIONS = [1, 1, 0, 0, 2, 10, 4]
HALF = """
def half(n, tally):
    for columns in visits(n, tally):
        if n < 2 or columns[0] < n // 2:
            yield columns
"""


def counts(function, kind):
    return [sum(1 for _ in built(function, kind)(n)) for n in range(7)]


def holds(function):
    """Return whether all builds of a search count correctly."""
    search(function).compare_builds()
    return (counts(function, "plain") == counts(function, "bare")
            == [sum(1 for _ in function(n, Tally(n))) for n in range(7)] == SOLUTIONS)


def test_the_search_that_is_given_is_built_whatever_its_name(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens=OK + VISITS + HALF)
    half = search(module.half, "half")
    assert half.profile(8).solutions == half.count(8) == len(list(half.solutions(8))) == 46
    assert search(module.visits).count(8) == 92
    assert not verify(8, algorithms=half).ok
    assert verify(8, algorithms=search(module.visits)).ok


def test_helpers_come_from_the_modules_beside_it(tmp_path, monkeypatch):
    assert holds(load(tmp_path, monkeypatch, queens="from .common import ok\n" + VISITS,
                      common=OK).visits)
    assert holds(load(tmp_path, monkeypatch,
                      queens="from . import common\n" + VISITS.replace("if ok", "if common.ok"),
                      common=OK).visits)
    assert holds(load(tmp_path, monkeypatch, queens=OK + VISITS.replace(
        "    tally.solution()", "    from .common import EMPTY\n        columns += EMPTY"),
        common="EMPTY = ()").visits)


@pytest.mark.skipif(sys.version_info < (3, 15), reason="lazy imports came with Python 3.15")
def test_a_helper_that_is_imported_at_its_first_use_is_built_too(tmp_path, monkeypatch):
    assert holds(load(tmp_path, monkeypatch, queens="lazy from .common import ok\n" + VISITS,
                      common=OK).visits)
    assert holds(load(tmp_path, monkeypatch, queens="lazy from . import common\n"
                      + VISITS.replace("if ok", "if common.ok"), common=OK).visits)


@pytest.mark.parametrize("counting", ["", ", tally"])
def test_dataclasses_with_postponed_annotations_are_kept(tmp_path, monkeypatch, counting):
    text = f"""
        from __future__ import annotations
        from dataclasses import dataclass, field
        from typing import ClassVar, NamedTuple

        class Square(NamedTuple):
            row: int
            column: int

        @dataclass(frozen=True)
        class Board:
            made: ClassVar[list[int]] = []
            n: int
            queens: tuple[Square, ...] = field(default=())

            def free(self{counting}) -> list[Square]:
                row = len(self.queens)
                return [Square(row, c) for c in range(self.n) if all(
                    c != q.column and abs(c - q.column) != row - q.row for q in self.queens)]

            def more(self, square: Square) -> Board:
                return Board(self.n, (*self.queens, square))

        def visits(n: int, tally: Tally):
            def below(board: Board):
                tally.node(len(board.queens))
                if len(board.queens) == n:
                    yield tuple(q.column for q in board.queens)
                for square in board.free({counting[2:]}) if len(board.queens) < n else ():
                    yield from below(board.more(square))
            return below(Board(n))
        """
    assert holds(load(tmp_path, monkeypatch, queens=text).visits)


def test_no_code_of_the_module_runs_again(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens=OK + VISITS.replace(
        "range(n)", "[c for c in ORDER if c < n]") + dedent("""
        from random import sample
        from nqbench.problems.queens import Search
        ORDER = sample(range(6), 6)
        RUNS = [1]
        mine = Search(name="mine", origin="", year=None, technique="", search=visits)
        RUNS.append(mine.count(5))
        """))
    assert module.RUNS == [1, 10]
    assert holds(module.visits)
    assert built(module.visits, "plain").__globals__["ORDER"] is module.ORDER


def test_cells_of_a_notebook_are_built_with_what_the_others_define(monkeypatch):
    module = main_module(monkeypatch)
    here = vars(module)
    cell(here, "from itertools import islice\nWIDTH = 9")
    cell(here, OK)
    cell(here, VISITS.replace("range(n)", "islice(range(n), WIDTH)"))
    mine = search(module.visits)
    assert holds(module.visits)
    cell(here, "WIDTH = 2")
    assert mine.count(5) == mine.profile(5).solutions == 0
    cell(here, "WIDTH = 9\ndef ok(columns, column, tally):\n    return column not in columns")
    assert mine.count(4) == mine.profile(4).solutions == 24
    cell(here, HALF)
    assert search(module.half).count(4) == 12


def test_a_search_inside_a_function_keeps_what_it_closes_over(tmp_path, monkeypatch):
    inner = indent(OK + VISITS.replace("range(n)", "range(min(n, width))"), "    ")
    module = load(tmp_path, monkeypatch, queens=(
        f"def make(most):\n    width = most\n{inner}\n    return visits"))
    assert holds(module.make(6))
    assert counts(module.make(2), "bare") == [1, 1, 0, 0, 0, 0, 0]


def test_a_decorated_search_is_built_without_what_makes_no_function_of_it(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens=OK + """
class Marked:
    def __init__(self, function):
        self.__wrapped__ = function

    def __call__(self, *words):
        return self.__wrapped__(*words)

@Marked""" + VISITS)
    assert holds(module.visits)
    assert holds(module.visits.__wrapped__)


def test_builds_that_differ_are_no_check_of_an_algorithm(tmp_path, monkeypatch):
    """The bare build does not see that the value of a yield may raise."""
    module = load(tmp_path, monkeypatch, queens="""
def visits(n, tally):
    tally.node(0)
    try:
        yield tuple(range([0, 1, 2, 3][n]))
    except ZeroDivisionError:
        return
""")
    with pytest.raises(BuildsDifferError, match=r"bare build of mine .* at n = 4"):
        verify(8, algorithms=search(module.visits))


REFUSED = {
    "class Solver:\n def visits(self, n, tally):\n  yield ()\nvisits = Solver().visits":
        "a search is a function that was written with def, not <bound method",
    "class Solver:\n def visits(self, n, tally):\n  yield ()\nvisits = Solver.visits":
        "Solver.visits .* is a method; a search must be a function",
    "visits = print": "a search is a function that was written with def, not <built-in",
    "visits = lambda n, tally: iter(())": "is a lambda, which cannot be built without counting",
    "def visits(n):\n yield ()": "visits has no parameter 'tally', so it counts nothing",
    "ok = lambda columns, column, tally: True\n" + VISITS: "is a lambda, which cannot be built",
    "from functools import cache\n@cache" + OK + VISITS:
        "visits uses ok, which counts, as a _lru_cache_wrapper; use the function itself",
    "from functools import partial" + OK + "\nok = partial(ok)" + VISITS:
        "visits uses ok, which counts, as a partial",
    "class Board:\n def ok(self, columns, column, tally):\n  return True\nboard = Board()"
    + VISITS.replace("ok(", "board.ok("):
        "visits uses Board, which counts, as a Board; .* make the object in the search",
    "from functools import cache\nsize = 0\n@cache\ndef ok(columns, column, tally_):\n"
    " return column < size\ndef visits(n, tally):\n global size\n size = n\n"
    " if ok((), 0, 0):\n  tally.node(0)\n  yield ()":
        "visits uses ok, which sets or reads a global that is set, as a _lru_cache_wrapper",
    "size = 0\nclass Board:\n def columns(self):\n  return range(size)\nboard = Board()\n"
    "def visits(n, tally):\n global size\n size = n\n tally.node(0)\n"
    " for c in board.columns():\n  yield (c,)":
        "visits uses Board, which sets or reads a global that is set, as a Board",
    "from functools import cache\nclass Queen:\n def hits(self, tally):\n  tally.tests += 1\n"
    "  return False\n@cache\ndef queen(column):\n return Queen()\ndef visits(n, tally):\n"
    " queen(0).hits(tally)\n yield ()":
        "visits uses queen, which uses what counts, as a _lru_cache_wrapper",
    "def make():\n class Board:\n  def ok(self, columns, column, tally):\n   return True\n"
    " def visits(n, tally):\n  yield from Board().ok((), 0, tally)\n return visits\n"
    "visits = make()": "Board .* is a class inside a function",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_built_is_refused_in_one_line(text, tmp_path, monkeypatch):
    function = load(tmp_path, monkeypatch, queens=text).visits
    for kind in ("plain", "bare"):
        with pytest.raises(BuildError, match=REFUSED[text]) as caught:
            built(function, kind)
        assert "\n" not in str(caught.value)


def test_a_search_without_a_source_is_refused():
    namespace = {}
    exec(compile(OK + VISITS, "<a cell>", "exec"), namespace)
    with pytest.raises(BuildError, match=r"source of visits .* not available; write it in a file"):
        built(namespace["visits"], "plain")


def test_a_source_that_changed_since_it_was_loaded_is_refused(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens=OK + VISITS)
    path = Path(module.__file__)
    for text in ("# one line more\n" + OK + VISITS, OK + VISITS.replace("range(n)", "range(1)"),
                 "def visits("):
        path.write_text(text, "utf-8")
        with pytest.raises(BuildError, match="its source has changed"):
            built(module.visits, "plain")
    path.write_text(OK + VISITS, "utf-8")
    assert holds(module.visits)


def test_what_a_search_sets_is_no_reason_to_build_it_again(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens="""
        runs = 0

        def make():
            calls = 0
            def visits(n, tally):
                global runs
                nonlocal calls
                calls, runs = calls + 1, runs + 1
                yield (calls,) * n
            return visits
        """)
    visits = module.make()
    plain = built(visits, "plain")
    assert built(visits, "counting") is visits
    assert [next(visits(1, None)), next(plain(1)), next(visits(1, None))] == [(1,), (2,), (3,)]
    assert built(visits, "plain") is plain


def test_line_numbers_of_a_build_are_those_of_the_file(tmp_path, monkeypatch):
    function = load(tmp_path, monkeypatch, queens="""
        def f(n, tally):
            tally.node(0)
            return 1 / n
        """).f
    with pytest.raises(ZeroDivisionError) as caught:
        built(function, "plain")(0)
    assert caught.traceback[-1].lineno == 3  # counted from 0


def test_each_build_is_compared_in_two_searches():
    answers = iter([[None, None], [None]])
    with pytest.raises(BuildsDifferError, match="the bare build of mine differs from its counting "
                       "build at n = 4: in its second search, it reaches 1 answer, not 2"):
        compare("mine", "n = 4", lambda: [(1, 3, 0, 2), (2, 0, 3, 1)],
                {"bare": lambda: next(answers)})
