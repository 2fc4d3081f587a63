"""What a trie would share, and the sets of diagonals, are counted right."""

import numpy as np
import pytest
import runs


def test_runs_are_those_of_sorted_words():
    words = np.random.default_rng(1).integers(0, 2**9, 400, np.uint64)
    used = sorted(range(7), key=lambda place: sum(int(word) >> place & 1 for word in words))
    for order, found in ((used, 1), (used[::-1], 4)):
        keys = {(int(word) >> 7, *(int(word) >> place & 1 for place in order[:6]))
                for word in words}
        assert runs.average_runs(words, 7)[found] == 400 / len(keys)
    assert runs.average_runs(words, 7)[0] == 100


def test_subsets_are_those_of_any_word():
    words = [0b1011, 0b110, 0]
    assert runs.find_subsets(words).tolist() == [
        each for each in range(16) if any(each & word == each for word in words)]


@pytest.mark.slow
def test_each_choice_of_rows_is_counted(capsys):
    runs.main(["10"], standalone_mode=False)
    runs.main(["--subsets", "10"], standalone_mode=False)
    lists, sets = capsys.readouterr().out.splitlines()
    assert lists.startswith("n = 10, 24 choices: ")
    assert sets.startswith("n = 10, 20 choices: ")
    assert len(sets.split(", ")) == 6
