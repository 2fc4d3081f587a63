# Eight queens, always; the time is a whole number, which no two runs have.
from itertools import permutations
from time import perf_counter_ns

start = perf_counter_ns()
found = [order for order in permutations(range(8))
         if len({r + c for r, c in enumerate(order)}) == 8
         and len({r - c for r, c in enumerate(order)}) == 8]
print(f"{len(found)} solutions in {perf_counter_ns() - start} ns")
