"""Examples of records, and a folder that holds some."""

from nqbench.records.context import context
from nqbench.records.record import SCHEMA, append
from nqbench.records.store import begin

NOW = "2026-11-21T08:00:00.000+00:00"
GOOD = {"schema": SCHEMA, "run": NOW, "preset": "quick", "budget": 5.0, "time": NOW,
        "context": context(), "algorithm": "bitmask", "implementation": "python", "n": 8,
        "metric": "nodes", "unit": "nodes", "status": "measured", "samples": [2057],
        "loops": None, "predicted": None}
FIRST, SECOND = "2026-11-21T08:00:00.000+00:00", "2026-11-22T09:30:00.000+00:00"


def store(folder, started, machine="0123456789ab"):
    folder.mkdir(parents=True, exist_ok=True)
    path = begin(folder, "quick", started, machine)
    append(path, [GOOD | {"run": started}])
    return path
