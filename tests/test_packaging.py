"""What is said of the package in several places is the same everywhere."""

import json
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import installed
import pytest
from packages import pins

import nqbench

HOME = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
PYTHONS = [found[1] for each in PROJECT["classifiers"]
           if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each))]
WORKFLOWS = sorted(HOME.glob(".github/workflows/*.yml"))


def load(path):
    """The content of a YAML file; PyYAML comes with Dask."""
    yaml = pytest.importorskip("yaml", reason="no YAML here: PyYAML is not installed")
    return yaml.safe_load(path.read_text("utf-8"))


def test_wheels_are_built_for_the_pythons_of_the_classifiers_and_tested():
    tags = [f"cp{python.replace('.', '')}-*" for python in PYTHONS]
    assert PYPROJECT["tool"]["cibuildwheel"]["build"] == [*tags, "cp314t-*"]
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    command = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    assert (HOME / command.removeprefix("python {project}/")).is_file()


def test_no_build_asks_for_the_instructions_of_one_processor():
    files = [HOME / "pyproject.toml", HOME / "setup.py", *WORKFLOWS]
    named = [line for path in files for line in path.read_text("utf-8").splitlines()
             if "-march" in line]
    assert all(re.search(r"[Nn]o -march", line) for line in named)


def test_a_wheel_has_every_file_of_the_package():
    """Those of Python by themselves, licences once for the whole wheel, the others by a pattern."""
    package, setuptools = HOME / "nqbench", PYPROJECT["tool"]["setuptools"]
    patterns = setuptools["package-data"]["nqbench"]
    licences = {*HOME.glob("nqbench/**/*LICENSE*")}
    for pattern in PROJECT["license-files"][1], *setuptools["exclude-package-data"]["*"]:
        assert {*package.glob(f"**/{pattern.removeprefix('nqbench/')}")} == licences
    found = {path for pattern in patterns for path in package.glob(pattern)}
    assert all(any(package.glob(pattern)) for pattern in patterns)
    ignored = {".py", ".pyc", ".so", ".pyd"}
    assert [path for path in package.rglob("*")
            if path.is_file() and path.suffix not in ignored and path not in found] == []


@pytest.mark.slow
def test_no_core_needs_the_gil():
    assert '"freethreading_compatible": True' in (HOME / "setup.py").read_text("utf-8")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # to import one that does would turn it on
        cores = [f"nqbench._{path.stem}" for path in HOME.glob("ext/*.pyx")]
        code = f"import sys, {', '.join(cores)}; print(sys._is_gil_enabled())"
        shown = subprocess.run([sys.executable, "-W", "error", "-c", code], text=True,
                               stdout=subprocess.PIPE, check=True)
        assert shown.stdout == "False\n"


def test_each_dependency_has_a_reason_a_minimum_and_no_maximum():
    text = (HOME / "pyproject.toml").read_text("utf-8").partition("\ndependencies = [\n")[2]
    assert [line for line in text.partition("\n]")[0].splitlines() if '",  ' not in line or
            "  # " not in line] == []
    assert [one for one in PROJECT["dependencies"]
            if not re.fullmatch(r"[\w-]+>=[\d.]+", one)] == []
    assert pins() == [one.replace(">=", "==") for one in PROJECT["dependencies"]]


def test_each_package_that_is_imported_is_required():
    modules = {"python-sat": "pysat", "dlx-cython": "dlxsolver", "exact-cover": "exact_cover"}
    extras = PROJECT["optional-dependencies"]
    required = {re.match(r"[\w-]+", one)[0] for one in [
        *PROJECT["dependencies"], *extras["bench"], *extras["cluster"], *extras["peers"]]}
    assert imported() - {modules.get(name, name) for name in required} == set()


def imported():
    """The packages that nqbench imports, but those of Python and nqbench itself."""
    statement = re.compile(r"^ *(?:import (\w+)|from (\w+)[\w.]* import )", re.MULTILINE)
    return {plain or source for path in HOME.glob("nqbench/**/*.py")
            for plain, source in statement.findall(path.read_text("utf-8"))} - (
                sys.stdlib_module_names | {"nqbench"})


def test_the_citation_is_that_of_this_version_and_zenodo_is_told_the_same():
    citation = load(HOME / "CITATION.cff")
    assert citation["version"] == nqbench.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]
    if WORKFLOWS:  # the source distribution has neither
        zenodo = json.loads((HOME / ".zenodo.json").read_text("utf-8"))
        for name in ("title", "license", "keywords"):
            assert zenodo[name] == citation[name]
        assert zenodo["creators"] == citation["authors"]
        assert zenodo["description"] == citation["abstract"]


@pytest.mark.skipif(not WORKFLOWS, reason="the source distribution has no workflows")
def test_the_tests_run_on_the_pythons_of_the_classifiers():
    (jobs,) = (load(path)["jobs"] for path in WORKFLOWS if path.stem == "tests")
    assert jobs["test"]["strategy"]["matrix"]["python"] == [*PYTHONS, "3.14t"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_few_rights_and_ends_and_makes_what_is_in_the_makefile(path):
    workflow = load(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "concurrency" in workflow
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 180, name
        assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {})
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, name
    targets = re.findall(r"^([\w-]+):", (HOME / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {*re.findall(r"run: make ([\w-]+)", path.read_text("utf-8"))} <= {*targets}


def test_a_core_of_another_build_counts_as_missing(monkeypatch, tmp_path):
    """As where clang compiled nothing, and an editable install supplies what gcc compiled."""
    monkeypatch.setattr(nqbench, "__file__", str(tmp_path / "nqbench/__init__.py"))
    assert set(installed.missing()) == installed.CORES
