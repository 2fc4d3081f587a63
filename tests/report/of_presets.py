"""Records as studies of presets write them, made from those of a small study."""

from functools import cache

from kept import peer

from nqbench.records.descriptions import presets
from nqbench.study.plan import find_preset
from nqbench.topics.searches.measurement import KIND, solvers

SECONDS_OF = {"check": "checks", "estimate": "probes", "rate": "puzzles"}  # fields of a plan


def both_engines(first):
    """Records of a study of both engines, on the machine of the record `first`: whole counts for
    16 queens, a sample for 20.
    """
    head = {name: first[name] for name in ("schema", "context", "time")} | {
        "preset": "engine", "implementation": "cython", "kernel": "portable", "jobs": 1,
        "status": "measured"}
    draw = {"part": 1, "seconds": 0.5, "completions": 10**7, "images": 4}
    return [head | {"metric": "cpu_seconds", "unit": "s", "n": 16, "algorithm": name, "loops": 1,
                    "predicted": None, "seconds": 9.0, "samples": [seconds, 1.01 * seconds]}
            for name, seconds in (("somers", 9.0), ("cross", 0.5), ("join", 0.25))] + [
        head | {"metric": "plan", "unit": "seconds", "n": 20, "algorithm": name, "samples": [
            {"n": 20, "parts": 1000 * many, "slices": 1, "kernel": "portable", "seed": 1,
             "shrunk": 1, "drawn": [[draw, draw]] * 60, "algorithm": name}]}
        for name, many in (("cross", 10), ("join", 2))]


def of_preset(name, study):
    """Records as a study of this preset writes them, made from the lines of one that was really
    run.
    """
    if name == "peers":
        theirs = {"peer": "numba", "package": "numba", "version": "0.68", "samples": [1.0, 1.0]}
        return [peer(study[0], n=n, solutions=many, **fields)
                for n, many in ((4, 2), (8, 92)) for fields in ({}, theirs)]
    run = f"{2000 + [*presets()].index(name)}-01-01T00:00:00.000+00:00"
    found = [line | {"preset": name, "run": run, "kernel": "portable" if name == "engine"
                     and line.get("algorithm") == "cross" else None}
             for line in filter(measured_by(find_preset(name)), study)]
    return found + [line | {"run": run} for line in both_engines(study[0]) if name == "engine"]


def measured_by(plan):
    """Return whether a study of this plan has such a record, as a function of it."""
    @cache
    def solvers_at(n):
        return {(solver.algorithm.name, solver.implementation) for solver in solvers(n, plan)}

    def call(line):
        metric = line["metric"]
        if metric in SECONDS_OF:
            return plan.given.get(SECONDS_OF[metric], 0) > 0
        solver = line["algorithm"], line["implementation"]
        if "points" not in plan.experiments or solver not in solvers_at(line["n"]):
            return False
        return plan[KIND] != "engine" or metric in ("seconds", "solutions")

    return call
