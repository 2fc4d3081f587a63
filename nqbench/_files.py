"""Write files completely or not at all, and name them in errors."""

import errno
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nqbench.errors import InvalidValueError

# The disk is full or a limit is reached: the path that the user gave is not at fault.
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def require_folder(path: Path) -> None:
    """Reject a path whose folder does not exist: it may be misspelled.

    Raises
    ------
    InvalidValueError
        naming both.
    """
    if not path.parent.exists():
        raise InvalidValueError(f"{path}: there is no folder {path.parent}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Add the path to an OSError without a file name, such as those of `write` and `flush`.

    Raises
    ------
    OSError
        from the block, with `filename` set.

    Examples
    --------
    >>> with writing(Path("records.jsonl")):
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


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file completely or not at all; the file that it replaces keeps its permissions.

    Raises
    ------
    OSError
        if it cannot be written, naming the file.
    """
    made = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    with writing(path):
        try:
            with made.open("xb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
            with suppress(FileNotFoundError):
                shutil.copymode(path, made)
            made.replace(path)
        except BaseException:
            made.unlink(missing_ok=True)
            raise
