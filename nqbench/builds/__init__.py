"""One source, three builds: counting, plain, and bare.

A timing must be of the textbook code as a reader sees it, a count must be of the very same code.
So every search is written once, with its counting statements in it: that is the counting build,
the function itself. `built` makes two more of it, from its source:

- the plain build is the same code without the counting statements (`nqbench.builds.stripping`);
- the bare build is what is timed: the plain build that says "here is one" at a solution and does
  not make a tuple of it, as most of the originals only count (`nqbench.builds.emptying`).

A build has copies of the functions that the search calls and that count too, whatever file or
notebook cell they are written in (`nqbench.builds.rebuilding`). Everything else is shared: no code
of a module runs a second time, and all builds see the same constants.
"""

from nqbench.builds.rebuilding import Kind, built, generated
from nqbench.builds.stripping import plain_tree

__all__ = ["Kind", "built", "generated", "plain_tree"]
