"""Damage files at random, and repeat a test for some seconds.

What is damaged is a file of tests/corpus/: changes of valid files reach code that random bytes
never reach. A change takes the bytes of a file, a random generator and the bytes of another file,
and returns other bytes: of a line, or of a number, name or value of JSON or TOML.
"""

import json
import os
import re
import time
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

CORPUS = Path(__file__).parent / "corpus"
SECONDS = float(os.environ.get("FUZZ_SECONDS", 0))  # of all tests with the marker `fuzz`
TESTS = 6  # with that marker
CHANGES = 5  # of a file, at most
MANY = 1 << 18  # bytes of a part that is repeated

NUMBERS = [b"0", b"1", b"-1", b"2", b"7", b"8", b"31", b"32", b"33", b"64", b"65", b"400", b"1000",
           b"1001", b"4294967296", b"18446744073709551615", b"18446744073709551616", b"9" * 299,
           b"9" * 301, b"9" * 5000, b"1e3", b"1e999", b"-0.0", b"1e-320", b"0x10", b"0o7", b"007",
           b"1_000", b"+1", b"nan", b"NaN", b"-inf", b"Infinity", "\u0663".encode(), b"2 ** 70"]
WORDS = [b"", b" ", b"\n", b"\r\n", b"\r", b"\t", b"\0", b"\x0b", b"\x1b[31m", b"\xff", b"\xc3",
         b"\xef\xbb\xbf", b"\xed\xa0\x80", "\u2028".encode(), "\u202e".encode(), "é".encode(),
         b"#", b",", b":", b"=", b"|", b".", b"-", b'"', b"'", b"\\", b"\\ud800", b"[", b"]", b"{",
         b"}", b"[" * 40, b"[" * 20_000, b"true", b"null", b"None", b"@", b"@cython", b"{n}",
         b"1979-05-27", b"1979-05-27T07:32:00Z", b"'''", b'"""', b"%s", b"x" * 2000]
VALUES = [None, True, False, 0, 1, -1, 8, 64, 65, 1 << 64, -(1 << 70), 10**299, 0.5, 1e-320, 1e300,
          "", "a", "0", "8", "measured", "queens", "nodes", "A000170", "x" * 3000, "one\ntwo",
          "\ud800", "\x1b[2J", "2026-11-21T08:00:00.000+00:00", [], {}, [[]], [1], ["a"], [None],
          {"n": 8}, {"": ""}, {"one\ntwo": 1}, [[0, 1], [2]], [{}]]
NESTED_OR_LONG = ["[" * 5000 + "]" * 5000, "9" * 5000, "-" + "9" * 5000, "0x" + "f" * 5000, "1e999",
                  "NaN"]  # in place of a number
TOKEN = re.compile(rb'"[^"\n]*"|-?\d+(\.\d+)?|\w+|\[[^\[\]]*\]|\{[^{}]*\}')


def change_bytes(content, random, _):
    """Replace, remove or insert some bytes."""
    at = random.randint(0, len(content))
    until = at + random.choice((0, 0, 1, 2, random.randint(0, 200)))
    return content[:at] + random.choice([*WORDS, random.randbytes(2)]) + content[until:]


def cut(content, random, _):
    """Remove the end."""
    return content[:random.randint(0, len(content))]


def repeat(content, random, _):
    """Repeat some bytes, seldom very often."""
    at = random.randrange(len(content) or 1)
    part = content[at:at + random.randint(1, 60)]
    times = random.choice((2, 3, 40, 1000 if random.random() < 0.1 else 2,
                           MANY if random.random() < 0.01 else 2))
    return content[:at] + part * min(times, MANY // max(len(part), 1)) + content[at:]


def change_lines(content, random, other):
    """Keep few lines; remove, repeat, exchange or insert one, or insert two of another file."""
    lines, more = (each.splitlines(keepends=True) for each in (content, other))
    at, to = (random.randrange(len(lines) or 1) for _ in range(2))
    match random.randrange(5):
        case 0:
            lines[1:] = lines[max(at, 1):at + 3]
        case 1:
            del lines[at:at + 1]
        case 2:
            lines[to:to] = lines[at:at + 1]
        case 3 if lines:
            lines[at], lines[to] = lines[to], lines[at]
        case 4 if more:
            begin = random.randrange(len(more))
            lines[at:at] = more[begin:begin + 2]
    return b"".join(lines)


def change_tokens(content, random, other):
    """Replace a number, a name, a text, a list or an object by another, or exchange two."""
    here, more = [*TOKEN.finditer(content)], [*TOKEN.finditer(other)]
    if not here:
        return content
    one, two = sorted(random.choices(here, k=2), key=lambda found: found.start())
    if random.random() < 0.2 and one.end() <= two.start():
        between = content[one.end():two.start()]
        return content[:one.start()] + two[0] + between + one[0] + content[two.end():]
    token = random.choice([
        random.choice(NUMBERS), b"%d" % random.randint(-2, 100),
        json.dumps(random.choice(VALUES)).encode(), *(found[0] for found in random.choices(
            more or here, k=2))])
    return content[:one.start()] + token + content[one.end():]


@st.composite
def damaged(draw, contents):
    """The bytes of one of these files after some changes."""
    random = Random(draw(st.integers(0, 1 << 62)))
    content = random.choice(contents)
    for _ in range(draw(st.integers(0, CHANGES))):
        change = random.choice((change_tokens, change_bytes, cut, repeat, change_lines))
        content = change(content, random, random.choice(contents))
    return content


def read_corpus(kind):
    """Return the bytes of the files of a folder of the corpus, by their names."""
    return {path.name: path.read_bytes() for path in sorted((CORPUS / kind).iterdir())}


def until_time_is_up(run, examples=100):
    """Call `run` with settings of Hypothesis: again and again with other examples, until the share
    of the seconds that one test has is over; without seconds once, with the same ones each time.
    """
    end = time.monotonic() + SECONDS / TESTS
    chosen = settings(max_examples=examples, deadline=None, derandomize=not SECONDS,
                      print_blob=True, suppress_health_check=[*HealthCheck])
    run(chosen)
    while time.monotonic() < end:
        run(chosen)
