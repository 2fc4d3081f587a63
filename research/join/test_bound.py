"""The bound counts the look-ups of a device, and samples a count."""

import bound
import numpy as np


def test_the_bound_counts_the_words_that_a_device_looks_up():
    """Those of classes that share no index bit with some word of a piece, in each table."""
    random_words, index_bits, rest_bits = np.random.default_rng(1), 3, 8
    pieces, words = (np.sort(random_words.integers(0, 2**11, size, np.uint64))
                     for size in (3_000, 500))
    classes = words >> rest_bits
    counted = bound.Bound()
    counted.copy(memoryview(pieces), memoryview(words), memoryview(np.searchsorted(
        classes, np.arange(33) / 4).astype(np.uint32)))
    counted.meet((0, 2_500), (0, 2), (index_bits, rest_bits), 1, bytearray(1))
    met = sum(bool((pieces[at:min(at + counted.piece, 2_500)] >> rest_bits & each == 0).any())
              for at in range(0, 2_500, counted.piece) for each in classes)
    assert 0 < met < 3 * 500
    assert counted.looked_up == dict.fromkeys(bound.UNITS, 2 * met)
