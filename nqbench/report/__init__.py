"""From records to tables, plots and one page; see `build`."""

from nqbench.errors import InvalidValueError

try:
    import matplotlib as _  # noqa: F401
except ValueError as error:
    import os

    raise InvalidValueError(
        "a file matplotlibrc is not UTF-8: correct or remove it"
        if isinstance(error, UnicodeDecodeError) else
        f"MPLBACKEND is {os.environ.get('MPLBACKEND')!r:.40}, which matplotlib does not know: "
        "unset it") from None

from nqbench.report.builder import build, compare, read, write

__all__ = ["build", "compare", "read", "write"]
