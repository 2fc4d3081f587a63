"""Compile the core in place, with the headers of nqbench."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

EXT = str(Path(__file__).resolve().parents[2] / "ext")

setup(name="exact_levels", py_modules=[], ext_modules=cythonize(
    [Extension("_levels", ["levels.pyx"], extra_compile_args=["-O3", "-g0"],
               include_dirs=[EXT, "."], depends=["levels.h", "levels_kernel.h",
                                                 "levels_downwards.h", "levels_outwards.h"])],
    include_path=[EXT], language_level=3, build_dir="build",
    compiler_directives={"boundscheck": False, "wraparound": False, "cdivision": True,
                         "freethreading_compatible": True}))
