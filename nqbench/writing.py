"""Name the file in errors of writing: `write` and `flush` raise an OSError without a file name."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Errors for which there is no room, whatever the user named: no fault of the path.
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Add the path to an OSError that names no file.

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
