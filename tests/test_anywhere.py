"""tools/anywhere.py runs the commands of a fresh clone under each condition."""

import subprocess

import anywhere
import pytest

pytestmark = pytest.mark.slow
MAKEFILE = r"""
report:
	@pwd; echo "path: $$PATH"; echo "python: $(PYTHON)"; echo "user: $$(id -u)"
	@touch "$$HOME/file" && echo written || echo refused
test:
	@echo it fails; exit 1
dist:
	@touch left
"""


@pytest.fixture
def source(tmp_path):
    """A repository with a Makefile."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "Makefile").write_text(MAKEFILE)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b.org",
                                                 "commit", "-q", "-m", "a"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.fixture
def meet(source, tmp_path):
    """Run a command under a condition; return how it ended, and what it printed."""
    def call(condition, command="report"):
        found = anywhere.meet(condition, [command], source, tmp_path / "build")
        if found.get("", "").startswith("skipped"):
            pytest.skip(found[""])
        log, = (tmp_path / "build/logs").glob(f"*-{command}.txt")
        return found, log.read_text()

    return call


def test_a_command_that_fails_is_named_with_its_log(meet, tmp_path):
    found, log = meet("usual", "test")
    assert found["test"].startswith("failed, see ")
    assert "it fails" in log
    assert (tmp_path / "build/usual/clone").is_dir()


def test_a_clone_that_was_changed_is_a_failure(meet):
    assert meet("usual", "dist")[0]["git status"] == "failed: ?? left"


def test_the_clone_of_a_condition_that_was_met_is_removed(meet, tmp_path):
    found, log = meet("odd path")
    assert found["report"].startswith("passed (")
    assert "/odd-path/ein Häuschen auf dem Land\n" in log
    assert not (tmp_path / "build/odd-path").exists()


@pytest.mark.parametrize(("condition", "says"), [
    ("read-only home+odd path", "refused"), ("other user", "written"),
    ("fewer tools", "/fewer-tools/tools\n"), ("broken tools", "/broken-tools/tools:"),
    ("Python 3.13", "python3.13\n")])
def test_a_condition_is_what_it_says(meet, condition, says):
    assert says in meet(condition)[1]
