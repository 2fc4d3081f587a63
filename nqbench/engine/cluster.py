"""Use a Dask cluster as an executor: on this machine, or at an address.

A local cluster binds to the loopback interface and shows no dashboard unless asked to. Dask is
optional: `pip install "nqbench[cluster]"`.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pkgutil import resolve_name
from typing import Any

from nqbench._interrupts import delay_interrupts
from nqbench._text import describe_error
from nqbench._version import __version__
from nqbench.engine.processor import cores
from nqbench.errors import InvalidValueError

TIMEOUT = 10.0  # seconds to find the scheduler
LARGEST_PORT = 65_535
_ADDRESS = re.compile(r"(?:(?P<scheme>tcp|tls|ws|wss)://)?(?:\[[0-9a-fA-F:.]+\]|[^\s\[\]:/@]+)"
                      r":(?P<port>[0-9]{1,5})")


def local_workers(address: str) -> int | None:
    """Return how many workers "local" or "local:WORKERS" asks for; None for another address.

    >>> local_workers("local:3"), local_workers("tls://10.0.0.1:8786")
    (3, None)
    >>> local_workers("local:no")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: --cluster must be local, local:WORKERS (1 or more) or ...
    """
    name, colon, workers = address.partition(":")
    if name != "local":
        return None
    if not colon:
        return cores()
    if not workers.isdecimal() or len(workers) > 4 or int(workers) < 1:
        raise InvalidValueError(
            "--cluster must be local, local:WORKERS (1 or more) or an address, not "
            f"{address!r}")
    return int(workers)


def unencrypted(address: str) -> bool:
    """Return whether messages to this address leave the machine without encryption.

    >>> [unencrypted(a) for a in ("tls://h:1", "tcp://127.0.0.1:1", "tcp://h:1", "h:1")]
    [False, False, True, True]
    """
    host = (address.partition("://")[2] or address).rpartition(":")[0]
    try:
        loopback = ip_address(host.strip("[]")).is_loopback
    except ValueError:
        loopback = host == "localhost"
    return not address.startswith(("tls://", "wss://")) and not loopback


def require_address(address: str, certificate: bool) -> None:
    """Refuse what is not the address of a scheduler; `certificate` is whether Dask has one.

    >>> require_address("tcp://[::1]:8786", certificate=False)
    >>> require_address("tls://10.0.0.1:8786", certificate=False)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: --cluster 'tls://10.0.0.1:8786' needs certificates; set ...
    >>> require_address("10.0.0.1", certificate=False)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: --cluster must be local, local:WORKERS or the address of ...
    """
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match["port"]) <= LARGEST_PORT:
        raise InvalidValueError(
            "--cluster must be local, local:WORKERS or the address of a Dask scheduler, such as "
            f"tcp://10.0.0.1:8786, not {address!r}")
    if match["scheme"] in ("tls", "wss") and not certificate:
        raise InvalidValueError(
            f"--cluster {address!r} needs certificates; set "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE and the rest, see docs/cluster.md")


def refuse_others(client: Any) -> None:
    """Refuse workers that have another version of nqbench, or none."""
    # A worker without nqbench can answer this.
    versions = client.run(resolve_name, "nqbench._version:__version__", on_error="return")
    for worker, version in versions.items():
        if isinstance(version, Exception):
            raise InvalidValueError(
                f"the worker {worker} does not have nqbench {__version__} ({version})")
        if version != __version__:
            raise InvalidValueError(f"the worker {worker} has nqbench {version}, not {__version__}")


def _kill(local: Any, kind: type[BaseException] | None, *_: object) -> None:
    """Kill the workers of a local cluster if the count failed: they may be busy for a minute."""
    import psutil

    for nanny in local.workers.values() if kind is not None else ():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(nanny.pid).kill()


def _connected(dask: Any, address: str, say: Callable[[str], None]) -> Any:
    """Return a client of the scheduler at an address.

    First ask there who answers: a client that fails half-way may block those after it, and waits
    without end for a server that says nothing.
    """
    try:
        arguments = dask.Security().get_connection_args("client")
    except OSError as error:
        raise InvalidValueError(
            f"--cluster needs certificates that can be read ({describe_error(error)})") from None
    require_address(address, certificate=arguments["ssl_context"] is not None)
    if unencrypted(address):
        say(f"warning: the connection to {address} is not encrypted; tls:// is")
    try:
        asyncio.run(asyncio.wait_for(_identity(dask, address, arguments), TIMEOUT))
        return dask.Client(address, timeout=TIMEOUT)
    except Exception as error:  # of any type: Dask parses whatever another server sends
        raise InvalidValueError(
            "--cluster must be the address of a Dask scheduler, and there is "
            f"none at {address!r} ({describe_error(error)})") from None


async def _identity(dask: Any, address: str, arguments: dict[str, Any]) -> Any:
    """Return what the server at an address says it is."""
    async with dask.rpc(address, connection_args=arguments) as server:
        return await server.identity()


@contextmanager
def cluster(address: str, say: Callable[[str], None], dashboard: bool = False) -> Iterator[
        tuple[Executor, Callable[[], int]]]:
    """Yield an executor on the workers at an address, and a function that returns how many tasks
    they do at once: workers may come and go. A local cluster may show Dask's dashboard; `say` gets
    its address.

    Raises
    ------
    ValueError
        if Dask or bokeh is needed and not installed, the address is not one, or no scheduler
        with workers of this version answers there.
    """
    many = local_workers(address)
    if dashboard and many is None:
        raise InvalidValueError(
            "--dashboard goes with --cluster local only: a scheduler elsewhere has "
            "its own")
    if dashboard and not find_spec("bokeh"):
        raise InvalidValueError("--dashboard needs bokeh: pip install bokeh")
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise InvalidValueError("--cluster needs Dask: pip install 'nqbench[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # what goes wrong is said in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if many is None:
            client = stack.enter_context(_connected(dask, address, say))
        else:
            with delay_interrupts():
                local = stack.enter_context(dask.LocalCluster(
                    n_workers=many, threads_per_worker=1, host="127.0.0.1",
                    dashboard_address="127.0.0.1:0", scheduler_kwargs={"dashboard": dashboard},
                    silence_logs=logging.CRITICAL))
            if dashboard:
                say(f"dashboard: {local.dashboard_link}")
            client = stack.enter_context(dask.Client(local, timeout=TIMEOUT))
            stack.push(partial(_kill, local))  # before the cluster waits for its workers
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=TIMEOUT)

        def workers() -> int:
            threads = client.sync(client.scheduler.ncores, callback_timeout=TIMEOUT)
            return sum(threads.values())

        if not workers():
            raise InvalidValueError(f"the cluster at {address} has no workers")
        refuse_others(client)
        yield client.get_executor(pure=False), workers
