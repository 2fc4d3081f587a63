"""Measure our own searches and those of other packages: all of one n in turns."""

from statistics import median

from nqbench.records.record import SMALL, Record
from nqbench.study.experiments import Experiment, Step
from nqbench.study.measure import is_repeated, of_first
from nqbench.study.presets import UNCOMPILED, Preset, is_compiled
from nqbench.study.session import LEAST, Session
from nqbench.topics.peers.contenders import METRIC, START, Turns, contenders, in_turns


class Peers(Experiment):
    """Count with each peer for each n, in each process."""

    name = "peers"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.contenders = {contender.name: contender for contender in contenders()}
        for record in session.records:
            if record["metric"] == METRIC.name and record["samples"]:
                session.forecast.add(record["peer"], record["n"], median(record["samples"]))

    @classmethod
    def missing(cls, preset: Preset) -> str:
        """Return what our own searches need."""
        return "" if is_compiled() else UNCOMPILED

    def steps(self) -> list[Step]:
        """Return a step for each process and n."""
        preset = self.session.preset
        return [Step(n, process) for process in range(preset.processes) for n in preset.sizes]

    def is_complete(self, step: Step) -> bool:
        """Return whether each peer has its record."""
        records = self.session.records
        if step.process:
            return is_repeated(records, METRIC.name, step.process, n=step.number)
        return {record["peer"] for record in records
                if record["metric"] == METRIC.name and record["n"] == step.number
                and not record.get("process")} == set(self.contenders)

    def measure(self, step: Step) -> list[Record]:
        """Count n queens with all peers; return a record each."""
        n, session, preset = step.number, self.session, self.session.preset
        found = [Turns(contender, n, session.forecast.predict(contender.name, n),
                       processes=preset.processes) for contender in self.contenders.values()]
        chosen: list[Turns] = []
        planned = 0.0
        for turns in found:
            cost = session.rounds_cost(n, turns.predicted)
            if turns.contender.version is None:
                turns.status = "not installed"
            elif skipped := session.explain_skip(n, cost, planned):
                turns.status, turns.skipped = "left out", skipped
            else:
                chosen.append(turns)
                planned += cost
        in_turns(chosen, preset.rounds(n), self.patience(n), session.say)
        for turns in chosen:
            if turns.seconds is not None:
                session.forecast.add(turns.contender.name, n, turns.seconds)
        return [{**session.head(), **turns.fields()} for turns in found]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process; return a record for each peer that the first one
        measured.
        """
        n, process, session = step.number, step.process, self.session
        chosen = [Turns(self.contenders[record["peer"]], n, median(record["samples"]),
                        loops=record["loops"], solutions=record["solutions"], process=process,
                        processes=record["processes"])
                  for record in of_first(session.records, METRIC.name, process, n=n)]
        in_turns(chosen, session.preset.rounds(n), self.patience(n), session.say)
        return [{**session.head(), **turns.fields()} for turns in chosen]

    def patience(self, n: int) -> float:
        """Return the seconds after which a peer is stopped; at first it starts, too."""
        preset, session = self.session.preset, self.session
        return max(LEAST, min(START, preset.budget - session.elapsed)) if n <= SMALL else (
            preset.budget * preset.share)

    def stop(self) -> None:
        """Stop the processes of all peers."""
        for contender in self.contenders.values():
            contender.stop()


EXPERIMENTS = (Peers,)
