"""One backtracking search in instances, made of parts that are chosen one by one, and the searches
of the literature that are such combinations.

    order     which line is next: keys that are compared one after the other, as in dom+middle
    values    in which order its squares are tried
    lines     what needs a queen: the rows, or both rows and columns
    check     without look ahead: how a square is tested against the queens
    ahead     what a queen takes from the open lines, and when it is refused for that
    root      the filter before the first queen, if it is another one
    back      to which queen a dead end goes back
    learn     what is kept of dead ends: conflicts, of at most `size` queens, or the branch of a
              run that is cut, or both, as in conflicts+branch
    symmetry  whose images of what was searched are refused
    restart   how long the runs are

Blame is the currency between the parts: a mask of levels. Whatever refuses a square says which
levels are to blame. Whom to blame for a dead end and where to go back to are two values: with one,
nogoods would lose solutions where a dead end goes back one level only.
"""

import itertools
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import signature
from pathlib import Path
from typing import Any, cast

from nqbench.errors import InvalidValueError
from nqbench.problems.instances.base import Board, Finds, Search, Tally, Tree, bits, counted
from nqbench.problems.instances.lines import FILTERS, Walk, keep_all
from nqbench.problems.instances.parts import (
    BROKEN,
    GIVEN,
    ORDERS,
    RESTARTS,
    VALUES,
    Ended,
    Nogoods,
    Rule,
    choose_by,
    follow,
    go_back,
    look_ahead,
    look_back,
)
from nqbench.search.algorithm import PARAMETER_TYPES
from nqbench.search.board import Columns
from nqbench.search.implementations import PythonBuilds
from nqbench.util.text import unknown


class CutError(Exception):
    """A run has backtracked more often than its cutoff."""


def solutions(board: Board, tally: Tally, order: str = GIVEN,  # noqa: PLR0915 - as in `covers`
              values: str = GIVEN, lines: str = "rows", check: str = "queens", ahead: str = "none",
              root: str = "", back: str = "none", learn: str = "none", size: int = 3,
              symmetry: str = "none", restart: str = "none", seed: int = 0,
              rule: Rule | None = None) -> Iterator[Columns]:
    n, last, columns = board.n, len(board.open_rows), board.begin()
    walk = Walk(board, lines == "both", order, seed)
    choose, squares = choose_by(order), VALUES[values]
    known = Nogoods(walk, learn, size, symmetry)
    refusing = learn != "none" or symmetry != "none"
    one = restart != "none" and "branch" not in learn

    def descend(level: int) -> Iterator[Columns]:
        """Search where nobody is to blame: go back one level from each dead end."""
        tally.node(level)
        if level == last:
            tally.solution()
            yield tuple(columns)
            return
        line, free = choose(walk), walk.free
        for place in squares(walk, line) if squares else bits(free[line]):
            row, column = (line, place) if line < n else (place, line - n)
            tally.test(row, column)
            if look(row, column, level) is None:
                columns[row] = column
                yield from descend(level + 1)
            walk.free = free
        tally.exhausted(level)
        if check == "marks":
            leave(line, level - 1)
        walk.last = line

    def judge(row: int, column: int, level: int) -> int | None:
        """Return the levels to blame if a square is refused by a nogood, too: after the queens, but
        before what its own queen would take.
        """
        if ahead == "none":
            refuted = look(row, column, level)
            if refuted is not None:
                return refuted
        completed = known.refuse(row, column, level)
        if completed is not None:
            tally.refused(level, "nogood")
            return completed
        return look(row, column, level) if ahead != "none" else None

    def queens(level: int, moved: Sequence[int]) -> Generator[Columns, None, Ended]:
        """Search below a queen; `moved` are the images of the placement."""
        tally.node(level)
        if level == last:
            tally.solution()
            if known.symmetries:
                yield from known.orbit(tuple(columns))
            else:
                yield tuple(columns)
            return (1 << level) - 1, level - 1
        line = choose(walk)
        free, taken, before = walk.free, walk.taken, known.searched
        searched = before
        blame, inner = taken[line], False
        for place in squares(walk, line) if squares else bits(free[line]):
            row, column = (line, place) if line < n else (place, line - n)
            tally.test(row, column)
            refuted = test(row, column, level)
            if refuted is not None:
                blame |= refuted
                walk.free, walk.taken = free, taken
                continue
            inner, those, occupied = True, moved, walk.occupied
            columns[row] = column
            walk.queens[level] = row, column
            if refusing:
                walk.occupied |= 1 << row * n + column
                those = [each | bit for each, bit in zip(moved, known.image(row, column),
                                                         strict=True)]
            deeper = yield from queens(level + 1, those)
            walk.free, walk.taken, walk.occupied = free, taken, occupied
            known.searched = searched
            if deeper is not None:  # an estimate may leave it out
                if deeper[1] < level:
                    return deeper
                blame |= deeper[0]
            if moved:
                known.searched = searched = [*searched, *those]
                tally.nogoods += len(those)
        tally.exhausted(level)
        blame, target = go_back(walk, back, line, level, blame & ~(1 << level), inner)
        if back != "none":
            tally.jumps += target < level - 1
            tally.jumped += level - 1 - target
        if learn != "none":
            known.learn(blame, tally)
        leave(line, target)
        walk.last = line
        walk.left -= 1
        if walk.left < 0:
            raise CutError
        known.searched = before
        return blame, target

    first, after = FILTERS[root or ahead], FILTERS[ahead]
    if rule:
        first, after = follow(first, rule), follow(after, rule)
    for cutoff in RESTARTS[restart]():
        walk.begin(cutoff)
        look, leave = (
            look_ahead(walk, tally, ahead, after, back != "none" or "conflicts" in learn)
            if ahead != "none" else look_back(walk, tally, check == "marks"))
        test = judge if refusing else look
        if (0 in walk.free.values() and first is not keep_all) or not first(walk, tally):
            tally.node(0)
            tally.exhausted(0)
            return
        if back == "none" and restart == "none" and not refusing:
            yield from descend(0)
            return
        try:
            for found in queens(0, [0] * len(known.images)):
                yield found
                if one:
                    return
            return
        except CutError:
            if "branch" not in learn:
                known.searched = []


CHOICES: dict[str, Iterable[str]] = {
    "order": (*ORDERS, "last", "random"), "values": VALUES, "lines": ("rows", "both"),
    "check": ("queens", "marks"), "ahead": FILTERS,
    "root": [name for name, each in FILTERS.items() if name == "none" or each is not keep_all],
    "back": ("none", "deepest", "graph", "cbj"),
    "learn": ("none", "conflicts", "branch", "conflicts+branch"),
    "symmetry": BROKEN, "restart": RESTARTS}
ROWS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))  # those of the literature
USUAL = {name: each.default for name, each in signature(solutions).parameters.items()
         if type(each.default) in PARAMETER_TYPES}


def require_valid(parts: Mapping[str, Any]) -> None:
    """Reject parts that do not exist, or that do not go together.

    Raises
    ------
    InvalidValueError
        naming the part, and what is allowed.

    Examples
    --------
    >>> require_valid({**USUAL, "ahead": "mathcing"})
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no ahead 'mathcing'; did you mean matching?
    """
    for name, allowed in CHOICES.items():
        for value in parts[name].split("+") if name == "order" else [parts[name]]:
            if value not in allowed and not (name == "root" and not value):
                raise InvalidValueError(unknown(name, value, [*allowed]))
    names = parts["order"].split("+")
    wrong = {
        "order has last at its beginning, and random at its end":
            "last" in names[1:] or "random" in names[:-1],
        "check=marks is for rows without look ahead: lines=rows, ahead=none":
            parts["check"] == "marks" and (parts["lines"] != "rows" or parts["ahead"] != "none"),
        "learn=branch is for runs that are cut: restart=fixed, geometric or luby":
            "branch" in parts["learn"] and parts["restart"] in ("none", "once"),
        "order=dom/wdeg weighs the lines that look ahead empties: ahead=fc, or a filter":
            "dom/wdeg" in names and parts["ahead"] in ("none", "marks"),
        "restart needs what makes each run differ: random in order or values, or learn=branch":
            parts["restart"] not in ("none", "once") and "branch" not in parts["learn"]
            and parts["values"] != "random" and "random" not in names,
        "a rule is for searches that look ahead: ahead=fc, or a filter":
            "rule" in parts and parts["ahead"] in ("none", "marks"),
        "size must be 1 or more": parts["size"] < 1}
    why = next((why for why, found in wrong.items() if found), "")
    if why:
        raise InvalidValueError(why)


def describe(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what follows from the given parts of a search, the others being the usual ones: fields
    of `Search`. Raise what `require_valid` raises.
    """
    parts = {**USUAL, **given}
    require_valid(parts)
    ahead, back, learn, symmetry = (parts[name] for name in ("ahead", "back", "learn", "symmetry"))
    finds_all = parts["restart"] == "none" or "branch" in learn
    same = ("order", "values", "lines", "root", "back", "learn", "symmetry")
    plain = finds_all and ahead in ("none", "marks") and all(
        parts[name] == USUAL[name] for name in same)
    filters = parts["root"] not in ("", "none")
    by_pairs = ahead != "marks" or back != "none" or "conflicts" in learn or filters
    names = [*["checks"] * by_pairs, *["jumps", "jumped"] * (back != "none"),
             *["nogoods"] * (learn != "none" or symmetry != "none"),
             *["revisions", "removals"] * (by_pairs and (ahead != "none" or filters))]
    chosen = {name: value for name, value in given.items() if value != USUAL.get(name)}
    larger = next((name for name, row in ROWS.items() if "rule" in given and chosen == {
        **row["parts"], "rule": given["rule"]} and row["parts"].keys() == {"ahead"}), "")
    return {"keeps_marks": ahead != "none" or symmetry != "none", "counters": counted(*names),
            "tree": Tree.PLAIN if plain else Tree.OWN,
            "finds": Finds.ALL if finds_all else Finds.ONE,
            "uses_symmetry": symmetry != "none",
            "symmetry": {"none": "none", "mirror": "the mirror, if the board has it",
                         "sbds": "those that the board has"}[symmetry],
            "within": ((larger, "by what it refuses"),) * bool(larger)}


@dataclass(frozen=True, kw_only=True)
class Composed(Search):
    """A combination of the parts of `solutions`.

    Attributes
    ----------
    parts
        the names and values of those that it fixes.
    takes
        the names of those that it takes as parameters.
    """

    parts: tuple[tuple[str, Any], ...] = ()
    takes: tuple[str, ...] = ()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the search itself, or the rule."""
        assert self.search is not None
        return self.search(*arguments, **named)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        own = {} if self.search is solutions else super().defaults
        return own | {name: dict(self.parts).get(name, USUAL[name]) for name in self.takes}

    @property
    def rule(self) -> Rule | None:
        """The rule of one's own, with the values of its parameters."""
        own = {name: value for name, value in self.given if name not in USUAL}
        return None if self.search is solutions else partial(cast(Rule, self.search), **own)

    def with_rule(self, rule: Rule) -> "Composed":
        """Return the search with another rule in place of its own, without parameters."""
        return replace(self, search=rule, given=tuple(
            (name, value) for name, value in self.given if name in USUAL))

    @property
    def chosen_parts(self) -> dict[str, Any]:
        """What `solutions` gets besides board and tally: all but what the rule itself takes."""
        values = {name: value for name, value in (*self.parts, *self.given) if name in USUAL}
        return values | ({"rule": self.rule} if self.rule else {})

    @cached_property
    def python(self) -> PythonBuilds[Board, Columns]:
        builds: PythonBuilds[Board, Columns] = PythonBuilds(
            solutions, self.tally, self.chosen_parts, counters=self.counters)
        parts = {**USUAL, **builds.parameters}
        builds.rules = tuple(itertools.compress(("nogood", "wiped_out", "filtered"), (
            parts["learn"] != "none" or parts["symmetry"] != "none",
            parts["ahead"] not in ("none", "marks"),
            "rule" in parts or FILTERS[parts["ahead"]] is not keep_all)))
        builds.lacking = {"filtered": {"ahead": "fc", "rule": None}}  # it also removes squares
        return builds

    def vary(self, given: Mapping[str, Any]) -> "Composed":
        """Return the search with other parts; see `Algorithm.vary`.

        >>> OPEN.vary({"ahead": "fc", "back": "cbj"}).count(Board(6))
        4
        """
        varied = super().vary(given)
        assert isinstance(varied, Composed)
        return self if varied is self else replace(varied, **describe(varied.chosen_parts))


def compose(name: str, parts: Mapping[str, Any], takes: Sequence[str] = (),
            search: Callable[..., Any] = solutions, within: Mapping[str, str] | None = None,
            **told: Any) -> Composed:
    """Return the search of that name with these parts, and with a rule, if `search` is one."""
    ruled = {} if search is solutions else {"rule": search}
    found = describe({**parts, **ruled}) | ({"within": tuple(within.items())} if within else {})
    return Composed(name=name, search=search, parts=tuple(parts.items()), takes=tuple(takes),
                    **found, **told)


OPEN = compose("search", {}, [*USUAL], order=19, origin="nqbench", year=2026,
               technique="parts of your choice, as in search:order=dom,ahead=fc,back=cbj")
ALGORITHMS = (OPEN, *(compose(name, **told) for name, told in ROWS.items()))
