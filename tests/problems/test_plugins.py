"""External algorithms: the decorator, the notation, files and modules."""

import json
import subprocess
import sys
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import SOLUTIONS, refused
from pandas import DataFrame
from programs import OK, VISITS

import nqbench
from nqbench.errors import InvalidTypeError, InvalidValueError, MiscountError, PluginError
from nqbench.problems import plugins
from nqbench.problems.plugins import registry
from nqbench.problems.plugins.parcels import mark_unchecked, pack, unpack
from nqbench.problems.queens import QueensAlgorithm, Tree, find

SOURCE = f'''import nqbench
{OK}

@nqbench.algorithm(technique="list of columns", origin="a test", tree="plain")
def first(n, tally):
    def place(columns):
        tally.node(len(columns))
        if len(columns) == n:
            tally.solution()
            yield tuple(columns)
            return
        for column in range(n):
            if ok(columns, column, tally):
                yield from place([*columns, column])
        tally.exhausted(len(columns))
    yield from place([])
'''
SECOND = "@nqbench.algorithm" + VISITS.replace("visits(", "second(") + '''

second.implement("table", lambda n: [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724][n])
'''

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with one.py, which has one algorithm, and two.py, which has two."""
    monkeypatch.chdir(tmp_path)
    Path("one.py").write_text(SOURCE)
    Path("two.py").write_text(SOURCE.replace("first", "other") + SECOND)
    return tmp_path


def decorated(**attributes):
    """A decorated search that calls itself by its name in a closure."""
    @nqbench.algorithm(**attributes)
    def inside(n, tally, columns=()):
        """Search in a closure."""
        tally.node(len(columns))
        if len(columns) == n:
            tally.solution()
            yield columns
            return
        for column in range(n):
            tally.test(len(columns), column)
            if all(abs(column - c) not in (0, len(columns) - r) for r, c in enumerate(columns)):
                yield from inside(n, tally, (*columns, column))
        tally.exhausted(len(columns))
    return inside


@pytest.mark.slow
def test_algorithms_are_sent_to_another_process(here):
    two, one = find("two.py::second"), find("one.py")
    packed = pack([one, two, mark_unchecked(one)])
    assert [set(each) for each in packed] == [{"name", "source", "unchecked", "place"}] * 3
    assert packed[0]["source"] == sha256(Path("one.py").read_bytes()).hexdigest()
    code = ("import json, sys\nfrom nqbench.problems import plugins\n"
            "from nqbench.problems.plugins.parcels import unpack\n"
            "unpack(json.load(sys.stdin))\n"
            "print(json.dumps({name: [found.count(6), found.profile(6).nodes]"
            " for name, found in plugins.registered().items()}))")
    found = json.loads(subprocess.run([sys.executable, "-c", code], input=json.dumps(packed),
                                      text=True, capture_output=True, check=True).stdout)
    assert found["first"] == found["first (unchecked)"] == [4, nqbench.profile(6, "bitmask").nodes]
    assert found["second"] == [4, two.profile(6).nodes]


def test_a_copy_of_an_algorithm_has_none_of_its_builds(here):
    first = find("one.py")
    assert first.count(6) == 4
    assert set(first.__getstate__()) == {field.name for field in fields(first)}


@pytest.mark.parametrize("notation", [
    "one.py", "./one.py", "one.py::first", "one::first", "two.py::second", "two.py::second@table",
    "two.py::other@python"])
def test_every_notation_names_an_algorithm(here, notation):
    assert nqbench.count(8, algorithm=notation) == 92


def test_every_function_takes_a_notation_and_an_algorithm(here):
    for chosen in ("one.py", decorated(tree=Tree.PLAIN)):
        assert next(nqbench.solutions(6, chosen)) == (1, 3, 5, 0, 2, 4)
        assert nqbench.profile(8, chosen).levels == nqbench.profile(8, "recursive").levels
        assert nqbench.unique(6, chosen) == 1
        assert nqbench.verify(5, algorithms=[chosen, "bitmask"]).ok
        events = nqbench.explain.trace.collect_events(4, chosen, limit=1)
        assert events[-1].queens == ((0, 1), (1, 3), (2, 0), (3, 2))
        assert sum(1 for _ in nqbench.explain.tree.grow(4, chosen).walk()) == 17
        assert nqbench.explain.recordings.record(4, chosen).complete


def test_a_decorated_search_is_an_algorithm_and_still_a_generator():
    mine = decorated(technique="closure")
    assert isinstance(mine, QueensAlgorithm)
    assert list(mine(4, nqbench.Tally(4))) == [(1, 3, 0, 2), (2, 0, 3, 1)]
    assert (mine.name, mine.technique, mine.tree) == ("inside", "closure", Tree.OWN)
    assert decorated().technique == "Search in a closure."
    mine.compare_builds()
    assert all(mine.count(n) == SOLUTIONS[n] for n in range(9))


VARYING = '''"""Rows or columns, and the mirror."""
import nqbench


@nqbench.algorithm(mirrors=lambda n, symmetry: symmetry == "mirror" and n % 2 == 0)
def varying(n, tally, depth=1, order="rising", symmetry="none", *, share=0.5, copy=False):
    def place(columns):
        level = len(columns)
        tally.node(level)
        if level == n:
            tally.solution()
            yield tuple(columns)
            return
        candidates = range(n if level or n % 2 or symmetry == "none" else n // 2)
        for column in candidates if order == "rising" else reversed(candidates):
            tally.test(level, column)
            if all(abs(column - c) not in (0, level - r) for r, c in enumerate(columns)):
                yield from place([*columns, column])
        tally.exhausted(level)

    yield from place([])
'''


@pytest.fixture
def varying(here):
    Path("varying.py").write_text(VARYING)
    return plugins.find("varying.py")


@pytest.mark.parametrize(("given", "name"), [
    ("symmetry=mirror,depth=4", "varying:depth=4,symmetry=mirror"),
    ("order=rising,depth=1", "varying"), ("share=5e-1", "varying"),
    ("copy=true", "varying:copy=true"),
    ("share=0.25", "varying:share=0.25")])
def test_a_variant_has_one_name_however_it_is_written(varying, given, name):
    chosen = plugins.find(f"varying.py::varying:{given}")
    assert chosen.name == name
    assert plugins.find(name) == chosen
    assert plugins.find(plugins.locate(chosen)) == chosen
    assert [chosen.count(n) for n in range(7)] == [1, 1, 0, 0, 2, 10, 4]
    assert chosen.profile(6).nodes == (153 if chosen.parameters["symmetry"] == "none" else 77)
    chosen.compare_builds()
    assert nqbench.check(chosen, 5).ok


def test_a_variant_may_yield_its_solutions_in_another_order(varying):
    rising, falling = (list(varying.vary({"order": order}).solutions(6))
                       for order in ("rising", "falling"))
    assert falling == rising[::-1]


@pytest.mark.parametrize(("given", "says"), [
    ("dept=2", "there is no parameter of varying: 'dept'; did you mean depth?"),
    ("2", "there is no parameter of varying: '2'; there are depth, order, symmetry, share, copy"),
    ("depth=two", "the depth of varying must be a whole number, 0 or more, not 'two'"),
    ("share=nan", "the share of varying must be a number, not 'nan'"),
    ("copy=1", "the copy of varying must be true or false, not '1'"),
    ("order=a:b", "the order of varying must be letters, digits, _, -, ., + and /, not 'a:b'"),
    ("depth=1,depth=2", "the depth of varying is given twice, in 'depth=1,depth=2'")])
def test_a_parameter_that_is_wrong_is_refused(varying, given, says):
    with pytest.raises(InvalidValueError) as error:
        plugins.find(f"varying:{given}")
    assert str(error.value) == says


def test_another_implementation_counts_all_solutions():
    mine = decorated(mirrors=lambda n: True)
    mine.implement("table", lambda n: SOLUTIONS[n])
    assert nqbench.count(8, mine, "table") == 92
    assert nqbench.problems.Solver(mine, "table").count(8) == 46  # half, as in the others
    for found, error, says in ((91, MiscountError, "counts 91 at n = 8, which cannot be"),
                               ("92", PluginError, "failed at n = 8: its count must be")):
        mine.implement("table", lambda n, found=found: found)  # replaced
        with pytest.raises(error, match=rf"inside \(table\) {says}"):
            mine.count(8, "table")


def test_an_implementation_that_only_counts_is_asked_for_nothing_else():
    mine = decorated()
    mine.implement("table", lambda n: SOLUTIONS[n])
    assert nqbench.unique(8, mine) == 12
    assert nqbench.profile(6, mine).nodes == 153
    assert nqbench.verify(6, algorithms=mine).ok
    mine.implement("wrong", lambda n: 3)
    wrong = {solver for c in nqbench.verify(4, algorithms=mine).checks for solver in c.wrong}
    assert wrong == {"inside (wrong)"}
    for ask in (nqbench.profile, nqbench.unique, lambda *a: list(nqbench.solutions(*a))):
        with pytest.raises(InvalidValueError, match="inside only counts in table"):
            ask(6, mine, "table")


@pytest.mark.parametrize(("name", "error", "message"), [
    ("python", InvalidValueError, "'python' is taken by a built-in implementation"),
    ("a b", InvalidValueError, "must be an identifier, not 'a b'"),
    (3, InvalidTypeError, "must be a string")])
def test_the_name_of_an_implementation_is_checked(name, error, message):
    with pytest.raises(error, match=message):
        decorated().implement(name, len)


@pytest.mark.parametrize(("attributes", "message"), [
    ({"name": "bitmask"}, r"'bitmask' is taken by a built-in algorithm \(The n-queens problem and"),
    ({"name": "my idea"}, "must be an identifier, not 'my idea'"),
    ({"colour": 1}, "inside: got an unexpected keyword argument 'colour'"),
    ({"largest_n": "8"}, "inside: largest_n must be of type int, not '8'"),
    ({"largest_n": -1}, "inside: largest_n must be 1 or more, not -1"),
    ({"year": "1984"}, "inside: year must be of type int or NoneType, not '1984'"),
    ({"core": "os"}, "inside: core is for the algorithms of nqbench")])
def test_attributes_are_checked(attributes, message):
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        decorated(**attributes)


def test_an_algorithm_is_registered_by_its_name():
    mine = nqbench.register(replace(find("bitmask"), name="mine"))
    assert find("mine") is mine
    assert plugins.registered() == {"mine": mine}
    assert nqbench.register(find("bitmask")) is find("bitmask")
    with pytest.raises(InvalidTypeError,
                       match="an algorithm must be one of instances, queens, sudoku, not 3"):
        nqbench.register(3)


def test_a_name_is_taken_from_another_file_only_by_a_notebook(here):
    find("one.py")
    Path("again.py").write_text(SOURCE)
    with pytest.raises(InvalidValueError, match=r"again\.py cannot be loaded: the name 'first' is "
                                                rf"taken by an algorithm of {here}/one\.py;"):
        find("again.py")
    space = {"__name__": "__main__"}
    exec(SOURCE, space)
    assert find("first") is space["first"]


def test_functions_of_one_name_keep_the_names_that_they_get_here_also_elsewhere(here):
    for folder in "abc":
        Path(folder).mkdir()
        Path(folder, "own.py").write_text(f"def solve(n):\n    return {ord(folder)}\n")
    found = {each.name: each for each in (find(f"{folder}/own.py") for folder in "abc")}
    assert [*found] == ["solve", "own_solve", "own_own_solve"]
    Path("a/own.py").write_text("def solve(n):\n    return 100\n")
    found = {each.name: each for each in (find(f"{folder}/own.py") for folder in "acb")}
    assert [*found] == ["solve", "own_own_solve", "own_solve"]
    packed = pack(reversed(found.values()))
    registry.known.clear()
    registry._adapted.clear()
    unpack(packed)
    assert [find(name).count(4) for name in found] == [100, *b"cb"]


def test_a_frame_of_a_notebook_has_no_code_also_with_a_column_search():
    assert registry.find_code(DataFrame({"search": [1, 2]})) is None


def test_a_file_that_changed_is_loaded_again(here):
    before = find("one.py")
    assert find("one.py") is before
    Path("one.py").write_text(SOURCE.replace("list of columns", "another list"))
    assert find("one.py").technique == find("first").technique == "another list"
    assert not list(here.rglob("*.pyc"))


def test_a_file_finds_its_neighbours(here):
    Path("neighbour_of_three.py").write_text("name = 'three'\n")
    Path("three.py").write_text("import neighbour_of_three\n" + SOURCE.replace(
        'origin="a test"', "name=neighbour_of_three.name"))
    path = list(sys.path)
    assert find(str(here / "three.py")).name == "three"
    assert sys.path == path


def test_all_algorithms_of_a_file_have_a_place_for_other_processes(here):
    other, second = plugins.find_all("two.py")
    assert (other.name, second.name) == ("other", "second")
    second.compare_builds()
    for name in ("two.py::other", "bitmask"):
        assert plugins.find_all(name) == [find(name)]
    assert plugins.locate(find("one.py")) == f"{here.resolve() / 'one.py'}::first"
    assert find(plugins.locate(find("one.py"))) is find("first")
    assert plugins.locate(find("width_limited:4")) == "width_limited:4"


BAD = {"syntax.py": "def broken(:\n", "raises.py": "import nqbench\n\n1 / 0\n",
       "exits.py": "import sys\nsys.exit(0)\n", "empty.py": "x = 1\n",
       "reuses.py": SOURCE.replace("first", "bitmask")}


@pytest.mark.parametrize(("notation", "message"), [
    ("nothing.py", "nothing.py cannot be loaded: No such file or directory"),
    ("syntax.py", "syntax.py cannot be loaded: SyntaxError: invalid syntax (syntax.py, line 1)"),
    ("raises.py", "raises.py cannot be loaded: raises.py, line 3: ZeroDivisionError: "),
    ("exits.py", "exits.py cannot be loaded: exits.py, line 2: SystemExit: 0"),
    ("empty.py", "empty.py has no algorithm; decorate a generator with @nqbench.algorithm"),
    ("reuses.py", "reuses.py cannot be loaded: the name 'bitmask' is taken by a built-in "),
    ("two.py", "two.py has 2 algorithms, other, second; choose one, as in two.py::other"),
    ("two.py::secnd", "there is no algorithm in two.py: 'secnd'; did you mean second?"),
    ("two.py::second@tabel", "second has no implementation 'tabel', only python and table"),
    ("::x", "cannot be loaded"),
    ("sommers", "there is no algorithm 'sommers'; did you mean somers?")])
def test_a_notation_that_names_nothing_is_refused_in_one_line(here, run, notation, message):
    for name, text in BAD.items():
        Path(name).write_text(text)
    for words in (("count", 6), ("solve", 6), ("profile", 6), ("trace", 4), ("trace", 4, "--tree"),
                  ("verify",), ("list",)):
        if (notation, words[0]) not in {("two.py", "verify"), ("two.py", "list")}:
            assert message in refused(run(*words, "-a", notation))
    assert "exits" not in plugins.registered()


@pytest.mark.parametrize(("chosen", "implementation", "error", "says"), [
    (lambda n, tally: iter(()), None, InvalidTypeError,
     "decorate <lambda> with @nqbench.algorithm"),
    (3, None, InvalidTypeError, "algorithm must be a string"),
    ("somers@cython", "python", InvalidValueError, "exclude each other")])
def test_what_names_no_algorithm_or_two_implementations_is_refused(
        chosen, implementation, error, says):
    with pytest.raises(error, match=says):
        nqbench.count(4, chosen, implementation)


def test_an_implementation_is_named_once_or_twice_alike(here, run):
    assert nqbench.count(6, "two.py::second@table", "table") == 4
    assert "@cython is not supported here; give bitmask alone" in refused(
        run("trace", 4, "--tree", "-a", "bitmask@cython"))


@pytest.mark.parametrize(("old", "new", "message"), [
    ("tally.node(len(columns))", "tally.node(1 // (n - 4))",
     "the plug-in first failed: bad.py, line 12: ZeroDivisionError: "),
    ("tally.node(len(columns))", "open('no file')",
     "the plug-in first failed: No such file or directory"),
    ("tally.node(len(columns))", "raise SystemExit('over')",
     "the plug-in first failed: bad.py, line 12: SystemExit: over"),
    ("yield tuple(columns)", "yield len(columns)", "first yields 4 at n = 4, not a tuple of 4"),
    ("yield tuple(columns)", "yield [9, *columns]", "first yields [9, 1, 3, 0, 2] at n = 4"),
    ("tally.solution()", "t = tally", "bad.py, line 14: 'tally' is used other than for"),
])
def test_a_search_that_fails_is_named_in_one_line(here, run, old, new, message):
    Path("bad.py").write_text(SOURCE.replace(old, new))
    command = "profile" if "node" in old else "solve"  # which runs the plain build
    assert message in refused(run(command, 4, "-a", "bad.py"))


def test_an_error_of_the_package_is_no_fault_of_a_plug_in(here):
    find("one.py")
    try:
        raise RuntimeError("elsewhere")
    except RuntimeError as error:
        assert plugins.blame(error) is None
