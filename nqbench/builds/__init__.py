"""One source, three builds: counting, plain, and bare.

A study must time the published code as printed, and count the steps of the same code. So every
search is written once, with its counting statements: this is the counting build, the function
itself. `built` makes two more builds from its source:

- the plain build is the same code without the counting statements;
- the bare build is timed: it is the plain build, but does not copy each solution, as most of the
  originals only count (`nqbench.builds.stripping` says what both leave out).

The file of a search, or its notebook cell, is compiled a second time after these changes. From this
twin a build takes the functions that the search calls and that count too
(`nqbench.builds.rebuilding`). Everything else is shared: no code of a module runs a second time,
and all builds see the same constants.
"""

from nqbench.builds.rebuilding import Kind, built, generated
from nqbench.builds.stripping import plain_tree

__all__ = ["Kind", "built", "generated", "plain_tree"]
