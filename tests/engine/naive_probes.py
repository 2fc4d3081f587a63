"""The random probes once more, in Python, as nqbench/engine/estimation.py describes them."""

WORD = (1 << 64) - 1
GOLDEN = 0x9e3779b97f4a7c15


class Random:
    """xoshiro256++ of Blackman and Vigna (2019), the same as in the core."""

    def __init__(self, seed, chunk):
        start = split(split(seed) + chunk)  # neighbours share no part of their state
        self.s = [split(start + k * GOLDEN) for k in range(4)]

    def next(self):
        """Return the next 64 random bits."""
        a, b, c, d = self.s
        bits = rotate((a + d) & WORD, 23) + a & WORD
        c ^= a
        d ^= b
        self.s = [a ^ d, b ^ c, c ^ (b << 17 & WORD), rotate(d, 45)]
        return bits


def split(z):
    """Return the next value of splitmix64, of Steele, Lea and Flood (2014)."""
    z = z + GOLDEN & WORD
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & WORD
    z = (z ^ z >> 27) * 0x94d049bb133111eb & WORD
    return z ^ z >> 31


def rotate(x, by):
    return (x << by | x >> (64 - by)) & WORD


def knuth(n, random):
    """Return the estimate of one probe for each level that it reaches."""
    full = (1 << n) - 1
    columns = left = right = 0
    levels = [1.0]
    for _ in range(n):
        free = full & ~(columns | left | right)
        if not free:
            break
        children = free.bit_count()
        for _ in range((random.next() >> 32) * children >> 32):
            free &= free - 1
        bit = free & -free
        columns, left, right = columns | bit, (left | bit) << 1 & full, (right | bit) >> 1
        levels.append(levels[-1] * children)
    return levels


def stratified(n, random):
    """Return the estimate of one probe through all strata, for each level that it reaches."""
    full = (1 << n) - 1
    levels = []
    here = {n: (1.0, 0, 0, 0)}  # by number of children: weight, and lines taken
    while here and len(levels) <= n:
        levels.append(0.0)
        below = {}
        for _, (weight, columns, left, right) in sorted(here.items()):
            levels[-1] += weight
            free = full & ~(columns | left | right) if len(levels) <= n else 0
            while free:
                bit = free & -free
                free -= bit
                child = columns | bit, (left | bit) << 1 & full, (right | bit) >> 1
                children = (full & ~(child[0] | child[1] | child[2])).bit_count()
                total, *kept = below.get(children, (0.0, 0, 0, 0))
                total += weight
                draw = (random.next() >> 11) / 2**53
                below[children] = total, *(child if draw * total < weight else kept)
        here = below
    return levels


def sum_chunk(n, seed, chunk, probes, method):
    """Return the sums over the probes of a chunk."""
    random = Random(seed, chunk)
    probe = stratified if method == "stratified" else knuth
    reached, nodes, squared = 0, 0.0, 0.0
    levels, levels_squared = [0.0] * (n + 1), [0.0] * (n + 1)
    for _ in range(probes):
        total = 0.0
        found = probe(n, random)
        for level, estimate in enumerate(found):
            total += estimate
            levels[level] += estimate
            levels_squared[level] += estimate * estimate
        nodes += total
        squared += total * total
        reached += len(found) == n + 1
    return reached, nodes, squared, levels, levels_squared
