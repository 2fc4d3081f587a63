from itertools import permutations


def queens(n):
    return [p for p in permutations(range(n))
            if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n]


def raises(n):
    if n < 4:
        raise ValueError("no board is that small")
    return queens(n)


def none(n):
    return queens(n) or None


def only_from_four(n):
    return queens(n) if n >= 4 else []


def false(n):
    return len(queens(n)) or False
