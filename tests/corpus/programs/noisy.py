import io
import os
import sys
from itertools import permutations

sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8")
os.chdir("/")


def queens(n):
    return [p for p in permutations(range(n))
            if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n]


def noisy(n):
    for k, p in enumerate(queens(n), 1):
        print(f"solution {k} of {n} queens")
        yield p
