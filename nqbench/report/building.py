"""Make the report: frames from the records, then files, each written whole."""

import hashlib
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.algorithms import catalogue
from nqbench.analysis import uncertainty
from nqbench.probing import NORMAL
from nqbench.reference import EFFORTS, published
from nqbench.report import by_n, keeping, player, plots, pointing, sparklines, style, tables
from nqbench.report.answers import answers
from nqbench.showing import printable
from nqbench.study.peering import BASELINE, IN_PYTHON
from nqbench.sudoku import DATA_SETS

SHOWN_LEVELS = 12  # the profile is shown for this n, or for the largest measured below it
SHOWN_COUNTERS = 8
LONGEST = 300  # characters of a text from outside
MARKED = ("algorithms", "errata")  # tables whose texts are marked up, by ourselves
EXACT = 1e12  # a larger number that is no whole one is an estimate
ENOUGH = 4  # below it there is no search to speak of, and mirrors are not compared
SCRIPTS = "player", "tables", "pointing"
LONG_TEXT = 40  # characters; a column with longer ones has lines broken in LaTeX
LONG_TABLE = 40  # rows; a longer one goes over pages in LaTeX
# What pandas leaves as it is: text in the old fonts shows other signs for the first four, and
# the last two mean something at the start of a row.
TEX = str.maketrans({"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
                     "[": "{[}", "*": "{*}"})


@dataclass
class Contents:
    """What the page says: the frames of the report and the sentences made from them.

    machine: the context of the run shown; sources: those of the sections that are from
    another run of the same machine; rounds: how many of them those sections' times have.
    """

    machine: dict[Any, Any]
    sources: dict[str, dict[Any, Any]]
    rounds: dict[str, int]
    other_machines: int
    counters: pd.DataFrame
    timings: pd.DataFrame
    checks: pd.DataFrame
    n_levels: int
    history: pd.DataFrame
    estimated: pd.DataFrame
    symmetry: pd.DataFrame
    rated: pd.DataFrame
    tables: dict[str, pd.DataFrame]
    figures: dict[str, Callable[[], Figure]]


def contents(records: pd.DataFrame, history: pd.DataFrame) -> Contents:
    """Pick the newest run of all that went far enough for every section, and make its frames;
    `history` is what asv measured across commits.

    Raises
    ------
    ValueError
        if there is none.
    """
    newest = analysis.latest(records, reached=ENOUGH)
    if newest.empty:
        raise ValueError(f"there is no study of all algorithms up to n = {ENOUGH} or more to "
                         "report: run `nqbench study` first")
    machine = _context(newest)
    closer = {about: analysis.latest(records, machine["machine"], ENOUGH, about)
              for about in ("pruning", "symmetry", "engine")}
    sources = {about: _context(run) for about, run in closer.items()
               if len(run) and run["run"].iat[0] != machine["run"]}
    measured = counters, timings = _measured(newest)
    pruning, symmetric = (_measured(closer[about]) if about in sources else measured
                          for about in ("pruning", "symmetry"))
    beside = analysis.latest_peers(records, machine["machine"])
    if len(beside):
        sources["peers"] = _context(beside)
    peers = analysis.against_peers(beside)
    beyond = analysis.latest_plans(records, machine["machine"])
    if len(beyond):
        sources["clusters"] = _context(beyond)
    schedules = analysis.schedules(beyond)
    profiles = analysis.profiles(newest)
    checks = analysis.checks(newest)
    n_levels = _level_n(profiles)
    rates = tables.rates(counters, timings)
    gains = tables.mirror_gains(counters, timings)
    changes = analysis.changes(history)
    saved = analysis.gains(*pruning)
    at_most = saved[saved["n"] == _most(saved)]
    survival = analysis.survival(analysis.profiles(closer["pruning"]))
    cut = survival[survival["n"] == _most(saved)]
    symmetry = tables.symmetry(analysis.gains(*symmetric))
    even = symmetry[symmetry["n"] % 2 == 0]  # where every use of symmetry is one
    symmetry_at = even[even["n"] == _most(even)]
    estimates, estimated = analysis.estimates(records), analysis.estimated_levels(records)
    law = analysis.extrapolation()
    rated = analysis.latest_rates(records, machine["machine"])
    solvers, hard = analysis.rates_of_solvers(rated), analysis.nodes_by_difficulty(rated)
    return Contents(
        machine=machine,
        sources=sources,
        rounds={about: min(map(len, times["samples"])) for about, (_, times) in (
            ("pruning", pruning), ("symmetry", symmetric))},
        other_machines=records["machine"].nunique() - 1,
        counters=counters, timings=timings, checks=checks, n_levels=n_levels,
        history=history, estimated=estimated, symmetry=symmetry_at, rated=rated,
        tables={
            "algorithms": tables.algorithms(),
            "verification": tables.verification(checks),
            "counters": counters,
            "times": tables.times(timings),
            "times_by_n": tables.times_by_n(analysis.outcomes(newest), ENOUGH),
            "left_out": analysis.left_out(newest),
            "rates": rates,
            "cython": tables.against_cython(timings),
            "mirror": gains,
            "levels": tables.levels(profiles, n_levels),
            "gains": saved,
            "symmetry": symmetry,
            "shapes": analysis.shapes(*pruning),
            "survival": survival,
            "estimates": estimates,
            "extrapolation": tables.extrapolation(estimates, law),
            "sudoku": solvers,
            "sudoku_difficulty": hard,
            "kernels": analysis.kernels(records, machine["machine"]),
            "peers": peers,
            "plans": analysis.plans(beyond),
            "schedules": schedules,
            "peers_by_n": tables.peers_by_n(beside, peers),
            "history": tables.history(history),
            "changes": changes,
            "errata": tables.errata(),
        },
        figures={
            "time": lambda: plots.time(timings),
            "nodes": lambda: plots.nodes(counters),
            "work": lambda: plots.work(counters),
            "rate": lambda: plots.rate(rates),
            "cython": lambda: plots.cython(timings),
            "mirror": lambda: plots.mirror(gains),
            "levels": lambda: plots.levels(profiles, n_levels),
            "gains": lambda: plots.savings(at_most, "the plain tree", [
                style.solver(*one) for one in
                zip(at_most["algorithm"], at_most["implementation"], strict=True)]),
            "profiles": lambda: plots.profile_curves(cut),
            "survival": lambda: plots.heat(cut),
            "symmetry": lambda: plots.savings(
                symmetry_at, "no use of symmetry", list(symmetry_at["symmetry"])),
        } | ({
            "estimates": lambda: plots.estimates(estimates),
            "extrapolation": lambda: plots.extrapolated(estimates, law),
            "estimated_profiles": lambda: plots.estimated_profiles(estimated),
        } if (estimates["n"] > plots.FIRST_ROOT).any() else {}) | ({
            "sudoku": lambda: plots.puzzle_rates(solvers),
        } if solvers["per_second"].notna().any() else {}) | ({
            "sudoku_difficulty": lambda: plots.puzzle_difficulty(hard),
        } if len(hard) else {}) | ({
            "peers": lambda: plots.peers(peers),
        } if (peers["status"] == "measured").any() else {}) | ({
            "efficiency": lambda: plots.efficiency(schedules),
        } if len(schedules) else {}) | {
            f"commits-{_file_name(str(machine))}": partial(plots.across_commits, rows, changes)
            for machine, rows in history.groupby("machine")
        })


def _context(run: pd.DataFrame) -> dict[Any, Any]:
    """Where and how a run was measured."""
    context: dict[Any, Any] = analysis.machines(run).astype(object).to_dict("records")[0]
    return context


def _measured(run: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Its counters and its times."""
    return analysis.counters(run), analysis.timings(run)


def _most(found: pd.DataFrame) -> int:
    """The largest n at which most algorithms are there."""
    sizes = found.groupby("n").size()
    return int(sizes[sizes == sizes.max()].index.max())


def _file_name(name: str) -> str:
    """A name from outside as part of a file's name, different for different ones.

    >>> _file_name("epyc-2"), _file_name("my/machine")
    ('epyc-2', 'my-machine-08b6')
    """
    plain = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)[:80]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


def _level_n(profiles: pd.DataFrame) -> int:
    """The largest n up to SHOWN_LEVELS at which the tree and its mirrored half are known."""
    both = [set(profiles[profiles["algorithm"] == a]["n"]) for a in ("bitmask", "somers")]
    return int(max(n for n in both[0] & both[1] if n <= SHOWN_LEVELS))


def build(results: str | Path = "results", out: str | Path = "reports") -> list[Path]:
    """Write tables (CSV, Markdown, LaTeX), plots (SVG, PNG), index.html, and SHA256SUMS of them
    all; return the paths, the page first.

    The same records give the same bytes. Records that cannot be read are named in
    a warning each. Files of the build before that are made no more are taken away, unless
    somebody changed them; no other file is touched.

    Raises
    ------
    ValueError
        if nothing was measured yet.
    OSError
        if a folder cannot be read or written.
    """
    made = _made_of(Path(results))
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".making-") as folder:
        _write(made, Path(folder))
        done = keeping.take_over(Path(folder), out)
    return sorted(done, key=lambda path: path.name != "index.html")


def check(results: str | Path = "results", out: str | Path = "reports") -> keeping.Differences:
    """Make the report elsewhere and compare it with that in `out`, byte for byte; write nothing
    there. Raises what `build` raises.
    """
    made = _made_of(Path(results))
    with tempfile.TemporaryDirectory(prefix="nqbench-") as folder:
        _write(made, Path(folder))
        return keeping.compare(Path(folder), Path(out))


def _made_of(results: Path) -> Contents:
    """What there is to say of a folder of results."""
    if not results.is_dir():
        raise ValueError(f"there is no folder {str(results)!r} with results: run "
                         "`nqbench study` first")
    return contents(_cleaned(analysis.load(results)), _cleaned(analysis.history(results / "asv")))


def _cleaned(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with all its texts `_from_outside`."""
    return frame.assign(**{
        str(name): pd.Series(map(_from_outside, column), column.index, column.dtype)
        for name, column in frame.items() if not pd.api.types.is_numeric_dtype(column)})


def _from_outside(value: Any) -> Any:
    """A value of a record, its texts in one line each, and none without an end.

    >>> _from_outside(["two\\nlines", 2]), len(_from_outside("x" * 10**6))
    (['two lines', 2], 300)
    """
    if isinstance(value, str):
        text = printable(value[:LONGEST + 1])
        return text if len(text) <= LONGEST else text[:LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, list):
        return [_from_outside(one) for one in value] if any(
            isinstance(one, str | list) for one in value) else value
    return value


def _write(made: Contents, folder: Path) -> None:
    """Write all files of the report to an empty folder."""
    for name, table in made.tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        (folder / f"{name}.md").write_text(markdown(table, name in MARKED), "utf-8")
        (folder / f"{name}.tex").write_text(latex(table), "utf-8")
    drawings = {}
    for name, draw in made.figures.items():
        drawn = draw()
        style.save(drawn, str(folder / name))
        file = folder / f"{name}.svg"
        svg = pointing.titled(file.read_text("utf-8"), drawn, _figure)
        file.write_text(svg, "utf-8")
        drawings[name] = _inline(svg, name)
    (folder / "index.html").write_text(_page(made, drawings), "utf-8")
    keeping.write_list(folder)


def markdown(table: pd.DataFrame, marked: bool = False) -> str:
    """The frame as a Markdown table, with figures as people read them; what would be markup
    in its texts is shown as it stands, unless they are `marked` up on purpose.
    """
    special = re.compile(r"([|])" if marked else r"([|\\`*<\[])")

    def text(value: Any) -> str:
        return special.sub(r"\\\1", _figure(value))

    cells = table.map(text).rename(columns=text)
    return str(cells.to_markdown(index=False, disable_numparse=True)) + "\n"


def latex(table: pd.DataFrame) -> str:
    """The frame as a tabular for LaTeX with booktabs, a longtable if it is long, with figures as
    people read them.

    >>> print(latex(pd.DataFrame({"by_whom": ["R&D", "<50 %"], "nodes": [2057, 0.5]})))
    % \\usepackage{booktabs}
    \\begin{tabular}{lr}
    \\toprule
    by\\_whom & nodes \\\\
    \\midrule
    R\\&D & 2,057 \\\\
    \\textless{}50 \\% & 0.5 \\\\
    \\bottomrule
    \\end{tabular}
    <BLANKLINE>
    """
    cells = table.map(_figure)
    texts = [name for name in cells if max(map(len, cells[name]), default=0) > LONG_TEXT]
    width = rf"p{{{0.9 / max(len(texts), 2):.2f}\linewidth}}"
    columns = [width if name in texts else
               "r" if pd.api.types.is_numeric_dtype(table[name]) else "l" for name in cells]
    long = len(cells) > LONG_TABLE
    styler = cells.style.hide(axis="index").format(_tex, escape="latex")
    styler = styler.format_index(_tex, axis=1, escape="latex")
    made = styler.to_latex(hrules=True, column_format="".join(columns),
                           environment="longtable" if long else None)
    return f"% \\usepackage{{booktabs{',longtable' if long else ''}}}\n{made}"


def _tex(text: object) -> str:
    """Text that pandas has escaped, with the rest escaped too."""
    return str(text).translate(TEX)


def _figure(value: Any) -> str:
    """A number as people read it; anything else as text.

    >>> _figure(46752), _figure(0.00123456), _figure("A000170"), _figure(16.0), _figure(1e21 / 3)
    ('46,752', '0.00123', 'A000170', '16', '3.3333e+20')
    """
    if value is None or value is pd.NA:
        return ""
    if isinstance(value, bool):
        return str(value or "")
    if isinstance(value, float):
        if value != value:
            return ""
        if abs(value) < 1000:
            return f"{value:,.3g}"
        return f"{value:,.0f}" if abs(value) < EXACT else f"{value:.5g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def _duration(seconds: float) -> str:
    """Seconds in the unit that reads best.

    >>> _duration(3.47e-05), _duration(0.312), _duration(12.3)
    ('34.7 µs', '312 ms', '12.3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _amount(value: Any, unit: str) -> str:
    """A value with its unit, as people read it.

    >>> _amount(0.0123, "seconds"), _amount(1310720, "bytes"), _amount(7.5, "times the nodes")
    ('12.3 ms', '1.25 MiB', '7.5 times the nodes')
    """
    if value is None:
        return ""
    if unit == "seconds":
        return _duration(value)
    if unit == "bytes":
        return f"{value / 2**20:.3g} MiB" if value >= 2**20 else f"{value / 2**10:.3g} KiB"
    return f"{_figure(value)} {unit}"


def _inline(svg: str, name: str) -> str:
    """An SVG file as an element of the page, its ids made unique there, its width a property."""
    body = svg[svg.index("<svg"):]
    body = re.sub(r'<svg(.*?)width="(.*?)"', r'<svg\1width="\2" style="--width: \2"', body, count=1)
    for quote in ('id="', 'href="#', "url(#"):
        body = body.replace(quote, f"{quote}{name}-")
    return body


def _file(name: str) -> str:
    """The text of a file beside this one."""
    return files("nqbench.report").joinpath(name).read_text("utf-8")


def _page(made: Contents, drawings: dict[str, str]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=PackageLoader("nqbench.report", "."), autoescape=True,
                              undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(figure=_figure, duration=_duration, amount=_amount)
    page = environment.get_template("page.html").render(
        css=Markup(_file("page.css")),
        scripts=[Markup(_file(f"{name}.js")) for name in SCRIPTS],
        recordings=player.recordings(),
        most_steps=player.MOST_STEPS,
        still=player.still(),
        still_board=Markup(_inline(player.still().svg, "still")),
        machine=made.machine,
        other_machines=made.other_machines,
        plot={name: Markup(svg) for name, svg in drawings.items()},
        table=made.tables,
        at_8=made.counters[made.counters["n"] == SHOWN_COUNTERS],
        facts=facts(made),
        short=answers(made.tables, made.n_levels),
        sources=made.sources,
        commits=commits(made),
        spark=sparklines,
        resamples=uncertainty.RESAMPLES,
    )
    return str(page) + "\n"


def facts(made: Contents) -> dict[str, Any]:
    """The figures that the page's sentences speak of, from the tables."""
    times, checks = made.tables["times"], made.checks
    n = _most(analysis.pruning(times))
    at_n = times[times["n"] == n].sort_values("seconds", kind="stable")
    trees = analysis.pruning(at_n)
    in_python = trees[trees["implementation"] == "python"]
    plain = made.counters[made.counters["algorithm"] == "bitmask"].drop_duplicates("n").iloc[-1]
    profile = published("A319284")[8]
    noisy = times[times["warning"] != ""]
    saved = made.tables["gains"]
    saved = saved[saved["n"] == _most(saved)].sort_values("nodes", ascending=False, kind="stable")
    return {
        "n": n,
        "saved": saved,
        "symmetry": made.symmetry,
        "saved_samples": made.rounds["pruning"], "symmetry_samples": made.rounds["symmetry"],
        "costly": [row["algorithm"] for row in saved.to_dict("records")
                   if row["nodes"] > 1 and row["high"] < 1
                   and catalogue()[row["algorithm"]].symmetry == "none"],
        "at_n": at_n.drop(columns=["n", "loops"]),
        "leads": [lead for rows in (trees, in_python)
                  if (lead := _lead(rows, made.timings)) is not None],
        "marks": by_n.legend(made.tables["times_by_n"]),
        "by_n": by_n.shown(made.tables["times_by_n"]),
        "fastest": trees.iloc[0], "slowest": trees.iloc[-1],
        "fastest_python": in_python.iloc[0],
        "checks": len(checks), "checks_ok": int((checks["status"] == "ok").sum()),
        "checks_bad": int((checks["status"] == "differs").sum()),
        "checks_out": int((checks["status"] == "left out").sum()),
        "check_n": int(checks["n"].max()) if len(checks) else 0,
        "same_tree": max((members for members, _ in plots.same_lines(
            analysis.pruning(made.counters), "nodes")), key=len),
        "largest": plain["n"], "largest_nodes": int(plain["nodes"]),
        "gains": tables.largest(made.tables["mirror"]),
        **_puzzles(made.tables["sudoku"], made.tables["sudoku_difficulty"], made.rated),
        **_estimated(made.tables["estimates"], made.estimated),
        "peers": _peers(made.tables["peers"], made.tables["peers_by_n"]),
        "efforts": EFFORTS,
        **_beyond(made.tables["plans"], made.tables["schedules"]),
        "levels_n": made.n_levels,
        "widest_8": profile.index(max(profile)),
        "points": len(times), "noisy": len(noisy), "warnings": Counter(
            "spread over 10 %" if text.startswith("spread") else text
            for texts in noisy["warning"] for text in texts.split("; ")),
        "samples": int(times["samples"].min()),
    }


def _beyond(plans: pd.DataFrame, schedules: pd.DataFrame) -> dict[str, Any]:
    """What the section on clusters says."""
    shown = plans.drop(columns=["kernel", "slices", "median", "longest", "solutions_low",
                                "solutions_high"])
    failing = schedules[schedules["failures"] == schedules["failures"].max()]
    return {"plans": shown, "largest_plan": plans.iloc[-1] if len(plans) else None,
            "kernel": plans["kernel"].iloc[0] if len(plans) else "",
            "best_schedule": failing.sort_values("efficiency").iloc[-1] if len(failing) else None}


def _lead(rows: pd.DataFrame, timings: pd.DataFrame) -> dict[str, Any] | None:
    """The first of rows that are sorted by their time, and the one after it: how many times as
    long that takes, round by round; None if there is none.
    """
    if len(rows) < 2:
        return None
    samples = timings.set_index(analysis.POINT)["samples"]
    first, then = rows.iloc[0], rows.iloc[1]
    times, low, high = analysis.ratio(*(samples[(*one[analysis.POINT],)] for one in (then, first)))
    return {"first": first, "then": then, "times": times, "low": low, "high": high,
            "verdict": analysis.verdict(low, high)}


def _peers(found: pd.DataFrame, by_peer: pd.DataFrame) -> dict[str, Any]:
    """What the section on the peers says: where most of them were measured, and the fastest and
    the slowest of the others there.
    """
    measured = found[found["status"] == "measured"]
    ended = found[found["status"].isin(["failed", "timed out"])]
    absent = list(found[found["status"] == "not installed"]["peer"].unique())
    n = _most(measured) if len(measured) else 0
    there = found[(found["n"] == n) & ~found["peer"].isin(absent)].sort_values(
        "seconds", kind="stable")
    others = there[(there["package"] != "nqbench") & there["times"].notna()]
    reached = measured.groupby("peer")["n"].max()
    seconds = there.set_index("peer")["seconds"]
    in_python = there.set_index("peer")["high"].get(IN_PYTHON, inf)
    return {
        "n": n, "absent": absent, "ended": ended.drop_duplicates("peer").to_dict("records"),
        "by_n": by_n.shown(by_peer), "marks": by_n.legend(by_peer),
        "samples": int(measured["samples"].min()) if len(measured) else 0,
        "table": there.drop(columns=["package", "n", "samples", "solutions", "fault"]).assign(
            to_n=there["peer"].map(reached)),
        "baseline": BASELINE, "nearest": others.head(1), "farthest": others.tail(1),
        "seconds": seconds.get(BASELINE), "others": len(others),
        "slower_than_python": int((others["low"] > in_python).sum()),
    }


def _fastest(rates: pd.DataFrame) -> pd.DataFrame:
    """The fastest solver of each data set."""
    return rates.sort_values("per_second").groupby("data_set").tail(1).sort_index()


def _puzzles(rates: pd.DataFrame, hard: pd.DataFrame, rated: pd.DataFrame) -> dict[str, Any]:
    """What the section on Sudoku says."""
    trees = hard.drop_duplicates(["algorithm", "difficulty"]).groupby("algorithm", sort=False)
    measured = rates[rates["per_second"].notna()]
    python = measured[measured["implementation"] == "python"]
    return {
        "data_sets": {name: rows.drop(columns="data_set") for name, rows in
                      rates.astype(object).where(rates.notna(), None).groupby(
                          "data_set", sort=False)},
        "fastest_solvers": _fastest(measured),
        "fastest_in_python": _fastest(python),
        "rated": [{**rows.iloc[0], "data_sets": ", ".join(rows["data_set"].unique())}
                  for _, rows in rated.groupby("run", sort=False)],
        "nodes_allowed": sorted(map(int, rated["nodes_allowed"].unique())),
        "data_sets_here": ", ".join(DATA_SETS),
        "harder": {name: rows["median"].iloc[-1] / rows["median"].iloc[0] for name, rows in trees},
        "hardness": (hard["difficulty"].min(), hard["difficulty"].max()),
        "solvers_left_out": int(rates["per_second"].isna().sum()),
    }


def _estimated(estimates: pd.DataFrame, levels: pd.DataFrame) -> dict[str, Any]:
    """What the section on estimates says."""
    widest = levels[(levels["method"] == "knuth") & (levels["n"] % 10 == 0)].sort_values("mean")
    known = estimates[estimates["off"].notna()]
    knuth = estimates[estimates["method"] == "knuth"]
    shown = knuth[knuth["n"] % 4 == 0]
    return {
        "estimates": shown.drop(columns=["method", "seed", "low", "high"]),
        "largest_estimate": knuth.sort_values("n").iloc[-1] if len(knuth) else None,
        "probes": estimates.groupby("method")["probes"].max().to_dict(),
        "widest": widest.groupby("n")["level"].last().to_dict(),
        "intervals": len(known), "covered": int((known["off"].abs() <= NORMAL).sum()),
        "farthest": float(known["off"].abs().max()) if len(known) else 0.0,
    }


def commits(made: Contents) -> dict[str, Any]:
    """What the section across commits says, from the history."""
    rows, changes = made.history, made.tables["changes"]
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    counted = counts.groupby(analysis.SERIES).size()
    verdicts = changes["verdict"].value_counts()
    return {
        "many": rows["commit"].nunique(),
        "machines": {machine: _file_name(machine) for machine in rows["machine"].unique()},
        "series": len(rows.drop_duplicates(analysis.SERIES)),
        "counts": int((counted > 1).sum()),
        "since": f"{rows['date'].min():%Y-%m-%d}" if len(rows) else "",
        "until": f"{rows['date'].max():%Y-%m-%d}" if len(rows) else "",
        "changed": int(verdicts.get("count changed", 0)),
        "regressions": int(verdicts.get("regression", 0)),
        "improvements": int(verdicts.get("improvement", 0)),
        "failed": int((rows["status"] == "failed").sum()),
        "changes": changes.assign(other=changes["verdict"] != "count changed").sort_values(
            ["other", "date", "benchmark"], kind="stable"),
        "lines": sparklines.lines(rows, changes),
    }
