"""The count is found in any output by its place, and the reason of a failure by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.problems.plugins.reading import (
    clean,
    explain,
    find_place,
    find_reason,
    find_wrong_place,
)
from nqbench.problems.published import published

KNOWN = dict(published("A000170").up_to(14))
FIRST = ", ".join(map(str, KNOWN.values()))
# Outputs for n queens, with Q(n) in place of q, grouped by commas in place of c.
OUTPUTS = [
    "{n} queens solutions: {q}", "N = {n} solutions: {q}", "{n} solutions: {q}",
    "{q} solutions, 12 distinct solutions", "{n}: {q} 0:00:00.012", "{q}\n12 usec", "{q}\n12 secs",
    "{q}\n3 minutes", "{q}\n12:34:56", "{q}\n(100%)", "{q}\nElapsed (ms): 12",
    "\x1b[32m{q}\x1b[0m\n5 of 5", '{{"n": {n}, "count": {q}}}', "{n},{q},0.012", "{n},{q}", "{q}.0",
    "{n} {q}", "Solutions\n{q}\nTime\n4", "共有{q}种解法", "Q({n})={q}", "Total:{q} Time:0.1ms",
    "There are {q} solutions of the {n}-queens problem on {n} squares", "{c} found in 2 ms",
    "|{n}|{q}|0.1|", "00{q}", "{n}\t{q}\t12", "\r1\r{q}\x07", "<n>{n}</n><count>{q}</count>",
    "mask 0x1f: {q}", "2009/11/10 23:00:00 {q}", "{q} in PT0.01S", "iteration 3: 18\ntotal: {q}",
    f"{5000 * '7'}\n{{q}}"]


def write(text, n):
    return clean(text.format(n=n, q=KNOWN[n], c=f"{KNOWN[n]:,}"))


@pytest.mark.parametrize("text", OUTPUTS)
def test_a_count_is_found_where_it_is_for_five_and_six_queens(text):
    place = find_place({n: write(text, n) for n in (5, 6)})
    assert {n: place.read(write(text, n)) for n in range(1, 15)} == {
        n: KNOWN[n] for n in range(1, 15)}


WORDS = st.text(st.characters(categories=["Ll", "Lu", "Po", "Pd", "Zs", "Sm"], codec="utf-8",
                              exclude_characters="{}'_,.:-"), max_size=12)


@given(WORDS, WORDS, WORDS, st.sampled_from([" ", "\n", "; "]), st.integers(0, 99))
def test_words_around_a_count_do_not_matter(before, between, after, sign, other):
    def output(n):
        return clean(f"{before} {n}{sign}{between} {KNOWN[n]} {after}\n{other} ms")

    place = find_place({n: output(n) for n in (5, 6)})
    assert [place.read(output(n)) for n in range(4, 12)] == [KNOWN[n] for n in range(4, 12)]


@pytest.mark.parametrize("many", ["1e91e9", "1-2", "1.-2.3", "0x1f"])
def test_numbers_beside_each_other_are_tried_in_one_way(many):
    place = find_place({5: f"10 {40 * many}", 6: f"4 {40 * many}{40 * '1'}."})
    assert place.words == "number 1 of line 1 from the end"


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_outputs_are_read_or_explained(first, second):
    outputs = {5: clean(first), 6: clean(second)}
    assert find_place(outputs) or explain(outputs, "./queens {n}")
    find_wrong_place(outputs)


@pytest.mark.parametrize(("outputs", "says"), [
    (("", ""), "it prints nothing for n = 5 and n = 6"),
    (("92", "92"), "does it read n? It prints the same for n = 5 and n = 6, '92'; if it reads n"),
    (("Size: ", "Size:"), "sh -c 'echo {n} | ./queens'"),
    (("a 2 b", "a 1 b"), "it prints 2 and 1 for n = 5 and n = 6: fundamental solutions alone"),
    (("4 2\n", "5 10\n"), "it prints the number of solutions for n - 1, not for n"),
    (("x\n" * 10, "x\n" * 4),
     "count the lines: bash -o pipefail -c './queens {n} | awk NF | wc -l'"),
    (("1 3\n" * 10, "2 4\n" * 4), "bash -o pipefail -c './queens {n} | awk /[0-9]/ | wc -l'"),
    (("Q....\n" * 50, "Q.....\n" * 24), "it prints 10 and 4 boards for n = 5 and n = 6"),
    (("x\ny\n" * 10 + "z", "x\ny\n" * 4 + "z"),
     "sh -c 'echo $(( ($(./queens {n} 2>&1 | awk NF | wc -l) - 1) / (2) ))'"),
    (("92 in 0.5 s", "92 in 0.25 s"), "does it read n? It prints nearly the same"),
    (("3, 7 ms", "3, 8 ms"), "no number of its output is 10 for 5 queens and 4 for 6; its last")])
def test_what_is_not_found_has_a_plain_cause(outputs, says):
    outputs = dict(zip((5, 6), map(clean, outputs), strict=True))
    assert find_place(outputs) is None
    assert says in explain(outputs, "./queens {n}")


def test_a_wrong_count_is_found_beside_its_words_or_alone():
    assert find_wrong_place({5: "5 queens: 9 solutions", 6: "6 queens: 3 solutions"}).read(
        "8 queens: 91 solutions") == 91
    assert find_wrong_place({5: "11", 6: "5"}).read("93") == 93
    assert find_wrong_place({5: "11 12", 6: "5 7"}) is None
    assert find_wrong_place({5: "92 found in 12 ms", 6: "92 found in 13 ms"}) is None


@pytest.mark.parametrize(("errors", "why"), [
    ("Traceback (most recent call last):\n  File 'q.py', line 3, in <module>\n    f()\n"
     "ValueError: no board", "ValueError: no board"),
    ("q.js:3\nthrow new Error('no');\n^\n\nError: no\n    at q.js:3:7\n\nNode.js v18.19.0",
     "Error: no"),
    ("panic: index out of range [8]\n\ngoroutine 1 [running]:\nmain.f()\n\tq.go:5\nexit status 2",
     "panic: index out of range [8]"),
    ('Exception in thread "main" java.lang.Exception: no\n\tat Q.main(Q.java:3)',
     'Exception in thread "main" java.lang.Exception: no'),
    ("Q.java:3: error: ';' expected\n  int n\n       ^\n1 error", "Q.java:3: error: ';' expected"),
    ("/usr/bin/ld: q.o: in function `main':\nq.c:(.text+0x5): undefined reference to `f'\n"
     "collect2: error: ld returned 1 exit status", "q.c:(.text+0x5): undefined reference to `f'"),
    ("# command-line-arguments\n./q.go:5:2: declared and not used: x",
     "./q.go:5:2: declared and not used: x"),
    ("thread 'main' panicked at q.rs:2:5:\nno board\nnote: run with RUST_BACKTRACE=1",
     "thread 'main' panicked at q.rs:2:5: no board"),
    ("terminate called after throwing an instance of 'std::runtime_error'\n  what():  no",
     "what():  no"),
    ("lua: q.lua:3: attempt to call a nil value\nstack traceback:\n\t[C]: in ?",
     "lua: q.lua:3: attempt to call a nil value"),
    ("no board\nsecond line", "no board"), ("", "")])
def test_the_line_that_says_why_is_chosen(errors, why):
    assert find_reason(errors) == why
