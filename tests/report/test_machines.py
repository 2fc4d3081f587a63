"""A report of some runs or machines alone, and several machines side by side."""

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


def test_machines_stand_side_by_side_as_ratios_to_their_own_baseline(two):
    made = read(two)
    found = facts(made, "machines")
    assert list(found.machines) == ["laptop (bbbb1111)", "aaaa0000"]
    (row,) = found.rows.to_dict("records")
    assert row["solver"] == "somers"
    assert (row["laptop (bbbb1111)"], row["aaaa0000"]) == (pytest.approx(0.75), 0.5)
    assert ("at n = 8: the time of a search\ndivided by the time of bitmask there, round by round"
            in said(made, "machines"))
    assert sorted(made.frames.timings["median"]) == pytest.approx([0.15, 0.2])  # of one machine


def test_one_machine_has_nothing_beside_it(two):
    (two / "a.jsonl").unlink()
    assert "machines" not in read(two).parts


@pytest.mark.parametrize(("chosen", "machine"), [
    ({"runs": ["2026-11-21"]}, "aaaa0000"), ({"machines": ["laptop"]}, "bbbb1111"),
    ({"machines": ["aaaa"]}, "aaaa0000"), ({"runs": [SECOND], "machines": ["bbbb"]}, "bbbb1111")])
def test_a_report_shows_the_chosen_runs_alone(two, chosen, machine):
    made = builder.read(two, **chosen)
    assert set(made.frames.records["machine"]) == {machine}
    assert "machines" not in made.parts


def test_the_page_names_the_hash_of_its_records(two):
    made, whole = read(two), digest(read_records(two, pytest.fail))
    assert facts(made, "how").sha256 == whole
    assert f"SHA-256 <code>{whole}</code>" in said(made, "how")
    assert facts(builder.read(two, runs=[FIRST]), "how").sha256 != whole
