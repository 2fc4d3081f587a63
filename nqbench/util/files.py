"""Read and write the files that a user names: within limits, and completely or not at all.

A file that was not written here may have any size, may never end (`/dev/zero`), and may contain
anything. So it is read in lines or as a whole up to a limit, and JSON and TOML have limits of
their own:

    a line of records           2^24 bytes
    a line of instances         2^22 characters
    a line of puzzles           2^16 characters, or a board of 2^20 in JSON
    a line of a checkpoint      1,000 bytes
    a study file, a search for  2^20 bytes
    the first solution
    a source, results of asv    2^24 bytes
    JSON and TOML               32 levels, whole numbers of 300 digits

The number of lines has no limit: they are read one by one, and some are drawn at random.
"""

import errno
import json
import os
import stat
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO, TypeVar, cast

from nqbench.errors import InvalidValueError

if sys.platform != "win32":
    import fcntl

# The disk is full or a limit is reached: the path that the user gave is not at fault.
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
SMALL_FILE, LARGE = 1 << 20, 1 << 24  # bytes of a file that is read as a whole
LONGEST_LINE = 1 << 22  # characters of an instance; all squares of the largest board need half
DEPTH = 32  # levels of lists and objects in JSON and TOML
NUMBER_DIGITS = 300  # of a whole number, which then fits into a float
FILE_TYPES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket",
              stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
# The folders of users, by system, else by kind: the variable that names it, and where it is else.
FOLDERS = {"darwin": ("", "~/Library/Application Support"),
           "win32": ("LOCALAPPDATA", "~/AppData/Local"),
           "config": ("XDG_CONFIG_HOME", "~/.config"),
           "state": ("XDG_STATE_HOME", "~/.local/state")}

Item = TypeVar("Item")


def occupy_streams() -> None:
    """Open the null device as each of the descriptors 0 to 2 that is closed, lest a file or a pipe
    gets the number of a stream, to which anything may print. Let reading and writing the others
    wait: Python takes a stream that does not wait for data as ended.

    >>> occupy_streams()
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    for stream in range(3) if sys.platform != "win32" else ():
        os.set_blocking(stream, True)


def require_folder(path: Path) -> None:
    """Reject a path whose folder does not exist: it may be misspelled.

    Raises
    ------
    InvalidValueError
        naming both.
    """
    if not path.parent.exists():
        raise InvalidValueError(f"{path}: there is no folder {path.parent}")


def is_file(name: str) -> bool:
    """Return whether a text is the name of a file, of whatever kind.

    >>> is_file("/dev/null"), is_file("."), is_file("n=8 placed=0:3")
    (True, False, False)
    """
    try:
        return Path(name).exists() and not Path(name).is_dir()
    except (OSError, ValueError):  # not a valid file name: too long, or with a zero byte
        return False


def require_regular(path: Path) -> None:
    """Reject a file that exists and is not a regular one: it may be endless, or keep nothing.

    Raises
    ------
    InvalidValueError
        naming it, and what it is.
    """
    with suppress(FileNotFoundError):
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind != stat.S_IFREG:
            raise InvalidValueError(f"{path} must be a file, not "
                                    f"{FILE_TYPES.get(kind, 'a device')}")


def find_user_folder(kind: str) -> Path:
    """Return the user's folder of nqbench for "config" or "state".

    Raises
    ------
    OSError
        if the user has no home folder.
    """
    variable, usual = FOLDERS.get(sys.platform) or FOLDERS[kind]
    with suppress(RuntimeError):  # there is no home folder
        for name in (os.environ.get(variable, ""), usual):
            if (found := Path(name).expanduser()).is_absolute():
                return found / "nqbench"
    raise FileNotFoundError(errno.ENOENT, "the user has no home folder; set HOME", "~")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the path to an OSError without a file name, such as those of `read` and `write`.

    Raises
    ------
    OSError
        from the block, with `filename` set.

    Examples
    --------
    >>> with naming(Path("records.jsonl")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
        ...
    OSError: [Errno 28] No space left on device: 'records.jsonl'
    """
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def require_target(path: Path, new: bool = False) -> os.stat_result | None:
    """Return the status of a file that `write_whole` would replace or write to, None if there is
    none; reject what it would not.

    Raises
    ------
    InvalidValueError
        if it exists and must be `new`.
    OSError
        if it is a folder, if its folder does not exist, or if it must not be written.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(path) if path.is_symlink() else path).parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {folder}",
                                    str(path)) from None
        return None
    if new and stat.S_ISREG(status.st_mode):
        raise InvalidValueError(f"{path} exists already, and is not replaced: choose another name")
    fault = (errno.EISDIR if stat.S_ISDIR(status.st_mode) else
             0 if os.access(path, os.W_OK) else errno.EACCES)
    if fault:
        raise OSError(fault, os.strerror(fault), str(path))
    return status


def write_whole(path: Path, data: str | bytes, new: bool = False) -> None:
    """Write a file completely or not at all, through symbolic links. The file that it replaces
    keeps its owner and permissions; `new` replaces none.

    What is no regular file, such as a FIFO or a device, stays, and gets the data.

    Raises
    ------
    InvalidValueError, OSError
        if it cannot be written, naming the file; see `require_target`.
    """
    content = data.encode() if isinstance(data, str) else data
    with naming(path):
        status = require_target(path, new)
        stream = None if status is None else _find_stream(status)
        if stream is not None:
            with os.fdopen(os.dup(stream), "wb") as file:
                file.write(content)
        elif status is not None and not stat.S_ISREG(status.st_mode):
            with path.open("wb") as file:
                file.write(content)
        else:
            _replace(Path(os.path.realpath(path)), content, status)


def _find_stream(status: os.stat_result) -> int | None:
    """Return the standard stream that is this file, as for /dev/stdout."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):  # it is closed, or has no file
            if os.path.samestat(os.fstat(stream.fileno()), status):
                stream.flush()
                return int(stream.fileno())
    return None


def _replace(path: Path, content: bytes, status: os.stat_result | None) -> None:
    """Write a regular file, or one that does not exist and that nobody else may write first."""
    made = path.with_name(f".nqbench-{os.urandom(4).hex()}")
    try:
        with made.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if status is None:
            _claim(made, path)
        else:
            if sys.platform != "win32":
                with suppress(PermissionError):  # only root may give a file away
                    os.chown(made, status.st_uid, status.st_gid)
            made.chmod(stat.S_IMODE(status.st_mode))
            made.replace(path)
    except OSError as error:
        error.filename = error.filename2 = None  # the user gave another name
        raise
    finally:
        made.unlink(missing_ok=True)


def _claim(made: Path, path: Path) -> None:
    """Give a complete file a name that must not exist."""
    try:
        os.link(made, path)  # unlike a rename, it replaces nothing
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        path.open("xb").close()
        made.replace(path)


@contextmanager
def locked(folder: Path, message: str) -> Iterator[None]:
    """Lock a folder against other processes that lock it, until the block or this process ends.

    Windows locks no folders.

    Raises
    ------
    InvalidValueError
        with the message, if another process has locked it.
    OSError
        if it cannot be read.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with naming(folder):
            if not try_lock(handle):
                raise InvalidValueError(message)
        yield
    finally:
        os.close(handle)


def try_lock(file: int | BinaryIO, shared: bool = False) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it."""
    if sys.platform == "win32":  # which cannot lock out a second process
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        return False
    return True


def read_bounded(path: Path, most: int = SMALL_FILE) -> bytes:
    """Return the bytes of a regular file, at most `most` of them.

    Raises
    ------
    InvalidValueError
        if it has more, or is no regular file: a FIFO may never end.
    OSError
        if it cannot be read, naming the file.
    """
    require_regular(path)
    with naming(path), path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise InvalidValueError(f"{path} has more than {most:,} bytes")
    return data


def find_encoding(file: IO[str]) -> None:
    """Let an open text of which nothing was read be UTF-16 if it begins so, else UTF-8; what is
    invalid there, such as a comment in Latin-1, is read as U+FFFD.

    >>> from tempfile import TemporaryFile
    >>> with TemporaryFile("w+", encoding="utf-16") as file:
    ...     _ = file.write("n=4"), file.flush(), file.buffer.seek(0)
    ...     find_encoding(file)
    ...     file.read()
    'n=4'
    """
    text = cast(TextIOWrapper, file)
    begins = getattr(text.buffer, "peek", lambda size: b"")(2)[:2]
    text.reconfigure(encoding="utf-16" if begins in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8",
                     errors="replace")


def read_lines(file: IO[AnyStr], longest: int, what: str = "") -> Iterator[AnyStr]:
    """Yield the lines of an open file, however many there are.

    Reject a line of more than `longest` characters or bytes, if `what` names the line and the
    limit; otherwise yield only its beginning, without a newline.

    Raises
    ------
    InvalidValueError
        for such a line.

    Examples
    --------
    >>> from io import StringIO
    >>> [*read_lines(StringIO("123\\n12345\\n1\\n"), 3)]
    ['123\\n', '1234', '1\\n']
    >>> [*read_lines(StringIO("123\\n12345\\n1\\n"), 3, "a line")]
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: line 2: a line must have at most 3 characters
    """
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        whole = len(line) <= longest or line[-1:] in ("\n", b"\n")
        if what and not whole:
            raise InvalidValueError(f"line {number}: {what} must have at most {longest:,} "
                                    "characters")
        yield line
        while not whole:
            rest = file.readline(SMALL_FILE)
            whole = len(rest) < SMALL_FILE or rest[-1:] in ("\n", b"\n")


def draw(items: Iterable[Item], most: int, seed: int) -> tuple[list[Item], int]:
    """Return `most` of the items at random, in their order, and how many there were; all if
    there are no more. Only what is returned is in memory: a reservoir, algorithm R.

    >>> draw(range(3), 5, seed=0)
    ([0, 1, 2], 3)
    >>> found, many = draw(range(1000), 5, seed=0)
    >>> len(found), sorted(found) == found, many
    (5, True, 1000)
    """
    from random import Random

    rng = Random(seed)
    chosen: list[tuple[int, Item]] = []
    number = 0
    for number, item in enumerate(items, 1):
        if number <= most:
            chosen.append((number, item))
        elif (place := rng.randrange(number)) < most:
            chosen[place] = number, item
    return [item for _, item in sorted(chosen, key=itemgetter(0))], number


def parse_json(text: str | bytes) -> Any:
    """Return what a text of JSON holds.

    Raises
    ------
    InvalidValueError
        if it is not JSON, if it has more than `DEPTH` levels, or a number that does not fit into a
        float.

    Examples
    --------
    >>> parse_json('{"n": 8}'), parse_json("[" * 32 + "]" * 32) != []
    ({'n': 8}, True)
    >>> parse_json("[" * 5000 + "]" * 5000)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: it has more than 32 levels
    """
    found = _parse(lambda: json.loads(text, parse_constant=_reject, parse_float=_parse_float,
                                      parse_int=_parse_int))
    brackets = (text.count(b"[") + text.count(b"{") if isinstance(text, bytes) else
                text.count("[") + text.count("{"))
    if brackets > DEPTH:  # only then may there be as many levels
        _require_plain(found)
    return found


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text of TOML holds; raise what `parse_json` raises.

    >>> parse_toml("n = 8"), parse_toml("n = 0x" + "f" * 5000)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: it has a whole number of more than 300 digits
    """
    import tomllib

    found: dict[str, Any] = _parse(lambda: tomllib.loads(text))
    _require_plain(found)
    return found


def _parse(parse: Callable[[], Any]) -> Any:
    """Call a parser; the errors of Python say nothing of our limits."""
    try:
        return parse()
    except RecursionError:
        raise InvalidValueError(f"it has more than {DEPTH} levels") from None
    except ValueError as error:  # a plain one: Python reads no number of more than 4,300 digits
        text = _TOO_LARGE if type(error) is ValueError else str(error)
        raise InvalidValueError(text) from None


_TOO_LARGE = f"it has a whole number of more than {NUMBER_DIGITS} digits"


def _require_plain(found: Any) -> None:
    """Reject too many levels, and whole numbers that are too large."""
    levels, here = 0, [found]
    while here:
        if any(isinstance(each, int) and abs(each) >= 10**NUMBER_DIGITS for each in here):
            raise InvalidValueError(_TOO_LARGE)
        lists = [each for each in here if isinstance(each, list | dict)]
        here = [item for each in lists
                for item in (each.values() if isinstance(each, dict) else each)]
        levels += bool(lists)
        if levels > DEPTH:
            raise InvalidValueError(f"it has more than {DEPTH} levels")


def _parse_float(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _reject(digits)


def _parse_int(digits: str) -> int:
    if len(digits.lstrip("-")) > NUMBER_DIGITS:
        raise InvalidValueError(_TOO_LARGE)
    return int(digits)


def _reject(word: str) -> float:
    raise InvalidValueError(f"{word:.20} is not a number of JSON")
