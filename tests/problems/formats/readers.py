"""Programs that read the formats: each gets a text, and returns what it printed for all solutions.

Those of a format are with the optional part that each needs.
"""

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=False).stdout


def gecode(text, folder):
    """MiniZinc with Gecode."""
    file = folder / "model.mzn"
    file.write_text(text, "utf-8")
    return run("minizinc", "-a", "--solver", "gecode", file)


def gecode_json(model, text, folder):
    """MiniZinc with a file of data, and output in JSON."""
    (folder / "model.mzn").write_text(model, "utf-8")
    (folder / "data.dzn").write_text(text, "utf-8")
    return run("minizinc", "-a", "--solver", "gecode", "--output-mode",
               "json", folder / "model.mzn", folder / "data.dzn")


def java(text, folder, jar, main, *options):
    home = Path(distribution("pycsp3").locate_file("pycsp3/solvers"))
    file = folder / "instance.xml"
    file.write_text(text, "utf-8")
    return run("java", "-cp", next(home.glob(jar)), main, file, *options)


def ace(text, folder):
    """ACE, which comes with pycsp3; -xc writes 3x4 for 3 3 3 3."""
    return java(text, folder, "ace/ACE-*.jar", "main.Head", "-s=all", "-xe", "-xc")


def choco(text, folder):
    """Choco, which comes with pycsp3."""
    return java(text, folder, "choco/choco-parsers-*.jar",
                "org.chocosolver.parser.xcsp.ChocoXCSP", "-a")


def cadical(text, folder, shown=None):
    """CaDiCaL of python-sat: each solution is excluded by a clause over the `shown` variables, by
    default those of the line c p show.
    """
    from pysat.formula import CNF
    from pysat.solvers import Solver

    formula = CNF(from_string=text)
    if shown is None:
        line = next(line for line in text.splitlines() if line.startswith("c p show "))
        shown = {*map(int, line.split()[3:-1])}
    lines = []
    with Solver("cadical195", bootstrap_with=formula) as solver:
        while solver.solve():
            model = solver.get_model()
            lines.append(f"v {' '.join(map(str, model))} 0")
            solver.add_clause([-literal for literal in model if abs(literal) in shown])
    return "\n".join([*lines, "s UNSATISFIABLE"])


def clasp(text, folder):
    """The solver of clingo, which reads clauses and pseudo-Boolean constraints."""
    file = folder / "instance"
    file.write_text(text, "utf-8")
    return run(sys.executable, "-m", "clingo", "--mode=clasp", "-q0", file, 0)


def parse_cover(text):
    """The primary and the secondary items of an exact cover as text, and its options: Knuth's
    notation as the section 7.2.2.1 describes it.
    """
    lines = [line for line in text.splitlines() if line.strip() and line[0] != "|"]
    primary, _, secondary = lines[0].partition("|")
    options = [line.split() for line in lines[1:]]
    known = {*primary.split(), *secondary.split()}
    assert len(known) == len(primary.split()) + len(secondary.split())
    assert all({*option} <= known and len({*option}) == len(option) for option in options)
    assert all(len(item) <= 8 and ":" not in item for item in known)
    return primary.split(), secondary.split(), options


def matrix(text):
    """The options of a text as rows of 0 and 1; one more row covers each secondary item alone."""
    import numpy

    primary, secondary, options = parse_cover(text)
    place = {item: number for number, item in enumerate([*primary, *secondary])}
    options += [[item] for item in secondary]
    rows = numpy.zeros((len(options), len(place)), dtype=numpy.int32)
    for number, option in enumerate(options):
        rows[number, [place[item] for item in option]] = 1
    return rows, options


def printed(options, solutions):
    """Solutions as Knuth's programs print them."""
    return "".join(f"{number}:\n" + "".join(
        f" {' '.join(options[row])} (1 of 1)\n" for row in solution if len(options[row]) > 1)
        for number, solution in enumerate(solutions, 1))


def exact_cover(text, folder):
    """exact-cover, of which a matrix can be asked, not a text."""
    from exact_cover import get_all_solutions, get_exact_cover, get_solution_count

    rows, options = matrix(text)
    many = get_solution_count(rows) if rows.any(axis=0).all() else 0
    return printed(options, get_all_solutions(rows) if many > 1 else
                   [get_exact_cover(rows)] if many else [])


def dlx_cython(text, folder):
    """dlx-cython, likewise."""
    from dlxsolver import DLXSolver

    rows, options = matrix(text)
    return printed(options, DLXSolver(rows).solve(find_all=True)
                   if rows.any(axis=0).all() else [])


READERS = {
    "minizinc": {gecode: "Gecode"}, "xcsp": {ace: "ACE", choco: "Choco"},
    "cnf-pairwise": {cadical: "python-sat", clasp: "clingo"},
    "cnf-sequential": {cadical: "python-sat"}, "cnf-product": {cadical: "python-sat"},
    "opb": {clasp: "clingo"}, "dlx": {exact_cover: "exact-cover", dlx_cython: "dlx-cython"}}
