"""Terms of sequences are computed, checked by others, and compared."""

from dataclasses import replace

import pytest

from nqbench import terms
from nqbench.errors import InvalidValueError
from nqbench.reference import SEQUENCES, published
from nqbench.terms import compute_terms


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_terms_are_the_published_ones(name):
    sequence = published(name)
    for term in compute_terms(name, 5):
        assert term.contradictions == []
        assert (term.published is None) == (term.n not in sequence)
        assert term.answers, "every small term is checked"


def test_a_term_that_is_not_published_says_so():
    *_, term = compute_terms("A141843", 13)
    assert term.value == [1, 3, 5, 2, 9, 12, 10, 13, 4, 6, 8, 11, 7]
    assert term.statement == ("not published in our data, computed by the compiled search, "
                              "checked by the search in Python")


def test_a_contradiction_names_both(monkeypatch):
    wrong = replace(published("A287227"), values=(1, 2, 6))
    monkeypatch.setattr(terms, "published", lambda name: wrong)
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


def test_known_costs_predict_a_term():
    squares = published("A140450")
    known = terms.Term("A140450", 33, 4_618_568_460, "the compiled search", seconds=0.1)
    assert squares.cost(33) == 139_956_603 + 500 * 194_702
    assert 3_000 < terms._predict(squares, known, 42) < 30_000
    assert terms._predict(squares, known, 48) is None
    assert terms._predict(published("A000170"), known, 20) is None


def test_what_no_solver_reaches_is_refused():
    with pytest.raises(InvalidValueError, match="A146303 can be computed up to n = 31, not 32"):
        list(compute_terms("A146303", 32))


def test_exact_trees_are_counted_by_the_engine_in_both_orders():
    *_, term = compute_terms("A319283", 14)
    assert (term.value, term.computed_by) == (27_358_553, "levels outwards")
    assert term.answers["levels downwards"] == term.value


def test_both_engines_count_the_solutions():
    *_, term = compute_terms("A000170", 10)
    assert (term.value, term.computed_by) == (724, "cross (cython)")
    assert next(iter(term.answers)) == "join (cython)"


def test_without_the_engine_other_searches_compute(monkeypatch):
    monkeypatch.setattr(terms, "available", lambda: False)
    *_, term = compute_terms("A319288", 6)
    assert (term.value, term.computed_by) == (4, "bitmask (cython)")
