"""What is measured beside the time: each source with what it reads, and where it cannot."""

import errno
import os
import re
import struct
from time import sleep

import pytest

from nqbench.problems import SolverKey
from nqbench.search.metrics import METRICS, Kind, gauges
from nqbench.study import gauges as sources
from nqbench.study.gauges import SOURCES, UnavailableError, explain_absence, reader
from nqbench.study.worker import Gauged, Search, Worker, gauge

BITMASK = Search("bitmask", SolverKey("bitmask", "python"), 3, n=6, loops=4)
SOMERS = Search("somers", SolverKey("somers", "cython"), 2, n=6, loops=4)
TASK_CLOCK = 1  # a software event, in nanoseconds, which needs no hardware
SOFTWARE = 1


def test_every_gauge_of_the_package_has_one_source():
    named = [name for source in SOURCES.values() for name in source.metrics]
    assert sorted(named) == sorted(metric.name for metric in gauges())
    assert all(explain_absence(metric) == "" for metric in METRICS.values()
               if metric.kind != Kind.GAUGE)


def test_memory_is_that_of_one_search_at_its_peak():
    def search():
        kept = bytearray(1_000_000)
        del kept
        return bytearray(1000)

    assert 1_000_000 <= SOURCES["memory"].measure("peak_memory", search, 1) < 1_010_000


def test_processor_time_is_that_of_one_of_the_searches_and_not_of_waiting():
    source, waits = SOURCES["processor_time"], []
    assert source.measure("cpu_seconds", lambda: waits.append(sleep(0.02)), 5) < 0.01
    assert len(waits) == 5
    ((found,),) = gauge([SOMERS], [["cpu_seconds"]], lambda text: None)
    assert len(found.samples) == 2
    assert min(found.samples) > 0


def test_memory_of_compiled_code_is_not_available():
    assert "only searches in Python" in explain_absence(METRICS["peak_memory"], SOMERS.solver)
    assert explain_absence(METRICS["peak_memory"], BITMASK.solver) == ""


@pytest.fixture
def no_events():
    """Forget which events could be counted, before and after a test."""
    sources.try_event.cache_clear()
    yield
    sources.try_event.cache_clear()


@pytest.mark.usefixtures("no_events")
@pytest.mark.parametrize(("number", "reason"), [
    (errno.EACCES, "no permission: .*perf_event_paranoid is 4, and must be 2 or less"),
    (errno.EPERM, "a container may forbid perf_event_open, too"),
    (errno.ENOSYS, "this kernel has no perf_event_open"),
    (errno.ENOENT, "offers no such event"),
    (errno.EMFILE, "perf_event_open failed: Too many open files")])
def test_a_refusal_of_the_kernel_is_explained(number, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "PARANOID", tmp_path / "perf_event_paranoid")
    (tmp_path / "perf_event_paranoid").write_text("4\n")

    def refuse(event):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(sources, "open_event", refuse)
    assert re.search(reason, explain_absence(METRICS["cycles"]))
    with pytest.raises(UnavailableError, match=reason):
        SOURCES["perf_event"].measure("cycles", lambda: None, 1)


@pytest.mark.usefixtures("no_events")
@pytest.mark.parametrize(("system", "processor", "reason"), [
    ("darwin", "x86_64", "only Linux has perf_event"),
    ("linux", "mips", "not known for the processor mips")])
def test_other_systems_have_no_events(system, processor, reason, monkeypatch):
    monkeypatch.setattr(sources.sys, "platform", system)
    monkeypatch.setattr(sources.platform, "machine", lambda: processor)
    assert reason in explain_absence(METRICS["instructions"])


def test_events_are_divided_by_the_searches_and_extrapolated(monkeypatch):
    """A counter that ran half of the time has counted half; one may never have run."""
    fcntl = pytest.importorskip("fcntl")
    states, perf_event = [], SOURCES["perf_event"]
    descriptor, answer = os.pipe()
    os.write(answer, struct.pack("=QQQ", 3000, 100, 50) + struct.pack("=QQQ", 0, 100, 0))
    monkeypatch.setattr(fcntl, "ioctl", lambda one, request, _: states.append(request))
    monkeypatch.setattr(sources, "open_event", lambda event: os.dup(descriptor))
    assert perf_event.measure("cycles", lambda: states.append("search"), 3) == 2000
    assert states == [sources.ENABLE, "search", "search", "search", sources.DISABLE]
    with pytest.raises(UnavailableError, match="no free counter"):
        perf_event.measure("cycles", lambda: None, 1)
    os.close(descriptor)
    os.close(answer)


@pytest.mark.needs("perf_event")
def test_the_kernel_counts_an_event_where_it_may():
    """A software event, as virtual machines have no others."""
    descriptor = sources.open_event(TASK_CLOCK, SOFTWARE)
    try:
        assert sources.count_events(descriptor, lambda: sum(range(100_000)), 2) > 100_000
    finally:
        os.close(descriptor)


@pytest.mark.needs("perf_event of the processor")
def test_more_searches_take_the_same_instructions_each():
    read = [reader("instructions", Search("", BITMASK.solver, 1, n=6, loops=loops))
            for loops in (10, 20)]
    first, second = (one() for one in read)
    assert first == pytest.approx(second, rel=0.5)


def test_metrics_take_turns_and_one_that_fails_is_not_measured_again(monkeypatch):
    calls = []

    def read(name, search):
        def fail():
            calls.append((name, search.name))
            if name == "cycles":
                raise UnavailableError("no such event")
            if name == "instructions":
                raise ZeroDivisionError("by zero")
            return 7.0
        return fail

    monkeypatch.setattr("nqbench.study.worker.reader", read)
    found = gauge([BITMASK, SOMERS], [["cycles", "peak_memory"], ["branch_misses", "instructions"]],
                  lambda text: None)
    assert calls == [("cycles", "bitmask"), ("peak_memory", "bitmask"),
                     ("branch_misses", "somers"), ("instructions", "somers"),
                     ("branch_misses", "somers")]
    assert [(one.metric, one.samples, one.fault) for each in found for one in each] == [
        ("cycles", [], "no such event"), ("peak_memory", [7.0], ""),
        ("branch_misses", [7.0, 7.0], ""), ("instructions", [], "ZeroDivisionError: by zero")]


def test_a_value_that_is_no_number_is_not_recorded(monkeypatch):
    monkeypatch.setattr(sources.SOURCES["memory"], "measure", lambda *rest: float("nan"))
    one = Gauged("peak_memory")
    one.add(reader("peak_memory", BITMASK))
    assert (one.samples, one.fault) == ([], "it measured nan")


@pytest.mark.slow
def test_a_process_measures_what_is_there():
    worker = Worker()
    assert worker.gauge([BITMASK], [[]], pytest.fail) == [[]]
    assert worker.child is None
    told = []
    try:
        ((found,), none) = worker.gauge([BITMASK, SOMERS], [["peak_memory"], []], told.append)
    finally:
        worker.stop()
    assert told == ["round 1 of 3, peak_memory: bitmask"]
    assert none == []
    assert (found.metric, found.fault, len(found.samples)) == ("peak_memory", "", 1)
    assert 100 < found.samples[0] < 100_000
