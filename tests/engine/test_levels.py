"""Every kernel, order of rows and division counts the same levels; wrong answers are rejected."""

import json
from dataclasses import replace
from itertools import product

import pytest
from conftest import refused
from workers import Workers

from nqbench import engine
from nqbench.engine import Checkpoint, Division, audit, counting, counting_on, division_of
from nqbench.engine.plans import sample
from nqbench.engine.processor import LEVELS as ROWS
from nqbench.errors import MiscountError
from nqbench.problems.published import published
from nqbench.problems.published.invariants import invariants_of_levels

core = pytest.importorskip("nqbench._levels")
PROFILES, NODES_PUBLISHED = published("A319284"), published("A319283")


def levels_of(n, kernel="portable", rows="outwards", split=4, jobs=8, capacity=1024):
    counted = core.Engine(n, split, jobs, rows == "outwards")
    found = [0] * counted.values
    for part, count in enumerate(core.Kernel(kernel, capacity).complete(
            counted, range(counted.parts))):
        *values, rest_13, rest_15 = count
        assert (rest_13, rest_15) == (sum(values) % 13, sum(values) % 15)
        found = [a + counted.images(part) * b for a, b in zip(found, values, strict=True)]
    return counted.first_levels + found


@pytest.mark.parametrize("kernel", core.kernels())
@pytest.mark.parametrize("rows", ROWS)
def test_every_kernel_counts_the_published_levels(kernel, rows):
    for n in range(13):
        for split in range(2, min(n, 6) + 1) if n > 1 else [n]:
            assert levels_of(n, kernel, rows, split) == PROFILES[n]


@pytest.mark.parametrize(("kernel", "rows"), list(product(core.kernels(), ROWS)))
def test_small_buffers_and_parts_change_nothing(kernel, rows):
    assert levels_of(12, kernel, rows, 5, jobs=100, capacity=128) == PROFILES[12]
    assert levels_of(11, kernel, rows, 3, jobs=1, capacity=128) == PROFILES[11]


@pytest.mark.parametrize("rows", ROWS)
def test_the_nodes_of_14_queens_are_the_published_ones(rows):
    levels = engine.count_levels(14, rows=rows)
    assert sum(levels) == NODES_PUBLISHED[14]
    assert levels[14] == 365596
    assert levels.index(max(levels)) == published("A319288")[14]


def test_a_prefix_stands_for_its_reflections():
    for n, split in ((5, 2), (6, 3), (7, 4), (9, 5)):
        placements = levels_of(n, split=split)[split]
        for rows, images in (("outwards", 4), ("downwards", 2)):
            counted = core.Engine(n, split, 1, rows == "outwards")
            weights = [counted.images(part) for part in range(counted.parts)]
            assert sum(weights) * images // 2 == placements
            assert weights == sorted(weights, reverse=True)


def test_threads_share_the_work():
    *_, (share, levels) = counting(15, jobs=3, algorithm="outwards")
    assert (share, sum(levels)) == (1.0, NODES_PUBLISHED[15])


def test_a_count_that_was_stopped_is_resumed(tmp_path):
    path = tmp_path / "levels.checkpoint"
    begun = counting(16, "portable", 2, checkpoint=path, algorithm="outwards")
    next(begun)
    begun.close()
    parts = len(path.read_text().splitlines()) - 1
    assert 0 < parts < division_of(path).parts
    with pytest.raises(ValueError, match="is a checkpoint of the engine outwards, not downwards"):
        list(counting(16, checkpoint=path, algorithm="downwards"))
    *_, (_, levels) = counting(16, checkpoint=path, algorithm="outwards")
    assert sum(levels) == NODES_PUBLISHED[16]
    assert all(recount.ok for recount in audit(path, 3))


@pytest.mark.parametrize("changes", [{"split": 1}, {"split": 7}, {"split": 10}, {"n": 32},
                                     {"slices": 8}, {"jobs_a_part": 0}])
def test_a_first_line_that_makes_no_sense_is_no_checkpoint(tmp_path, changes):
    path = tmp_path / "levels.checkpoint"
    division = Division.new(9, "portable", algorithm="outwards")
    path.write_text(replace(division, **changes).line + "\n")
    with pytest.raises(ValueError, match="is not a checkpoint"):
        engine.read_checkpoint(path)


def test_a_line_has_a_number_for_each_level(tmp_path):
    path = tmp_path / "levels.checkpoint"
    list(counting(9, checkpoint=path, algorithm="outwards"))
    _, *lines = path.read_text().splitlines()
    for line in lines:
        _, images, *numbers = map(int, line.split()[:-1])
        assert (images in (1, 2), len(numbers)) == (True, 9 - 4 + 2)
    ledger = engine.read_checkpoint(path)
    assert ledger.levels == PROFILES[9]
    assert ledger.solutions == 352


def test_an_impossible_count_is_rejected(tmp_path):
    division = Division.new(8, "portable", algorithm="outwards")
    path = tmp_path / "levels.checkpoint"
    with Checkpoint(path, division) as kept:
        kept.add([(0, (1, 0, 0, 0, 1, 1)), (1, (1, 1, 1))])
    said = []
    assert engine.read_checkpoint(path, said.append).done == 1
    assert len(said) == 1
    with pytest.raises(MiscountError, match="part 3 was counted as 1 and 2 and 3 and 4, imposs"):
        engine.read_checkpoint(path).enter([3], [(1, 2, 3, 4, 0, 0)])


def lack_a_level(number, answer):
    """Let every third answer lack a level."""
    return answer if number % 3 else answer._replace(counts=tuple(
        count[1:] for count in answer.counts))


def test_workers_count_the_levels_and_wrong_answers_are_asked_for_again():
    said = []
    for rows in ROWS:
        *_, (share, levels) = counting_on(Workers(lack_a_level), 12, 2, say=said.append,
                                          algorithm=rows)
        assert (share, levels) == (1.0, PROFILES[12])
    assert all("counted again: an invalid answer" in line for line in said)
    assert said


@pytest.mark.parametrize("rows", ROWS)
def test_a_sample_predicts_the_nodes(rows):
    drawn = sample(15, 1, algorithm=rows)
    nodes, low, high = drawn.solutions
    assert low < NODES_PUBLISHED[15] < high
    assert 0.5 < nodes / NODES_PUBLISHED[15] < 2


def test_what_the_sequences_contradict_is_said():
    assert all(known.ok for known in invariants_of_levels(8, PROFILES[8]))
    wrong = [known.name for known in invariants_of_levels(8, [*PROFILES[8][:-1], 93])
             if not known.ok]
    assert wrong == ["level 8 (A319284)", "the sum of the levels (A319283)", "level 8 (A000170)",
                     "level 8 (modulo 8, as A032522)"]


@pytest.mark.parametrize("choices", [
    {"n": 32}, {"n": -1}, {"n": 8, "algorithm": "sideways"}, {"n": 8, "kernel": "none"},
    {"n": 8, "jobs": 0}])
def test_what_makes_no_sense_is_refused(choices):
    with pytest.raises(ValueError, match=r"must|there is no"):
        list(counting(**{"algorithm": "outwards"} | choices))


def test_only_two_orders_of_the_rows_are_known():
    with pytest.raises(ValueError, match="rows must be outwards or downwards, not 'sideways'"):
        engine.count_levels(8, rows="sideways")


def test_the_command_prints_a_table_or_json(run):
    status, out, err = run("levels", 8)
    assert (status, err) == (0, "")
    assert out.startswith("n = 8: 2,057 nodes; widest level: 5\n")
    status, out, _ = run("levels", 12, "--rows", "downwards", "--json", "--jobs", 2)
    told = json.loads(out)
    assert (status, told["levels"], told["nodes"], told["widest"]) == (0, PROFILES[12], 856189, 9)


def test_a_count_of_more_than_a_day_is_refused(run):
    assert refused(run("levels", 25)).endswith("more than a day; add --yes to start it anyway")
    assert refused(run("levels", 40)) == "n must be at most 31 for levels, not 40"


def test_a_wrong_total_ends_with_status_1(run, tmp_path):
    path = tmp_path / "levels.checkpoint"
    division = Division.new(8, engine.kernels()[0], algorithm="outwards")
    with Checkpoint(path, division) as kept:
        kept.add([(0, (10**6, 0, 0, 0, 10**6 % 13, 10**6 % 15))])
    status, out, err = run("levels", 8, "--checkpoint", path)
    assert (status, out) == (1, "")
    assert "level 5 (A319284) cannot be" in err
    status, out, err = run("audit", path, "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["differ"][0]["kept"][0]) == (1, False, 10**6)
    assert told["contradictions"]


def test_the_audit_of_a_checkpoint_shows_the_levels(run, tmp_path):
    path = tmp_path / "levels.checkpoint"
    run("levels", 10, "--checkpoint", path)
    status, out, err = run("audit", path, "--sample", 5)
    assert (status, err) == (0, "")
    assert "35,539 nodes" in out
    assert out.endswith("5 of 5 recounted parts are the same\n")


def test_a_plan_shows_the_nodes(run):
    status, out, _ = run("plan", 15, "-a", "outwards", "--json")
    told = json.loads(out)
    assert (status, told["algorithm"]) == (0, "outwards")
    assert told["nodes"]["known"] == NODES_PUBLISHED[15]
