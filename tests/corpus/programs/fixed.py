# A script for seven queens, without a function.
from itertools import permutations

size = 7
for columns in permutations(range(size)):
    if all(len({columns[r] + sign * r for r in range(size)}) == size for sign in (-1, 1)):
        print(columns)
