"""Counts of n queens that go wrong, for processes of their own: found by name there.

These processes import this module; what a test imports would take them a second each.
"""

import os
import time

from nqbench.problems.plugins.programs import Counted
from nqbench.topics.peers.same_tree import explore_ours

RIGHT = {4: 2, 5: 10, 6: 4}
COUNTED = set()


def right(n):
    print("a peer may print")
    return RIGHT[n]


def one_less(n):
    return RIGHT[n] - 1


def raises_above_4(n):
    if n > 4:
        raise OverflowError("n is too large\nfor me")
    return RIGHT[n]


def dies_above_4(n):
    if n > 4:
        os._exit(7)
    return RIGHT[n]


def forgets_above_4(n):
    if n in COUNTED:
        return 0
    COUNTED.update({n} if n > 4 else ())
    return RIGHT[n]


def hangs_above_4(n):
    if n > 4:
        time.sleep(1000)
    return RIGHT[n]


def cannot_start(n):
    raise ImportError("a library is missing")


def fails_more(more, n):
    """Return the tree of our equivalent, with some more failures."""
    found = explore_ours(n)
    return Counted(found, found.seconds, found.counters | {
        "failures": found.counters["failures"] + more})
