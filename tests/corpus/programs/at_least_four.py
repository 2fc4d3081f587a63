import sys
from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


if len(sys.argv) != 2:
    sys.exit("Usage: at_least_four.py N")
if int(sys.argv[1]) < 4:
    print("N must be 4 or more")
    sys.exit(1)
print(count(int(sys.argv[1])))
