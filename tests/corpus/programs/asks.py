from itertools import permutations


def count(n):
    return sum(len({c + r for r, c in enumerate(p)}) == len({c - r for r, c in enumerate(p)}) == n
               for p in permutations(range(n)))


size = int(input("Enter the number of queens: "))
print(f"{count(size)} solutions")
