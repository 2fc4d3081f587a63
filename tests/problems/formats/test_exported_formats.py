"""The files for other solvers: what programs that read them find, and what comes back."""

from functools import cache
from io import StringIO
from itertools import combinations, count, permutations, product

import pytest
import readers
from hypothesis import given, settings
from hypothesis import strategies as st

from nqbench.errors import InvalidValueError, NqbenchError, UnfitError
from nqbench.problems import formats, sudoku
from nqbench.problems.formats import FORMATS, languages, models
from nqbench.problems.instances import Board

FULL = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
BOARDS = {
    "one": Board(1),
    "none": Board(3),
    "empty": Board(6),
    "placed": Board(7, placed=((0, 1), (3, 6))),
    "blocked": Board(6, blocked=((0, 1), (2, 2), (5, 5))),
    "excluded": Board(7, sums=(4,), differences=(-2, 4)),
    "all": Board(7, placed=((0, 2),), blocked=((1, 5),), sums=(10,), differences=(5,)),
    "torus": Board(5, torus=True),
    "torus, placed": Board(7, placed=((2, 4),), torus=True),
    "even torus": Board(6, torus=True),  # ACE 2.6 ends in an error for n = 3 and n = 4
    "attacking": Board(5, placed=((0, 0), (2, 2))),
    "attacking on a torus": Board(5, placed=((0, 0), (1, 4)), torus=True),
    "two in a row": Board(4, placed=((0, 0), (0, 3))),
    "placed on a blocked square": Board(4, placed=((0, 1),), blocked=((0, 1),)),
    "no square left": Board(2, blocked=((0, 0), (0, 1))),
}
PUZZLES = {
    "one solution": sudoku.data_set("easy50")[0].digits,
    "several": sudoku.Grid.of("".join("." if digit in "89" else digit for digit in FULL)).digits,
    "contradiction": sudoku.Grid.of("11" + FULL[2:]).digits,
    "full": sudoku.Grid.of(FULL).digits,
}
INSTANCES = BOARDS | PUZZLES


@cache
def solve(instance):
    """All solutions: every permutation is tried, or a puzzle is searched."""
    if isinstance(instance, Board):
        return {columns for columns in permutations(range(instance.n))
                if instance.is_solution(columns)}
    if sudoku.Grid(instance).contradiction:
        return set()
    return {*map(tuple, sudoku.solve(sudoku.Grid(instance), limit=1000).solutions)}


def read(text, output):
    """The solutions that come back; none if the solver printed none."""
    try:
        found = formats.read(text, output)
    except InvalidValueError as error:
        assert str(error).startswith("SOLUTION has no solution in the form of ")
        return set()
    assert len({*found}) == len(found)
    return {*found}


CASES = [pytest.param(kind, reader, id=f"{kind}, {reader.__name__}", marks=pytest.mark.needs(part))
         for kind, known in readers.READERS.items() for reader, part in known.items()]


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    name if name in ("all", "torus", "several") else pytest.param(name, marks=pytest.mark.thorough)
    for name in INSTANCES])
@pytest.mark.parametrize(("kind", "reader"), CASES)
def test_a_reader_of_the_format_finds_every_solution(tmp_path, kind, reader, name):
    text = formats.write(INSTANCES[name], kind)
    output = reader(text, tmp_path)
    expected = solve(INSTANCES[name])
    assert read(text, output) == expected
    if not expected:
        assert not output or "UNSATISFIABLE" in output
    if reader in (readers.gecode, readers.clasp):
        mark = {"gecode": "\n----------\n", "clasp": "c Answer: "}[reader.__name__]
        assert output.count(mark) == len(expected)


@pytest.mark.slow
@pytest.mark.needs("Gecode")
@pytest.mark.parametrize("name", ["placed", "torus", "excluded", "several", "contradiction"])
def test_the_model_of_minizinc_takes_the_data_of_every_instance(tmp_path, name):
    instance = INSTANCES[name]
    text = formats.write(instance, "dzn")
    output = readers.gecode_json(formats.write(instance, "mzn"), text, tmp_path)
    assert read(text, output) == solve(instance)


def test_there_are_all_kinds_of_answers():
    numbers = {name: len(solve(instance)) for name, instance in INSTANCES.items()}
    assert {name: number for name, number in numbers.items() if number} == {
        "one": 1, "empty": 4, "placed": 2, "blocked": 3, "excluded": 2, "all": 2, "torus": 10,
        "torus, placed": 4, "one solution": 1, "several": 4, "full": 1}


# What solvers print, by format. In literals, `words` are in one line, and `lines` in lines of v.
AUXILIARY = "c Answer\nv {words} 999999 -999998 0\n"
OUTPUTS = {
    "cnf-pairwise": [AUXILIARY, "s SATISFIABLE\nv {lines}\nv 0\n", "SAT\n{words} 0\n",
                     "{literals}\n"],
    "cnf-sequential": [AUXILIARY], "cnf-product": [AUXILIARY],
    "opb": ["s SATISFIABLE\nv {named}\n"],
    "minizinc": ["{name} = {array};\n----------\n==========\n",
                 "{name} = array1d(0..{last}, {array});\n----------\n",
                 '{{\n  "{name}" : {array}\n}}\n----------\n'],
    "dzn": ["{name} = {array};\n----------\n==========\n", "{name} = [{indexed}];\n"],
    "xcsp": ["v <instantiation id='sol1' type='solution'> <list> {name}[] </list> <values> "
             "{values} </values> </instantiation>\n",
             "v <instantiation>\nv \t<list>{backwards} </list>\nv \t<values>{values_backwards}"
             "</values>\nv </instantiation>\n"],
    "dlx": ["1:\n{options}"]}
PRINTED = [(kind, output) for kind, known in OUTPUTS.items() for output in known]


def fill(output, model, answer):
    """What a solver prints for a solution."""
    chosen = {*map(model.number, enumerate(answer))}
    literals = [number if number in chosen else -number
                for number in range(1, len(model.options) + 1)]
    words = [*map(str, literals)]
    return output.format(
        name=model.name, last=model.size - 1, array=[*answer], literals=literals,
        indexed=str(dict(enumerate(answer)))[1:-1],
        words=" ".join(words),
        lines="\nv ".join(" ".join(words[start:start + 7]) for start in range(0, len(words), 7)),
        named=" ".join(f"{'-' * (number < 0)}x{abs(number)}" for number in literals),
        values=" ".join(map(str, answer)), values_backwards=" ".join(map(str, answer[::-1])),
        backwards=" ".join(f"{model.name}[{k}]" for k in reversed(range(model.size))),
        options="".join(f" {' '.join(model.items(option)[::-1])} (1 of 4)\n"
                        for option in enumerate(answer)))


@pytest.mark.parametrize(("kind", "output"), PRINTED)
@pytest.mark.parametrize("name", [
    "all", "torus", "several", *(pytest.param(name, marks=pytest.mark.thorough)
                                 for name in ("empty", "one solution"))])
def test_solutions_come_back_in_every_form(kind, output, name):
    model, answers = models.model_of(INSTANCES[name]), sorted(solve(INSTANCES[name]))
    text = formats.write(INSTANCES[name], kind, 7)
    source = formats.open_source(StringIO(text))
    assert (source.format.name, source.model.instance, source.solutions) == (
        kind, INSTANCES[name], 7)
    printed = "".join(fill(output, model, answer) for answer in [*answers, answers[0]])
    assert formats.read(text, printed) == answers


lines = st.lists(st.integers(-5, 10), max_size=3)


@st.composite
def boards(draw):
    n = draw(st.integers(1, 6))
    square = st.tuples(*[st.integers(0, n - 1)] * 2)
    placed = tuple(draw(st.lists(square, max_size=2)))
    if draw(st.booleans()):
        return Board(n, placed=placed, torus=True)
    return Board(n, placed, tuple(draw(st.lists(square, max_size=4))),
                 tuple(line for line in draw(lines) if 0 <= line <= 2 * n - 2),
                 tuple(line for line in draw(lines) if abs(line) < n))


@given(boards(), st.data())
def test_a_violation_is_named_if_and_only_if_it_is_no_solution(board, data):
    n = board.n
    columns = tuple(data.draw(st.one_of(st.permutations(range(n)), st.lists(
        st.integers(0, n - 1), min_size=n, max_size=n))))
    wrong = models.model_of(board).violation({*enumerate(columns)})
    assert board.is_solution(columns) == (not wrong)


@given(boards(), st.sampled_from(PRINTED))
@settings(max_examples=60)
def test_any_board_and_its_solutions_come_back(board, printed):
    kind, output = printed
    text = formats.write(board, kind)
    assert formats.open_source(StringIO(text)).model.instance == board
    for answer in sorted(solve(board))[:3]:
        assert formats.read(text, fill(output, models.model_of(board), answer)) == [answer]


@pytest.mark.parametrize("encode", languages.ENCODINGS)
@pytest.mark.parametrize("many", range(1, 11))
def test_an_encoding_allows_each_literal_alone_and_no_two(encode, many):
    """Every assignment of the auxiliary variables is tried for few literals; for more, those of one
    literal and of two."""
    literals = [*range(1, many + 1)]
    encoded = [*encode(literals, count(many + 1))]
    auxiliary = sorted({abs(literal) for clause in encoded for literal in clause} - {*literals})
    subsets = [set(), *({one} for one in literals), *map(set, combinations(literals, 2))]
    for true in subsets:
        satisfied = any(
            all(any((abs(literal) in chosen) == (literal > 0) for literal in clause)
                for clause in encoded)
            for values in product([False, True], repeat=len(auxiliary))
            for chosen in [true | {name for name, value in zip(auxiliary, values, strict=True)
                                   if value}])
        assert satisfied == (len(true) < 2)


@pytest.mark.parametrize(("encode", "most"), [
    (languages.pairwise, 4950), (languages.sequential, 296), (languages.product, 260)])
def test_the_encodings_have_their_published_sizes(encode, most):
    """Pairwise n (n - 1) / 2 clauses, sequential 3 n - 4, product 2 n + 4 sqrt(n) + O(n^(1/4))."""
    many = len([*encode([*range(1, 101)], count(101))])
    assert many <= most if encode is languages.product else many == most


@pytest.mark.parametrize(("board", "columns", "wrong"), [
    (Board(4), (0, 3, 1, 1), "column 1 has 2 queens"),
    (Board(4), (1, 2, 0, 3), "difference -1 has 2 queens"),
    (Board(4, placed=((0, 2),)), (1, 3, 0, 2), "q[0] = 2 is given, but missing"),
    (Board(4, blocked=((1, 3),)), (1, 3, 0, 2), "q[1] = 3 is excluded"),
    (Board(4, sums=(4,)), (1, 3, 0, 2), "q[1] = 3 is excluded"),
    (Board(5, torus=True), (0, 4, 1, 3, 2), "sum 0 has 2 queens")])
def test_the_first_violated_constraint_is_named(board, columns, wrong):
    for kind, output in PRINTED:
        with pytest.raises(UnfitError) as caught:
            formats.read(formats.write(board, kind),
                         fill(output, models.model_of(board), columns))
        assert str(caught.value) == f"solution 1 does not fit the instance: {wrong}"


FOUR, NONE = (4, *[0] * 80), (0,) * 81


@pytest.mark.parametrize(("instance", "kind", "output", "wrong"), [
    (Board(4), "opb", "v x2 x5 x8", "row 1 has 2 queens"),
    (Board(4), "opb", "v -x1", "row 0 has no queen"),
    (Board(4), "opb", "v x2 x8 x9", "row 3 has no queen"),
    (FOUR, "minizinc", f"cell = {[5, *map(int, FULL[1:])]}",
     r"cell\[0\] = 4 is given, but missing"),
    (FOUR, "minizinc", f"cell = {[4, 4, 3, *map(int, FULL[3:])]}", "row 1 has 4 twice"),
    (NONE, "minizinc", f"cell = {[*map(int, FULL[9:18] + FULL[9:])]}", "column 1 has 4 never"),
    (NONE, "opb", "v -x1 x11", "row 1, column 1 has no digit"),
    (NONE, "opb", "v x1 x11 x12" + "".join(f" x{9 * cell + 1}" for cell in range(2, 81)),
     "row 1, column 2 has 2 digits"),
    (NONE, "xcsp", "<instantiation><list>cell[]</list><values>1x81</values></instantiation>",
     "row 1 has 1 nine times")])
def test_what_is_wrong_with_literals_and_grids_is_named(instance, kind, output, wrong):
    with pytest.raises(UnfitError, match=wrong):
        formats.read(formats.write(instance, kind), output)


@pytest.mark.parametrize(("kind", "output", "says"), [
    ("minizinc", "q = [0, 1, x, 2];", "a value of q must be 0 to 3, not 'x'"),
    ("minizinc", "q = [0, 1, 4, 2];", "a value of q must be 0 to 3, not '4'"),
    ("minizinc", "q = [0, 1, 2];", "q must have 4 values, one for each index, not 3"),
    ("minizinc", "q = [];", "a value of q must be 0 to 3, not ''"),
    ("xcsp", "<instantiation><list>q[0] q[1] q[1] q[3]</list><values>0 1 2 3</values>",
     "q must have 4 values, one for each index, not 4"),
    ("xcsp", "<instantiation><list>q[]</list><values>0 * 2 3</values>",
     "a value of q must be 0 to 3, not '*'"),
    ("opb", "v x1 y2", "line 1 of SOLUTION must be v and literals such as 5, -5, x5 or -x5, not "),
    ("cnf-pairwise", "v 1 -2 -1 0\n", "line 1 of SOLUTION says that variable 1 is both true and "),
    ("cnf-pairwise", "v 1 -2\nv 2 0\n", "line 2 of SOLUTION says that variable 2 is both true "),
    ("cnf-pairwise", "v x1 -x1", "line 1 of SOLUTION says that variable 1 is both true and false"),
    ("cnf-product", "s UNKNOWN", "SOLUTION has no solution in the form of cnf-product"),
    ("dlx", "r0 c0", "SOLUTION has no solution in the form of dlx: a line of items"),
    ("dlx", "", "SOLUTION has no solution in the form of dlx: a line of items")])
def test_an_output_that_cannot_be_read_is_named(kind, output, says):
    with pytest.raises(InvalidValueError) as caught:
        formats.read(formats.write(Board(4), kind), output)
    assert str(caught.value).startswith(says)


@given(st.sampled_from([*FORMATS]), st.text(
    alphabet="vqx-0123456789[](),;=: \n<instantiation>list/values\"cell", max_size=200))
def test_no_output_is_a_bug(kind, output):
    text = formats.write(Board(4), "dzn" if kind == "mzn" else kind)
    try:
        assert formats.read(text, output) <= [(1, 3, 0, 2), (2, 0, 3, 1)]
    except NqbenchError as error:
        assert len(str(error).splitlines()) == 1


@given(st.text(max_size=100), st.sampled_from(["c ", "% ", "<!-- ", "* ", "| ", ""]))
def test_no_file_is_a_bug(text, begin):
    with pytest.raises(NqbenchError):
        formats.read(f"{begin}format: opb\n{begin}instance: {text}\n", "v x1 x1 y")


@pytest.mark.parametrize(("text", "says"), [
    ("", "FILE must name its format and its instance in comments"),
    ("p cnf 1 1\n1 0\n", "FILE must name its format and its instance in comments"),
    (formats.write(Board(4), "mzn"), "FILE must name its format and its instance in comments"),
    ("c format: sat\nc instance: n=4\n", "there is no format 'sat'; there are"),
    ("c format: opb\nc instance: n=x\n", "n must be a whole number, not 'x'"),
    ("c format: opb\nc instance: m=4\n", "an instance has no 'm', only n=N"),
    (f"c format: opb\nc instance: {'.' * 82}\n", "a grid has 81 cells (9 x 9), not 82")])
def test_a_file_that_names_no_instance_is_refused(text, says):
    with pytest.raises(InvalidValueError) as caught:
        formats.read(text, "v 1 0")
    assert str(caught.value).startswith(says)


@pytest.mark.thorough
def test_a_file_of_too_many_clauses_is_refused():
    with pytest.raises(InvalidValueError) as caught:
        formats.write(Board(200), "cnf-pairwise")
    assert str(caught.value) == ("the encoding pairwise has more than 5,000,000 clauses; choose "
                                 "cnf-sequential or cnf-product")


@pytest.mark.parametrize(("kind", "says"), [
    ("cnf-pairwise", "c done\ns UNSATISFIABLE\n"), ("opb", "s UNSATISFIABLE\n"),
    ("minizinc", "=====UNSATISFIABLE=====\n"), ("xcsp", "s UNSATISFIABLE")])
@pytest.mark.parametrize("instance", [BOARDS["placed"], BOARDS["none"], BOARDS["two in a row"],
                                      *PUZZLES.values()])
def test_a_solver_that_says_there_is_no_solution_is_right_or_wrong(kind, says, instance):
    text = formats.write(instance, kind)
    if solve(instance):
        with pytest.raises(UnfitError, match=r"says that there is no solution, but .* is one"):
            formats.read(text, says)
    else:
        assert formats.read(text, says) == []


def test_a_number_of_solutions_in_the_file_contradicts_a_solver():
    text = formats.write(Board(3), "cnf-pairwise", solutions=2)
    with pytest.raises(UnfitError, match="no solution, but FILE says that there are 2"):
        formats.read(text, "s UNSATISFIABLE")


def test_only_a_torus_reduces_the_sums_of_xcsp():
    assert "mod(" not in formats.write(Board(4), "xcsp")
    torus = formats.write(Board(5, torus=True), "xcsp")
    assert "mod(add(q[1],1),5)" in torus and "mod(q[0],5)" not in torus
