"""The parts of a count on any executor of `concurrent.futures`: processes, Dask, MPI.

The executor's workers count parts; this side hands them out, a few for each worker at a time,
and believes an answer only if it fits: the parts that were asked for, counts that can be, a
checksum, and no contradiction to what is known. What fails, answers nonsense or does not
answer is handed out again; what is answered twice is counted once.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any
from zlib import crc32

from nqbench.board import whole
from nqbench.engine.checkpoint import LARGEST, Checkpoint, Division, begun
from nqbench.engine.threads import chosen_kernel, divided, division, new

IN_FLIGHT = 3  # tasks for each worker: one at work, the others on the way
SHARE = 2  # a task is so small a part of what is left for each worker: the last end together
LONGEST = 30.0  # seconds that a task may be expected to take
PATIENCE = 600.0  # seconds without an answer, then a task is handed out once more
TRIES = 4  # of a task
LOOK = 0.2  # seconds between two looks

# Parts, completions, checksum, seconds.
Answer = tuple[tuple[int, ...], tuple[int, ...], int, float]


class DistrustError(RuntimeError):
    """A task was answered wrongly, or not at all, too often."""


def checksum(parts: Sequence[int], ways: Sequence[int]) -> int:
    """Return the CRC-32 of an answer.

    >>> checksum((1, 2), (10, 0)) == checksum((2, 1), (10, 0))
    False
    """
    return crc32(repr((tuple(parts), tuple(ways))).encode())


@lru_cache(maxsize=2)
def _engine(line: str) -> Any:
    before = Division.of(line)
    return divided(before, before.n)


def work(line: str, parts: tuple[int, ...]) -> Answer:
    """Count parts: this is what a worker does, with the fastest kernel of its own processor.

    Raises
    ------
    ValueError
        if the worker has another version of nqbench, or no compiled engine.
    """
    from nqbench import __version__

    asked = Division.of(line).version
    if asked != __version__:
        raise ValueError(f"a worker has nqbench {__version__}, not {asked}")
    kernel = chosen_kernel(None)
    engine = _engine(line)
    start = perf_counter()
    ways = tuple(engine.recount(parts, kernel))
    return parts, ways, checksum(parts, ways), perf_counter() - start


def believable(answer: object, parts: tuple[int, ...]) -> bool:
    """Whether an answer is one to these parts.

    >>> believable(((1,), (10,), checksum((1,), (10,)), 0.5), (1,))
    True
    >>> believable(((1,), (-10,), checksum((1,), (-10,)), 0.5), (1,))
    False
    """
    match answer:
        case (tuple() as answered, tuple() as ways, int() as check, float()):
            return (answered == parts and len(ways) == len(parts)
                    and all(type(x) is int and 0 <= x <= LARGEST for x in ways)
                    and check == checksum(parts, ways))
    return False


def counting_on(executor: Executor, n: int, workers: int, checkpoint: Path | None = None,
                say: Callable[[str], None] = lambda line: None,
                patience: float = PATIENCE) -> Iterator[tuple[float, int]]:
    """Count on an executor with so many `workers`; yield (share of the parts done, solutions found
    by then) now and then, and at the end. What is done is kept in a `checkpoint`, if it is given.

    `say` is told what had to be done again, and why.

    Raises
    ------
    ValueError
        for an n that is not allowed, a checkpoint of something else, or a worker of another
        version.
    DistrustError
        if a task failed, or was answered with nonsense, TRIES times.
    """
    before = begun(checkpoint) if checkpoint else None
    kernel = chosen_kernel(None)
    engine = new(n) if before is None else divided(before, whole(n))
    with ExitStack() as stack:
        kept = (stack.enter_context(Checkpoint(checkpoint, division(engine, kernel), say))
                if checkpoint else None)
        known: dict[int, int] = {}
        for part, ways in (kept.counted if kept else {}).items():
            engine.mark(part, ways)
            known[part] = ways
        for parts_of_task, ways_of_each, *_ in _answers(
                executor, engine, known, workers, say, patience):
            fresh = []
            for part, ways in zip(parts_of_task, ways_of_each, strict=True):
                if part not in known:
                    known[part] = ways
                    engine.mark(part, ways)
                    fresh.append((part, ways))
                elif known[part] != ways:
                    raise DistrustError(f"part {part} was counted twice, as {known[part]} and "
                                        f"{ways}: one of both is wrong")
            if kept:
                kept.add(fresh)
            done, parts = engine.progress
            yield done / parts, engine.found
    yield 1.0, engine.found


def _answers(executor: Executor, engine: Any, known: dict[int, int], workers: int,
             say: Callable[[str], None], patience: float) -> Iterator[Answer]:
    """Yield believable answers to all parts that are not known yet."""
    line = division(engine, chosen_kernel(None)).line
    left = deque(part for part in range(engine.progress[1]) if part not in known)
    again: deque[tuple[int, ...]] = deque()
    a_part = LONGEST  # seconds, until one is measured: the first tasks are one part each
    tries: dict[tuple[int, ...], int] = {}
    flying: dict[Future[Answer], tuple[tuple[int, ...], float]] = {}
    try:
        while left or again or flying:
            while (left or again) and len(flying) < IN_FLIGHT * workers:
                parts = again.popleft() if again else _task(left, workers, a_part)
                flying[executor.submit(work, line, parts)] = parts, perf_counter()
            for future in wait(flying, LOOK, FIRST_COMPLETED).done:
                parts, _ = flying.pop(future)
                fault = _fault(future, parts)
                if fault is None:
                    a_part = future.result()[3] / len(parts)
                    yield future.result()
                else:
                    _again(parts, fault, tries, say)
                    again.append(parts)
            for future, (parts, since) in list(flying.items()):
                if perf_counter() - since > patience and not future.done():
                    del flying[future]
                    future.cancel()
                    _again(parts, f"no answer for {patience:g} seconds", tries, say)
                    again.append(parts)
    finally:
        for future in flying:
            future.cancel()


def _task(left: deque[int], workers: int, seconds: float) -> tuple[int, ...]:
    """Take the parts of the next task off those that are left; a part takes about so many seconds.

    >>> left = deque(range(100))
    >>> [len(_task(left, 4, 0.001)) for _ in range(4)], len(_task(left, 4, 20.0))
    ([12, 11, 9, 8], 1)
    """
    size = max(1, min(len(left) // (SHARE * workers), int(LONGEST / max(seconds, 1e-9))))
    return tuple(left.popleft() for _ in range(size))


def _fault(future: "Future[Answer]", parts: tuple[int, ...]) -> str | None:
    """What is wrong with an answer; None if it is believed."""
    error = future.exception()
    if isinstance(error, ValueError):
        raise error  # no other try would mend it
    if error is not None:
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    return None if believable(future.result(), parts) else "an answer that cannot be"


def _again(parts: tuple[int, ...], why: str, tries: dict[tuple[int, ...], int],
           say: Callable[[str], None]) -> None:
    """Note that a task is handed out once more; too often is an error."""
    tries[parts] = tries.get(parts, 1) + 1
    if tries[parts] > TRIES:
        raise DistrustError(f"part {parts[0]} failed {TRIES} times, at last with {why}")
    say(f"part {parts[0]} is counted again: {why}")
