import sys
from itertools import permutations

size = int(sys.argv[1])


def queens(n=size):
    return [p for p in permutations(range(n))
            if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n]


print(len(queens()))
