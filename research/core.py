"""Compile NAME.pyx of the folder where this runs, with the headers of nqbench, as _NAME."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

EXT = str(Path(__file__).resolve().parents[1] / "ext")
(CORE,) = Path().glob("*.pyx")

setup(name=CORE.stem, py_modules=[], ext_modules=cythonize(
    [Extension(f"_{CORE.stem}", [str(CORE)], extra_compile_args=["-O3", "-g0"],
               include_dirs=[EXT, "."], depends=[*map(str, Path().glob("*.h"))])],
    include_path=[EXT], language_level=3, build_dir="build",
    compiler_directives={"boundscheck": False, "wraparound": False, "cdivision": True,
                         "freethreading_compatible": True}))
