"""Send external algorithms to another process of this machine.

An algorithm in a file or a module is sent as its notation and loaded there. An algorithm in a
script or notebook is pickled by value, with the text of its source, from which its builds are made.
"""

import io
import linecache
import marshal
import pickle
import sys
from base64 import b64decode, b64encode
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar

from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.notation import find, locate
from nqbench.problems.plugins.registry import MAIN, digest, find_code, known, sources
from nqbench.search.algorithm import Algorithm

UNCHECKED = " (unchecked)"  # follows the name of an algorithm that is measured without a check


def fingerprint(algorithm: Algorithm[Any, Any]) -> str:
    """Return the SHA-256 of the source of an algorithm when it was registered: its file, or its
    cell of a notebook.
    """
    return sources.get(remove_mark(algorithm.name).partition(":")[0]) or digest(algorithm)


def mark_unchecked(algorithm: Algorithm[Any, Any]) -> Algorithm[Any, Any]:
    """Register an algorithm under a name that says that it was not checked, and return it."""
    marked = replace(algorithm, name=algorithm.name + UNCHECKED)
    known[marked.name] = marked
    return marked


def remove_mark(name: str) -> str:
    """Return the name of an algorithm without the mark that it was not checked.

    >>> remove_mark("mine (unchecked)")
    'mine'
    """
    return name.removesuffix(UNCHECKED)


def pack(algorithms: Iterable[Algorithm[Any, Any]]) -> list[dict[str, Any]]:
    """Return these algorithms in a form for JSON, which `unpack` reads."""
    return [{"name": each.name, "source": fingerprint(each),
             "unchecked": remove_mark(each.name) != each.name,
             **_pack(replace(each, name=remove_mark(each.name)))}
            for each in algorithms]


def _pack(algorithm: Algorithm[Any, Any]) -> dict[str, Any]:
    place = locate(algorithm)
    if "::" in place:
        return {"place": place}
    cells = {code.co_filename for each in (algorithm, *vars(sys.modules[MAIN]).values())
             if (code := find_code(each)) and not Path(code.co_filename).is_file()}
    return {"pickled": b64encode(_pickle(algorithm)).decode(),
            "cells": {name: "".join(linecache.getlines(name)) for name in sorted(cells)}}


def _pickle(algorithm: Algorithm[Any, Any]) -> bytes:
    """Pickle an algorithm by value. Its code keeps its file name, which cloudpickle 3.1.3 drops."""
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        dispatch_table: ClassVar = ChainMap(
            {CodeType: lambda code: (marshal.loads, (marshal.dumps(code),))},
            cloudpickle.Pickler.dispatch_table)

    written = io.BytesIO()
    Pickler(written).dump(algorithm)
    return written.getvalue()


def unpack(packed: Iterable[Mapping[str, Any]]) -> None:
    """Register algorithms that another process has packed.

    Raises
    ------
    InvalidValueError
        if one cannot be loaded, or if its source has changed since it was packed.
    """
    for each in packed:
        if "place" in each:
            found = find(each["place"], None)
        else:
            for name, text in each["cells"].items():
                linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
            found = pickle.loads(b64decode(each["pickled"]))
            known[found.name] = found
        if digest(found) != each["source"]:
            raise InvalidValueError(f"the source of {found.name} has changed since it was loaded; "
                                    "load it again, and begin the study again")
        if found.name != (name := remove_mark(each["name"])):  # for another of its name
            found = known[name] = replace(found, name=name)
        if each["unchecked"]:
            mark_unchecked(found)
