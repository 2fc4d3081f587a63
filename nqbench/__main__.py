"""`python -m nqbench` is the command `nqbench`."""

from nqbench.cli import main

main()
