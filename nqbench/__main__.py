"""`python -m nqbench` is the command `nqbench`."""

from nqbench.cli import main

if __name__ == "__main__":
    main()
