"""Say which commit made what asv measured better or worse, or changed a count; fail if one did.

    python tools/across.py [COMMIT...]

Compares each of these commits with the one before it, the oldest first; by default all that were
measured here. It judges as `asv compare` does, by the thresholds of asv.conf.json; 0 is a count.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

from asv.benchmarks import Benchmarks
from asv.commands.compare import _is_result_better
from asv.config import Config
from asv.results import Results, iter_results


def changes(conf: Config, commits: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the commit of each change, and the change in words; commits without results are
    skipped, and so is what a commit lacks.
    """
    known = Benchmarks.load(conf)
    last: dict[Any, Any] = {}
    for results in sorted((each for each in iter_results(conf.results_dir)
                           if each.commit_hash in commits),
                          key=lambda each: commits.index(each.commit_hash)):
        for name, chosen, value, spread in cells(results, known):
            series = (results.params["machine"], results.env_name, name, chosen)
            before, earlier = last.get(series, (value, spread))
            last[series] = value, spread
            threshold = max(float(share) for pattern, share in conf.regressions_thresholds.items()
                            if re.match(pattern, name))
            for word, pair in (("worse", (before, value, earlier, spread)),
                               ("better", (value, before, spread, earlier))):
                if _is_result_better(*pair, 1 + threshold):
                    yield results.commit_hash, (
                        f"{word if threshold else 'count changed'}: {name}({', '.join(chosen)}), "
                        f"{before:.8g} to {value:.8g} {known[name].get('unit', '')}")


def cells(results: Results, known: Benchmarks) -> Iterator[tuple[str, tuple[str, ...], Any, Any]]:
    """Yield name, parameters, value and spread of all that was measured."""
    for name in sorted(results.get_result_keys(known)):
        params = results.get_result_params(name)
        for chosen, value, *spread in zip(
                product(*params), results.get_result_value(name, params),
                results.get_result_stats(name, params), results.get_result_samples(name, params),
                strict=True):
            if value is not None and value == value:
                yield name, chosen, value, spread


def main(*commits: str) -> int:
    """Print a line for each change; return the exit status."""
    choice = ["--no-walk=unsorted", *commits] if commits else ["--topo-order", "--reverse"]
    log = subprocess.run(["git", "log", "--format=%H %s", *choice], text=True, check=True,
                         capture_output=True).stdout
    subjects = dict(line.split(" ", 1) for line in log.splitlines())
    found = [*changes(Config.load(), [*subjects])]
    for commit, change in found:
        print(f"{commit[:8]} {subjects[commit]}: {change}")
    print(f"{len(found)} changes")
    return int(any(change.startswith("count changed") for _, change in found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
