"""Two directives: `record-fields` shows the fields of a record, as the schema in nqbench has them,
and `study-keys` those of a study file, as its experiments read them.
"""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from nqbench.records.record import schema
from nqbench.study.plan import experiment_names, find_experiment, readable

Schema = dict[str, Any]
HEAD = ["| field | type | meaning |", "|---|---|---|"]
OFTEN = 3  # metrics that a heading names


class RecordFields(SphinxDirective):
    """A table of the fields of every record, and one for each kind of metric."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes("\n".join(markdown(schema())), allow_section_headings=True)


class StudyKeys(SphinxDirective):
    """A table of the experiments, and one of the keys that they read."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes("\n".join(study_keys()))


def study_keys() -> Iterator[str]:
    """Yield the lines of the tables."""
    reads = {name: find_experiment(name).reads for name in experiment_names()}
    yield from ["| experiment | what it does | keys beside `budget` |", "|---|---|---|"]
    for name, read in reads.items():
        what = " ".join(str(find_experiment(name).__doc__).partition("\n\n")[0].split())
        yield f"| `{name}` | {what} | {', '.join(f'`{each.name}`' for each in read)} |"
    yield from ["", "| key | meaning | default | at most |", "|---|---|---|---|"]
    for name, field in readable(reads).items():
        default = "needed" if field.needed else f"`{field.default}`" if field.default else ""
        most = "" if field.most is None else f"{field.most:,.0f}"
        yield f"| `{name}` | {field.meaning} | {default} | {most} |"


def markdown(whole: Schema) -> Iterator[str]:
    """Yield the lines of the tables."""
    yield from ["## Every record", "", *HEAD, *rows(whole, whole), ""]
    for case in whole["allOf"]:
        about = case["if"]["properties"]["metric"]
        metrics = about.get("enum") or [about["const"]]
        if len(metrics) > OFTEN:
            title = "Metrics of searches" if "seconds" in metrics else "Metrics beside the time"
            yield from [f"## {title}", "", ", ".join(f"`{each}`" for each in metrics) + ".", ""]
        else:
            yield from ["## " + ", ".join(f"`{each}`" for each in metrics), ""]
        yield from [*HEAD, *rows(case["then"], whole), ""]


def rows(part: Schema, whole: Schema, within: str = "") -> Iterator[str]:
    """Yield a row for each field of a part of the schema, those of its objects after it.

    A field of one status only is described in a branch of the part.
    """
    required = set(part.get("required", ()))
    for name, first in fields(part).items():
        field = resolve(first, whole)
        optional = "" if name in required else "; optional"
        meaning = field.get("description", "").replace("|", r"\|")
        yield f"| `{within}{name}` | {kind(field, whole)}{optional} | {meaning} |"
        items = resolve(field.get("items", {}), whole)
        if "properties" in field:
            yield from rows(field, whole, f"{within}{name}.")
        elif "properties" in items:
            yield from rows(items, whole, f"{within}{name}[].")


def fields(part: Schema) -> Schema:
    """Return the fields of a part and of its branches; the first that describes one counts."""
    found: Schema = dict(part.get("properties", {}))
    for branch in ("then", "else"):
        for name, field in fields(part[branch]).items() if branch in part else ():
            found[name] = {**field, **found.get(name, {})}
    return found


def kind(field: Schema, whole: Schema) -> str:
    """Return the type of a field in words."""
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{each}`" for each in field["enum"])
    types = field.get("type", ())
    names = [types] if isinstance(types, str) else list(types)
    if "array" in names and (items := resolve(field.get("items", {}), whole)):
        names[names.index("array")] = f"array of {kind(items, whole) or 'any'}"
    return " or ".join(names)


def resolve(field: Schema, whole: Schema) -> Schema:
    """Return what a field refers to, or the field."""
    name = field.get("$ref", "").rpartition("/")[2]
    return whole["definitions"][name] if name else field


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("record-fields", RecordFields)
    app.add_directive("study-keys", StudyKeys)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
