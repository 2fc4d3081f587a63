"""Counts, and an executor without processes, whose answers a test may spoil."""

from concurrent.futures import Executor, Future


def of(ways):
    """A count with its remainders."""
    return ways, ways % 13, ways % 15


class Workers(Executor):
    """Answers at once, through `spoil`, which may change the answer or lose it."""

    def __init__(self, spoil=lambda number, answer: answer):
        self.spoil = spoil
        self.asked = []
        self.futures = []

    def submit(self, call, line, parts):
        future = Future()
        future.set_running_or_notify_cancel()
        self.asked.append(parts)
        self.futures.append(future)
        try:
            answer = self.spoil(len(self.asked), call(line, parts))
        except Exception as error:
            future.set_exception(error)
        else:
            if answer is not None:
                future.set_result(answer)
        return future
