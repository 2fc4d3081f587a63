"""The layout of the package: imports run one way, heavy ones only where used, and C is separate."""

import ast
import re
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

import nqbench

PACKAGE = Path(nqbench.__file__).parent
HOME = Path(__file__).parents[1]  # a package that is installed is elsewhere
# A module may import from its own floor and from those below it. "__init__" is nqbench itself.
FLOORS = [
    {"_version", "errors", "util"}, {"search"}, {"engine"}, {"problems"}, {"explain", "records"},
    {"analysis", "checking"}, {"__init__", "api", "report", "study"}, {"topics"},
    {"__main__", "cli"},
]
MODULES = {name for names in FLOORS for name in names}
NAMED = re.compile(r"nqbench((\.\w+)*):\w+|nqbench((\.\w+)+)")  # in a string
UNSAFE = re.compile(r"^ *(import|from) (pickle|marshal|shelve|multiprocessing\.reduction)\b"
                    r"|\b(eval|read_pickle)\(", re.MULTILINE)


def floor(module):
    """The compiled cores stand on the lowest."""
    return next((i for i, names in enumerate(FLOORS) if module in names), 0)


def top(name):
    """The module of the package that a dotted name stands in; None outside it."""
    first, _, rest = name.partition(".")
    module = rest.partition(".")[0]
    if first != "nqbench":
        return None
    return module if module in MODULES or (module.startswith("_") and module[1] != "_") else (
        "__init__")


def imported(source, package):
    """The modules of the top floor names that a source in `package` imports, in any way."""
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names = ([f"{module}.{alias.name}" for alias in node.names] if module == "nqbench"
                     else [module])
        elif (isinstance(node, ast.Constant) and isinstance(node.value, str)
              and NAMED.fullmatch(node.value.rstrip("."))):
            names = [node.value.partition(":")[0]]
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant) and (
                node.values[0].value == "nqbench."):
            names = ["nqbench.*"]  # any module
        yield from filter(None, map(top, names))


def test_the_diagram_of_the_architecture_has_these_floors():
    diagram = (HOME / "docs/architecture.md").read_text("utf-8").split("```")[1]
    rows = [re.findall(r"(?<![.\w])\w+", re.split(" {3,}", line)[0])
            for line in diagram.strip().splitlines()]
    assert sorted(name for row in rows for name in row) == sorted(MODULES)
    floors = [floor(name) for row in rows for name in row]
    assert floors == sorted(floors, reverse=True)


@pytest.mark.parametrize(("source", "package", "found"), [
    ("import os, nqbench.report.style as style", "nqbench", "report"),
    ("from nqbench import errors as e, report", "nqbench", "errors report"),
    ("from nqbench.report.style import save", "nqbench", "report"),
    ("from . import report", "nqbench", "report"),
    ("from .report.style import save", "nqbench", "report"),
    ("from .report import build", "nqbench.engine", "engine"),
    ("from ..report import build", "nqbench.engine", "report"),
    ("from ... import report", "nqbench.problems.sudoku", "report"),
    ("class A:\n    def f(self):\n        import nqbench.report", "nqbench", "report"),
    ("import_module(name='nqbench.report.style')", "nqbench", "report"),
    ("import_module(f'nqbench.report.{name}')", "nqbench", "report"),
    ("client.run(resolve_name, 'nqbench.report:build')", "nqbench", "report"),
    ("import nqbench", "nqbench", "__init__"),
    ("from nqbench import __version__, count", "nqbench", "__init__ __init__"),
    ("from . import count", "nqbench", "__init__"),
    ("resolve_name('nqbench:__version__')", "nqbench", "__init__"),
    ("import_module(f'nqbench.{name}')", "nqbench", "__init__"),
    ("import_module('nqbench._engine')", "nqbench", "_engine"),
    ('"""See nqbench.report."""', "nqbench", ""),
    ("'nqbench: no report'", "nqbench", ""),
    ("import nqbenchmark.report, report", "nqbench", "")])
def test_every_form_of_an_import_is_seen(source, package, found):
    assert [*imported(source, package)] == found.split()


def test_no_import_runs_back():
    modules = set()
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        package = ".".join(["nqbench", *parts[:-1]])
        modules.add(parts[0])
        higher = {name for name in imported(path.read_text("utf-8"), package)
                  if floor(name) > floor(parts[0])}
        if parts == ("__init__",):  # its modules are imported where a user first uses them
            higher -= {*nqbench.MODULES}
        assert higher == set(), path
    assert modules == MODULES


def test_nothing_is_unpickled_or_run_from_a_file():
    """A study unpickles what it sends to its own processes: the algorithms of a notebook."""
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "problems/plugins/parcels.py"}:
        assert not UNSAFE.search(path.read_text("utf-8")), path


def left_defined(header):
    """The macros that a header defines and does not undefine after that."""
    left = {}
    for line, name in re.findall(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)", header, re.M):
        left[name] = line == "define"
    return sorted(name for name, defined in left.items() if defined)


def test_macros_that_reach_generated_code_cannot_be_taken_for_its_names():
    """Cython includes the headers above all that it writes, where a macro `mask` changes any
    variable of that name."""
    assert left_defined("#undef a\n#define a b\n# define C\n#define d(e) \\\n  f\n#undef d") == [
        "C", "a"]
    headers = {path.name: left_defined(path.read_text("utf-8"))
               for path in (HOME / "ext").glob("*.h")}
    for header, names in headers.items():
        allowed = r"lanes_\w+|LANES(_\w+)?" if header == "lanes.h" else r"[A-Z][A-Z0-9_]*"
        assert [name for name in names if not re.fullmatch(allowed, name)] == [], header
    assert {"LANES", "lanes_mask", "lanes_and"} <= set(headers["lanes.h"])


def run(code):
    """What a program in a Python of its own prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True).stdout


def test_no_help_count_check_or_list_loads_a_scientific_package():
    """In one process, so that each loads what it does not share with the others."""
    assert run("""
import sys
from click import Context, Group
from nqbench.cli import cli, run

def helps(command, *words):
    yield *words, "--help"
    for name in command.list_commands(Context(command)) if isinstance(command, Group) else ():
        yield from helps(command.get_command(Context(command), name), *words, name)

def load(*lines):
    statuses = []
    for sys.argv[1:] in lines:
        statuses.append(run())
    print("\\n", {*statuses}, {*sys.modules} & heavy)

heavy = {"pandas", "numpy", "matplotlib", "scipy", "rich", "jinja2"}
load(*helps(cli))
heavy.remove("rich")  # draws tables
load(["count", "8"], ["verify", "--max-n", "4"], ["list"], ["list", "--metrics"])
""").count("\n {0} set()\n") == 2


def test_the_package_imports_nothing_before_it_is_used():
    assert run("import sys\nbefore = {*sys.modules}\nimport nqbench\n"
               "print(sorted({*sys.modules} - before))") == "['nqbench', 'nqbench._version']\n"
