"""Every option and argument that names a file or a number, with values that nobody should give.

The options are found, so a new one is tested as soon as it exists. This file runs itself in a
namespace where only a private folder can be written, with device nodes of its own.
"""

import ctypes
import gc
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click
import pytest

MEMORY = 1 << 30  # bytes more than what is loaded
PATIENCE = 60.0  # seconds for a case; most take milliseconds
NUMBERS = ["", "-1", "0", str(10**6), str(10**18 - 1), "9" * 5000]
NAMES = ["", "/", "fifo", "link", "null", "zero", "none/none"]
# What a command needs, by its name or by the metavar of the argument.
NEEDED = {"FAMILY": "blocked", "INSTANCE": "6", "ALGORITHM|FOLDER": "bitmask",
          "ALGORITHM": "bitmask", "RUN": "x", "A": "x", "B": "x", "RUN...": "all",
          "CHECKPOINT": "good.checkpoint", "K": "2", "-n": "8", "--format": "opb",
          "import FILE": "queens.opb", "draw INSTANCE": "n=6", "new FILE": "none/x.py",
          "export INSTANCE": "n=6"}
SHORT = {"study": ["-a", "bitmask", "-n", "4", "--budget", "0.1", "--processes", "1"],
         "verify": ["--max-n", "4", "-a", "bitmask", "--budget", "0.5"],
         "play": ["-a", "iterative", "--out", "new.html"],
         "export": ["--out", "new.csv"]}
SUFFIX = {"ALGORITHM": ".py", "[FILE.toml|PUZZLES]": ".toml", "trace --out": ".svg",
          "check --out": ".html", "new FILE": ".py"}


def walk(command, words=()):
    """Yield each command with its words."""
    if isinstance(command, click.Group):
        for name in command.list_commands(None):
            yield from walk(command.get_command(click.Context(command), name), (*words, name))
    else:
        yield words, command


def name_of(param):
    return param.opts[-1] if isinstance(param, click.Option) else param.metavar


def look_up(table, words, param):
    """The entry of a parameter: by its command and name, its group, or its metavar."""
    name = name_of(param)
    for key in (f"{' '.join(words)} {name}", f"{words[-1]} {name}", f"{words[0]} {name}", name,
                param.metavar):
        if key in table:
            return table[key]
    return None


def is_number(param):
    from nqbench.cli.options import Size

    return isinstance(param.type, Size) or param.metavar in ("N", "SECONDS") or (
        "INSTANCE" in (param.metavar or ""))


def is_file(param):
    kinds = ("FILE", "DIR", "CHECKPOINT", "ALGORITHM", "INSTANCE", "SOLUTION")
    return any(word in (param.metavar or "") for word in kinds
               ) and (param.metavar, name_of(param)) != ("ALGORITHM", "--baseline")


def cases():
    """Yield the cases of each option: the words of a command line, and the name of the file that
    they name.
    """
    from nqbench.cli import cli

    for words, command in walk(cli):
        for param in command.params:
            values = ([(value, None) for value in NUMBERS] if is_number(param) else
                      [(name + look_up_suffix(name, words, param), name) for name in NAMES]
                      if is_file(param) else [])
            found = []
            for value, name in values:
                line = [*words]
                for other in command.params:
                    if other is not param and other.required and (
                            needed := look_up(NEEDED, words, other)):
                        line += ([other.opts[-1], needed] if isinstance(other, click.Option)
                                 else [needed])
                    elif other is param and isinstance(param, click.Argument):
                        line.append(value)
                short = SHORT.get(" ".join(words), SHORT.get(words[-1], []))
                if getattr(param, "queens", True) is False:  # an option for another problem
                    line, short = [*words, "n=6"], []
                skip = {param.opts[-1], *param.opts} if isinstance(param, click.Option) else ()
                pairs = zip(short[::2], short[1::2], strict=True)
                line += [word for pair in pairs if pair[0] not in skip for word in pair]
                if isinstance(param, click.Option):
                    line += [param.opts[-1], value]
                found.append((line, value if name is not None else None))
            yield found


def look_up_suffix(name, words, param):
    return (look_up(SUFFIX, words, param) or "") if name.isalpha() else ""


def set_up(folder, suffix):
    """Make the files of a case."""
    folder.mkdir()
    os.mkfifo(folder / f"fifo{suffix}")
    (folder / f"target{suffix}").write_text("old")
    (folder / f"link{suffix}").symlink_to(f"target{suffix}")
    for name in ("null", "zero"):
        make_device(folder / f"{name}{suffix}", name)
    shutil.copy(folder.parent / "good.checkpoint", folder)
    (folder / "records.jsonl").touch()
    (folder / "queens.opb").write_text("* format: opb\n* instance: n=6\n")


def make_device(path, name):
    """Make a device node, or bind one to the name where only root of the machine may make it."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, {"null": 3, "zero": 5}[name]))
        with path.open("rb"):
            return
    except PermissionError:
        path.unlink(missing_ok=True)
        path.symlink_to(f"/dev/{name}")


def look(folder):
    """What is in a folder: kinds, devices, and contents."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        found[str(path.relative_to(folder))] = (
            stat.S_IFMT(status.st_mode), status.st_rdev,
            path.read_bytes() if stat.S_ISREG(status.st_mode) else
            str(path.readlink()) if stat.S_ISLNK(status.st_mode) else b"")
    return found


def shorten(line):
    """Let this process do only a part of what takes long, and has tests of its own."""
    import nqbench.checking
    import nqbench.cli.estimate
    import nqbench.study
    from nqbench.problems.plugins import find_all

    nqbench.checking.check_in_child = lambda name, *_: [] if find_all(name, None) else None
    nqbench.cli.estimate.SAMPLE_SECONDS = 0.01
    if "--results" not in line:
        nqbench.study.run = lambda *_, **more: sys.exit(0)


def start(line, folder, errors):
    """Run a command in a forked process; return its number."""
    import resource

    child = os.fork()
    if child:
        return child
    status = 70
    try:
        os.setsid()
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for stream, file in enumerate(("/dev/null", "/dev/null", errors)):
            os.dup2(os.open(file, os.O_RDWR), stream)
        os.chdir(folder)
        from nqbench.cli import run

        shorten(line)
        sys.argv = ["nqbench", *line]
        status = run()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def wait(child, folder, errors):
    """Wait for a command, open its FIFO at the other end, and return its status; None if it took
    long and had said so.
    """
    fifos = list(folder.glob("fifo*"))
    readers = [os.open(path, os.O_RDONLY | os.O_NONBLOCK) for path in fifos]
    end = time.monotonic() + PATIENCE
    try:
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            late = time.monotonic() > end
            if late or b"Ctrl-C stops it" in errors.read_bytes():
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "late" if late else None
            for path, reader in zip(fifos, readers, strict=True):
                with suppress(OSError):
                    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                with suppress(BlockingIOError):
                    os.read(reader, 1 << 20)
            time.sleep(0.002)
        return os.waitstatus_to_exitcode(ended[1])
    finally:
        for reader in readers:
            os.close(reader)


def judge_all(cases, folder):
    """Run cases; yield what is wrong."""
    here, errors, root = folder / "here", folder / "errors", sorted(Path("/").iterdir())
    for line, name in cases:
        set_up(here, Path(name or "").suffix)
        errors.write_text("")
        before = look(here)
        status = wait(start(line, here, errors), here, errors)
        said = errors.read_text("utf-8", "replace")
        for fault in judge(line, name, status, said, before, look(here)):
            yield line, fault
        if sorted(Path("/").iterdir()) != root:
            yield line, "changed /"
        shutil.rmtree(here)


def judge(line, name, status, said, before, after):
    """Yield what is wrong with a case."""
    if status not in (0, 1, 2, None) or "not enough memory" in said:
        yield f"status {status}"
    if "Traceback" in said or (status == 2 and (
            (said.count("\n") != 1 and line[0] != "verify") or len(said) > 6000
            or not all(each.startswith("nqbench: ") for each in said.splitlines()))):
        yield f"said {said[-2000:]}"
    own = {name, f"{name}.squares", str(name).replace("link", "target"), "new.html", "new.csv",
           "race.html"}
    for path in before.keys() | after.keys():
        old, new = before.get(path), after.get(path)
        records = "--results" in line or (path.partition("/")[0] == "results" and status != 2)
        if old == new or (old is None and records):  # of a study
            continue
        if path not in own or (old is not None and (new is None or old[:2] != new[:2])):
            yield f"changed {path}"


def main(folder):
    """Try all cases in a private namespace; print those that fail as JSON."""
    libc = ctypes.CDLL(None, use_errno=True)

    def mount(source, target, kind, flags):
        return libc.mount(source, target, kind, flags, None)

    read_only, remount, bind, private, recursive = 1, 32, 4096, 1 << 18, 16384
    mount(b"none", b"/", None, private | recursive)
    if mount(b"tmpfs", str(folder).encode(), b"tmpfs", 0):
        sys.exit("no file system can be mounted")
    if mount(b"none", b"/", None, remount | bind | read_only):
        sys.exit("no file system can be mounted")  # read-only, so nothing is tried
    for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(folder / name)
        (folder / name).mkdir()
    from nqbench.cli import cli
    from nqbench.engine import Checkpoint, Division

    Checkpoint(folder / "good.checkpoint", Division.new(8, "portable")).close()
    for name in ("analysis", "search.estimates", "report"):
        import_module(f"nqbench.{name}")
    list(walk(cli))
    gc.freeze()
    wanted = sys.argv[2:]
    faults, many = [], 0
    for found in cases():
        chosen = [case for case in found if case[0][:len(wanted)] == wanted]
        faults += judge_all(chosen, folder)
        many += len(chosen)
    print(json.dumps({"cases": many, "faults": faults}))


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.needs("private file systems")
def test_no_value_of_an_option_loses_a_file_or_ends_in_a_traceback(tmp_path):
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    ran = subprocess.run([*unshare, sys.executable, __file__, str(tmp_path)], check=False,
                         capture_output=True, text=True)
    found = json.loads(ran.stdout)
    assert found["faults"] == []
    assert found["cases"] > 480


if __name__ == "__main__":
    main(Path(sys.argv[1]))
