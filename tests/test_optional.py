"""A part that is installed and broken is skipped by name, like one that is not installed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import optional
import pytest
from optional import OF_FIXTURES, PARTS

HERE = Path(__file__).parent
COMMANDS = (*optional.BROWSERS, "awk", "bash", "bc", "bwrap", "c++", "fzn-gecode", "go", "java",
            "jq", "lua", "minizinc", "node", "npm", "perl", "php", "ruby", "rustc", "sha256sum",
            "sqlite3", "tclsh", "unshare", "valgrind")
MODULES = {  # with the name of what has them
    "clingo": "clingo", "cupy": "cupy-cuda12x", "dlxsolver": "dlx-cython",
    "exact_cover": "exact-cover", "numba": "numba", "nvidia": "nvidia-cuda-nvrtc-cu12",
    "ortools": "ortools", "pychoco": "pychoco", "pycsp3": "pycsp3", "pysat": "python-sat"}
PROGRAMS = HERE / "cli/test_corpus_of_programs.py"
LANGUAGES = {"awk", "Bash", "bc", "c++", "Go", "Java", "jq", "Lua", "Node.js", "Perl", "PHP",
             "Ruby", "Rust", "SQLite", "Tcl"}  # of these programs
# Python imports this when it starts: no system call goes through.
REFUSE = """
import ctypes, errno

class Refused(ctypes.CDLL):
    def syscall(self, *words):
        ctypes.set_errno(errno.EPERM)
        return -1

ctypes.CDLL = Refused
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Run the tests that match some words where every part is installed and broken; return the
    summary.
    """
    folder = tmp_path_factory.mktemp("broken")
    for command in COMMANDS:
        (folder / command).write_text("#!/bin/sh\necho it is broken >&2\nexit 1\n")
        (folder / command).chmod(0o755)
    for module, package in MODULES.items():
        (folder / f"{module}.py").write_text("raise OSError('it is broken')\n")
        about = folder / f"{package.replace('-', '_')}-99.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 99\n")
    (folder / "sitecustomize.py").write_text(REFUSE)

    def call(*words):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
            cwd=HERE.parent, capture_output=True, text=True, check=False, env={
                **{name: value for name, value in os.environ.items()
                   if name == "PYTEST_ADDOPTS" or not name.startswith(("PYTEST_", "NQBENCH_"))},
                "PATH": os.pathsep.join((str(folder), os.environ["PATH"])),
                "PYTHONPATH": os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))})
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return call


def find_files():
    """Return the files whose tests need a part."""
    words = ("mark.needs", *OF_FIXTURES)
    return [path for path in HERE.rglob("test_*.py")
            if any(word in path.read_text("utf-8") for word in words)]


@pytest.mark.slow
@pytest.mark.parametrize(("find", "parts"), [
    pytest.param(lambda: [PROGRAMS], LANGUAGES, id="languages"),
    pytest.param(find_files, PARTS.keys(), id="all", marks=pytest.mark.thorough)])
def test_no_test_fails_for_a_part_that_is_broken(broken, find, parts):
    """Every part has such tests, which share a line of the summary."""
    summary = broken("-m", "needs", *find())
    skipped = re.findall(r"^SKIPPED \[(\d+)\] tests/optional.py:\d+: (.+?): (.+)$", summary,
                         re.MULTILINE)
    assert {name for _, name, _ in skipped} == parts
    assert len(skipped) == len(parts)
    assert all("a trivial job fails" in why for _, _, why in skipped), skipped
    tests, = re.findall(r"(\d+) skipped, \d+ deselected", summary)
    assert sum(int(number) for number, *_ in skipped) == int(tests)
    assert "passed" not in summary
