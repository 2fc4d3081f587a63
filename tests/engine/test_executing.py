"""On any executor the total is exact, even if workers fail or give wrong answers."""

import itertools
import os
import random
import socket
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from threading import Thread
from types import SimpleNamespace

import pytest
from conftest import refused
from soak import Cluster, every_part_once
from soak import count as soak_count
from workers import Workers, of

from nqbench import engine
from nqbench.engine import Division, division_of
from nqbench.engine.checkpoint import LARGEST_COUNT
from nqbench.engine.cluster import cluster
from nqbench.engine.tasks import TRIES, checksum, count_parts, counting_on, validate
from nqbench.errors import InvalidValueError, LostError, MiscountError

Q = {0: 1, 1: 1, 2: 0, 3: 0, 6: 4, 12: 14200, 14: 365596}


def total(executor, n, workers=2, **choices):
    *_, (share, found) = counting_on(executor, n, workers, **choices)
    assert share == 1
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 3, 6, 12, 14])  # there are no parts of 2 and 3
def test_every_part_is_handed_out_once(n):
    workers = Workers()
    assert total(workers, n) == Q[n]
    parts = [part for task in workers.asked for part in task]
    assert sorted(parts) == list(range(Division.new(n, engine.kernels()[0]).parts))


@pytest.mark.slow
def test_processes_count_right():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert total(pool, 14) == Q[14]


@pytest.mark.parametrize("workers", [0, -1, lambda: 0])
def test_without_workers_nothing_is_said_to_be_done(monkeypatch, workers):
    """If there are no workers, it hands out the share of one worker; none for a long time is an
    error.
    """
    assert total(Workers(), 12, workers=workers) == Q[12]
    monkeypatch.setattr("nqbench.engine.tasks.ABSENT", 0.0)
    monkeypatch.setattr("nqbench.engine.tasks.WORKERS_INTERVAL", 0.0)
    with pytest.raises(LostError, match="there have been no workers for 0 seconds"):
        total(Workers(lambda number, answer: None), 12, workers=workers)


def test_a_scheduler_that_does_not_answer_the_roll_call_is_gone():
    def tell():
        raise TimeoutError("timed out")

    with pytest.raises(LostError, match="the scheduler is gone: TimeoutError: timed out"):
        total(Workers(), 12, workers=tell)


def test_workers_may_come_and_go(monkeypatch):
    monkeypatch.setattr("nqbench.engine.tasks.WORKERS_INTERVAL", 0.0)
    numbers = itertools.cycle((2, 5, 0, 1))
    *_, (_, found) = counting_on(Workers(), 12, lambda: next(numbers))
    assert found == Q[12]


def signed(parts, counts):
    return parts, counts, checksum(parts, counts), 0.5


def negative(parts, counts, *_):
    return signed(parts, (of(-1), *counts[1:]))


def fails(*answer):
    raise OSError("the worker is out of memory")


@pytest.mark.parametrize("lie", [negative, fails, lambda *answer: "hello"])
def test_an_answer_that_cannot_be_is_asked_for_again(lie):
    heard = []
    workers = Workers(lambda number, answer: lie(*answer) if number % 4 == 1 else answer)
    assert total(workers, 12, say=heard.append) == Q[12]
    assert heard
    assert all(" is counted again: " in line for line in heard)


def test_a_worker_that_always_lies_is_not_asked_for_ever():
    workers = Workers(lambda number, answer: negative(*answer))
    with pytest.raises(MiscountError, match=f"failed {TRIES} times, the last time with an invalid"):
        total(workers, 12)


def test_a_worker_that_hangs_is_replaced(monkeypatch):
    monkeypatch.setattr("nqbench.engine.tasks.RETRY_AFTER", 0.3)
    heard = []
    workers = Workers(lambda number, answer: None if number == 2 else answer)
    assert total(workers, 12, say=heard.append) == Q[12]
    assert heard == [f"part {workers.asked[1][0]} is counted again: no answer for 0.3 seconds"]


@pytest.mark.parametrize("taken", [0.03, 0.06])
def test_workers_that_take_long_are_not_taken_for_lost(monkeypatch, taken):
    def slow(line, parts):
        time.sleep(taken)
        return count_parts(line, parts)._replace(seconds=taken)

    for name, value in (("RETRY_AFTER", 0.05), ("LONGEST_TASK", 0.0025), ("count_parts", slow)):
        monkeypatch.setattr(f"nqbench.engine.tasks.{name}", value)
    with ThreadPoolExecutor(2) as pool:
        assert total(pool, 10) == 724


def late(monkeypatch, more):
    """Workers of which one answers late, with some completions more, and a listener that makes it
    answer when its task is handed out again.
    """
    def spoil(number, answer):
        if number == 2:
            parts, (count, *others), *_ = answer
            answers.append(signed(parts, (of(count[0] + more), *others)))
            return None
        return answer

    monkeypatch.setattr("nqbench.engine.tasks.RETRY_AFTER", 0.1)
    answers, workers = [], Workers(spoil)
    return workers, lambda line: workers.futures[1].set_result(answers[0])


def test_what_is_answered_twice_is_counted_once(monkeypatch):
    workers, say = late(monkeypatch, 0)
    assert total(workers, 12, say=say) == Q[12]
    assert len(workers.asked) > len(set(workers.asked))


def test_answers_that_contradict_one_another_end_the_count(tmp_path, monkeypatch):
    workers, say = late(monkeypatch, 195)
    path = tmp_path / "c"
    with pytest.raises(MiscountError, match="was counted twice, as"):
        total(workers, 12, say=say, checkpoint=path)
    with pytest.raises(ValueError, match="delete the lines of this part"):
        total(Workers(), 12, checkpoint=path)
    lines = path.read_text().splitlines(keepends=True)
    parts = [line.partition(" ")[0] for line in lines]
    path.write_text("".join(line for line, part in zip(lines, parts, strict=True)
                            if parts.count(part) == 1))
    assert total(Workers(), 12, checkpoint=path) == Q[12]


def test_workers_that_are_gone_are_an_error():
    workers = Workers(lambda number, answer: None if number > 3 else answer)
    with pytest.raises(LostError, match="are gone: a task was cancelled"):
        for _ in counting_on(workers, 12, 2):
            for future in workers.futures[3:]:
                future._state = "CANCELLED_AND_NOTIFIED"  # like an executor that has ended


def test_a_pool_that_is_broken_is_an_error():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(os._exit, 1).exception()
        with pytest.raises(LostError, match="the workers are gone: BrokenProcessPool"):
            total(pool, 12)


def test_what_no_retry_would_mend_is_raised_at_once():
    def refuses(number, answer):
        raise InvalidValueError("a worker has nqbench 9")

    workers = Workers(refuses)
    with pytest.raises(InvalidValueError, match="a worker has nqbench 9"):
        total(workers, 12)
    assert len(workers.asked) <= 6


@pytest.mark.parametrize("sent", [
    b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100, b"\xff" * 64, b""],
    ids=["http", "zeros", "ones", "nothing"])
def test_a_server_that_is_no_scheduler_is_a_wrong_address(sent, monkeypatch):
    """Dask may raise any of these for its bytes: MemoryError, struct.error, ValueError,
    TimeoutError.
    """
    pytest.importorskip("distributed")
    monkeypatch.setattr("nqbench.engine.cluster.TIMEOUT", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        def answer():
            connection, _ = server.accept()
            with connection:
                connection.sendall(sent)
                while connection.recv(1 << 20):  # until the other side closes
                    pass

        Thread(target=answer, daemon=True).start()
        where = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InvalidValueError, match=f"no Dask scheduler at '{where}'"), cluster(
                where, print):
            pass


def test_a_worker_of_another_version_is_refused(monkeypatch):
    line = Division.new(8, "portable").line
    monkeypatch.setattr("nqbench.engine.tasks.__version__", "9.9")
    with pytest.raises(ValueError, match=r"a worker has nqbench 9\.9, not 0\.1\.0"):
        count_parts(line, (0,))


def test_only_possible_counts_are_valid():
    good = signed((3,), (of(5),))
    assert validate(good, (3,))
    assert not validate(good, (4,))
    for seconds in (-1.0, float("nan"), float("inf"), 1):
        assert not validate((*good[:3], seconds), (3,))
    for count in (of(LARGEST_COUNT + 1), of(-1), of(5.0), (18, 5, 5), (True, 1, 1), ("5", 5, 5),
                  (5, 5), (5, 5, 5.0), 5):
        assert not validate(signed((3,), (count,)), (3,)), count
    for answer in (None, (), "3 5", good[:3], signed((3,), ()), (*good[:2], good[2] ^ 1, 0.5)):
        assert not validate(answer, (3,))


def test_what_was_kept_is_not_handed_out(tmp_path):
    path = tmp_path / "c"
    counting = counting_on(Workers(), 14, 2, checkpoint=path)
    for share, _ in counting:
        if share > 0.5:
            break
    counting.close()
    workers = Workers()
    assert total(workers, 14, checkpoint=path) == Q[14]
    assert 0 < sum(map(len, workers.asked)) < 0.5 * division_of(path).parts
    assert total(Workers(), 14, checkpoint=path) == Q[14]


@pytest.mark.slow
@pytest.mark.thorough
def test_a_count_goes_on_after_the_scheduler_was_killed(tmp_path):
    moments = random.Random(2)
    moments.choice = lambda victims: "scheduler"
    with Cluster() as cluster:
        killed, _ = soak_count(19, ["--cluster", cluster.address], tmp_path / "c", moments, 1,
                               cluster)
    assert killed == {"scheduler": 1}
    assert every_part_once(tmp_path / "c")


@pytest.mark.thorough
def test_the_soak_counts_right(tmp_path):
    """In small; `make soak` is the long one."""
    slow = ["-a", "cross", "--kernel", "portable"]  # it takes longer than the first pause
    killed, _ = soak_count(17, slow, tmp_path / "c", random.Random(2), 5, pause=0.6)
    assert killed.total() > 0
    assert every_part_once(tmp_path / "c")


@pytest.mark.parametrize(("words", "says"), [
    (["--cluster", "local:0"], "--cluster must be local, local:WORKERS (1 or more) or an address"),
    (["--cluster", "tcp://127.0.0.1:1"], "there is no Dask scheduler at 'tcp://127.0.0.1:1'"),
    (["--cluster", "tls://127.0.0.1:1"], "there is no Dask scheduler at 'tls://127.0.0.1:1' ("),
    (["--cluster", "tcp://127.0.0.1:no"], "there is no Dask scheduler at 'tcp://127.0.0.1:no' ("),
    (["--cluster", "local", "-j", "2"], "--kernel and --jobs are not supported with --cluster"),
    (["--cluster", "local", "-a", "bitmask"],
     "cluster is not supported by bitmask in cython")])
def test_a_cluster_that_makes_no_sense_is_one_line(run, monkeypatch, words, says):
    if "://" in words[1]:
        pytest.importorskip("distributed")
    monkeypatch.setattr("nqbench.engine.cluster.TIMEOUT", 0.3)
    assert refused(run("count", 8, *words)).startswith(says)


def broken(*words, **options):
    try:
        int("nonsense")
    except ValueError as error:
        raise RuntimeError("Cluster failed to start") from error


@pytest.mark.parametrize("where", ["import", "LocalCluster", "Security"])
def test_a_broken_configuration_of_dask_is_named(monkeypatch, where):
    fake = SimpleNamespace(LocalCluster=broken, Security=broken)
    monkeypatch.setattr("nqbench.engine.cluster.import_module",
                        broken if where == "import" else lambda name: fake)
    address = "tcp://127.0.0.1:1" if where == "Security" else "local:1"
    with pytest.raises(InvalidValueError) as raised, cluster(address, print):
        pass
    assert str(raised.value) == (
        "Dask cannot start (ValueError: invalid literal for int() with base 10: 'nonsense'); check "
        "its configuration: the variables DASK_* and the files in ~/.config/dask")
