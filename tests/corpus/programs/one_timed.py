# One solution for six queens, always, and a time.
from time import perf_counter

start = perf_counter()


def extend(columns):
    if len(columns) == 6:
        return columns
    for c in range(6):
        if all(c != d and abs(c - d) != len(columns) - r for r, d in enumerate(columns)):
            found = extend([*columns, c])
            if found:
                return found
    return None


for column in extend([]):
    print("- " * column + "Q " + "- " * (5 - column))
print("Time needed:", perf_counter() - start)
