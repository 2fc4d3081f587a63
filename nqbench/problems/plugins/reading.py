"""Find the number of solutions in what a program prints, and say why if there is none.

One output does not say which of its numbers is meant: `8 queens, 92 solutions, 12 ms`. Two do: a
number that is Q(5) for 5 queens and Q(6) for 6, at the same place, is the count; a size, a time, a
date or a percentage is neither. A place is described by patterns, the narrowest first:

1. the whole line, whose other numbers may change: `.. queens, N solutions, .. ms`
2. the words before the number, or those after it, in the last line that has them
3. without words: a line that is a number, else the line and the number in it by position
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, product

from nqbench.problems.published import published
from nqbench.util.text import both_ends

# A count: no part of another number, not negative, perhaps with digits in groups, or as a float.
NO_PART = r"(?<!\d)(?<!\d\.)(?<![\s=:(\[,]-)(?<!^-)"
GROUPS = r"\d+(?=\.0+(?!\d))|\d{{1,3}}(?:[,_'.\u00a0\u2009\u202f{}]\d{{3}})+(?!\d)|\d+"
COUNT = rf"{NO_PART}({GROUPS.format('')})(?:\.0+)?(?!\d|\.\d)"
IN_LINE = rf"{NO_PART}({GROUPS.format(' ')})(?:\.0+)?(?!\d|\.\d)"  # the rest of which is known
# Any other number: a size, a time, a percentage. A pattern has many: each must end in one way. No
# quantifier is possessive: the first versions of Python 3.11 read what such a one has given back.
ANY = (r"(?:0x[\da-f]+(?![\da-f])|(?!0x)[-+]?(?:\d{1,3}(?:[,_']\d{3})+(?!\d)|\d+)"
       r"(?:[.:]\d+)*(?![.:]\d)(?:[eE][-+]?\d+|(?![eE][-+]?\d)))(?!\d)")
SEPARATORS = re.compile(r"\D")  # of groups of digits
LETTER = re.compile(r"[^\W\d_]+")
# What a terminal does not show: colours, titles, what a backspace deletes.
UNSEEN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])|.\x08|"
                    r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
LINE_END = re.compile(r"\r+\n?")
INPUT_HINT = "; if it reads n from its standard input, give it there: "
LINES_HINT = "; if it reads more lines, echo each of them, as in (echo 1; echo {n}) | ..."
FIXED_HINT = "; if n is fixed in its source, let it read n there"
TOLD = "the number of 'solutions' in the JSON of its last line"
INNER_SHELL = r"(?<![\w/])sh -c ((?:'[^']*'|\"[^\"]*\")+)(?=[ )]|$)"
MOST_NUMBERS = 60  # numbers at each end of an output that are tried
SHOWN = 100  # characters of a line in a message
PROMPT = re.compile(r"\b(?:enter|input|type|give|how many|number of|size)\b[^\n]*[:?>=]\s*$|"
                    r"\bEOF|end.of.(?:file|input)|no line found|nosuchelement|rb_sysopen",
                    re.I | re.M)
DECIMAL = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?")  # such as a time, which no two runs have
# Of error outputs: a line of the source that is repeated above its mark, lines that never say why,
# and the words and the positions in a file that those have that do.
ECHOED = re.compile(r"^.*\n[ \t]*\^[~^ \t]*$\n?", re.M)
STACK = re.compile(r"^(?:stack traceback|Stack trace|stack backtrace|goroutine \d+)\b", re.M)
NOISE = re.compile(r"ld returned|^\d+ errors?\b|in function|^at |^from |^note: |warning|^#|"
                   r"^Picked up|^exit status|"
                   r"^Node\.js v|^make: |terminate called|^Usage", re.I)
WHY = re.compile(r"error|exception|panic|fatal|undefined|what\(\):|not found|no such|cannot|can't|"
                 r"unable|attempt|failed|denied|invalid|illegal|abort|overflow|out of|must|"
                 r"unexpected", re.I)
POSITION = re.compile(r"^(?:\S+: )?\S+:\d+(?::\d+)?:? ")
NAMES_COUNT = re.compile("sol|count|total|ways|found|arrange|placement|result|answer", re.I)


@dataclass(frozen=True)
class Place:
    """Where the number of solutions is in a clean output.

    Attributes
    ----------
    words
        the place in words.
    patterns
        regular expressions whose first group is the number, in the order in which they are tried;
        the last match is taken.
    line, number
        without patterns: the line, and the number in it, from 0, or from -1 backwards.

    Examples
    --------
    >>> place = find_place({5: "5 queens: 10 solutions, 2 distinct",
    ...                     6: "6 queens: 4 solutions, 1 distinct"})
    >>> place.words, place.read("8 queens: 92 solutions, 12 distinct")
    ("the number before 'solutions'", 92)
    """

    words: str
    patterns: tuple[str, ...] = ()
    line: int = 0
    number: int = 0

    def read(self, output: str) -> int | None:
        """Return the number at this place; None if there is none."""
        for pattern in self.patterns:
            found = find_last(pattern, output)
            if found is not None:
                return _value(found)
        with suppress(IndexError):
            if not self.patterns:
                return _value(re.findall(ANY, output.split("\n")[self.line])[self.number])
        return None


def find_last(pattern: str, output: str) -> str | None:
    """Return the first group of the last match of a pattern; None if there is no match.

    >>> find_last("in (.*) s", "in 0.5 s\\nin 0.25 s"), find_last("in (.*) s", "92")
    ('0.25', None)
    """
    found = [match[1] or "" for match in re.finditer(pattern, output, re.MULTILINE)]
    return found[-1] if found else None


def clean(output: str) -> str:
    r"""Return what a terminal shows of an output, with a line for each state of a line.

    >>> clean("\x1b[1m92\x1b[0m found\r\n 5 %\r10 %\n")
    '92 found\n 5 %\n10 %'
    """
    return UNSEEN.sub("", LINE_END.sub("\n", output)).rstrip()


def read_told(output: str) -> dict[str, int]:
    r"""Return the whole numbers of a JSON object in the last line; none if it is something else.

    >>> read_told('8 queens\n{"solutions": 92, "nodes": 2057, "seconds": 0.1}')
    {'solutions': 92, 'nodes': 2057}
    """
    with suppress(ValueError, RecursionError):
        told = json.loads(output.rstrip().rpartition("\n")[2])
        if isinstance(told, dict):
            return {name: value for name, value in told.items()
                    if type(value) is int and value >= 0}
    return {}


def find_place(outputs: Mapping[int, str], sequence: str = "A000170", shift: int = 0
               ) -> Place | None:
    """Return the place at which two of these outputs, by n, have the values of a sequence, or those
    for n + shift; None if there is none. Other values than the counts must be those of all outputs.
    """
    known = {n: published(sequence)[n + shift] for n in outputs}
    for n, m in combinations(outputs, 2):
        asked = (n, m) if (sequence, shift) == ("A000170", 0) else outputs
        fitting = [each for each in _places(outputs[n], known[n])
                   if all(each.read(outputs[k]) == known[k] for k in asked)]
        if fitting and known[n] != known[m]:
            return _join(fitting)
    return None


def find_wrong_place(outputs: Mapping[int, str]) -> Place | None:
    """Return the place that a program must mean that counts wrongly: the only one whose number
    changes with n and is not n itself, or the only one of these beside a word such as "solutions".
    None of a program that seems to ignore n is one, as what changes may be its time.
    """
    if _ignores_n(*[*outputs.values()][:2]):
        return None
    found: dict[tuple[int | None, ...], list[Place]] = {}
    for place in _places(next(iter(outputs.values()))):
        values = *map(place.read, outputs.values()),
        if None not in values and values != (*outputs,) and len({*values}) > 1:
            found.setdefault(values, []).append(place)
    named = {values: places for values, places in found.items()
             if NAMES_COUNT.search(places[0].words)} or found
    return _join(*named.values()) if len(named) == 1 else None


def _ignores_n(first: str, second: str) -> bool:
    """Return whether two outputs are the same but for decimals, or have the count of a usual board
    at the same place.
    """
    return DECIMAL.sub("", first) == DECIMAL.sub("", second) or any(
        each.read(first) == each.read(second) in published("A000170").values[7:15]
        for each in _places(first))


def _value(text: str) -> int | None:
    """Return the count that a text is; None if it is something else.

    >>> _value("14,200"), _value("92.0"), _value("0.92")
    (14200, 92, None)
    """
    match = re.fullmatch(IN_LINE, text)
    with suppress(ValueError):  # Python reads a limited number of digits
        return int(SEPARATORS.sub("", match[1])) if match else None
    return None


def _join(places: list[Place]) -> Place:
    """Return places of the same number as one, that of the first."""
    return replace(places[0], patterns=tuple(dict.fromkeys(
        pattern for each in places for pattern in each.patterns)))


def _places(output: str, wanted: int | None = None) -> Iterator[Place]:
    """Yield the places of the numbers of an output, of those that have the wanted value: narrow
    ones before wide ones, and of these the last number first.
    """
    lines = output.split("\n")
    found = [(row, re.split(ANY, line), number) for row, line in enumerate(lines)
             for number, text in enumerate(re.findall(ANY, line))
             if (value := _value(text)) is not None and wanted in (None, value)]
    found = found[:-MOST_NUMBERS - 1:-1] + found[MOST_NUMBERS - 1::-1] * (len(found) > MOST_NUMBERS)
    ways = [_ways(texts, number) for _, texts, number in found]
    for kind in zip(*ways, strict=True):
        for pattern, words in {pattern: words for words, pattern in reversed(kind)}.items():
            yield from [Place(words, (pattern,))] * bool(pattern)
    for row, texts, number in found:
        for line, place in product((row - len(lines), row), (number, number - len(texts) + 1)):
            yield Place(f"number {_ordinal(place)} of line {_ordinal(line)}", (), line, place)


def _ordinal(place: int) -> str:
    """Return a place that counts from 0, or backwards from -1, in words.

    >>> _ordinal(0), _ordinal(-1)
    ('1', '1 from the end')
    """
    return f"{place + 1}" if place >= 0 else f"{-place} from the end"


def _ways(texts: list[str], number: int) -> list[tuple[str, str]]:
    """Return four ways to find a number of a line, given the texts around its numbers, in words and
    as a pattern: by the line, by the texts before and after it, and by the word after it. A way is
    empty if it has no words; a line of many numbers is a list, which has no form of its own.
    """
    before, after = texts[number:number + 2]
    many, word = len(texts) - 1, LETTER.search(after)
    words = (f"the number before {word[0]!r}" if word and (
                NAMES_COUNT.match(word[0]) or not LETTER.search(before)) else
             f"the number after {before.strip(' ,;|')!r}" if LETTER.search(before) else
             "the number alone in its line" if many == 1 and not before.strip() + after.strip() else
             "N in {!r}".format("".join(
                 text + ["", ".." if place != number else "N"][place < many]
                 for place, text in enumerate(texts)).strip()[:SHOWN]))
    line = "".join(_pattern(text) + ["", IN_LINE if place == number else ANY][place < many]
                   for place, text in enumerate(texts))
    return [(words, f"^{line}$" * (many <= MOST_NUMBERS)),
            (words, f"{'^' * (not number)}{_pattern(before)}{COUNT}" * bool(LETTER.search(before))),
            (words, f"{COUNT}{_pattern(after)}{'$' * (number == many - 1)}" * bool(word)),
            (words, COUNT + _pattern(after[:word.start()])
             + rf"{re.escape(word[0].removesuffix('s'))}s?\b" if word else "")]


def _pattern(text: str) -> str:
    """Return the pattern of a text whose blanks may change."""
    return r"[ \t]*".join(map(re.escape, re.split(r"[ \t]+", text)))


def find_hint(counted: Mapping[int, int]) -> str:
    """Return what wrong counts by n are instead, to be added to a message; empty if unknown.

    >>> find_hint({1: 1, 2: 0, 3: 0, 4: 1}), find_hint({0: 92, 1: 92})
    ('; these are the fundamental ones (A002562)', '; it counts the same for every n: does it ...')
    """
    sizes = [n for n in counted if n]
    for sequence, shift, words in (("A002562", 0, "; these are the fundamental ones (A002562)"),
                                   ("A000170", -1, "; these are those for n - 1"),
                                   ("A000170", 1, "; these are those for n + 1")):
        known = published(sequence)
        if len(sizes) > 1 and all(counted[n] == known.get(n + shift) for n in sizes):
            return words
    return "; it counts the same for every n: does it read n?" * (
        len(counted) > 1 and len({*counted.values()}) == 1)


def explain(outputs: Mapping[int, str], command: str) -> str:
    """Return why there is no place of the count in the clean outputs of a command, by n, and what
    may help.
    """
    (n, first), (m, second), *_ = outputs.items()
    known = published("A000170")
    sizes, counts = f"n = {n} and n = {m}", f"{known[n]} and {known[m]}"
    lines = [[*filter(str.strip, output.split("\n"))] for output in (first, second)]
    shown = f"{(lines[0] or [''])[-1].strip()[:SHOWN]!r}"
    if not first and not second:
        return (f"it prints nothing for {sizes}; let it print the number of solutions"
                + find_input_hint("EOF", command))
    # A solution takes `times` n and `more` lines; `least` lines are there without any.
    shape = next((each for each in product(range(3), range(4), range(6)) if each[:2] != (0, 0)
                  and [known[size] * (each[0] * size + each[1]) + each[2] for size in (n, m)]
                  == [*map(len, lines)]), None)
    if shape == (0, 1, 0):  # small n may leave a prompt alone, or a reason with its status
        kept = "/[0-9]/" if all(re.search(r"\d", line) for line in lines[0]) else "NF"
        return ("it prints a line for each solution and not their number; count the lines: "
                + _in_shell(f"{command} | awk {kept} | wc -l", "bash -o pipefail"))
    if find_place(outputs, "A002562"):
        return (f"it prints {published('A002562')[n]} and {published('A002562')[m]} for {sizes}: "
                f"fundamental solutions alone (A002562), not all {counts}")
    if find_place(outputs, shift=-1):
        return f"it prints the number of solutions for n - 1, not for n, at {sizes}"
    if shape:
        times, more, least = shape
        rows = " + ".join(["{n}"] * times + [str(more)] * bool(more))
        return (f"it prints {counts} boards for {sizes}, and not their number; print it, or count "
                "the lines: " + _in_shell(f"echo $(( ($({command} 2>&1 | awk NF | wc -l)"
                                          f"{f' - {least}' * bool(least)}) / ({rows}) ))"))
    asked = find_input_hint(first.rpartition("\n")[2], command).startswith(INPUT_HINT)
    if asked or _ignores_n(first, second):
        return (f"does it read n? It prints {'nearly ' * (first != second)}the same for {sizes}, "
                + shown + find_input_hint("EOF", command) + FIXED_HINT)
    return (f"no number of its output is {known[n]} for {n} queens and {known[m]} for {m}; its "
            f"last line for {n} is {shown}. Say which one is meant with count = '...' in a study "
            'file, or print {"solutions": ...} as the last line')


def find_input_hint(text: str, command: str) -> str:
    """Return a hint if a text says that a command reads its standard input, which has ended."""
    return "" if not PROMPT.search(text) else LINES_HINT if re.search(r"\{n\}.*\|", command) else (
        INPUT_HINT + _in_shell(f"echo {{n}} | {command.replace(' {n}', '')}"))


def _in_shell(command: str, shell: str = "sh") -> str:
    """Return a command that a shell carries out, in the words of a user, without another shell in
    it.

    >>> inner = "sh -c " + shlex.quote("echo {n} | './my queens'")
    >>> _in_shell(inner + " | wc -l") == "sh -c " + shlex.quote("echo {n} | './my queens' | wc -l")
    True
    """
    command = re.sub(INNER_SHELL, lambda inner: shlex.split(inner[1])[0], command)
    return f"{shell} -c {shlex.quote(command)}"


def find_reason(errors: str) -> str:
    r"""Return the line of an error output that says why: of a trace of Python the last one, else
    the first one that names an error.

    >>> find_reason("x.js:3\nthrow Error('no')\n^\n\nError: no\n    at x.js:3:7\n\nNode.js v18")
    'Error: no'
    >>> find_reason("/usr/bin/ld: q.o: in function `main':\nq.c: undefined reference to `f'\n"
    ...             "collect2: error: ld returned 1 exit status")
    "q.c: undefined reference to `f'"
    """
    text = STACK.split(ECHOED.sub("", clean(errors)))[0]
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if "Traceback (most recent call last)" in text:
        ends = [line.strip() for line in text.rpartition("Traceback (")[2].split("\n")[1:]
                if line.strip() and line[0] not in " \t|+"]
        lines = ends[:1] or lines
    useful = [line for line in lines if not NOISE.search(line)]
    found = next((place for pattern in (WHY, POSITION) for place, line in enumerate(useful)
                  if pattern.search(line)), 0)
    reason = "".join(useful[found:found + 1]) or "".join(lines[-1:])
    if reason.endswith(":"):  # Rust says it in the next line
        reason = " ".join(useful[found:found + 2])
    return both_ends(reason, SHOWN)  # a long path stands before what is wrong with it
