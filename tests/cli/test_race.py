"""Every program of a folder is checked and timed, and one page ranks them."""

import os
import re
import socket
import subprocess
import sys
from hashlib import sha256

import psutil
import pytest
from attacks import COUNT, ENDED, FAILS, IN_VAIN, PROGRAMS
from conftest import refused
from programs import C_PLACE

from nqbench.checking import race as races
from nqbench.errors import PluginError
from nqbench.records.context import context
from nqbench.report.leaderboard import common_n, find_winner, rank, to_page, to_table

pytestmark = pytest.mark.usefixtures("no_plugins")
PROBE = races.PROBE  # the most queens that entries are asked for
LISTS = """
def {name}(n, columns=()):
    if len(columns) == n:
        return [columns]
    return [whole for c in range(n)
            if all(abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns))
            for whole in {name}(n, (*columns, c))]
"""
SCRIPT = LISTS.format(name="place") + "import sys\nprint(len(place(int(sys.argv[1]))))\n"
TABLE = "n=$1; set -- 1 1 0 0 2 10 4 40 92 352 724 2680 14200 73712 365596 2279184 14772512\n"
KNOWN = f'{TABLE}shift "$n"; echo "$1"\n'
C = """
#include <stdio.h>
#include <stdlib.h>
""" + C_PLACE + """
int main(int argc, char **argv) { printf("%ld\\n", place((1u << atoi(argv[1])) - 1, 0, 0, 0)); }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of entries, which are asked for more queens only where a test is about that."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(races, "PROBE", 4)
    made = tmp_path / "submissions"
    made.mkdir()
    return made


def write(folder, **files):
    """Write files; the last _ of a name stands for the dot."""
    for name, text in files.items():
        stem, _, kind = name.rpartition("_")
        (folder / f"{stem}.{kind}").write_text(text)


def fill(folder):
    """Twenty submissions, five of them broken in five ways."""
    (folder / "own").mkdir()
    (folder / "own/helper.py").write_text(LISTS.format(name="place"))
    (folder / "own/main.sh").write_text(
        'python3 -c "import helper; print(len(helper.place($1)))"')
    write(folder, **{f"pupil{number}_py": LISTS.format(name="queens") for number in range(7)},
          **{f"script{number}_py": SCRIPT for number in range(3)}, method_py=(
              "class Solution:\n    def totalNQueens(self, n):\n"
              f"        return len(place(n))\n{LISTS.format(name='place')}"),
          other_py=(
              LISTS.format(name="queens").replace(", columns=()", ", columns")
              + "def by_hand(size):\n    return queens(size, ())\n"), fast_c=C, table_sh=KNOWN,
          hangs_sh="while true; do :; done\n", dies_sh="kill -SEGV $$\n", unbuilt_c="int main( {\n",
          wrong_py=LISTS.format(name="queens").replace("(0,", "(7,"), floods_sh="yes 92\n")


@pytest.mark.thorough
def test_twenty_submissions_five_of_them_broken_make_one_page(folder, run, monkeypatch):
    monkeypatch.setattr(races, "LEAST_SECONDS", 10.0)
    monkeypatch.setattr(races, "PROBE", PROBE)
    fill(folder)
    code, out, err = run("check", "submissions", "-n", "4-5", "--limit", 2)
    assert (code, out.splitlines()[-1]) == (0, "15 of 20 programs are right; open race.html"), err
    page = (folder.parent / "race.html").read_text()
    wrong = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert wrong["hangs.sh"] == "stopped after 5 s while it was checked"
    assert "was killed by SIGSEGV" in wrong["dies.sh"]
    assert wrong["unbuilt.c"].startswith("its build ended with status 1: ./main.c:1:")
    assert wrong["wrong.py"].startswith("n = 4: ")
    assert "printed more than 16,777,216 bytes, and was ended" in wrong["floods.sh"]
    assert wrong["table.sh"].startswith("constant time in n: beyond its start, it takes ")
    assert "table.sh is the fastest" not in page
    assert page.count(">right<") == 14 + 2, re.findall("<dt>.*?</dd>", page)
    assert "yields placements" in page
    assert "prints the number of solutions" in page


def state(folder):
    """What can be changed of the files of a folder."""
    return {path: (status.st_mode, status.st_size, status.st_mtime_ns, path.is_file()
                   and not path.is_symlink() and sha256(path.read_bytes()).digest())
            for path in folder.rglob("*") if (status := path.lstat())}


def enter(folder, attacks, suffix, wrap):
    """Write an entry for each attack."""
    for name, (text, _) in attacks.items():
        (folder / f"{name}{suffix}").write_bytes(
            wrap(text).encode("utf-8", "surrogateescape"))


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize(("attacks", "suffix", "before"), [
    ({name: (text, None) for name, text in IN_VAIN.items()}, ".py",
     f"import os, socket, time\n{FAILS}"),
    (ENDED, ".py", ""), (PROGRAMS, ".sh", "")], ids=["in vain", "ended", "programs"])
def test_no_attack_changes_another_verdict_or_a_file_outside(
        folder, monkeypatch, attacks, suffix, before):
    monkeypatch.setenv("TOKEN", "of the TEACHER")
    write(folder, honest_py=LISTS.format(name="queens"), zealous_sh=f"TEACHER=1\n{KNOWN}")
    with socket.create_server(("127.0.0.1", 0)) as server:
        enter(folder, attacks, suffix, lambda text: before + text.replace(
            "FOLDER", str(folder)).replace("PORT", str(server.getsockname()[1])).replace(
            "{}", COUNT) + COUNT * bool(before))
        outside = state(folder.parent)
        found = races.race(folder, [4], rounds=1)
    assert state(folder.parent) == outside
    assert not [each for each in psutil.process_iter(["cmdline"])
                if each.info["cmdline"] == ["sleep", "98765"]]
    for entry in found.entries:
        _, said = attacks.get(entry.name.removesuffix(suffix), ("", None))
        if said is None:
            assert (entry.mistake, entry.largest) == ("", 4), entry
        else:
            assert entry.mistake, entry
            assert said in entry.mistake


@pytest.mark.thorough
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize(("action", "says"), [
    ("os.fork()", "more than 512 processes|Resource temporarily|stopped"),
    ("KEPT.append(bytes(1 << 28))", "MemoryError|stopped"),
    ("threading.Thread(target=time.sleep, args=[99]).start()", "RuntimeError|stopped"),
    ("yield [0] * n", "MemoryError|stopped")])
def test_a_bomb_is_an_entry_that_is_wrong(folder, action, says):
    write(folder, honest_py=COUNT, bomb_py=(
        "import os, threading, time\nKEPT = []\ndef queens(n):\n"
        f"    while True:\n        {action}\n"))
    bomb, honest = races.race(folder, [4], rounds=1, against=()).entries
    assert re.search(says, bomb.mistake)
    assert not honest.mistake


def link_all(own):
    """Fill the folder of an entry with links, a pipe, and modules named as those of Python."""
    own.mkdir()
    secret = own.parents[1] / "secret"
    secret.write_text("1")
    (own / "soft").symlink_to("../../secret")
    (own / "hard").hardlink_to(secret)
    os.mkfifo(own / "fifo")
    for name in ("json", "random", "pathlib", "sitecustomize", "conftest"):
        (own / f"{name}.py").write_text("import os; os._exit(1)")
    write(own, helper_py=COUNT, main_py=(
        "import os, helper\ndef queens(n):\n"
        "    return helper.queens(n) + len({'soft', 'hard', 'fifo'} & {*os.listdir()})\n"))


@pytest.mark.thorough
def test_names_and_links_are_no_matter_and_what_is_no_program_has_a_reason(folder):
    names = ("a b.sh", "it's \"q\".sh", "{n}{}.sh", "$HOME.$x$`id`.sh", "-n.sh", "%s.sh",
             "two\n[a];<b>.sh", "UPPER.SH", os.fsdecode(b"\xff.sh"))
    for name in names:
        (folder / name).write_text(KNOWN)
    write(folder, attribute_rs="#![allow(unused)]", notes_txt="some",
          shell_txt=f"#! /bin/sh\n{KNOWN}", windows_txt=f"#!/usr/bin/env python3\r\n{COUNT}")
    os.mkfifo(folder / "fifo.sh")
    (folder / "link.sh").symlink_to("a b.sh")
    (folder / "notes.txt").chmod(0o755)
    for name in ("empty", "one", "two"):
        (folder / name).mkdir()
    write(folder / "one", only_sh=KNOWN, notes_txt="")
    write(folder / "two", first_sh=KNOWN, second_sh=KNOWN)
    link_all(folder / "own")
    with (folder / "large.py").open("wb") as file:
        file.truncate(1 << 40)
    found = races.race(folder, [4], rounds=1, against=())
    assert {each.name: each.mistake for each in found.entries if each.mistake}.keys() == {
        "attribute.rs", "large.py"}
    assert {each.name for each in found.entries if each.name.isalpha()} == {"one", "own"}
    assert {each.largest for each in found.entries if not each.mistake} == {4}
    assert len(found.entries) == len(names) + 6
    reasons = dict(found.left_out)
    assert reasons.pop("notes.txt").startswith("no program: its first line names no interpreter")
    assert reasons == {
        "fifo.sh": "a FIFO, not a file", "link.sh": "a link, not a file",
        "empty": "no file in it is a program",
        "two": "it has several programs; name one of them main"}
    assert "%s.sh" in to_page(found, context(), "it")


@pytest.mark.needs("bubblewrap")
def test_a_home_is_not_shown_and_there_may_be_none(tmp_path, monkeypatch):
    for each in "bin", "lib", "tool/bin", "tool/lib":
        (tmp_path / "home" / each).mkdir(parents=True)
    (tmp_path / "link").symlink_to("home")
    monkeypatch.setenv("HOME", f"{tmp_path}/link")
    monkeypatch.setenv("PATH", f"{tmp_path}/link/bin:{tmp_path}/link/tool/bin")
    assert [*races._find_tools()] == [f"{tmp_path}/link/bin", f"{tmp_path}/home/tool"]
    nobody = ("import os, pwd; os.environ.pop('HOME'); pwd.getpwuid = {}.__getitem__; "
              "from nqbench.checking.race import race")
    done = subprocess.run([sys.executable, "-c", nobody], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_bubblewrap_it_says_so(folder, run, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    write(folder, good_py=COUNT)
    code, out, err = run("check", "submissions", "-n", 4)
    assert (code, out.splitlines()[-1]) == (0, "1 of 1 program is right; open race.html"), out
    assert races.NOT_ISOLATED in err
    text = (folder.parent / "race.html").read_text()
    assert races.NOT_ISOLATED in text
    assert 'id="keys"' in text  # which its script shows


def test_a_process_that_something_else_kills_runs_again(tmp_path):
    once = races.Confined(name="once", folder=tmp_path, count=r"^(\d+)$",
                    command="sh -c 'test -e once && echo 92; mkdir once && kill -9 $$; true'")
    assert once.run(8) == 92


@pytest.mark.slow
@pytest.mark.thorough
def test_a_table_that_ends_is_found_out_and_a_fast_search_is_not(folder, monkeypatch):
    monkeypatch.setattr(races, "PROBE", PROBE)
    table = "TABLE = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724]\n"
    write(folder, ends_py=f"{table}def queens(n): return TABLE[n]\n", fast_c=C, goes_on_py=(
        f"{table}{COUNT.replace('queens', 'search')}\n"
        "def queens(n): return TABLE[n] if n < 11 else search(n)\n"), honest_py=COUNT)
    ends, fast, goes_on, honest = races.race(folder, [4, 10], limit=1.0, rounds=1,
                                             against=()).entries
    assert (fast.remark, honest.remark) == ("", "")
    assert ends.remark.endswith(" for 10 queens, nothing for 11, and that count is in its files")
    assert re.search(r"^constant time in n: .* for 10 queens, \d+.* for 11$", goes_on.remark)


def test_a_table_is_found_out_on_a_machine_that_becomes_slower(tmp_path):
    known = {1: 1, 4: 2, 10: 724}
    (tmp_path / "main.py").write_text(f"TABLE = {known}")
    entry = races.Entrant("ends", "Python", origin="ends", spent={1: 0.05, 4: 0.05, 10: 0.1},
                          samples={n: [0.1] for n in known})

    def ask(_count, program, n, seconds):
        if n in known:
            return 0.1, 0.1, known[n]
        raise PluginError("KeyError")

    program = races.Confined(name="ends", command="true", folder=tmp_path)
    assert races._find_remark(entry, program, 5.0, ask) == (
        "constant time in n: beyond its start, it takes no time for 10 queens, nothing for 11, and "
        "that count is in its files")


# Each is right, whatever it does besides.
PECULIAR = {
    # of no or 8 queens it knows nothing, and its main block shows one solution
    "few_py": """
def queens(num=8, state=()):
    assert 0 < num < 8
    for c in range(num):
        if all(abs(c - d) not in (0, len(state) - r) for r, d in enumerate(state)):
            if len(state) == num - 1:
                yield (c,)
            else:
                yield from ((c, *rest) for rest in queens(num, (*state, c)))

def show(solution):
    print(solution)

if __name__ == "__main__":
    show(next(queens()))
""",
    "helpers_py": (  # two functions stand before that of n
        "def is_valid(board):\n    return board.ok\n"
        + LISTS.format(name="place").replace(", columns=()", ", columns")
        + "def find_all(size):\n    return place(size, ())\n"),
    "polite_sh": f'[ "$1" -lt 4 ] && echo "at least 4" && exit 1\n{KNOWN}',
    "endless_py": (  # it seems to be a program
        LISTS.format(name="queens")
        + "if __name__ == '__main__':\n    while True:\n        pass\n"),
    "hints_py": "def queens(n: List[int]) -> List:\n    return [1, 1, 0, 0, 2, 10, 4, 40][n]\n",
    "odd_py": "#!/usr/bin/no-such-python-of-all\n" + LISTS.format(name="queens"),
    "float_py": "def queens(n):\n    return [1.0, 1.0, 0.0, 0.0, 2.0, 10.0, 4.0, 40.0][n]\n",
    "text_py": (
        LISTS.format(name="place")
        + "def queens(n):\n    return '\\n'.join(str(each) for each in place(n))\n"),
    "boards_py": (
        LISTS.format(name="place") + "def queens(n):\n    return '\\n\\n'.join("
        "'\\n'.join('.' * c + 'Q' + '.' * (n - 1 - c) for c in each) for each in place(n))\n")}


@pytest.mark.thorough
def test_an_entry_may_count_in_its_own_way_and_be_readable_for_its_owner_alone(folder, monkeypatch):
    monkeypatch.setattr(races, "LEAST_SECONDS", 8.0)
    monkeypatch.setattr(races, "PROBE", 8)
    monkeypatch.setattr(races, "LOOKS", 1)
    write(folder, **PECULIAR)
    for path in folder.iterdir():
        path.chmod(0o600)
    for entry in races.race(folder, [5], 2.0, rounds=1, against=["cross@cython"]).entries:
        assert (entry.mistake, entry.largest) == ("", 5), entry


def test_an_entry_that_asks_for_n_is_told_that_it_is_an_argument(folder):
    write(folder, asks_py="print(int(input('n? ')))")
    asks, = races.race(folder, [4, 5], rounds=1, against=()).entries
    assert asks.mistake == ("at n = 5 ended with status 1: EOFError: EOF when reading a line; n is "
                            "its argument, not its input")


def test_it_gets_no_larger_n_after_one_that_took_too_long(folder):
    write(folder, slow_sh=f'[ "$1" -gt 7 ] && sleep 9\n{KNOWN}',
          late_sh=f'[ "$1" = 8 ] && set -- 7\n{KNOWN}')
    late, slow = races.race(folder, [4, 8, 9], limit=1.0, rounds=1, against=()).entries
    assert (slow.largest, slow.stopped, slow.mistake) == (4, "more than 1 s at n = 8", "")
    assert late.mistake == "n = 8: it counts 40 solutions, not 92"


def test_the_right_come_first_and_of_these_the_fastest():
    entries = [
        races.Entrant("wrong", "C", origin="wrong", mistake="some", samples={4: [0.1]}),
        races.Entrant("doubtful", "C", origin="doubtful", remark="some", samples={4: [0.1]}),
        races.Entrant("slow", "C", origin="slow", samples={1: [0.1], 4: [4.0, 3.0, 8.0]}),
        races.Entrant("fast", "C", origin="fast", samples={4: [1.0, 1.5, 2.0], 5: [2.0]}),
        races.Entrant("bitmask@python", "of nqbench", samples={4: [2.0, 3.0, 8.0], 5: [2.0]})]
    ranked = rank(races.Race(entries, True, 1.0), 4)
    assert [each.name for each in ranked] == ["fast", "bitmask@python", "slow", "doubtful", "wrong"]
    assert common_n(ranked[:3]) == 4
    assert (find_winner(ranked, 4), find_winner(ranked[2:], 4)) == ("fast", "slow")
    table = to_table(ranked, 4).set_index("entry")
    assert table.at["fast", "time at n = 4"] == "1.5 s (1 s to 2 s)"
    assert table.at["slow", "times bitmask@python"] == "1 (1 to 2)"
    ranked[2].samples[4][1] = 2.0  # in one round it was as fast as the other in another
    assert find_winner(ranked, 4) == ""
    assert list(table["result"]) == ["right"] * 3 + ["right, constant time in n", "wrong"]


@pytest.mark.parametrize(("words", "says"), [
    (["nowhere", "--anonymous"], "--anonymous is not supported without a folder"),
    (["submissions"], "submissions has no program"),
    (["submissions", "-n", "x"], "-n"),
    (["submissions", "--limit", 0], "--limit"),
    (["submissions", "--out", "nowhere/race.html"], "there is no folder nowhere"),
    (["submissions", "--out", "race.txt"], "--out must end in .html, not 'race.txt'")])
def test_bad_input_is_one_line(folder, run, words, says):
    if len(words) > 1:
        write(folder, good_sh="echo 1\n")
    assert says in refused(run("check", *words))
