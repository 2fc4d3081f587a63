"""Predict the cost of a search at n from the smaller n that were measured.

Search trees grow by a factor that itself grows slowly with n, and that alternates between even and
odd n if a mirror is used. So growth is measured over two rows:

    cost(n) = cost(n-1) x cost(n-2) / cost(n-3) x a margin
"""

from collections.abc import Hashable
from math import inf

MARGIN = 1.3    # the factor of growth also grows
UNKNOWN = 10.0  # growth assumed while fewer than three sizes are known
HUGE = 1e100    # seconds; anything longer counts as infinite
MIN_GROWTH = 2.0     # least assumed growth, because the smallest sizes take only the time of a call


class Forecast:
    """Measured costs by key and n, and the prediction for the next n.

    Examples
    --------
    >>> forecast = Forecast()
    >>> forecast.predict("bitmask", 7)  # nothing known
    0.0
    >>> for n, seconds in [(9, 0.2), (10, 0.9), (11, 4.5)]:
    ...     forecast.add("bitmask", n, seconds)
    >>> round(forecast.predict("bitmask", 12), 1)
    26.3
    >>> forecast.predict("bitmask", 13) > 100
    True
    """

    def __init__(self) -> None:
        self._costs: dict[Hashable, dict[int, float]] = {}

    def add(self, key: Hashable, n: int, seconds: float) -> None:
        """Record the cost of size n."""
        self._costs.setdefault(key, {})[n] = seconds

    def knows(self, key: Hashable) -> bool:
        """Return whether any size was measured."""
        return key in self._costs

    def predict(self, key: Hashable, n: int) -> float:
        """Return the seconds that size n will take, 0 if no smaller size is known."""
        known = self._costs.get(key, {})
        if n in known:
            return known[n]
        smaller = [m for m in known if m < n]
        if not smaller:
            return 0.0
        costs = {m: known[m] for m in smaller}
        for m in range(max(smaller) + 1, n + 1):
            window = [costs.get(m - k, 0.0) for k in (1, 2, 3)]
            growth = max(window[1] / window[2], MIN_GROWTH) * MARGIN if min(window) else UNKNOWN
            costs[m] = window[0] * growth
            if costs[m] > HUGE:
                return inf
        return costs[n]
