"""How and where it was measured."""

from dataclasses import dataclass
from typing import Any

from nqbench import analysis
from nqbench.analysis.uncertainty import RESAMPLES
from nqbench.records.descriptions import to_study_file
from nqbench.records.names import SMALL
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken


@dataclass(frozen=True)
class Facts:
    """The machine, and how the times were taken; left_out: the number of points skipped to stay
    within the budget; sha256: the hash of the records that the page is made from; study_file: the
    study of the main run, if it names its algorithms, else empty; unchecked: whether one of them
    was not checked.
    """

    machine: dict[Any, Any]
    other_machines: int
    taken: Taken
    left_out: int
    sha256: str
    study_file: str
    unchecked: bool
    resamples: int = RESAMPLES
    small: int = SMALL

    @property
    def memory_gib(self) -> float:
        """The memory of the machine, in GiB."""
        return round(float(self.machine["memory_bytes"]) / 2**30, 1)

    @property
    def in_processes(self) -> bool:
        """Whether the samples of a point come from several processes."""
        return self.taken.processes > 1


def build(frames: Frames) -> Part:
    """Return the machine, and what the run named at the top skipped."""
    left_out = analysis.left_out(frames.newest)
    return Part(Facts(
        frames.machine, frames.other_machines, frames.taken, len(left_out), frames.sha256,
        _study_file(frames), not all(each.checked for each in frames.descriptions.values())),
        {"left_out": left_out}, captions={
            "left_out": "Points that were skipped to stay within the budget, with their "
                        "predicted seconds, and those that were stopped."})


def _study_file(frames: Frames) -> str:
    study = frames.study
    return to_study_file(study, frames.descriptions) if study["algorithms"] else ""


SECTION = Section("how", "How and where", 200, build, named=False, chapter="Trust")
