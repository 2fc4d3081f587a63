"""A steered search counts what the search counts: on every path with its probability, and in all
strata.
"""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import exp
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nqbench.problems import PROBLEMS, instances
from nqbench.problems.plugins import find as find_any
from nqbench.problems.published.computed import known_of_tree
from nqbench.problems.queens import find
from nqbench.search.algorithm import Algorithm
from nqbench.search.estimates import (
    METHODS,
    Quantity,
    _correct,
    _share_out,
    estimate,
    quantities,
    ratios,
    require_steerable,
    sample_together,
)
from nqbench.search.steering import Path, Shared, SteeringError, Strata, lead

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7."
INSTANCES = {"queens": "6", "instances": "n=6 blocked=0:0,3:4", "sudoku": SUDOKU}
# What cannot be led, and why.
REASONS = {
    **dict.fromkeys(("iterative", "one_loop", "pruned_loops", "probe_stack", "somers"),
                    "has no function that calls itself"),
    **dict.fromkeys(("brute_force", "permutations", "a_star", "min_conflicts", "explicit"),
                    "does not backtrack"),
    **dict.fromkeys(("cross", "join", "fast"), "only compiled"),
    **dict.fromkeys(("ida_star", "random_order", "restarts_fixed", "restarts_geometric",
                     "restarts_luby"), "ends at its first solution"),
    **dict.fromkeys(("backjumping", "conflict_backjumping", "graph_backjumping", "nogoods",
                     "forward_conflicts"), "depends on what it has searched"),
    **dict.fromkeys(("dynamic_backtracking", "limited_discrepancy"), "does not backtrack"),
    "weighted_degree": "its levels for n = 6 are",
    "backmarking": "what it does at a node depends on what it has searched before.*the scans of",
    "last_conflict": "what it does at a node depends on what it has searched before.*the nodes of"}
EVERY = [(problem, name) for problem in INSTANCES for name in PROBLEMS[problem].catalogue]


def counted(found):
    return {"nodes": sum(found.nodes_by_level), "dead_ends": sum(found.dead_by_level),
            **{name: value for name, value in found.sums.items() if name != "seconds"}}


class Choices(Random):
    """Random numbers that lead through given children, then always to the first one."""

    def __init__(self, choices):
        super().__init__()
        self.choices, self.probability, self.taken = iter(choices), 1.0, []

    def randrange(self, many):
        self.probability /= many
        self.taken.append((next(self.choices, 0), many))
        return self.taken[-1][0]


def means(algorithm, instance):
    """Return the means over all paths of a search, each with its probability."""
    total, waiting = {}, [()]
    while waiting:
        begin = waiting.pop()
        random = Choices(begin)
        found = counted(lead(algorithm, instance, Path, random))
        for name, value in found.items():
            total[name] = total.get(name, 0) + random.probability * value
        taken = [choice for choice, _ in random.taken]
        waiting += [(*taken[:place], other) for place in range(len(begin), len(taken))
                    for other in range(1, random.taken[place][1])]
    return total


def truth(algorithm, instance):
    tally = algorithm.profile(instance)
    return {"nodes": tally.nodes, "dead_ends": tally.dead_ends,
            **{f"refused_{rule}": many for rule, many in tally.refusals().items()},
            "answers": tally.solutions // (1 + algorithm.doubles(instance)),
            **{name: value for name, value in tally.counters().items() if isinstance(value, int)
               and name not in ("nodes", "dead_ends", "leaves") and not name.endswith("_to_first")}}


@cache
def find_steerable(name, problem="queens"):
    algorithm = find_any(name, problem)
    require_steerable(algorithm)
    return algorithm


@pytest.mark.parametrize(("problem", "name"), [
    pair if pair[0] == "queens" or pair[1] in REASONS or pair[1] == "bitmask"
    else pytest.param(*pair, marks=pytest.mark.thorough) for pair in EVERY], ids=lambda text: text)
def test_a_search_that_visits_every_node_counts_what_it_always_counts(problem, name):
    if name in REASONS:
        with pytest.raises(SteeringError, match=f"of {name} cannot be estimated.*{REASONS[name]}"):
            find_steerable(name, problem)
        return
    algorithm = find_steerable(name, problem)
    instance = algorithm.check(PROBLEMS[problem].parse(INSTANCES[problem]))
    every = [1.0] * (algorithm.tally(instance).n + 1)
    assert counted(lead(algorithm, instance, Strata, Random(1), every)) == truth(
        algorithm, instance)


@pytest.mark.parametrize("name", ["recursive", "threads", "fewest_first", "canonical",
                                  "marks_mirror", "dancing_links"])
@pytest.mark.parametrize("n", [1, 4, 5])
def test_the_mean_of_all_paths_is_the_truth(name, n):
    algorithm = find(name)
    assert means(algorithm, n) == pytest.approx(truth(algorithm, n))


class OfTrees(Algorithm):
    """Searches in a tree that is given: a node is the tuple of its children."""

    def check(self, instance):
        return instance

    def levels(self, instance):
        return 1 + max(map(self.levels, instance), default=-1)

    def small_instances(self):
        return {"a tree": (((), ((),)), (), ((), ()))}


def inside(tree, tally):
    def visit(node, level):
        tally.node(level)
        tally.again(level)  # as a search does that goes on from a node
        for child in node:
            tally.tests += 1
            yield from visit(child, level + 1)
        tally.exhausted(level)
        yield node
    return visit(tree, 0)


def before(tree, tally):
    def measure(node):  # calls itself, but reports no node
        return 1 + sum(measure(child) for child in node)

    def visit(node, level):
        assert measure(node) > len(node)
        for child in node:
            tally.tests += 1
            tally.node(level + 1)
            if child:
                yield from visit(child, level + 1)
            else:
                tally.exhausted(level + 1)
                yield child
        tally.exhausted(level)
        yield node
    tally.node(0)
    yield from visit(tree, 0)


def without_result(tree, tally):
    def visit(node, level):
        tally.node(level)
        for child in node:
            tally.tests += 1
            visit(child, level + 1)
        tally.exhausted(level)
        tally.solution()
        found.append(node)
    found = []
    visit(tree, 0)
    yield from found


def late(tree, tally):
    def visit(node, level):
        tally.node(level)
        for child in node:
            visit(child, level + 1)
        found.append(node)
    found = []
    visit(tree, 0)
    yield from found


def with_result(tree, tally):
    def visit(node, level):
        tally.node(level)
        return 1 + sum(visit(child, level + 1) for child in node)
    yield visit(tree, 0)


def with_memory(tree, tally):
    seen = []

    def visit(node, level):
        tally.node(level)
        seen.append(level)
        for child in node:
            if len(seen) < 4:
                yield from visit(child, level + 1)
    return visit(tree, 0)


def silent(tree, tally):
    def visit(node):
        for child in node:
            yield from visit(child)
        yield node
    return visit(tree)


def again(tree, tally):
    for _ in range(2):
        yield from inside(tree, tally)


def of_trees(search):
    return OfTrees(name=search.__name__, origin="", year=None, technique="", search=search)


trees = st.recursive(st.just(()), lambda below: st.lists(below, max_size=4).map(tuple),
                     max_leaves=12)


@given(trees, st.sampled_from([inside, before, without_result]))
def test_the_mean_of_all_paths_through_any_tree_is_its_size(tree, search):
    algorithm = of_trees(search)
    require_steerable(algorithm)
    assert means(algorithm, tree) == pytest.approx(truth(algorithm, tree))


@pytest.mark.parametrize(("search", "why"), [
    (with_result, "does not work if a call is left out .TypeError"),
    (with_memory, "if all calls below level 0 are left out, its levels for a tree are"),
    (late, "left out, the answers of others change; call tally.solution"),
    (again, "reports a node that is not below"), (silent, "it reports no nodes; call tally.node")])
def test_what_cannot_be_led_says_why(search, why):
    with pytest.raises(SteeringError, match=f"of {search.__name__} cannot be estimated: .*{why}"):
        estimate(of_trees(search), ((), ()))


@pytest.mark.parametrize(("problem", "name", "text", "method"), [
    ("queens", "fewest_first", "7", "stratified"),
    ("instances", "forward_checking", "n=7 blocked=0:0,3:4", "knuth"),
    ("sudoku", "textbook_bitmask", SUDOKU, "stratified"),
    pytest.param("sudoku", "textbook_bitmask", SUDOKU, "knuth", marks=pytest.mark.thorough), *(
        pytest.param(*case, method, marks=pytest.mark.thorough) for method in METHODS
        for case in (("queens", "fewest_first", "8"), ("queens", "threads", "9"),
                     ("instances", "forward_checking", "n=8 blocked=0:0,3:4")))])
def test_estimates_lie_within_their_errors(problem, name, text, method):
    algorithm = PROBLEMS[problem].find(name)
    instance = algorithm.check(PROBLEMS[problem].parse(text))
    found, tally = estimate(algorithm, instance, 400, 1, method), algorithm.profile(instance)
    for what, true in {"nodes": tally.nodes, "tests": tally.tests, "solutions": tally.solutions,
                       "dead_ends": tally.dead_ends}.items() - {("solutions", 1)}:
        assert abs(found.named()[what].mean - true) <= 4 * found.named()[what].error, what
    for level, true in zip(found.levels, tally.levels, strict=True):
        assert abs(level.mean - true) <= 4 * level.error + 0.01 * true or not level.mean
    assert found.counters["seconds"].mean > 0
    assert found.probes == 400 - 400 % found.runs


def test_the_interval_of_a_skewed_mean_holds():
    """Few paths are long: the mean of the logarithmic normal distribution is e^(1/2)."""
    random, held = Random(5), {True: 0, False: 0}
    for _ in range(400):
        (found,) = quantities([[random.lognormvariate(0, 1)] for _ in range(32)])
        for corrected, each in ((True, found), (False, replace(found, skewness=0.0))):
            held[corrected] += each.interval[0] <= exp(0.5) <= each.interval[1]
    assert held[True] >= 0.93 * 400 > 0.91 * 400 > held[False]


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_estimate(method):
    one, two, other = (estimate(find("canonical"), 9, 64, seed, method).named()
                       for seed in (1, 1, 2))
    for found in (one, two, other):
        found.pop("seconds")
    assert one == two != other


@pytest.mark.thorough
def test_strata_vary_less_than_paths():
    nodes = {method: estimate(find("canonical"), 12, 320, method=method).nodes
             for method in METHODS}
    assert nodes["stratified"].error < nodes["knuth"].error


@pytest.mark.parametrize(("words", "says"), [
    ({"probes": 1}, "probes must be 2 or more, not 1"),
    ({"method": "chen"}, "no method 'chen', only knuth and stratified"),
    ({"instance": -1}, "n must be a whole number, 0 or more, not -1")])
def test_what_makes_no_sense_is_refused(words, says):
    with pytest.raises(ValueError, match=says):
        estimate(find("bitmask"), **{"instance": 8, **words})


def together(names, n, probes, seed=0, problem="queens", corrected=False):
    algorithms = [find_steerable(name, problem) for name in names]
    *_, found = sample_together(
        algorithms, n, probes, seed, [Quantity(1.0, 0.0)] * len(names),
        [known_of_tree(algorithm, n) for algorithm in algorithms] if corrected else ())
    return algorithms, found


@pytest.mark.parametrize("names", [("bitmask", "forward_checking"), ("recursive", "canonical"),
                                   ("marks_mirror", "bitmask", "dancing_links")])
def test_runs_that_share_all_nodes_count_each_tree(names):
    algorithms, found = together(names, 5, 10**5)
    for algorithm, each in zip(algorithms, found, strict=True):
        assert each.nodes.mean == algorithm.profile(5).nodes
        assert [level.mean for level in each.levels] == algorithm.profile(5).levels
        assert each.solutions.mean == 10


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=4)
@pytest.mark.thorough
def test_a_tree_within_another_is_never_estimated_to_be_larger(seed, corrected):
    names = "search", "search:ahead=fc", "search:ahead=ac"
    _, found = together(names, instances.Board(8), 64, seed, "instances", corrected)
    for larger, smaller in pairwise(found):
        for own, other in zip(smaller.rows, larger.rows, strict=True) if not corrected else ():
            assert all(own[level] <= other[level] for level in range(9))
        ratio = ratios(smaller, larger)
        assert all(each.mean <= 1 + 1e-12 for name, each in ratio.items() if name in range(9))
        assert ratio["nodes"].mean <= 1 and ratio["nodes"].interval[1] <= 1.1


@pytest.mark.thorough
def test_what_is_known_corrects_what_is_not():
    """The interval of the ratio is less than a third as wide as that of a quotient."""
    names, true = ("bitmask", "forward_checking"), 17489 / 35539
    held = []
    for seed in range(2):
        _, (plain, ahead) = together(names, 10, 320, seed, corrected=True)
        _, (_, alone) = together(names, 10, 320, seed)
        assert plain.nodes.mean == pytest.approx(35539, rel=0.01)
        assert ahead.solutions.mean == pytest.approx(724, rel=0.02)
        assert ahead.reached == alone.reached
        assert ahead.nodes.error < 0.8 * alone.nodes.error
        low, high = ratios(ahead, plain)["nodes"].interval
        held.append(low <= true <= high)
        assert (high - low) / true < 0.055  # that of a quotient is 0.14
    assert any(held)


def rows_of(*runs):
    """Runs that find answers, and nodes, by tree; the nodes of both are on level 1."""
    return [[{"answers": answers, "nodes": own, 1: own} for answers, *nodes in runs
             for own in [nodes[tree]]] for tree in range(len(runs[0]) - 1)]


def test_a_correction_is_a_regression_on_what_is_known():
    """Nodes are 3 times the answers, and 5, and a rest that no run has more of on average."""
    runs = [(x, 3 * x + 5 + rest) for x in range(1, 17) for rest in (-1, 1)]
    (own,) = _correct(rows_of(*runs), [{"answers": 8}])
    assert fmean(row["answers"] for row in own) == pytest.approx(8)
    assert {round(row["answers"], 9) for row in own} == {8}
    assert fmean(row["nodes"] for row in own) == fmean(row[1] for row in own) == pytest.approx(29)
    around = sum((x - 8.5)**2 for x, _ in runs)
    assert stdev(row["nodes"] for row in own)**2 == pytest.approx(
        32 / 30 * (1 + 32 * 0.5**2 / around))


def test_no_run_is_corrected_to_less_than_nothing():
    """One run alone has what the smaller tree lacks, and its answers: without a limit, the
    smaller one would be larger."""
    runs = [(100, 40, 40)] + [(1, 10, 10)] * 30 + [(1, 10, 9)]
    for tail in (runs, [(100, 40, 30), *runs[1:31], (1, 10, 10)]):
        larger, smaller = _correct(rows_of(*tail), [{"answers": 0.5}] * 2)
        assert fmean(row["nodes"] for row in smaller) <= fmean(row["nodes"] for row in larger)
        assert all(fmean(row["nodes"] for row in own) > 0 for own in (smaller, larger))


@pytest.mark.parametrize(("runs", "known"), [
    ([(x, x) for x in range(15)], {"answers": 3}), ([(x, x) for x in range(20)], {}),
    ([(x, x) for x in range(20)], {"answers": 0}), ([(3, x) for x in range(20)], {"answers": 3})])
def test_few_runs_and_what_does_not_vary_are_left_as_they_are(runs, known):
    rows = rows_of(*runs)
    assert _correct(rows, [known]) is rows


def test_runs_of_several_searches_are_shared_out_among_the_levels():
    """Most to where both a level and what is below it are large; 0.3 of an even share at least."""
    assert _share_out([1, 100, 1000, 100], 10) == pytest.approx([
        1, 100 / (40 * 1100**0.5 * 10 / total), 1000 / (40 * 10**2.5 / total), 1000 / (
            40 * 10**2.5 / total)] if (total := 1200**0.5 + 1100**0.5 * 10 + 10**2.5) else [])
    assert _share_out([1, 2, 4, 0], 100) == [1, 1, 1, 1]
    assert _share_out([1, 0, 60], 10) == [1, 1, 20]


def test_boards_and_puzzles_of_which_nothing_is_known():
    plain, ahead = (find_any(name, "instances") for name in ("search", "search:ahead=fc"))
    assert known_of_tree(plain, instances.Board(8)) == {"answers": 92, "nodes": 2057}
    assert known_of_tree(ahead, instances.Board(8)) == {"answers": 92}
    assert known_of_tree(find_any("search", "instances"), instances.Board(8, ((0, 0),))) == {}
    assert known_of_tree(PROBLEMS["sudoku"].find("textbook_bitmask"), SUDOKU) == {}
    assert known_of_tree(find("bitmask_even_mirror"), 10) == {"answers": 362}
    assert known_of_tree(find("ida_star"), 8) == known_of_tree(find("bitmask"), 30) == {}


def test_runs_that_share_mirror_images_find_that_a_mirror_halves_a_tree():
    _, (whole, half) = together(("bitmask", "bitmask_even_mirror"), 10, 160)
    ratio = ratios(half, whole)
    assert [ratio[level].mean for level in range(1, 11)] == pytest.approx([0.5] * 10)
    assert ratio["nodes"].error < 1e-5 < half.nodes.error


@pytest.mark.parametrize(("mirrored", "many"), [(False, 152), (True, 76)])
def test_mirror_images_are_one_node_and_no_others_are(mirrored, many):
    chosen = {}
    lead(find("bitmask"), 6, Shared, Random(0), [1.0] * 7, chosen, mirrored)
    assert len(chosen) == many


@pytest.mark.thorough
def test_ratios_of_shared_runs_have_narrow_intervals_that_hold():
    true = find("forward_checking").profile(9).nodes / find("bitmask").profile(9).nodes
    held = []
    for seed in range(6):
        _, (plain, ahead) = together(("bitmask", "forward_checking"), 9, 160, seed)
        low, high = ratios(ahead, plain)["nodes"].interval
        held.append(low <= true <= high)
        alone = sum((each.nodes.error / each.nodes.mean)**2 for each in (plain, ahead))**0.5
        assert (high - low) / true < 0.9 * 2 * plain.nodes.reach * alone
    assert sum(held) >= 5


def test_searches_without_a_common_node_cannot_be_compared():
    says = (r"cannot be compared by shared nodes: .* search:order=middle begins with squares such "
            r"as \(3, 0\), and search with such as \(0, 0\)")
    with pytest.raises(SteeringError, match=says):
        together(("search", "search:order=middle"), instances.Board(8), 64, problem="instances")


def test_runs_that_reach_a_solution_are_counted():
    assert 0 < estimate(find("bitmask"), 8, probes=64, method="knuth").reached < 32
    assert estimate(find("bitmask"), 6, probes=10**5).reached == 32
