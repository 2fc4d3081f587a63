"""Kill what counts, at random moments, many times: the total must be exact every time.

    python tools/soak.py --kills 100 --seed 1

Counts in turns in threads (18 queens, portable kernel) and on a Dask cluster of its own (19 queens:
a scheduler and two workers, each a process), each with a checkpoint. SIGKILL kills the counting
process, a worker, or the scheduler; the killed process is started again, and the same command
resumes. `make soak` is the same.
"""

import argparse
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from nqbench.engine import division_of

Q = {17: 95815104, 18: 666090624, 19: 4968057848}
PAUSE = 3.0  # seconds between two kills, at most
KILLS_A_COUNT = 5
LIMIT = 600.0  # seconds that a count may take, with all interruptions


def nqbench(*words):
    """Start a command; its output is to be read."""
    return subprocess.Popen([sys.executable, "-m", "nqbench", *map(str, words)], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill(process):
    process.kill()
    process.communicate()


class Cluster:
    """A scheduler and two workers on this machine, each a process that can be killed."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.processes = {}
        self.restart("scheduler")

    @property
    def address(self):
        return f"tcp://127.0.0.1:{self.port}"

    def _start(self, name, *words):
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"})

    def restart(self, name):
        """Start a process again that was killed; the workers with their scheduler."""
        if name == "scheduler":
            for worker in self.processes:
                kill(self.processes[worker])
            self._start(name, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
                        str(self.port), "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
            self._wait_for_the_scheduler()
            self.restart("first worker")
            self.restart("second worker")
        else:
            self._start(name, "distributed.cli.dask_worker", self.address, "--nthreads", "1",
                        "--no-nanny", "--no-dashboard", "--name", f"{name} {time.monotonic()}")

    def _wait_for_the_scheduler(self):
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def close(self):
        for process in self.processes.values():
            kill(process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def count(n, choices, path, moments, most, cluster=None, pause=PAUSE):
    """Count n, and kill processes at most `most` times; return what was killed, and the lines that
    the checkpoint had then.
    """
    killed, lines = Counter(), []
    victims = ["counting process", *(cluster.processes if cluster else [])]
    end = time.monotonic() + LIMIT
    process = nqbench("count", n, *choices, "--checkpoint", path)
    while True:
        try:
            strike = killed.total() < most
            out, err = process.communicate(
                timeout=moments.uniform(0.2, pause) if strike else end - time.monotonic())
        except subprocess.TimeoutExpired:
            if not strike:
                raise
            victim = moments.choice(victims)
            killed[victim] += 1
            lines.append(path.read_bytes().count(b"\n") if path.exists() else 0)
            if victim == "counting process":
                kill(process)
                process = nqbench("count", n, *choices, "--checkpoint", path)
            else:
                kill(cluster.processes[victim])
                if victim != "scheduler":
                    cluster.restart(victim)
            continue
        if process.returncode == 0:
            assert out == f"{Q[n]}\n", (out, err)
            return killed, lines
        # Without a scheduler it ends with a message, and can be resumed.
        assert cluster and process.returncode in (1, 2), (process.returncode, out, err)
        assert "gone" in err or "no Dask scheduler at" in err or "no workers" in err, err
        cluster.restart("scheduler")
        process = nqbench("count", n, *choices, "--checkpoint", path)


def every_part_once(path):
    parts = sorted(int(line.split()[0]) for line in path.read_text().splitlines()[1:])
    return parts == list(range(division_of(path).parts))


def soak(kills, seed, say=print):
    """Count repeatedly until `kills` processes were killed; return which ones."""
    moments, killed, counts, inside = random.Random(seed), Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder, Cluster() as cluster:
        while killed.total() < kills:
            path = Path(folder) / str(counts)
            most = min(KILLS_A_COUNT, kills - killed.total())
            if counts % 2:
                struck, lines = count(18, ["--kernel", "portable"], path, moments, most)
            else:
                struck, lines = count(19, ["--cluster", cluster.address], path, moments, most,
                                      cluster)
            assert every_part_once(path)
            killed += struck
            counts += 1
            inside += sum(held > 1 for held in lines)
            say(f"{killed.total()} of {kills} kills, {counts} counts, each exact: "
                f"{', '.join(f'{many} {name}' for name, many in sorted(killed.items()))}; "
                f"{inside} with something counted", flush=True)
    return killed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    soak(chosen.kills, chosen.seed)
