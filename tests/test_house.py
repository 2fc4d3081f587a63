"""The layout of the package: imports run one way, heavy ones only where used, and C is separate."""

import ast
import re
import subprocess
import sys
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
GROUPS = {"nqbench.algorithms"}  # of entry points: they name no module
MODULES = {name for names in FLOORS for name in names}
NAMED = re.compile(r"nqbench((\.\w+)*):\w+|nqbench((\.\w+)+)")  # in a string
UNSAFE = re.compile(r"\b(pickle|marshal|shelve|eval|read_pickle|ForkingPickler)\b")


def floor(module):
    """The compiled cores stand on the lowest."""
    return next((i for i, names in enumerate(FLOORS) if module in names),
                0 if re.fullmatch("_[a-z]+", module) else len(FLOORS))


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
    nodes = [*ast.walk(ast.parse(source))]
    documentation = {id(node.body[0].value) for node in nodes
                     if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                     and node.body and isinstance(node.body[0], ast.Expr)}
    for node in nodes:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[:len(package.split(".")) - max(node.level - 1, 0)]
            module = ".".join([*(parents if node.level else []), *filter(None, [node.module])])
            names = ([f"{module}.{alias.name}" for alias in node.names] if module == "nqbench"
                     else [module])
        elif (isinstance(node, ast.Constant) and isinstance(node.value, str)
              and id(node) not in documentation and node.value not in GROUPS
              and NAMED.fullmatch(node.value.rstrip("."))):
            names = [node.value.partition(":")[0]]
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant) and (
                node.values[0].value == "nqbench."):
            names = ["nqbench.*"]  # any module
        yield from filter(None, map(top, names))


def looks_up(source, module, package="nqbench"):
    """The modules on higher floors that a source imports."""
    return sorted({name for name in imported(source, package) if floor(name) > floor(module)})


def test_the_diagram_of_the_architecture_has_these_floors():
    diagram = (HOME / "docs/architecture.md").read_text("utf-8").split("```")[1]
    rows = [re.findall(r"(?<![.\w])\w+", re.split(" {3,}", line)[0])
            for line in diagram.strip().splitlines()]
    assert sorted(name for row in rows for name in row) == sorted(MODULES)
    floors = [floor(name) for row in rows for name in row]
    assert floors == sorted(floors, reverse=True)


@pytest.mark.parametrize("source", [
    "import nqbench.report",
    "import nqbench.report.style as style",
    "import os, nqbench.report",
    "from nqbench import errors, report as r",
    "from nqbench.report import build",
    "from nqbench.report.style import save",
    "from . import report",
    "from .report.style import save",
    "class A:\n    def f(self):\n        import nqbench.report",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from nqbench import report",
    "import importlib\nimportlib.import_module(name='nqbench.report.style')",
    "import_module(f'nqbench.report.{name}')",
    "__import__('nqbench.report')",
    "from pkgutil import resolve_name\nresolve_name('nqbench.report:build')",
    "client.run(resolve_name, 'nqbench.report:build')",
])
def test_every_form_of_an_import_is_seen(source):
    assert looks_up(source, "search") == ["report"]
    assert looks_up(source, "report") == []


@pytest.mark.parametrize("source", [
    "import nqbench", "from nqbench import __version__", "from nqbench import count",
    "def f():\n    import nqbench", "from . import count", "resolve_name('nqbench:__version__')",
    "import_module(f'nqbench.{name}')"])
def test_the_package_itself_stands_above_the_modules_that_it_imports(source):
    assert looks_up(source, "search") == looks_up(source, "analysis") == ["__init__"]
    assert looks_up(source, "study") == []


def test_relative_imports_are_resolved_from_their_package():
    for source in ("from .. import report", "from ..report import build",
                   "def f():\n    from ..report import style"):
        assert looks_up(source, "engine", "nqbench.engine") == ["report"]
    assert looks_up("from . import report", "engine", "nqbench.engine") == []
    assert looks_up("from .report import build", "engine", "nqbench.engine") == []
    assert looks_up("from ... import report", "problems", "nqbench.problems.sudoku") == ["report"]


@pytest.mark.parametrize("source", [
    '"""See nqbench.report."""', "'nqbench: no report'", "from nqbench import search, _engine",
    "import_module('nqbench._engine')", "import_module(f'nqbench.search.{name}')",
    "import nqbenchmark.report", "import report"])
def test_other_texts_and_lower_modules_are_no_fault(source):
    assert looks_up(source, "search") == []


def test_no_import_runs_back():
    modules = set()
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        package = ".".join(["nqbench", *parts[:-1]])
        modules.add(parts[0])
        found = looks_up(path.read_text("utf-8"), parts[0], package)
        if parts == ("__init__",):  # its modules are imported where a user first uses them
            found = [name for name in found if name not in nqbench.MODULES]
        assert found == [], path
    assert modules == MODULES


def test_nothing_is_unpickled_or_run_from_a_file():
    """A study unpickles what it sends to its own processes: the algorithms of a notebook."""
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "problems/plugins/parcels.py"}:
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if UNSAFE.search(text) else ():
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else [
                node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"pickle", "marshal", "shelve", "multiprocessing.reduction"} & set(
                names), path
            if isinstance(node, ast.Name):
                assert node.id not in ("eval", "read_pickle"), path


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


@pytest.mark.slow
def test_help_loads_nothing_heavy():
    code = ("import sys\nsys.argv = ['nqbench', '--help']\n"
            "from nqbench.cli import run\nrun()\n"
            "print([m for m in ('pandas', 'numpy', 'matplotlib', 'rich', 'jinja2')"
            " if m in sys.modules])")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.endswith("[]\n")
    assert shown.stdout.startswith("Usage: nqbench")


@pytest.mark.slow
def test_the_package_imports_nothing_before_it_is_used():
    code = ("import sys\nbefore = set(sys.modules)\nimport nqbench\n"
            "print(sorted(set(sys.modules) - before))")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "['nqbench', 'nqbench._version']\n"


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").exists()


def test_pyproject_reads_the_version_from_the_package():
    import tomllib

    told = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))
    assert told["project"]["dynamic"] == ["version"]
    assert told["tool"]["setuptools"]["dynamic"]["version"] == {
        "attr": "nqbench._version.__version__"}
    assert nqbench.__version__ == nqbench._version.__version__
