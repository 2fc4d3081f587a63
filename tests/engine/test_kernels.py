"""Every kernel counts what the plain Python version and the published values say."""

import random
import subprocess
import sys
import threading
import time
from itertools import product

import every_kernel
import pytest
from programs import within_a_second

from nqbench import engine
from nqbench.engine import Division, counting, processor
from nqbench.errors import MiscountError
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.problems.queens.cross import images

core = pytest.importorskip("nqbench._engine")
A000170 = published("A000170")


def crosses_of(n):
    return Division.new(n, "portable").engine.cross_orbits()


def test_the_compiled_crosses_are_those_of_python():
    assert [len(crosses_of(n)) for n in (14, 16)] == [849, 1814]
    for n in range(12):
        compiled = crosses_of(n)
        plain = {cross: weight for weight, cross in catalogue()["cross"].jobs(n)}
        assert len(compiled) == len(plain), n
        assert {min(images(tuple(squares), n)): weight for weight, squares in compiled} == plain, n


def count_divided(n, kernel, capacity=None, **choice):
    """The solutions, with another division than the usual one, or with another memory."""
    usual = Division.new(n, kernel)
    parts = core.Engine(*({name: getattr(usual, name) for name in (
        "n", "split", "jobs_a_part", "wide", "slices")} | choice).values())
    memory = core.Kernel(kernel) if capacity is None else core.Kernel(kernel, capacity)
    counts = memory.complete(parts, range(parts.parts))
    return sum(parts.images(part) * ways for part, (ways, *_) in enumerate(counts))


@pytest.mark.parametrize("kernel", engine.kernels())
@pytest.mark.parametrize("wide", [False, True])
def test_kernels_agree_with_a000170(kernel, wide):
    for n in range(16):
        assert count_divided(n, kernel, wide=wide) == A000170[n], n


@pytest.mark.parametrize("kernel", engine.kernels())
@pytest.mark.parametrize("choice", [{"split": 3}, {"split": 9}, {"capacity": 128},
                                    {"capacity": 5000}, {"slices": 8}, {"slices": 512}])
def test_splits_buffers_and_slices_do_not_change_the_count(kernel, choice):
    for n in (0, 1, 5, 9, 12, 13):
        assert count_divided(n, kernel, **choice) == A000170[n], n


@pytest.mark.parametrize("kernel", engine.kernels())
def test_threads_do_not_change_the_count(kernel):
    for n, jobs in (*product((9, 12, 15), (1, 3)), *product(range(11), [1])):
        assert [*counting(n, kernel, jobs)][-1] == (1.0, A000170[n]), (n, jobs)


@pytest.mark.parametrize("n", [17, 18, 19])
def test_narrow_and_wide_lanes_agree_on_single_crosses(n):
    """From n = 18 on a word of 32 bits is too short for all diagonals."""
    most = max(len(squares) for _, squares in crosses_of(n))
    chosen = [squares for _, squares in crosses_of(n) if len(squares) == most]
    for squares in random.Random(n).sample(chosen, 4):
        found = {(kernel, wide): core.completions(n, squares, kernel, wide)
                 for kernel in engine.kernels()[:2] for wide in (False, True)}
        assert len(set(found.values())) == 1, (squares, found)


def test_a_processor_without_vectors_meets_none(monkeypatch):
    monkeypatch.setattr(processor.core, "kernels", lambda: ["portable"], raising=True)
    assert engine.kernels() == ["portable"]
    assert processor.choose_kernel(None) == "portable"
    assert engine.count(10) == 724
    with pytest.raises(ValueError, match="cannot run the kernel avx512, only portable"):
        engine.count(10, kernel="avx512")


def test_what_goes_wrong_in_one_thread_ends_all(monkeypatch):
    seen = []

    class Failing:
        def __init__(self, *_):
            self.first = not seen
            seen.append(self)

        def complete(self, engine, parts, stop):
            if self.first:
                raise MemoryError
            while not stop[0]:
                time.sleep(0.01)
            return []

    monkeypatch.setattr(processor.core, "Kernel", Failing)
    with pytest.raises(MemoryError):
        engine.count(18, jobs=3)


def test_a_count_whose_remainders_do_not_match_is_rejected(monkeypatch):
    class Flipping:
        def __init__(self, *choices):
            self.kernel = kernel(*choices)

        def complete(self, engine, parts, *stop):
            (ways, *rests), *others = self.kernel.complete(engine, parts, *stop)
            return [(ways ^ 1, *rests), *others]

    kernel = core.Kernel
    monkeypatch.setattr(processor.core, "Kernel", Flipping)
    for n in (12, 17):
        with pytest.raises(MiscountError, match=r"part \d+ was counted as .* impossible with"):
            engine.count(n)


@pytest.mark.parametrize("n", [15, 16, 18])
def test_slices_of_a_part_make_up_the_part(n):
    """Those of a large part are about as large as one another."""
    kernel = engine.kernels()[0]
    memory = core.Kernel(kernel)
    whole, cut = (Division.new(n, kernel, slices) for slices in (1, 8))
    for part in random.Random(n).sample(range(whole.parts), 4):
        ((ways, *_),) = memory.complete(whole.engine, [part])
        counts = memory.complete(cut.engine, range(8 * part, 8 * part + 8))
        assert sum(count[0] for count in counts) == ways
        assert n < 18 or max(count[0] for count in counts) < 2 * ways / 8
        assert {cut.engine.images(8 * part + k) for k in range(8)} == {whole.engine.images(part)}


@pytest.mark.parametrize("n", [20, 25, 32])
def test_the_parts_of_every_n_can_be_counted_one_by_one(n):
    """Each in about a second here: of a part that takes longer, a slice."""
    kernel = engine.kernels()[0]
    division = Division.new(n, kernel)
    finer = Division.new(n, kernel, slices=division.slices * 512)
    last = finer.parts - 1
    (count,) = core.Kernel(kernel).complete(finer.engine, [last])
    assert count[1:] == (count[0] % 13, count[0] % 15)
    with pytest.raises(ValueError, match=f"there are parts 0 to {last} only, not {last + 1}"):
        core.Kernel(kernel).complete(finer.engine, [last + 1])


@pytest.mark.parametrize(("arguments", "says"), [
    ({"n": 33}, "at most 32"), ({"n": -1}, "whole number"), ({"n": 8, "jobs": 0}, "1 or more"),
    ({"n": 33, "algorithm": "join"}, "at most 32"),
    ({"n": 8, "algorithm": "fork"}, "'fork', only cross, join"),
    ({"n": 8, "kernel": "sse"}, "no kernel 'sse', only portable, sse4, neon, avx2, avx512")])
def test_bad_requests_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        engine.count(**arguments)


@pytest.mark.parametrize(("n", "algorithm"), [(21, "cross"), (21, "join"), (27, "join")])
def test_closing_the_count_stops_its_threads(n, algorithm):
    before = threading.active_count()
    progress = counting(n, jobs=2, algorithm=algorithm)
    share, _ = next(progress)
    assert 0 <= share < 1
    with within_a_second():
        progress.close()
    assert threading.active_count() == before


@pytest.mark.slow
@pytest.mark.parametrize(("begin", "work", "most"), [
    ("", "engine.count(16, jobs=1)", 32),
    # In the middle of the parts, where the lists are longest.
    ("divided, memory, stop = _join.Engine(32, 1), _join.Kernel(engine.kernels()[0]), bytearray(1)",
     "threading.Timer(1.5, stop.__setitem__, (0, 1)).start()\n"
     "memory.complete(divided, range(divided.parts - 20, divided.parts), stop)", 256)])
def test_memory_stays_small(begin, work, most):
    code = ("import resource, threading\nfrom nqbench import _join, engine\n"
            f"{begin}\nbefore = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n{work}\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(shown.stdout) < most * 1024


def test_without_the_core_it_says_so(monkeypatch):
    monkeypatch.setattr(processor, "core", None)
    assert not engine.available()
    assert engine.kernels() == []
    with pytest.raises(ValueError, match="without a suitable C compiler"):
        engine.count(8)


@pytest.mark.parametrize("name", engine.engines())
def test_an_engine_in_the_catalogue(name):
    algorithm = catalogue()[name]
    assert [algorithm.count(n, "python") for n in range(10)] == [A000170[n] for n in range(10)]
    assert (algorithm.unique(11, "cython"), algorithm.unique(9, "python")) == (341, 46)
    told = list(algorithm.counting(9, "python"))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert told[-1] == (1.0, 352)


def test_every_kernel_of_both_engines_is_checked(monkeypatch):
    """In small; `make kernels` is the long one."""
    lines = []
    assert every_kernel.check(8, lines.append)
    assert len(lines) == 9 * len(engine.engines()) * len(engine.kernels())
    monkeypatch.setattr(every_kernel, "EXPECTED", [1, 1, 0, 0, 2, 10, 4, 41])
    assert not every_kernel.check(8, lines.append)
    assert lines[-1] == "A000170(7) is 41"
