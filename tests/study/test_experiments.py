"""Experiments are found by folder: a file adds one, and a study runs and resumes it."""

import sys

import pytest

import nqbench
from nqbench.records.presets import presets
from nqbench.records.record import read
from nqbench.study import PRESETS, Preset, experiments

OWN = '''
from nqbench import count
from nqbench.study.experiments import Experiment, Step


class Totals(Experiment):
    def steps(self):
        plan = self.session.plan
        return [Step(n, process) for process in range(plan.processes) for n in plan.sizes]

    def is_complete(self, step):
        return any((record["n"], record["process"]) == (step.number, step.process)
                   for record in self.session.records)

    def run(self, step):
        self.session.say(f"process {step.process}, n = {step.number}")
        return [{**self.session.head(), "metric": "solutions", "unit": "solutions",
                 "algorithm": "cross", "implementation": "python", "n": step.number,
                 "process": step.process, "kernel": None, "jobs": 1, "loops": None,
                 "predicted": None, "status": "measured", "samples": [count(step.number)]}]


EXPERIMENT = Totals
'''


@pytest.fixture
def totals(tmp_path, monkeypatch):
    """An experiment in another folder, and a preset that names it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "totals.py").write_text(OWN, "utf-8")
    monkeypatch.setattr(experiments, "__path__", [*experiments.__path__, str(folder)])
    monkeypatch.setitem(PRESETS, "totals", Preset(
        budget=10, first_n=5, max_n=7, processes=2, experiments=("totals",)))
    yield
    sys.modules.pop("nqbench.study.experiments.totals", None)
    vars(experiments).pop("totals", None)


def test_a_file_adds_an_experiment(totals, tmp_path):
    def interrupt(what, gone, budget):
        if what == "process 1, n = 6":
            raise KeyboardInterrupt

    results = tmp_path / "results"
    with pytest.raises(KeyboardInterrupt):
        nqbench.study.run("totals", results=results, progress=interrupt)
    assert len(list(read(results, pytest.fail))) == 4
    nqbench.study.run("totals", results=results, resume=True)
    assert [(r["process"], r["n"], *r["samples"]) for r in read(results, pytest.fail)] == [
        (process, n, found) for process in (0, 1) for n, found in ((5, 10), (6, 4), (7, 40))]
    with pytest.raises(ValueError, match="no interrupted totals study"):
        nqbench.study.run("totals", results=results, resume=True)


def test_a_preset_names_its_experiments(monkeypatch, tmp_path):
    for fields in presets().values():
        assert all(map(experiments.find, fields["experiments"]))
    monkeypatch.setitem(PRESETS, "dots", Preset(budget=1, experiments=("dots",)))
    with pytest.raises(ValueError, match="no experiment 'dots', only checks, clusters, estimates"):
        nqbench.study.run("dots", results=tmp_path)
