"""A checkpoint: a file with the parts that a long count has counted, in lines with a checksum.

The first line describes the count: n, its division, version, kernel. Every other line is a part:
its number, how many images each of its crosses has (8, 4, 2 or 1), in how many ways it can be
completed, this number modulo 13 and 15 as the kernel computed it, and the CRC-32 of the first line
and this one, in hexadecimal. The number of solutions is the sum of images times ways. The file
is text and is never run; a line is valid only if all its fields agree.

`Checkpoint` opens the file to continue a count: one process at a time, which removes an
incomplete last line. `CheckpointReader` only reads. Both ignore damaged lines; a resumed count
recounts their parts.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Self, TypeGuard
from zlib import crc32

from nqbench._version import __version__
from nqbench.engine.division import Division
from nqbench.errors import InvalidValueError
from nqbench.util.files import naming, read_lines, require_folder, require_regular, try_lock

LONGEST_HEADER = 1_000  # bytes of a first line
LONGEST_PART = 1_000  # bytes of another line
BLOCK = 1 << 20  # bytes read at once, from the end
LARGEST_COUNT = (1 << 64) - 1
COUNT_DIGITS = 20  # of the largest number in a line

PartCount = tuple[int, int, int]  # completions, modulo 13, and modulo 15


def is_possible(count: object) -> TypeGuard[PartCount]:
    """Return whether a count is possible: completions with their remainders modulo 13 and 15.

    >>> is_possible((100, 9, 10)), is_possible((100, 9, 11)), is_possible((-1, 12, 14))
    (True, False, False)
    """
    if type(count) is not tuple or list(map(type, count)) != [int] * 3:
        return False
    completions, rest_13, rest_15 = map(int, count)
    return (0 <= completions <= LARGEST_COUNT and completions % 13 == rest_13
            and completions % 15 == rest_15)


class CheckpointReader:
    """Read the counted parts of a checkpoint; never write to it.

    Attributes
    ----------
    path, division
        the file, and how its count is divided.
    say
        gets a line for each thing that is ignored, and if another process is writing to the file
        when it is opened: its complete lines can still be read. On Windows this is not noticed.

    Raises
    ------
    ValueError
        if it is not a checkpoint of this version of nqbench; the message names the file.
    OSError
        if it cannot be read.
    """

    def __init__(self, path: str | Path, say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path = Path(path)
        self.say = say
        self.division = division_of(path)
        self.require(replace(self.division, version=__version__))
        with naming(path), path.open("rb") as file:
            in_use = not try_lock(file, shared=True)  # released at once for a count
            self.end = _end_of_lines(file)
            if self.end < file.seek(0, os.SEEK_END):
                say(f"{path}: ignored the last line, which is incomplete")
        if in_use:
            say(f"{path} is in use by another process; only the parts counted so far are read")

    def require(self, expected: Division) -> None:
        """Reject a checkpoint that is divided differently, or whose parts are not those of this
        version.

        Raises
        ------
        ValueError
            if it is one; the message names the file and the first difference.
        """
        for name, what in (("n", "a count of {} queens"), ("version", "nqbench {}"),
                           ("algorithm", "the engine {}"), ("split", "split {}"),
                           ("jobs_a_part", "jobs_a_part {}"), ("slices", "slices {}")):
            stored, wanted = getattr(self.division, name), getattr(expected, name)
            if stored != wanted:
                raise InvalidValueError(
                    f"{self.path} is a checkpoint of {what.format(stored)}, not {wanted}")

        try:
            self.division.engine  # noqa: B018 - raises if its parts are not those of this version
        except InvalidValueError as error:
            raise InvalidValueError(f"{self.path}: {error}") from None

    def counted(self, quiet: bool = False) -> Iterator[tuple[int, int, PartCount]]:
        """Yield (line number, part, count) of each valid line; say which lines are damaged, unless
        `quiet`.
        """
        with self.path.open("rb") as file:
            file.readline(LONGEST_HEADER)
            for number, line in enumerate(read_lines(file, LONGEST_PART), 2):
                if not line.endswith(b"\n") and file.tell() > self.end:
                    return
                fields = self._parse(line)
                if fields is not None:
                    yield number, *fields
                elif not quiet:
                    self.say(f"{self.path}:{number}: ignored a damaged line; a resumed count "
                             "recounts its part")

    def count_parts(self) -> int:
        """Return how many parts have a valid line; ignore the other lines without a message."""
        return len({part for _, part, _ in self.counted(quiet=True)})

    def _parse(self, line: bytes) -> tuple[int, PartCount] | None:
        """Return the part and count of a line; None if it is damaged."""
        text, _, check = line.rstrip(b"\n").rpartition(b" ")
        words = text.split(b" ")
        if check != self._checksum(text).encode() or len(words) < 2 or any(
                not word.isdigit() or len(word) > COUNT_DIGITS for word in words):
            return None
        part, images, *numbers = map(int, words)
        count = tuple(numbers)
        engine = self.division.engine
        if part < engine.parts and is_possible(count) and images == engine.images(part):
            return part, count
        return None

    def _checksum(self, text: bytes) -> str:
        return f"{crc32(self.division.line.encode() + b' ' + text):08x}"


class Checkpoint(CheckpointReader):
    """Open a checkpoint to continue its count; lock it against other processes.

    A new file gets the first line of `division`; an existing one must have the same, but keeps
    its kernel. An incomplete last line is removed.

    Raises
    ------
    ValueError
        if it belongs to another count, version or process, or if its folder does not exist; the
        message names the file.
    OSError
        if it cannot be read or written.
    """

    def __init__(self, path: str | Path, division: Division,
                 say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path = Path(path)
        self.say = say
        require_folder(path)
        require_regular(path)
        with naming(path):
            self.file = path.open("a+b", buffering=0)
        try:
            with naming(path):
                if not try_lock(self.file):
                    raise InvalidValueError(f"{path} is in use by another process")
                self._start(division)
        except BaseException:
            self.file.close()
            raise

    def _start(self, division: Division) -> None:
        """Read the first line, or write it; remove an incomplete last line."""
        with self.path.open("rb") as file:
            first = file.readline(LONGEST_HEADER)
            started = first.endswith(b"\n")
            # Only a beginning of the line that would be written is an interrupted start.
            if not started and not f"{division.line}\n".encode().startswith(first):
                raise _not_a_checkpoint(self.path)
            self.division = _parse_division(first, self.path) if started else division
            self.require(division)
            self.end = _end_of_lines(file) if started else 0
        if self.end < self.path.stat().st_size:
            self.say(f"{self.path}: removed the last line, which was incomplete")
            self.file.truncate(self.end)
        if not started:
            self._write(self.division.line + "\n")

    def add(self, parts: Iterable[tuple[int, PartCount]]) -> None:
        """Append the counts of parts and flush them to disk.

        Raises
        ------
        OSError
            if that fails; the file is then as before.
        """
        images = self.division.engine.images
        lines = [f"{part} {images(part)} {' '.join(map(str, count))}" for part, count in parts]
        if lines:
            self._write("".join(f"{line} {self._checksum(line.encode())}\n" for line in lines))

    def _write(self, text: str) -> None:
        end = self.file.seek(0, os.SEEK_END)
        data = text.encode()
        try:
            with naming(self.path):
                while data:
                    written = self.file.write(data)
                    if not written:
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    data = data[written:]
                os.fsync(self.file.fileno())
        except OSError:
            with suppress(OSError):  # report the first error
                os.ftruncate(self.file.fileno(), end)
            raise

    def close(self) -> None:
        """Close the file; another process may open it then."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _end_of_lines(file: BinaryIO) -> int:
    """Return where the last complete line of a file ends."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - BLOCK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def division_of(path: str | Path) -> Division:
    """Return the division of the count in a checkpoint.

    Raises
    ------
    ValueError
        if the file is not a checkpoint.
    OSError
        if it cannot be read.
    """
    path = Path(path)
    require_regular(path)
    with naming(path), path.open("rb") as file:
        return _parse_division(file.readline(LONGEST_HEADER), path)


def _not_a_checkpoint(path: Path) -> InvalidValueError:
    return InvalidValueError(
        f"{path} is not a checkpoint of nqbench: its first line does not describe a count")


def _parse_division(first: bytes, path: Path) -> Division:
    try:
        return Division.of(first.decode("utf-8", "replace"))
    except InvalidValueError:
        raise _not_a_checkpoint(path) from None
