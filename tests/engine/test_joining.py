"""The join engine: its pieces agree with brute force, and its counts with published values."""

import random
from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest

from nqbench import engine
from nqbench.engine import Division, counting
from nqbench.engine import division as dividing
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.problems.queens import join as halves
from nqbench.search.board import attacks
from nqbench.search.builds import built

core = pytest.importorskip("nqbench._join")
A000170 = published("A000170")
splits, count_pairs = (built(step, "plain") for step in (halves.splits, halves.count_pairs))
LEAST_WORDS = 1000
KERNELS = engine.kernels()


def placements(n, hole, rows, first):
    """All ways to put queens on the rows and on as many columns from `first` on."""
    middle = [] if hole is None else [(hole, n // 2)]
    for columns in permutations(range(first, first + len(rows))):
        squares = list(zip(rows, columns, strict=True))
        if not any(attacks(a, b) for a, b in combinations([*middle, *squares], 2)):
            yield squares


def all_splits(n):
    """Every choice of the hole and of the western rows."""
    for hole in range(n // 2 + 1) if n % 2 else [None]:
        for rows in combinations([row for row in range(n) if row != hole], n // 2):
            if hole in (None, n // 2) or n // 2 in rows:
                yield hole, rows


def total(divided, kernel, index=None):
    """The solutions of all parts."""
    counts = core.Kernel(kernel, index=index).complete(divided, range(divided.parts))
    return sum(divided.images(part) * ways for part, (ways, *_) in enumerate(counts))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("index", [None, 0, 4])
def test_halves_are_those_of_brute_force(kernel, index):
    """For every choice of rows, on both sides: as words, of the diagonals that both reach."""
    memory = core.Kernel(kernel, LEAST_WORDS, index)
    every = [(n, *split) for n in range(2, 10) for split in all_splits(n)]
    for n, hole, rows in every:
        others = [row for row in range(n) if row not in (*rows, hole)]
        tie = hole not in (None, n // 2)
        upper = sum(row < n // 2 for row in rows)
        for east, side, first in ((False, rows, 0), (True, others, n - n // 2)):
            words = memory.halves(n, hole, rows, east)
            flags = 3 << memory.enter(n, hole, upper)
            expected = Counter()
            for squares in placements(n, hole, side, first):
                column = dict(squares).get(n // 2)
                if tie and not east and column > hole:  # nearer to the centre than the hole
                    continue
                word = 0
                for row, column in squares:
                    word |= memory.square(row, column)
                expected[word] += 1
                if not tie:
                    long = sum(r + c == n - 1 for r, c in squares) + sum(
                        r == c for r, c in squares)
                    assert (word & flags).bit_count() == long
                elif not east:
                    assert bool(word & flags) == (dict(squares)[n // 2] == hole)
            assert Counter(words) == expected, (n, hole, rows, east)


@pytest.mark.parametrize(("n", "hole"), [(8, None), (13, 0), (21, 10), (32, None)])
@pytest.mark.parametrize("index", [None, 0, 7])
def test_pairs_are_those_of_brute_force(n, hole, index):
    """Also if pieces are full, and classes have from none to many words."""
    memories = {kernel: core.Kernel(kernel, LEAST_WORDS, index) for kernel in KERNELS}
    rng, tie = random.Random(n + (index or 0)), hole == 0
    (bits,) = {memory.enter(n, hole, n // 4) for memory in memories.values()}
    flags = 3 << bits

    def words(number, flags):
        return [sum(1 << bit for bit in range(bits + flags) if rng.random() < 0.2)
                for _ in range(number)]

    for number, others in ((1, 1), (7, 0), (64, 3), (40, 511), (512, 99), (1100, 64)):
        west, east = words(number, 1 if tie else 2), words(others, 0 if tie else 2)
        expected = 0
        for w, e in product(west, east):
            if w & e & ~flags or (w & flags and e & flags):
                continue
            both = flags in (w & flags, e & flags)  # such a word counts twice
            expected += 1 + (not w & flags if tie else both)
        for kernel, memory in memories.items():
            assert memory.pairs(west, east) == expected, (kernel, number, others)


def spread(sets, places):
    """Move the bits of sets to these places."""
    return sum((sets >> np.uint64(bit) & np.uint64(1)) << np.uint64(place)
               for bit, place in enumerate(places))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("index", [None, 3])
def test_pairs_of_long_lists_are_those_of_a_sum_over_subsets(kernel, index):
    """There are enough words that a sample of their pairs chooses the diagonals for sorting."""
    memory, rng = core.Kernel(kernel, index=index), np.random.default_rng(1)
    places = rng.permutation(memory.enter(20, None, 5))
    shared, own, others_own = places[:16], places[16:26], places[26:]
    west, east = (sum((rng.random(number) < 0.6 * rng.random()).astype(np.uint64) << np.uint64(bit)
                      for bit in range(16)) for number in (70_000, 66_000))
    disjoint = np.bincount(east.astype(np.int64), minlength=1 << 16)  # of each set: its subsets
    for bit in range(16):
        halves = disjoint.reshape(-1, 2, 1 << bit)
        halves[:, 1] += halves[:, 0]
    expected = int(disjoint[(1 << 16) - 1 - west.astype(np.int64)].sum())
    words = [(spread(sets, shared) + spread(rng.integers(1 << 10, size=len(sets), dtype=np.uint64),
                                            alone)).tolist()
             for sets, alone in ((west, own), (east, others_own))]
    assert memory.pairs(*words) == expected


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_part_is_what_python_counts(kernel):
    memory = core.Kernel(kernel)
    for n in range(10):
        divided = Division.new(n, kernel, algorithm="join")
        for part in range(divided.parts):
            ((ways, *rests),) = memory.complete(divided.engine, [part])
            jobs = divided.engine.jobs(part)
            expected = sum(count_pairs(n, (hole, tuple(rows))) for hole, rows in jobs)
            assert (ways, *rests) == (expected, expected % 13, expected % 15), (n, part)


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_agree_with_a000170(kernel):
    for n in range(18 if kernel == KERNELS[0] else 17):
        assert [*counting(n, kernel, algorithm="join")][-1] == (1.0, A000170[n]), n


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("index", [0, 6, 16])
def test_index_bits_and_sizes_of_parts_do_not_change_the_count(kernel, index):
    ns = (7, 10, 12, 13)[:4 if index < 9 else 2]  # the classes of many bits take long
    for n, jobs_a_part in product(ns, (1, 5)):
        assert total(core.Engine(n, jobs_a_part), kernel, index) == A000170[n], (n, jobs_a_part)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [16, 21])
def test_lists_cut_into_slices_do_not_change_the_count(kernel, n):
    """Both sides have more than 1,000 halves here."""
    divided = core.Engine(n, 1)
    cut, whole = core.Kernel(kernel, LEAST_WORDS), core.Kernel(kernel)
    chosen = random.Random(n).sample(range(divided.parts), 4 if n < 20 else 1)
    assert cut.complete(divided, chosen) == whole.complete(divided, chosen)


@pytest.mark.parametrize("n", [*range(13), 18, 19, 21, 22])
def test_a_part_depends_neither_on_the_kernel_nor_on_which_side_is_west(n):
    """Also where the middle row decides and has a tie: odd n has such parts first."""
    divided = core.Engine(n, 1)
    chosen = range(divided.parts) if n < 15 else [
        part * divided.parts // 20 for part in ((1, 8, 17) if n < 21 else (3,))]
    assert len({tuple(core.Kernel(kernel, exchanged=exchanged).complete(divided, chosen))
                for kernel, exchanged in product(KERNELS, (False, True))}) == 1


@pytest.mark.parametrize("n", [7, 8, 11, 14, 17])
def test_slices_of_a_job_add_up_to_it(n):
    """Each is the same where west and east are exchanged."""
    whole, slices = core.Engine(n, 1), 27 if n < 18 else 9
    sliced = core.Engine(n, 1, slices)
    assert sliced.parts == whole.parts * slices
    for part in random.Random(n).sample(range(whole.parts), min(whole.parts, 5 if n < 18 else 1)):
        numbers = range(part * slices, (part + 1) * slices)
        expected = core.Kernel(KERNELS[0]).complete(sliced, numbers)
        for kernel, exchanged in product(KERNELS, (False, True)):
            memory = core.Kernel(kernel, exchanged=exchanged)
            assert memory.complete(sliced, numbers) == expected, (kernel, exchanged)
            assert memory.complete(whole, [part])[0][0] == sum(ways for ways, *_ in expected)
        assert {sliced.images(number) for number in numbers} == {whole.images(part)}


def test_every_part_is_found_from_its_number():
    for n in range(33):
        divided = Division.new(n, "portable", algorithm="join")
        rng = random.Random(n)
        for part in {0, divided.parts - 1, *(rng.randrange(divided.parts) for _ in range(20))}:
            for hole, rows in divided.engine.jobs(part):
                assert len(rows) == n // 2, (n, part)
                assert hole not in rows, (n, part)
                assert (hole is None) == (n % 2 == 0), (n, part)
        with pytest.raises(ValueError, match=f"there are parts 0 to {divided.parts - 1} only"):
            core.Kernel("portable").complete(divided.engine, [divided.parts])


@pytest.mark.parametrize(("arguments", "says"), [
    (("portable", 999), "from 1000 to"), (("portable", 1000, 17), "from 0 to 16 bits"),
    (("portable", 1000, -1), "from 0 to 16 bits")])
def test_bad_sizes_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        core.Kernel(*arguments)
    for slices in (0, 2, 3**13):
        with pytest.raises(ValueError, match="slices must be 1, 3, 9"):
            core.Engine(12, 1, slices)
    for slices in (0, 8, 3**13, "3"):
        with pytest.raises(ValueError, match="slices must be 1, 3, 9"):
            Division.new(12, "portable", slices=slices, algorithm="join")


def test_the_checkpoint_of_one_engine_is_refused_by_the_other(tmp_path):
    path = tmp_path / "12.checkpoint"
    assert [*counting(12, checkpoint=path, algorithm="join")][-1] == (1.0, 14200)
    with pytest.raises(ValueError, match="is a checkpoint of the engine join, not cross"):
        [*counting(12, checkpoint=path)]


def test_a_count_in_slices_is_resumed_and_audited(tmp_path, monkeypatch):
    path = tmp_path / "14.checkpoint"
    with monkeypatch.context() as patch:
        patch.setitem(dividing.JOIN_SLICES, 14, 9)
        assert [*counting(14, checkpoint=path, algorithm="join")][-1] == (1.0, 365596)
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:len(lines) // 2]), "utf-8")
        assert [*counting(14, checkpoint=path, algorithm="join")][-1] == (1.0, 365596)
    with pytest.raises(ValueError, match="is a checkpoint of slices 9, not 1"):
        [*counting(14, checkpoint=path, algorithm="join")]
    assert all(recount.ok for recount in engine.audit(path, 100))


def test_the_line_of_a_division_by_crosses_names_no_algorithm():
    """Checkpoints of the cross that older versions wrote stay valid."""
    crossed, joined = (Division.new(12, "portable", algorithm=name) for name in ("cross", "join"))
    assert "algorithm" not in crossed.line
    assert '"algorithm": "join"' in joined.line
    for division in (crossed, joined):
        assert Division.of(division.line) == division


def test_the_counters_of_join_are_those_of_a_naive_count():
    """For n = 8 with every split, its halves by brute force."""
    counters = catalogue()["join"].profile(8)
    halves = [[len(list(placements(8, None, side, first))) for side, first in (
        (rows, 0), ([r for r in range(8) if r not in rows], 4))] for _, (_, rows) in splits(8)]
    assert (counters.solutions, counters.halves) == (92, sum(map(sum, halves)))
    assert 0 < counters.pairs_excluded < counters.pairs
    assert 0 < counters.vector_steps < counters.pairs - counters.pairs_excluded


@pytest.mark.parametrize("size", [0, 1, 3, 64, 600])
def test_pairs_in_python_are_those_of_brute_force(size):
    rng = random.Random(size)
    west, east = ([rng.getrandbits(9) & rng.getrandbits(9) for _ in range(size)]
                  for _ in range(2))
    counters = halves.PairTally(8)
    found = halves.pairs(west, east, counters)
    assert found == sum(not w & e for w in west for e in east)
    assert counters.pairs == size * size
    assert found <= counters.pairs - counters.pairs_excluded
