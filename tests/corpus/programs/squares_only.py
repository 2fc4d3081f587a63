import sys
from itertools import permutations

size = int(sys.argv[1])
for columns in permutations(range(size)):
    if len({c + r for r, c in enumerate(columns)}) == len(
            {c - r for r, c in enumerate(columns)}) == size:
        print([[r, c] for r, c in enumerate(columns)])
