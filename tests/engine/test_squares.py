"""benchmarks/first/squares.py counts the published squares, and goes on with what it saved."""

import subprocess
import sys
from pathlib import Path

import pytest

from nqbench.problems.published.sequences import published

PROGRAM = Path(__file__).parents[2] / "benchmarks/first/squares.py"


def call(n, file):
    done = subprocess.run([sys.executable, str(PROGRAM), str(n), str(file), "--jobs", "1"],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_the_squares_are_those_published_and_kept(tmp_path):
    file = tmp_path / "18.squares"
    status, said = call(18, file)
    assert (status, said.split(" squares")[0]) == (0, f"18 queens: {published('A140450')[18]:,}")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:len(lines) // 2]))
    assert call(18, file) == (0, said)
    assert sorted(file.read_bytes().splitlines(keepends=True)) == sorted(lines)


@pytest.mark.slow
def test_bad_input_is_named(tmp_path):
    status, said = call(64, tmp_path / "64.squares")
    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith("nqbench: N must be one of 1, 2, 3,")
    call(12, tmp_path / "12.squares")
    status, said = call(18, tmp_path / "12.squares")
    assert status == 2
    assert said.endswith("12.squares is a checkpoint of a count of 12 queens, not 18\n")
