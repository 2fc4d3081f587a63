"""Call functions in a child process."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from nqbench._children import MEMORY, TIME, Child, StoppedError, memory_allowed
from nqbench.errors import BuildError, LostError

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")


def answer(text, tell):
    print("a search may print")
    tell("told")
    return f"{text}, {os.getpid()}"


def build(tell):
    raise BuildError("it has no tally")


def divide(tell):
    return 1 // 0


def keep(tell):
    return tell  # which cannot be sent


def end(tell):
    os._exit(3)


def take(tell):
    return len(bytes(memory_allowed() + 10**8))  # the machine has it, untouched


def close(tell):
    os.closerange(0, 3)
    return "closed"


def fork(tell):
    return "parent" if os.fork() else "copy"


def nap(tell):
    time.sleep(60)


def start_another_and_hold_the_lock(tell):
    """A search that no thread of its process can interrupt, and one that it started."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    tell([os.getpid(), other.pid])
    sum(range(10**11))  # in C


def gone(*pids):
    """Whether the processes end; one that nobody has waited for is gone, too."""
    alive = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    end = time.monotonic() + 10
    while time.monotonic() < end and alive:
        alive = [each for each in alive if each.is_running()
                 and each.status() != psutil.STATUS_ZOMBIE]
        time.sleep(0.01)
    return not alive


@pytest.fixture(scope="module")
def child():
    with Child() as made:
        yield made


def test_a_child_tells_and_answers_again_and_again(child):
    told = []
    assert child.call(answer, "here", hear=told.append) == f"here, {child.process.pid}"
    assert child.call(answer, "there") == f"there, {child.process.pid}"
    assert told == ["told"]


def test_what_a_call_raises_is_raised_here_and_the_child_goes_on(child):
    with pytest.raises(BuildError, match="it has no tally"):
        child.call(build)
    with pytest.raises(RuntimeError, match=r"(?s)in a child process.*ZeroDivisionError"):
        child.call(divide)
    with pytest.raises(RuntimeError, match=r"(?s)in a child process.*pickle"):
        child.call(keep)
    assert child.call(answer, "here")


def test_a_search_that_closes_its_streams_is_answered(child):
    assert child.call(close) == "closed"


def test_a_copy_of_the_child_does_not_answer(child):
    assert [child.call(fork) for _ in range(3)] == ["parent"] * 3


@pytest.mark.parametrize(("call", "error", "says"), [
    (end, LostError, "its process ended with status 3"),
    (nap, StoppedError, "stopped after 0.05 s"),
    (take, StoppedError, "stopped, as it needs more than .* of memory")])
def test_why_a_call_has_no_answer(call, error, says):
    with Child() as child, pytest.raises(error, match=says) as raised:
        child.call(call, seconds=0.05 if call is nap else 60)
    assert child.ended
    if error is StoppedError:
        assert raised.value.outcome == (TIME if call is nap else MEMORY)


def test_a_child_is_killed_with_what_it_started():
    pids = []
    with Child() as child, pytest.raises(StoppedError):
        child.call(start_another_and_hold_the_lock, seconds=60,
                   hear=lambda told: (pids.extend(told), child.allow(0)))
    assert len(pids) == 2
    assert gone(*pids)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_child_ends_with_its_parent_and_so_does_what_it_started(number):
    """However the parent ends, and though the child holds the lock of Python."""
    code = ("import signal, test_children\nfrom nqbench._children import Child\n"
            "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # nohup ignores it
            "with Child() as child:\n"
            "    child.call(test_children.start_another_and_hold_the_lock,\n"
            "               hear=lambda told: print(*told, flush=True))\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE, env={
                              **os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as parent:
        pids = list(map(int, parent.stdout.readline().split()))
        assert len(pids) == 2
        parent.send_signal(number)
        assert parent.stderr.read() == ""
    assert gone(*pids)


def test_a_parent_that_ends_while_its_child_starts_leaves_no_child():
    code = ("import os, signal\nfrom nqbench._children import Child\nchild = Child()\n"
            "print(child.process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stderr, gone(int(done.stdout))) == ("", True)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_a_child_starts_prints_nothing(name):
    """It comes when the child runs and has not read yet what it shall do. A thread that reports
    progress receives it, as the main one blocks it.
    """
    code = ("import os, signal, threading\nfrom multiprocessing import util\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from nqbench._children import Child\n"
            "from nqbench._interrupts import exit_status, handle_termination\n"
            "handle_termination()\nstart = util.spawnv_passfds\n"
            "def start_and_kill(*arguments):\n"
            "    made = start(*arguments)\n"
            "    if 'resource_tracker' not in str(arguments):\n"
            f"        os.kill(os.getpid(), signal.{name})\n"
            "    return made\n"
            "util.spawnv_passfds = start_and_kill\n"
            "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "try:\n    Child()\nexcept KeyboardInterrupt:\n    print(exit_status())\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{128 + getattr(signal, name)}\n", "")
