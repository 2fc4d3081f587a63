def place(n, begun):
    if len(begun) == n:
        return [begun]
    return [p for c in range(n)
            if all(c != d and abs(c - d) != len(begun) - r for r, d in enumerate(begun))
            for p in place(n, (*begun, c))]


def queens(n):
    return place(n, ())


def boards(n):
    return [["Q".rjust(c + 1, ".").ljust(n, ".") for c in p] for p in queens(n)]


def arrays(n):
    import numpy as np
    return np.array(queens(n)) if n else np.zeros((1, 0), int)


def two_dimensional(n):
    import numpy as np
    return [np.eye(n, dtype=int)[list(p)] for p in queens(n)]


def rows_with_blanks(n):
    return [[" ".join(".Q"[c == k] for k in range(n)) + " " for c in p] for p in queens(n)]


def texts(n):
    return ["\n".join(rows) for rows in boards(n)]


def texts_with_end(n):
    return ["".join(f"{row}\n" for row in rows) for rows in boards(n)]


def tuples_of_texts(n):
    return tuple(map(tuple, boards(n)))


def generators(n):
    return ((c for c in p) for p in queens(n))


def from_one(n):
    return [tuple(c + 1 for c in p) for p in queens(n)]


def set_of_tuples(n):
    return set(queens(n))


def frozen_squares(n):
    return {frozenset(enumerate(p)) for p in queens(n)}


def dicts(n):
    return [dict(enumerate(p)) for p in queens(n)]


def counter(n):
    from collections import Counter
    return Counter(queens(n))


def digits(n):
    return [" ".join(str(c + 1) for c in p) for p in queens(n)]


def chess_squares(n):
    return [["abcdefghij"[c] + str(r + 1) for r, c in enumerate(p)] for p in queens(n)]


def number_of_numpy(n):
    import numpy as np
    return np.int64(len(queens(n)))


def float_number(n):
    return float(len(queens(n)))


def reports(n, report):
    for p in queens(n):
        report(p)


def with_number(n):
    return len(queens(n)), queens(n)
