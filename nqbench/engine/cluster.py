"""Use a Dask cluster as an executor: on this machine, or at an address.

A local cluster binds to the loopback interface and shows no dashboard. Dask is optional: `pip
install "nqbench[cluster]"`.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from ipaddress import ip_address
from pkgutil import resolve_name
from textwrap import shorten
from typing import Any

from nqbench._version import __version__
from nqbench.errors import InvalidValueError, NqbenchError, describe_error
from nqbench.util.cores import cores
from nqbench.util.interrupts import delay_interrupts

TIMEOUT = 10.0  # seconds to find the scheduler
LENGTH = 120  # characters of an error of Dask


def parse_local_workers(address: str) -> int | None:
    """Return the number of workers in "local" or "local:WORKERS"; None for another address.

    >>> parse_local_workers("local:3"), parse_local_workers("tls://10.0.0.1:8786")
    (3, None)
    >>> parse_local_workers("local:no")
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


def is_unencrypted(address: str) -> bool:
    """Return whether messages to this address leave the machine without encryption.

    >>> [is_unencrypted(a) for a in ("tls://h:1", "tcp://127.0.0.1:1", "tcp://h:1", "h:1")]
    [False, False, True, True]
    """
    host = (address.partition("://")[2] or address).rpartition(":")[0]
    try:
        loopback = ip_address(host.strip("[]")).is_loopback
    except ValueError:
        loopback = host == "localhost"
    return not address.startswith(("tls://", "wss://")) and not loopback


def require_same_version(client: Any) -> None:
    """Reject workers that have another version of nqbench, or none."""
    # A worker without nqbench can run this.
    versions = client.run(resolve_name, "nqbench._version:__version__", on_error="return")
    for worker, version in versions.items():
        if isinstance(version, Exception):
            raise InvalidValueError(
                f"the worker {worker} does not have nqbench {__version__} ({version})")
        if version != __version__:
            raise InvalidValueError(f"the worker {worker} has nqbench {version}, not {__version__}")


def _kill(local: Any, kind: type[BaseException] | None, *_: object) -> None:
    """Kill the workers of a local cluster if the count failed; they may be busy for a minute."""
    import psutil

    for nanny in local.workers.values() if kind is not None else ():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(nanny.pid).kill()


def _connect(dask: Any, address: str, say: Callable[[str], None]) -> Any:
    """Return a client of the scheduler at an address.

    First ask the server for its identity: a client that fails may block later ones, and waits
    forever for a server that does not answer.
    """
    try:
        arguments = dask.Security().get_connection_args("client")
    except OSError as error:
        raise InvalidValueError(
            f"--cluster needs certificates that can be read ({describe_error(error)})") from None
    if is_unencrypted(address):
        say(f"warning: the connection to {address} is not encrypted; use tls://")
    try:
        asyncio.run(asyncio.wait_for(_request_identity(dask, address, arguments), TIMEOUT))
        return dask.Client(address, timeout=TIMEOUT)
    except Exception as error:  # any type: Dask parses whatever the server sends
        raise InvalidValueError(
            f"there is no Dask scheduler at {address!r} ({describe_error(error)}); --cluster must "
            "be local, local:WORKERS or the address of one, such as tcp://10.0.0.1:8786") from None


async def _request_identity(dask: Any, address: str, arguments: dict[str, Any]) -> Any:
    """Return the identity that the server at an address sends."""
    async with dask.rpc(address, connection_args=arguments) as server:
        return await server.identity()


@contextmanager
def _explaining() -> Iterator[None]:
    """Explain what fails while Dask starts: it may not be installed, or its configuration may be
    broken, which it reads without a check.
    """
    try:
        yield
    except NqbenchError:
        raise
    except ImportError:
        raise InvalidValueError("--cluster needs Dask: pip install 'nqbench[cluster]'") from None
    except Exception as error:
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        said = shorten(describe_error(cause), LENGTH, placeholder=" ...")
        raise InvalidValueError(f"Dask cannot start ({said}); check its configuration: the "
                                "variables DASK_* and the files in ~/.config/dask") from None


@contextmanager
def cluster(address: str, say: Callable[[str], None]) -> Iterator[
        tuple[Executor, Callable[[], int]]]:
    """Yield an executor on the workers at an address, and a function that counts the workers.

    A worker is counted once for each thread. Workers may come and go. `say` gets a warning if
    messages are not encrypted.

    Raises
    ------
    ValueError
        if Dask is not installed or cannot start, the address is invalid, or
        no scheduler with workers of this version answers.
    """
    local_count = parse_local_workers(address)
    with ExitStack() as stack:
        with _explaining():
            dask: Any = import_module("distributed")
            for name in ("distributed", "distributed.client"):  # errors are reported in one line
                logging.getLogger(name).setLevel(logging.CRITICAL)
            if local_count is None:
                client = stack.enter_context(_connect(dask, address, say))
            else:
                with delay_interrupts():
                    local = stack.enter_context(dask.LocalCluster(
                        n_workers=local_count, threads_per_worker=1, host="127.0.0.1",
                        dashboard_address="127.0.0.1:0", scheduler_kwargs={"dashboard": False},
                        silence_logs=logging.CRITICAL))
                client = stack.enter_context(dask.Client(local, timeout=TIMEOUT))
                stack.push(partial(_kill, local))  # before the cluster waits for its workers
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=TIMEOUT)

        def count_workers() -> int:
            return sum(client.sync(client.scheduler.ncores, callback_timeout=TIMEOUT).values())

        if not count_workers():
            raise InvalidValueError(f"the cluster at {address} has no workers")
        require_same_version(client)
        yield client.get_executor(pure=False), count_workers
