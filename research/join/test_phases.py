"""The profile of the join, whose phases are functions of its sources."""

import re
from pathlib import Path
from types import SimpleNamespace

import phases
import pytest

EXT = Path(__file__).parents[2] / "ext"


def test_phases_are_those_of_the_functions_that_perf_found():
    looks = {"meet_avx24.constprop.0": 8, "transpose64_portable": 1, "make_halves_avx2": 5,
             "sort_words": 4, "list.constprop.0": 2, "list": 1, "join_flags": 3}
    lines = [f" 1.00%  ; {n} ;_join.cpython-311.so  ;[.] {name}  ;-" for name, n in looks.items()]
    assert phases.count_phases(
            ["# a comment", *lines, " 9% ; 90 ;libc.so.6 ;[.] transpose64 ;-"]) == {
        "pairs": 8, "turning": 1, "halves": 5, "sorting": 4, "quarters": 3, "other": 3}


def test_the_functions_of_the_phases_are_in_the_sources():
    text = "".join(path.read_text("utf-8") for path in EXT.glob("join*.h"))
    for names in phases.PHASES.values():
        for name in names:
            assert re.search(rf"\b(NAME\({name}\)|\*?{name})\(", text), name


def test_without_perf_or_its_permission_the_profile_says_why(monkeypatch):
    monkeypatch.setattr(phases, "which", lambda name: None)
    with pytest.raises(RuntimeError, match="there is no perf"):
        phases.profile(12)
    monkeypatch.setattr(phases, "which", lambda name: name)
    monkeypatch.setattr(phases, "_run", lambda *words: SimpleNamespace(
        returncode=255, stdout="", stderr="No permission\nmore\n"))
    with pytest.raises(RuntimeError, match=r"^No permission$"):
        phases.profile(12)
