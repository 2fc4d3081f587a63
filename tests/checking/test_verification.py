"""Published values against ours, and how a difference is shown."""

import json
from dataclasses import replace
from time import process_time
from types import SimpleNamespace

import pytest

from nqbench.checking import verification
from nqbench.checking.verification import compute_terms, verify
from nqbench.engine import processor
from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.problems.published import SEQUENCES, published
from nqbench.problems.queens import catalogue
from nqbench.search.implementations import Counting


def counting(name, count):
    """An algorithm that counts in this way, and does nothing else."""
    made = replace(catalogue()["bitmask"], name=name)
    made.__dict__["implementations"] = {"python": Counting(count, 12, only_counts=True)}
    return made


@pytest.fixture
def with_a_fault():
    """Two algorithms, of which one is blind to solutions whose first queen is in column 2."""
    recursive = catalogue()["recursive"]
    faulty = counting("faulty", lambda n: sum(c[:1] != (2,) for c in recursive.solutions(n)))
    return {"bitmask": catalogue()["bitmask"], "faulty": faulty}


@pytest.mark.slow
def test_all_algorithms_agree_with_all_sequences():
    verification = verify(6, budget=600)
    assert verification.ok
    points = {(c.sequence, c.n): c for c in verification.checks}
    assert len(points) == 9 * 7 + 15 * 6 + 3  # sequences from n = 0, 1 and 4
    assert len(points["A000170", 6].answers) == 29
    assert len(points["A002562", 6].answers) == 29
    assert list(points["A032522", 6].answers) == ["cross (cython)", "cross (python)"]
    assert len(points["A319283", 6].answers) == 14
    assert points["A319284", 6].got == [1, 6, 20, 36, 46, 40, 4]


def test_of_large_n_the_faster_engine_answers_first(monkeypatch):
    """As if the join took a tenth of the time from 9 queens on."""
    asked = []
    monkeypatch.setattr(verification._Solving, "predict", lambda run, check, solver: 0.0 if (
        solver.name == "join (cython)") == (check.n > 8) else 1e9)
    verify(10, ["A000170"], algorithms=["cross", "join"],
               progress=lambda check, solver: asked.append((check.n, solver)))
    assert [solver for n, solver in asked if n > 8] == ["join (cython)"] * 2


def test_what_would_take_too_long_is_left_out_and_predicted(monkeypatch):
    monkeypatch.setattr(verification, "perf_counter", process_time)  # others do not count
    last = verify(9, ["A000170"], budget=1.5).checks[-1]
    assert last.status == "ok"  # by the fastest
    assert last.left_out["brute_force (python)"] > 10


def test_what_had_no_time_to_be_predicted_has_no_number_in_json(run):
    status, out, _ = run("verify", "A000170", "--max-n", 8, "--budget", 1e-9, "--json")
    checks = json.loads(out, parse_constant=pytest.fail)["checks"]
    assert status == 1  # nothing was confirmed
    assert None in {*checks[-1]["left_out"].values()}
    assert "inf" not in run("verify", "A000170", "--max-n", 8, "--budget", 1e-9)[1]


def test_a_wrong_count_differs(with_a_fault):
    verification = verify(6, ["A000170"], algorithms=with_a_fault.values())
    assert not verification.ok
    check = verification.checks[6]
    assert (check.status, check.expected, check.got) == ("differs", 4, 3)
    assert check.wrong == {"faulty (python)": 3}
    assert verification.checks[3].status == "ok"


def test_a_difference_ends_the_command_with_1(with_a_fault, monkeypatch, run):
    queens = replace(PROBLEMS["queens"], catalogue=with_a_fault)
    monkeypatch.setattr(verification, "PROBLEMS", SimpleNamespace(find=lambda name: queens))
    status, out, _ = run("verify", "--max-n", 6)
    assert status == 1
    assert "faulty (python) answers 3, not 4" in out


def test_a_wrong_answer_for_the_empty_board_is_reported():
    check = verify(0, "A000170", algorithms=counting("two", lambda n: 2)).checks[0]
    assert (check.status, check.expected, check.got) == ("differs", 1, 2)


def test_no_more_is_asked_than_was_published():
    assert max(check.n for check in verify(10**9, ["A319284"], budget=0.01).checks) == 19


def test_published_values_fit_one_another():
    levels, nodes, counts = published("A319284"), published("A319283"), published("A000170")
    for n in range(20):
        assert sum(levels[n]) == nodes[n]
        assert levels[n][n] == counts[n]
    assert counts[27] == 234907967154122528
    assert all(counts[n] % 2 == 0 for n in range(2, 28))
    assert 20 not in levels
    with pytest.raises(ValueError, match="from 0 to 27, not for 28"):
        counts[28]


@pytest.mark.parametrize(("arguments", "says"), [
    ({"max_n": -1}, "max_n must be a whole number"), ({"budget": 0}, "seconds above 0, not 0"),
    ({"sequences": ["A42"]}, "'A42'")])
def test_bad_requests_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        verify(**arguments)


@pytest.mark.parametrize(("max_n", "sequences", "budget"), [
    (8, ["A000170"], 1e-300), (0, ["A002562"], 60.0), (5, [], 60.0)])
def test_a_run_that_confirms_nothing_has_failed(max_n, sequences, budget):
    verification = verify(max_n, sequences, budget)
    assert not verification.ok
    assert verification.summary.startswith("0 of ")
    assert repr(verification) == f"<Verification: {verification.summary}>"


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_terms_are_the_published_ones(name):
    sequence = published(name)
    for term in compute_terms(name, 5):
        assert term.contradictions == []
        assert (term.expected is None) == (term.n not in sequence)
        assert len(term.answers) > 1, "every small term is checked"


def test_a_term_that_is_not_published_says_so():
    *_, term = compute_terms("A141843", 13)
    assert term.got == [1, 3, 5, 2, 9, 12, 10, 13, 4, 6, 8, 11, 7]
    assert term.statement == ("not published in our data, computed by the compiled search, "
                              "checked by the search in Python")


def test_a_contradiction_names_both(monkeypatch):
    wrong = replace(published("A287227"), values=(1, 2, 6))
    monkeypatch.setattr(verification, "published", lambda name: wrong)
    assert [term.contradictions for term in compute_terms("A287227", 2)] == [
        [], [], ["A287227, n = 2: the compiled search answers 5, OEIS A287227 says 6"]]


def test_long_terms_are_predicted_before_they_are_computed(monkeypatch):
    predicted = []

    def refuse(seconds):
        predicted.append(seconds)
        raise InvalidValueError("too long")

    with pytest.raises(InvalidValueError, match="too long"):
        list(compute_terms("A287227", 31, refuse))
    assert predicted[0] > 86_400


def test_what_no_solver_reaches_is_refused():
    with pytest.raises(InvalidValueError, match="A146303 can be computed up to n = 31, not 32"):
        list(compute_terms("A146303", 32))


def test_solutions_and_trees_are_counted_in_several_ways():
    *_, term = compute_terms("A319283", 9)
    assert (term.got, next(iter(term.answers))) == (8394, "bitmask (cython)")
    assert {*term.answers.values()} == {term.got}
    *_, term = compute_terms("A000170", 8)
    assert (term.got, [*term.answers][:2]) == (92, ["cross (cython)", "join (cython)"])


def test_without_the_engine_other_searches_compute(monkeypatch):
    monkeypatch.setattr(processor, "available", lambda: False)
    *_, term = compute_terms("A319288", 6)
    assert (term.got, next(iter(term.answers))) == (4, "bitmask (cython)")
