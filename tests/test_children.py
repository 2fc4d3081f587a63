"""Run a function in a child process."""

import subprocess
import sys
import time

import psutil
import pytest

from nqbench._children import Child, isolate


def answer_and_end(text, connection):
    connection.send(text)


def start_another_and_sleep(connection):
    isolate()
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    connection.send(other.pid)
    time.sleep(60)


def test_a_child_answers_then_its_end_is_seen():
    with Child(answer_and_end, "here") as child:
        child.wait(60)
        assert child.pipe.recv() == "here"
        child.wait(60)
        with pytest.raises(EOFError):
            child.pipe.recv()


def test_a_child_is_killed_with_what_it_started():
    with Child(start_another_and_sleep) as child:
        child.wait(60)
        pid = child.pipe.recv()
        with pytest.raises(TimeoutError):
            child.wait(0.01)
    assert child.process.exitcode < 0
    _, alive = psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=5)
    assert alive == []
