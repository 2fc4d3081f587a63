import sys
from itertools import permutations

size = int(sys.argv[1])
print([["." * c + "Q" + "." * (size - c - 1) for c in p] for p in permutations(range(size))
       if len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == size])
