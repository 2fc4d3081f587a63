"""check.py rejects what the pruned search rejects, by a search of its own."""

from pathlib import Path

import check
import pytest
import rejected
from click.testing import CliRunner
from search import Progress, free_columns

import nqbench
from nqbench.problems.published.computed import FIRST_SOLUTIONS

RESULTS = Path(__file__).parents[1] / "results"


@pytest.fixture
def write(tmp_path):
    """Write the file of n queens; return it."""
    def write(n, *options):
        file = tmp_path / f"{n}.rejected"
        done = CliRunner().invoke(rejected.main, [str(n), str(file), *options])
        assert done.exit_code == 0, done.output
        return file

    return write


@pytest.mark.parametrize("n", range(4, 9))
def test_exactly_the_prefixes_without_completion_are_rejected(n):
    begun = {tuple(columns[:rows]) for columns in nqbench.solutions(n) for rows in range(n + 1)}
    todo = [()]
    for prefix in todo:
        todo += [(*prefix, column) for column in free_columns(n, prefix)]
        assert check.rejects(n, prefix) == (prefix not in begun), prefix


@pytest.mark.parametrize("n", [24, pytest.param(50, marks=pytest.mark.thorough)])
def test_all_rejected_prefixes_are_rejected_again(write, n, capsys):
    file = write(n)
    first, *lines = file.read_text().splitlines()
    assert [*map(int, first.split())] == [n, *FIRST_SOLUTIONS[n].solution]
    assert len(lines) == FIRST_SOLUTIONS[n].rejected
    check.main(file, n)
    assert capsys.readouterr().out.count("rejected") == min(n, len(lines))


def test_a_prefix_that_is_missing_or_has_a_completion_is_an_error(write):
    file = write(20)
    first, *lines = file.read_text().splitlines()
    file.write_text("\n".join([first, *lines[:-1]]))
    with pytest.raises(SystemExit, match="not all"):
        check.main(file, 1)
    solution = first.split()[1:]
    file.write_text(" ".join(["20", *(str(21 - int(column)) for column in solution)])
                    + "\n" + "\n".join(str(column) for column in range(1, 21)))
    with pytest.raises(SystemExit, match="has a completion"):
        check.main(file, 20)


def test_the_prefixes_of_48_are_all_and_the_checkpoint_has_the_nodes(write):
    row = FIRST_SOLUTIONS[48]
    progress = Progress.load(RESULTS / "48.first", 48)
    assert (sum(progress.nodes), sum(progress.rejected)) == (row.nodes, row.rejected)
    assert [column + 1 for column in progress.path] == row.solution
    file = RESULTS / "48.rejected"
    assert write(48, "--reached", str(RESULTS / "48.first")).read_text() == file.read_text()
    check.main(file, 0)
