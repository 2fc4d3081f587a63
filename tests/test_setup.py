"""The package can be built where something is missing."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

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
