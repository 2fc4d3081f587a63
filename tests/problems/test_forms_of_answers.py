"""The answers of functions that were not written for nqbench are read as columns."""

import numpy as np
import pytest

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems.plugins.functions import recognise

SOLUTIONS = {4: [(1, 3, 0, 2), (2, 0, 3, 1)], 5: [(0, 2, 4, 1, 3)], 6: [(1, 3, 5, 0, 2, 4)]}
FORMS = {
    "yields tuples, counted from 0": tuple,
    "yields lists, counted from 0": list,
    "yields lists, counted from 1": lambda columns: [c + 1 for c in columns],
    "yields arrays, counted from 0": np.array,
    "yields texts, counted from 1": lambda columns: "".join(str(c + 1) for c in columns),
    "yields texts, counted from 0": lambda columns: ", ".join(map(str, columns)),
    "yields squares, counted from 0": lambda columns: [*enumerate(columns)],
    "yields squares, counted from 1": lambda columns: {(r + 1, c + 1) for r, c in
                                                       enumerate(columns)},
    "yields boards, a queen is 'Q'": lambda columns: [
        "." * c + "Q" + "." * (len(columns) - c - 1) for c in columns],
    "yields boards, a queen is '♕'": lambda columns: "\n".join(
        " ".join("-♕"[c == d] for d in range(len(columns))) for c in columns) + "\n",
    "yields boards, a queen is 1": lambda columns: np.eye(len(columns), dtype=int)[[*columns]],
    "yields boards, a queen is True": lambda columns: [
        [c == d for d in range(len(columns))] for c in columns]}


@pytest.mark.parametrize("words", FORMS)
def test_a_form_is_recognised_and_read(words):
    form = recognise(lambda n: map(FORMS[words], SOLUTIONS[n]))
    assert form.words == words
    for n, solutions in SOLUTIONS.items():
        assert [form.columns(FORMS[words](each), n) for each in solutions] == solutions


def board(columns, sign=""):
    return [sign.join("Q" if c == d else "." for d in range(len(columns))) for c in columns]


@pytest.mark.parametrize(("function", "words"), [
    (SOLUTIONS.__getitem__, "returns tuples, counted from 0"),
    (lambda n: [] if n == 4 else SOLUTIONS[n], "returns tuples, counted from 0"),  # loses some
    (lambda n: np.int64(2), "returns the number of solutions"),
    (lambda n: np.array(SOLUTIONS[n]), "returns arrays, counted from 0"),
    (lambda n: ((c for c in each) for each in SOLUTIONS[n]), "yields lists, counted from 0"),
    (lambda n: ([f"{row} " for row in board(each, " ")] for each in SOLUTIONS[n]),
     "yields boards, a queen is 'Q'"),
    (lambda n: [["|" + row + "|" for row in board(each, "|")] for each in SOLUTIONS[n]],
     "returns boards, a queen is 'Q'"),
    (lambda n: "\n\n".join("\n".join(board(each)) for each in SOLUTIONS[n]),
     "returns boards, a queen is 'Q'"),
    (lambda n: dict.fromkeys(SOLUTIONS[n], 1), "returns tuples, counted from 0"),
    (lambda n: 1 // (n > 4) and SOLUTIONS[n], "returns tuples, counted from 0")])
def test_other_answers_are_told_apart(function, words):
    assert recognise(function).words == words


@pytest.mark.parametrize(("answer", "says"), [
    (None, "it returns None; let it return its answers, or, if it prints them, run it as a"),
    ("2413", "it returns '2413' at n = 4, which is not"),
    ([], "it finds no solution for 4 to 6 queens"),
    ([[9, 9, 9, 9]], r"\[9, 9, 9, 9\] as a solution at n = 4: not 4 columns from 1 to 4"),
    ([[1, 3, 0, 2], [2, 0, 3]], r"\[2, 0, 3\] as a solution at n = 4: not 4 columns from 0"),
    ([2, 4, 1, 3], r"it returns one solution at n = 4, \[2, 4, 1, 3\]; return a list of all"),
    ([3.5], "it returns 3.5 as a solution"),
    ([(0, 1)], r"it returns \(0, 1\) as a solution"),
    ([[2, 4, 1, 3], [0, 0, 0, 0]], r"it returns \[2, 4, 1, 3\] as a solution"),
    ([[".Q..", "...Q", "Q...", "...."]], "as a solution at n = 4")])
def test_what_cannot_be_read_is_named(answer, says):
    with pytest.raises((PluginError, InvalidValueError), match=says):
        recognise(lambda n: answer)


def test_one_list_that_is_changed_in_between_is_named():
    def visits(n):
        columns = []
        for columns[:] in SOLUTIONS[n]:
            yield columns

    with pytest.raises(PluginError, match="it yields the same list 2 times at n = 4, and changes"):
        recognise(visits)
