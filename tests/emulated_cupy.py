"""What `nqbench.engine.devices` uses of CuPy, without a card: the text is compiled as C++ for this
processor, see emulated_cuda.h.
"""

import ctypes
import re
import subprocess
import sys
from contextlib import nullcontext
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from types import SimpleNamespace

import numpy as np

HEADER = Path(__file__).with_name("emulated_cuda.h")
KERNEL = re.compile(r"^KERNEL\(.*?\) (\w+)\(", re.MULTILINE)
FEW = re.compile("bool few = (.*?);")  # whether a tile is compared without tables
SHARED = 100 << 10
MOST_THREADS = 64  # of a block
launching = Lock()  # the text has one block at a time


@cache
def compile_text(folder: Path, text: str, options: tuple[str, ...]) -> ctypes.CDLL:
    """Return the library of the text, which another process may have compiled to this folder."""
    library = folder / f"{sha256(repr((text, options)).encode()).hexdigest()}.so"
    if not library.exists():
        source = Path(mkdtemp(dir=folder)) / "join.cpp"
        source.write_text("\n".join([
            HEADER.read_text(), "int wanted = -1;", '#line 1 "join.cu"',
            FEW.sub(r"bool few = wanted < 0 ? \1 : wanted;", text),
            f"u32 memory[{SHARED} / sizeof(u32)];",
            *(f"LAUNCHER({name})" for name in KERNEL.findall(text))]))
        made = source.with_suffix(".so")
        subprocess.run(["c++", "-std=c++20", "-O1", "-w", "-shared", "-fPIC", *options, source,
                        "-o", made], check=True)
        made.rename(library)
    return ctypes.CDLL(str(library))


class Stream(nullcontext):
    def __init__(self, non_blocking):
        super().__init__()
        assert non_blocking

    def synchronize(self):
        pass


class Function:
    """A kernel, which must not write beyond its shared memory."""

    def __init__(self, library, name):
        self.launch = getattr(library, f"launch_{name}")
        self.shared = ctypes.addressof(ctypes.c_char.in_dll(library, "memory"))

    def __call__(self, blocks, threads, arguments, shared_mem):
        threads = min(*threads, MOST_THREADS),
        assert shared_mem <= self.max_dynamic_shared_size_bytes
        beyond, size = self.shared + shared_mem, SHARED - shared_mem
        values = [ctypes.c_void_p(each.ctypes.data) if each.ndim else ctypes.c_uint(int(each))
                  for each in arguments]
        with launching:
            ctypes.memset(beyond, 0x5a, size)
            self.launch(*blocks, *threads, (ctypes.c_void_p * len(values))(*(
                ctypes.addressof(value) for value in values)))
            assert ctypes.string_at(beyond, size) == b"\x5a" * size


def empty(number, kind):
    """Return an array with any contents."""
    return np.frombuffer(b"\x5a" * (number * np.dtype(kind).itemsize), kind).copy()


def emulate(folder: Path, devices: int = 2, few=None, generation="80", shared=SHARED):
    """Return the module, with so many devices of a generation; it writes what it compiles to a
    folder. `few` says whether all tiles are compared without tables, or none; None: those that are
    on a card.
    """
    def module(code, backend, options):
        assert (backend, options[0]) == ("nvrtc", "-std=c++17")
        library = compile_text(folder, code, options[1:])
        ctypes.c_int.in_dll(library, "wanted").value = -1 if few is None else few
        return SimpleNamespace(get_function=partial(Function, library))

    class Device(nullcontext):
        mem_info = 256 << 20, 512 << 20
        compute_capability = generation

        def __init__(self, number):
            super().__init__()
            self.attributes = {"MaxSharedMemoryPerBlockOptin": shared, "MultiProcessorCount": 2}

    return SimpleNamespace(
        RawModule=module, empty=empty, asarray=np.array, asnumpy=np.array, cumsum=np.cumsum,
        cuda=SimpleNamespace(
            Device=Device, Stream=Stream, memory=SimpleNamespace(OutOfMemoryError=MemoryError),
            runtime=SimpleNamespace(
                getDeviceCount=lambda: devices, CUDARuntimeError=RuntimeError,
                getDeviceProperties=lambda device: {"name": b"emulated"})))


def install(folder: Path) -> None:
    """Let a process import it as CuPy."""
    sys.modules["cupy"] = emulate(folder)
