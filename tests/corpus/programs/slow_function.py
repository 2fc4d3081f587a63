from itertools import permutations


def queens(n):
    return [p for p in permutations(range(n))
            if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n]


def slow(n):
    import time
    time.sleep(10.0 ** (n - 8))
    return queens(n)
