"""Programs in any language count queens; what goes wrong is one line; nothing is left behind."""

import re
import subprocess
import sys
from dataclasses import replace
from errno import EACCES
from shlex import quote

import psutil
import pytest
from programs import C_PLACE

from nqbench.errors import InvalidValueError, PluginError
from nqbench.problems.plugins.programs import MOST_PRINTED, Program, describe_start

PYTHON = quote(sys.executable)
COUNTS = f"""
#include <stdio.h>
#include <stdlib.h>
{C_PLACE}
int main(int argc, char **argv) {{
    int n = atoi(argv[1]);
    printf("%d queens: Result: %ld, time: 0.25 s\\n", n, place((1u << n) - 1, 0, 0, 0));
    return argc != 2;
}}
"""


TABLE = "1 1 0 0 2 10 4 40 92 352 724"
START = f"import sys; n = int(sys.argv[1]); q = [{TABLE.replace(' ', ', ')}][n]\n"


@pytest.fixture
def script(tmp_path):
    """A program that knows n and the number of solutions: a function of its text and its fields."""
    def write(text, **fields):
        (tmp_path / "queens.py").write_text(START + text)
        return Program(name="mine", command=f"{PYTHON} queens.py {{n}}", folder=tmp_path, **fields)
    return write


def test_a_program_in_c_is_built_counts_and_tells_its_own_time(tmp_path):
    (tmp_path / "main.c").write_text(COUNTS)
    program = Program(name="c", build="cc -O1 -o queens main.c", command="./queens {n}",
                      count=r"Result: (\d+)", seconds=r"time: ([\d.]+) s", folder=tmp_path)
    program.make()
    found = program.run(8)
    assert (found, found.seconds) == (92, 0.25)
    assert 0 < replace(program, seconds="").run(1).seconds < 5


def test_a_shell_runs_a_pipeline_only_if_it_is_asked_for(script):
    table = quote(f"set -- {TABLE}; shift {{n}}; echo $1")
    assert Program(name="pipe", command=f"sh -c {table}").run(8) == 92
    mine = script("print(q, sys.argv[2])")
    assert replace(mine, command=f"{mine.command} '|'").run(8) == 92


@pytest.mark.parametrize(("printed", "count", "counters"), [
    ("print(q)", 92, {}), ("print(f'{q} solutions, 12 distinct solutions')", 92, {}),
    ("import os, time; os.spawnlp(os.P_NOWAIT, 'true', 'true'); time.sleep(0.1); print(q)", 92, {}),
    ("print(f'{q:,} in 0.5 s')", 92, {}),
    ("""print(q); print('{"nodes": 2057, "tests": 5, "dead_ends": "?"}')""", 92,
     {"nodes": 2057, "tests": 5}),
    ("""print('{"solutions": 92, "nodes": 2057}')""", 92, {"nodes": 2057})])
def test_the_count_is_found_by_its_place_and_json_in_the_last_line_has_counters(
        script, printed, count, counters):
    found = script(printed).run(8)
    assert (found, found.counters) == (count, counters)


@pytest.mark.parametrize(("text", "fields", "says"), [
    ("print('no\\nidea', file=sys.stderr); sys.exit(3)", {}, "ended with status 3: no"),
    ("import os; os.abort()", {}, "was killed by SIGABRT"),
    ("print(q if n < 8 else 'none')", {},
     "printed nothing at the place of the count, the number alone in its line: 'none'"),
    ("print(input())", {}, "ended with status 1: EOFError"),
    ("print(open('/dev/tty').read())", {}, "ended with status 1: OSError"),
    ("while True: print('x' * 1000)", {},
     f"printed more than {MOST_PRINTED:,} bytes, and was ended"),
    ("import subprocess\nsubprocess.run(['yes'])", {},
     f"printed more than {MOST_PRINTED:,} bytes, and was ended"),
    ("import subprocess\nsubprocess.Popen(['sleep', '61'], start_new_session=True)\nprint(q)", {},
     "left 1 process behind, which was ended"),
    ("import subprocess\nsubprocess.Popen(['sleep', '60'])\nprint(q)", {},
     "left 1 process behind, which was ended"),
    ("print(q)", {"count": r"Result: (\d+)"},
     "printed nothing at the place of the count, what matches 'Result"),
    ("print(q)", {"seconds": "time: (.*)"}, "printed nothing that matches 'time"),
    ("print('time: soon', q)", {"seconds": r"time: (\w+)"},
     "printed 'soon', which is no number of seconds")])
def test_what_goes_wrong_is_one_line_and_no_process_is_left(script, text, fields, says):
    before = {*psutil.Process().children(recursive=True)}
    with pytest.raises(PluginError) as raised:
        script(text, **fields).run(8)
    assert re.sub("n = [58] ", "", str(raised.value)).startswith(f"mine at {says}")
    assert "\n" not in str(raised.value)
    assert {*psutil.Process().children(recursive=True)} == before


def test_a_build_that_fails_says_why(tmp_path):
    (tmp_path / "a.c").write_text("int helper(void);\nint main(void) { return helper(); }\n")
    failing = Program(name="a", command="./a {n}", build="cc a.c -o a", folder=tmp_path)
    with pytest.raises(PluginError, match=r"a: its build ended with status 1: .*undefined refer"):
        failing.make()
    with pytest.raises(PluginError, match=r"'./a' is not found; is it installed, or built"):
        failing.run(8)


def test_what_path_lacks_is_not_found_also_behind_a_folder_that_must_not_be_read(
        tmp_path, monkeypatch):
    def start():
        return describe_start("solver", tmp_path, PermissionError(EACCES, "Permission denied"))

    monkeypatch.setenv("PATH", str(tmp_path))
    assert start().startswith("'solver' is not found; is it installed")
    (tmp_path / "solver").write_text("#!/bin/sh\n")
    assert start().endswith("Permission denied; chmod +x makes it a program")


@pytest.mark.parametrize(("fields", "says"), [
    ({"command": "./a {m}"}, "its command has the placeholder {m}; there are {n} and {threads}"),
    ({"command": "./a {}"}, "its command has the placeholder {}; there are {n} and {threads}"),
    ({"command": "./a {n.real}"}, "its command has the placeholder {n.real}; there are {n} and"),
    ({"command": "./a {n} {"}, "its command './a {n} {' is not valid"),
    ({"command": "a", "build": "make {n}"}, "its build has the placeholder {n}; there is none"),
    ({"command": "./a {n} > x"}, "'>' in its command needs a shell; put it into"),
    ({"command": "A=1 ./a {n}"}, "'A=1' in its command needs a shell; put it into"),
    ({"command": ""}, "its command is empty"),
    ({"command": "./a 'x"}, 'its command "./a \'x" is not valid: No closing quotation'),
    ({"command": "a", "count": "[0-9]+"}, "the pattern of count, '[0-9]+', has no group"),
    ({"command": "a", "seconds": "("}, "the pattern of seconds, '(', is not valid")])
def test_a_bad_field_is_named(fields, says):
    with pytest.raises(InvalidValueError) as raised:
        Program(name="mine", **fields)
    assert str(raised.value).startswith(f"mine: {says}")


def test_an_interrupt_ends_the_program(tmp_path):
    code = ("import signal, sys\nfrom pathlib import Path\n"
            "from nqbench.problems.plugins.programs import Program\n"
            "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
            f"Program(name='a', command='sleep 61', folder=Path({str(tmp_path)!r})).run(8)\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert "KeyboardInterrupt" in done.stderr
    assert not [each for each in psutil.process_iter(["cmdline"])
                if each.info["cmdline"] == ["sleep", "61"]]
