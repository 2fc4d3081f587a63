"""Make a search of a rule of one's own: the composed search, which looks ahead with it."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from nqbench.errors import InvalidTypeError
from nqbench.problems.instances.composed_family import USUAL, compose
from nqbench.problems.plugins import registry


def rule(refuse: Callable[..., Any] | None = None, /, **parts: str | int) -> Any:
    """Make a search of a rule, a decorator: forward checking that also removes the squares that the
    rule refuses. It stands where every other search in instances does, and takes the parts of the
    composed search, as in `pairs.py::pairs:order=dom,back=cbj`.

    The function gets the board and the open rows with their free squares, a mask of columns by row;
    if `lines=both`, then the open columns in the same way. It yields a line, a mask of its squares
    that are in no solution, and perhaps the lines whose losses show that; all, if it does not say,
    which is always true of what is concluded from free squares. It is called again until it removes
    nothing. Further parameters are those of the search, as for `nqbench.algorithm`.

    Parameters
    ----------
    refuse
        the function.
    **parts
        parts other than the usual ones, as in `@nqbench.rule(order="dom")`; `ahead` is `fc` unless
        given.

    Raises
    ------
    TypeError, ValueError
        if the function takes other arguments, a part does not exist, or the name is taken.

    Examples
    --------
    The whole of a file pairs.py: two rows with the same two free squares take them from all others.

    >>> import nqbench
    >>> @nqbench.rule
    ... def pairs(board, free):
    ...     for row, mask in free.items():
    ...         same = [each for each in free if free[each] == mask]
    ...         if mask.bit_count() == 2 == len(same):
    ...             for other in free.keys() - same:
    ...                 yield other, mask, same
    >>> from nqbench.problems.instances import Board, find
    >>> [find(name).profile(Board(8)).nodes for name in ("forward_checking", "pairs")]
    [1165, 1151]
    """
    if refuse is None:
        return lambda function: rule(function, **parts)
    name = getattr(refuse, "__name__", repr(refuse))
    try:
        signature(refuse).bind("board", "free")
    except TypeError as error:
        raise InvalidTypeError(f"{name} must be a function of board and free, as in "
                               f"`def {name}(board, free)` ({error})") from None
    made = compose(name, {"ahead": "fc", **parts}, [*USUAL], search=refuse, year=None,
                   origin=registry.describe_home(registry.home(refuse)), order=100,
                   technique=(refuse.__doc__ or "").strip().partition("\n")[0] or "not described")
    return registry.register(made)
