"""What Sphinx would show badly: code in the command's help, and defaults without a name."""

import re

from click import Context
from sphinx.application import Sphinx

PARTS = ("description", "epilog")
NAMELESS = re.compile(r"= ?<(?:[^<>]|<[^<>]*>)*>")  # a default that Python cannot write
LARGEST = re.compile(r" *\[\d*<?=?x<=9{9,}\]")  # of a number that has no limit of its own


def set_as_code(app: Sphinx, ctx: Context, lines: list[str]) -> None:
    """Turn each block whose lines click keeps into code; in an example, each line is a command."""
    found: list[str] = []
    language = ""
    for line in lines:
        if line == "| Example:":
            language = "console"
            found += [".. rubric:: Example", "", ".. code-block:: console", ""]
        elif line.startswith("| "):
            if not language:
                language = "text"
                found += [".. code-block:: text", ""]
            found.append(f"   $ {line[2:].strip()}" if language == "console" else f"   {line[2:]}")
        else:
            language = ""
            found.append(line.replace("*", r"\*"))
    lines[:] = found


def drop_limits(app: Sphinx, ctx: Context, lines: list[str]) -> None:
    """Drop the range of a number that may be as large as any."""
    lines[:] = [LARGEST.sub("", line) for line in lines]


def shorten_defaults(app: Sphinx, what: str, name: str, found: object, options: object,
                     signature: str | None, returned: str | None) -> tuple[str, str | None] | None:
    """Write ... for a default such as a function, so that Sphinx can read the signature."""
    return signature and (NAMELESS.sub("= ...", signature), returned)


def setup(app: Sphinx) -> dict[str, bool]:
    for part in PARTS:
        app.connect(f"sphinx-click-process-{part}", set_as_code)
    app.connect("sphinx-click-process-options", drop_limits)
    app.connect("autodoc-process-signature", shorten_defaults)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
