"""External algorithms, that is, those outside the package, and the notation that names every
algorithm.

    NAME                    a built-in or registered algorithm
    PROBLEM::NAME           the built-in one of that problem, as in instances::bitmask
    NAME:VALUE              with a parameter
    NAME:depth=2,order=rows with several
    PATH.py                 the only algorithm of a file; all of them where several are allowed
    PATH.py::NAME           one of them
    package.module::NAME    one of an importable module, as of an installed package
    PATH.py@REVISION::NAME  one of the file as it was in git, as in mine.py@HEAD~1::mine
    ...@IMPLEMENTATION      one of its implementations
    ./PROGRAM {n}           a command that prints the number of solutions

NAME may also be a function of n that was not written for nqbench, or a method, as in
Solution.solve (`nqbench.problems.plugins.functions`), or one that takes a puzzle of Sudoku
(`nqbench.problems.plugins.puzzles`). A file without algorithms stands for the only such function
that can be meant.

A file may have algorithms for several problems; if an algorithm for one problem is wanted, the
others do not count. A file that has changed is loaded again.
"""

from nqbench.problems.plugins.decorator import Plugin, algorithm, rule
from nqbench.problems.plugins.notation import find, find_all, locate, resolve, resolve_all
from nqbench.problems.plugins.registry import blame, is_outside, register, registered

__all__ = ["Plugin", "algorithm", "blame", "find", "find_all", "is_outside", "locate",
           "register", "registered", "resolve", "resolve_all", "rule"]
