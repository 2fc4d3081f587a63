"""What a long count has done, in a file: each part once, in whole lines with a checksum.

The first line says what is counted: n and how it is divided, version, kernel. Every other
line is a part: its number, in how many ways it can be completed, and the CRC-32 of both with
the first line, in hexadecimal. The file is text and is never run: nothing in it is believed
that does not fit.

One process may write at a time. A last line that was not written whole is cut off; any other
damaged line is passed over, and its part counted again.
"""

import errno
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self
from zlib import crc32

with suppress(ImportError):  # Windows: nothing keeps a second process away there
    import fcntl

FORMAT = 1
BEGINNING = b'{"nqbench checkpoint": '
LARGEST = (1 << 64) - 1


@dataclass(frozen=True)
class Division:
    """How a count is divided into parts: equal ones give equal parts, on any machine.

    version: of nqbench; another one might divide in another way. kernel: which counted first;
    others may go on.
    """

    n: int
    split: int
    jobs_a_part: int
    wide: bool
    parts: int
    version: str
    kernel: str

    @property
    def line(self) -> str:
        """The first line of the file, without its end."""
        return json.dumps({"nqbench checkpoint": FORMAT, **asdict(self)})

    @classmethod
    def of(cls, line: str) -> Self:
        """Return what a first line says.

        Raises
        ------
        ValueError
            if it is none.
        """
        try:
            fields = json.loads(line)
            if fields.pop("nqbench checkpoint") != FORMAT:
                raise ValueError
            found = cls(**fields)
            types = {"n": int, "split": int, "jobs_a_part": int, "wide": bool, "parts": int,
                     "version": str, "kernel": str}
            if any(type(getattr(found, name)) is not kind for name, kind in types.items()):
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ValueError("it does not begin as a checkpoint of nqbench does") from None
        return found


class Checkpoint:
    """An open file of counted parts, locked against other processes.

    `division` is that of the file, if there was one, else the one given; `counted` the
    completions by the number of the part.

    Raises
    ------
    ValueError
        naming the file, if it is of another count, of another version, held by another
        process, or holds two different counts of one part.
    OSError
        if it cannot be read or written.
    """

    def __init__(self, path: Path, division: Division,
                 say: Callable[[str], None] = lambda line: None) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self.division, self.counted = self._read(division, say)
        except BaseException:
            self.file.close()
            raise

    def _lock(self) -> None:
        try:
            with suppress(NameError):
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path} is in use by another process") from None

    def _read(self, division: Division,
              say: Callable[[str], None]) -> tuple[Division, dict[int, int]]:
        self.file.seek(0)
        text = self.file.read()
        whole = text[:text.rfind(b"\n") + 1]
        if not whole and not BEGINNING.startswith(text[:len(BEGINNING)]):
            raise ValueError(f"{self.path} is no checkpoint: it does not begin as one does")
        if len(whole) < len(text):
            say(f"{self.path}: the last line was not written whole and is cut off")
            self.file.truncate(len(whole))
        if not whole:
            self.first = division.line
            self._write(self.first + "\n")
            return division, {}
        first, *lines = whole.decode("utf-8", "replace").splitlines()
        found = self._same(first, division)
        self.first = first
        counted: dict[int, int] = {}
        for number, line in enumerate(lines, 2):
            part = self._part(line, found.parts)
            if part is None:
                say(f"{self.path}:{number}: is damaged; its part is counted again")
                continue
            index, ways = part
            if counted.setdefault(index, ways) != ways:
                raise ValueError(f"{self.path}:{number}: part {index} has {ways} completions, and "
                                 f"{counted[index]} in an earlier line; one of both is wrong")
        return found, counted

    def _same(self, first: str, division: Division) -> Division:
        """What the file counts, if that is what is asked for."""
        try:
            found = Division.of(first)
        except ValueError as error:
            raise ValueError(f"{self.path} is no checkpoint: {error}") from None
        for name in ("n", "version"):
            theirs, ours = getattr(found, name), getattr(division, name)
            if theirs != ours:
                raise ValueError(f"{self.path} is a checkpoint of {name} {theirs}, not {ours}")
        return found

    def _part(self, line: str, parts: int) -> tuple[int, int] | None:
        """The part of a line; None if it is damaged."""
        words = line.split(" ")
        if len(words) != 3 or not (words[0].isdecimal() and words[1].isdecimal()):
            return None
        if self._checksum(words[0], words[1]) != words[2]:
            return None
        index, ways = int(words[0]), int(words[1])
        return (index, ways) if index < parts and ways <= LARGEST else None

    def _checksum(self, index: str, ways: str) -> str:
        return f"{crc32(f'{self.first} {index} {ways}'.encode()):08x}"

    def add(self, parts: Iterable[tuple[int, int]]) -> None:
        """Append parts, and see them onto the disk.

        Raises
        ------
        OSError
            if that fails: nothing of them is left in the file then.
        """
        new = [(index, ways) for index, ways in parts if index not in self.counted]
        if new:
            self._write("".join(f"{index} {ways} {self._checksum(str(index), str(ways))}\n"
                                for index, ways in new))
            self.counted.update(new)

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
            os.ftruncate(self.file.fileno(), end)
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """Close the file; another process may open it then."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def begun(path: Path) -> Division | None:
    """Return what a checkpoint counts; None if there is none, or its first line is torn."""
    return division_of(path) if path.exists() and b"\n" in path.read_bytes() else None


def division_of(path: Path) -> Division:
    """Return what a checkpoint counts.

    Raises
    ------
    ValueError
        if the file is none.
    """
    with path.open("rb") as file:
        first = file.readline(10_000).decode("utf-8", "replace")
    try:
        return Division.of(first)
    except ValueError as error:
        raise ValueError(f"{path} is no checkpoint: {error}") from None
