"""Random instances."""

from random import Random

import pytest

from nqbench.errors import InvalidValueError
from nqbench.problems import instances
from nqbench.problems.instances import families

MAKERS = {
    "completion": lambda random: instances.completion(9, 4, random),
    "torus": lambda random: instances.completion(9, 4, random, torus=True),
    "blocked": lambda random: instances.blocked(9, 30, random),
    "excluded": lambda random: instances.excluded(9, 6, random),
}


RECORDED = [  # the first of seed 1
    "n=9 placed=3:1,4:8,5:6,8:0",
    "n=9 placed=3:1,4:8,6:5,8:0 torus",
    ("n=9 blocked=0:0,0:2,0:3,0:5,0:8,1:1,1:3,1:6,1:7,2:0,2:1,2:7,2:8,3:2,3:3,4:1,4:3,5:1,5:7,"
     "6:2,6:3,6:4,7:1,7:4,7:6,7:8,8:2,8:3,8:7,8:8"),
    "n=9 sums=0,1,6,7,16 differences=-1",
]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_instance_depends_on_seed_and_number_alone(make):
    ten = list(instances.generate(make, 10, seed=3))
    assert list(instances.generate(make, 4, seed=3)) == ten[:4]
    assert list(instances.generate(make, 10, seed=4)) != ten
    assert len(set(ten)) == 10


def test_the_instances_of_a_seed_are_the_same_on_every_machine():
    assert [instances.write(next(instances.generate(make, 1, seed=1)))
            for make in MAKERS.values()] == RECORDED


@pytest.mark.parametrize("name", MAKERS)
def test_an_instance_has_what_was_asked_for(name):
    for board in instances.generate(MAKERS[name], 20, seed=0):
        told = (len(board.placed), len(board.blocked), len(board.sums) + len(board.differences))
        assert told == {"blocked": (0, 30, 0), "excluded": (0, 0, 6)}.get(name, (4, 0, 0))
        assert board.torus == (name == "torus")
        assert not board.contradiction
        assert board.placed or min(
            mask.bit_count() for mask in (*board.free, *board.free_by_column)) >= 3


@pytest.mark.parametrize(("make", "message"), [
    (lambda random: instances.completion(8, 9, random), "placed must be at most 8 for n = 8"),
    (lambda random: instances.completion(3, 3, random), "place fewer"),
    (lambda random: instances.blocked(8, 41, random), "blocked must be at most 40 for n = 8"),
    (lambda random: instances.excluded(8, 31, random), "excluded must be at most 30 for n = 8"),
    (lambda random: instances.excluded(8, 29, random), "exclude fewer")])
def test_what_cannot_be_made_is_an_error(make, message, monkeypatch):
    monkeypatch.setattr(families, "TRIES", 20)
    with pytest.raises(InvalidValueError, match=message):
        make(Random(1))


@pytest.mark.parametrize("make", [instances.completion, instances.blocked, instances.excluded])
def test_an_empty_board_is_an_instance(make):
    assert make(0, 0, Random(1)) == instances.Board(0)
