"""The composed search: the searches of the literature, and combinations that nobody has named."""

import json
from hashlib import sha256
from itertools import islice, product
from math import inf
from pathlib import Path
from random import Random

import pytest
from boards import MAKERS
from conftest import refused

from nqbench.errors import InvalidValueError
from nqbench.problems import instances
from nqbench.problems.instances import Board, find
from nqbench.problems.instances.base import bits
from nqbench.problems.instances.composed_family import ALGORITHMS, CHOICES, OPEN, Nogoods
from nqbench.problems.instances.lines import FILTERS, Walk, filter_all, keep_all
from nqbench.problems.instances.parts import follow, look_ahead

# What a separate program for each search found on these boards, before they became rows of a table:
# of the solutions in their order a digest, then levels, dead ends by level, tests, own counters.
KNOWN = json.loads((Path(__file__).parents[2] / "data/ladder.json").read_text("utf-8"))
ORDERS = ("given", "middle", "dom", "deg", "dom/deg", "dom/wdeg", "last", "random", "dom+middle",
          "last+dom", "deg+middle", "dom+random", "last+random", "last+dom+random")


def sparse(n, random):
    """A board whose rows have few free squares, so that many queens have no part in a dead end, and
    three solutions at least.
    """
    free = {(row, random.randrange(n)) for row in range(n) for _ in range(3)}
    for _ in range(3):
        free |= {*enumerate(*find(f"random_order:{random.randrange(99)}").solutions(Board(n)))}
    return Board(n, blocked=tuple({*product(range(n), repeat=2)} - free))


@pytest.mark.parametrize("name", KNOWN["searches"])
def test_a_named_search_does_what_a_program_of_its_own_did(name):
    search = find(name)
    for text, known in zip(KNOWN["boards"], KNOWN["searches"][name], strict=True):
        if known is None:  # it might not end
            continue
        board = instances.parse(text)
        tally = search.tally(board)
        solutions = [*islice(search.python.follow(board, tally), None)]
        digest, levels, dead, tests, own = known
        assert (sha256(repr(solutions).encode()).hexdigest()[:8], tally.levels, tally.dead_levels,
                tally.tests) == (digest, levels, dead, tests), text
        assert {each: getattr(tally, each) for each in own} == own, text


def combine(random):
    """A random combination that is allowed."""
    while True:
        parts = {"order": random.choice(ORDERS), "size": random.choice((1, 2, 3, 5)),
                 "seed": random.randrange(9)}
        parts |= {name: random.choice([*values]) for name, values in CHOICES.items()
                  if name != "order" and random.random() < 0.55}
        try:
            return OPEN.vary(parts)
        except InvalidValueError:
            continue


@pytest.mark.parametrize("seed", [
    *range(12), *(pytest.param(k, marks=pytest.mark.thorough) for k in range(12, 400))])
def test_combinations_find_what_a_plain_search_finds(seed):
    random = Random(seed)
    for _ in range(25):
        search = combine(random)
        board = random.choice(MAKERS)(random.randrange(1, 7), random)
        expected = sorted(find("bitmask").solutions(board))
        if search.exhaustive:
            assert sorted(search.solutions(board)) == expected, (search.name, board)
            assert search.profile(board).solutions == len(expected)
        elif expected or "fixed" not in search.name:
            found = [*search.solutions(board)]
            assert len(found) == min(1, len(expected)), (search.name, board)
            assert {*found} <= {*expected}


@pytest.fixture
def certify(monkeypatch):
    """Search a board: the queens to blame for a dead end, or for a square that a nogood refuses,
    leave no solution that was not found.
    """
    def call(search, board):
        learn, refuse = Nogoods.learn, Nogoods.refuse
        found, every = [], [*find("bitmask").solutions(board)]

        def require(nogoods, blame, *squares):
            squares = {*squares, *map(nogoods.walk.queens.__getitem__, bits(blame))}
            assert {each for each in every if squares <= {*enumerate(each)}} <= {*found}

        def learned(nogoods, blame, tally):
            require(nogoods, blame)
            learn(nogoods, blame, tally)

        def refused(nogoods, row, column, level):
            blame = refuse(nogoods, row, column, level)
            if blame is not None:
                require(nogoods, blame, (row, column))
            return blame

        with monkeypatch.context() as patch:
            patch.setattr(Nogoods, "learn", learned)
            patch.setattr(Nogoods, "refuse", refused)
            for solution in search.python.follow(board, search.tally(board)):
                found += [solution]
        assert sorted(found) == sorted(every), (search.name, board)

    return call


@pytest.mark.parametrize("many", [10, pytest.param(1000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("ahead", FILTERS)
def test_whom_a_dead_end_blames_is_certified(certify, ahead, many):
    random = Random(ahead)
    for _ in range(many):
        board = random.choice((*[sparse] * 20, *MAKERS))(random.randrange(4, 8), random)
        if len(board.blocked) > board.n:  # where it matters
            board = sparse(random.randrange(10, 15), random)
        certify(OPEN.vary({
            "ahead": ahead, "back": random.choice(("none", "graph", "cbj")), "learn": "conflicts",
            "order": random.choice(ORDERS if FILTERS[ahead] is not keep_all else ORDERS[:5]),
            "size": random.choice((1, 2, 9)), "lines": random.choice(("rows", "both"))}), board)


@pytest.mark.parametrize("back", ["deepest", "cbj"])
def test_marks_change_no_node_after_a_jump(back):
    random = Random(back)
    for _ in range(25):
        board = sparse(random.randrange(8, 13), random)
        plain, marking = (OPEN.vary({"check": check, "back": back}).profile(board)
                          for check in ("queens", "marks"))
        assert (plain.levels, plain.dead_levels) == (marking.levels, marking.dead_levels)
        assert marking.scans <= plain.scans


@pytest.mark.parametrize("ahead", ["none", "fc"])
@pytest.mark.parametrize("order", ["given", "dom", "middle"])
def test_whom_an_image_blames_is_certified(certify, ahead, order):
    certify(OPEN.vary({"ahead": ahead, "order": order, "back": "cbj", "learn": "conflicts",
                       "symmetry": "sbds"}), Board(6))


def pairs(board, free):
    """A rule: two lines with the same two squares take them from all others."""
    for mask in {each for each in free.values() if each.bit_count() == 2}:
        same = [line for line in free if free[line] == mask]
        if len(same) == 2:
            yield from ((other, mask, same) for other in free.keys() - same)


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("ahead", [*FILTERS, "rule"][2:])
def test_what_a_queen_takes_from_a_line_is_certified(ahead, both):
    """No solution has the queens to blame and a square that was lost, or a refused queen."""
    random = Random(ahead)
    for _ in range(60):
        board = random.choice((sparse, *MAKERS))(random.randrange(5, 9), random)
        every = [{*enumerate(columns)} for columns in find("bitmask").solutions(board)]
        walk, tally = Walk(board, both, "given", 0), OPEN.tally(board)
        tally.begin(OPEN.vary({"ahead": "fc"}).counters)
        walk.begin(inf)
        after = follow(keep_all, pairs) if ahead == "rule" else FILTERS[ahead]
        look, _ = look_ahead(walk, tally, ahead, after, True)

        def certify(blame, *squares, walk=walk, every=every):
            squares = {*squares, *map(walk.queens.__getitem__, bits(blame))}
            assert not any(squares <= each for each in every)

        for level in range(len(board.open_rows)):
            line = random.choice([*walk.free])
            places = bits(walk.free[line])
            if not places:
                break
            place = random.choice(places)
            square = (line, place) if line < board.n else (place, line - board.n)
            walk.queens[level] = square
            refuted = look(*square, level)
            if refuted is not None:
                certify(refuted, square)
                break
            for line, free in walk.free.items():
                for place in bits(walk.root[0][line] & ~free):
                    certify(walk.taken[line],
                            (line, place) if line < board.n else (place, line - board.n))


def test_what_all_rows_refute_is_blamed_on_all_of_them():
    walk, tally = Walk(Board(4), False, "given", 0), OPEN.tally(Board(4))
    tally.begin(OPEN.vary({"ahead": "hall"}).counters)
    walk.begin(inf)
    walk.taken = {row: 1 << row for row in range(4)}
    assert walk.blame() == 0b1111
    assert filter_all(walk, tally, lambda values: values | {1: values[1] & ~1})
    assert walk.taken == {0: 1, 1: 0b1111, 2: 0b100, 3: 0b1000}


@pytest.mark.parametrize(("parts", "nodes"), [
    ("order=dom/wdeg,ahead=fc,symmetry=sbds", 312), ("ahead=matching,back=cbj", 653),
    ("order=dom,lines=both,ahead=fc,symmetry=sbds", 246),
    ("order=dom+random,values=random,ahead=fc,back=cbj,learn=conflicts+branch,restart=luby", 2222)])
def test_parts_go_together(parts, nodes):
    tally = find(f"search:{parts}").profile(Board(8))
    assert (tally.solutions, tally.nodes) == (92, nodes)


@pytest.mark.parametrize(("name", "checks"), [
    ("row_by_row", 46_752), ("forward_checking", 13_024), ("backmarking", 12_308),
    ("maintained_arcs", 26_029)])
def test_consistency_checks_are_those_of_haralick_and_elliott(name, checks):
    """The first three are published; the last is that of a program of lists of squares."""
    assert find(name).profile(Board(8)).checks == checks


def test_look_back_saves_much_alone_and_nothing_beside_matchings():
    boards = [instances.blocked(8, 20, Random(seed), 2) for seed in range(6)]

    def nodes(parts):
        return sum(find(f"search:{parts}").profile(board).nodes for board in boards)

    assert nodes("back=cbj") < 0.9 * nodes("back=none")
    assert nodes("ahead=matching,back=cbj") == nodes("ahead=matching")


@pytest.mark.parametrize(("parts", "says"), [
    ("ahead=mathcing", "there is no ahead 'mathcing'; did you mean matching?"),
    ("order=dom+midle", "there is no order 'midle'; did you mean middle or deg?"),
    ("order=random+dom", "order has last at its beginning, and random at its end"),
    ("check=marks,ahead=fc", "check=marks is for rows without look ahead"),
    ("learn=branch", "learn=branch is for runs that are cut"),
    ("restart=luby", "restart needs what makes each run differ"),
    ("order=dom/wdeg", "order=dom/wdeg weighs the lines that look ahead empties"),
    ("size=0", "size must be 1 or more"),
    ("ahead=fc,ahead=ac", "the ahead of search is given twice"),
    ("ahed=fc", "there is no parameter of search: 'ahed'; did you mean ahead or seed?")])
def test_parts_that_do_not_exist_or_go_together_are_refused(run, parts, says):
    assert says in refused(run("profile", "n=5", "-a", f"search:{parts}"))


def test_a_row_of_the_table_takes_what_it_says_and_nothing_else(run):
    assert find("nogoods:5").parameters == {"size": 5}
    assert "forward_checking takes no parameter" in refused(
        run("profile", "n=5", "-a", "forward_checking:back=cbj"))
    assert {each.name for each in ALGORITHMS} >= {*KNOWN["searches"]}
