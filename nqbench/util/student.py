"""Student's t."""


def quantile(freedom: float, level: float = 0.975) -> float:
    """Return the quantile of Student's t, by default that of a two-sided 95 % interval.

    >>> round(quantile(4), 3)
    2.776
    """
    from scipy.special import stdtrit  # which takes long to load

    return float(stdtrit(freedom, level))
