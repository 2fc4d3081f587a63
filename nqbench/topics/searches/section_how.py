"""How and where it was measured; watch the searches."""

from nqbench.analysis import left_out
from nqbench.analysis.uncertainty import RESAMPLES
from nqbench.explain.recordings import MOST_EVENTS
from nqbench.problems.queens import catalogue
from nqbench.records.descriptions import to_study_file
from nqbench.records.record import SMALL
from nqbench.report import player
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section


def make_how(frames: Frames) -> Part:
    """Return the machine, how the times were taken, and what the run named at the top skipped.

    left_out: the number of points skipped to stay within the budget; sha256: the hash of the
    records that the page is made from; study_file: the study of the main run, if it names its
    algorithms, else empty; unchecked: whether one of them was not checked; programs: what is
    known of each program, by name.
    """
    skipped, study, described = left_out(frames.newest), frames.study, frames.descriptions
    return Part(Facts(
        machine=frames.machine, machines=frames.records["machine"].nunique(), taken=frames.taken,
        left_out=len(skipped), sha256=frames.sha256, resamples=RESAMPLES, small=SMALL,
        study_file=to_study_file(study, described) if study["algorithms"] else "",
        unchecked=not all(each.checked for each in described.values()),
        programs={name: each.program for name, each in described.items() if each.program},
        memory_gib=round(float(frames.machine["memory_bytes"]) / 2**30, 1)),
        {"left_out": skipped})


def make_watch(frames: Frames) -> Part:
    """Return the player: the searches of the catalogue, recorded now, and those of external
    algorithms, which the study recorded.

    still: the step that is shown without JavaScript; recordings: the searches, as JSON; untraced:
    the algorithms that cannot be watched.
    """
    outside = frames.descriptions.values()
    recordings = player.recordings(outside)
    traced = {algorithm["name"] for algorithm in recordings["algorithms"]}
    return Part(Facts(
        still=player.still(), recordings=recordings, most_steps=MOST_EVENTS,
        untraced=[name for name in (*catalogue(), *(each.name for each in outside))
                  if name not in traced]))


SECTIONS = (
    Section("how", "How and where", 200, make_how, named=False, chapter="Trust"),
    Section("watch", "Watch the search", 10, make_watch, named=False),
)
