"""The command `lab`, which serves the lab to a browser of this machine."""

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.terminal import say
from nqbench.errors import InvalidValueError

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
