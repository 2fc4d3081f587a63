"""Records of measurements: one JSON object per line, one file for each run.

`record.json` is the schema; `nqbench.study` writes records and `nqbench.analysis` reads them.
"""

from nqbench.records.contradictions import frame, judge
from nqbench.records.record import Samples, append, join, read

__all__ = ["Samples", "append", "frame", "join", "judge", "read"]
