"""The bare build drops the values that are not used, and no others."""

from textwrap import dedent, indent

import pytest
from programs import OK, VISITS, load, search

from nqbench.errors import BuildsDifferError
from nqbench.search.builds import built
from nqbench.search.tally import Tally

PLACE = """
from contextlib import contextmanager
from functools import wraps
from nqbench.search.board import images, mirror
""" + OK
BELOW = """
    def below(columns):
        if len(columns) == n:
            yield tuple(columns)
            return
        for c in range(n):
            if ok(columns, c, tally):
                yield from below([*columns, c])
    return below([])
"""
# Each with what its bare build yields: None if nothing is left of the placements.
PROGRAMS = {
    "a loop over a helper's columns": (None, """
        def free(columns, n, tally):
            for c in range(n):
                if ok(columns, c, tally):
                    yield c

        def visits(n, tally, columns=()):
            tally.node(len(columns))
            if len(columns) == n:
                yield columns
                return
            for c in free(columns, n, tally):
                yield from visits(n, tally, (*columns, c))
        """),
    "recursion over its own values": (tuple, """
        def visits(n, tally, rows=None):
            rows = n if rows is None else rows
            if rows == 0:
                yield ()
                return
            for columns in visits(n, tally, rows - 1):
                for c in range(n):
                    if ok(columns, c, tally):
                        yield (*columns, c)
        """),
    "values that are built from those below": (None, """
        def visits(n, tally):
            def below(above):
                if len(above) == n:
                    yield ()
                    return
                for c in range(n):
                    if ok(above, c, tally):
                        for rest in below((*above, c)):
                            yield (c, *rest)
            return below(())
        """),
    "a generator in a variable": (tuple, """
        def below(n, columns, tally):
            if len(columns) == n:
                yield columns
                return
            for c in range(n):
                if ok(columns, c, tally):
                    rest = below(n, (*columns, c), tally)
                    yield from rest

        def visits(n, tally):
            walk = below(n, (), tally)
            yield from walk
        """),
    "a table of tests": (None, """
        def column(columns, c, tally):
            tally.comparisons += len(columns)
            return c not in columns

        def diagonal(columns, c, tally):
            tally.comparisons += len(columns)
            return all(abs(c - d) != len(columns) - r for r, d in enumerate(columns))

        TESTS = (column, diagonal)

        def visits(n, tally):""" + indent(BELOW.replace(
        "ok(columns, c, tally)", "all(test(columns, c, tally) for test in TESTS)"), " " * 8)),
    "a decorator that changes what it yields": (None, """
        def mirrored(function):
            @wraps(function)
            def both(n, tally):
                for columns in function(n, tally):
                    yield columns
                    yield mirror(columns)
            return both

        @mirrored
        def visits(n, tally):""" + indent(BELOW, " " * 8)),
    "a context of its own": (None, """
        @contextmanager
        def placed(columns, c, tally):
            tally.node(len(columns))
            columns.append(c)
            yield len(columns)
            columns.pop()

        def visits(n, tally):
            @contextmanager
            def noted(length):
                lengths.append(length)
                yield lengths[-1]
                lengths.pop()

            def below(columns):
                if len(columns) == n:
                    yield tuple(columns)
                    return
                for c in range(n):
                    if ok(columns, c, tally):
                        with placed(columns, c, tally) as length, noted(length) as same:
                            assert length == same == len(columns) == lengths[-1]
                            yield from below(columns)
            lengths = []
            return below([])
        """),
    "a class that inherits from one that counts": (tuple, """
        class Board:
            __rows = ()

            def __init__(self, n):
                self.n = n

            def free(self, columns, tally):
                yield from (c for c in range(self.n) if ok(columns, c, tally))

        class Recursive(Board):
            __rows = None

            def search(self, tally, columns=()):
                if len(columns) == self.n:
                    yield columns
                    return
                for c in super().free(columns, tally):
                    yield from self.search(tally, (*columns, c))

        BOARDS = {"recursive": Recursive}

        def visits(n, tally):
            return BOARDS["recursive"](n).search(tally)
        """),
    "helpers as defaults": (None, """
        def numbers(n):
            yield from range(n)

        def repeat(n):
            yield from numbers(n)

        def visits(n, tally, columns=(), ok=ok, *, numbers=numbers):
            if len(columns) == n:
                yield columns
                yield from repeat(0)
                return
            for c in numbers(n):
                if ok(columns, c, tally):
                    yield from visits(n, tally, (*columns, c))
        """),
    "parameters by position only": (None, """
        def visits(n, /, tally, *more, columns=()):
            if len(columns) == n:
                yield [*columns]
            for c in range(n if len(columns) < n else 0):
                if ok(columns, c, tally):
                    yield from visits(n, tally, *more, columns=(*columns, c))
        """),
    "globals that helpers read": (None, """
        size = 0

        def columns_of(row):
            return range(size)

        class Row:
            def columns(self):
                return [c for c in columns_of(self) if c < size]

        class Rows:
            def __iter__(self):
                return iter(Row().columns())

        def visits(n, tally):
            global size
            size = n""" + indent(BELOW.replace("range(n)", "Rows()"), " " * 8)),
    "a search of another package": (tuple, """
        from nqbench.problems.queens import bitmask, recursive
        from nqbench.problems.queens.dancing_links import visits as dancing

        def visits(n, tally):
            if n < 2:
                return bitmask.visits(n, tally)
            return dancing(n, tally) if n < 4 else walk(n, tally)

        def walk(n, tally):
            yield from recursive.visits(n, tally)
        """),
    "a nested function of the same name as a helper": (None, """
        def below(n, tally):
            yield from range(n)

        def visits(n, tally):""" + indent(BELOW, " " * 8)),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_all_builds_of_an_odd_program_agree(what, tmp_path, monkeypatch):
    left, text = PROGRAMS[what]
    function = load(tmp_path, monkeypatch, queens=PLACE + dedent(text)).visits
    search(function).compare_builds()
    for n in range(6):
        reached = list(function(n, Tally(n)))
        assert len(reached) in ((1, 1, 0, 0, 2, 10)[n], (2, 2, 0, 0, 4, 20)[n])
        assert list(built(function, "plain")(n)) == reached
        assert list(built(function, "bare")(n)) == ([None] * len(reached) if left is None
                                                    else reached)


TWO = OK + VISITS.replace("visits(", "below(") + """
def delegates(n, tally):
    yield from below(n, tally)

def loops(n, tally):
    for columns in below(n, tally):
        if columns[:1] < (n // 2,):
            yield columns
"""


def test_two_searches_of_a_file_have_builds_of_their_own(tmp_path, monkeypatch):
    module = load(tmp_path, monkeypatch, queens=TWO)
    assert list(built(module.delegates, "bare")(4)) == [None, None]
    assert list(built(module.loops, "bare")(4)) == [None]
    assert list(built(module.below, "bare")(4)) == [None, None]


KTH = """
from functools import partial
from nqbench.search.board import images, mirror

def kth(n, k):
    waiting, found = [()], []
    while waiting:
        columns = waiting.pop()
        found += [columns] * (len(columns) == n)
        waiting += [(*columns, c) for c in range(n) if len(columns) < n and all(
            abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns))]
    return found[k]

class Kth:
    def __init__(self, n, k=0):
        self.n, self.k = n, k

    def index(self, k):
        return kth(self.n, k)

    __getitem__ = __add__ = index

    def __iter__(self):
        return iter(kth(self.n, self.k))

    columns = property(lambda self: kth(self.n, self.k))

def walk(n, k):
    yield from kth(n, k)

def visits(n, tally):
    for k in range([1, 1, 0, 0, 2, 10][n]):
        found, later, steps = Kth(n, k), (kth(*pair) for pair in [(n, k)]), walk(n, k)
        columns, waiting = [1, 3, 0, 2], [(1, 3, 0, 2)]
        lazy = (c for c in columns)
        yield VALUE
"""


@pytest.mark.parametrize("value", [
    "kth(n, k)", "(lambda n: kth(n, k))(n)", "partial(kth, n)(k)", "tuple(map(int, kth(n, k)))",
    "sorted([k], key=lambda k: kth(n, k)) and kth(n, k)", "next(later)", "max([kth(n, k)])",
    "tuple(c for c in range(n) for d in range(n) if kth(n, k)[c] == d) and found.columns",
    "tuple([[row for row in range(n) if c == kth(n, k)[row]] and c for c in found])",
    "tuple(c // 1 for c in kth(n, k))", "(found, f'{kth(n, k)}')[0].columns",
    "tuple(c for c in columns if [c])", "tuple(c for a in [columns] for b in [a] for c in b)",
    "[[c for c in columns][r] for r in range(n)]", "[c // 1 for c in columns]",
    "[c % n for c in columns]", "[c ** 1 for c in columns]", "columns if n else []",
    "n and columns", "(last := tuple(columns))", "waiting.pop()", "tuple(lazy)",
    "sorted(columns, reverse=True)", "[c > 1 for c in columns]"])
def test_what_may_be_the_work_of_a_search_is_timed(tmp_path, monkeypatch, value):
    visits = load(tmp_path, monkeypatch, queens=KTH.replace("VALUE", value)).visits
    assert [len(columns) for columns in built(visits, "bare")(4)] == [4, 4]


@pytest.mark.parametrize(("value", "call"), [
    ("tuple(found)", "__iter__"), ("found[k]", "index"), ("found.index(k)", "index"),
    ("found.columns", "<lambda>"), ("found + k", "index"), ("(*found,)", "__iter__"),
    ("[c for c in found]", "__iter__"), ("tuple(steps)", "(?:kth|walk)")])
def test_work_that_looks_like_a_copy_is_refused(tmp_path, monkeypatch, value, call):
    visits = load(tmp_path, monkeypatch, queens=KTH.replace("VALUE", value)).visits
    with pytest.raises(BuildsDifferError, match=rf"a `yield` calls {call} \(.*queens.py, line "
                       r"\d+\), which would not be timed; call it in a statement before the yield"):
        search(visits).compare_builds()


@pytest.mark.parametrize("value", [
    "columns", "tuple(columns)", "(*columns[:n - 1], columns[n - 1])",
    "tuple(c - 0 for c in columns)",
    "tuple([columns.index(columns[r]) for r in range(n)])", "mirror(columns)",
    "sorted(set(images(tuple(columns))))[0]"])
def test_copies_are_not_timed(tmp_path, monkeypatch, value):
    visits = load(tmp_path, monkeypatch, queens=KTH.replace("VALUE", value)).visits
    assert list(built(visits, "bare")(4)) == [None, None]
