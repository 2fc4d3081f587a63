"""Experiments are found in topics: a folder adds one, and a study runs and resumes it."""

from dataclasses import dataclass

import pytest
from conftest import measured, stop_at

import nqbench
from nqbench.records.descriptions import presets
from nqbench.study import experiments
from nqbench.study.experiments import SLACK, Session, Step
from nqbench.study.outside import Outside
from nqbench.study.plan import Plan, experiment_names, find_experiment
from nqbench.study.worker import Worker
from nqbench.topics.engines import measurement as engines
from nqbench.topics.estimates import measurement as estimates
from nqbench.topics.instances import ladder
from nqbench.topics.peers import measurement as peers
from nqbench.topics.peers import same_tree
from nqbench.topics.searches import measurement as searches

OWN = """
from nqbench import count
from nqbench.study.experiments import Experiment
from nqbench.study.fields import N, PROCESSES


class Totals(Experiment):
    reads = N, PROCESSES

    def is_complete(self, step):
        return any((record["n"], record["process"]) == (step.number, step.process)
                   for record in self.session.records)

    def measure(self, step):
        self.session.say(f"process {step.process}, n = {step.number}")
        return [{**self.session.head(), "metric": "solutions", "unit": "solutions",
                 "algorithm": "cross", "implementation": "python", "n": step.number,
                 "process": step.process, "kernel": None, "jobs": 1, "loops": None,
                 "predicted": None, "status": "measured", "samples": [count(step.number)]}]
"""
TOPIC = '{"experiments": {"totals": "measurement:Totals"}}'


@pytest.fixture
def totals(add_topic, monkeypatch):
    """An experiment of a topic in another folder, and a preset that names it."""
    add_topic("totals", {"measurement.py": OWN, "topic.json": TOPIC})
    monkeypatch.setitem(presets(), "totals", {
        "budget": 10, "n": "5-7", "processes": 2, "experiments": ["totals"]})


@pytest.mark.slow
def test_a_file_adds_an_experiment(totals, tmp_path):
    results = tmp_path / "results"
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("totals", results=results, progress=stop_at("process 1, n = 6"))
    assert len(measured(results)) == 4
    nqbench.study.run("totals", results=results, resume=True)
    assert [(r["process"], r["n"], *r["samples"]) for r in measured(results)] == [
        (process, n, found) for process in (0, 1) for n, found in ((5, 10), (6, 4), (7, 40))]
    with pytest.raises(ValueError, match="no interrupted totals study"):
        nqbench.study.run("totals", results=results, resume=True)


@pytest.mark.slow
def test_a_preset_names_its_experiments(monkeypatch, tmp_path):
    for fields in presets().values():
        assert all(map(find_experiment, fields.get("experiments", ())))
    monkeypatch.setitem(presets(), "dots", {"experiments": ["dots"]})
    with pytest.raises(ValueError, match="no experiment 'dots'; did you mean points"):
        nqbench.study.run("dots", results=tmp_path)


class Where(experiments.Experiment):
    """Records which method measured."""

    def steps(self):
        return [Step(n, process) for process in range(2) for n in (5, 6)]

    def is_complete(self, step):
        return False

    def measure(self, step):
        return [{"by": "measure", "n": step.number, "process": 0}]


class Repeating(Where):
    """The same, with another method for later processes."""

    def repeat(self, step):
        return [{"by": "repeat", "n": step.number, "process": step.process}]


def test_later_processes_repeat_what_the_first_measures():
    for experiment, later in ((Where, "measure"), (Repeating, "repeat")):
        made = experiment(Session(Plan("mine")))
        assert [tuple(record.values()) for step in made.steps() for record in made.run(step)] == [
            ("measure", 5, 0), ("measure", 6, 0), (later, 5, 1), (later, 6, 1)]


def test_what_later_processes_need_is_summed_as_steps_are_added():
    session = Session(Plan("mine").but(budget=10, patience=0, processes=3))
    first = {"metric": "seconds", "status": "measured", "process": 0, "processes": 3, "loops": 2,
             "samples": [0.5, 0.25]}
    before = session.needed_later
    session.add([first, first | {"process": 1}, first | {"status": "left out"}])
    assert session.needed_later - before == pytest.approx(SLACK * 2 * 0.75 * 2)
    session.add([first | {"metric": "cpu_seconds"}])  # of the same samples
    assert session.needed_later - before == pytest.approx(SLACK * 2 * 0.75 * 2)
    assert len(session.records) == 4


READ = set()  # the keys that were read


class Recorded(Plan):
    """A plan that notes what is read of it."""

    def __getitem__(self, field):
        READ.add(field.name)
        return super().__getitem__(field)


@dataclass
class Nothing:
    """The sample of an engine."""

    parts: int = 0


# Of each experiment, a preset in which every step is short.
SHORT = {
    "points": {"solvers": "symmetry", "samples": 1, "processes": 2, "shortest": 1e-5},
    "trees": {"solvers": "pruning", "visited": 4}, "peers": {"samples": 1, "processes": 2},
    "same_tree": {"samples": 1, "processes": 2}, "checks": {"checks": 1, "check_n": 3},
    "rates": {"puzzles": 0.002, "data": ("hardest",), "samples": 1, "processes": 2},
    "estimates": {"probes": 64},
    "transitions": {"instances": 2, "amounts": (3,)}, "ladder": {"samples": 1}, "engines": {}}
BY_THE_PAGE = {"baseline"}  # and when a study begins


@pytest.mark.slow
@pytest.mark.parametrize("name", experiment_names())
def test_an_experiment_reads_what_it_declares_and_nothing_else(monkeypatch, name):
    ours = [each for each in peers.Peers.find_contenders() if each.name == peers.IN_PYTHON]
    monkeypatch.setattr(peers.Peers, "find_contenders", lambda self: ours)
    solver = same_tree.SameTree.find_contenders()[0]  # our equivalent, which is installed
    monkeypatch.setattr(same_tree.SameTree, "find_contenders", lambda self: [solver])
    some = ladder.searches()[:2]
    monkeypatch.setattr(ladder, "searches", lambda: some)
    monkeypatch.setattr(engines, "sample", lambda *_, **__: Nothing())
    monkeypatch.setattr(estimates, "LARGEST_ESTIMATE", 4)
    monkeypatch.setattr(searches, "can_be_led", lambda algorithm: algorithm.name == "bitmask")
    measure = Worker.measure
    monkeypatch.setattr(Worker, "measure", lambda *given: READ.add("patience") or measure(*given))
    kind = find_experiment(name)
    plan = Recorded("short", (name,), {"budget": 600, "n": (5,), "patience": 1e-9, **SHORT[name]})
    session = Session(plan, outside=Outside())
    READ.clear()
    made = kind(session)
    session.begin(made, 0.0)
    READ.difference_update(("patience", "processes"))  # it reads what is declared
    for step in made.steps():
        session.add(made.run(step))
    session.stop()
    made.stop()
    assert READ - {"budget"} == {each.name for each in kind.reads} - BY_THE_PAGE


def test_checks_are_complete_when_each_value_has_its_record():
    session = Session(Plan("mine", ("checks",), {"budget": 5, "checks": 2, "check_n": 3}))
    checks = find_experiment("checks")(session)
    (step,) = checks.steps()
    assert not checks.is_complete(step)
    records = checks.run(step)
    session.add(records[:-1])
    assert not checks.is_complete(step)
    session.add(records[-1:])
    assert checks.is_complete(step)
