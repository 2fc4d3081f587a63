"""The Cython cores; everything else about the package stands in pyproject.toml.

No -march=native: a wheel built here runs on any machine of the same kind.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# Those that take longest to compile come first: two processors end together then.
CORES = ("join", "sudoku", "engine", "bitmask", "somers", "sets", "symmetry")
DEPENDS = [f"ext/{name}" for name in (
    "tally.pxi", "cross.pxi", "kernels.pxi", "join_parts.pxi", "bits.h", "isa.h",
    "every_kernel.h", "engine.h", "kernel.h", "lanes.h", "packing.h", "widths.h", "join.h",
    "join_frame.h", "join_halves.h", "join_kernel.h", "join_order.h", "sudoku.h",
    "sudoku_kernel.h")]
# Parts are in the same order on every machine: no fused multiply and add.
OPTIMISE = ["/O2"] if sys.platform == "win32" else ["-ffp-contract=off"]
if sys.platform != "win32" and "-O" not in os.environ.get("CFLAGS", ""):
    OPTIMISE.append("-O3")
if sys.platform != "win32" and "CFLAGS" not in os.environ:
    OPTIMISE.append("-g0")  # to describe the code for a debugger takes a quarter of the time


class BuildCores(build_ext):
    """Compile the cores; where one cannot be compiled, say so and build the package without it."""

    def initialize_options(self):
        super().initialize_options()
        self.parallel = True  # one compiler for each processor

    def run(self):
        for ext in self.extensions:
            ext.optional = True  # cythonize forgets it if it is given before
        super().run()
        if missing := [ext.name.removeprefix("nqbench._") for ext in self.extensions
                       if not Path(self.get_ext_fullpath(ext.name)).exists()]:
            print(f"nqbench: these cores were not compiled: {', '.join(missing)}. Most often a C "
                  "compiler (gcc or clang) or Python.h is missing; on Debian: apt install gcc "
                  "python3-dev. nqbench works without them, in Python, but much slower, and "
                  "without the counting engine.", file=sys.stderr)


setup(ext_modules=cythonize(
    [Extension(f"nqbench._{core}", [f"ext/{core}.pyx"], extra_compile_args=OPTIMISE,
               depends=DEPENDS, include_dirs=["ext"]) for core in CORES],
    language_level=3,
    # What a module keeps is written while it is imported, and then only read.
    compiler_directives={"boundscheck": False, "wraparound": False, "cdivision": True,
                         "freethreading_compatible": True},
    build_dir="build/cython",
), cmdclass={"build_ext": BuildCores})
