"""The recipes of CONTRIBUTING, followed to the letter in a copy of the package."""

import ast
import os
import re
import shlex
import subprocess
import sys
from doctest import DocTestParser, Example
from pathlib import Path
from pkgutil import resolve_name
from shutil import copytree

import pytest

HOME = Path(__file__).parent.parent
KINDS = re.findall(r"### ([^\n]+)\n\n(.*?)(?=\n#|\Z)",
                   (HOME / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
COPY = re.compile(r"Copy `([\w.]+)` in the (?:docstring of `([\w.]+)`|same docstring) "
                  r"(?:to\s+`([\w/]+)`|there)")
ROW = re.compile(r"Copy the function of `([\w.]+)` in the docstring of `([\w.]+)` above "
                 r"`(?:TABLE|PEERS)` in\s+`([\w/.]+)`, and its\s+\w+ to the (?:end of the )?table")
MAKE = re.compile(r"Make the folder `([\w/]+)`")
TRY = re.compile(r"`([^`]+)` prints\s+`([^`]+)`")
FILE = re.compile(r"The (?:whole of a file (\S+\.\w+)|function and the row of (\w+))\b.*:\s*$",
                  re.DOTALL)


def shown(name):
    """The files and rows in the docstring of a class, by name: the examples below the sentence that
    names each. What is no Python is a string in the example.
    """
    files, current = {}, None
    for piece in DocTestParser().parse(resolve_name(name).__doc__):
        if isinstance(piece, Example):
            if current:
                files[current] = files.get(current, "") + piece.source
        elif piece.strip():
            found = FILE.search(piece.strip())
            current = found and (found[1] or found[2])
    return {file: text if file.endswith(".py") or "." not in file else ast.literal_eval(
        text.partition("=")[2].strip()).lstrip() for file, text in files.items()}


@pytest.fixture
def package(tmp_path):
    """A copy of the package."""
    copytree(HOME / "nqbench", tmp_path / "nqbench")
    return tmp_path


def enter(text, path):
    """Write the function of a text above the table of a module, and its last value into it."""
    *_, function, row = ast.parse(text).body
    above, table, rest = re.split(r"(?<=\n\n\n)((?:TABLE|PEERS)\b.*?)(?=^\))",
                                  path.read_text("utf-8"), maxsplit=1,
                                  flags=re.DOTALL | re.MULTILINE)
    path.write_text(f"{above}{ast.unparse(function)}\n\n\n{table}    {ast.unparse(row.value)},\n"
                    f"{rest}", "utf-8")


def follow(recipe, package, results):
    """Do what a recipe says; return what its commands print, and what they should."""
    holder = folder = None
    for place in MAKE.findall(recipe):
        (package / place).mkdir()
    for file, name, place in COPY.findall(recipe):
        holder, folder = name or holder, place or folder
        path = package / folder / file
        assert path.parent.is_dir()
        assert not path.exists()
        path.write_text(shown(holder)[file], "utf-8")
    for file, name, place in ROW.findall(recipe):
        enter(shown(name)[file], package / place)
    copytree(results, package / "results")  # a recipe may write there
    for command, text in TRY.findall(recipe):
        words = shlex.split(re.sub(r"\s+", " ", command))
        words[:1] = [sys.executable] + ["-m", "nqbench"] * (words[0] == "nqbench")
        done = subprocess.run(words, cwd=package, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(package)})
        assert done.returncode == 0, done.stderr
        yield done.stdout, text


def test_every_shape_in_the_reference_has_a_recipe():
    reference = (HOME / "docs/reference/extensions.md").read_text("utf-8")
    shapes = re.findall(r"^\|[^{]*(?:\{py:func\}\S+ )?\{py:class\}`([\w.]+)`", reference,
                        re.MULTILINE)
    copied = [found for _, recipe in KINDS for found in re.findall(
        r"in\s+the docstring of `([\w.]+)`", recipe)]
    assert {*map(resolve_name, shapes)} == {*map(resolve_name, copied)}
    assert len(shapes) > 8


@pytest.mark.parametrize("kind", dict(KINDS))
def test_a_recipe_has_five_steps_at_most(kind):
    assert len(re.findall(r"^\d\. ", dict(KINDS)[kind], re.MULTILINE)) in range(1, 6)


@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=pytest.mark.thorough if kind == "A section of the page" else ())
    for kind, recipe in KINDS if "Copy" in recipe])
def test_a_recipe_works(kind, package, records):
    tried = list(follow(dict(KINDS)[kind], package, records))
    assert tried
    for printed, text in tried:
        assert text in printed
