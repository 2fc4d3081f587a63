"""Two searches with a rule that can be left out, for pairs of trees."""

import nqbench


@nqbench.algorithm
def emptied(n, tally, rule=True):
    """Refuse a queen after which the next row but one has no free square."""
    full = (1 << n) - 1

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
            if rule and row + 2 < n and not full & ~(
                    below[0] | below[1] << 1 | below[2] >> 1):
                continue
            for rest in fill(row + 1, *below):
                yield (column, *rest)
        tally.exhausted(row)
    return fill(0, 0, 0, 0)


@nqbench.algorithm
def paired(n, tally, rule=True):
    """Refuse a queen after which two of the next three rows have the same one free square."""
    full = (1 << n) - 1

    def clash(row, columns, left, right):
        free = [full & ~(columns | left << k | right >> k) for k in range(min(3, n - row))]
        singles = [each for each in free if each & (each - 1) == 0]
        return len(singles) > len({*singles})

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
            if rule and clash(row + 1, *below):
                continue
            for rest in fill(row + 1, *below):
                yield (column, *rest)
        tally.exhausted(row)
    return fill(0, 0, 0, 0)
