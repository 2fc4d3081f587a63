"""The drawing of the join: two pairs of halves, one a solution and one not."""

from itertools import combinations

from nqbench.search.board import Placement, attacks
from nqbench.topics.engines.section import pictures


def squares(picture, side):
    return [(row, column) for row, column, of, _ in picture.queens if of == side]


def test_both_have_the_same_western_half_and_one_is_a_solution():
    good, bad = pictures()
    assert (good.is_solution, bad.is_solution) == (True, False)
    assert Placement(good.columns).is_solution
    assert squares(good, "west") == squares(bad, "west")
    assert good.rows == bad.rows == "1, 3, 5, 7"
    for picture in (good, bad):
        assert sorted(picture.columns) == list(range(8))
        assert all(column < 4 for _, column in squares(picture, "west"))
        assert all(column > 3 for _, column in squares(picture, "east"))
        for side in ("west", "east"):  # each is a half: no two of its queens attack each other
            assert not any(attacks(*pair) for pair in combinations(squares(picture, side), 2))


def test_the_attack_is_of_one_queen_of_each_side_on_one_ray():
    good, bad = pictures()
    assert not any(attacked for *_, attacked in good.queens)
    assert not any(meets for _, meets in good.rays)
    west, east = sorted((side, row, column) for row, column, side, hit in bad.queens if hit)[::-1]
    assert (west[0], east[0]) == ("west", "east")
    assert attacks(west[1:], east[1:])
    ((start, end),) = [ray for ray, meets in bad.rays if meets]
    assert start == (west[2] + 0.5, west[1] + 0.5)
    assert abs(end[0] - start[0]) == abs(end[1] - start[1])
    assert start[0] < east[2] + 0.5 < end[0]


def test_rays_go_from_western_queens_into_the_east_up_to_the_edge():
    good, _ = pictures()
    assert len(good.rays) == 5
    for ((x, y), (far, end)), _ in good.rays:
        assert x < 4 < far
        assert far == 8 or end in (0, 8)
        assert good.columns[int(y)] == int(x)
