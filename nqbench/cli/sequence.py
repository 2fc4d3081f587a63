"""The command `sequence`: the terms of a sequence as a b-file."""

import sys
from itertools import count, groupby

import click

from nqbench.cli.shared import Size, allow, command, example, say, yes_option
from nqbench.verification import Check, compute_terms


@command(epilog=example("nqbench sequence A319283 --max-n 12 > b319283.txt"))
@click.argument("name", metavar="SEQUENCE")
@click.option("--max-n", type=Size("--max-n"), default=10, show_default=True, metavar="N",
              help="Compute the terms up to this n.")
@yes_option
def sequence(name: str, max_n: int, yes: bool) -> None:
    """Print the terms of a sequence, computed here.

    The output is a b-file: each line has n and a(n). The rows of a triangle follow one another, and
    its entries are numbered. Standard error says how each term was computed and checked. The exit
    status is 1 if a term contradicts a published term or another search.
    """
    terms: list[Check] = []
    numbers = None

    def approve(seconds: float) -> None:
        rest = range(terms[-1].n + 1, max_n + 1)
        allow(seconds, yes, what=describe_range(list(rest)))

    try:
        for term in compute_terms(name.upper(), max_n, approve):
            terms.append(term)
            numbers = numbers or count(term.n)
            for value in term.got if isinstance(term.got, list) else [term.got]:
                click.echo(f"{next(numbers)} {value}")
    finally:
        for statement, group in groupby(terms, lambda term: term.statement):
            say(f"{describe_range([term.n for term in group])}: {statement}")
    wrong = [line for term in terms for line in term.contradictions]
    for line in wrong:
        say(line)
    sys.exit(1 if wrong else 0)


def describe_range(numbers: list[int]) -> str:
    """Return a range of n in words.

    >>> describe_range([4]), describe_range([4, 5, 6])
    ('n = 4', 'n = 4 to 6')
    """
    return f"n = {numbers[0]}" + (f" to {numbers[-1]}" if len(numbers) > 1 else "")
