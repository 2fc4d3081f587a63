"""Devices count the same as kernels, and a fault of one loses nothing."""

import ctypes
import random
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import emulated_cupy
import numpy as np
import pytest

from benchmarks.join import bound
from nqbench import engine
from nqbench.engine import devices
from nqbench.engine.devices import OpenCL, Shape, claim, find_devices
from nqbench.engine.threads import entering_counts
from nqbench.errors import InvalidValueError, LostError
from nqbench.problems.published import published

core = pytest.importorskip("nqbench._join")
opencl = pytest.importorskip("pyopencl")
pytestmark = [pytest.mark.slow,
              pytest.mark.skipif(not OpenCL.find(), reason="there is no device of OpenCL")]
A000170 = published("A000170")
NAME = "opencl:0"


def count_on(name, n, **choices):
    return engine.count(n, name, algorithm="join", **choices)


@pytest.mark.parametrize("n", range(13))
def test_all_solutions_are_counted(n):
    assert count_on(NAME, n, jobs=1) == A000170[n]


@pytest.mark.thorough
@pytest.mark.parametrize("n", range(13, 19))
def test_all_solutions_are_counted_for_larger_n(n):
    assert count_on(NAME, n) == A000170[n]


@pytest.mark.parametrize(("n", "slices"), [
    (15, 1), (16, 1), (17, 1), (18, 1), (19, 1), (20, 1), (21, 1), (22, 1), (23, 3), (24, 3**4),
    (25, 3**3), (26, 3**6)])
def test_parts_have_the_counts_of_a_kernel(n, slices):
    """Also with west and east exchanged, as in an audit."""
    divided = core.Engine(n, 1, slices)
    parts = random.Random(n).choices(range(divided.parts), k=2)
    expected = core.Kernel(engine.kernels()[0]).complete(divided, parts)
    for exchanged in (False, True):
        kernel = core.Kernel("portable", exchanged=exchanged, device=devices.Matching(NAME))
        assert kernel.complete(divided, parts) == expected


@pytest.mark.parametrize("shape", [Shape(1, 32, 2), Shape(1, 32, 1), Shape(16, 1, 4),
                                   Shape(16, 2, 1)])
@pytest.mark.parametrize("local", [24 << 10, 48 << 10, 200 << 10])
def test_every_shape_of_a_group_counts_the_same(shape, local):
    """With few or many items, with long or short tables."""
    matching, used = devices.Matching(NAME), []
    matching.driver.shape, matching.driver.local, matching.piece = shape, local, shape.piece
    run = matching.driver.run
    matching.driver.run = lambda kernel, groups, bytes_, *rest: (
        used.append(bytes_), run(kernel, groups, bytes_, *rest))
    divided = core.Engine(17, 1)
    part = divided.parts // 2
    expected = core.Kernel("portable").complete(divided, [part])
    assert core.Kernel("portable", device=matching).complete(divided, [part]) == expected
    assert expected[0][0] > 0
    assert 0 < max(used) <= local


def test_tables_are_as_few_as_fit():
    matching = devices.Matching(NAME)
    matching.driver.shape, chunks = Shape(1, 32, 16), {}
    matching.driver.build = lambda text, defined: defined
    for local in (48 << 10, 64 << 10, 100 << 10, 227 << 10):
        matching.driver.local, matching.kernels = local, {}
        chunks[local >> 10] = [matching.choose_kernel(12, rest)[0][3:5] for rest in (28, 40)]
    assert chunks == {48: [["-DCHUNK=5", "-DTABLES=6"], ["-DCHUNK=5", "-DTABLES=8"]],
                      64: [["-DCHUNK=6", "-DTABLES=5"], ["-DCHUNK=5", "-DTABLES=8"]],
                      100: [["-DCHUNK=7", "-DTABLES=4"], ["-DCHUNK=6", "-DTABLES=7"]],
                      227: [["-DCHUNK=7", "-DTABLES=4"], ["-DCHUNK=7", "-DTABLES=6"]]}


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
def test_the_text_counts_the_same_as_cuda(monkeypatch, tmp_path):
    """Compiled as C++ for this processor; the host side is that of CUDA."""
    monkeypatch.setitem(sys.modules, "cupy", emulated_cupy.emulate(tmp_path))
    assert find_devices("cuda") == {"cuda:0": "emulated"}
    assert count_on("cuda", 9) == A000170[9]


def count_saying(n, said, name="opencl", checkpoint=None, jobs=2):
    division = engine.Division.new(n, name, algorithm="join")
    *_, ledger = entering_counts(division, name, jobs, checkpoint, said.append)
    assert ledger.share == 1
    return ledger.found


@pytest.mark.thorough
@pytest.mark.parametrize("generation", ["sm_80", "sm_90", "sm_120"])
@pytest.mark.parametrize(("chunk", "tables"), [(7, 3), (7, 6), (5, 8)])
def test_the_text_compiles_for_the_processors_of_nvidia(generation, chunk, tables):
    """By NVRTC, which needs no such processor."""
    folder = Path(next(iter(pytest.importorskip("nvidia.cuda_nvrtc").__path__)))
    # Under the sanitizers it does not find its own library.
    ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc-builtins.so.*"))))
    nvrtc = ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc.so.*"))))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    text = (Path(devices.__file__).parent / "meet.cl").read_bytes()
    options = [f"--gpu-architecture={generation}".encode(), *(
        f"-D{name}={value}".encode() for name, value in (
            ("WIDTH", 1), ("LANES", 32), ("TEAMS", 16), ("CHUNK", chunk), ("TABLES", tables),
            ("CLASS_CHUNK", devices.CLASS_CHUNK)))]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"meet.cl", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(
        program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    assert size.value > 1_000


def fail(monkeypatch, method, fault, launches, only="opencl:1"):
    """Let a method of a device do something else after so many calls; others wait for that."""
    start, failed = devices.Matching.__init__, Event()

    def begin(self, name, *arguments):
        start(self, name, *arguments)
        if name == only:
            usual, calls = getattr(self.driver, method), iter(range(launches))

            def faulty(*arguments):
                if next(calls, None) is not None:
                    return usual(*arguments)
                failed.set()
                return fault(usual, *arguments)

            setattr(self.driver, method, faulty)
        else:
            run = self.driver.run
            self.driver.run = lambda *arguments: (failed.wait(60), run(*arguments))

    monkeypatch.setattr(devices.Matching, "__init__", begin)


def lose(usual, *arguments):
    raise opencl.LogicError("clFinish failed: DEVICE_NOT_AVAILABLE")


def miscount(usual, *arguments):
    """Return an array with a wrong bit."""
    array = usual(*arguments)
    array[0] ^= np.uint64(64)
    return array


@pytest.mark.parametrize(("method", "fault", "why"), [
    ("run", lose, "failed: LogicError: clFinish failed: DEVICE_NOT_AVAILABLE"),
    ("get", miscount, "miscounts: ")])
@pytest.mark.parametrize("launches", [0, 7])
def test_the_parts_of_a_lost_device_are_left_to_the_other(monkeypatch, method, fault, why,
                                                          launches):
    found, said = OpenCL.find()[0], []
    monkeypatch.setattr(OpenCL, "find", staticmethod(lambda: [found, found]))
    assert list(find_devices("opencl")) == ["opencl:0", "opencl:1"]
    fail(monkeypatch, method, fault, launches)
    assert count_saying(12, said) == A000170[12]
    assert len(said) == 1
    assert said[0].startswith(f"opencl:1 {why}")
    assert said[0].endswith("; its parts are left to other devices")


def test_what_the_last_device_counted_is_saved(monkeypatch, tmp_path):
    """A kernel of the processor continues."""
    path = tmp_path / "13.checkpoint"
    with monkeypatch.context() as patch, pytest.raises(LostError, match=f"^{NAME} failed: "):
        fail(patch, "run", lose, 100, NAME)
        count_saying(13, [], NAME, path, jobs=1)
    counted = engine.read_checkpoint(path)
    assert 0 < counted.done < counted.division.parts
    assert counted.division.kernel == NAME
    assert count_saying(13, [], engine.kernels()[0], path) == A000170[13]
    assert all(recount.ok for recount in engine.audit(path))
    assert all(recount.ok for recount in engine.audit(path, 2, kernel=NAME))


def test_a_device_out_of_memory_gets_shorter_lists(monkeypatch):
    most = []

    def refuse(usual, array):
        if array.size > 5_000:
            raise opencl.MemoryError("clCreateBuffer failed: MEM_OBJECT_ALLOCATION_FAILURE")
        most.append(array.size)
        return usual(array)

    fail(monkeypatch, "put", refuse, 0, NAME)
    divided, said = core.Engine(19, 1), []
    kernel = core.Kernel("portable", device=devices.Matching(NAME, said.append))
    part = divided.parts // 2
    assert kernel.complete(divided, [part]) == core.Kernel("portable").complete(divided, [part])
    assert said[0] == (f"{NAME} is out of memory: its lists have at most 2,000,000 words from now "
                       "on")
    assert len(said) > 5
    assert 0 < max(most) <= 5_000


def test_a_device_without_memory_is_lost(monkeypatch):
    def refuse(usual, array):
        raise opencl.MemoryError("clCreateBuffer failed: OUT_OF_HOST_MEMORY")

    fail(monkeypatch, "put", refuse, 0, NAME)
    with pytest.raises(LostError, match=f"^{NAME} is out of memory$"):
        count_on(NAME, 12)


def test_a_count_can_be_stopped():
    counting = engine.counting(22, NAME, 1, algorithm="join")
    next(counting)
    start = time.monotonic()
    counting.close()
    assert time.monotonic() - start < 5


def test_a_worker_has_a_device_of_its_own():
    division = engine.Division.new(13, NAME, algorithm="join")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        *_, (_, found) = engine.counting_on(pool, 13, 1, algorithm="join", device="opencl:0")
        assert found == A000170[13]
        with pytest.raises(InvalidValueError, match=r"^each device opencl:0 .* another worker; "):
            claim("opencl:0")
    assert division.kernel == NAME
    claim.cache_clear()


@pytest.mark.parametrize(("name", "message"), [
    ("opencl:99", "there is no device opencl:99, only opencl:0 ("),
    ("opencl:x", "there is no device opencl:x, only opencl:0 ("),
    ("cuda:0", "cuda:0 needs cupy: pip install 'nqbench[cuda]'")])
def test_a_device_that_is_not_here_is_refused(monkeypatch, name, message):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(InvalidValueError) as caught:
        count_on(name, 8)
    assert str(caught.value).startswith(message)


def test_only_the_join_counts_on_devices():
    with pytest.raises(InvalidValueError, match=f"^{NAME} counts by the join only, not cross$"):
        engine.count(8, NAME)
    assert engine.choose_engine(8, NAME) == "join"


def test_the_bound_counts_the_words_that_a_device_looks_up():
    """Those of classes that share no index bit with some word of a piece, in each table."""
    random_words, index_bits, rest_bits = np.random.default_rng(1), 3, 8
    pieces, words = (np.sort(random_words.integers(0, 2**11, size, np.uint64))
                     for size in (3_000, 500))
    classes = words >> rest_bits
    counted = bound.Bound()
    counted.copy(memoryview(pieces), memoryview(words), memoryview(np.searchsorted(
        classes, np.arange(33) / 4).astype(np.uint32)))
    counted.meet((0, 2_500), (0, 2), (index_bits, rest_bits), 1, bytearray(1))
    met = sum(bool((pieces[at:min(at + counted.piece, 2_500)] >> rest_bits & each == 0).any())
              for at in range(0, 2_500, counted.piece) for each in classes)
    assert 0 < met < 3 * 500
    assert counted.looked_up == dict.fromkeys(bound.UNITS, 2 * met)
