"""Files of a report are distinguished from other files by name and bytes."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest
from conftest import refused
from kept import lines, write
from of_presets import of_preset

import nqbench
from nqbench.errors import InvalidValueError
from nqbench.report import builder, checksums, style
from nqbench.report.checksums import LIST, compare
from nqbench.topics.searches.section import rate
from nqbench.topics.searches.section_saving import profile_curves
from nqbench.util.files import locked

pytestmark = pytest.mark.slow

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def peers(records, tmp_path_factory):
    """A folder of records. Their report is read and drawn once, and has two sections."""
    folder = tmp_path_factory.mktemp("results")
    write(folder, of_preset("peers", lines(records)))
    made = builder.read(folder)
    made = replace(made, parts={name: made.parts[name] for name in ("peers", "errata")})
    drawn, others = builder.draw(made, folder), builder.draw_others(made)

    def draw(made, folder, kinds=()):
        for name in made.figures:
            (folder / f"{name}.svg").write_text(drawn[name][0], "utf-8")
        return drawn

    with pytest.MonkeyPatch.context() as patch:
        for module in (builder, nqbench.report):
            patch.setattr(module, "read", lambda *words: made)
        patch.setattr(builder, "draw", draw)
        patch.setattr(builder, "draw_others", lambda made: others)
        yield folder


@pytest.fixture(scope="module")
def built(peers, tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    nqbench.report.build(peers, out)
    return out


@pytest.fixture
def ours(built, tmp_path):
    return shutil.copytree(built, tmp_path / "ours")


def stamps(folder):
    return {path.name: path.stat().st_mtime_ns for path in [folder, *folder.iterdir()]}


def list_too(folder, name, text):
    """Have the list say that a build made this file."""
    (folder / name).write_text(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    with (folder / LIST).open("a") as file:
        file.write(f"{sha256}  {name}\n")


@pytest.mark.thorough
def test_what_the_records_make_is_found_to_be_so_and_nothing_is_written(run, peers, ours):
    before = stamps(ours)
    many = len(before) - 1
    status, out, err = run("report", "--check", "--results", peers, "--out", ours)
    assert (status, err) == (0, "")
    assert out == f"the {many} files in {ours}/ are up to date with {peers}/\n"
    assert stamps(ours) == before


def test_each_file_that_is_another_one_is_named(run, peers, ours):
    with (ours / "errata.csv").open("a") as file:
        file.write("#")
    (ours / "peers.svg").unlink()
    list_too(ours, "commits-old.svg", "<svg/>")
    (ours / "notes.txt").write_text("mine")
    words = ("report", "--check", "--results", peers, "--out", ours)
    status, out, err = run(*words)
    assert status == 1
    lists, table, *others = out.splitlines()
    assert re.fullmatch(rf"differs:   {ours}/{LIST}: line 2: .* instead of .*", lists)
    assert re.fullmatch(
        rf"differs:   {ours}/errata.csv: line \d+: # instead of an empty line", table)
    assert others == [f"missing:   {ours}/peers.svg", f"left over: {ours}/commits-old.svg"]
    assert err == f"nqbench: {ours}/ is out of date with {peers}/: run this without --check\n"
    found = json.loads(run(*words, "--json")[1])
    assert found.pop("made") > 5
    assert list(found.pop("differ")) == [LIST, "errata.csv"]
    assert found == {"ok": False, "wrong": [], "same": False, "missing": ["peers.svg"],
                     "left_over": ["commits-old.svg"]}


def edit(folder, name, change):
    """Change the text of a file, and have the list say so."""
    text = (folder / name).read_text("utf-8")
    assert change(text) != text
    (folder / name).write_text(change(text), "utf-8")
    checksums.write_list(folder)


CHANGES = {
    "a script": lambda svg: svg.replace("</svg>", "<script>alert(1)</script></svg>"),
    "a handler": lambda svg: svg.replace("<circle ", '<circle onclick="alert(1)" ', 1),
    "a text": lambda svg: svg.replace(">numba<", ">number<"),
    "a value": lambda svg: re.sub(
        r"(seconds: )(\d)", lambda found: found[1] + str(9 - int(found[2])), svg),
    "a colour": lambda svg: svg.replace("#e3e3e3", "#e3e3e4"),
    "an element": lambda svg: svg.replace("</svg>", "<g/></svg>"),
}


@pytest.mark.parametrize(("name", "what"), [
    *(("peers.svg", what) for what in CHANGES), ("index.html", "a script")])
def test_whatever_else_a_drawing_shows_or_does_is_a_difference(built, ours, name, what):
    edit(ours, name, CHANGES[what])
    found = compare(built, ours)
    assert list(found.differ) == [name]
    assert " instead of " in found.differ[name]


@pytest.mark.parametrize("name", ["peers.svg", "index.html"])
def test_the_place_of_a_mark_is_none(built, ours, name):
    edit(ours, name, lambda svg: re.sub(
        r'cx="(\S*)"', lambda cx: f'cx="{float(cx[1]) + 0.1:.1f}"', svg, count=1))
    assert compare(built, ours).same


@pytest.mark.parametrize("name", ["peers.svg", "index.html", "errata.csv", "errata.md"])
def test_another_end_of_a_file_is_a_difference(built, ours, name):
    edit(ours, name, lambda text: text + "\n")
    assert [how.partition(": ")[2] for how in compare(built, ours).differ.values()] == [
        "an empty line instead of nothing"]


def test_a_huge_file_is_a_difference_and_not_read(built, ours):
    os.truncate(ours / "errata.csv", 10**10)
    tracemalloc.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checksums, "_list", lambda *_: (ours / LIST).read_text("utf-8"))
        found = compare(built, ours)
    assert tracemalloc.get_traced_memory()[1] < 10**8
    tracemalloc.stop()
    assert re.fullmatch("has more than [0-9,]+ bytes, instead of [0-9,]+",
                        found.differ["errata.csv"])


def test_a_folder_that_is_not_there_lacks_every_file(built, tmp_path):
    found = compare(built, tmp_path / "none")
    assert len(found.missing) == found.made == len(list(built.iterdir()))
    assert not (tmp_path / "none").exists()


@pytest.mark.thorough
def test_another_process_makes_the_same_bytes(records, tmp_path):
    words = [sys.executable, "-m", "nqbench", "report", "--results", records, "--out", tmp_path]
    subprocess.run(words, cwd=HOME, check=True)
    done = subprocess.run(
        [*words, "--check"], capture_output=True, text=True, cwd=HOME,
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"})
    assert (done.returncode, done.stderr) == (0, "")


def test_a_readers_own_settings_of_plots_change_nothing(tmp_path):
    levels = pd.DataFrame({"algorithm": ["bitmask", "somers"] * 3, "n": 2,
                           "nodes": range(1, 7), "level": [0, 0, 1, 1, 2, 2],
                           "dead_share": [0.0, 0.5] * 3})
    rates = pd.DataFrame({"algorithm": ["bitmask", "somers"], "implementation": "python", "n": 8,
                          "nodes_per_second": [1e6, 2.5e6], "low": [9e5, 2.4e6],
                          "high": [2e6, 3e6]})
    times = rates.assign(seconds=rates["nodes_per_second"])
    with mpl.rc_context({"axes.facecolor": "black", "figure.dpi": 50, "savefig.bbox": "tight",
                         "text.usetex": True}):
        for draw in (lambda: profile_curves(levels, 2), lambda: rate(rates),
                     lambda: style.ranking_of_times(times, 8, style.WIDE)):
            style.save(draw(), str(tmp_path / "own"), ["png"])
            with mpl.rc_context(mpl.rcParamsDefault):
                style.save(draw(), str(tmp_path / "plain"), ["png"])
            assert (tmp_path / "own.png").read_bytes() == (tmp_path / "plain.png").read_bytes()


def test_a_build_takes_away_what_the_one_before_made_and_nothing_else(peers, ours):
    list_too(ours, "old.svg", "<svg/>")
    list_too(ours, "changed.svg", "<svg/>")
    (ours / "changed.svg").write_text("<svg>mine</svg>")
    (ours / "notes.txt").write_text("mine")
    outside = ours.parent / "outside.txt"
    outside.write_text("mine")
    for name in ("../outside.txt", str(outside), "..", ""):
        list_too(ours, "x.svg", "mine")
        lines = (ours / LIST).read_text("utf-8")
        (ours / LIST).write_text(f"{lines.replace('x.svg', name)}no line\n", "utf-8")
    (ours / "x.svg").unlink()
    (ours / "linked.svg").symlink_to(outside)
    others = ["thesis.docx", "a.py", "other.html", ".hidden.svg", "Makefile", "results.jsonl"]
    for name in others:
        list_too(ours, name, "mine")
    made = nqbench.report.build(peers, ours)
    assert {path.name for path in ours.iterdir()} == {
        *(path.name for path in made), *others, "changed.svg", "linked.svg", "notes.txt"}
    assert outside.read_text() == "mine"
    assert nqbench.report.compare(nqbench.report.read(peers), ours).same


def test_files_that_no_report_wrote_are_not_overwritten(run, peers, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    for name in ("index.html", "peers.csv", "peers.md", "peers.svg", "README.md"):
        (out / name).write_text("mine")
    before = stamps(out)
    words = ("report", "--results", peers, "--out", out)
    assert refused(run(*words)) == (
        f"{out} has files that `nqbench report` did not write, or that were changed since "
        "(index.html, peers.csv, peers.md and 1 more): choose another --out, or overwrite them "
        "with --force")
    assert stamps(out) == before
    assert run(*words, "--force")[0] == 0
    assert "<h1>" in (out / "index.html").read_text("utf-8")
    assert (out / "README.md").read_text() == "mine"
    assert run(*words)[0] == 0  # now they are ours


def test_a_file_that_was_changed_since_is_not_overwritten(run, peers, ours):
    (ours / "peers.csv").write_text("mine")
    assert "(peers.csv)" in refused(run("report", "--results", peers, "--out", ours))
    assert (ours / "peers.csv").read_text() == "mine"


@pytest.mark.thorough
def test_a_list_that_somebody_else_wrote_is_none_of_ours(run, peers, ours):
    (ours / "thesis.md").write_text("theirs")
    (ours / LIST).write_text("".join(  # as `sha256sum *` writes it
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(ours.iterdir()) if path.name != LIST), "utf-8")
    words = ("report", "--results", peers, "--out", ours)
    before = stamps(ours)
    assert LIST in refused(run(*words))
    assert stamps(ours) == before
    assert run(*words, "--force")[0] == run(*words)[0] == 0
    assert (ours / "thesis.md").read_text() == "theirs"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", ["peers.csv", *(
    pytest.param(name, marks=pytest.mark.thorough) for name in ("peers.svg", LIST))])
def test_a_file_that_is_changed_while_the_report_is_made_is_not_overwritten(
        peers, ours, monkeypatch, name, force):
    def write(made, folder, kinds, write=builder._write):
        write(made, folder, kinds)
        (ours / name).write_text("mine")
    monkeypatch.setattr(builder, "_write", write)
    before = stamps(ours)
    if force:
        nqbench.report.build(peers, ours, force=True)
        assert (ours / name).read_text("utf-8") != "mine"
        return
    with pytest.raises(InvalidValueError, match=re.escape(f"({name}")):
        nqbench.report.build(peers, ours)
    assert (ours / name).read_text() == "mine"
    assert {**stamps(ours), ours.name: 0, name: 0} == {**before, ours.name: 0, name: 0}


def test_two_reports_into_one_folder_do_not_meet(run, peers, ours):
    before = stamps(ours)
    with locked(ours, ""):
        assert refused(run("report", "--results", peers, "--out", ours, "--force")) == (
            f"{ours} is in use by another process, such as another report: wait for it")
    assert stamps(ours) == before
    assert run("report", "--results", peers, "--out", ours)[0] == 0


@pytest.mark.needs("sha256sum")
def test_the_list_is_one_that_sha256sum_reads(ours):
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", LIST], cwd=ours)
    assert done.returncode == 0
