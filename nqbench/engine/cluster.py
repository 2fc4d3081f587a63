"""A Dask cluster as an executor: on this machine, or at an address.

It binds to the loopback interface and shows no dashboard unless asked to. Dask is optional:
`pip install "nqbench[cluster]"`.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pkgutil import resolve_name
from typing import Any

from nqbench.engine.processor import cores
from nqbench.interrupts import withheld
from nqbench.showing import said

TIMEOUT = 10.0  # seconds to find the scheduler


def local_workers(address: str) -> int | None:
    """Return how many workers "local" or "local:WORKERS" asks for; None for another address.

    >>> local_workers("local:3"), local_workers("tls://10.0.0.1:8786")
    (3, None)
    >>> local_workers("local:no")
    Traceback (most recent call last):
        ...
    ValueError: --cluster must be local, local:WORKERS (1 or more) or an address, not 'local:no'
    """
    name, colon, workers = address.partition(":")
    if name != "local":
        return None
    if not colon:
        return cores()
    if not workers.isdecimal() or len(workers) > 4 or int(workers) < 1:
        raise ValueError("--cluster must be local, local:WORKERS (1 or more) or an address, not "
                         f"{address!r}")
    return int(workers)


def unencrypted(address: str) -> bool:
    """Whether what goes to this address leaves the machine as it is.

    >>> [unencrypted(a) for a in ("tls://h:1", "tcp://127.0.0.1:1", "tcp://h:1", "h:1")]
    [False, False, True, True]
    """
    host = (address.partition("://")[2] or address).rpartition(":")[0]
    try:
        loopback = ip_address(host.strip("[]")).is_loopback
    except ValueError:
        loopback = host == "localhost"
    return not address.startswith(("tls://", "wss://")) and not loopback


def refuse_others(client: Any) -> None:
    """Refuse workers that have another version of nqbench, or none."""
    from nqbench import __version__

    # Nothing of ours is needed there to answer.
    versions = client.run(resolve_name, "nqbench:__version__", on_error="return")
    for worker, version in versions.items():
        if isinstance(version, Exception):
            raise ValueError(f"the worker {worker} has no nqbench ({version})")
        if version != __version__:
            raise ValueError(f"the worker {worker} has nqbench {version}, not {__version__}")


def _kill(local: Any, kind: type[BaseException] | None, *_: object) -> None:
    """Kill the workers of a local cluster if a count did not come to its end: they may be busy for
    a minute yet.
    """
    for nanny in local.workers.values() if kind is not None else ():
        nanny.auto_restart = False
        with suppress(OSError, TypeError):  # it is gone already
            os.kill(nanny.pid, signal.SIGKILL)


@contextmanager
def cluster(address: str, say: Callable[[str], None], dashboard: bool = False) -> Iterator[
        tuple[Executor, Callable[[], int]]]:
    """Yield an executor on the workers at an address, and a function that tells how many tasks
    they do at once: workers may come and go. A local cluster may show Dask's dashboard; `say` is
    told where.

    Raises
    ------
    ValueError
        if Dask, or what the dashboard needs, is not installed, or nothing answers there.
    """
    many = local_workers(address)
    if dashboard and many is None:
        raise ValueError("--dashboard goes with --cluster local only: a scheduler elsewhere has "
                         "its own")
    if dashboard and not find_spec("bokeh"):
        raise ValueError("--dashboard needs bokeh: pip install bokeh")
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise ValueError("--cluster needs Dask: pip install 'nqbench[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # what goes wrong is said in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        where: Any = address
        if many is not None:
            with withheld():
                where = stack.enter_context(dask.LocalCluster(
                    n_workers=many, threads_per_worker=1, host="127.0.0.1",
                    dashboard_address="127.0.0.1:0", scheduler_kwargs={"dashboard": dashboard},
                    silence_logs=logging.CRITICAL))
            if dashboard:
                say(f"dashboard: {where.dashboard_link}")
        elif unencrypted(address):
            say(f"warning: the connection to {address} is not encrypted; tls:// is")
        try:
            client = stack.enter_context(dask.Client(where, timeout=TIMEOUT))
        except (OSError, ValueError, TypeError) as error:
            raise ValueError("--cluster must be the address of a Dask scheduler, and there is "
                             f"none at {address!r} ({said(error)})") from None
        if many is not None:
            stack.push(partial(_kill, where))  # before the cluster waits for its workers
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=TIMEOUT)

        def workers() -> int:
            threads = client.sync(client.scheduler.ncores, callback_timeout=TIMEOUT)
            return sum(threads.values())

        if not workers():
            raise ValueError(f"the cluster at {address} has no workers")
        refuse_others(client)
        yield client.get_executor(pure=False), workers
