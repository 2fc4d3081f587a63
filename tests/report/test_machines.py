"""A report of some runs or machines alone."""

import re

import pytest
from examples import FIRST, SECOND, timed, write
from kept import facts, read, said

from nqbench.records.record import digest
from nqbench.records.record import read as read_records
from nqbench.report import builder

pytestmark = pytest.mark.slow  # each reads all that a report says


@pytest.fixture
def two(tmp_path):
    """Two machines: on the second, bitmask is twice as slow, and somers three times."""
    for name, when, machine, label, factors in (("a", FIRST, "aaaa0000", None, (1, 0.5)),
                                                ("b", SECOND, "bbbb1111", "laptop", (2, 1.5))):
        write(tmp_path / f"{name}.jsonl", *(
            timed(algorithm, 8, [factor * one for one in (0.1, 0.11, 0.09)], run=when,
                  machine=machine, label=label)
            for algorithm, factor in zip(("bitmask", "somers"), factors, strict=True)))
    return tmp_path


def test_the_times_of_one_machine_alone_are_shown(two):
    assert sorted(read(two).frames.timings["seconds"]) == pytest.approx([0.15, 0.2], rel=0.01)


def test_what_the_page_leaves_out_is_named_and_compared(two):
    made = read(two)
    text = said(made, "comparison")
    assert "The page is about the run of 2026-11-22T09:30:00" in text
    assert re.search(
        r"Left out: 1 run</summary>\s*<ul>\s*<li>2026-11-21T08:00:00, quick, commit aaaa", text)
    assert "These are the times of two machines." in text
    assert '<a href="#comparison">what it' in said(made, "header")
    ratios = made.parts["comparison"].tables["comparison"]
    assert dict(zip(ratios["algorithm"], ratios["ratio"], strict=True)) == pytest.approx(
        {"bitmask": 2, "somers": 3})
    assert [*made.parts["comparison"].figures] == ["comparison"]


@pytest.mark.parametrize("chosen", [{"machines": ["laptop"]}, {"runs": ["2026-11-21"]}])
def test_records_of_one_commit_and_machine_are_not_compared(two, chosen):
    assert "comparison" not in builder.read(two, **chosen).parts


def test_runs_without_times_of_the_same_searches_are_named_all_the_same(tmp_path):
    for name, n, commit in (("a", 8, "a" * 40), ("b", 9, "b" * 40)):
        write(tmp_path / f"{name}.jsonl", timed(n=n, samples=[0.1] * 3, commit=commit,
                                                run=FIRST if n == 8 else SECOND))
    assert "No other commit or machine has times of the same searches" in said(
        read(tmp_path), "comparison")


@pytest.mark.parametrize(("chosen", "machine"), [
    *(pytest.param(*one, marks=pytest.mark.thorough) for one in (
        ({"runs": ["2026-11-21"]}, "aaaa0000"), ({"machines": ["laptop"]}, "bbbb1111"),
        ({"machines": ["aaaa"]}, "aaaa0000"))),
    ({"runs": [SECOND], "machines": ["bbbb"]}, "bbbb1111")])
def test_a_report_shows_the_chosen_runs_alone(two, chosen, machine):
    made = builder.read(two, **chosen)
    assert set(made.frames.records["machine"]) == {machine}


@pytest.mark.thorough
def test_the_page_names_the_hash_of_its_records(two):
    made, whole = read(two), digest(read_records(two, pytest.fail))
    assert facts(made, "how").sha256 == whole
    assert f"SHA-256 <code>{whole}</code>" in said(made, "how")
    assert facts(builder.read(two, runs=[FIRST]), "how").sha256 != whole
