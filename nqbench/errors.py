"""Define the errors that nqbench raises on purpose: for a request that makes no sense, or for a
result that cannot be trusted.

Every other exception is a bug. The command prints an error of this file as one line and exits
with its `status`; for a bug it prints the traceback and exits with 70.
"""

from nqbench.util.text import both_ends

SHOWN = 1000  # characters at each end of a long message
NOT_COMPILED = ("nqbench was installed without a suitable C compiler; install one (Debian: apt "
                "install gcc python3-dev), then run pip install --force-reinstall --no-deps "
                "--no-cache-dir nqbench (or . in a clone)")
IN_PYTHON = f"it runs in Python, which takes many times as long: {NOT_COMPILED}"


class NqbenchError(Exception):
    """The base of all errors that nqbench raises on purpose.

    Attributes
    ----------
    status
        exit status of the command: 2 for a request that makes no sense, 1 for a check that
        failed.
    """

    status = 2

    def __str__(self) -> str:
        """Return the message; one with a very long value has its beginning and its end."""
        return both_ends(super().__str__(), SHOWN)


class InvalidValueError(NqbenchError, ValueError):
    """A value that is not allowed; the message names it and says what is allowed.

    >>> issubclass(InvalidValueError, ValueError)
    True
    """


class InvalidTypeError(NqbenchError, TypeError):
    """A value of a type that is not allowed."""


class BuildError(NqbenchError, RuntimeError):
    """An algorithm whose source cannot be built without its counting statements."""


class MiscountError(NqbenchError, RuntimeError):
    """An inconsistent count: it is impossible, or contradicts another."""

    status = 1


class UnfitError(NqbenchError, ValueError):
    """A solution that does not fit its instance."""

    status = 1


class BuildsDifferError(NqbenchError, RuntimeError):
    """The build that would be timed and the build that counts behave differently."""

    status = 1


class PluginError(NqbenchError, RuntimeError):
    """An external algorithm that fails."""


class LostError(NqbenchError, RuntimeError):
    """The executor has no workers left."""

    status = 1


def describe_error(error: BaseException) -> str:
    """Return the message of an error of this file, or else the type of an error and the first line
    of its message, if it has one.

    >>> describe_error(OSError("no route\\nat all")), describe_error(MemoryError())
    ('OSError: no route', 'MemoryError')
    >>> describe_error(PluginError("it counts 2 queens"))
    'it counts 2 queens'
    """
    try:
        text = str(error).partition("\n")[0]
    except Exception:  # an error of a plug-in
        text = ""
    if isinstance(error, NqbenchError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
