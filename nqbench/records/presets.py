"""The presets of studies, which the topics have. Each is a study file (see `nqbench.study.files`),
which names experiments and their sizes.
"""

import tomllib
from functools import cache
from typing import Any

from nqbench._discovery import topic_files

ORDER = ("quick", "standard", "full")  # the others follow by name


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Return the fields of each preset by its name.

    >>> list(presets())[:4], presets()["pruning"]["solvers"]
    (['quick', 'standard', 'full', 'blocked'], 'pruning')
    """
    found = {file.stem: tomllib.loads(file.read_text("utf-8"))["study"]
             for file in topic_files("*.toml")}
    return {name: found[name] for name in (*ORDER, *sorted(found.keys() - set(ORDER)))}
