"""What was verified, and what published listings have wrong."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.problems.published.errata import ERRATA
from nqbench.records.contradictions import WrongCount
from nqbench.report import style
from nqbench.report.drawings import tell
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Facts, Part, Section, claim
from nqbench.util.text import plural, spaced

MEANING = {
    "A000170": "solutions", "A002562": "up to symmetry", "A032522": "half-turn symmetric",
    "A033148": "quarter-turn symmetric", "A319283": "nodes of the tree", "A319284": "its levels",
    "A319288": "its widest level",
}


def make_verification(frames: Frames) -> Part | None:
    """Return the checks of the runs shown and the wrong counts; None without any count.

    checks, ok, differ, left_out: the number of checks by their outcome; counted: the number of
    totals that the timed searches counted; check_n, counted_n: the largest n that was confirmed,
    and that was counted; verified, wrong: tables of the checks and of the wrong counts; verdict:
    whether a count is "wrong", published values were "confirmed", none of them was computed
    ("unchecked"), or only totals beside the times were compared ("counted").
    """
    checks, counted, wrong = frames.checks, frames.counted, frames.wrong
    table = verification(checks, wrong)
    if table.empty and counted.empty:
        return None
    statuses = checks["status"].value_counts()
    ok = int(statuses.get("ok", 0))
    verdict = ("wrong" if wrong else "confirmed" if ok else
               "unchecked" if len(checks) else "counted")
    made = Facts(
        verdict=verdict, checks=len(checks), ok=ok,
        differ=int(statuses.get("differs", 0)), left_out=int(statuses.get("left out", 0)),
        check_n=max(checks[checks["status"] == "ok"]["n"], default=0),
        counted=len(counted), counted_n=max(counted["n"], default=0),
        verified=verification(checks, []).drop(columns="answered_by"),
        wrong=pd.DataFrame([{
            "solver": one.solver, "sequence": one.sequence, "n": one.n,
            "published": one.expected, "computed": one.actual, "status": "differs",
        } for one in wrong]))
    return Part(made, {"verification": table},
        {"verification": partial(draw, made.verified)} if len(made.verified) else {},
        records=pd.concat(frames.shown),
        finding=claim(verification_finding(made), n=None, processes=None))


def verification_finding(facts: Facts) -> str:
    """Return the result for the counts; empty if nothing was checked."""
    if facts.verdict == "wrong":
        return (f"{len(facts.wrong)} of our counts {plural(len(facts.wrong), 'is', 'are')} wrong"
                + " or failed" * bool((facts.wrong == "").any(axis=None)))
    if facts.verdict == "confirmed":
        return f"{facts.ok} of {facts.checks} published values are confirmed"
    return plural(facts.counted, "The only total is the published one", (
        f"All {facts.counted:,} totals are the published ones")) if facts.counted else ""


def verification(checks: pd.DataFrame, wrong: list[WrongCount]) -> pd.DataFrame:
    """Return published values beside ours: sequence, n, published, computed, status, solvers (their
    number), answered_by; first the `wrong` ones, with the solver, then the other checks.
    """
    right = checks[checks["status"] != "differs"]
    rows = [(one.sequence, one.n, one.expected, one.actual, "differs",
             len(one.solvers), ", ".join(one.solvers))
            for one in wrong]
    rows += [(check["sequence"], check["n"], spaced(check["expected"]), spaced(check["got"]),
              check["status"], len(check["answered_by"]), ", ".join(check["answered_by"]))
             for check in right.to_dict("records")]
    return pd.DataFrame(rows, columns=["sequence", "n", "published", "computed", "status",
                                       "solvers", "answered_by"])


COLOURS = {"ok": style.GREEN, "differs": style.RED}  # of other values: grey


def draw(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw a square for each published value: a row for each sequence, against n."""
    names = list(found["sequence"].drop_duplicates())
    labels = [", ".join(filter(None, (name, MEANING.get(name)))) for name in names]
    with style.rows_of_dots(width, labels) as (made, (axes,)):
        for status, rows in found.groupby("status", sort=False):
            places = rows["sequence"].map(names.index)
            axes.scatter(rows["n"], places, marker="s", s=80, linewidths=0,
                         color=COLOURS.get(str(status), "#d0d0d0"))
            tell(axes, list(rows["sequence"]), rows[["n", "computed", "solvers"]], "n", places)
        axes.set(title="Published values: computed (green), skipped (grey)")
        style.sizes(axes, found["n"])
    return made


def make_errata(frames: Frames) -> Part:
    """Return the errata, which do not depend on the records: their number, and that of the listings
    that have them.
    """
    many = len({name for erratum in ERRATA for name in erratum.listings})
    return Part(Facts(faults=len(ERRATA), listings=many), {"errata": errata()}, records=UNMEASURED,
        finding=claim(f"{many} published listings have {len(ERRATA)} faults", n=None,
                      processes=None))


def errata() -> pd.DataFrame:
    """Return the faults of the published listings."""
    return pd.DataFrame([{"listing": e.listing, "fault": e.fault, "shown": e.shown,
                          "right": e.right} for e in ERRATA])


SECTIONS = (
    Section("verification", "Verification", 20, make_verification, named=False, chapter="Trust"),
    Section("errata", "Errata", 190, make_errata, named=False, chapter="Trust"),
)
