"""Tables keep every word, and long work reports its progress."""

import io
import re
import sys
from queue import Queue
from time import sleep

import pytest

from nqbench.cli import terminal

ROWS = [("a_very_long_name", 12_345, "some words that may be wrapped", "more"),
        ("b", 1, "short", "and more")]
COLUMNS = ["name", "number", "text", "rest"]


def shown(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal.table("title", COLUMNS, ROWS, numeric=["number"])
    return capsys.readouterr()


def test_a_table_is_no_wider_than_the_terminal_and_keeps_every_word(capsys, monkeypatch):
    words = {word for row in ROWS for cell in row for word in str(cell).split()}
    for columns in (8, 30, 52, 60, 200):
        out, err = shown(capsys, monkeypatch, columns)
        assert words <= set(out.split())
        assert "\N{HORIZONTAL ELLIPSIS}" not in out
        assert columns < 52 or max(map(len, out.splitlines())) <= columns
        assert err == ""


def test_rows_that_do_not_fit_are_lists_of_lines(capsys, monkeypatch):
    out, _ = shown(capsys, monkeypatch, 20)
    assert out == ("title\n"
                   "\nname    a_very_long_name\nnumber  12345\n"
                   "text    some words that may be wrapped\nrest    more\n"
                   "\nname    b\nnumber  1\ntext    short\nrest    and more\n")


def test_counters_of_one_search_are_a_list_and_those_of_several_a_row_each(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = {"answer": "one", "nodes": 1234, "levels": [1, 1233]}
    terminal.print_counters("title", "instance", [found])
    assert cells(capsys) == [["counter", "value"], ["answer", "one"], ["nodes", "1,234"],
                             ["levels", "1 1233"]]
    terminal.print_counters("title", "instance", [{"answer": "none"}, found])
    assert cells(capsys) == [["instance", "answer", "nodes"], ["1", "none", ""],
                             ["2", "one", "1,234"]]


def cells(capsys):
    """Return the rows of a table, the names of its columns first."""
    return [[cell.strip() for cell in line[1:-1].replace("┃", "│").split("│")]
            for line in capsys.readouterr().out.splitlines() if line[0] in "┃│"]


@pytest.mark.parametrize(("cell", "width"), [("word " * 100, 100), ("w" * 110, 114)])
def test_without_a_terminal_a_table_has_100_or_is_as_wide_as_its_words(
        capsys, monkeypatch, cell, width):
    """A pipe has no width, and nobody asked for one."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "__stdout__", io.StringIO())
    terminal.table("title", ["text"], [[cell]])
    out, err = capsys.readouterr()
    assert (max(map(len, out.splitlines())), err) == (width, "")
    assert {*cell.split()} <= {*out.split()}


@pytest.fixture
def pass_time(monkeypatch):
    """Let reporters wait for calls of this, not for time: however slow the machine, each call is
    one wait that is over before the work is.
    """
    made = []

    class Waits(Queue):
        def wait(self, seconds):
            return self.get()

        def set(self):
            self.put(True)

    monkeypatch.setattr(terminal, "Event", lambda: made.append(Waits()) or made[-1])
    return lambda: made[-1].put(False)


def read_until(text, capsys):
    """Return standard error once it has a text."""
    err = ""
    while text not in err:
        sleep(0.01)
        err += capsys.readouterr().err
    return err


def test_long_work_says_one_line_without_a_terminal(capsys, pass_time):
    with terminal.waiting("8 queens", None):
        pass_time()
    assert capsys.readouterr().err == "nqbench: 8 queens: 10 s elapsed; Ctrl-C stops it\n"
    with terminal.progress(4.0) as show:
        show("searching", 2.0)
        pass_time()
    assert capsys.readouterr().err == (
        "nqbench: searching: 10 s elapsed, 50.0% done, about 10 s left; Ctrl-C stops it\n")


def test_each_line_comes_after_twice_the_time_of_the_one_before(capsys, pass_time):
    with terminal.waiting("8 queens", None):
        for _ in range(3):
            pass_time()
    assert capsys.readouterr().err == "".join(
        f"nqbench: 8 queens: {seconds} s elapsed; Ctrl-C stops it\n" for seconds in (10, 20, 40))


def test_the_rest_of_resumed_work_is_predicted_by_its_own_speed(capsys, monkeypatch, pass_time):
    monkeypatch.setattr(terminal, "perf_counter", iter([0.0, 10.0]).__next__)
    with terminal.progress(1.0) as show:
        show("counting", 0.9)  # counted before
        show("counting", 0.91)
        pass_time()
    assert "91.0% done, about 1.5 minutes left" in capsys.readouterr().err


def test_no_more_than_all_is_done_and_no_time_is_negative(capsys, monkeypatch, pass_time):
    monkeypatch.setattr(terminal, "perf_counter", iter([0.0, 10.0]).__next__)
    with terminal.progress(10.0) as show:
        show("counting", 0.0)
        show("counting", 30.5)
        pass_time()
    assert capsys.readouterr().err == "nqbench: counting: 10 s elapsed; Ctrl-C stops it\n"


@pytest.mark.parametrize("interactive", [False, True])
def test_an_overdue_prediction_promises_nothing(capsys, monkeypatch, interactive):
    monkeypatch.setattr(terminal, "LONG", 0.01)
    monkeypatch.setattr(terminal, "BAR_AFTER", 0.01)
    monkeypatch.setattr(terminal, "TICK", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: interactive)
    with terminal.waiting("8 queens", 0.002):
        err = read_until("8 queens, predicted to take 2 ms", capsys)
    assert "done" not in err
    assert "0:00:00 left" not in err


def test_no_line_is_needed_for_work_that_was_announced_or_shows_output(
        capsys, monkeypatch, pass_time):
    with terminal.waiting("8 queens", 20.0, announced=True):
        pass_time()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with terminal.printing("8 queens") as seen:
        seen()
        pass_time()
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_a_bar_whose_clock_is_whole_in_80_columns(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "BAR_AFTER", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    with terminal.waiting("8 queens", None):
        assert read_until("8 queens", capsys)
    with terminal.waiting("round 1 of 7: " + "a search of a long name, " * 8, 3600.0):
        line = re.sub(r"\x1b\[[\d;?]*\w", "", read_until(" left", capsys))
    assert re.search(r"round 1 of 7: a .*\N{HORIZONTAL ELLIPSIS} \S+ 0:00:\d\d elapsed, \S+ left",
                     line), line
