"""Every kernel, order of rows and division counts the published levels, and files keep them."""

import _levels as core
import exact_levels
import pytest
from exact_levels import ROWS, count_levels, main

from nqbench.problems.published import published

PROFILES = published("A319284")


def levels_of(n, kernel, rows, split=4, jobs=8, capacity=1024):
    engine = core.Engine(n, split, jobs, rows == "outwards")
    levels = engine.first_levels + [0] * engine.values
    parts = range(engine.parts)
    for part, count in enumerate(core.Kernel(kernel, capacity).complete(engine, parts)):
        *placements, rest_13, rest_15 = count
        assert (rest_13, rest_15) == (sum(placements) % 13, sum(placements) % 15)
        for row, number in enumerate(placements, engine.rows + 1):
            levels[row] += engine.images(part) * number
    return levels


@pytest.mark.parametrize("kernel", core.kernels())
@pytest.mark.parametrize("rows", ROWS)
def test_every_kernel_counts_the_published_levels(kernel, rows):
    for n in range(13):
        for split in range(2, min(n, 6) + 1) if n > 1 else [n]:
            assert levels_of(n, kernel, rows, split) == PROFILES[n]
    assert levels_of(12, kernel, rows, 5, jobs=100, capacity=128) == PROFILES[12]
    assert levels_of(11, kernel, rows, 3, jobs=1, capacity=128) == PROFILES[11]


@pytest.mark.parametrize("rows", ROWS)
def test_a_count_of_14_queens_is_kept_resumed_and_counted_again(rows, tmp_path, capsys):
    file = tmp_path / "14"
    assert count_levels(14, rows, file=file) == PROFILES[14]
    whole = file.read_text()
    file.write_text(whole[:len(whole) // 2])  # in the middle of a line
    assert count_levels(14, rows, file=file) == PROFILES[14]
    assert sorted(file.read_text().splitlines()) == sorted(whole.splitlines())
    main(["14", "--rows", rows, "--file", str(file), "--recount", "5", "--kernel", "portable"])
    assert "5 of" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["0 1 2 3", "x", "0 " + "1 " * 12, "99999999 1 1 1"])
def test_a_line_that_makes_no_sense_is_named(wrong, tmp_path):
    file = tmp_path / "12"
    count_levels(12, file=file)
    with file.open("a") as out:
        print(wrong, file=out)
    with pytest.raises(ValueError, match=r"line \d+ must be a part below"):
        count_levels(12, file=file)


def test_the_file_of_another_count_is_refused(tmp_path):
    file = tmp_path / "12"
    count_levels(12, file=file)
    with pytest.raises(SystemExit, match="begins with '# 12 queens outwards"):
        main(["13", "--file", str(file)])


def test_the_levels_are_printed(capsys):
    main(["8"])
    assert capsys.readouterr().out == "1 8 42 140 344 568 550 312 92\n"
    assert exact_levels.count_levels(0) == [1]
