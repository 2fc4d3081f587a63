"""A report of some runs or machines alone."""

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
