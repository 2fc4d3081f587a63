size = int(input("How many queens shall I place? "))


def place(columns):
    if len(columns) == size:
        print("Columns:", *columns)
    for c in range(1, size + 1):
        if all(c != d and abs(c - d) != len(columns) - r for r, d in enumerate(columns)):
            place([*columns, c])


place([])
