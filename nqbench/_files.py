"""Write files completely or not at all, and name them in errors."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The disk is full or a limit is reached: the path that the user gave is not at fault.
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Add the path to an OSError that names no file, as those of `write` and `flush` do.

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


def write_whole(path: Path, text: str) -> None:
    """Write a file completely or not at all.

    Raises
    ------
    OSError
        if it cannot be written, naming the file.
    """
    from tempfile import NamedTemporaryFile

    with writing(path), NamedTemporaryFile("w", encoding="utf-8", dir=path.parent,
                                           prefix=f".{path.name}-", delete=False) as file:
        try:
            file.write(text)
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink()
            raise
