"""Devices count the same as kernels, and a fault of one loses nothing.

The devices here are emulated (`emulated_cupy`): the host side is that of CUDA.
"""

import ctypes
import random
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import emulated_cupy
import numpy as np
import pytest

from nqbench import engine
from nqbench.engine import devices
from nqbench.engine.devices import LANES, choose_tables, claim, find_devices
from nqbench.engine.tasks import counting_on
from nqbench.errors import InvalidValueError, LostError
from nqbench.problems.published import published

core = pytest.importorskip("nqbench._join")
pytestmark = [pytest.mark.slow, pytest.mark.needs("c++"), pytest.mark.usefixtures("cuda")]
A000170 = published("A000170")
NAME = "cuda:0"


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    return tmp_path_factory.mktemp("cuda")


@pytest.fixture
def cuda(monkeypatch, libraries):
    """Two devices."""
    monkeypatch.setitem(sys.modules, "cupy", emulated_cupy.emulate(libraries))


def count_on(name, n, **choices):
    return engine.count(n, name, algorithm="join", **choices)


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=() if n in (0, 1, 4, 5, 10) else pytest.mark.thorough)
    for n in range(11)])
def test_all_solutions_are_counted(n):
    assert find_devices("cuda") == {"cuda:0": "emulated", "cuda:1": "emulated"}
    assert count_on(NAME, n, jobs=1) == A000170[n]
    assert count_on("cuda", n, jobs=2) == A000170[n]


@pytest.mark.parametrize(("n", "slices"), [
    (13, 1), pytest.param(16, 1, marks=pytest.mark.thorough), (17, 1),
    pytest.param(23, 3**4, marks=pytest.mark.thorough), (26, 3**8)])
def test_parts_have_the_counts_of_a_kernel(n, slices):
    """Also with west and east exchanged, as in an audit."""
    divided = core.Engine(n, 1, slices)
    parts = random.Random(n).choices(range(divided.parts), k=1)
    expected = core.Kernel(engine.kernels()[0]).complete(divided, parts)
    for exchanged in (False, True):
        kernel = core.Kernel("portable", exchanged=exchanged, device=devices.Matching(NAME))
        assert kernel.complete(divided, parts) == expected


@pytest.mark.parametrize(("teams", "local"), [
    (1, 24 << 10), (4, 48 << 10), (1, 200 << 10), *(
        pytest.param(*pair, marks=pytest.mark.thorough)
        for pair in ((4, 24 << 10), (1, 48 << 10), (4, 200 << 10)))])
def test_blocks_of_every_size_count_the_same(teams, local):
    """With few or many threads, with long or short tables."""
    matching, used = devices.Matching(NAME), []
    matching.driver.items, matching.driver.local = teams * LANES, local
    run = matching.driver.run
    matching.driver.run = lambda kernel, groups, bytes_, *rest: (
        used.append(bytes_), run(kernel, groups, bytes_, *rest))
    divided = core.Engine(14, 1)
    part = divided.parts // 2
    expected = core.Kernel("portable").complete(divided, [part])
    assert core.Kernel("portable", device=matching).complete(divided, [part]) == expected
    assert expected[0][0] > 0
    assert 0 < max(used) <= local


@pytest.mark.parametrize(("kibibytes", "few", "many"), [
    (48, (6, 5), (8, 5)), (64, (5, 6), (8, 5)), (100, (4, 7), (7, 6)), (227, (4, 7), (6, 7))])
def test_tables_are_as_few_as_fit(kibibytes, few, many):
    assert [choose_tables(12, rest, kibibytes << 10)[:2] for rest in (28, 40)] == [few, many]


@pytest.mark.needs("NVRTC")
@pytest.mark.parametrize("generation", ["sm_80", "sm_90", "sm_120"])
@pytest.mark.parametrize(("chunk", "tables"), [(7, 3), (7, 6), (5, 8)])
def test_the_text_compiles_for_the_processors_of_nvidia(generation, chunk, tables):
    """By NVRTC, which needs no such processor."""
    import nvidia.cuda_nvrtc

    folder = Path(next(iter(nvidia.cuda_nvrtc.__path__)))
    # Under the sanitizers it does not find its own library.
    ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc-builtins.so.*"))))
    nvrtc = ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc.so.*"))))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    text = (Path(devices.__file__).parent / "meet.cu").read_bytes()
    options = [f"--gpu-architecture={generation}".encode(), *(
        f"-D{name}={value}".encode() for name, value in (
            ("LANES", LANES), ("TEAMS", 16), ("CHUNK", chunk), ("TABLES", tables),
            ("CLASS_CHUNK", devices.CLASS_CHUNK)))]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"meet.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(
        program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    assert size.value > 1_000


def fail(monkeypatch, method, fault, launches=0):
    """Let a method of the devices do something else after so many calls."""
    start = devices.Matching.__init__

    def begin(self, *arguments):
        start(self, *arguments)
        usual, calls = getattr(self.driver, method), iter(range(launches))
        setattr(self.driver, method, lambda *given: (
            fault(usual, *given) if next(calls, None) is None else usual(*given)))

    monkeypatch.setattr(devices.Matching, "__init__", begin)


def lose(usual, *arguments):
    raise RuntimeError("cudaErrorIllegalAddress: an illegal memory access")


def miscount(usual, *arguments):
    """Return an array with a wrong bit."""
    array = usual(*arguments)
    array[0] ^= np.uint64(64)
    return array


@pytest.mark.parametrize(("method", "fault", "launches", "why"), [
    ("run", lose, 100, "failed: RuntimeError: cudaErrorIllegalAddress: an illegal memory access"),
    ("get", miscount, 3, "miscounts: ")])
def test_what_a_lost_device_counted_is_saved(monkeypatch, tmp_path, method, fault, launches, why):
    """A kernel of the processor continues."""
    path = tmp_path / "13.checkpoint"
    with monkeypatch.context() as patch, pytest.raises(LostError, match=f"^{NAME} {why}"):
        fail(patch, method, fault, launches)
        deque(engine.counting(13, NAME, 1, checkpoint=path, algorithm="join"))
    counted = engine.read_checkpoint(path)
    assert 0 < counted.done < counted.division.parts
    assert counted.division.kernel == NAME
    *_, found = engine.counting(13, checkpoint=path, algorithm="join")
    assert found == (1.0, A000170[13])
    assert all(recount.ok for recount in engine.audit(path))
    assert all(recount.ok for recount in engine.audit(path, 2, kernel=NAME))


def refuse_arrays(monkeypatch, most):
    """Have room for arrays of so many numbers only; return the sizes of those that are copied."""
    sizes = []

    def put(usual, array):
        if array.size > most:
            raise MemoryError("cudaErrorMemoryAllocation: out of memory")
        sizes.append(array.size)
        return usual(array)

    fail(monkeypatch, "put", put)
    return sizes


def test_a_device_out_of_memory_gets_shorter_lists(monkeypatch):
    sizes = refuse_arrays(monkeypatch, 5_000)
    divided, said = core.Engine(19, 1), []
    kernel = core.Kernel("portable", device=devices.Matching(NAME, said.append))
    part = divided.parts // 2
    assert kernel.complete(divided, [part]) == core.Kernel("portable").complete(divided, [part])
    assert said[0] == (f"{NAME} is out of memory: its lists have at most 2,000,000 words from now "
                       "on")
    assert len(said) > 5
    assert sizes


def test_a_device_without_memory_is_lost(monkeypatch):
    refuse_arrays(monkeypatch, 0)
    with pytest.raises(LostError, match=f"^{NAME} is out of memory$"):
        count_on(NAME, 12)


def test_a_count_can_be_stopped():
    counting = engine.counting(22, NAME, 1, algorithm="join")  # of hours
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
