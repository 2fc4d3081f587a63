"""Print what pyproject.toml requires, for pip.

    python tools/packages.py lint test   the package, and these extras
    python tools/packages.py --oldest    the package, in the oldest versions that are allowed
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
PROJECT = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]


def required(extras: list[str]) -> Iterator[str]:
    """Yield the requirements of the package and of these extras, those that extras name, too."""
    yield from PROJECT["dependencies"]
    for extra in extras:
        for requirement in PROJECT["optional-dependencies"][extra]:
            if named := re.fullmatch(r"nqbench\[(\w+)\]", requirement):
                extras.append(named[1])  # the loop goes on with it
            else:
                yield requirement


def pins() -> list[str]:
    """Return each requirement of the package pinned to its minimum version."""
    return [requirement.replace(">=", "==") for requirement in PROJECT["dependencies"]]


if __name__ == "__main__":
    asked = sys.argv[1:]
    print("\n".join(pins() if asked == ["--oldest"] else dict.fromkeys(required(asked))))
