"""An installation has one identity, which distinguishes it from all others."""

import json
import os
import platform
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

import nqbench
from nqbench.records import context as identity
from nqbench.records.context import commit, context, relabel


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setattr(identity.files, "find_user_folder", lambda kind: tmp_path / "nqbench")
    return tmp_path / "nqbench"


def test_it_is_drawn_once(config):
    first = identity.identity("a processor")
    assert identity.identity("a processor") == first
    assert len(first.machine) == identity.IDENTITY_DIGITS
    assert len(list(config.iterdir())) == 1


def test_processes_that_draw_it_at_once_have_the_same(config, monkeypatch):
    both, draw = Barrier(2), identity.secrets.token_hex

    def token(size):
        both.wait(10)  # each has seen that there is none yet
        return draw(size)

    monkeypatch.setattr(identity.secrets, "token_hex", token)
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(identity.identity, ["a processor"] * 2)
    assert one == other == identity.identity("a processor")
    assert len(list(config.iterdir())) == 1


def test_where_no_links_can_be_made_it_is_kept_all_the_same(config, monkeypatch):
    def link(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    assert identity.identity("a processor") == identity.identity("a processor")
    assert len(list(config.iterdir())) == 1


def test_other_hardware_and_equal_machines_of_another_home_differ(config, tmp_path, monkeypatch):
    first = identity.identity("a processor")
    assert identity.identity("another").machine != first.machine
    monkeypatch.setattr(identity.files, "find_user_folder", lambda name: tmp_path / "another home")
    assert identity.identity("a processor").machine != first.machine


def test_a_label_is_kept_and_changes_nothing_else(config):
    before = identity.identity("a processor")
    identity.relabel("office laptop", "a processor")
    assert identity.identity("a processor") == identity.Identity(before.machine, "office laptop")


@pytest.mark.parametrize("label", ["", "  ", "two\nlines", "\x1b[31m", "x" * 61])
def test_a_label_that_cannot_be_shown_is_refused(config, label):
    with pytest.raises(ValueError, match="a label must have 1 to 60 printable characters"):
        identity.relabel(label, "a processor")
    assert not config.exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"machine": null}', '{"machine": "0x1234567890"}',
                                  '{"machine": "0123456789ab", "label": "two\\nlines"}'])
def test_a_damaged_file_is_replaced(config, text):
    known = identity.identity("a processor")
    (path,) = config.iterdir()
    path.write_text(text)
    found = identity.identity("a processor")
    assert found.machine != known.machine
    assert path.read_text() != text
    assert json.loads(path.read_text())["machine"] == found.machine


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_in_place_of_the_file_stays_and_is_not_read(config):
    identity.identity("a processor")
    (path,) = config.iterdir()
    path.unlink()
    os.mkfifo(path)
    with pytest.warns(UserWarning, match="must be a file, not a FIFO"):
        identity.identity("a processor")
    with pytest.raises(ValueError, match="must be a file, not a FIFO"):
        identity.relabel("office laptop", "a processor")
    assert path.is_fifo()


def test_where_nothing_can_be_kept_a_warning_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(identity.files, "find_user_folder", lambda name: tmp_path / "file")
    with pytest.warns(UserWarning, match="cannot be written") as caught:
        first = identity.identity("a processor")
        assert identity.identity("a processor") == first
    assert len(caught) == 1


def test_the_context_holds_it_and_no_host_name():
    known = context()
    assert len(known["machine"]) == identity.IDENTITY_DIGITS
    assert platform.node() not in json.dumps(known)
    relabel("office laptop")
    try:
        assert context() == {**known, "label": "office laptop", "dirty": context()["dirty"]}
    finally:
        context.cache_clear()


@pytest.mark.slow
def test_the_commit_is_that_of_the_source_whatever_the_environment_says(tmp_path, monkeypatch):
    before = commit()
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, str(tmp_path))
        assert commit()[0] == before[0]
        monkeypatch.undo()
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(Path(nqbench.__file__).parents[1]))
    assert commit() == before


@pytest.mark.parametrize(("free", "end"), [(None, ""), (0, ""), (1, "t")])
def test_free_threaded_python_is_marked(free, end, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_config_var", {"Py_GIL_DISABLED": free}.get)
    context.cache_clear()
    assert context()["python"] == (
        f"{platform.python_implementation()} {platform.python_version()}{end}")
    context.cache_clear()


@pytest.mark.parametrize(("texts", "name"), [
    (["processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some(R) CPU @ 2.00GHz\n"],
     "Some(R) CPU @ 2.00GHz"),
    (["processor\t: 0\nmodel name\t: \nflags\t: fpu\n", "Vendor ID:   ARM\n"
      "  BIOS Model name:  Other\n  Model name:        Neoverse-N1\n"], "Neoverse-N1"),
    (["machdep.cpu.brand_string: Apple M1 Pro\n"], "Apple M1 Pro"),
    (["\nHKEY_LOCAL_MACHINE\\HARDWARE\r\n    Identifier    REG_SZ    Family 6\r\n"
      "    ProcessorNameString    REG_SZ    Some(R) CPU \r\n"], "Some(R) CPU"),
    ([""], "riscv64"), ([], "riscv64")])
def test_a_processor_has_the_name_that_its_system_gives_it(monkeypatch, texts, name):
    monkeypatch.setattr(identity, "_read_processor", lambda: texts)
    monkeypatch.setattr(platform, "processor", str)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert identity._processor() == name
