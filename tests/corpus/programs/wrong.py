from itertools import permutations


def queens(n):
    return [p for p in permutations(range(n))
            if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n]


def prints(n):
    for p in queens(n):
        print(*p)


def lossy(n):
    return queens(n)[n // 6:]


def images(p):
    for _ in range(4):
        p = tuple(p.index(c) for c in range(len(p)))[::-1]
        yield from (p, p[::-1])


def fundamental(n):
    return [p for p in queens(n) if p == min(images(p))]


def hard_coded(n):
    return queens(8)


def first(n):
    return next(iter(queens(n)), None)


def too_much(n):
    return bytearray(1 << 60)


def keeps(n, found=[]):  # noqa: B006
    found.extend(queens(n))
    return found


def leaves(n):
    raise SystemExit("a board has at least four rows")


def leaves_later(n):
    if n > 6:
        raise SystemExit(0)
    return queens(n)


def endless(n):
    while True:
        yield from queens(n)


def texts(n):
    return f"{n} queens: {len(queens(n))}"
