import sys
from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


size = sys.argv[1]
if not isinstance(size, int):
    print("N must be a number")
    sys.exit(1)
print(count(size))
