"""The descriptions of algorithms in records. Those of external algorithms have everything that a
report needs, so it can be made without their code.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from nqbench.problems.plugins.parcels import remove_mark
from nqbench.problems.queens import catalogue
from nqbench.records.record import CUSTOM
from nqbench.search.algorithm import Algorithm, Finds, Tree
from nqbench.util.discovery import topic_files
from nqbench.util.versions import remove_version

METRIC = "algorithm"  # the metric of records that describe an algorithm
ORDER = ("quick", "standard", "full")  # the others follow by name


@cache
def preset_texts() -> dict[str, str]:
    """Return the text of each preset by its name. Its first line is a comment: what it measures.

    >>> preset_texts()["sudoku"].partition("\\n")[0]
    '# Every solver of Sudoku on every data set.'
    """
    found = {file.stem: file.read_text("utf-8") for file in topic_files("*.toml")}
    return {name: found[name] for name in (*ORDER, *sorted(found.keys() - set(ORDER)))}


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Return the fields of each preset by its name.

    >>> list(presets())[:4], presets()["pruning"]["solvers"]
    (['quick', 'standard', 'full', 'blocked'], 'pruning')
    """
    return {name: tomllib.loads(text)["study"] for name, text in preset_texts().items()}


@dataclass(frozen=True)
class Description:
    """What a report says about an algorithm; see `nqbench.search.algorithm.Algorithm`.

    Attributes
    ----------
    implementations
        their names.
    file
        the name of its file; None if it is in the catalogue, or from a notebook.
    repository
        the commit of its file, and whether the file was changed since, None outside a clone; the
        SHA-256 of what it imports from its folder: `nqbench.util.versions.describe_file`.
    source
        SHA-256 of its source; None if it is in the catalogue.
    checked
        whether its builds were compared and its counts checked before it was measured.
    warnings
        what makes its times doubtful, as its check says.
    recordings
        its searches for the player of the page, as `nqbench.explain.recordings.pack` makes them.
    program
        of a program, what `nqbench.problems.plugins.programs.ProgramAlgorithm.report` says.
    """

    name: str
    technique: str = ""
    origin: str = "not described"
    year: int | None = None
    symmetry: str = "none"
    uses_symmetry: bool = False
    keeps_marks: bool = False
    tree: Tree = Tree.OWN
    finds: Finds = Finds.ALL
    implementations: tuple[str, ...] = ()
    file: str | None = None
    repository: Mapping[str, Any] = field(default_factory=dict)
    source: str | None = None
    checked: bool = True
    warnings: tuple[str, ...] = ()
    recordings: tuple[Mapping[str, Any], ...] = ()
    program: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields of a record that describe the algorithm."""
        return {"algorithm": self.name, "source": self.source,
                "description": {name: getattr(self, name) for name in SAID},
                "recordings": list(self.recordings)}


SAID = tuple(each.name for each in fields(Description)
             if each.name not in ("name", "source", "recordings"))


def describe(algorithm: Algorithm[Any, Any]) -> Description:
    """Return the description of an algorithm.

    >>> describe(catalogue()["somers"]).implementations
    ('python', 'cython')
    """
    return Description(**{name: getattr(algorithm, name) for name in (
        "name", "technique", "origin", "year", "symmetry", "uses_symmetry", "keeps_marks", "tree",
        "finds")}, implementations=tuple(algorithm.implementations))


class Descriptions(dict[str, Description]):
    """The descriptions of external algorithms by name; those of other algorithms are made when
    needed.

    >>> Descriptions()["brute_force"].tree, Descriptions()["not_known"].origin
    (<Tree.NONE: 'none'>, 'not described')
    """

    def __missing__(self, name: str) -> Description:
        plain = name.partition(":")[0]
        return describe(catalogue()[plain]) if plain in catalogue() else Description(name)


def read_descriptions(records: Iterable[Mapping[str, Any]]) -> Descriptions:
    """Return the descriptions in records; if two have the same name, the later one counts."""
    found = Descriptions()
    for record in records:
        if record["metric"] == METRIC:
            said = record["description"]
            found[record["algorithm"]] = Description(
                record["algorithm"], source=record["source"],
                recordings=tuple(record["recordings"]),
                **{name: said[name] for name in SAID if name not in ENUMERATED},
                **{name: kind(said[name]) for name, kind in ENUMERATED.items()})
    return found


ENUMERATED = {"tree": Tree, "finds": Finds, "implementations": tuple, "warnings": tuple}


def to_study_file(study: Mapping[str, Any], outside: Mapping[str, Description]) -> str:
    """Return a study file of what a run measured, which names external algorithms with their files.
    If a study file may not have the name, a suffix is added.

    >>> print(to_study_file({"name": "custom", "algorithms": ["mine@numba"], "n": [8]},
    ...                     {"mine": Description("mine", file="idea.py", source="0123")}), end="")
    # idea.py::mine: SHA-256 0123
    [study]
    name = "custom-again"
    algorithms = ["idea.py::mine@numba"]
    n = [8]
    """
    plain = {name: remove_version(remove_mark(name)) for name in outside}
    places = {name: f"{each.file}::{plain[name]}" if each.file else plain[name]
              for name, each in outside.items()}

    def place(named: str) -> str:
        name, at, implementation = named.partition("@")
        return places.get(name, name) + at + implementation

    given = dict(study)
    if given.get("name") in (*presets(), CUSTOM):
        given["name"] += "-again"
    if "algorithms" in given:
        given["algorithms"] = [place(name) for name in given["algorithms"]]
    if "baseline" in given:
        given["baseline"] = place(given["baseline"])
    sources = [f"# {places[name]}: SHA-256 {each.source}\n" for name, each in outside.items()]
    return "".join((*sources, "[study]\n", *(  # JSON of texts, numbers and lists is TOML
        f"{key} = {json.dumps(value)}\n" for key, value in given.items()
        if value is not None and re.fullmatch("[a-z_]+", key))))
