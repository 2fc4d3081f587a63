"""The commands `lab`, which serves the lab to a browser of this machine, and `lesson`."""

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from nqbench.cli import options, shared
from nqbench.cli.shared import say
from nqbench.errors import InvalidValueError
from nqbench.util.files import require_target, write_whole

BUILT = "build/lab"  # the folder that `make lab` writes
CLONE = Path(__file__).parents[2]  # if nqbench is not installed from a wheel
HERE = "127.0.0.1"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each, with the types that browsers insist on."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        pass


@options.command(examples=["nqbench lab", "nqbench lab --port 8000 --no-browser"])
@click.argument("folder", metavar="[FOLDER]", default=BUILT)
@options.number("--port", least=0, default=0, metavar="PORT",
                help="The port on 127.0.0.1. Default: a free one.")
@click.option("--browser/--no-browser", default=True, help="Open a browser. Default: yes.")
def lab(folder: str, port: int, browser: bool) -> None:
    """Serve the lab: write, watch and race searches in a browser.

    FOLDER is what `make lab` built in a clone of the repository; an installed package does not have
    it. Any static server serves it as well, but browsers do not run it from a file. Ctrl-C ends it.
    """
    if not (Path(folder) / "nqbench.zip").is_file():
        raise InvalidValueError(f"there is no lab in {folder}; " + (
            f"`make lab` builds it in {CLONE / BUILT}" if (CLONE / "lab/package.json").is_file()
            else "an installed nqbench does not have it: run `make lab` (needs npm) in a clone of "
            f"the repository, then `nqbench lab CLONE/{BUILT}`"))
    try:
        server = ThreadingHTTPServer((HERE, port), partial(Quiet, directory=folder))
    except (OSError, OverflowError) as error:
        raise InvalidValueError(f"port {port} of {HERE} cannot be used: {error}") from None
    with server:
        address = f"http://{HERE}:{server.server_port}/"
        say(f"the lab is at {address}; Ctrl-C ends it")
        if browser:
            webbrowser.open(address)
        server.serve_forever()


@options.command(examples=["nqbench lesson 1", "nqbench lesson 1 --pdf --answers"])
@click.argument("number", metavar="[LESSON]", required=False, type=options.Size("LESSON", 1, 4))
@options.option("--answers", is_flag=True, help="Include the model answers.")
@options.option("--pdf", is_flag=True, help="Write slides and handout as PDF (needs fpdf2).")
@options.option("--out", metavar="DIR", default=".", help="Folder of the PDF files.")
def lesson(number: int | None, answers: bool, pdf: bool, out: str) -> None:
    """Print a lesson for a class, or write its slides and handout.

    Without LESSON, list the lessons, or print or write all. --pdf writes lesson-N-slides.pdf and
    lesson-N-handout.pdf, and with --answers also lesson-N-answers.pdf.
    """
    from nqbench.lessons import read

    lessons = [read(each) for each in ([number] if number else range(1, 5))]
    if out != "." and not pdf:
        raise InvalidValueError("--out is the folder of the PDF files: add --pdf")
    if not (number or pdf or answers):
        for each in lessons:
            click.echo(f"{each.number}  {each.title}: {each.fact('Level')}")
    elif not pdf:
        texts = [text for each in lessons for text in (each.text, *[each.answers] * answers)]
        click.echo("\n".join(texts), nl=False)
    else:
        try:
            from nqbench.lessons.pdf import make
        except ImportError:
            raise InvalidValueError("--pdf needs fpdf2 and markdown-it-py: pip install "
                                    "'nqbench[lessons]'") from None
        files = {Path(out, f"lesson-{each.number}-{kind}.pdf"): (each, kind) for each in lessons
                 for kind in ("slides", "handout", *["answers"] * answers)}
        with shared.folder("--out", out):
            Path(out).mkdir(parents=True, exist_ok=True)
            for path in files:
                require_target(path)
            for path, (each, kind) in files.items():
                write_whole(path, make(each, kind))
                click.echo(path)
