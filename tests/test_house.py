"""How the house is built: imports run one way, and the heavy ones only where used."""

import ast
import subprocess
import sys
from pathlib import Path

import nqbench

PACKAGE = Path(nqbench.__file__).parent
# A module may import from its own floor and from those below it.
FLOORS = [
    {"board", "showing", "tally", "builds", "forecast", "exact_cover",
     "interrupts"}, {"engine"},
    {"algorithms", "sudoku"}, {"reference", "tracing", "probing", "peers"},
    {"api", "searchtree", "recording"},
    {"study"}, {"analysis"}, {"report"}, {"terminal"}, {"console"}, {"sudoku_cli", "engine_cli"},
    {"cli"}, {"__main__"},
]


def floor(module: str) -> int:
    return next(i for i, names in enumerate(FLOORS) if module in names)


def test_no_import_runs_back():
    for path in PACKAGE.rglob("*.py"):
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert not [name for name in node.names if name.name.startswith("nqbench.")], path
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nqbench."):
                imported = node.module.split(".")[1]
                assert floor(imported) <= floor(own), f"{path} imports {node.module}"


def test_nothing_is_unpickled_or_run_from_a_file():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else [
                node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"pickle", "marshal", "shelve"} & set(names), path
            if isinstance(node, ast.Name):
                assert node.id not in ("eval", "read_pickle"), path


def test_help_loads_nothing_heavy():
    code = ("import sys\nsys.argv = ['nqbench', '--help']\n"
            "from nqbench.cli import main\n"
            "try:\n main()\nexcept SystemExit:\n pass\n"
            "print([m for m in ('pandas', 'numpy', 'matplotlib', 'rich', 'jinja2')"
            " if m in sys.modules])")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.endswith("[]\n")
    assert shown.stdout.startswith("Usage: nqbench")


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").exists()
