"""Entries of a race that attack it. Each is a function of n, or a program; FOLDER is their own."""

COUNT = """
def queens(n, columns=()):
    return 1 if len(columns) == n else sum(queens(n, (*columns, c)) for c in range(n) if all(
        abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns)))
"""
FAILS = """
def fails(action, *errors):
    try:
        action()
    except errors or OSError:
        return True
    raise SystemError("it was not kept from it")
"""
# Attacks that come to nothing: the entry itself finds that out, and is right.
IN_VAIN = {
    "reads": """
fails(lambda: open('FOLDER/honest.py'))  # its neighbour
fails(lambda: os.listdir('FOLDER/..'))  # the files of the teacher
fails(lambda: open('/dev/mem'))
fails(lambda: os.mknod('b', 0o60600, 2048))
fails(lambda: open('/etc/shadow'))
for p in filter(str.isdigit, os.listdir('/proc')):
    assert 'TEACHER' not in open(f'/proc/{p}/environ').read()
    assert p == '1' or b'nqbench-race' not in open(f'/proc/{p}/cmdline', 'rb').read()
""",
    "writes": """
fails(lambda: open('FOLDER/honest.py', 'w'))
fails(lambda: open('/usr/bin/attack', 'w'))
fails(lambda: open('/attack', 'w'))
fails(lambda: os.utime('FOLDER/honest.py', (0, 0)))  # its age
""",
    "kills": """
fails(lambda: os.kill(-1, 9))  # all
os.kill(os.getppid(), 9)
os.kill(1, 15)
fails(lambda: os.setuid(0))
fails(lambda: os.chroot('/tmp'))
""",
    "calls": """
fails(lambda: socket.create_connection(('127.0.0.1', PORT), 1))
fails(lambda: socket.getaddrinfo('example.org', 80))
fails(lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
time.perf_counter = time.process_time = time.time = lambda: 0.0
""",
    "leaves a cache and a daemon": """
for folder in ("/tmp", "/dev/shm", "."):
    path = os.path.join(folder, "cache")
    assert not os.path.exists(path), path
    open(path, "w").close()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for stream in range(3):
            os.close(stream)
        os.execvp("sleep", ["sleep", "98765"])
    os._exit(0)
""",
    "fills": """
for folder in (".", "/tmp", "/dev/shm"):
    with open(os.path.join(folder, "large"), "wb") as file:
        fails(lambda: os.posix_fallocate(file.fileno(), 0, 1 << 29))
fails(lambda: bytearray(1 << 46), MemoryError)
print('92\\n' * 10**6)
os.close(0), os.close(2)
""",
}
# Attacks that end their entry, with its first mistake; {} is a function that counts.
ENDED = {
    "ends at once": ("import os; os._exit(0)\n{}", ""),
    "ends as it is imported": ("import sys; sys.exit(0)\n{}", ""),
    "kills its group": ("import os; os.killpg(0, 9)\n{}", "was killed by SIGKILL"),
    "answers by a pickle": (
        "def queens(n):\n class A:\n  def __reduce__(self): return print, ('owned',)\n return A()",
        "which is not a number of solutions"),
    "answers nothing": ("def queens(n): pass", "it returns None"),
    "answers a huge number": ("def queens(n): return 10**4000", "300 digits"),
    "answers no number": ("def queens(n): return float('nan')", "NaN"),
    "has no end of calls": ("def queens(n): return queens(n)", "RecursionError"),
    "has a deep expression": ("def queens(n): return " + "1+" * 200_000 + "1", "Error"),
    "has deep brackets": (
        "def queens(n): return " + "(" * 5000 + ")" * 5000, "too many nested parentheses"),
    "is no Python": ("def queens(n:", "SyntaxError: '(' was never closed"),
    "has zero bytes": ("def queens(n): return 1\0", "Error: source code"),
    "has another encoding": ("def queens(n): return '\udce9'", "SyntaxError"),
}
PROGRAMS = {
    "forges": ("""echo '{"solutions": NaN}'""", ""),
    "forges more": ("""echo '{"solutions": 1e999, "solutions": -4}'""", ""),
    "prints on both streams": ("yes & yes >&2", "printed more than"),
    "closes its output": ("exec >&- 2>&-", ""),
    "waits for its input": ("cat; read line", ""),
    "is killed": ("kill -KILL $$", "was killed by SIGKILL"),
    "prints a pickle": (r"printf '\200\004K\134.'", ""),
}
