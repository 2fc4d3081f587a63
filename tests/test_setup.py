"""The package can be built where something is missing."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from nqbench.errors import IN_PYTHON

HOME = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="CC does not choose the compiler there")
@pytest.mark.thorough  # Cython translates all cores
def test_without_a_compiler_python_is_left_and_the_build_says_so(tmp_path):
    folder = tmp_path / "ohne Übersetzer"
    folder.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        (folder / name).write_bytes((HOME / name).read_bytes())
    for name in ("ext", "nqbench"):
        copytree(HOME / name, folder / name, ignore=ignore_patterns("*.so", "*.pyd", "__pycache__"))
    built = subprocess.run([sys.executable, "setup.py", "-q", "build", "--build-lib", "made"],
                           cwd=folder, env={**os.environ, "CC": "/no/compiler"}, text=True,
                           stderr=subprocess.PIPE)
    assert built.returncode == 0, built.stderr
    assert "nqbench: these cores were not compiled: join, sudoku, " in built.stderr
    assert "/no/compiler" in built.stderr
    counted = subprocess.run([sys.executable, "-m", "nqbench", "count", "8"], text=True,
                             cwd=folder / "made", env={**os.environ, "PYTHONPATH": ""},
                             stdout=subprocess.PIPE, check=True)
    assert counted.stdout == "92\n"


@pytest.mark.slow
def test_without_cores_it_says_that_it_runs_in_python_and_what_to_install(tmp_path):
    lines = ["count 8", "count 8 -a cross", "study -a bitmask -n 4 --budget 1 --results .",
             "count 8 -a bitmask@python", "count 8 -a iterative"]
    cores = [f"nqbench._{path.stem}" for path in HOME.glob("ext/*.pyx")]
    ran = subprocess.run([sys.executable, "-c", "import sys\n"
                          f"sys.modules |= dict.fromkeys({cores})\n"
                          "from nqbench.cli import run\n"
                          f"for line in {lines}:\n    sys.argv[1:] = line.split()\n"
                          "    print(line, file=sys.stderr)\n    run()"],
                         cwd=tmp_path, text=True, capture_output=True, check=True)
    said = f"nqbench: {IN_PYTHON}"
    assert [line for line in ran.stderr.splitlines() if line in (*lines, said)] == [
        *(each for line in lines[:3] for each in (line, said)), *lines[3:]]
    assert "apt install gcc python3-dev" in IN_PYTHON
