"""Check the nqbench that is installed, in seconds: is it compiled, and does it count?

    python tools/installed.py

The wheels are tested with it. Checks that every core was compiled, that every kernel counts up to
n = 11, and that the algorithms, in Python and compiled, confirm the published values up to n = 6.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from every_kernel import check

import nqbench

CORES = {path.stem for path in (Path(__file__).parents[1] / "ext").glob("*.pyx")}
if sys.platform == "win32":
    CORES -= {"sudoku"}  # needs the vectors of gcc or clang


def missing() -> list[str]:
    """Return the cores that were not compiled beside this package: a build without one does not
    fail, and an editable install of another build may supply it.
    """
    folder = Path(nqbench.__file__).parent
    specs = {core: find_spec(f"nqbench._{core}") for core in CORES}
    return sorted(core for core, spec in specs.items()
                  if spec is None or not spec.origin or Path(spec.origin).parent != folder)


if __name__ == "__main__":
    print(f"nqbench {nqbench.__version__} on Python {sys.version}")
    if missing():
        sys.exit(f"not compiled: {', '.join(missing())}")
    if not check(11, say=lambda line: None):
        sys.exit("a kernel counts wrongly: python tools/every_kernel.py --largest 11")
    if not nqbench.verify(6).ok:
        sys.exit("a published value is not confirmed: nqbench verify --max-n 6")
    print(f"{len(CORES)} cores are compiled, and all count correctly")
