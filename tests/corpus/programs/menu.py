def place(n, columns=()):
    if len(columns) == n:
        return 1
    return sum(place(n, (*columns, c)) for c in range(n)
               if all(abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns)))


print("1) count  2) draw")
action = int(input("What do you want? "))
n = int(input("Queens: "))
print("Ways:", place(n) if action == 1 else "not drawn")
