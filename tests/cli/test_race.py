"""Every program of a folder is checked and timed, and one page ranks them."""

import re

import pytest
from conftest import refused
from programs import C_PLACE

from nqbench.checking import race as races
from nqbench.report.leaderboard import common_n, rank, to_table

pytestmark = pytest.mark.usefixtures("no_plugins")
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
BLOCKED = """
TABLE = [1, 1, 0, 0, 2, 10, 4, 40, 92]
def queens(n, blocked=()):
    return TABLE[n]
"""
C = """
#include <stdio.h>
#include <stdlib.h>
""" + C_PLACE + """
int main(int argc, char **argv) { printf("%ld\\n", place((1u << atoi(argv[1])) - 1, 0, 0, 0)); }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the seconds of a check are few, as one program hangs
    monkeypatch.setattr(races, "LEAST_SECONDS", 5.0)
    monkeypatch.setattr(races, "CHECKING", 1)
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
def test_twenty_submissions_five_of_them_broken_make_one_page(folder, run):
    fill(folder)
    code, out, err = run("check", "submissions", "-n", "4-5", "--limit", 2, "--rounds", 1)
    assert (code, out.splitlines()[-1]) == (0, "15 of 20 programs are right; open race.html"), err
    page = (folder.parent / "race.html").read_text()
    wrong = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert wrong["hangs.sh"] == "stopped after 5 s in its check"
    assert wrong["dies.sh"] == "at n = 1 was killed by SIGSEGV"
    assert wrong["unbuilt.c"].startswith("program: its build ended with status 1: unbuilt.c:1:")
    assert wrong["wrong.py"].startswith("n = 2: ")
    assert wrong["floods.sh"] == "at n = 1 printed more than 1,048,576 bytes, and was ended"
    assert wrong["table.sh"].startswith("constant time in n: 16 queens take ")
    assert "table.sh is the fastest" not in page
    assert page.count(">right<") == 14 + 2, "and those of the package"
    assert "yields placements" in page
    assert "prints the number of solutions" in page


@pytest.mark.needs("Landlock")
def test_a_program_sees_no_other_and_has_no_name(folder, run):
    write(folder, anna_py=LISTS.format(name="queens"), spy_py=(
        "from pathlib import Path\n\ndef queens(n):\n"
        f"    return len(Path({str(folder / 'anna.py')!r}).read_text()) and 1\n"))
    code, out, err = run("check", "submissions", "-n", 4, "--rounds", 1, "--against",
                         "bitmask@python", "--anonymous", "--out", "board.html")
    key = dict(line.split(": ")[:2] for line in out.splitlines()[:-1])
    page = (folder.parent / "board.html").read_text()
    assert sorted(name.partition(";")[0] for name in key.values()) == ["anna.py", "spy.py"]
    assert code == 0
    assert "anna" not in page
    assert "spy" not in page
    assert "submissions" not in page
    assert "cannot keep" not in err
    assert "1 of 2 programs are right" in out
    assert "Permission denied" in page


def test_a_folder_has_one_program_or_one_that_is_called_main(folder):
    for name in ("two", "one", "none"):
        (folder / name).mkdir()
    write(folder / "two", first_sh=KNOWN, second_sh=KNOWN)
    write(folder / "one", only_sh=KNOWN, notes_txt="")
    one, two = races.race(folder, [4], rounds=1, against=()).entries
    assert (one.mistake, one.largest) == ("", 4)
    assert two.mistake == "it has several programs; name one of them main"


def test_a_function_is_found_and_need_not_count_16_or_no_queens(folder):
    few = """
def queens(num=8, state=()):
    assert 0 < num < 9
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
"""
    write(folder, few_py=few, helpers_py=(
        "def is_valid(board):\n    return board.ok\n"
        + LISTS.format(name="place").replace(", columns=()", ", columns")
        + "def find_all(size):\n    return place(size, ())\n"))
    for entry in races.race(folder, [4, 5], rounds=1, against=["cross@cython"]).entries:
        assert (entry.mistake, entry.largest) == ("", 5), entry


def test_a_table_is_found_out_by_a_blocked_square(folder):
    write(folder, cheat_py=BLOCKED, fair_py="""
def queens(n, blocked=()):
    def place(row, columns):
        if row == n:
            return 1
        return sum(place(row + 1, (*columns, c)) for c in range(n) if (row, c) not in blocked
                   and all(abs(c - d) not in (0, row - r) for r, d in enumerate(columns)))
    return place(0, ())
""")
    cheat, fair = races.race(folder, [4], rounds=1, against=()).entries
    assert cheat.mistake == "n = 7, with row 1, column 1 blocked: it counts 40 solutions, not 36"
    assert not fair.mistake


def test_it_gets_no_larger_n_after_one_that_took_too_long(folder):
    write(folder, slow_sh=f'[ "$1" -gt 7 ] && sleep 9\n{KNOWN}',
          late_sh=f'[ "$1" = 8 ] && set -- 7\n{KNOWN}')
    late, slow = races.race(folder, [4, 8, 9], limit=1.0, rounds=1, against=()).entries
    assert (slow.largest, slow.stopped, slow.mistake) == (4, "more than 1 s at n = 8", "")
    assert late.mistake == "n = 8: it counts 40 solutions, not 92"


def test_the_right_come_first_and_of_these_the_fastest():
    entries = [
        races.Entry("wrong", "C", origin="wrong", mistake="some", samples={4: [0.1]}),
        races.Entry("doubtful", "C", origin="doubtful", remark="some", samples={4: [0.1]}),
        races.Entry("slow", "C", origin="slow", samples={1: [0.1], 4: [4.0, 3.0, 8.0]}),
        races.Entry("fast", "C", origin="fast", samples={4: [1.0, 1.5, 2.0], 5: [2.0]}),
        races.Entry("bitmask@python", "of nqbench", samples={4: [2.0, 3.0, 8.0], 5: [2.0]})]
    ranked = rank(races.Race(entries, True, 1.0), 4)
    assert [each.name for each in ranked] == ["fast", "bitmask@python", "slow", "doubtful", "wrong"]
    assert common_n(ranked[:3]) == 4
    table = to_table(ranked, 4).set_index("entry")
    assert table.at["fast", "time at n = 4"] == "1.5 s (1 s to 2 s)"
    assert table.at["slow", "times bitmask@python"] == "1 (1 to 2)"
    assert list(table["result"]) == ["right"] * 3 + ["right, constant time in n", "wrong"]


@pytest.mark.parametrize(("words", "says"), [
    (["nowhere", "--rounds", 2], "--rounds is not supported without a folder"),
    (["submissions"], "submissions has no program"),
    (["submissions", "-n", "x"], "-n"),
    (["submissions", "--limit", 0], "--limit"),
    (["submissions", "--rounds", 0], "--rounds"),
    (["submissions", "--out", "nowhere/race.html"], "there is no folder nowhere"),
    (["submissions", "--out", "race.txt"], "--out must end in .html, not 'race.txt'"),
    (["submissions", "--against", "quantum"], "quantum")])
def test_bad_input_is_one_line(folder, run, words, says):
    if len(words) > 1:
        write(folder, good_sh="echo 1\n")
    assert says in refused(run("check", *words))
