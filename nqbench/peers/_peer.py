"""What a peer is."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version


@dataclass(frozen=True)
class Peer:
    """Something else that counts n queens.

    package: the distribution that it comes in. what: how it is asked, in a few words. count:
    all solutions of n >= 1 queens, from n to the number, the model made anew each time.

    Examples
    --------
    >>> Peer("none", "no-such-package", "", lambda n: 0).installed() is None
    True
    """

    name: str
    package: str
    what: str
    count: Callable[[int], int]

    def installed(self) -> str | None:
        """Return the version of its package, None if it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None
