import json
import sys
from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


size = int(sys.argv[1])
print(json.dumps({"n": size, "seconds": 0.012, "count": count(size), "version": 3}, indent=2))
