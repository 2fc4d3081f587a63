"""What `nqbench.engine.devices.Cuda` uses of CuPy, without a graphics processor.

The text is compiled as C++ for this processor; work items take turns from barrier to barrier.
"""

import ctypes
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np

BEFORE = """
#include <functional>
#include <ucontext.h>
#include <vector>
struct Index { unsigned x; };
static Index threadIdx, blockIdx, gridDim;
static std::vector<ucontext_t> item;
static ucontext_t outside;
static std::function<void()> work;
#define __global__
#define __device__
#define __shared__
#define __launch_bounds__(items)
#define __syncthreads() swapcontext(&item[threadIdx.x], &outside)
#define __popc __builtin_popcount
#line 1 "meet.cl"
"""
AFTER = """
alignas(64) uint memory[1 << 16];
static void begin() { work(); }
extern "C" void launch(uint groups, uint items, const ulong *pieces, uint first, uint end,
                       const ulong *words, const uint *offset, uint first_flag, uint last_flag,
                       uint index_bits, uint rest_bits, uint weight, ulong *counts)
{
    const size_t size = 1 << 16;
    std::vector<char> stack(items * size);
    gridDim.x = groups;
    for (uint group = 0; group < groups; group++) {
        uint left = items;
        blockIdx.x = group;
        work = [&] {
            meet(pieces, first, end, words, offset, first_flag, last_flag, index_bits, rest_bits,
                 weight, counts);
            left--;
        };
        item.assign(items, {});
        for (uint i = 0; i < items; i++) {
            getcontext(&item[i]);
            item[i].uc_stack.ss_sp = &stack[i * size];
            item[i].uc_stack.ss_size = size;
            item[i].uc_link = &outside;
            makecontext(&item[i], begin, 0);
        }
        while (left) /* from one barrier to the next */
            for (uint i = 0; i < items; i++) {
                threadIdx.x = i;
                swapcontext(&outside, &item[i]);
            }
    }
}
"""


class Entered:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Device(Entered):
    def __init__(self, number):
        assert number == 0
        self.attributes = {"MaxSharedMemoryPerBlockOptin": 100 << 10, "MultiProcessorCount": 2,
                           "MaxThreadsPerBlock": 64}


class Stream(Entered):
    def __init__(self, non_blocking):
        assert non_blocking

    def synchronize(self):
        pass


def emulate(folder: Path):
    """Return the module; it writes what it compiles to a folder."""
    class RawKernel:
        def __init__(self, text, name, options, backend):
            assert (name, backend) == ("meet", "nvrtc")
            source = folder / "meet.cpp"
            library = folder / f"{abs(hash(options))}.so"
            source.write_text(BEFORE + text + AFTER)
            subprocess.run(["g++", "-std=c++20", "-O1", "-w", "-shared", "-fPIC",
                            *options, source, "-o", library], check=True)
            self.launch = ctypes.CDLL(str(library)).launch

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
                getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError,
                getDeviceProperties=lambda device: {"name": b"emulated"})))
