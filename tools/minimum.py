"""Print the oldest versions that pyproject.toml allows, for `make test-minimum`."""

import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def pins() -> list[str]:
    """Return each required package pinned to its minimum version."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    return [requirement.replace(">=", "==") for requirement in project["dependencies"]]


if __name__ == "__main__":
    print("\n".join(pins()))
