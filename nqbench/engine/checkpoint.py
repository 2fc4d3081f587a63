"""What a long count has done, in a file: each part once, in whole lines with a checksum.

The first line says what is counted: n and how it is divided, version, kernel. Every other
line is a part: its number, how many images each of its crosses has (8, 4, 2 or 1), in how many
ways it can be completed, the remainders of that modulo 13 and 15 as the kernel added them up,
and the CRC-32 of all this with the first line, in hexadecimal. The solutions are the sum of
images times ways. The file is text and is never run: nothing in it is believed that does not
fit.

One process may write at a time. A last line that was not written whole is cut off; any other
damaged line is passed over, and its part counted again.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self
from zlib import crc32

from nqbench.engine.dividing import Division

with suppress(ImportError):  # Windows: nothing keeps a second process away there
    import fcntl

BEGINNING = b'{"nqbench checkpoint": '
LONGEST = 1_000  # bytes of a first line
BLOCK = 1 << 16  # bytes read at once, from the end
LARGEST = (1 << 64) - 1
DIGITS = 20  # of the largest number in a line

Count = tuple[int, int, int]  # completions, these modulo 13, modulo 15


def possible(count: object) -> bool:
    """Whether this is a number of completions with its remainders modulo 13 and 15.

    >>> possible((100, 9, 10)), possible((100, 9, 11)), possible((-1, 12, 14))
    (True, False, False)
    """
    if type(count) is not tuple or list(map(type, count)) != [int, int, int]:
        return False
    ways, rest_13, rest_15 = count
    return bool(0 <= ways <= LARGEST and ways % 13 == rest_13 and ways % 15 == rest_15)


class Checkpoint:
    """An open file of counted parts, locked against other processes.

    `division` is that of the file, if there was one, else the one given.

    Raises
    ------
    ValueError
        naming the file, if it is of another count, of another version, or held by another
        process.
    OSError
        if it cannot be read or written.
    """

    def __init__(self, path: Path, division: Division,
                 say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path
        self.say = say
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self.division = self._begin(division)
        except OSError as error:
            self.file.close()
            raise OSError(error.errno, error.strerror, str(path)) from None
        except BaseException:
            self.file.close()
            raise

    def _lock(self) -> None:
        try:
            with suppress(NameError):
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path} is in use by another process") from None

    def _begin(self, division: Division) -> Division:
        """Read the first line, or write it; cut a torn end off."""
        with self.path.open("rb") as file:
            first = file.readline(LONGEST)
            begun = first.endswith(b"\n")
            if not begun and not BEGINNING.startswith(first[:len(BEGINNING)]):
                raise ValueError(f"{self.path} is no checkpoint: it does not begin as one does")
            found = self._same(first, division) if begun else division
            end = _end_of_lines(file) if begun else 0
        if end < self.path.stat().st_size:
            self.say(f"{self.path}: the last line was not written whole and is cut off")
            self.file.truncate(end)
        self.first = found.line
        if not begun:
            self._write(self.first + "\n")
        return found

    def _same(self, first: bytes, division: Division) -> Division:
        """What the file counts, if that is what is asked for."""
        found = _division(first, self.path)
        for name in ("n", "version", "split", "jobs_a_part", "slices"):
            theirs, ours = getattr(found, name), getattr(division, name)
            if theirs != ours:
                raise ValueError(f"{self.path} is a checkpoint of {name} {theirs}, not {ours}")
        return found

    def counted(self) -> Iterator[tuple[int, int, Count]]:
        """Yield (number of the line, part, count) of each good line."""
        with self.path.open("rb") as file:
            file.readline()
            for number, line in enumerate(file, 2):
                fields = self._fields(line)
                if fields is None:
                    self.say(f"{self.path}:{number}: is damaged; its part is counted again")
                else:
                    yield number, *fields

    def _fields(self, line: bytes) -> tuple[int, Count] | None:
        """What a line says; None if it is damaged."""
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
        return f"{crc32(self.first.encode() + b' ' + text):08x}"

    def add(self, parts: Iterable[tuple[int, Count]]) -> None:
        """Append the counts of parts, and see them onto the disk.

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
            while data:
                written = self.file.write(data)
                if not written:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
                data = data[written:]
            os.fsync(self.file.fileno())
        except OSError as error:
            with suppress(OSError):  # the first error is the one to tell
                os.ftruncate(self.file.fileno(), end)
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """Close the file; another process may open it then."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _end_of_lines(file: BinaryIO) -> int:
    """Where the last whole line of a file ends."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - BLOCK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def division_of(path: Path) -> Division:
    """Return what a checkpoint counts.

    Raises
    ------
    ValueError
        if the file is none.
    """
    with path.open("rb") as file:
        return _division(file.readline(LONGEST), path)


def _division(first: bytes, path: Path) -> Division:
    try:
        return Division.of(first.decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"{path} is no checkpoint: {error}") from None
