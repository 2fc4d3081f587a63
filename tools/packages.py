"""Print what extras of pyproject.toml require, for pip: `python tools/packages.py lint test`."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def required(extras: list[str]) -> Iterator[str]:
    """Yield the requirements of the package and of these extras, those that extras name, too."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    yield from project["dependencies"]
    for extra in extras:
        for requirement in project["optional-dependencies"][extra]:
            if named := re.fullmatch(r"nqbench\[(\w+)\]", requirement):
                extras.append(named[1])  # the loop goes on with it
            else:
                yield requirement


if __name__ == "__main__":
    print("\n".join(dict.fromkeys(required(sys.argv[1:]))))
