"""Versions of a file in git: loaded, described, and compared in one run."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import refused
from hypothesis import given
from hypothesis import strategies as st

import nqbench
from nqbench.cli.check import TEMPLATES
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins import find, locate
from nqbench.problems.plugins.parcels import fingerprint
from nqbench.util.versions import describe_file, find_imports, git, read_version, split_version

NEW = TEMPLATES["queens"].format(title="Idea", name="idea", file='"idea.py"')
OLD = NEW.replace("for column in range(n):\n", "for column in range(n):\n"
                  "            if column in columns:\n                continue\n")

pytestmark = [pytest.mark.usefixtures("no_plugins"), pytest.mark.slow]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone with two commits of idea.py, which tests fewer squares in the first."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    commit(OLD)
    commit(NEW)
    return tmp_path


def commit(text="", **others):
    for name, content in {"idea": text, **others}.items():
        Path(f"{name}.py").write_text(content, "latin-1")
    subprocess.run(["git", "add", "-A"], check=True)
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one"],
                   check=True)


def count_tests(notation):
    return nqbench.profile(5, notation).tests


def test_both_versions_of_a_file_are_known_at_the_same_time(clone):
    now = count_tests("idea.py")
    assert count_tests("idea.py@HEAD~1::idea") < now == count_tests("idea.py@HEAD::idea")
    assert count_tests("idea.py") == count_tests("idea") == now
    old = find("idea.py@HEAD~1::idea")
    first = git(clone, "rev-parse", "HEAD~1")
    assert (old.name, locate(old)) == (
        f"idea ({first[:7]})", f"{clone / 'idea.py'}@{first}::idea")
    assert fingerprint(old) == sha256(OLD.encode()).hexdigest()
    Path("other").mkdir()
    commit(NEW, **{"other/idea": OLD})
    find("idea.py@HEAD::idea")
    with pytest.raises(InvalidValueError, match=rf"is taken by an algorithm of {clone}/idea\.py@"):
        find("other/idea.py@HEAD::idea")


def test_a_version_of_an_algorithm_given_as_an_object_is_found_in_another_process(clone):
    text = Path(nqbench.problems.queens.bitmask.__file__).read_text("utf-8")
    commit(NEW, mine=text.replace('name="bitmask"', 'name="mine"'))
    old, head = find("mine.py@HEAD::mine"), git(clone, "rev-parse", "HEAD")
    assert locate(old) == f"{clone / 'mine.py'}@{head}::mine"


@pytest.mark.thorough
def test_two_versions_are_compared_round_by_round_in_one_run(clone, run):
    status, out, err = run("compare", "idea.py@HEAD~1", "idea.py", "-n", 5, "--json")
    made = json.loads(out)
    (point,) = made["points"]
    assert (point["algorithm"], point["interleaved"], made["sources"]) == ("idea", True, ["idea"])
    assert ("tests", count_tests("idea.py@HEAD~1::idea"), count_tests("idea.py")) in {
        (each["metric"], each["a"], each["b"]) for each in made["differing"]
        if each["metric"] == "tests"}
    assert status == 0  # another version may count something else
    assert "A is idea.py@HEAD~1, B is idea.py, measured in turns" in err
    table = nqbench.load("results")
    assert table[table["metric"] == "seconds"].groupby("algorithm")["round"].count().eq(50).all()
    said = nqbench.analysis.descriptions(nqbench.analysis.load("results"))
    assert {each.file for each in said.values()} == {
        "idea.py", f"idea.py@{git(clone, 'rev-parse', 'HEAD~1')}"}
    assert [each.repository["commit"] for each in said.values()] == [
        git(clone, "rev-parse", revision) for revision in ("HEAD~1", "HEAD")]


BUILT_IN = Path(nqbench.problems.queens.bitmask.__file__)


def test_the_file_of_a_built_in_algorithm_has_that_algorithm():
    assert find(f"{BUILT_IN}::bitmask") is find("bitmask")


@pytest.mark.thorough
@pytest.mark.skipif(not git(BUILT_IN.parent, "rev-parse", "HEAD"), reason="this is no clone")
def test_a_version_of_a_built_in_algorithm_is_compared_with_its_file(run):
    status, out, _ = run("compare", f"{BUILT_IN}@HEAD", f"{BUILT_IN}", "-n", 5, "--json")
    assert status == 0
    assert {each["algorithm"] for each in json.loads(out)["points"]} == {"bitmask"}


@pytest.mark.parametrize(("words", "said"), [
    (("idea.py@HEAD~9", "idea.py"), "idea.py@HEAD~9 cannot be loaded: git has no idea.py at the "
                                    "revision 'HEAD~9'"),
    (("idea.py@-h", "idea.py"), "git has no idea.py at the revision '-h'"),
    (("idea.py@HEAD", "idea.py@HEAD~0"), "idea.py@HEAD and idea.py@HEAD~0 are the same"),
    (("idea.py@HEAD::other", "idea.py"), "there is no algorithm in idea.py@HEAD: 'other'")])
def test_what_cannot_be_compared_is_refused_in_one_line(clone, run, words, said):
    assert said in refused(run("compare", *words))


def test_a_version_that_imports_what_has_changed_since_is_refused(clone):
    commit(f"import helper\n{NEW}", helper="depth = 1  # für")
    assert read_version(clone / "idea.py", "HEAD")[1].startswith("import helper")
    Path("helper.py").write_text("depth = 2")
    with pytest.raises(InvalidValueError, match=r"idea.py at HEAD imports helper.py, which has "):
        read_version(clone / "idea.py", "HEAD")
    assert read_version(clone / "idea.py", "HEAD~1")[1] == NEW


def test_a_file_is_described_by_its_commit_its_changes_and_its_imports(clone):
    commit(f"import helper, json\n{NEW}", helper="from pack.deep import x", other="")
    git(clone, "config", "status.showUntrackedFiles", "no")
    Path("pack").mkdir()
    Path("pack/deep.py").write_text("x = 1")
    head = git(clone, "rev-parse", "HEAD")
    names = {"helper.py": "from pack.deep import x", "pack/deep.py": "x = 1"}
    imports = {name: sha256(text.encode()).hexdigest() for name, text in names.items()}
    assert describe_file("idea.py") == {"commit": head, "changed": False, "imports": imports}
    Path("idea.py").write_text(NEW)
    assert describe_file("idea.py") == {"commit": head, "changed": True, "imports": {}}
    assert describe_file("pack/deep.py")["changed"]  # git does not have it
    assert describe_file("__main__") == {}


def test_outside_a_clone_there_is_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "idea.py").write_text(NEW)
    assert describe_file(str(tmp_path / "idea.py")) == {
        "commit": None, "changed": None, "imports": {}}


@given(st.text("ab/~1", max_size=12))
def test_only_a_python_file_has_a_revision(text):
    assert split_version(f"{text}.py@{text}") == (f"{text}.py", text)
    assert split_version(text) == (text, "")


def test_a_text_that_is_no_python_imports_nothing(tmp_path):
    assert find_imports("def (", tmp_path) == []
    assert find_imports("import __main__", tmp_path) == []  # which has no place
