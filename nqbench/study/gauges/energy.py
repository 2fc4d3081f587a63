"""Measure energy with RAPL, which Linux shows in /sys/class/powercap.

The counters are those of whole processor packages: they hold what everything on the machine takes,
and the memory is not part of them. They advance about once in a millisecond, so searches are
repeated until a sample is long enough.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from nqbench.builds.comparing import quiet
from nqbench.study.gauges import Source, UnavailableError

FOLDER = Path("/sys/class/powercap")
SHORTEST = 0.2  # seconds of a sample, of which one step of the counter is half a per cent


class Energy(Source):
    """Joules of all packages while searches are repeated, divided by their number."""

    metrics = ("energy",)

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    def explain_absence(self, metric: str) -> str:
        domains = self.packages()
        if not domains:
            return f"no RAPL: {self.folder} has no domain of a package"
        try:
            self.read(domains)
        except (OSError, ValueError) as error:
            return (f"{error.filename} cannot be read ({error.strerror}); most systems allow it "
                    "to root only" if isinstance(error, OSError) else f"RAPL: {error}")
        return ""

    def packages(self) -> list[Path]:
        """Return the domains of packages; those within a package are part of it."""
        return [name.parent for name in sorted(self.folder.glob("*/name"))
                if name.read_text("ascii").startswith("package")]

    def read(self, domains: list[Path]) -> list[int]:
        """Return the microjoules that each domain shows."""
        return [int((domain / "energy_uj").read_text("ascii")) for domain in domains]

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        domains, searches = self.packages(), 0
        with quiet():
            before, start = self.read(domains), perf_counter()
            while perf_counter() - start < SHORTEST:
                search()
                searches += 1
            after = self.read(domains)
        joules = sum(self.difference(*one) for one in zip(domains, before, after, strict=True))
        if not joules:
            raise UnavailableError("RAPL shows no energy: its counter stands still")
        return joules / searches

    def difference(self, domain: Path, before: int, after: int) -> float:
        """Return the joules between two readings of a counter, which begins again at 0."""
        if after < before:
            after += int((domain / "max_energy_range_uj").read_text("ascii"))
        return (after - before) / 1e6

    def cost(self, seconds: float, shortest: float) -> float:
        return max(seconds, SHORTEST)


SOURCE = Energy()
