"""The command `race`: check and time all programs of a folder, and write a leader board."""

from shlex import join

import click

from nqbench.checking.race import AGAINST, race
from nqbench.cli import options
from nqbench.cli.shared import require_out, say, write_out
from nqbench.cli.terminal import progress
from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_seconds
from nqbench.util.text import printable

SIZES, LIMIT, ROUNDS, OUT = "4-12", 5.0, 3, "race.html"


@options.command("race", examples=["nqbench race submissions",
                                   "nqbench race submissions -n 4-14 --limit 10 --anonymous"])
@click.argument("folder", metavar="FOLDER")
@options.option("-n", "sizes", default=SIZES, metavar="N",
                help="Count for N queens, as in 8, 6-12 or 6,8,10.")
@options.option("--limit", type=float, default=LIMIT, metavar="SECONDS",
                help="Stop a count that takes longer; the program then takes no larger n.")
@options.number("--rounds", least=1, default=ROUNDS, metavar="R", help="Times of each count.")
@options.option("--against", default=",".join(AGAINST), metavar="ALGORITHMS",
                help="Run these algorithms of the package beside them.")
@options.option("--out", default=OUT, metavar="FILE", help="The page.")
@click.option("--anonymous", is_flag=True,
              help="Call the programs by numbers; standard output says whose they are.")
def show_race(folder: str, sizes: str, limit: float, rounds: int, against: str, out: str,
              anonymous: bool) -> None:
    """Check, time and rank every program of a folder.

    The page ranks them, draws their times, and names the first mistake of each.

    A program is a file in C, C++, Go, Java, JavaScript, Perl, Python, Ruby, Rust or shell, any file
    that can be executed, or a folder with one of these. It gets the number of queens as its
    argument; the last number that it prints is the number of solutions. A file in Python may have a
    function of n instead, which gives the solutions in any usual form. Each runs in a process of
    its own, which sees only a copy of its files.
    """
    from nqbench.records.context import context
    from nqbench.report.leaderboard import to_page
    from nqbench.study.fields import parse_sizes

    chosen = parse_sizes(sizes, "-n")
    require_seconds(limit, "--limit")
    names = [name.strip() for name in against.split(",") if name.strip()]
    if not out.endswith(".html"):
        raise InvalidValueError(f"--out must end in .html, not {out!r}")
    require_out("--out", out)
    with progress(1.0) as show:
        found = race(folder, chosen, limit, rounds, names, anonymous, show)
    given = [word for option, value, usual in (
        ("-n", sizes, SIZES), ("--limit", limit, LIMIT), ("--rounds", rounds, ROUNDS),
        ("--against", against, ",".join(AGAINST))) if value != usual
        for word in (option, str(value))] + ["--anonymous"] * anonymous
    place = "FOLDER" if anonymous else folder
    write_out("--out", out, to_page(found, context(), join(["nqbench", "race", place, *given])))
    entered = [each for each in found.entries if each.origin]
    for each in sorted(entered, key=lambda one: one.origin):
        if anonymous or each.mistake:
            said = [each.origin] * anonymous + [each.mistake] * bool(each.mistake)
            click.echo(printable(f"{each.name}: {'; '.join(said)}"))
    right = sum(not each.mistake for each in entered)
    if not found.separated:
        say("this system cannot keep the programs from reading each other's files")
    click.echo(f"{right} of {len(entered)} programs are right; open {out}")
