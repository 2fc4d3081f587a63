"""The player that replays recorded searches."""

from dataclasses import dataclass
from typing import Any

from nqbench.algorithms import catalogue
from nqbench.report import player
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """What the player shows; the searches are recorded when the page is rendered."""

    most_steps: int = player.MOST_STEPS

    @property
    def still(self) -> player.Still:
        """The step that is shown without JavaScript."""
        return player.still()

    @property
    def recordings(self) -> dict[str, Any]:
        """The recorded searches, as JSON."""
        return player.recordings()

    @property
    def untraced(self) -> list[str]:
        """The algorithms that cannot be watched."""
        traced = {algorithm["name"] for algorithm in self.recordings["algorithms"]}
        return [name for name in catalogue() if name not in traced]


def build(frames: Frames) -> Part:
    """Return the player, whatever was measured."""
    return Part(Facts())


SECTION = Section("watch", "Watch the search", 10, build, named=False)
