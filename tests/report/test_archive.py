"""An archive holds what another person needs to verify a report."""

import hashlib
import json
import tomllib
import zipfile
from dataclasses import replace

import pytest
from examples import FIRST, SECOND, checked, counted, head, timed, write

from nqbench import __version__
from nqbench.problems.queens import find
from nqbench.records.descriptions import describe
from nqbench.records.record import digest
from nqbench.records.runs import group, locate
from nqbench.report import exports
from nqbench.report.builder import check

REPORT = {"index.html": b"<!doctype html>", "times.csv": b"n\r\n8\r\n"}


@pytest.fixture
def runs(tmp_path):
    first = timed(samples=[0.1, 0.2])
    write(tmp_path / "in" / "a.jsonl", first, counted(first, "solutions", 92),
          timed(run=SECOND, preset="../own", label="laptop"))
    return group(locate(tmp_path / "in"))


def read(path):
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def test_the_same_runs_give_the_same_bytes(runs, tmp_path):
    for name in "ab":
        exports.write_archive(tmp_path / name, runs, REPORT)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_it_holds_records_report_versions_and_checksums(runs, tmp_path):
    names = exports.write_archive(tmp_path / "a.zip", runs, REPORT)
    found = read(tmp_path / "a.zip")
    assert list(found) == names == [
        "README.md", "SHA256SUMS", "reports/index.html", "reports/times.csv",
        "results/___own-20261122T0930000000000-aaaa0000.jsonl",
        "results/quick-20261121T0800000000000-aaaa0000.jsonl", "versions.txt"]
    assert f"nqbench=={__version__}\n" in found["versions.txt"].decode()
    assert "\npandas==" in found["versions.txt"].decode()
    sums = dict(line.split("  ")[::-1] for line in found["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in found.items()
                    if name != "SHA256SUMS"}
    assert FIRST in found["README.md"].decode()
    assert digest(record for run in runs for record in run.records) in (
        found["README.md"].decode())


def test_no_run_takes_the_file_of_another_one(tmp_path):
    starts = [f"2026-11-21T08:00:00.000{zone}:00" for zone in ("+01", "-01")]
    for number, (run, machine) in enumerate((start, machine) for start in starts
                                            for machine in ("a b", "a/b", "A_B")):
        write(tmp_path / f"{number}.jsonl", timed(run=run, machine=machine))
    runs = group(locate(tmp_path))
    files = exports.record_files(runs)
    assert len({name.lower() for name in files}) == len(runs) == 6
    assert [json.loads(data)["run"] for data in files.values()] == [run.started for run in runs]
    assert files.items() <= exports.archive(runs, REPORT).items()


def test_it_holds_what_a_run_measured_as_a_study_file(tmp_path):
    first = timed("mine", source="0" * 64)
    write(tmp_path / "a.jsonl",
          head(first) | {"metric": "study", "n": 0, "status": "complete", "samples": [], "study": {
              "name": "own", "algorithms": ["mine@table", "bitmask"], "baseline": "mine",
              "n": [4, 5], "budget": 60.0}},
          head(first) | {"metric": "algorithm", "n": 0, "status": "measured", "samples": [],
                  **replace(describe(find("bitmask")), name="mine", file="idea.py",
                            source="0" * 64).fields}, first)
    ((name, text),) = ((name, data.decode()) for name, data in exports.archive(
        group(locate(tmp_path)), REPORT).items() if name.startswith("studies/"))
    assert name == "studies/quick-20261121T0800000000000-aaaa0000.toml"
    assert tomllib.loads(text) == {"study": {
        "name": "own", "algorithms": ["idea.py::mine@table", "bitmask"], "baseline":
        "idea.py::mine", "n": [4, 5], "budget": 60.0}}
    assert text.startswith(f"# idea.py::mine: SHA-256 {'0' * 64}\n")


def test_an_interrupted_run_is_called_so(tmp_path):
    point = timed()
    write(tmp_path / "a.jsonl", point, head(point) | {
        "metric": "study", "n": 0, "status": "begun", "samples": [], "study": {"name": "quick"}})
    packed = exports.archive(group(locate(tmp_path)), REPORT)
    assert "quick, interrupted, 2 records" in packed["README.md"].decode()


def test_no_file_is_replaced(runs, tmp_path):
    (tmp_path / "a.zip").write_text("mine")
    with pytest.raises(ValueError, match=r"a.zip exists already, and is not replaced"):
        exports.write_archive(tmp_path / "a.zip", runs, REPORT)
    assert (tmp_path / "a.zip").read_text() == "mine"


@pytest.mark.slow
def test_another_person_unpacks_and_verifies_it(tmp_path, no_plots):
    write(tmp_path / "in" / "a.jsonl", checked(9, 352))
    runs = group(locate(tmp_path / "in"))
    exports.pack(runs, tmp_path / "a.zip", {})
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        packed.extractall(tmp_path / "there")
    assert check(tmp_path / "there" / "results", tmp_path / "there" / "reports").same
    page = (tmp_path / "there" / "reports" / "index.html").read_text("utf-8")
    assert digest(runs[0].records) in page
    changed = tmp_path / "there" / "results" / "quick-20261121T0800000000000-aaaa0000.jsonl"
    changed.write_text(changed.read_text().replace("352", "353"))
    assert "index.html" in check(
        tmp_path / "there" / "results", tmp_path / "there" / "reports").differ
