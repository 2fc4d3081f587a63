import sys
from itertools import permutations

size, found = int(sys.argv[1]), 0
for columns in permutations(range(size)):
    if len({c + r for r, c in enumerate(columns)}) == len(
            {c - r for r, c in enumerate(columns)}) == size:
        found += 1
        print(f"Solution {found}:", *[".Q"[c == k] for c in columns for k in range(size)])
if not found:
    print("There is no solution")
