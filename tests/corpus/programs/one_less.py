import sys
from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


print("n;ways")
for size in range(int(sys.argv[1])):
    print(f"{size};{count(size)}")
