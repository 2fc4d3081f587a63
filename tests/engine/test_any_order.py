"""The total is exact, in whatever order a count is begun, killed, resumed, audited and merged."""

import os
from contextlib import ExitStack
from functools import cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from fuzzing import until_time_is_up
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nqbench import engine
from nqbench.engine import Checkpoint, Division, audit, ledger, read_checkpoint
from nqbench.engine.ledger import Ledger, load

TOTALS = {6: 4, 7: 40, 8: 92, 9: 352, 10: 724}  # A000170
COUNTS = [(n, algorithm) for n in TOTALS for algorithm in ("cross", "join")]


@cache
def right_lines(n, algorithm):
    """The division of a count, and the line of each of its parts, counted one by one."""
    division = Division.new(n, "portable", algorithm=algorithm)
    kernel, lines = division.start_kernel("portable"), []
    for part in range(division.parts):
        (count,) = kernel.complete(division.engine, [part], bytearray(1))
        text = " ".join(map(str, (part, division.engine.images(part), *count)))
        check = crc32(f"{division.line} {text}".encode())
        lines.append(f"{text} {check:08x}\n".encode())
    return division, lines


class Counting(RuleBasedStateMachine):
    """Two checkpoints of one count; a process that counts may have one of them open.

    The lines of a file that are right decide what a reader must find in it: nothing less, because
    what was flushed must not be lost, and nothing more.
    """

    @initialize(count=st.sampled_from(COUNTS))
    def start(self, count):
        self.folder = TemporaryDirectory()
        self.n, self.algorithm = count
        self.division, self.lines = right_lines(*count)
        self.kernel = self.division.start_kernel("portable")
        self.paths = [Path(self.folder.name, name) for name in ("one", "other")]
        self.checkpoint = self.ledger = None
        self.safe = dict.fromkeys(self.paths, 0)  # bytes before the last write
        self.seen = {}  # what each file had when it was read last

    def right(self, path):
        """The parts that have a right line in a file."""
        content = path.read_bytes() if path.exists() else b""
        return {self.lines.index(line) for line in content.splitlines(keepends=True)
                if line in self.lines}

    def is_begun(self, path):
        return path.exists() and path.read_bytes().startswith(self.division.line.encode() + b"\n")

    closed = precondition(lambda self: self.checkpoint is None)
    opened = precondition(lambda self: self.checkpoint is not None)
    files = st.integers(0, 1)
    shares = st.floats(0, 1)

    @closed
    @rule(which=files)
    def begin_or_resume(self, which):
        path = self.paths[which]
        known, said = self.right(path), []
        self.checkpoint = Checkpoint(path, self.division, said.append)
        self.ledger = Ledger(self.checkpoint.division, self.checkpoint)
        load(self.ledger, self.checkpoint)
        self.safe[path] = path.stat().st_size
        assert self.ledger.done == len(known) == self.division.parts - self.ledger.left
        assert self.right(path) == known
        assert path.read_bytes().endswith(b"\n")

    @opened
    @rule(number=st.integers(1, 9), flush=st.booleans())
    def count(self, number, flush):
        path = self.checkpoint.path
        parts = self.ledger.take(number)
        self.ledger.enter(parts, self.kernel.complete(self.division.engine, parts, bytearray(1)))
        if flush:
            self.safe[path] = path.stat().st_size
            self.ledger.flush()
            assert len(self.right(path)) == self.ledger.done

    @opened
    @rule()
    def stop(self):
        """A count that is interrupted flushes what it has, and closes the file."""
        self.ledger.flush()
        self.checkpoint.close()
        assert len(self.right(self.checkpoint.path)) == self.ledger.done
        self.checkpoint = None

    @opened
    @rule(share=shares)
    def kill(self, share):
        """What is only in memory is lost, and any part of what was written last."""
        path = self.checkpoint.path
        self.checkpoint.close()
        self.checkpoint = None
        size, safe = path.stat().st_size, self.safe[path]
        with path.open("r+b") as file:
            file.truncate(safe + round(share * (size - safe)))

    @closed
    @rule(which=files, share=shares, byte=st.sampled_from(b"0123456789abcdef \n\xff"))
    def damage(self, which, share, byte):
        """Change a byte of a line that is not the first."""
        path = self.paths[which]
        if self.is_begun(path):
            content, first = bytearray(path.read_bytes()), len(self.division.line) + 1
            if len(content) > first:
                content[first + round(share * (len(content) - first - 1))] = byte
                path.write_bytes(content)

    @closed
    @rule(which=files)
    def merge(self, which):
        """Append the lines of the other file, as `tail -n +2 OTHER >> FILE` does."""
        path, other = self.paths[which], self.paths[1 - which]
        if self.is_begun(path) and self.is_begun(other):
            with path.open("ab") as file:
                file.write(other.read_bytes().partition(b"\n")[2])

    @rule(which=files, sample=st.integers(1, 8), seed=st.integers(0, 9))
    def audit(self, which, sample, seed):
        path = self.paths[which]
        if self.is_begun(path):
            before = path.read_bytes()
            recounts = list(audit(path, sample, seed))
            assert all(recount.ok for recount in recounts)
            drawn = {recount.part for recount in recounts}
            assert drawn <= self.right(path)
            assert len(recounts) <= sample
            assert path.read_bytes() == before

    @invariant()
    def a_reader_finds_each_right_line_and_no_other(self):
        for path in self.paths:
            if self.is_begun(path) and self.seen.get(path) != path.read_bytes():
                self.seen[path] = path.read_bytes()
                known = self.right(path)
                ledger = read_checkpoint(path)
                assert ledger.done == len(known)
                assert ledger.solutions == sum(
                    images * ways for images, ways in (
                        map(int, self.lines[part].split()[1:3]) for part in known))

    def teardown(self):
        with ExitStack() as stack:
            stack.callback(self.folder.cleanup)
            if self.checkpoint is not None:
                self.checkpoint.close()
            for path in self.paths:
                *_, (share, found) = engine.counting(self.n, "portable", 1, checkpoint=path,
                                                     algorithm=self.algorithm)
                assert (share, found) == (1, TOTALS[self.n])
                recounts = list(audit(path, self.division.parts))
                assert len(recounts) == self.division.parts
                assert all(recount.ok for recount in recounts)


@pytest.fixture
def quick(monkeypatch):
    """Wait for no disk; write only what is flushed; remember few counts."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.setattr(ledger, "WRITE_INTERVAL", inf)
    monkeypatch.setattr(ledger, "REMEMBERED", 2)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.usefixtures("quick")
def test_any_order_gives_the_exact_total():
    until_time_is_up(lambda chosen: run_state_machine_as_test(Counting, settings=chosen), 3)
