"""SIGTERM ends a command as Ctrl-C does."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from nqbench.engine import audit

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to handle"),
    pytest.mark.slow]


def command(*words, group=False):
    """A command whose process has just installed its handler."""
    code = ("import sys\nfrom nqbench.util import interrupts\n"
            "handle = interrupts.handle_termination\n"
            "import nqbench.cli\n"
            "def ready():\n handle()\n print('ready', flush=True)\n"
            "nqbench.cli.handle_termination = ready\nsys.exit(nqbench.cli.run())")
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=group)
    assert process.stdout.readline() == "ready\n"
    return process


def ended(process, status=143):
    with process:
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()  # does nothing if it has ended
    assert process.returncode == status, err
    assert err.endswith("nqbench: interrupted\n")
    assert "Traceback" not in err
    return out, err


def printed(code):
    """What a program in Python prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True).stdout


@pytest.mark.parametrize(("seconds", "words"), [
    (0.3, ["count", 22, "-j", 1, "--json"]), (0.3, ["profile", 18]),
    (0.3, ["count", 30, "--estimate", "--probes", 10**10]), (0.3, ["count", 27, "--plan"]),
    (0.0, ["count", 20, "-a", "somers"])])
def test_sigterm_stops_every_command_also_inside_compiled_code(
        seconds, words, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    process = command(*words)
    time.sleep(seconds)
    process.terminate()
    ended(process)


def test_the_checkpoint_is_saved_once_although_the_signal_comes_twice(tmp_path):
    """As timeout(1) sends it: to the process, then to its group."""
    path = tmp_path / "c"
    process = command("count", 20, "-j", 1, "--checkpoint", path, group=True)
    while not path.exists() or path.stat().st_size < 500:
        time.sleep(0.05)
    process.terminate()
    os.killpg(process.pid, signal.SIGTERM)
    _, err = ended(process)
    assert err.count(f"progress is saved in {path}: run the same command to resume") == 1
    assert all(recount.ok for recount in audit(path, 3))


@pytest.mark.parametrize("words", [["check"], *(
    pytest.param(words, marks=pytest.mark.thorough) for words in (
        ["count", 20, "--cluster", "local:2"], ["study", "--preset", "peers"]))])
def test_no_child_survives_it(words, tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "loop.sh").write_text("sleep 1000 &\nwhile true; do :; done\n")
    where = {"count": ["--checkpoint", tmp_path / "here"],
             "study": ["--results", tmp_path / "here"], "check": [tmp_path]}[words[0]]
    process = command(*words, *where, group=True)
    children = []
    while len(children) < 2:
        assert process.poll() is None, process.communicate()
        children = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.2)
    time.sleep(1.0)
    children = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    ended(process)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_a_process_that_escaped_from_a_program_and_holds_its_output_delays_no_end(tmp_path):
    script, escaped = tmp_path / "escape.sh", tmp_path / "escaped"
    script.write_text(f"env -i setsid sleep 100 &\necho $! >{escaped}\nsleep 0.1\necho 92\n")
    process = command("count", 8, "--yes", "-a", f"sh {script} {{n}}")
    while not escaped.exists() or not escaped.read_text():
        time.sleep(0.05)
    time.sleep(0.5)
    process.terminate()
    ended(process)
    os.kill(int(escaped.read_text()), signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_program_ends_when_the_command_is_killed():
    process = command("count", 8, "-a", "sleep {n}00")
    while not (children := psutil.Process(process.pid).children()):
        time.sleep(0.05)
    time.sleep(0.5)  # it calls what makes it end with its parent
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_who_ignores_it_still_does():
    assert printed(
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "from nqbench.util.interrupts import handle_termination\nhandle_termination()\n"
        "os.kill(os.getpid(), signal.SIGTERM)\nprint('here')") == "here\n"


def test_children_have_a_status_also_where_their_end_was_ignored():
    assert printed(
        "import os, signal, subprocess\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from nqbench.util.interrupts import handle_termination\nhandle_termination()\n"
        "print(subprocess.run(['false']).returncode)") == "1\n"


@pytest.mark.parametrize("sent", [
    "  kill()\n  print('started')\n", "  print('started')\n kill()\n print('here')\n"])
def test_it_waits_while_a_process_is_started_and_no_longer(sent):
    assert printed(
        "import os, signal\n"
        "from nqbench.util.interrupts import delay_interrupts, handle_termination\n"
        "def kill():\n os.kill(os.getpid(), signal.SIGTERM)\n"
        f"handle_termination()\ntry:\n with delay_interrupts():\n{sent}"
        "except KeyboardInterrupt:\n print('interrupted')\n") == "started\ninterrupted\n"
