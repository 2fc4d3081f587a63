"""A checkpoint: a file with the parts that a long count has counted, in lines with a checksum.

The first line says what is counted: n and how it is divided, version, kernel. Every other
line is a part: its number, how many images each of its crosses has (8, 4, 2 or 1), in how many
ways it can be completed, the remainders of that modulo 13 and 15 as the kernel added them up,
and the CRC-32 of all this with the first line, in hexadecimal. The solutions are the sum of
images times ways. The file is text and is never run: a line counts only if all of it agrees.

`Checkpoint` opens the file to continue a count: one process at a time, which removes an
incomplete last line. `CheckpointReader` only reads. Both ignore damaged lines; a resumed count
recounts their parts.
"""

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self
from zlib import crc32

from nqbench._files import writing
from nqbench._version import __version__
from nqbench.engine.dividing import Division
from nqbench.errors import InvalidValueError

if sys.platform != "win32":
    import fcntl

BEGINNING = b'{"nqbench checkpoint": '
LONGEST = 1_000  # bytes of a first line
BLOCK = 1 << 16  # bytes read at once, from the end
LARGEST = (1 << 64) - 1
DIGITS = 20  # of the largest number in a line

Count = tuple[int, int, int]  # completions, these modulo 13, modulo 15


def possible(count: object) -> bool:
    """Return whether this is a number of completions with its remainders modulo 13 and 15.

    >>> possible((100, 9, 10)), possible((100, 9, 11)), possible((-1, 12, 14))
    (True, False, False)
    """
    if type(count) is not tuple or list(map(type, count)) != [int, int, int]:
        return False
    ways, rest_13, rest_15 = count
    return bool(0 <= ways <= LARGEST and ways % 13 == rest_13 and ways % 15 == rest_15)


class CheckpointReader:
    """Read the counted parts of a checkpoint; never write to it.

    Attributes
    ----------
    path, division
        the file, and how its count is divided.
    in_use
        whether another process was writing to it when it was opened; the lines that are
        complete can be read all the same. Not known on Windows: False.

    Raises
    ------
    ValueError
        naming the file, if it is not a checkpoint of this version of nqbench.
    OSError
        if it cannot be read.
    """

    def __init__(self, path: str | Path,
                 say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path = Path(path)
        self.say = say
        self.division = division_of(path)
        if self.division.version != __version__:
            raise _of_another(path, "version", self.division.version, __version__)
        with path.open("rb") as file:
            self.in_use = not _try_lock(file, shared=True)  # released at once: a count may begin
            end = _end_of_lines(file)
            if end < file.seek(0, os.SEEK_END):
                say(f"{path}: ignored the last line, which is incomplete")

    def counted(self) -> Iterator[tuple[int, int, Count]]:
        """Yield (line number, part, count) of each good line."""
        with self.path.open("rb") as file:
            file.readline()
            for number, line in enumerate(file, 2):
                if not line.endswith(b"\n"):
                    return
                fields = self._fields(line)
                if fields is None:
                    self.say(f"{self.path}:{number}: ignored a damaged line; a resumed count "
                             "recounts its part")
                else:
                    yield number, *fields

    def _fields(self, line: bytes) -> tuple[int, Count] | None:
        """Return what a line says; None if it is damaged."""
        text, _, check = line.rstrip(b"\n").rpartition(b" ")
        words = text.split(b" ")
        if check != self._checksum(text).encode() or len(words) != 5 or any(
                not word.isdigit() or len(word) > DIGITS for word in words):
            return None
        part, images, ways, rest_13, rest_15 = map(int, words)
        count = (ways, rest_13, rest_15)
        fits = (part < self.division.parts and possible(count)
                and images == self.division.engine.images(part))
        return (part, count) if fits else None

    def _checksum(self, text: bytes) -> str:
        return f"{crc32(self.division.line.encode() + b' ' + text):08x}"


class Checkpoint(CheckpointReader):
    """Open a checkpoint to continue its count; lock it against other processes.

    `division` is that of the file, if there was one, else the one given. A new file gets its
    first line; an incomplete last line is removed.

    Raises
    ------
    ValueError
        naming the file, if it belongs to another count, another version or another process.
    OSError
        if it cannot be read or written.
    """

    def __init__(self, path: str | Path, division: Division,
                 say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path = Path(path)
        self.say = say
        self.in_use = False
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a+b", buffering=0)
        try:
            if not _try_lock(self.file):
                raise InvalidValueError(f"{path} is in use by another process")
            with writing(path):
                self.division = self._begin(division)
        except BaseException:
            self.file.close()
            raise

    def _begin(self, division: Division) -> Division:
        """Read the first line, or write it; remove an incomplete last line."""
        with self.path.open("rb") as file:
            first = file.readline(LONGEST)
            begun = first.endswith(b"\n")
            if not begun and not BEGINNING.startswith(first[:len(BEGINNING)]):
                raise InvalidValueError(
                    f"{self.path} is no checkpoint: it does not begin as one does")
            found = _division(first, self.path) if begun else division
            require_same(found, division, self.path)
            end = _end_of_lines(file) if begun else 0
        if end < self.path.stat().st_size:
            self.say(f"{self.path}: removed the last line, which was incomplete")
            self.file.truncate(end)
        if not begun:
            self._write(found.line + "\n")
        return found

    def add(self, parts: Iterable[tuple[int, Count]]) -> None:
        """Append the counts of parts and flush them to disk.

        Raises
        ------
        OSError
            if that fails: nothing of them is left in the file then.
        """
        images = self.division.engine.images
        lines = [f"{part} {images(part)} {' '.join(map(str, count))}" for part, count in parts]
        if lines:
            self._write("".join(f"{line} {self._checksum(line.encode())}\n" for line in lines))

    def _write(self, text: str) -> None:
        end = self.file.seek(0, os.SEEK_END)
        data = text.encode()
        try:
            with writing(self.path):
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


def _try_lock(file: BinaryIO, shared: bool = False) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it."""
    if sys.platform == "win32":  # there nothing keeps a second process away
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        return False
    return True


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
    """Return how the count of a checkpoint is divided.

    Raises
    ------
    ValueError
        if the file is not a checkpoint.
    OSError
        if it cannot be read.
    """
    path = Path(path)
    with path.open("rb") as file:
        return _division(file.readline(LONGEST), path)


def require_same(found: Division, division: Division, path: Path) -> None:
    """Refuse a checkpoint that is divided differently.

    Raises
    ------
    ValueError
        naming the file and the first difference.
    """
    for name in ("n", "version", "split", "jobs_a_part", "slices"):
        theirs, ours = getattr(found, name), getattr(division, name)
        if theirs != ours:
            raise _of_another(path, name, theirs, ours)


def _of_another(path: Path, name: str, theirs: object, ours: object) -> InvalidValueError:
    return InvalidValueError(f"{path} is a checkpoint of {name} {theirs}, not {ours}")


def _division(first: bytes, path: Path) -> Division:
    try:
        return Division.of(first.decode("utf-8", "replace"))
    except InvalidValueError as error:
        raise InvalidValueError(f"{path} is no checkpoint: {error}") from None
