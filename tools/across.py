"""Say which commit made what asv measured better or worse, or changed a count; fail if one did.

    python tools/across.py [COMMIT...]

Compares each of these commits with the one before it, the oldest first; by default all that were
measured here. `nqbench.topics.searches.section_across` judges, as the page of the report does.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.topics.searches.section_across import EXACT, changes, read
from nqbench.util.text import format_quotient

RESULTS = Path(".asv/results")  # as in asv.conf.json


def judge(results: Path, commits: Sequence[str]) -> list[tuple[str, str]]:
    """Return the commit of each change, and the change in words."""
    found = read(results)
    ordered = found[found["commit"].isin(commits)].sort_values(
        "commit", key=lambda column: column.map(commits.index), kind="stable")
    made = changes(ordered)
    quotients = (made["value"] / made["before"]).map(format_quotient)
    text = "{verdict}: {benchmark}({chosen}), {before:.8g} to {value:.8g} {unit}, {times} times"
    return [(row["commit"], text.format(**row)) for row in
            made.assign(times=quotients).to_dict("records")]


def main(*commits: str) -> int:
    """Print a line for each change; return the exit status."""
    choice = ["--no-walk=unsorted", "--end-of-options", *commits] if commits else [
        "--topo-order", "--reverse"]
    log = subprocess.run(["git", "log", "--format=%H %s", *choice], text=True, capture_output=True)
    subjects = dict(line.split(" ", 1) for line in log.stdout.splitlines())
    try:
        if log.returncode:
            raise InvalidValueError(log.stderr.partition("\n")[0])
        found = judge(RESULTS, [*subjects])
    except InvalidValueError as error:
        print(error, file=sys.stderr)
        return 2
    for commit, change in found:
        print(f"{commit[:8]} {subjects[commit]}: {change}")
    print(f"{len(found)} changes")
    return int(any(change.startswith(EXACT) for _, change in found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
