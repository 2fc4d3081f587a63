"""Show excerpts in the search results of the site, also when it is opened from a folder: there a
browser cannot fetch other pages, so a script contains the text of all pages.
"""

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

NAME = "pages.js"  # in _static
# What the search of Sphinx fetches.
SCRIPT = """const PAGES = %s;
window.fetch = (address) => Promise.resolve(new Response(
  PAGES[address.slice(document.documentElement.dataset.content_root.length)]));
"""
MAIN = re.compile("<main .*</main>", re.DOTALL)


def load(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Let the search load the script."""
    if name == "search":
        app.add_js_file(NAME)


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the script."""
    if error is None and app.builder.name == "html":
        folder = Path(app.outdir)
        texts = {f"{name}.html": (folder / f"{name}.html").read_text("utf-8")
                 for name in sorted(app.env.found_docs)}
        (folder / "_static" / NAME).write_text(SCRIPT % json.dumps({
            name: "".join(MAIN.findall(text)) for name, text in texts.items()}), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", load)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
