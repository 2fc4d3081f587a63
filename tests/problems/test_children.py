"""Call functions in a child process."""

import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import numpy as np
import psutil
import pytest

from nqbench.errors import BuildError
from nqbench.problems.plugins import children
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.limits import ENDED, FILE, FORKS, MEMORY, TIME, Limits, memory_allowed
from nqbench.problems.plugins.programs import from_command

resource = pytest.importorskip("resource", reason="there are no limits")

HERE = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
ADOPTS = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt")

kept = None  # by a search


def answer(text, tell):
    print("a search may print")
    tell("told")
    return text


@dataclass
class Measured:
    """An answer."""

    n: object
    samples: tuple
    found: object = None


def measured(tell):
    return Measured(np.int64(8), (np.float32(0.5), 2**70))


def safe_path(tell):
    return os.getenv("PYTHONSAFEPATH")


def fail(error, text, tell):
    raise error(text)


def keep(tell):
    return tell  # which cannot be sent


def end(tell):
    os._exit(3)


def take(tell):
    return len(bytes(memory_allowed() + 10**8))  # the machine has it, untouched


def take_all(tell):
    """Take the memory to its last byte, and keep it."""
    global kept
    kept = None
    for size in (10**7, 10**4, *range(500, 16, -16), 0):
        with suppress(MemoryError):
            while True:
                kept = kept, b"0" * size
    raise MemoryError


def crash(tell):
    os.kill(os.getpid(), signal.SIGSEGV)


def write_to_all(text, tell):
    """Write to all that is open, like a search that takes another number for a file of its own."""
    for number in range(3, 40):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, text)
    time.sleep(60)


class Attack:
    """What runs code in the process that unpickles it."""

    def __reduce__(self):
        return os.mkdir, ("was_run",)


def send(text, tell):
    """Write an answer to the pipe as the child does."""
    write_to_all(len(text).to_bytes(4) + text, tell)


def escape(leave, tell):
    """Start a process of another session whose parent ends, and wait or end."""
    heard, told = os.pipe()
    if (between := os.fork()) == 0:
        os.setsid()
        if (other := os.fork()) == 0:
            os.setsid()
            time.sleep(60)
        os.write(told, str(other).encode())
        os._exit(0)
    os.waitpid(between, 0)
    tell([os.getpid(), int(os.read(heard, 20))])
    if leave:
        os._exit(3)
    time.sleep(60)


def close(tell):
    os.closerange(0, 3)
    return "closed"


def fork(tell):
    return "parent" if os.fork() else "copy"


def multiply(tell):
    """Start processes of other sessions, whose parents end."""
    for _ in range(6):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
    time.sleep(60)


def write_much(tell):
    with tempfile.TemporaryFile() as file:
        file.write(bytes(1 << 21))


def count_into_a_file(command, tell):
    """Count by a program that writes too much."""
    return from_command(command).count(4)


def nap(tell):
    time.sleep(60)


def start_another_and_hold_the_lock(tell):
    """A search that no thread of its process can interrupt, and one that it started."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    tell([os.getpid(), other.pid])
    sum(range(10**11))  # in C


def limit(tell):
    """Allow 64 MiB more than there is now, for a test that is short."""
    size = psutil.Process().memory_info().vms + (1 << 26)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


IMPORTS = ("import os, signal, test_children\n"
           "from nqbench.problems.plugins.children import Child, StoppedError\n")


def run(code):
    """What a program prints, and its messages."""
    done = subprocess.run([sys.executable, "-c", IMPORTS + code], capture_output=True, text=True,
                          env=HERE)
    return done.stdout, done.stderr


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
    """A child that is started as users start it; the programs of these tests do so, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(children, "START", "spawn")
        made = Child()
    with made:
        yield made


def test_a_child_tells_and_answers_again_and_again(child):
    told = []
    assert child.call(answer, "here", hear=told.append) == "here"
    assert child.call(answer, "there") == "there"
    assert told == ["told"]


@pytest.mark.parametrize(("call", "error", "says"), [
    ((fail, BuildError, "it has no tally"), BuildError, "it has no tally"),
    ((fail, SystemExit, "enough"), RuntimeError, "(?s)in a child process.*SystemExit: enough"),
    ((keep,), RuntimeError, "(?s)in a child process.*TypeError")])
def test_what_a_call_raises_is_raised_here_and_the_child_goes_on(child, call, error, says):
    with pytest.raises(error, match=says):
        child.call(*call)
    assert child.call(answer, "here")


def test_a_search_that_closes_its_streams_or_forks_is_answered_once():
    with Child() as child:
        assert child.call(close) == "closed"
        assert [child.call(fork) for _ in range(3)] == ["parent"] * 3


@pytest.mark.parametrize(("call", "outcome", "says"), [
    ((end,), ENDED, "its process ended with status 3"),
    ((crash,), ENDED, "its process was killed by SIGSEGV"),
    ((write_to_all, b"1 6 8 3\n"), ENDED,
     "its process sent what cannot be read: JSONDecodeError"),
    ((send, pickle.dumps(("done", Attack()))), ENDED,
     "its process sent what cannot be read: UnicodeDecodeError"),
    ((send, b'["raised", ["SystemExit", "0"]]'), ENDED,
     "its process sent what cannot be read: KeyError"),
    ((send, b'["told", {"n": 8}]'), ENDED, "its process sent what cannot be read: "),
    ((send, b"[" * 10_000), ENDED, "its process sent what cannot be read: "
     + ("RecursionError" if sys.version_info < (3, 14) else "JSONDecodeError")),  # at its end
    ((write_to_all, b"\0\0\1\0begun"), TIME, "stopped after 0.05 s"),  # of 256 bytes
    ((nap,), TIME, "stopped after 0.05 s"),
    ((take,), MEMORY, "stopped, as it needs more than .* of memory"),
    ((multiply,), FORKS, "stopped, as it had more than 4 processes"),
    ((write_much,), FILE, "stopped, as it wrote a file of more than 1.05 MB"),
    ((count_into_a_file, "sh -c 'head -c 9999999 /dev/zero >f && echo {n}'"), FILE,
     "wrote a file"),
    ((count_into_a_file, f"{quote(sys.executable)} -c 'import os, tempfile; tempfile."
      "TemporaryFile().write(bytes(10**7))'"), FILE, "wrote a file")])
def test_why_a_call_has_no_answer(call, outcome, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limits = Limits(processes=4, file_size=1 << 20)
    with Child(limits) as child, pytest.raises(StoppedError, match=says) as raised:
        child.call(*call, seconds=0.05 if outcome == TIME else 60,
                   hear=lambda told: told.partition(": "))
    assert (child.ended, raised.value.outcome) == (True, outcome)
    assert not Path("was_run").exists()


def test_an_answer_that_is_no_such_thing_ends_the_child():
    with Child() as child:
        with pytest.raises(StoppedError, match="its process sent what cannot be read: TypeError"):
            child.call(answer, "here", read=lambda found: dict(**found))
        assert child.ended


def test_an_answer_is_json_with_dataclasses_as_objects_and_numbers_of_python(child):
    assert child.call(measured) == {"n": 8, "samples": [0.5, 2**70], "found": None}


@pytest.mark.slow
def test_a_search_that_keeps_all_memory_is_answered_without_a_word():
    assert run("with Child() as child:\n    child.call(test_children.limit)\n"
               "    try:\n        child.call(test_children.take_all)\n"
               "    except StoppedError as error:\n        print(error.outcome)\n") == (
        "out of memory\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [
    "<&- >&- 2>&-", pytest.param("2>&-", marks=pytest.mark.thorough)])
def test_the_pipe_gets_the_number_of_no_stream(closed, tmp_path):
    code = IMPORTS + ("with Child() as child:\n"
                      "    open('found', 'w').write(child.call(test_children.answer, 'here'))\n")
    subprocess.run(["sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, code], check=True,
                   cwd=tmp_path, env=HERE, timeout=60)
    assert (tmp_path / "found").read_text() == "here"


@pytest.mark.slow
def test_files_of_the_working_folder_are_not_taken_for_modules_of_python(tmp_path):
    for name in ("pickle", "select", "signal", "socket", "struct"):
        (tmp_path / f"{name}.py").write_text("open('was_run', 'w').close()\n")
    program = tmp_path / "elsewhere/program.py"
    program.parent.mkdir()
    program.write_text(
        f"{IMPORTS}with Child() as child:\n    print(child.call(test_children.safe_path))\n")
    done = subprocess.run([sys.executable, program], cwd=tmp_path, env=HERE, timeout=60,
                          capture_output=True, text=True)
    assert not (tmp_path / "was_run").exists()
    assert (done.stdout, done.stderr) == ("None\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(("call", "seconds"), [
    ((start_another_and_hold_the_lock,), 0),
    pytest.param((escape, False), 0, marks=ADOPTS), pytest.param((escape, True), 60, marks=ADOPTS)])
def test_a_child_is_killed_with_what_it_started_though_that_left_its_session(call, seconds):
    pids = []
    with Child() as child, pytest.raises(StoppedError):
        child.call(*call, seconds=60, hear=lambda told: (
            pids.extend(told), child.allow(seconds)))
    assert len(pids) == 2
    assert gone(*pids)


@pytest.mark.slow
@ADOPTS
def test_a_child_ends_with_its_supervisor():
    pids = []
    with Child() as child, pytest.raises(StoppedError, match="was killed by SIGKILL"):
        child.call(start_another_and_hold_the_lock, seconds=60, hear=lambda told: (
            pids.extend(told), os.kill(child.process.pid, signal.SIGKILL)))
    serving, other = pids
    assert gone(serving)
    os.kill(other, signal.SIGKILL)  # nobody is left to do it


@pytest.mark.slow
@pytest.mark.parametrize("number", [
    signal.SIGKILL, pytest.param(signal.SIGHUP, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("call", [
    "start_another_and_hold_the_lock", pytest.param("escape, False", marks=ADOPTS)])
def test_a_child_ends_with_its_parent_and_so_does_what_it_started(number, call):
    """However the parent ends, and though the child holds the lock of Python."""
    code = IMPORTS + (
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # nohup ignores it
        "with Child() as child:\n"
        f"    child.call(test_children.{call}, hear=lambda told: print(*told, flush=True))\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE, env=HERE) as parent:
        pids = list(map(int, parent.stdout.readline().split()))
        assert len(pids) == 2
        parent.send_signal(number)
        assert parent.stderr.read() == ""
    assert gone(*pids)


@pytest.mark.slow
def test_a_parent_that_ends_while_its_child_starts_leaves_no_child():
    out, err = run("child = Child()\nprint(child.process.pid, flush=True)\n"
                   "os.kill(os.getpid(), signal.SIGKILL)\n")
    assert (err, gone(int(out))) == ("", True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_a_child_starts_prints_nothing(name):
    """It comes when the child runs and has not read yet what it shall do. A thread that reports
    progress receives it, as the main one blocks it.
    """
    code = ("import threading\nfrom multiprocessing import util\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from nqbench.util.interrupts import exit_status, handle_termination\n"
            "handle_termination()\nstart = util.spawnv_passfds\n"
            "def start_and_kill(*arguments):\n"
            "    made = start(*arguments)\n"
            "    if 'resource_tracker' not in str(arguments):\n"
            f"        os.kill(os.getpid(), signal.{name})\n"
            f"        while signal.{name} in signal.sigpending():\n            pass\n"
            "        print('started')\n"
            "    return made\n"
            "util.spawnv_passfds = start_and_kill\n"
            "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "try:\n    Child()\nexcept KeyboardInterrupt:\n    print(exit_status())\n")
    assert run(code) == (f"started\n{128 + getattr(signal, name)}\n", "")
