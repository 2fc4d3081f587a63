"""How and where it was measured; watch the searches."""

from dataclasses import dataclass
from typing import Any

from nqbench import analysis
from nqbench.analysis.uncertainty import RESAMPLES
from nqbench.explain.recordings import MOST_EVENTS
from nqbench.problems.queens import catalogue
from nqbench.records.descriptions import Description, to_study_file
from nqbench.records.record import SMALL
from nqbench.report import player
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken


@dataclass(frozen=True)
class HowFacts:
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


def make_how(frames: Frames) -> Part:
    """Return the machine, and what the run named at the top skipped."""
    left_out = analysis.left_out(frames.newest)
    return Part(HowFacts(
        frames.machine, frames.other_machines, frames.taken, len(left_out), frames.sha256,
        _study_file(frames), not all(each.checked for each in frames.descriptions.values())),
        {"left_out": left_out}, captions={
            "left_out": "Points that were skipped to stay within the budget, with their "
                        "predicted seconds, and those that were stopped."})


def _study_file(frames: Frames) -> str:
    study = frames.study
    return to_study_file(study, frames.descriptions) if study["algorithms"] else ""


@dataclass(frozen=True)
class WatchFacts:
    """What the player shows; the searches of the catalogue are recorded when the page is rendered,
    those of external algorithms were recorded by the study.
    """

    outside: tuple[Description, ...] = ()
    most_steps: int = MOST_EVENTS

    @property
    def still(self) -> player.Still:
        """The step that is shown without JavaScript."""
        return player.still()

    @property
    def recordings(self) -> dict[str, Any]:
        """The recorded searches, as JSON."""
        return player.recordings(self.outside)

    @property
    def untraced(self) -> list[str]:
        """The algorithms that cannot be watched."""
        traced = {algorithm["name"] for algorithm in self.recordings["algorithms"]}
        return [name for name in (*catalogue(), *(each.name for each in self.outside))
                if name not in traced]


def make_watch(frames: Frames) -> Part:
    """Return the player, which does not depend on the records."""
    return Part(WatchFacts(tuple(frames.descriptions.values())))


SECTIONS = (
    Section("how", "How and where", 200, make_how, named=False, chapter="Trust"),
    Section("watch", "Watch the search", 10, make_watch, named=False),
)
