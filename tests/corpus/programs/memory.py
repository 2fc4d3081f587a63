import sys

board = bytearray(1 << 60)
print(len(board), sys.argv[1])
