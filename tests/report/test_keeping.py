"""What was made is told from what was not, by name and byte."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

import nqbench
from nqbench.report.keeping import LIST, Differences, compare

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(records, tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    nqbench.report.build(records, out)
    return out


@pytest.fixture
def reports(built, tmp_path):
    return shutil.copytree(built, tmp_path / "reports")


def stamps(folder):
    return {path.name: path.stat().st_mtime_ns for path in [folder, *folder.iterdir()]}


def list_too(folder, name, text):
    """Have the list say that a build made this file."""
    (folder / name).write_text(text)
    with (folder / LIST).open("a") as file:
        file.write(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n")


def test_what_the_records_make_is_found_to_be_so_and_nothing_is_written(run, records, reports):
    before = stamps(reports)
    many = len(before) - 1
    status, out, err = run("report", "--check", "--results", records, "--out", reports)
    assert (status, err) == (0, "")
    assert out == f"the {many} files in {reports}/ are those that {records}/ makes\n"
    assert stamps(reports) == before


def test_each_file_that_is_another_one_is_named(run, records, reports):
    with (reports / "counters.csv").open("a") as file:
        file.write("\n")
    (reports / "time.svg").unlink()
    list_too(reports, "commits-old.svg", "<svg/>")
    (reports / "notes.txt").write_text("mine")
    words = ("report", "--check", "--results", records, "--out", reports)
    status, out, err = run(*words)
    assert status == 1
    assert out.splitlines() == [
        f"differs:   {reports}/{LIST}", f"differs:   {reports}/counters.csv",
        f"missing:   {reports}/time.svg", f"left over: {reports}/commits-old.svg"]
    assert err == f"nqbench: {reports}/ is not what {records}/ makes: run `nqbench report`\n"
    found = json.loads(run(*words, "--json")[1])
    assert found.pop("made") > 50
    assert found == {"same": False, "differ": [LIST, "counters.csv"], "missing": ["time.svg"],
                     "left_over": ["commits-old.svg"], "only_drawings": False}


def test_of_drawings_alone_it_is_known(built, reports):
    page = (reports / "index.html").read_text("utf-8")
    drawing = (reports / "time.svg").read_text("utf-8")
    (reports / "time.svg").write_text(drawing.replace("<svg", "<svg ", 1), "utf-8")
    (reports / "index.html").write_text(page.replace("</svg>", "<g/></svg>"), "utf-8")
    found = compare(built, reports)
    assert (found.differ, found.only_drawings) == (["index.html", "time.svg"], True)
    (reports / "index.html").write_text(page + "more", "utf-8")
    assert not compare(built, reports).only_drawings


def test_it_is_said_that_another_matplotlib_draws_otherwise(run, monkeypatch):
    monkeypatch.setattr("nqbench.report.check", lambda *folders: Differences(
        82, ["time.svg"], [], [], only_drawings=True))
    assert run("report", "--check", "--out", "here") == (
        1, "differs:   here/time.svg\n", "nqbench: here/ and what results/ makes differ in "
        "drawings alone, which other versions of matplotlib or zlib do too\n")


def test_a_folder_that_is_not_there_lacks_every_file(built, tmp_path):
    found = compare(built, tmp_path / "none")
    assert len(found.missing) == found.made == len(list(built.iterdir()))
    assert not (tmp_path / "none").exists()


def test_another_process_makes_the_same_bytes(records, built):
    done = subprocess.run(
        [sys.executable, "-m", "nqbench", "report", "--check", "--results", records, "--out",
         built], env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
        capture_output=True, text=True, cwd=HOME)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_readers_own_settings_of_plots_change_nothing(records, built):
    with mpl.rc_context({"axes.facecolor": "black", "figure.dpi": 50, "savefig.bbox": "tight"}):
        assert nqbench.report.check(records, built).same


def test_a_build_takes_away_what_the_one_before_made_and_nothing_else(records, reports):
    list_too(reports, "old.svg", "<svg/>")
    list_too(reports, "changed.svg", "<svg/>")
    (reports / "changed.svg").write_text("<svg>mine</svg>")
    (reports / "notes.txt").write_text("mine")
    outside = reports.parent / "outside.txt"
    outside.write_text("mine")
    with (reports / LIST).open("a") as file:
        file.write(f"{hashlib.sha256(b'mine').hexdigest()}  ../outside.txt\nno line of a list\n")
    made = nqbench.report.build(records, reports)
    assert {path.name for path in reports.iterdir()} == {
        *(path.name for path in made), "changed.svg", "notes.txt"}
    assert outside.exists()
    assert nqbench.report.check(records, reports).same


def test_the_list_is_one_that_sha256sum_reads(reports):
    if not shutil.which("sha256sum"):
        pytest.skip("there is no sha256sum here")
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", LIST], cwd=reports)
    assert done.returncode == 0
