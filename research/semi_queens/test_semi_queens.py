"""Both methods and all kernels count the published semi-queens, and the same ones part by part."""

import threading
from contextlib import contextmanager
from functools import cache
from itertools import permutations
from pathlib import Path
from time import perf_counter

import _semi as core
import pytest
import semi_queens as semi
from hypothesis import given, settings
from hypothesis import strategies as st
from semi_queens import semi_queens

RESULTS = Path(__file__).parents[2] / "results/sequences"
A099152 = [1, 1, 1, 3, 7, 23, 83, 405, 2113, 12657, 82297, 596483, 4698655, 40071743, 367854835]


@contextmanager
def within_a_second():
    start = perf_counter()
    yield
    assert perf_counter() - start < 1


@cache
def classes_of(n, method, kernel=None):
    return semi.list_placements(n, method, kernel)


def methods_of(n):
    return semi.METHODS if n % 2 == 0 else ["layers"]


@pytest.mark.parametrize("n", range(8))
def test_the_counts_are_those_of_all_permutations(n):
    found = sum(len({column - row for row, column in enumerate(columns)}) == n
                for columns in permutations(range(n)))
    assert found == A099152[n] == semi_queens(n, jobs=1)


@pytest.mark.parametrize("kernel", core.kernels())
@pytest.mark.parametrize("n", range(2, 13))
def test_every_kernel_and_method_counts_the_published_number(n, kernel):
    for method in methods_of(n):
        assert classes_of(n, method, kernel).count(0, 1) == A099152[n]


@pytest.mark.parametrize("n", [13, 14])
def test_threads_do_not_change_the_count(n):
    for method in methods_of(n):
        assert semi_queens(n, method, jobs=3) == A099152[n]


def test_the_number_of_classes_is_that_of_sets_up_to_half_a_turn():
    assert [classes_of(n, "layers").classes for n in range(2, 9)] == [2, 3, 5, 10, 14, 35, 43]
    assert classes_of(8, "quadrants").classes == 43


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 6).map(lambda half: 2 * half), st.integers(1, 30), st.data())
def test_parts_sum_to_the_whole_and_are_equal_in_both_methods(n, parts, data):
    kernel = data.draw(st.sampled_from(core.kernels()))
    quadrants = [classes_of(n, "quadrants", kernel).count(part, parts) for part in range(parts)]
    assert sum(quadrants) == A099152[n]
    part = data.draw(st.integers(0, parts - 1))
    assert classes_of(n, "layers", kernel).count(part, parts) == quadrants[part]


@pytest.mark.parametrize(("n", "kernels"), [(16, core.kernels()), (18, core.kernels()[:1])])
def test_large_parts_are_equal_for_all_kernels_and_methods(n, kernels):
    """From n = 15 on, a table has more words than a block, whose sums are computed alone."""
    assert len({classes_of(n, method, kernel).count(77, 1000 if n == 16 else 12000)
                for method in semi.METHODS for kernel in kernels}) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 6).flatmap(lambda bits: st.lists(
    st.integers(0, 2**25), min_size=2**bits, max_size=2**bits)), st.sampled_from(core.kernels()))
def test_sums_over_subsets_are_those_of_the_definition(values, kernel):
    assert core.sum_over_subsets(values, kernel) == [
        sum(value for subset, value in enumerate(values) if subset & ~whole == 0)
        for whole in range(len(values))]


@pytest.mark.parametrize("kernel", core.kernels())
@pytest.mark.parametrize("bits", range(11, 20))
def test_sums_over_subsets_reach_every_bit(kernel, bits):
    """A single value appears exactly above its set; blocks, strips and all groups of bits."""
    chosen = 0x2AC05 & (1 << bits) - 1
    values = [0] * (1 << bits)
    values[chosen] = 3
    sums = core.sum_over_subsets(values, kernel)
    assert sum(sums) == 3 << bits - chosen.bit_count()
    assert all(sums[chosen | 1 << bit] == 3 for bit in range(bits))


def test_another_thread_stops_a_count():
    for method in semi.METHODS:
        classes, stop = classes_of(18, method), bytearray(1)
        threading.Timer(0.1, stop.__setitem__, (0, 1)).start()
        with within_a_second():
            assert classes.count(0, 1, stop) is None
        assert classes.count(0, 1, stop) is None  # it does not begin


def test_closing_the_count_stops_its_threads():
    before = threading.active_count()
    progress = semi.counting(classes_of(18, "quadrants"), range(6000), 6000, jobs=2)
    next(progress)
    with within_a_second():
        progress.close()
    assert threading.active_count() == before


@pytest.mark.parametrize(("arguments", "says"), [
    ((25,), "n must be from 0 to 24, not 25"), ((-1,), "n must be from 0 to 24, not -1"),
    ((7, "quadrants"), "n must be even for the method quadrants, not 7"),
    ((8, "rows"), "method must be quadrants or layers, not 'rows'")])
def test_bad_requests_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        semi_queens(*arguments)


def test_the_core_refuses_what_it_cannot_count():
    kernel = core.kernels()[0]
    for refuse in (lambda: core.Quadrants(7, kernel), lambda: core.Quadrants(26, kernel),
                   lambda: core.Layers(1, kernel), lambda: core.Layers(8, "fast"),
                   lambda: classes_of(8, "layers").count(3, 3),
                   lambda: core.sum_over_subsets([1, 2, 3], kernel)):
        with pytest.raises(ValueError, match=r"must be|not in tuple"):
            refuse()


@pytest.fixture
def call(capsys):
    """Run the program; return what it prints, or why it ends."""
    def call(*arguments):
        try:
            semi.main([str(each) for each in arguments])
        except SystemExit as end:
            return end.code
        return capsys.readouterr().out
    return call


def test_the_program_resumes_what_it_saved(call, tmp_path):
    file = tmp_path / "12.quadrants"
    ended = "12 semi-queens, quadrants: 4,698,655\n"
    assert call(12, file, "--parts", 10, "-j", 1) == ended
    header, *lines = file.read_text().splitlines(keepends=True)
    assert header == "# n 12 quadrants 10 parts, 494 classes\n"
    kept = lines[:4]
    file.write_text("# n 12 quadrants 10 parts\n" + "".join(kept) + lines[4][:-3])  # cut off
    assert call(12, file, "--parts", 10, "-j", 1) == ended
    assert file.read_text().splitlines(keepends=True)[1:5] == kept
    assert sorted(line.split()[:2] for line in file.read_text().splitlines()[1:]) == sorted(
        line.split()[:2] for line in lines)


@pytest.mark.parametrize(("content", "arguments", "says"), [
    ("# n 12 quadrants 10 parts\n", (14, "--parts", 10), "not of n 14 quadrants 10 parts"),
    ("# n 12 quadrants 10 parts\n", (12,), "not of n 12 quadrants 1024 parts"),
    ("# n 12 quadrants 10 parts\n", (12, "--method", "layers", "--parts", 10), "not of n 12 layer"),
    ("", (1,), "n must be 2 or more"), ("0 12 0.1\n", (12,), "the first line must be like"),
    ("# n 12 quadrants 10 parts\n10 5 1.0\n", (12, "--parts", 10), "line 2 must be a part below"),
    ("# n 12 quadrants 10 parts\n1 5 1.0\nx\n", (12, "--parts", 10), "line 3 must be a part")])
def test_the_program_refuses_the_file_of_another_count(call, tmp_path, content, arguments, says):
    file = tmp_path / "parts"
    file.write_text(content)
    n, *options = arguments
    assert says in call(n, file, *options)
    assert file.read_text() == content


def test_the_program_compares_two_files(call, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for file, method in ((one, "quadrants"), (other, "layers")):
        call(10, file, "--parts", 7, "--method", method, "-j", 1)
    assert call(10, one, "--check", other).splitlines() == [
        "7 of 7 parts are in both files, and equal (quadrants, layers)",
        "10 semi-queens, quadrants: 82,297", "10 semi-queens, layers: 82,297"]
    header, first, *rest = other.read_text().splitlines(keepends=True)
    part, total, seconds = first.split()
    other.write_text(f"{header}{part} {int(total) + 1} {seconds}\n" + "".join(rest[:3]))
    assert call(10, one, "--check", other) == f"these parts differ: {part}"
    other.write_text("# n 10 layers 8 parts\n")
    assert "must have the same n and parts" in call(10, one, "--check", other)


def test_both_methods_counted_the_same_22_semi_queens(call):
    assert call(22, RESULTS / "22.quadrants", "--check", RESULTS / "22.layers").splitlines() == [
        "1,024 of 1,024 parts are in both files, and equal (quadrants, layers)",
        "22 semi-queens, quadrants: 162,620,408,199,641,115",
        "22 semi-queens, layers: 162,620,408,199,641,115"]
