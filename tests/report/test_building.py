"""The report: whole, standing alone, and the same from the same records."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest
from store import NODES, NOTHING, RATE, TIME, Store, around

import nqbench
from nqbench import analysis
from nqbench.algorithms import NAMES
from nqbench.report import plots, style
from nqbench.report.building import contents, facts
from nqbench.study.peering import BASELINE, IN_PYTHON

PLOTS = {"time", "nodes", "work", "rate", "cython", "mirror", "levels", "gains", "survival",
         "profiles", "symmetry", "estimates", "extrapolation", "estimated_profiles",
         "sudoku", "sudoku_difficulty"}
TABLES = {"algorithms", "verification", "counters", "times", "left_out", "rates", "cython",
          "mirror", "levels", "kernels", "history", "changes", "errata",
          "gains", "shapes", "survival", "symmetry", "estimates", "extrapolation",
          "sudoku", "sudoku_difficulty", "peers", "plans", "schedules", "times_by_n", "peers_by_n"}


OWN_SCRIPTS = ['<script type="application/json" id="recordings">', *["<script>"] * 3]


def scripts(text):
    return re.findall("<script[^>]*>", text)


def read(folder):
    return contents(analysis.load(folder), analysis.history(folder / "asv"))


def lines(records):
    """The records of the study, as they were written."""
    (path,) = records.iterdir()
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(folder, found):
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in found), "utf-8")


@pytest.fixture(scope="module")
def reports(records, tmp_path_factory):
    out = tmp_path_factory.mktemp("reports")
    made = nqbench.report.build(records, out)
    assert made[0] == out / "index.html"
    return out


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [value for name, value in attrs
                       if name in ("href", "src", "xlink:href") and value]


def test_every_table_and_plot_is_there_and_nothing_else(reports):
    expected = {f"{p}.{k}" for p in PLOTS for k in ("svg", "png")} | {
        f"{t}.{k}" for t in TABLES for k in ("csv", "md", "tex")}
    assert {path.name for path in reports.iterdir()} == expected | {"index.html", "SHA256SUMS"}


def test_the_same_records_make_the_same_bytes(records, reports, tmp_path):
    nqbench.report.build(records, tmp_path)
    for path in reports.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_page_stands_alone(reports):
    text = (reports / "index.html").read_text("utf-8")
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert link.startswith("#") or (reports / link).exists(), link
        if link.startswith("#"):
            assert link[1:] in page.ids, link
    assert scripts(text) == OWN_SCRIPTS
    assert "<td>bitmask_even_mirror</td>" in text


def test_the_page_links_every_file_that_holds_something(reports):
    links = Page((reports / "index.html").read_text("utf-8")).links
    linked = {link.partition(".")[0] for link in links}
    unlinked = {path.stem for path in reports.iterdir()} - linked - {"index", "SHA256SUMS"}
    assert unlinked == {"kernels", "peers", "peers_by_n", "plans", "schedules", "changes",
                        "history"}
    for name in unlinked:
        assert pd.read_csv(reports / f"{name}.csv").empty
    for name in TABLES - unlinked:
        assert {f"{name}.csv", f"{name}.md", f"{name}.tex"} <= set(links)


def test_plots_are_drawings_with_text(reports):
    for name in PLOTS:
        root = ElementTree.parse(reports / f"{name}.svg").getroot()
        texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        assert len(texts) > 5, name
        assert (reports / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_tables_hold_the_exact_counts(reports):
    counters = pd.read_csv(reports / "counters.csv")
    row = counters[(counters["algorithm"] == "probe_stack") & (counters["n"] == 6)].iloc[0]
    assert (row["nodes"], row["tests"], row["scans"], row["comparisons"]) == (153, 894, 1708, 5957)
    checks = pd.read_csv(reports / "verification.csv")
    assert set(checks["status"]) == {"ok"}
    markdown = (reports / "counters.md").read_text("utf-8")
    assert markdown.startswith("| algorithm")
    assert "5,957" in markdown


def test_every_algorithm_has_a_colour_and_a_marker_of_its_own():
    assert len({(style.COLOUR[name], style.MARKER[name]) for name in NAMES}) == len(NAMES)


def test_algorithms_with_one_tree_share_a_line(records):
    made = read(records)
    groups = [set(members) for members, _ in plots.same_lines(
        analysis.pruning(made.counters), "nodes")]
    assert {"marks_mirror", "somers"} in groups
    assert {"bitmask_even_mirror"} in groups
    assert {"fewest_lines", "dancing_links"} in groups
    assert {"recursive", "threads", "middle_first"} < max(groups, key=len)
    assert len(groups) == 8


def test_the_mirror_halves_the_nodes(records):
    gains = read(records).tables["mirror"]
    rows = gains[(gains["mirrored"] == "somers") & (gains["n"] == 6)]
    assert set(rows["nodes"]) == {153 / 77}


def test_rates_are_nodes_over_seconds_and_turn_the_range_round(records):
    made = read(records)
    times = made.tables["times"].set_index(analysis.POINT)
    for row in made.tables["rates"].itertuples():
        time = times.loc[(row.algorithm, row.implementation, row.n)]
        assert row.nodes_per_second == row.nodes / time["seconds"]
        assert (row.low, row.high) == (row.nodes / time["high"], row.nodes / time["low"])


def test_warnings_are_counted_by_their_kind(records):
    made = read(records)
    spreads = [(max(s) - min(s)) / m for s, m in zip(
        made.timings["samples"], made.timings["median"], strict=True)]
    found = facts(made)
    assert found["warnings"]["spread over 10 %"] == sum(s > 0.1 for s in spreads)
    assert found["noisy"] == sum(made.tables["times"]["warning"] != "")


def test_times_are_set_beside_the_plain_tree(records):
    times = read(records).tables["times"].set_index(analysis.POINT)
    times = times.sort_index()
    own = times.loc[("bitmask", "python")]
    assert set(own["times"]) == set(own["times_low"]) == set(own["times_high"]) == {1}
    assert set(own["verdict"]) == {""}
    assert times.loc[("bitmask", "cython", 8), "verdict"] == "faster"
    assert times.loc[("probe_stack", "python", 8), "verdict"] == "slower"


def test_of_equal_samples_none_is_called_faster(records, tmp_path):
    write(tmp_path, [line | {"samples": [0.5] * 5} if line["metric"] == "seconds"
                     and line["status"] == "measured" else line for line in lines(records)])
    made = read(tmp_path)
    assert {lead["verdict"] for lead in facts(made)["leads"]} == {"not significant"}
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert text.count("but the difference is not significant (95 %: 1 to 1).") == 2


def test_a_run_of_single_rounds_is_shown_without_intervals(records, tmp_path):
    write(tmp_path, [line | {"samples": line["samples"][:1]} if line["metric"] == "seconds"
                     else line for line in lines(records)])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "one sample: " in text
    assert "the median of 1 round;" in text
    assert not re.search(r"\bnan\b", text)


LARGE = 234_907_967_154_122_528  # Q(27), which a browser's number would make ...536


def test_counts_beyond_2_to_53_are_text_on_the_page(records, tmp_path):
    study = lines(records)
    more = [line | {"n": 27, "samples": [LARGE] if line["metric"] == "solutions" else
                    [[1] * 27 + [LARGE]] if line["metric"] in ("levels", "dead_levels")
                    else line["samples"]}
            for line in study if line["n"] == 8 and line["metric"] not in ("check", "estimate")
            and line.get("algorithm") in ("bitmask", "somers")]
    check = next(line for line in study if line["metric"] == "check")
    more.append(check | {"sequence": "A000170", "n": 27, "expected": LARGE, "got": LARGE})
    write(tmp_path, study + more)
    nqbench.report.build(tmp_path, tmp_path / "out")
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert f"<td>{LARGE}</td><td>{LARGE}</td>" in text.replace(' class="number"', "")
    assert str(float(LARGE)) not in text
    for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL):
        numbers = []
        json.loads(data, parse_int=lambda digits, numbers=numbers: numbers.append(int(digits)))
        assert max(map(abs, numbers), default=0) < 2**53
    for name, shown in (("counters", f"{LARGE:,}"), ("survival", f"{LARGE:,}")):
        assert shown in (tmp_path / "out" / f"{name}.md").read_text("utf-8")
        assert str(LARGE) in (tmp_path / "out" / f"{name}.csv").read_text("utf-8")


def test_a_run_that_stopped_early_does_not_hide_the_one_before(records, tmp_path):
    study = lines(records)
    later = [line | {"run": "2999-01-01T00:00:00.000+00:00"} for line in study]
    whole = read(records)
    for stopped in ([line for line in later if line["metric"] == "check"],
                    [line for line in later if line["n"] <= 3]):
        write(tmp_path, study + stopped)
        made = read(tmp_path)
        assert made.machine["run"] == whole.machine["run"] == study[0]["run"]
        write(tmp_path, stopped)
        with pytest.raises(ValueError, match="no study of all algorithms up to n = 4 or more"):
            read(tmp_path)


@pytest.mark.parametrize("largest", [4, 5])
def test_a_small_run_is_enough_for_every_section(records, tmp_path, largest):
    write(tmp_path, [line for line in lines(records) if line["n"] <= largest])
    assert len(nqbench.report.build(tmp_path, tmp_path / "out")) == 102


def test_a_closer_study_of_pruning_is_shown_in_its_section_and_named_there(records, tmp_path):
    study = lines(records)
    closer = [line | {"run": "2999-01-01T00:00:00.000+00:00", "preset": "pruning"}
              for line in study if line["metric"] not in ("check", "rate")]
    write(tmp_path, study + closer)
    made = read(tmp_path)
    assert set(made.sources) == {"pruning"}
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert text.count("From the study <code>--preset pruning") == 1
    assert "of 2999-01-01T00:00:00.000+00:00 on the same machine" in text


def test_a_closer_study_on_another_machine_is_not_mixed_in(records, tmp_path):
    study = lines(records)
    other = [line | {"run": "1999-01-01T00:00:00.000+00:00", "preset": "pruning",
                     "context": line["context"] | {"machine": "ffffffff"}} for line in study]
    write(tmp_path, study + other)
    assert read(tmp_path).sources == {}


def test_estimates_of_small_trees_are_shown_too(records, tmp_path):
    write(tmp_path, [line for line in lines(records)
                     if line["metric"] != "estimate" or line["n"] <= 20])
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "nqbench estimate 20 --probes 32000 --seed 1 --method knuth" in text


def test_symmetry_is_shown_where_n_is_even(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["n"] <= 7])
    assert set(facts(read(tmp_path))["symmetry"]["n"]) == {6}


def test_names_of_files_are_no_formulas(records, tmp_path):
    study = lines(records)
    mine = [line | {
        "preset": "rate", "run": "1999-01-01T00:00:00.000+00:00",
        "data_set": "$\\foo$ <script>"} for line in study
            if line["metric"] == "rate" and line["data_set"] == "hardest"]
    write(tmp_path, study + mine)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert scripts(text) == OWN_SCRIPTS
    assert "&lt;script&gt;: nqbench sudoku rate" in text


def test_without_rates_there_is_no_section_on_sudoku(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["metric"] != "rate"])
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    assert 'id="sudoku"' not in made[0].read_text("utf-8")
    assert not (tmp_path / "out" / "sudoku.svg").exists()


def beside(records, folder, *changed):
    """Put records of the peers, some of them changed, beside those of a study."""
    (path,) = records.iterdir()
    lines = path.read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    peer = {key: first[key] for key in ("schema", "budget", "time", "context")} | {
        "run": "2999-01-01T00:00:00.000+00:00", "preset": "peers", "metric": "peer", "unit": "s",
        "n": 8, "status": "measured", "peer": BASELINE, "package": "nqbench", "version": "0.1.0",
        "loops": 1, "solutions": 92, "fault": None, "predicted": None, "samples": [0.5, 0.25]}
    (folder / "a.jsonl").write_text("\n".join(
        [*lines, *(json.dumps(peer | fields) for fields in ({}, *changed))]) + "\n")


NUMBA = {"peer": "numba", "package": "numba", "version": "0.68", "samples": [1.0, 1.0]}
GONE = {"samples": [], "loops": None, "solutions": None}


def test_peers_stand_beside_the_cross(records, tmp_path):
    beside(records, tmp_path, NUMBA, GONE | {
        "peer": "<clingo>", "package": "clingo", "version": "5.8", "status": "failed",
        "solutions": 91, "fault": "counted 91 instead of 92"}, GONE | {
        "peer": "CP-SAT", "package": "ortools", "version": None, "status": "not installed"},
        GONE | {"peer": "exact-cover", "package": "exact-cover", "version": "1.5",
                "status": "timed out", "fault": "stopped after 3 s"})
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    text = made[0].read_text("utf-8")
    assert "numba is nearest with\n3 times as long (95 %: 2 to 4)" in text
    assert '<p class="bad">&lt;clingo&gt; failed at n = 8: counted 91 instead of 92.</p>' in text
    assert "Not installed: CP-SAT.</p>" in text
    assert text.count("From the study <code>--preset peers") == 1
    assert "<p>exact-cover timed out at n = 8: stopped after 3 s.</p>" in text
    assert re.search("Marks: <b>F</b> failed; <b>T</b> timed out: [^<]*; <b>I</b> its package is "
                     "not installed. Not significant", text)
    assert (tmp_path / "out" / "peers.svg").exists()
    table = pd.read_csv(tmp_path / "out" / "peers.csv")
    assert list(table["status"]) == ["measured", "measured", "failed", "not installed",
                                     "timed out"]
    assert list(table["times"].fillna(0)) == [1, 3, 0, 0, 0]


def test_peers_are_set_beside_plain_python_too(records, tmp_path):
    beside(records, tmp_path, NUMBA, NUMBA | {"peer": "clingo", "samples": [5.0, 5.0]},
           NUMBA | {"peer": IN_PYTHON, "package": "nqbench", "samples": [2.0, 2.0]})
    found = facts(read(tmp_path))["peers"]
    assert (found["slower_than_python"], found["others"]) == (1, 2)
    assert list(found["table"]["peer"]) == [BASELINE, "numba", IN_PYTHON, "clingo"]


def test_one_search_alone_is_shown_beside_no_peer(records, tmp_path):
    beside(records, tmp_path)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "is nearest with" not in text
    assert "in plain Python. A general solver" not in text
    assert "Every answer was compared" in text


def test_without_peers_their_section_says_how_to_measure_them(reports):
    text = (reports / "index.html").read_text("utf-8")
    assert "<code>nqbench study --preset peers</code>, and the next report shows them" in text


def test_without_estimates_their_section_is_left_out(records, tmp_path):
    write(tmp_path, [line for line in lines(records) if line["metric"] != "estimate"])
    made = nqbench.report.build(tmp_path, tmp_path / "out")
    assert "#estimates" not in made[0].read_text("utf-8")
    assert not (tmp_path / "out" / "estimates.svg").exists()


def test_the_page_says_how_many_intervals_hold_the_published_value(records, reports):
    made = facts(read(records))
    table = pd.read_csv(reports / "estimates.csv")
    known = table[table["known"].notna()]
    held = (known["low"] <= known["known"]) & (known["known"] <= known["high"])
    assert (made["intervals"], made["covered"]) == (len(known), held.sum())
    assert 0.85 * len(known) < made["covered"] <= len(known)
    assert f"{held.sum()} of {len(known)} intervals" in (reports / "index.html").read_text("utf-8")


def test_without_measurements_there_is_nothing_to_report(tmp_path):
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "none", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="run `nqbench study` first"):
        nqbench.report.build(tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def across(records, tmp_path):
    """A folder with the records, and with asv's results of two machines at three commits."""
    write(tmp_path, lines(records))
    store = Store(tmp_path / "asv", TIME, NODES, RATE)
    for machine in ("one", "<script>"):
        for commit, seconds, nodes in (("a", 1.0, 2057), ("b", 0.5, 2057), ("c", 0.5, 2056)):
            store.add(commit, TIME, around(seconds), NOTHING, machine=machine)
            store.add(commit, NODES, nodes, machine=machine)
    return tmp_path


def test_the_page_shows_what_changed_across_commits(across, monkeypatch, tmp_path):
    monkeypatch.setattr("nqbench.analysis.across.subjects", lambda: {
        "b".ljust(40, "0"): "<script>alert(1)</script>"})
    made = nqbench.report.build(across, tmp_path / "out")
    text = made[0].read_text("utf-8")
    assert '<span class="bad">Counts changed 2 times' in text
    assert "Other lines became better 2 times and worse\n0 times" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert scripts(text) == OWN_SCRIPTS
    assert {path.name for path in made if path.name.startswith("commits-")} == {
        f"commits-{name}.{kind}" for name in ("one", "-script--5b63") for kind in ("svg", "png")}
    changes = pd.read_csv(tmp_path / "out" / "changes.csv")
    assert sorted(changes["verdict"]) == ["count changed"] * 2 + ["improvement"] * 2


def test_what_asv_did_not_run_is_not_what_failed(records, tmp_path):
    write(tmp_path, lines(records))
    store = Store(tmp_path / "asv", TIME, NODES)
    store.add("a", TIME, None, NOTHING)
    store.add("b", NODES, 2057)
    history = read(tmp_path).tables["history"].set_index("parameters")
    assert list(history["a".ljust(8, "0")]) == ["failed", "not available", "never run"]
    assert list(history["b".ljust(8, "0")]) == ["never run", "never run", 2057]


def test_zeros_and_single_samples_do_not_stop_the_report(records, tmp_path):
    write(tmp_path, lines(records))
    store = Store(tmp_path / "asv", TIME, RATE, NODES)
    for commit, seconds in zip("abc", (0.0, 1.0, 0.0), strict=True):
        store.add(commit, TIME, [seconds], [1e-300 if seconds else 1e300])
        store.add(commit, RATE, float("inf") if seconds else 0.0)
    store.add("a", NODES, 2057)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "has ever changed" not in text  # one value is nothing to compare


def test_one_commit_is_enough_for_the_section(records, tmp_path):
    write(tmp_path, lines(records))
    Store(tmp_path / "asv", TIME).add("a", TIME, around(1.0), None)
    text = nqbench.report.build(tmp_path, tmp_path / "out")[0].read_text("utf-8")
    assert "What asv measured at 1 commit of this project" in text
    assert "1 result failed" in text


def test_without_results_of_asv_the_page_says_how_to_get_them(reports):
    assert "make bench" in (reports / "index.html").read_text("utf-8")


def beyond(records):
    """The lines of a study, and of one of clusters on the same machine."""
    found = lines(records)
    head = {name: found[0][name] for name in ("schema", "context", "time")} | {
        "run": "2999-01-01T00:00:00.000+00:00", "preset": "cluster", "status": "measured"}
    draw = {"part": 1, "seconds": 9.0, "completions": 10**16 + 1, "images": 8}
    plan = {"metric": "plan", "unit": "seconds", "n": 27, "samples": [
        {"n": 27, "parts": 10**6, "slices": 8, "kernel": "portable", "seed": 1, "shrunk": 1,
         "drawn": [[draw, draw]] * 60}]}
    return [*found, head | plan] + [head | {
        "metric": "schedule", "unit": "share", "n": 27, "workers": 10_000, "task_seconds": length,
        "failures": failures, "dispatch": 0.002, "tasks": 100, "seed": 1, "samples": [
            {"efficiency": 0.9 - failures - length / 1000, "wall": 10.0, "failed": 1}]}
        for length in (30.0, 60.0) for failures in (0.0, 0.1)]


def test_plans_and_schedules_are_shown(records, tmp_path):
    write(tmp_path, beyond(records))
    nqbench.report.build(tmp_path, tmp_path / "out")
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "27 queens would take 0.285 years of one such core" in " ".join(text.split())
    assert "tasks of\n30 s are best, with 77 % of all time at work" in text
    assert text.count("From the study <code>--preset cluster") == 1
    assert (tmp_path / "out" / "efficiency.svg").exists()
    table = pd.read_csv(tmp_path / "out" / "plans.csv")
    assert list(table["core_hours"]) == [2500]
    assert list(table["known"]) == [234907967154122528]


def test_without_plans_their_section_says_how_to_make_them(reports):
    text = (reports / "index.html").read_text("utf-8")
    assert "<code>nqbench study --preset cluster</code>, and the next report shows them" in text
