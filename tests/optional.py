"""The optional parts of the tests: what `make test` uses if it works here, and does not install.

A part is what no user is promised: a solver, a browser, a compiler for another language, a counter
of the kernel. Its probe runs a trivial job of it in another process, once for each test run. If
that fails, the tests marked `needs(PART)` are skipped, and one line of the summary says why.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import pytest
from filelock import FileLock

from nqbench.problems.peers import PEERS

PATIENCE = 60.0  # seconds; numba compiles
OF_FIXTURES = {"built_lab": "npm", "chromium": "Chromium"}  # what those of conftest.py need
ABSENT = re.compile(r"NotFoundError|is not installed|needs cupy: ")  # in an error of Python
NOT_FOUND = 127  # the status of a shell for a command that is not there
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Part:
    """What a probe runs in an empty folder, a text that it prints if the part works, and how to
    install the part.
    """

    words: tuple[str, ...]
    prints: str
    install: str

    def find_fault(self) -> str:
        """Return why the part does not work here; empty if it does."""
        with tempfile.TemporaryDirectory(prefix="nqbench-probe-") as folder:
            try:
                done = subprocess.run(
                    self.words, cwd=folder, capture_output=True, text=True, errors="replace",
                    timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
            except subprocess.TimeoutExpired:
                return f"a trivial job takes over {PATIENCE:g} s"
        if done.returncode == 0 and self.prints in done.stdout:
            return ""
        *_, last = ["no answer", *filter(None, map(str.strip, done.stderr.splitlines()))]
        broken = "not installed" if done.returncode == NOT_FOUND or ABSENT.search(last) else (
            f"a trivial job fails: {last}")
        return f"{broken} ({self.install})" if self.install else broken


def shell(text: str, prints: str, install: str = "") -> Part:
    return Part(("sh", "-c", text), prints, install)


def python(code: str, prints: str, install: str = "") -> Part:
    return Part((sys.executable, "-c", code), prints, install)


def find_browser() -> str:
    """Return the browser for the tests, by its name in PATH."""
    return next(filter(None, map(which, BROWSERS)), BROWSERS[0])


def launch(playwright):
    """Start the browser."""
    return playwright.chromium.launch(executable_path=find_browser(), args=["--disable-gpu"])


def language(command: str, package: str) -> Part:
    """Return a language: what prints 64 in it, and its package."""
    return shell(command, "64", f"apt install {package}")


def xcsp(reader: str) -> Part:
    """Return a reader of XCSP3 that comes with pycsp3, a program in Java."""
    return python(f"""
from pathlib import Path
import readers
print(readers.{reader}('<instance format="XCSP3" type="CSP"><variables><var id="x">1..2</var>'
    '</variables><constraints><intension>eq(x,2)</intension></constraints></instance>', Path()))
""", "SATISFIABLE", "apt install default-jre-headless; pip install 'nqbench[peers]'")


PARTS: Mapping[str, Part] = {
    **{peer.name: python(
        f"from nqbench.problems.peers import {peer.count.__name__} as count; print(count(4))", "2",
        "pip install 'nqbench[peers]'") for peer in PEERS},
    "ACE": xcsp("ace"),
    "Choco": xcsp("choco"),
    "Bash": language("bash -o pipefail -c 'echo $((8 << 3))'", "bash"),
    "bubblewrap": python("""
from pathlib import Path
import subprocess
from nqbench.checking.race import BWRAP, confine
print("confined" if confine(Path()) else subprocess.run([*BWRAP, "true"], check=True))
""", "confined", "apt install bubblewrap"),
    "Chromium": python("""
from optional import launch
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright, launch(playwright) as browser:
    page = browser.new_page()
    page.set_content("<title>a page</title>")
    print(page.title())
""", "a page", "apt install chromium"),
    "Gecode": python("""
from pathlib import Path
import readers
print(readers.gecode("var 1..2: x; constraint x != 1; solve satisfy;", Path()))
""", "x = 2", "apt install minizinc"),
    "GPU": python("import nqbench.engine; "
                  "print(nqbench.engine.count(8, 'cuda', algorithm='join'))", "92"),
    "Go": language("echo 'package main; import \"fmt\"; func main() { fmt.Print(8 * 8) }' >a.go && "
                   "go run a.go", "golang"),
    "Java": language("echo 'class A { public static void main(String[] words) "
                     "{ System.out.print(8 * 8); } }' >A.java && java A.java",
                     "default-jdk-headless"),
    "Lua": language("lua -e 'print(8 << 3)'", "lua5.4"),
    "Node.js": language("node -e 'console.log(8 * 8)'", "nodejs"),
    "npm": shell("npm view pyodide version --fetch-retries=0 --fetch-timeout=20000", ".",
                 "apt install npm"),
    "NVRTC": python("""
import ctypes
from pathlib import Path
import nvidia.cuda_nvrtc
folder = Path(next(iter(nvidia.cuda_nvrtc.__path__)))
nvrtc, number = ctypes.CDLL(str(next((folder / "lib").glob("libnvrtc.so.*")))), ctypes.c_int()
print(nvrtc.nvrtcVersion(ctypes.byref(number), ctypes.byref(number)))
""", "0", "pip install nvidia-cuda-nvrtc-cu12"),
    "PHP": language("php -r 'echo 8 * 8;'", "php-cli"),
    "Perl": language("perl -e 'print 8 * 8'", "perl"),
    "private file systems": shell(
        "unshare $(test $(id -u) = 0 || echo -r) -m sh -c 'mount -t tmpfs none . && echo mounted'",
        "mounted"),
    "pychoco": python("""
from nqbench.topics.peers.same_tree import explore_choco
print(explore_choco("value", 4))
""", "2", "pip install 'nqbench[peers]'"),
    "Ruby": language("ruby -e 'puts 8 * 8'", "ruby"),
    "Rust": language("echo 'fn main() { print!(\"{}\", 8 * 8) }' >a.rs && rustc a.rs && ./a",
                     "rustc"),
    "SQLite": language("sqlite3 :memory: 'SELECT 8 * 8'", "sqlite3"),
    "Tcl": language("echo 'puts [expr {8 * 8}]' | tclsh", "tcl"),
    "sha256sum": shell("sha256sum </dev/null", "e3b0c44298fc1c14"),
    "valgrind": shell("valgrind --tool=cachegrind --cachegrind-out-file=/dev/null true && "
                      "echo counted", "counted", "apt install valgrind"),
    "awk": language("awk 'BEGIN { print 8 * 8 }'", "gawk"),
    "bc": language("echo '8 * 8' | bc", "bc"),
    "jq": language("jq -n '8 * 8'", "jq"),
    "c++": shell("echo 'int main() { return 0; }' >a.cpp && c++ -o a a.cpp && ./a && echo works",
                 "works", "apt install g++"),
}


def explain(name: str) -> str:
    """Return why a part does not work here; empty if it does. All processes of a test run share
    the answer.
    """
    path = Path(os.environ["NQBENCH_TESTS"], f"probe of {name}.json")
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            path.write_text(json.dumps(PARTS[name].find_fault()), "utf-8")
        return str(json.loads(path.read_text("utf-8")))


def require(name: str) -> None:
    """Skip the test if a part does not work here."""
    fault = explain(name)
    if fault:
        pytest.skip(f"{name}: {fault}")
