# The kernels of a core, by name.

cdef extern from "isa.h":
    enum:
        KERNELS
    bint can_run(int kernel)

NAMES = ("portable", "avx2", "avx512")


def kernels():
    """Return the names of the kernels that this processor can run, the fastest first."""
    return [NAMES[kernel] for kernel in reversed(range(KERNELS)) if can_run(kernel)]
