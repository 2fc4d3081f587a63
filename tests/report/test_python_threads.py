"""The section on what Python threads gain."""

from types import SimpleNamespace

import pandas as pd
import pytest

from nqbench import analysis
from nqbench.report import rendering
from nqbench.report.contents import Contents
from nqbench.report.sections import threads


def shared(gil, times, n=10):
    """A record in which two threads are `times` as fast as one."""
    return {"metric": "shared", "status": "measured", "n": n, "jobs": 2, "gil": gil,
            "python": f"CPython 3.13.0{'' if gil else 't'}", "machine": "aaaa0000", "run": "1",
            "processor": "one", "samples": [[0.2 * times, 0.2]] * 6}


def text(*records):
    found = pd.DataFrame(records)
    made = SimpleNamespace(records=found, thread_gains=analysis.thread_gains(found), sources={})
    contents = Contents(made, {"threads": threads.SECTION.part(made)})
    return " ".join(rendering.part(contents, "threads").split())


def test_both_kinds_of_interpreter_are_compared_at_the_largest_n():
    said = text(shared(False, 1.9), shared(True, 0.98), shared(False, 1.2, n=8))
    assert "2 Python threads count 1.9 times as fast without the GIL, 0.98 times with it" in said
    assert "adds its rows" not in said
    assert 'data-value="0.38"' in said
    assert "380 ms" in said


@pytest.mark.parametrize(("gil", "finding"), [
    (True, "2 Python threads count 0.98 times as fast with the GIL<"),
    (False, "2 Python threads count 0.98 times as fast without the GIL<")])
def test_with_one_kind_the_page_says_how_to_add_the_other(gil, finding):
    said = text(shared(gil, 0.98))
    assert finding in said
    assert "run with the other kind of interpreter, adds its rows" in said


def test_without_records_there_is_no_section():
    assert threads.build(SimpleNamespace(thread_gains=analysis.thread_gains(pd.DataFrame(
        [{**shared(True, 1), "metric": "seconds"}])))) is None
