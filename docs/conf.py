"""The documentation site, which `make docs` writes to build/docs with Sphinx."""

import os
import sys
from functools import cache
from pathlib import Path

from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx

import nqbench

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for _site


class _Environment(SandboxedEnvironment):
    """What numpydoc makes for each object, and would compile its one template in each time."""

    compile = staticmethod(cache(SandboxedEnvironment().compile))


docscrape_sphinx.SandboxedEnvironment = _Environment

project = "nqbench"
author = "The nqbench authors"
copyright = author
version = release = nqbench.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_click",
    "_site.boards",
    "_site.fields",
    "_site.links",
    "_site.readable",
    "_site.search",
]
exclude_patterns = ["_site", "**/.ipynb_checkpoints"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # links name headings as Git hosts do

# The class notebooks are kept without outputs: they run when the site is built.
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "build/notebooks")
nb_execution_in_temp = True
os.environ["PYTHONPATH"] = str(HERE / "notebooks")  # their exercises
nb_execution_raise_on_error = True
nb_execution_timeout = 200

smartquotes = False  # quotes belong to values
default_role = "py:obj"  # `name` in a docstring is a link if the site describes it, else code
numpydoc_show_class_members = False  # they stand below
autodoc_member_order = "groupwise"
autodoc_default_options = {"exclude-members": "deque"}  # it has no valid signature in CPython 3.13
python_maximum_signature_line_length = 80
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "nqbench"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(HERE / "_site/scorer.js")
html_theme_options = {
    "logo": {"text": f"nqbench {version}"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": [], "lab": [], "report": []}
