"""What `nqbench.engine.devices` uses of CuPy, without a graphics processor.

The text is compiled as C++ for this processor; the threads of a block take turns from barrier to
barrier.
"""

import ctypes
import subprocess
import sys
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace

import numpy as np

BEFORE = """
#include <stdlib.h>
#include <ucontext.h>
struct Index { unsigned x; };
static thread_local Index threadIdx, blockIdx, gridDim;
static thread_local ucontext_t *item, outside;
static thread_local void *work;
#define __global__
#define __device__
#define __shared__ thread_local
#define __launch_bounds__(threads)
#define __syncthreads() swapcontext(&item[threadIdx.x], &outside)
#define __popc __builtin_popcount
#line 1 "meet.cu"
"""
AFTER = """
alignas(64) thread_local uint memory[1 << 16];
template <class Work> static void begin() { (*(Work *)work)(); }
extern "C" void launch(uint blocks, uint threads, const ulong *pieces, uint first, uint end,
                       const ulong *words, const uint *offset, uint first_flag, uint last_flag,
                       uint index_bits, uint rest_bits, uint weight, ulong *counts)
{
    const size_t size = 1 << 16;
    char *stack = (char *)malloc(threads * size);
    item = (ucontext_t *)malloc(threads * sizeof *item);
    gridDim.x = blocks;
    for (uint block = 0; block < blocks; block++) {
        uint left = threads;
        blockIdx.x = block;
        auto meeting = [&] {
            meet(pieces, first, end, words, offset, first_flag, last_flag, index_bits, rest_bits,
                 weight, counts);
            left--;
        };
        work = &meeting;
        for (uint i = 0; i < threads; i++) {
            getcontext(&item[i]);
            item[i].uc_stack.ss_sp = &stack[i * size];
            item[i].uc_stack.ss_size = size;
            item[i].uc_link = &outside;
            makecontext(&item[i], begin<decltype(meeting)>, 0);
        }
        while (left) /* from one barrier to the next */
            for (uint i = 0; i < threads; i++) {
                threadIdx.x = i;
                swapcontext(&outside, &item[i]);
            }
    }
    free(item);
    free(stack);
}
"""


@cache
def compile_text(folder: Path, text: str, options: tuple[str, ...]) -> ctypes.CDLL:
    """Return the library of the text."""
    source = Path(mkdtemp(dir=folder)) / "meet.cpp"
    source.write_text(BEFORE + text + AFTER)
    library = source.with_suffix(".so")
    subprocess.run(["c++", "-std=c++20", "-O1", "-w", "-shared", "-fPIC", *options, source,
                    "-o", library], check=True)
    return ctypes.CDLL(str(library))


class Device(nullcontext):
    def __init__(self, number):
        super().__init__()
        self.attributes = {"MaxSharedMemoryPerBlockOptin": 100 << 10, "MultiProcessorCount": 2,
                           "MaxThreadsPerBlock": 64}


class Stream(nullcontext):
    def __init__(self, non_blocking):
        super().__init__()
        assert non_blocking

    def synchronize(self):
        pass


def emulate(folder: Path, devices: int = 2):
    """Return the module, with so many devices; it writes what it compiles to a folder."""
    class RawKernel:
        def __init__(self, text, name, options, backend):
            assert (name, backend) == ("meet", "nvrtc")
            self.launch = compile_text(folder, text, options).launch

        def __call__(self, groups, items, arguments, shared_mem):
            assert shared_mem <= self.max_dynamic_shared_size_bytes
            self.launch(*groups, *items, *(
                each.ctypes.data_as(ctypes.c_void_p) if isinstance(each, np.ndarray) else
                ctypes.c_uint(int(each)) for each in arguments))

    return SimpleNamespace(
        RawKernel=RawKernel, asarray=np.array, asnumpy=np.array,
        cuda=SimpleNamespace(
            Device=Device, Stream=Stream, memory=SimpleNamespace(OutOfMemoryError=MemoryError),
            runtime=SimpleNamespace(
                getDeviceCount=lambda: devices, CUDARuntimeError=RuntimeError,
                getDeviceProperties=lambda device: {"name": b"emulated"})))


def install(folder: Path) -> None:
    """Let a process import it as CuPy."""
    sys.modules["cupy"] = emulate(folder)
