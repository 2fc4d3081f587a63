"""The player that replays recorded searches."""

from dataclasses import dataclass
from typing import Any

from nqbench.algorithms import catalogue
from nqbench.records.descriptions import Description
from nqbench.report import player
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.traces.recording import MOST_EVENTS


@dataclass(frozen=True)
class Facts:
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


def build(frames: Frames) -> Part:
    """Return the player, which does not depend on the records."""
    return Part(Facts(tuple(frames.descriptions.values())))


SECTION = Section("watch", "Watch the search", 10, build, named=False)
