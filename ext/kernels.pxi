# The kernels of a core, by name.

cdef extern from "isa.h":
    enum:
        KERNELS
    bint can_run(int kernel)

NAMES = ("portable", "sse4", "neon", "avx2", "avx512")


def kernels():
    """Return the names of the kernels that this processor can run, the fastest first."""
    return [NAMES[kernel] for kernel in reversed(range(KERNELS)) if can_run(kernel)]


cdef int require_kernel(str name) except -1:
    """Return the number of a kernel, or raise a ValueError if this processor cannot run it."""
    cdef int number = NAMES.index(name)
    if not can_run(number):
        raise ValueError(f"this processor cannot run the kernel {name!r}, only "
                         f"{', '.join(kernels())}")
    return number
