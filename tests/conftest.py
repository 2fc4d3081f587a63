import csv
from pathlib import Path

import pytest

from nqbench.algorithms import Search, catalogue

SEARCHES = [name for name, algorithm in catalogue().items() if isinstance(algorithm, Search)]
DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SOLUTIONS = {0: 1, 1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724}


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small study that was really run."""
    import nqbench

    folder = tmp_path_factory.mktemp("results")
    nqbench.study.run("quick", budget=10, results=folder)
    return folder
