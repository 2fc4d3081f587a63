"""A search with a rule of choice, for pairs of trees of which one is within the other."""

import nqbench


@nqbench.algorithm
def ruled(n, tally, rule="none"):
    """Refuse a queen after which the next row but one has no free square ("emptied"), or two of the
    next three rows have the same one ("paired").
    """
    if rule not in ("none", "emptied", "paired"):
        raise ValueError(f"rule must be none, emptied or paired, not {rule!r}")
    full = (1 << n) - 1

    def refuses(row, columns, left, right):
        free = [full & ~(columns | left << k | right >> k) for k in range(min(3, n - row))]
        singles = [each for each in free if each & (each - 1) == 0]
        return (rule == "emptied" and len(free) > 1 and not free[1]) or (
            rule == "paired" and len(singles) > len({*singles}))

    def fill(row, columns, left, right):
        tally.node(row)
        if row == n:
            tally.solution()
            yield ()
            return
        for column in range(n):
            bit = 1 << column
            if (columns | left | right) & bit:
                continue
            tally.test(row, column)
            below = columns | bit, (left | bit) << 1, (right | bit) >> 1
            if refuses(row + 1, *below):
                continue
            for rest in fill(row + 1, *below):
                yield (column, *rest)
        tally.exhausted(row)
    return fill(0, 0, 0, 0)
