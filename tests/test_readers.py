"""Whatever a file holds, its reader returns what is valid, or says in one line what is wrong."""

import io
import json
import re
import sys
import time
import warnings
from contextlib import contextmanager, suppress
from zlib import crc32

import psutil
import pytest
from fuzzing import damaged, read_corpus, until_time_is_up
from hypothesis import given

from nqbench._version import __version__
from nqbench.engine import Checkpoint, Division, division, read_checkpoint
from nqbench.engine.checkpoint import CheckpointReader
from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.problems import instances, sudoku
from nqbench.problems.plugins import registry
from nqbench.records import frame
from nqbench.records.descriptions import to_study_file
from nqbench.records.record import digest, join, parse, read, to_line
from nqbench.records.runs import group
from nqbench.study.plan import read_study, to_table
from nqbench.util.discovery import topic_files

resource = pytest.importorskip("resource")

LONGEST = 2100  # characters of a message
MOST_MEMORY = 400 << 20  # bytes
MOST_SECONDS = 30  # of a processor: more would be a reader that hangs
PART = re.compile(rb"^([\d ]+) \w*$", re.M)


@contextmanager
def within_limits(allowed=NqbenchError):
    """Allow these errors, each with a line; allow no endless reader, and no large one."""
    before, start = largest(), time.process_time()
    try:
        yield
    except allowed as error:
        assert_one_line(str(error))
    assert time.process_time() - start < MOST_SECONDS
    assert largest() - before < MOST_MEMORY


def largest():
    """The most memory that this process has had so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024)


def assert_one_line(text):
    assert text.strip()
    assert "\n" not in text
    assert len(text) < LONGEST


def seal(content):
    """Give a checkpoint this version and the right checksums, so that readers look at the rest."""
    content = content.replace(b'"0.1.0"', f'"{__version__}"'.encode(), 1)
    with suppress(ValueError):
        first = Division.of(content.partition(b"\n")[0].decode()).line.encode()
        return PART.sub(lambda part: b"%b %08x" % (part[1], crc32(first + b" " + part[1])), content)
    return content


def check_checkpoint(path, content):
    """A part is returned only if its line is right; only an incomplete last line is removed."""
    other = Division.new(8, "portable")
    try:
        read_parts(path, content)
        other = CheckpointReader(path).division
    finally:
        assert path.read_bytes() == content
        whole = content[:content.rfind(b"\n") + 1] or f"{other.line}\n".encode()
        try:
            with Checkpoint(path, other) as opened:
                assert path.read_bytes() == whole
                assert len({part for _, part, _ in opened.counted()}) == opened.count_parts()
        except InvalidValueError:
            assert path.read_bytes() in (content, whole)
            raise


def read_parts(path, content):
    said, lines = [], content.split(b"\n")
    reader = CheckpointReader(path, said.append)
    found = {}
    for number, part, count in reader.counted():
        text, _, check = lines[number - 1].rpartition(b" ")
        assert int(check, 16) == crc32(reader.division.line.encode() + b" " + text)
        assert [*map(int, text.split(b" "))] == [part, reader.division.engine.images(part), *count]
        assert part < reader.division.parts
        assert [sum(count[:-2]) % 13, sum(count[:-2]) % 15] == [*count[-2:]]
        found.setdefault(part, set()).add(count)
    assert reader.count_parts() == len(found)
    for line in said:
        assert_one_line(line)
    try:
        assert read_checkpoint(path).done == len(found)
    except InvalidValueError:
        assert any(len(counts) > 1 for counts in found.values())
        raise


def check_instances(path, content):
    for found in instances.texts.parse_stream(
            io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace")):
        assert instances.parse(instances.write(found)) == found
        assert instances.parse(json.dumps(found.as_json())) == found


def check_puzzles(path, _):
    for grid in sudoku.read(path):
        assert sudoku.parse("".join(map(str, grid.digits))) == [grid] == sudoku.parse(
            grid.drawing())


def check_records(path, content):
    """The records that are taken can be grouped, joined and written again."""
    said = []
    records = [*read(path.parent, said.append)]
    for record in records:
        assert parse(to_line(record).encode()) == (record, "")
    digest(records)
    for run in group((path, record) for record in records):
        assert run.state in ("complete", "interrupted", "unknown")
        assert run.name, run.sizes
        for each in (run.preset, run.label, run.commit, run.solvers, run.algorithms):
            str(each)
        if run.study is not None:
            to_study_file(run.study, run.outside)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(frame(records)) == len(join(records, said.append))
    assert len(said) <= 2
    for line in said:
        assert_one_line(line)
    assert len(records) <= content.count(b"\n") + 1


IDEA = """
import nqbench


@nqbench.algorithm
def idea(n, tally, skip=0, order="rising"):
    tally.node(0)
"""


def check_study(path, content):
    before = dict(registry.known)
    path.with_name("idea.py").write_text(IDEA)
    try:
        table = to_table(read_study(path))
        again = path.with_name("again.toml")
        again.write_text(to_study_file(table, {}), "utf-8")
        assert to_table(read_study(again)) == table
    finally:
        registry.known.clear()
        registry.known.update(before)


READERS = {"checkpoints": check_checkpoint, "instances": check_instances,
           "puzzles": check_puzzles, "records": check_records, "studies": check_study}
CORPUS = {kind: read_corpus(kind) for kind in READERS}
SEEDS = {kind: [*map(seal, files.values())] for kind, files in CORPUS.items()}
SEEDS["studies"] += [file.read_bytes() for file in topic_files("*.toml")]
NAMES = {"records": "file.jsonl", "studies": "file.toml"}


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Check a file of a kind: a function of both."""
    monkeypatch.setattr(division, "MOST_SPLIT", 4)  # else a first line may ask for a long list

    def call(kind, content):
        path = tmp_path / NAMES.get(kind, "file")
        path.write_bytes(content)
        with within_limits(() if kind == "records" else NqbenchError):
            READERS[kind](path, content)

    before = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux":  # a reader without limits must not end other processes
        most = psutil.Process().memory_info().vms + 10 * MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    yield call
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(("kind", "name"), [
    (kind, name) for kind, files in CORPUS.items() for name in files])
def test_each_file_of_the_corpus_is_read_or_refused(check, kind, name):
    check(kind, CORPUS[kind][name])


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("kind", READERS)
def test_any_file_is_read_or_refused(check, kind):
    files = damaged(SEEDS[kind])
    if kind == "checkpoints":
        files |= files.map(seal)

    def read_any(content):
        check(kind, content)

    until_time_is_up(lambda chosen: chosen(given(files)(read_any))())
