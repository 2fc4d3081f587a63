"""Ratios of times, taken round by round.

Sample i of two points of one run and n were measured shortly after one another, so
what slows the machine for a while slows both. The ratio of two medians from
different moments has no such protection, and is not used.
"""

import pandas as pd

Solver = tuple[str, str]  # algorithm, implementation


def ratio(over: list[float], under: list[float]) -> tuple[float, float, float]:
    """Return median, smallest and largest of over[i] / under[i].

    >>> ratio([2.0, 4.4, 6.0], [1.0, 2.0, 3.0])
    (2.0, 2.0, 2.2)
    """
    quotients = pd.Series([a / b for a, b in zip(over, under, strict=True)])
    return float(quotients.median()), float(quotients.min()), float(quotients.max())


def ratios(timings: pd.DataFrame, over: Solver, under: Solver) -> pd.DataFrame:
    """Return the time of `over` as a multiple of that of `under`, for each n that both
    have: n, ratio (median), low, high, over_seconds, under_seconds (medians).
    """
    sides = []
    for side, (algorithm, implementation) in (("over", over), ("under", under)):
        mine = timings[(timings["algorithm"] == algorithm)
                       & (timings["implementation"] == implementation)]
        sides.append(mine.set_index("n")[["samples", "median"]].add_prefix(f"{side}_"))
    both = sides[0].join(sides[1], how="inner").sort_index()
    rows = [(n, *ratio(row.over_samples, row.under_samples), row.over_median, row.under_median)
            for n, row in both.iterrows()]
    return pd.DataFrame(rows, columns=["n", "ratio", "low", "high", "over_seconds",
                                       "under_seconds"])
