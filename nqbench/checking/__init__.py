"""Check an algorithm: its solutions, builds, implementations, counters and tree.

>>> from nqbench.problems.queens import find
>>> findings = check(find("bitmask"), max_n=5)
>>> findings, findings.ok
(<Findings: bitmask is right>, True)
>>> findings.tree[2]
(12, 12)
"""

from nqbench.checking.examination import check, check_in_child
from nqbench.checking.findings import Fault, Findings

__all__ = ["Fault", "Findings", "check", "check_in_child"]
