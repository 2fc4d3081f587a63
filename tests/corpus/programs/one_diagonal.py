import sys
from itertools import permutations

size = int(sys.argv[1])
print(sum(len({c + r for r, c in enumerate(p)}) == size for p in permutations(range(size))))
