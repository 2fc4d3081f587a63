"""Cards count the same as kernels, and a fault of one loses nothing.

The cards here are emulated (`emulated_cupy`): the text is that of a card, compiled for this
processor, and so is the host side.
"""

import ctypes
import json
import random
import re
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import emulated_cupy
import gpu
import numpy as np
import pytest

from nqbench import engine
from nqbench.engine import devices
from nqbench.engine.devices import CHUNKS, Card
from nqbench.engine.processor import claim, find_devices
from nqbench.engine.tasks import counting_on
from nqbench.errors import InvalidValueError, LostError
from nqbench.problems.published import published

core = pytest.importorskip("nqbench._join")
pytestmark = [pytest.mark.slow, pytest.mark.needs("c++"), pytest.mark.usefixtures("cuda")]
A000170 = published("A000170")
NAME = "cuda:0"
TEXT = Path(devices.__file__).with_name("join.cu")
JOBS = json.loads(Path(__file__).parents[1].joinpath("data/jobs.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    return tmp_path_factory.mktemp("cuda")


@pytest.fixture
def emulate(monkeypatch, libraries):
    """Install an emulated CuPy."""
    return lambda *given, **choices: monkeypatch.setitem(
        sys.modules, "cupy", emulated_cupy.emulate(libraries, *given, **choices))


@pytest.fixture
def cuda(emulate):
    """Two cards."""
    emulate()


def count_on(name, n, **choices):
    return engine.count(n, name, algorithm="join", **choices)


def assert_same(n, parts=None, slices=1, jobs_a_part=1, **choices):
    """Compare the counts of a card with those of a kernel."""
    divided = core.Engine(n, jobs_a_part, slices)
    parts = range(divided.parts) if parts is None else parts
    card = Card(NAME, **choices)
    assert card.complete(divided, parts) == core.Kernel("portable").complete(divided, parts)
    return card


@pytest.mark.parametrize("n", [
    *range(10), *(pytest.param(n, marks=pytest.mark.thorough) for n in (10, 11, 12, 13))])
def test_all_solutions_are_counted(n):
    assert find_devices("cuda") == {"cuda:0": "emulated", "cuda:1": "emulated"}
    assert count_on(NAME, n) == A000170[n]
    assert_same(n)


@pytest.fixture
def together(monkeypatch):
    """Let each card of a small count have a thread, and take a part at a time; recount all jobs."""
    monkeypatch.setattr(devices, "RECOUNTED", 1)
    monkeypatch.setattr(engine.threads, "QUICK_N", 0)
    monkeypatch.setattr(engine.threads, "CARD_PARTS", 1)


@pytest.mark.usefixtures("together")
def test_two_cards_share_a_count(monkeypatch):
    used, usual = set(), Card.join
    monkeypatch.setattr(Card, "join", lambda self, *given: used.add(self.name) or (
        usual(self, *given)))
    assert count_on("cuda", 12) == A000170[12]
    assert used == {"cuda:0", "cuda:1"}


@pytest.mark.parametrize(("n", "slices"), [
    (13, 1), (13, 3**3), (17, 1), (18, 3**4), *(
        pytest.param(*pair, marks=pytest.mark.thorough)
        for pair in ((14, 3**2), (18, 1), (20, 1), (21, 1), (22, 1), (23, 3**4), (24, 3**5),
                     (25, 3**7)))])
@pytest.mark.parametrize("audit", [False, True])
def test_jobs_have_the_counts_of_a_kernel(n, slices, audit):
    jobs = range(core.Engine(n, 1, slices).parts)
    assert_same(n, random.Random(n).sample(jobs, 30 if n < 15 else 3 if n < 20 else 1), slices,
                audit=audit)


def test_more_slices_than_diagonals_are_refused():
    with pytest.raises(InvalidValueError, match=r"^\d+ diagonals of the halves of 4 "):
        Card(NAME).complete(core.Engine(4, 1, 3**12), [0])


def test_a_part_has_the_sum_of_its_jobs():
    assert_same(15, range(40, 60), jobs_a_part=16)
    assert_same(8, jobs_a_part=7)


@pytest.mark.parametrize("few", [False, True])
def test_tables_and_comparisons_count_the_same(emulate, few):
    """Also where it would take longer."""
    emulate(few=few)
    for n in (8, 9, 10):
        assert_same(n)
    assert_same(16, [231, 1000])


@pytest.mark.parametrize("tables", [5, 8])
@pytest.mark.parametrize("rest_bits", [0, 3, 19])
def test_words_without_rest_bits_do_not_meet_what_fills_classes_up(emulate, monkeypatch, tables,
                                                                    rest_bits):
    emulate(few=rest_bits % 2)
    monkeypatch.setattr(devices, "choose_index", lambda n, bits, pairs: (
        np.full(len(pairs), max(bits - rest_bits, 1)), 0, tables))
    assert_same(7)
    assert_same(8)


@pytest.mark.parametrize("low", [1, 2])
def test_ranges_by_the_last_index_bits_count_the_same(monkeypatch, low):
    """As for large n."""
    choose = devices.choose_index

    def choose_lower(n, bits, pairs):
        index_bits, _, tables = choose(n, bits, pairs)
        return np.maximum(index_bits, low + 1), low, tables

    monkeypatch.setattr(devices, "choose_index", choose_lower)
    for n in (9, 10):
        assert_same(n)
    assert_same(17, [1146])


def test_counters_outside_shared_memory_count_the_same(monkeypatch):
    """As for many index bits."""
    monkeypatch.setattr(devices, "log2", lambda number: 0)
    for n in (9, 10):
        assert_same(n)


def test_the_order_of_the_diagonals_does_not_change_the_counts(monkeypatch):
    """Drawn pairs choose it; reversed it is the worst."""
    chosen = []
    choose = devices.choose_order
    monkeypatch.setattr(devices, "choose_order", lambda *given: chosen.append(choose(*given)) or (
        chosen[-1]))
    assert_same(12)
    assert any(order != sorted(order, reverse=True) for order in chosen)
    monkeypatch.setattr(devices, "choose_order", lambda shared, bits, fixed: [*range(bits)])
    assert_same(12)


def test_many_launches_count_the_same(monkeypatch):
    """A launch takes some grabs of classes, from ticket to ticket."""
    launches = []
    run = Card.run

    def record(self, name, *arguments, **choices):
        self.pace = 1
        launches.append(name)
        run(self, name, *arguments, **choices)

    monkeypatch.setattr(Card, "run", record)
    monkeypatch.setattr(devices, "GRAB", 16)
    assert_same(12)
    assert launches.count("join") > 50


@pytest.mark.parametrize(("limit", "value"), [
    ("MOST_JOBS", 3), ("PAIRS_A_LAUNCH", 1), ("BYTES_A_PAIR", 10**9), ("BYTES_A_RANGE", 10**9)])
def test_small_batches_count_the_same(monkeypatch, limit, value):
    """Of few jobs, few pairs, and little room for halves and for their ranges."""
    batches, usual = [], Card.join
    monkeypatch.setattr(Card, "join", lambda self, jobs, *rest: batches.append(
        len(jobs)) or usual(self, jobs, *rest))
    monkeypatch.setattr(devices, limit, value)
    assert_same(10)
    assert len(batches) > 20
    assert sum(batches) == core.Engine(10, 1).parts


def test_few_quarters_at_a_time_count_the_same():
    """A batch whose quarters do not fit is halved."""
    card = Card(NAME)
    card.room = 5_000
    divided = core.Engine(10, 1)
    assert card.complete(divided, range(71)) == core.Kernel("portable").complete(
        divided, range(71))
    assert card.most < 71


@pytest.mark.parametrize("n", JOBS)
def test_the_counts_of_jobs_are_those_of_a_kernel(n):
    """Those with which tools/gpu.py compares; it recounts the first ones here."""
    few = JOBS[n][:20 if int(n) < 22 else 2 if int(n) < 24 else 0]
    jobs = core.Engine(int(n), 1)
    assert core.Kernel(engine.kernels()[0]).complete(jobs, [job for job, _ in few]) == [
        (found, found % 13, found % 15) for _, found in few]
    assert all(0 <= job < jobs.parts for job, _ in JOBS[n])
    assert len(JOBS[n]) >= 12


def test_the_tool_measures_and_checks_a_card(monkeypatch):
    """Here for few queens and jobs; a wrong count is WRONG."""
    monkeypatch.setattr(gpu, "JOBS", {"18": JOBS["18"][:3]})
    monkeypatch.setattr(gpu, "which", lambda program: None)
    monkeypatch.setattr(engine.plans, "CARD_ENOUGH", 0.01)
    rows = [*gpu.measure(NAME, ["18"], {8: 1}, {16: 0}, {"memcheck": 1})]
    assert [row[0] for row in rows] == ["18 queens: jobs", "8 queens: count", "memcheck, 9 queens",
                                        "16 queens: sample"]
    assert [row[2] for row in rows[:3]] == ["3 of 3 jobs are the same", "92",
                                            "compute-sanitizer is not installed"]
    assert rows[3][2].startswith("predicted ")
    assert all(right for *_, right in rows)
    monkeypatch.setattr(devices, "RECOUNTED", 0)  # which would find it
    fail(monkeypatch, "join", miscount_alike)
    assert [right for *_, right in gpu.measure(NAME, ["18"], {8: 1}, {}, {})] == [False, False]
    assert [row[2] for row in gpu.measure(NAME, [], {8: 1}, {}, {}, limit=0)] == [
        "skipped: no time left"]


@pytest.mark.needs("NVRTC")
@pytest.mark.parametrize("generation", ["sm_80", "sm_90", "sm_100", "sm_120"])
@pytest.mark.parametrize("tables", [5, 6, 7, CHUNKS])
def test_the_text_compiles_for_the_cards_of_nvidia(generation, tables):
    """By NVRTC, which needs no card."""
    import nvidia.cuda_nvrtc

    folder = Path(next(iter(nvidia.cuda_nvrtc.__path__)))
    # Under the sanitizers it does not find its own library.
    ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc-builtins.so.*"))))
    nvrtc = ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc.so.*"))))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [f"--gpu-architecture={generation}".encode(), b"-std=c++17",
               f"-DCHUNKS={tables}".encode()]
    assert nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), TEXT.read_bytes(), b"join.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(
        program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)) == 0
    assert size.value == 1  # no warning
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    assert size.value > 1_000


def fail(monkeypatch, method, fault, calls=0, name=NAME):
    """Let a method of a card do something else after so many calls."""
    usual, left = getattr(Card, method), iter(range(calls))

    def call(self, *given, **choices):
        if self.name == name and next(left, None) is None:
            return fault(usual, self, *given, **choices)
        return usual(self, *given, **choices)

    monkeypatch.setattr(Card, method, call)


def lose(usual, *given, **choices):
    raise RuntimeError("cudaErrorIllegalAddress: an illegal memory access")


def miscount(more, usual, *given):
    found = usual(*given)
    found[0, 0] += np.uint64(more)
    return found


miscount_alike = partial(miscount, 195)  # with the same remainders modulo 13 and 15
LOST = "failed: RuntimeError: cudaErrorIllegalAddress: an illegal memory access"
FAULTS = [
    ("run", lose, 20, LOST),
    ("join", partial(miscount, 64), 3,
     r"miscounts: \S+ for job \S+, but its remainders modulo 13 and"),
    ("join", miscount_alike, 3, rf"miscounts: \S+ for job \S+, but {engine.kernels()[0]} counts")]


@pytest.mark.parametrize(("method", "fault", "calls", "why"), FAULTS)
@pytest.mark.usefixtures("together")
def test_what_a_lost_card_counted_is_saved(monkeypatch, tmp_path, method, fault, calls, why):
    """A kernel of the processor continues."""
    path = tmp_path / "12.checkpoint"
    with monkeypatch.context() as patch, pytest.raises(LostError, match=rf"^{NAME} {why}"):
        fail(patch, method, fault, calls)
        deque(engine.counting(12, NAME, checkpoint=path, algorithm="join"))
    counted = engine.read_checkpoint(path)
    assert 0 < counted.done < counted.division.parts
    assert counted.division.kernel == NAME
    *_, found = engine.counting(12, checkpoint=path, algorithm="join")
    assert found == (1.0, A000170[12])
    assert all(recount.ok for recount in engine.audit(path))
    assert all(recount.ok for recount in engine.audit(path, 2, kernel=NAME))


@pytest.mark.parametrize(("method", "fault", "calls", "why"), FAULTS)
@pytest.mark.usefixtures("together")
def test_the_other_card_goes_on(monkeypatch, method, fault, calls, why):
    """Also where it had nothing left to do."""
    fail(monkeypatch, method, fault, calls // 4)
    said = []
    *_, found = engine.counting(12, "cuda", say=said.append, algorithm="join")
    assert found == (1.0, A000170[12])
    line, = said
    assert re.match(rf"{NAME} {why}.*; the other devices go on$", line)


@pytest.mark.usefixtures("together")
def test_a_card_that_has_nothing_left_to_do_counts_what_a_lost_one_gives_back(monkeypatch):
    ended, work = Event(), engine.threads._count_parts

    def count_parts(*given):
        work(*given)
        ended.set()

    def lose_last(*given):
        assert ended.wait(300)
        lose(*given)

    monkeypatch.setattr(engine.threads, "_count_parts", count_parts)
    fail(monkeypatch, "join", lose_last)
    said = []
    *_, found = engine.counting(10, "cuda", say=said.append, algorithm="join")
    assert found == (1.0, A000170[10])
    assert len(said) == 1


def refuse_arrays(monkeypatch, most):
    """Have room for arrays of so many numbers only; return the sizes of those that are copied."""
    sizes = []

    def reserve(usual, self, name, kind, number):
        if number > most:
            raise MemoryError("cudaErrorMemoryAllocation: out of memory")
        sizes.append(number)
        return usual(self, name, kind, number)

    fail(monkeypatch, "reserve", reserve)
    monkeypatch.setattr(devices, "PAIRS", 1024)
    return sizes


def test_a_card_out_of_memory_gets_smaller_batches(monkeypatch):
    sizes, said = refuse_arrays(monkeypatch, 1_500), []
    assert_same(12, say=said.append)
    assert said[0] == (f"{NAME} is out of memory: its batches have at most 60 jobs from now on")
    assert 1 < len(said) < 8
    assert sizes


def test_a_card_without_memory_is_lost(monkeypatch):
    refuse_arrays(monkeypatch, 10)
    with pytest.raises(LostError, match=f"^{NAME} is out of memory$"):
        count_on(NAME, 12)


@pytest.mark.parametrize(("choice", "why"), [
    ({"generation": "75"}, "is too old: sm_75, but sm_80 is needed"),
    ({"shared": 32 << 10}, "has too little shared memory: 32,768 bytes a block")])
def test_a_card_that_cannot_count_is_lost(emulate, choice, why):
    emulate(**choice)
    with pytest.raises(LostError, match=f"^{NAME} {why}$"):
        count_on(NAME, 8)


def test_a_count_can_be_stopped():
    """Between two launches; what is not whole is not counted."""
    assert Card(NAME).complete(core.Engine(12, 1), range(5), bytearray(b"\1")) == []
    counting = engine.counting(22, NAME, algorithm="join")  # of hours
    next(counting)
    counting.close()


def test_a_worker_has_a_device_of_its_own(libraries):
    division = engine.Division.new(10, NAME, algorithm="join")
    with ProcessPoolExecutor(1, get_context("spawn"), emulated_cupy.install,
                             (libraries,)) as pool:
        *_, (_, found) = counting_on(pool, 10, 1, algorithm="join", device=NAME)
        assert found == A000170[10]
        with pytest.raises(InvalidValueError, match=rf"^each device {NAME} .* another worker; "):
            claim(NAME)
    assert division.kernel == NAME
    claim.cache_clear()


TWO_DEVICES, NO_DEVICE = (emulated_cupy.emulate(Path(), devices=number) for number in (2, 0))


@pytest.mark.parametrize(("module", "name", "message"), [
    (TWO_DEVICES, "cuda:x", "there is no device cuda:x, only cuda:0 ("),
    (TWO_DEVICES, "cuda:2",
     "there is no device cuda:2, only cuda:0 (emulated), cuda:1 (emulated)"),
    (NO_DEVICE, NAME,
     "there is no device cuda:0: it needs a graphics processor with the driver of NVIDIA"),
    (None, NAME, "cuda:0 needs cupy: pip install 'nqbench[cuda]'")])
def test_a_device_that_is_not_here_is_refused(monkeypatch, module, name, message):
    monkeypatch.setitem(sys.modules, "cupy", module)
    with pytest.raises(InvalidValueError) as caught:
        count_on(name, 8)
    assert str(caught.value).startswith(message)


def test_only_the_join_counts_on_devices():
    with pytest.raises(InvalidValueError, match=f"^{NAME} counts by the join only, not cross$"):
        engine.count(8, NAME)
    assert engine.choose_engine(8, NAME) == "join"
