import sys

if len(sys.argv) != 2 or not sys.argv[1].isdigit():
    print("Usage: refuses.py N")
    sys.exit(1)
size = int(sys.argv[1])
if size < 4:
    print("4 queens at least")
    sys.exit(1)
boards = [[]]
for row in range(size):
    boards = [[*board, [row, c]] for board in boards for c in range(size)
              if all(c != d and abs(c - d) != row - r for r, d in board)]
for board in boards:
    print(board)
