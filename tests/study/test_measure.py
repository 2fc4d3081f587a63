"""A sample is taken again while the machine is disturbed."""

import pytest

from nqbench.study import samples
from nqbench.study.samples import Reference, Taken
from nqbench.util import clocks
from nqbench.util.clocks import Sample


def take(seconds, waited=0.0):
    """A sample of these seconds of the processor."""
    return Sample(seconds, seconds, waited, 0, 0)


class Machine:
    """A reference that takes the given seconds, one after the other, and searches that take 1, 2,
    ... seconds, and wait for these shares of them.
    """

    def __init__(self, monkeypatch, *seconds, waited=(0.0,) * 99):
        references, turns = iter(seconds), zip(range(1, 100), waited, strict=False)
        monkeypatch.setattr(clocks, "sample", lambda search, *loops: take(
            next(references)) if search is samples._loop else take(*next(turns)))
        monkeypatch.setattr(samples, "sleep", lambda seconds: None)


@pytest.mark.parametrize(("seconds", "waited", "patience", "found"), [
    # Before: fast. After the first: slow, twice. Then slow, twice, and fast; after it: fast.
    ((1.0, 1.5, 1.4, 1.5, 1.5, 1.0, 1.0), [0.0] * 2, 9.0, Taken(take(2), 1, False)),
    ((1.0, 1.5, 1.0), [0.0], 9.0, Taken(take(1), 0, False)),  # a short interruption
    ([1.0] * 10, [0.4, 0.11, 0.1], 9.0, Taken(take(3, 0.1), 2, False)),
    ([1.0] * 10, [0.4], 0.0, Taken(take(1, 0.4), 0, True)),
    ([1.0] * 10, [None], 0.0, Taken(take(1, None), 0, True))])  # it may have waited
def test_a_sample_is_taken_again_if_the_machine_is_disturbed_or_its_search_waited(
        monkeypatch, seconds, waited, patience, found):
    Machine(monkeypatch, *seconds, waited=waited)
    assert Reference(1.0, patience).sample(None, 1) == found


def test_patience_ends(monkeypatch):
    Machine(monkeypatch, *[1.5] * 1000)
    reference = Reference(fastest=1.0, patience=2.0)
    assert reference.sample(None, 1) == Taken(take(1), repeated=0, disturbed=True)
    assert reference.patience <= 0
    assert reference.sample(None, 1) == Taken(take(2), repeated=0, disturbed=True)


def test_the_fastest_reference_is_remembered(monkeypatch):
    Machine(monkeypatch, 1.0, 0.8)
    reference = Reference(patience=9.0)
    reference.sample(None, 1)
    assert reference.fastest == 0.8
