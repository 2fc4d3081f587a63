"""Links to files of the repository, which Markdown names relative to itself.

A Git host follows them as they are. In the site, a link to a file that has a page leads to this
page, and one to another file leads to the repository. While pyproject.toml names no address of the
repository, it is a code span.
"""

import os
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

# Files and folders outside docs/, or without a page of their own, and where the site shows them.
PAGES = {
    "README.md": "index",
    "CHANGELOG.md": "development/changelog",
    "CONTRIBUTING.md": "development/contributing",
    "CODE_OF_CONDUCT.md": "development/conduct",
    "SECURITY.md": "development/security",
    "docs/notebooks": "tutorial/index",
}


def repository(home: Path) -> str | None:
    """Return the address of the repository in pyproject.toml, without a slash at its end."""
    project = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]
    urls = {name.lower(): url for name, url in project.get("urls", {}).items()}
    found = next((urls[name] for name in ("repository", "source") if name in urls), None)
    return found and found.rstrip("/")


class RepositoryLinks(SphinxTransform):
    """Lead each link to a file of the repository to its page, to its file, or nowhere."""

    default_priority = 20  # before Sphinx looks for what they name

    def apply(self, **_: object) -> None:
        home = Path(self.app.srcdir).parent
        for kind in (addnodes.pending_xref, addnodes.download_reference):
            for node in list(self.document.findall(kind)):
                if node.get("reftype") == "myst":
                    self.lead(node, home)

    def lead(self, node: nodes.Element, home: Path) -> None:
        """Replace one link, if it names a file or folder that is not a document of the site."""
        target, _, anchor = node["reftarget"].partition("#")
        if node.get("refdomain") == "doc":  # another Markdown file
            if node["reftarget"] in self.env.found_docs:
                return
            path = Path(f"{node['reftarget']}.md")
        else:
            written = Path(node.source or self.env.doc2path(self.env.docname))
            path = Path(os.path.normpath(written.parent / target))
        if not target or not path.exists() or not path.is_relative_to(home):
            return  # Sphinx says what is missing
        name = path.relative_to(home).as_posix()
        inside = name.startswith("docs/")
        page = PAGES.get(name) or (self.env.path2doc(path) if inside else None)
        if page in self.env.found_docs:
            node.replace_self(addnodes.pending_xref(
                "", *node.children, refdomain="doc", reftarget=page, reftargetid=anchor or None,
                reftype="myst", refdoc=self.env.docname, refexplicit=True))
        elif inside and path.is_file():
            node.replace_self(addnodes.download_reference(
                "", *node.children, reftarget=f"/{name.removeprefix('docs/')}",
                refdoc=self.env.docname))
        else:
            self.leave(node, name, path.is_dir())

    def leave(self, node: nodes.Element, name: str, folder: bool) -> None:
        """Link to a file in the repository; without an address, show its name as code."""
        address = repository(Path(self.app.srcdir).parent)
        shown = [inner for outer in node.children for inner in outer.children]
        if address:
            where = f"{address}/{'tree' if folder else 'blob'}/HEAD/{name}"
            node.replace_self(nodes.reference("", "", *shown, refuri=where))
        elif node.astext().rstrip("/").endswith(name.rpartition("/")[2]):
            node.replace_self(nodes.literal("", node.astext()))
        else:
            node.replace_self(shown)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(RepositoryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
