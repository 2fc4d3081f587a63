"""The notebooks of docs/notebooks run, ask every exercise once, and have no outputs."""

import inspect
import re
from itertools import pairwise
from pathlib import Path

import pytest
from exercises import EXERCISES
from test_exercises import RIGHT

import nqbench

FOLDER = Path(__file__).parents[1] / "docs/notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
CHECK = re.compile(r'exercises\.check\("(\w+)", (\w+)\)')


def require(name):
    """Import a package, when a test needs it: that takes a second."""
    return pytest.importorskip(name, reason=f"no notebooks here: {name} is not installed")


def read(path):
    nbformat = require("nbformat")
    return nbformat.read(path, nbformat.NO_CONVERT)


def cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


@pytest.mark.slow
@pytest.mark.parametrize("path", [PATHS[0], *(
    pytest.param(path, marks=pytest.mark.thorough) for path in PATHS[1:])],
    ids=lambda path: path.stem)
def test_a_notebook_runs_and_waits_for_answers(path, tmp_path, monkeypatch):
    """In a kernel of this Python, with no files of the user."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    notebook = read(path)
    require("nbclient").NotebookClient(notebook, timeout=200, kernel_name="python3").execute(
        cwd=str(tmp_path))
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        texts = [output.get("text") or output.data["text/plain"] for output in cell.outputs]
        if CHECK.match(cell.source):
            assert texts == ["Not answered yet. Replace the dots by your answer."]
        elif "exercise" not in cell.metadata.get("tags", ()):
            assert texts or re.match(r"(import|from) ", cell.source), cell.source
        if "plt." in cell.source:
            assert "image/png" in cell.outputs[0].data
        assert all(output.get("name") != "stderr" for output in cell.outputs), cell.source


def test_every_exercise_is_asked_once_and_answered_by_a_function_of_its_name():
    asked = [match for path in PATHS for cell in cells(path)
             for match in CHECK.findall(cell.source)]
    assert asked == [(name, name) for name in EXERCISES]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_an_answer_has_the_parameters_that_its_check_gives(path):
    every = cells(path)
    tagged = [number for number, cell in enumerate(every)
              if "exercise" in cell.metadata.get("tags", ())]
    assert tagged
    for number in tagged:
        known = {}
        exec(every[number].source, known)
        ((name, function),) = CHECK.findall(every[number + 1].source)
        assert inspect.signature(known[function]).parameters.keys() == (
            inspect.signature(RIGHT[name]).parameters.keys())
        assert inspect.getdoc(known[function])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_figure_is_stored(path):
    """The kernel computes every figure; stored ones would grow old, and give answers away."""
    notebook = read(path)
    require("nbformat").validate(notebook)
    for cell in cells(path):
        assert cell.outputs == []
        assert cell.execution_count is None
    assert set(notebook.metadata) == {"kernelspec", "language_info"}


def test_the_docs_list_all_notebooks_with_the_number_of_their_exercises():
    text = (FOLDER.parent / "notebook.md").read_text("utf-8")
    listed = re.findall(r"\(notebooks/(.*)\.ipynb\).*\| (\d+) \|$", text, re.MULTILINE)
    assert listed == [(path.stem, str(sum(len(CHECK.findall(cell.source)) for cell in cells(path))))
                      for path in PATHS]


@pytest.mark.thorough
def test_the_comparisons_of_the_first_notebook_rise_once_for_6_queens_and_never_for_7():
    def rises(n):
        found = [nqbench.profile(n, algorithm=name).comparisons for name in (
            "brute_force", "permutations", "iterative", "flat_marks", "bitmask")]
        return [later > earlier for earlier, later in pairwise(found)]

    assert rises(6) == [False, True, False, False]
    assert rises(7) == [False] * 4
    assert "Put 7 in place of 6" in (FOLDER / "1-bit-masks.ipynb").read_text("utf-8")
