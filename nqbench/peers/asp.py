"""clingo: answer set programming; the answer sets are counted by clingo itself.

https://potassco.org/guide
"""

from nqbench.peers._peer import Peer

PROGRAM = """
{ queen(R, 1..n) } = 1 :- R = 1..n.
{ queen(1..n, C) } = 1 :- C = 1..n.
:- S = 2..2*n, 2 { queen(R, S-R) }.
:- D = 1-n..n-1, 2 { queen(R, R-D) }.
"""


def count(n: int) -> int:
    """Count all solutions.

    Raises
    ------
    RuntimeError
        if the search ended before all were found.
    """
    import clingo

    control = clingo.Control(["--models=0", f"--const=n={n}"])
    control.add("base", [], PROGRAM)
    control.ground([("base", [])])
    if not control.solve().exhausted:
        raise RuntimeError("clingo ended before it had found all models")
    return int(control.statistics["summary"]["models"]["enumerated"])


PEER = Peer("clingo", "clingo", "a logic program of four rules", count, order=30)
