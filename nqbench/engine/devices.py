"""Devices that compare the halves of the join: graphics processors, by CUDA.

The processor lists and sorts the halves as always; a device counts the pairs of the two lists, by
meet.cu. A device is named cuda:0, cuda:1 and so on; cuda names all of them. They are optional:
`pip install "nqbench[cuda]"`.

A launch takes a tenth of a second or less, so that a count can be stopped, and no driver takes it
for a program that hangs.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError, LostError
from nqbench.util.files import try_lock
from nqbench.util.text import describe_error

CUDA = "cuda"
LAUNCH = 0.1  # seconds, at most
TINY = 1e-3  # seconds: the time of a shorter launch says little
GROUPS = 4  # of work items, for each unit of a device
LANES = 32  # work items of a team, which share a vector, see meet.cu
ITEMS = 512  # of a group, at most
PIECE = 32 * LANES  # words that are compared with one of the other list at a time
COUNTS = 3  # of a group: pairs, these modulo 13, modulo 15
CLASS_CHUNK = 3  # index bits of a table
CHUNKS = (7, 6, 5, 4)  # other diagonals of a table


def choose_tables(index_bits: int, rest_bits: int, local: int,
                  items: int = ITEMS) -> tuple[int, int, int]:
    """Return the fewest tables for words with so many bits whose group of so many items fits into
    so many bytes of local memory, the bits of one, and the bytes.

    >>> choose_tables(12, 40, 48 << 10)
    (8, 5, 41600)

    Raises
    ------
    ValueError
        if none fit.
    """
    class_tables = max(1, -(-index_bits // CLASS_CHUNK))
    found = []
    for chunk in CHUNKS:
        tables = max(1, -(-rest_bits // chunk))
        numbers = LANES * ((tables << chunk) + (class_tables << CLASS_CHUNK) + chunk)
        found.append((tables, chunk, 4 * numbers + 8 * items))
    fitting = [each for each in found if each[2] <= local]
    if not fitting:
        raise InvalidValueError(f"{local:,} bytes of local memory are too few")
    return min(fitting)


class Cuda:
    """A device of CUDA, with a stream of its own."""

    def __init__(self, device: int) -> None:
        self.cupy: Any = import_module("cupy")
        self.device = self.cupy.cuda.Device(device)
        with self.device:
            self.stream = self.cupy.cuda.Stream(non_blocking=True)
        about = self.device.attributes
        self.items = min(ITEMS, about["MaxThreadsPerBlock"]) // LANES * LANES
        self.local = about["MaxSharedMemoryPerBlockOptin"]
        self.units = about["MultiProcessorCount"]

    def build(self, text: str, defined: Sequence[str]) -> Any:
        """Return the kernel of a text with these definitions."""
        with self.device:
            kernel = self.cupy.RawKernel(text, "meet", options=tuple(defined), backend="nvrtc")
            kernel.max_dynamic_shared_size_bytes = self.local
        return kernel

    def put(self, array: Any) -> Any:
        """Return a copy of an array on the device."""
        with self.device, self.stream:
            return self.cupy.asarray(array)

    def get(self, buffer: Any, numbers: int) -> Any:
        """Return a copy of an array of the device, of so many numbers of 64 bits."""
        with self.device, self.stream:
            return self.cupy.asnumpy(buffer[:numbers])

    def run(self, kernel: Any, groups: int, local: int, *arguments: Any) -> None:
        """Run a kernel in so many groups, and wait for its end."""
        with self.device, self.stream:
            kernel((groups,), (self.items,), arguments, shared_mem=local)
            self.stream.synchronize()


def is_device(kernel: str | None) -> bool:
    """Return whether a kernel is named that runs on a device.

    >>> is_device("cuda:1"), is_device("avx2")
    (True, False)
    """
    return kernel is not None and kernel.partition(":")[0] == CUDA


def find_devices(name: str = CUDA) -> dict[str, str]:
    """Return the devices of a name: what each is called, by its own name.

    Raises
    ------
    ValueError
        if there is none here, or CuPy is not installed.
    """
    try:
        runtime = import_module("cupy").cuda.runtime
    except ImportError:
        raise InvalidValueError(f"{name} needs cupy: pip install 'nqbench[cuda]'") from None
    except Exception as error:  # of its libraries
        raise InvalidValueError(
            f"{name} needs cupy, which cannot be imported: {describe_error(error)}") from None
    try:
        found = range(runtime.getDeviceCount())
    except runtime.CUDARuntimeError:  # there is no driver
        found = range(0)
    every = {f"{CUDA}:{device}": runtime.getDeviceProperties(device)["name"].decode()
             for device in found}
    if not every:
        raise InvalidValueError(f"there is no device {name}: it needs a graphics processor with "
                                "the driver of NVIDIA")
    if name == CUDA:
        return every
    if name not in every:
        raise InvalidValueError(f"there is no device {name}, only " + ", ".join(
            f"{key} ({title})" for key, title in every.items()))
    return {name: every[name]}


@cache
def claim(name: str) -> str:
    """Return a device of this name that no other process of this user has claimed on this machine,
    until this one ends.

    Raises
    ------
    ValueError
        if there is none.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    for each in find_devices(name):
        path = Path(gettempdir()) / f"nqbench-{user}-{each.replace(':', '-')}.lock"
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        if try_lock(file):
            _claimed.append(file)
            return each
        file.close()
    raise InvalidValueError(f"each device {name} of a worker's machine has another worker; start "
                            "one worker for each device")


_claimed: list[Any] = []  # files that stay open


class FullError(LostError):
    """A device that is out of memory."""


class Matching:
    """A device that counts the pairs of lists of halves for one thread.

    Attributes
    ----------
    name
        of the device.
    say
        gets a line if the device needs shorter lists.
    """

    piece = PIECE

    def __init__(self, name: str, say: Callable[[str], None] = lambda line: None) -> None:
        self.numpy: Any = import_module("numpy")
        self.name = name
        self.say = say
        with self.guard():
            self.driver = Cuda(int(name.partition(":")[2]))
        self.groups = GROUPS * self.driver.units
        self.text = Path(__file__).with_name("meet.cu").read_text("utf-8")
        self.kernels: dict[tuple[int, int], Any] = {}
        self.seconds = 0.0  # that a word and a piece take
        self.lists: list[Any] = []
        self.words = 0  # of the list that is not cut into pieces
        self.counts: Any = None

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Raise a LostError for any fault of the device, a FullError if it is out of memory."""
        try:
            yield
        except Exception as error:
            if isinstance(error, import_module("cupy").cuda.memory.OutOfMemoryError):
                raise FullError(f"{self.name} is out of memory") from None
            raise LostError(f"{self.name} failed: {describe_error(error)}") from None

    @staticmethod
    def is_full(error: BaseException) -> bool:
        """Return whether an error says that shorter lists might do."""
        return isinstance(error, FullError)

    def begin(self) -> None:
        """Set the counts of all groups to 0."""
        with self.guard():
            self.counts = self.driver.put(self.numpy.zeros(COUNTS * self.groups, self.numpy.uint64))

    def choose_kernel(self, index_bits: int, rest_bits: int) -> tuple[Any, int]:
        """Return the kernel for words with so many bits, and the bytes of its local memory: with as
        few tables as fit.
        """
        items = self.driver.items
        tables, chunk, local = choose_tables(index_bits, rest_bits, self.driver.local, items)
        if (chunk, tables) not in self.kernels:
            self.kernels[chunk, tables] = self.driver.build(self.text, [
                f"-D{name}={value}" for name, value in (
                    ("LANES", LANES), ("TEAMS", items // LANES), ("CHUNK", chunk),
                    ("TABLES", tables), ("CLASS_CHUNK", CLASS_CHUNK))])
        return self.kernels[chunk, tables], local

    def copy(self, pieces: memoryview, words: memoryview, offset: memoryview) -> None:
        """Copy two sorted lists to the device, and where the classes of the second one begin."""
        with self.guard():
            self.lists = [self.driver.put(self.numpy.frombuffer(each, kind)) for each, kind in (
                (pieces, "u8"), (words, "u8"), (offset, "u4"))]
            self.words = len(words) // 8

    def meet(self, pieces: tuple[int, int], flags: tuple[int, int], bits: tuple[int, int],
             weight: int, stop: bytearray) -> None:
        """Count the pairs of a range of the pieces with the words of the other list that have some
        flags, `weight` times each.
        """
        first, end = pieces
        with self.guard():
            kernel, local = self.choose_kernel(*bits)
            while first < end and not stop[0]:
                longest = int(LAUNCH / self.seconds / self.words) if self.seconds else 1
                number = min(-(-(end - first) // self.piece), max(longest, self.driver.units))
                last = min(end, first + number * self.piece)
                start = perf_counter()
                self.driver.run(
                    kernel, min(number, self.groups), local, self.lists[0],
                    *map(self.numpy.uint32, (first, last)), *self.lists[1:],
                    *map(self.numpy.uint32, (*flags, *bits, weight)), self.counts)
                taken = perf_counter() - start
                if taken > TINY or not self.seconds:
                    self.seconds = taken / (number * self.words)
                first = last

    def end(self) -> tuple[int, int, int]:
        """Return the pairs that were counted since the beginning, also modulo 13 and 15."""
        with self.guard():
            counts = self.driver.get(self.counts, COUNTS * self.groups).tolist()
        found, rest_13, rest_15 = (sum(counts[place::COUNTS]) for place in range(COUNTS))
        if found % 13 != rest_13 % 13 or found % 15 != rest_15 % 15:
            raise LostError(f"{self.name} miscounts: {found:,} is impossible with the remainders "
                            f"{rest_13 % 13} and {rest_15 % 15} modulo 13 and 15")
        return found, rest_13 % 13, rest_15 % 15
