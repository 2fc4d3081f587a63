"""Files that a user names: written completely or not at all, never replaced by another kind of
file, and read within limits.
"""

import errno
import io
import json
import os
import socket
import stat
import subprocess
import sys
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from conftest import refused as refusal
from examples import GOOD
from fuzzing import NESTED_OR_LONG
from hypothesis import given
from hypothesis import strategies as st

from nqbench.cli.options import named_folder
from nqbench.engine import Checkpoint, Division
from nqbench.engine.checkpoint import CheckpointReader
from nqbench.errors import InvalidValueError
from nqbench.records.record import append, read
from nqbench.report import builder
from nqbench.report.style import figure, save
from nqbench.util import files
from nqbench.util.files import (
    DEPTH,
    NUMBER_DIGITS,
    SMALL_FILE,
    naming,
    parse_json,
    parse_toml,
    read_bounded,
    read_lines,
    write_whole,
)

resource = pytest.importorskip("resource")


@contextmanager
def limited(size):
    """Limit the size of files: beyond it, `write` fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


DIVISION = Division.new(16, "portable")


def add_parts(path):
    with Checkpoint(path, DIVISION) as kept:
        kept.add([(part, (1, 1, 1)) for part in range(200)])


def draw(path):
    with figure(3, 3) as (made, _):
        save(made, str(path.with_suffix("")))


def append_a_record(path):
    with named_folder("--results", str(path.parent)):  # which is not at fault
        append(path, [{"a": "x" * 10_000}])


@pytest.mark.parametrize(("system", "name", "value", "folder"), [
    ("linux", "HOME", "/home/ann", "/home/ann/.config/nqbench"),
    ("linux", "XDG_CONFIG_HOME", "/set", "/set/nqbench"),
    ("linux", "XDG_CONFIG_HOME", "relative", "/home/bob/.config/nqbench"),
    ("linux", "XDG_STATE_HOME", "/set", "/home/bob/.config/nqbench"),
    ("darwin", "XDG_CONFIG_HOME", "/set", "/home/bob/Library/Application Support/nqbench"),
    ("win32", "LOCALAPPDATA", "/local", "/local/nqbench")])
def test_the_folder_of_a_user_is_that_of_the_system(monkeypatch, system, name, value, folder):
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform=system))
    monkeypatch.setenv("HOME", "/home/bob")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv(name, value)
    assert str(files.find_user_folder("config")) == folder


@pytest.mark.parametrize(("write", "size", "left"), [
    (add_parts, 10, b""), (add_parts, 1000, f"{DIVISION.line}\n".encode()),
    (lambda path: write_whole(path, "x" * 10_000), 1000, None),
    (lambda path: builder._write_text(path, "x" * 10_000), 1000, ...), (draw, 1000, ...),
    (append_a_record, 1000, ...)])
def test_a_full_disk_is_an_error_that_names_the_file(tmp_path, write, size, left):
    path = tmp_path / "a.svg"
    with pytest.raises(OSError, match="File too large") as caught, limited(size):
        write(path)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))
    assert left in (..., path.read_bytes() if path.exists() else None)


def test_a_name_that_is_known_stays(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, naming(tmp_path):
        (tmp_path / "none").read_bytes()
    assert caught.value.filename == str(tmp_path / "none")


def test_the_command_names_the_file(run, tmp_path):
    path = tmp_path / "12.checkpoint"
    with limited(500):
        assert run("count", 12, "--checkpoint", path) == (
            2, "", f"nqbench: {path}: File too large\n")
    assert run("count", 12, "--checkpoint", path)[:2] == (0, "14200\n")


HUGE = 15 * 10**7  # bytes of a sparse file


def make_huge(path, beginning=b""):
    """Write a file that begins so and goes on with zeros, which take no room."""
    path.write_bytes(beginning)
    os.truncate(path, HUGE)
    return path


@contextmanager
def little_memory(most=100_000_000):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_a_file_keeps_its_permissions_and_its_owner_and_a_link_to_it_stays_a_link(tmp_path):
    target, link = tmp_path / "folder" / "page.html", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    write_whole(link, "new")
    target.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(target, 1234, 1234)
    before = target.stat()
    write_whole(link, "newer")
    assert link.is_symlink()
    assert target.read_text() == "newer"
    after = target.stat()
    assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (
        0o640, before.st_uid, before.st_gid)
    assert list(target.parent.iterdir()) == [target]


def test_a_fifo_gets_the_data_and_stays(tmp_path):
    path, got = tmp_path / "fifo", []
    os.mkfifo(path)
    reader = Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    reader.start()
    write_whole(path, "x" * 100_000, new=True)
    reader.join(10)
    assert got == [b"x" * 100_000]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_new_file_replaces_none_not_even_behind_a_link(tmp_path):
    path, link = tmp_path / "a", tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, "first", new=True)
    for name in (path, link):
        with pytest.raises(InvalidValueError, match="exists already, and is not replaced"):
            write_whole(name, "second", new=True)
    assert path.read_text() == "first"


def refuse(made, path):
    raise PermissionError(errno.EPERM, "Operation not permitted", str(made))


@pytest.mark.parametrize("link", [os.link, refuse])
def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path, monkeypatch, link):
    """Also where no links can be made."""
    path = tmp_path / "a"
    monkeypatch.setattr(os, "link", link)
    write_whole(path, "theirs", new=True)
    monkeypatch.setattr("nqbench.util.files.require_target", lambda *_: None)
    with pytest.raises(FileExistsError) as caught:
        write_whole(path, "ours", new=True)
    assert caught.value.filename == str(path)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["theirs"]


@pytest.mark.parametrize("old", [None, "old"])
def test_a_name_is_taken_only_when_the_file_is_complete(tmp_path, monkeypatch, old):
    """A process may be killed before anything is cleaned up."""
    path, seen = tmp_path / "a", []
    if old:
        path.write_text(old)
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.exists() and path.read_text()))
    write_whole(path, "new")
    assert seen == [old or False]
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file_that_was_given(run, tmp_path):
    """This file is regular, and neither read nor replaced."""
    path = "/proc/self/mem"
    if not Path(path).exists():
        pytest.skip("there is no such file here")
    with pytest.raises(OSError) as caught:
        write_whole(Path(path), "data")
    assert caught.value.filename == path
    for words in (("count", 12, "--checkpoint", path), ("audit", path)):
        assert refusal(run(*words)).startswith(f"{path}: ")


@pytest.mark.parametrize("kind", ["a device", "a folder", "a socket", "a FIFO"])
def test_what_is_read_as_a_whole_is_a_regular_file(tmp_path, kind):
    path = tmp_path / "a"
    if kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a socket":
        path = Path(os.path.relpath(path))  # whose name must be short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    elif kind == "a device":
        path = Path("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(InvalidValueError, match=f"must be a file, not {kind}"):
        read_bounded(path)


@pytest.mark.parametrize("name", [".", "..", "/", "folder"])
def test_a_folder_is_no_file(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert refusal(run("play", 4, "--out", name)) == (
        f"--out must be a file that can be written, not '{name}' (Is a directory)")
    assert refusal(run("play", 4, "--out", "")) == "--out must be a file, not ''"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_file_without_write_permission_stays(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(PermissionError):
        write_whole(path, "new")
    assert path.read_text() == "old"


def test_a_page_may_go_where_the_messages_go(tmp_path, monkeypatch):
    path = tmp_path / "both"
    with path.open("w") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        print("before")
        write_whole(path, "data\n")
        print("after")
    assert path.read_text() == "before\ndata\nafter\n"


def test_a_checkpoint_is_a_regular_file(run, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert refusal(run("count", 12, "--checkpoint", fifo)) == f"{fifo} must be a file, not a FIFO"
    assert refusal(run("count", 12, "--checkpoint", tmp_path)) == (
        f"{tmp_path} must be a file, not a folder")
    assert refusal(run("audit", fifo)) == f"{fifo} must be a file, not a FIFO"
    assert refusal(run("audit", "/dev/zero")) == "/dev/zero must be a file, not a device"


def test_a_checkpoint_may_have_a_huge_tail(tmp_path):
    path = tmp_path / "c"
    division = Division.new(12, "portable")
    with Checkpoint(path, division) as kept:
        kept.add([(part, (0, 0, 0)) for part in range(3)])
    size = path.stat().st_size
    os.truncate(path, HUGE)
    said = []
    with little_memory():
        reader = CheckpointReader(path, said.append)
        assert [part for _, part, _ in reader.counted()] == [0, 1, 2]
        assert reader.count_parts() == 3
    assert said == [f"{path}: ignored the last line, which is incomplete"]
    with little_memory(), Checkpoint(path, division, said.append) as kept:
        assert kept.count_parts() == 3
    assert path.stat().st_size == size


def test_a_line_of_a_checkpoint_without_end_is_damaged(tmp_path):
    path = tmp_path / "c"
    with Checkpoint(path, Division.new(12, "portable")) as kept:
        kept.add([(0, (0, 0, 0))])
        with path.open("ab") as file:
            file.write(b"0" * 100_000 + b"\n")
        kept.add([(1, (0, 0, 0))])
        said = []
        assert [part for _, part, _ in CheckpointReader(path, said.append).counted()] == [0, 1]
    assert said[-1] == f"{path}:3: ignored a damaged line; a resumed count recounts its part"


@pytest.mark.parametrize(("words", "name", "most"), [
    (("study",), "huge.toml", SMALL_FILE), (("count", 8, "-a"), "huge.py", 1 << 24)])
def test_a_huge_study_or_source_is_refused_at_once(run, tmp_path, words, name, most):
    path = make_huge(tmp_path / name)
    with little_memory():
        assert f"{path} has more than {most:,} bytes" in refusal(run(*words, path))


def test_a_huge_line_of_records_is_skipped(tmp_path):
    append(tmp_path / "a.jsonl", [GOOD])
    path = make_huge(tmp_path / "a.jsonl", (tmp_path / "a.jsonl").read_bytes())
    warnings = []
    with little_memory():
        assert list(read(tmp_path, warnings.append)) == [GOOD]
    assert warnings == [f"{path}:2: has more than 16,777,216 bytes; the line is skipped"]


@pytest.mark.parametrize(("begin", "says"), [
    (b"", "line 1: a line must have"), (b"{", "an instance must have at most")])
def test_the_commands_refuse_a_huge_file_and_as_much_standard_input(
        run, monkeypatch, tmp_path, begin, says):
    path = make_huge(tmp_path / "huge", begin)
    with little_memory():
        assert says in refusal(run("solve", path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(begin + b"\0" * 10_000_000)))
    assert says in refusal(run("solve", "-"))


@pytest.mark.parametrize("text", NESTED_OR_LONG)
@pytest.mark.parametrize("name", ["instances", "study", "checkpoint"])
def test_nested_texts_and_long_numbers_are_refused_in_a_line(run, tmp_path, name, text):
    path = tmp_path / "file.toml"
    path.write_text({
        "instances": f'{{"n": {text}}}', "study": f"[study]\nalgorithms = 'bitmask'\nn = {text}",
        "checkpoint": f'{{"nqbench checkpoint": 3, "n": {text}}}'[:999]}[name] + "\n")
    command = {"instances": ("solve", path), "study": ("study", path),
               "checkpoint": ("audit", path)}[name]
    assert len(refusal(run(*command))) < 1000
    assert list(tmp_path.iterdir()) == [path]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-10**300 + 1, 10**300 - 1) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=30)


@given(values)
def test_within_the_limits_json_is_read_as_ever(value):
    assert parse_json(json.dumps(value)) == parse_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize("parse", [parse_json, lambda text: parse_json(text.encode())])
def test_each_limit_of_json_counts_alone(parse):
    for text in ("[" * DEPTH + "]" * DEPTH, '{"a":' * DEPTH + "1" + "}" * DEPTH,
                 "9" * NUMBER_DIGITS, "-" + "9" * NUMBER_DIGITS, "1e308"):
        parse(text)
    for text, message in (("[" * (DEPTH + 1) + "]" * (DEPTH + 1), "32 levels"),
                          ('{"a":' * (DEPTH + 1) + "1" + "}" * (DEPTH + 1), "32 levels"),
                          ("-1" + "0" * NUMBER_DIGITS, "300 digits"),
                          ("1e999", "not a number of JSON"),
                          ("-Infinity", "not a number of JSON")):
        with pytest.raises(InvalidValueError, match=message):
            parse(text)


@pytest.mark.parametrize(("begin", "end", "most", "message"), [
    ("[", "]", DEPTH - 1, "32 levels"), ("9", "", NUMBER_DIGITS, "300 digits")])
def test_the_limits_of_toml(begin, end, most, message):
    parse_toml(f"a = {begin * most}{end * most}")
    with pytest.raises(InvalidValueError, match=message):
        parse_toml(f"a = {begin * (most + 1)}{end * (most + 1)}")


@pytest.mark.parametrize("text", ["123", "123\n"])
def test_a_line_of_the_most_characters_is_none_too_many(text):
    assert [*read_lines(io.StringIO(text), 3, "a line")] == [text]


@given(st.lists(st.text("ab\r", max_size=6)), st.integers(1, 5))
def test_lines_are_cut_and_nothing_between_them_is_lost(lines, longest):
    text = "".join(f"{line}\n" for line in lines)
    read = [*read_lines(io.StringIO(text, newline="\n"), longest)]
    assert read == [f"{line}\n" if len(line) <= longest else line[:longest + 1] for line in lines]


@pytest.mark.slow
def test_a_command_opens_the_streams_that_are_closed(tmp_path):
    code = ("import os, sys\nfrom nqbench.cli import run\nsys.argv = ['nqbench', '--version']\n"
            "run()\nopen('found', 'w').write(str([os.path.sameopenfile(\n"
            "    os.open(os.devnull, os.O_RDONLY), number) for number in range(3)]))\n")
    subprocess.run(["sh", "-c", 'exec "$0" -c "$1" <&- >&- 2>&-', sys.executable, code],
                   cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert (tmp_path / "found").read_text() == "[True, True, True]"


@pytest.mark.slow
def test_a_command_waits_for_what_a_stream_brings():
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with subprocess.Popen([sys.executable, "-m", "nqbench", "count", "-"], stdin=reader,
                          stdout=subprocess.PIPE) as process:
        while not os.get_blocking(reader) and process.poll() is None:
            time.sleep(0.01)
        os.write(writer, b"n=4\nn=5\n")
        os.close(writer)
        assert process.stdout.read() == b"2, several\n10, several\n"
    os.close(reader)
