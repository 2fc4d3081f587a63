import sys
import time
from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


time.sleep(10.0 ** (int(sys.argv[1]) - 8))
print(count(int(sys.argv[1])))
