"""The comparison of the two engines: the cost of a solution, and ratios."""

import pandas as pd
import pytest

from nqbench.study import frame
from nqbench.topics.engines.section import costs, draw_kernels, engine_ratios, latest_engines

ZERO = {"part": 0, "seconds": 36.0, "completions": 10, "images": 4}


def record(metric, n, algorithm, samples, **fields):
    return {"schema": 1, "run": "1", "time": "2026-01-01", "preset": "engine", "metric": metric,
            "context": {"machine": "m"}, "status": "measured", "n": n, "algorithm": algorithm,
            "implementation": "cython", "kernel": "avx2", "jobs": 1, "samples": samples} | fields


def count(n, algorithm, *seconds, **fields):
    return record("cpu_seconds", n, algorithm, list(seconds), **fields)


def plan(n, algorithm, seconds, other=None):
    """A sample of 3,600 parts that take these seconds; half of them may take others."""
    row = [ZERO | {"seconds": seconds}, ZERO | {"seconds": seconds if other is None else other}]
    return record("plan", n, algorithm, [{
        "n": n, "parts": 3600, "slices": 1, "kernel": "avx2", "seed": 1, "shrunk": 1,
        "drawn": [row] * 60, "algorithm": algorithm}])


RUN = [count(8, "somers", 9.0, 9.2, 9.4, kernel=None), count(8, "cross", 2.0, 2.4, 2.2),
       count(8, "join", 1.0, 1.2, 1.1), count(8, "cross", 4.0, kernel="portable"),
       count(8, "join", 0.6, jobs=2), count(18, "join", 5.0), plan(18, "cross", 0.625),
       plan(18, "join", 0.125), plan(20, "cross", 4.0, 6.0), plan(20, "join", 1.0)]


def test_the_cost_is_that_of_one_core_with_the_fastest_kernel_whole_counts_first():
    found = costs(frame(RUN))
    assert [(row.n, row.algorithm, row.by, row.seconds) for row in found.itertuples()] == [
        (8, "somers", "count", pytest.approx(9.2, rel=1e-3)),
        (8, "cross", "count", pytest.approx(2.2, rel=0.01)),
        (8, "join", "count", pytest.approx(1.1, rel=0.01)),
        (18, "cross", "sample", 2250.0), (18, "join", "count", 5.0),
        (20, "cross", "sample", 18_000.0), (20, "join", "sample", 3600.0)]
    join = found[(found["n"] == 20) & (found["algorithm"] == "join")].iloc[0]
    assert join["nanoseconds"] == pytest.approx(3600e9 / 39029188884)
    assert join["low"] == join["nanoseconds"] == join["high"]
    assert found["nanoseconds"].iloc[1] == pytest.approx(2.2e9 / 92, rel=0.01)


def test_ratios_are_of_whole_counts_round_by_round_or_of_two_samples():
    counted, both, sampled = engine_ratios(frame(RUN)).to_dict("records")
    assert [(each["n"], each["by"], each["cross_over_join"]) for each in (
        counted, both, sampled)] == [(8, "count", pytest.approx(2.0)), (18, "sample", 5.0),
                                     (20, "sample", 5.0)]
    assert (counted["low"], counted["high"]) == pytest.approx((2.0, 2.0))
    assert counted["somers_over_join"] == pytest.approx(9.2 / 1.1, rel=0.01)
    assert sampled["low"] == pytest.approx(10 - sampled["high"])
    assert 4 < sampled["low"] < 5
    assert sampled["somers"] != sampled["somers"]


def test_an_n_that_one_engine_alone_counted_has_no_ratio():
    assert engine_ratios(frame([count(8, "join", 1.0), plan(8, "cross", 1.0)])).empty


def test_the_newest_run_of_both_engines_counts_that_of_the_named_machine_first():
    def on(machine, run):
        return count(8, "join", 1.0, run=run, context={"machine": machine})

    found = frame([on("here", "1"), on("there", "2"), on("there", "3"),
                   count(8, "cross", 1.0, run="4")])
    assert set(latest_engines(found, "here")["run"]) == {"1"}
    assert set(latest_engines(found, "elsewhere")["run"]) == {"3"}
    assert latest_engines(frame([count(8, "cross", 1.0)]), "m").empty


def test_each_kernel_has_a_line_that_ends_with_its_ratio():
    """As many as a processor with AVX-512 has."""
    kernels = "avx512", "avx512, 2 threads", "avx2", "sse4", "portable"
    found = pd.DataFrame([
        (name.partition(",")[0], 1 + (", " in name), n, ratio, 0.99 * ratio, 1.01 * ratio)
        for name, ratio in zip(kernels, (57.6, 111.2, 30.2, 17.6, 7.2), strict=True)
        for n in (15, 16)], columns=["kernel", "jobs", "n", "ratio", "low", "high"])
    said = {text.get_text() for text in draw_kernels(found).axes[0].texts}
    assert said == {"avx512: 57.6", "avx512, 2 threads: 111", "avx2: 30.2", "sse4: 17.6",
                    "portable: 7.20"}
