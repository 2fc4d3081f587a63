# Eight queens, always: all in one line, then their number.
def partial(rows):
    if not rows:
        return [()]
    return [(*columns, c) for columns in partial(rows - 1) for c in range(8)
            if all(abs(c - d) not in (0, rows - 1 - r) for r, d in enumerate(columns))]


print(partial(8))
print(len(partial(8)))
