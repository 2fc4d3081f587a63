"""Build the lab, a static folder: its page, the package's own Python files, and what npm has of
Python for browsers and of the editor (lab/package-lock.json has their checksums).

    PYTHONPATH=lab python tools/lab.py build/lab
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from itertools import groupby
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from tracer.code import load, open_listing
from tracer.session import LEVELS, OPENED, RACED, SLOW
from tracer.watching import watch

from nqbench.problems.queens import find
from nqbench.problems.queens.join import PairTally, halves
from nqbench.records import frame
from nqbench.records.runs import locate
from nqbench.report.formats import format_number
from nqbench.report.frames import Frames
from nqbench.report.sections import sections
from nqbench.search.board import QUEEN, Placement
from nqbench.util.text import format_seconds

HOME = Path(__file__).parents[1]
LAB = HOME / "lab"
NOTEBOOKS = HOME / "docs/notebooks"
NPM = HOME / "build/npm"
NO_NPM = 3  # a status of this program, for which `make docs` does without the lab
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json",
          "python_stdlib.zip")
UNUSED = "analysis", "cli", "report", "study"  # packages that no request of the lab imports
NOT_LOADED = "pyodide", "ws", "@types"  # by import; the others are for Node.js
PACKED = ".py", ".json", ".txt", ".toml"  # the kinds of files of the package that Python needs
STARTER = '''def queens(n, columns=()):
    if len(columns) == n:
        yield columns
    for c in range(n):
        if all(abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns)):
            yield from queens(n, (*columns, c))
'''
BACK = '<header><p><a href="../index.html">The story and the lab</a></p>'
SCENE = 6  # queens of the board of marks, bits and the stack
RECORDED = 100_000  # lines of a search, at most, that is recorded
WEST, EAST = (0, 3, 4, 7), (1, 2, 5, 6)  # the rows whose queens stand in each half
COUNTS = "halves", "pairs", "pairs_excluded"
CHAIN = "brute_force", "permutations", "recursive", "flat_marks", "bitmask"
TOLD = "standard", "pruning", "symmetry", "engine"  # the runs of which the story tells
Scene = dict[str, Any]


def install() -> Path:
    """Return the folder with the packages of lab/package-lock.json, checked against it; end with
    the status NO_NPM if npm is not here, or installs nothing.
    """
    NPM.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LAB / name, NPM)
    try:
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"],
                       cwd=NPM, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print("The lab needs npm, which is part of Node.js, and what it installs; on Debian: "
              f"apt install npm ({error})", file=sys.stderr)
        sys.exit(NO_NPM)
    return NPM / "node_modules"


def entry(package: Path) -> str:
    """Return the file of a package that is imported by its name."""
    told = json.loads((package / "package.json").read_text("utf-8"))
    exports = told.get("exports", told.get("module", told.get("main")))
    exports = exports.get(".", exports) if isinstance(exports, dict) else exports
    found = exports.get("import", exports) if isinstance(exports, dict) else exports
    return str(found).removeprefix("./")


def copy_packages(modules: Path, out: Path) -> dict[str, str]:
    """Copy the packages, with their licences; return the address of each that pages import."""
    (out / "pyodide").mkdir(parents=True)
    for name in PYTHON:
        shutil.copy(modules / "pyodide" / name, out / "pyodide")
    addresses, licences = {}, []
    for manifest in sorted(modules.glob("**/package.json")):
        package = manifest.parent
        name = package.relative_to(modules).as_posix()
        told = json.loads(manifest.read_text("utf-8"))
        if "name" not in told or "version" not in told or told["name"] != name:
            continue
        if name.split("/")[0] not in NOT_LOADED:
            file = entry(package)
            to = out / "npm" / name / file
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(package / file, to)
            addresses[name] = f"./npm/{name}/{file}"
        elif name != "pyodide":
            continue
        text = next((each.read_text("utf-8") for each in package.glob("LICENSE*")), "")
        licences.append(f"{name} {told['version']}: {told['license']}\n\n{text}")
    licences += [each.read_text("utf-8") for each in sorted((LAB / "licences").glob("*.txt"))]
    (out / "licences.txt").write_text("\n\n".join(licences), "utf-8")
    return addresses


def pack(out: Path) -> None:
    """Write the Python files of the package, the same bytes each time."""
    with ZipFile(out / "nqbench.zip", "w", ZIP_DEFLATED, compresslevel=9) as made:
        for path in sorted((HOME / "nqbench").rglob("*")):
            name = path.relative_to(HOME).as_posix()
            if path.suffix in PACKED and name.split("/")[1] not in UNUSED:
                made.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)
        for path in sorted((LAB / "tracer").glob("*.py")):
            made.writestr(ZipInfo(f"tracer/{path.name}"), path.read_bytes(), ZIP_DEFLATED)
        made.writestr(ZipInfo("exercises.py"), (NOTEBOOKS / "exercises.py").read_bytes(),
                      ZIP_DEFLATED)


def exercises() -> list[dict[str, str]]:
    """Return the exercises of the notebooks: name, notebook, task, and the code to complete."""
    found = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells]
        for place, text in enumerate(texts):
            if match := re.match(r"exercises\.check\(\"(\w+)\"", text):
                task = re.sub(r"^#+ .*\n+|[`*]", "", texts[place - 2], flags=re.MULTILINE)
                task = re.sub(r"(?<=\S)\n(?=[^\s-])", " ", task)  # the end of a line, no more
                found.append({"name": match[1], "notebook": path.stem, "task": task.strip(),
                              "code": texts[place - 1].rstrip() + "\n"})
    return found


def record(name: str, n: int) -> Scene:
    """Return the placements that a search for n queens makes, in its order, and its solutions."""
    trace = watch(load(open_listing(name)), n, RECORDED)
    assert trace.whole, name
    return {"n": n, "placements": [shown for shown, _ in groupby(
        step["queens"] for step in trace.steps)], "solutions": trace.solutions}


def drawings() -> dict[str, Scene]:
    """Return what the drawings of the story are made from: searches that were recorded."""
    kept = sorted({min(Placement(each).images) for each in find("bitmask").solutions(8)})
    west, east = ([[queens.get(row) for row in range(8)] for _, queens in halves(
        8, None, rows, first, PairTally(8))] for first, rows in ((0, WEST), (4, EAST)))
    return {
        "placements": record("brute_force", 4), "permutations": record("permutations", 4),
        "early": record("recursive", 4), "bits": record("bitmask", SCENE),
        "ahead": record("bitmask", 8),
        "mirror": {"n": 8, "solutions": [each for each in find("bitmask_even_mirror").solutions(8)
                                         if each[0] < 4]},
        "images": {"n": 8, "groups": [each.images for each in kept]},
        "halves": {"n": 8, "west": west, "east": east}}


def grow(title: str, seconds: list[float], ideas: list[tuple[int, str]]) -> dict[str, Any]:
    """Return a bar of the story: how many times as fast each idea makes the one before it, and
    where that stands on a logarithmic scale from 1. `seconds` has one more than `ideas`, which have
    their screens. The factors multiply to the total, which is rounded to two digits.
    """
    places = [log10(seconds[0] / each) for each in seconds]
    whole = max(places)
    return {
        "title": title, "total": format_number(float(f"{seconds[0] / seconds[-1]:.2g}")),
        "ticks": [(format_number(10**k), 100 * k / whole) for k in range(int(whole) + 1)],
        "ideas": [{"screen": screen, "name": name, "factor": format_number(slow / fast),
                   "left": 100 * min(before, after) / whole,
                   "width": 100 * abs(after - before) / whole, "loses": after < before}
                  for (screen, name), slow, fast, before, after in zip(
                      ideas, seconds, seconds[1:], places, places[1:], strict=False)]}


def numbers() -> dict[str, Any]:
    """Return what the story says, from the published records."""
    told = [record for _, record in locate(HOME / "results", True) if record["preset"] in TOLD]
    frames = Frames(frame(told))
    facts = {name: sections()[name].part(frames) for name in ("pruning", "symmetry", "join")}
    steps = sections()["steps"].part(frames)
    table = sections()["time"].part(frames).tables["times"]
    took = {(row["algorithm"], row["implementation"], row["n"]): row
            for row in table.to_dict("records")}
    n = steps.facts.n

    def seconds(solver: str, n: int = n, implementation: str = "python") -> float:
        return float(took[solver, implementation, n]["seconds"])

    def time(seconds: float) -> str:
        return format_seconds(seconds).replace(" ", "\N{NO-BREAK SPACE}")

    # No search in Python has half of the board alone at an odd n: its part is that of the nodes.
    nodes = {name: find(name).profile(n).nodes for name in ("bitmask", "somers")}
    half = seconds("bitmask") * nodes["somers"] / nodes["bitmask"]
    small = grow(f"{n} queens in Python", [*map(seconds, CHAIN), half, seconds("somers")],
                 [(2, "permutations"), (3, "stop early"), (4, "marks"), (5, "bits"),
                  (6, "half the board"), (7, "a stack")])
    gains = facts["pruning"].facts
    ahead = gains.saved.set_index("algorithm").loc["forward_checking"]
    symmetry = facts["symmetry"].facts
    cross = symmetry.saved.set_index("algorithm").loc["cross"]
    join, whole = facts["join"].facts.last, facts["join"].facts.somers
    large = grow(f"{whole['n']} queens, compiled, one core",
                 [whole["somers"], whole["cross"], whole["join"]],
                 [(9, "symmetries, look-ahead, many boards at once"), (10, "join halves")])
    search = steps.facts.engine.set_index("solver").loc["cross (portable)"]["times"]
    brute = took["brute_force", "python", n]
    both = max(n for name, _, n in took if {("somers", way, n) for way in ("python", "cython")}
               <= took.keys())
    return {
        "machine": frames.machine, "n": n, "small": small, "large": large, "nodes": nodes,
        "seconds": seconds, "time": time, "whole": whole, "search": format_number(search),
        "least": time(brute["low"]), "most": time(brute["high"]),
        "compiled": format_number(seconds("somers", both) / seconds("somers", both, "cython")),
        "both": both,
        "gains_n": gains.n, "ahead": format_number(ahead["nodes"]),
        "slower": format_number(1 / ahead["time"]), "symmetry_n": symmetry.n,
        "cross": format_number(cross["nodes"]), "cross_time": format_number(cross["time"]),
        "join": {key: format_number(join[key]) for key in ("n", "low", "high")},
        "join_times": format_number(join["cross_over_join"]), "pairs": pairs(told),
        "profile": find("bitmask").profile, "number": format_number}


def pairs(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the counts of the join at the largest n of the records, and the nodes of the tree."""
    counts = {(record["n"], record["metric"]): record["samples"][0] for record in told
              if record.get("algorithm") == "join" and record["metric"] in COUNTS}
    n = max(n for n, _ in counts)
    (nodes,) = {record["samples"][0] for record in told if (
        record.get("algorithm"), record["metric"], record["n"]) == ("bitmask", "nodes", n)}
    return {"n": n, "nodes": nodes, **{name: counts[n, name] for name in COUNTS}}


def add_report(out: Path) -> None:
    """Write the report of the published records, with a way back."""
    subprocess.run([sys.executable, "-m", "nqbench", "report", "--published", "--out",
                    str(out / "report")], check=True, stdout=subprocess.DEVNULL)
    page = out / "report/index.html"
    page.write_text(page.read_text("utf-8").replace("<header>", BACK, 1), "utf-8")


def build(out: Path, report: bool = True) -> None:
    """Write the lab to a folder, and replace one that was built before; with the report of the
    published records.
    """
    if out.exists() and any(out.iterdir()) and not (out / "nqbench.zip").exists():
        sys.exit(f"{out} is no lab: it is not replaced")
    modules = install()
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent) as folder:
        made = Path(folder) / "lab"
        made.mkdir()
        write(made, modules, report)
        shutil.rmtree(out, ignore_errors=True)
        made.rename(out)
    files = [each for each in out.rglob("*") if each.is_file()]
    print(f"{out}: {len(files)} files, {sum(each.stat().st_size for each in files) / 1e6:.1f} MB")


def write(out: Path, modules: Path, report: bool) -> None:
    """Write the files of the lab to an empty folder."""
    addresses = copy_packages(modules, out)
    pack(out)
    for script in (*LAB.glob("*.js"), LAB / "start.mjs"):
        shutil.copy(script, out)
    subprocess.run(["node", str(LAB / "snapshot.mjs"), str(out)], check=True)
    scenes = drawings()
    (out / "story.json").write_text(json.dumps(scenes, separators=(",", ":")), "utf-8")
    page = (HOME / "nqbench/report/page.css").read_text("utf-8")
    looks = page[:page.index("* { box-sizing")]  # its colours
    (out / "lab.css").write_text(looks + (LAB / "lab.css").read_text("utf-8"), "utf-8")
    pages = Environment(loader=FileSystemLoader(LAB), autoescape=True, undefined=StrictUndefined,
                        trim_blocks=True, lstrip_blocks=True)
    (out / "index.html").write_text(pages.get_template("index.html").render(
        imports={"imports": addresses}, solution=scenes["mirror"]["solutions"][0],
        starter=STARTER, QUEEN=QUEEN, **numbers()), "utf-8")
    if report:
        add_report(out)
    files = sorted(each.relative_to(out).as_posix() for each in out.rglob("*") if each.is_file()
                   and (each.parent.name != "report" or each.name == "index.html"))
    version = hashlib.sha256(b"".join((out / name).read_bytes() for name in files)).hexdigest()[:16]
    counted = ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "nqbench.zip", "memory.bin"]
    told = {"FILES": ["./", *(f"./{name}" for name in [*files, "manifest.js"] if name != "sw.js")],
            "VERSION": version, "QUEEN": QUEEN, "STARTER": STARTER, "OPENED": OPENED,
            "LEVELS": LEVELS, "RACED": RACED, "SLOW": SLOW, "EXERCISES": exercises(),
            "SIZES": {name.split("/")[-1]: (out / name).stat().st_size for name in counted}}
    (out / "manifest.js").write_text("".join(
        f"export const {name} = {json.dumps(value)};\n" for name, value in told.items()), "utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
