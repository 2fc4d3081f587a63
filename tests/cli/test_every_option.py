"""Every option and argument that names a file or a number, with values that nobody should give.

The options are found, so a new one is tested as soon as it exists. This file runs itself in a
namespace where only a private folder can be written, with device nodes of its own.
"""

import ctypes
import gc
import json
import os
import select
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
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# What a command needs, by its name or by the metavar of the argument.
NEEDED = {"N": "6", "FAMILY": "blocked", "INSTANCE": "6", "ALGORITHM|FOLDER": "bitmask",
          "ALGORITHM": "bitmask", "SEQUENCE": "A000170",
          "RUN": "x", "A": "x", "B": "x", "RUN...": "all", "TEXT": "x",
          "CHECKPOINT": "good.checkpoint", "FILE...": "records.jsonl", "K": "2",
          "--out": "none/x", "-n": "8", "--format": "opb", "import FILE": "queens.opb",
          "draw INSTANCE": "n=6", "new FILE": "none/x.py",
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
    from nqbench.cli.options import Seconds, Size

    return (isinstance(param.type, Size | Seconds | type(click.FLOAT))
            or param.metavar in ("N", "SLOWDOWN") or name_of(param) == "-n"
            or "INSTANCE" in (param.metavar or ""))


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


def shorten(*lines):
    """Let this process do only a part of what takes long, and has tests of its own."""
    import nqbench.checking
    import nqbench.cli.estimate
    import nqbench.study
    from nqbench.problems.plugins import find_all

    nqbench.checking.check_in_child = lambda name, *_: [] if find_all(name, None) else None
    nqbench.cli.estimate.SAMPLE_SECONDS = 0.01
    if not any("--results" in line for line in lines):
        nqbench.study.run = lambda *_, **more: sys.exit(0)


def start(lines, folder):
    """Run commands one after the other in a forked process; return its number, and a pipe that gets
    the status of each.
    """
    import resource

    heard, told = os.pipe()
    child = os.fork()
    if child:
        os.close(told)
        return child, heard
    try:
        os.setsid()
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in (0, 1):
            os.dup2(nothing, number)
        from nqbench.cli import run

        shorten(*lines.values())
        for number, sys.argv in lines.items():
            os.chdir(folder / str(number))
            errors = os.open(folder / f"{number}.errors", os.O_WRONLY)
            os.dup2(errors, 2)
            os.close(errors)
            status = 70
            try:
                status = run()
            except BaseException:
                import traceback

                traceback.print_exc()
            sys.stderr.flush()
            os.write(told, bytes([status]))
    finally:
        os._exit(70)


def wait(child, heard, folder, errors):
    """Wait for a status, open the FIFO of its command at the other end, and return it; None if it
    took long and had said so; if the process has ended, how.
    """
    fifos = list(folder.glob("fifo*"))
    readers = [os.open(path, os.O_RDONLY | os.O_NONBLOCK) for path in fifos]
    end = time.monotonic() + PATIENCE
    try:
        while True:
            if select.select([heard], [], [], 0.002)[0]:
                status = os.read(heard, 1)
                return status[0] if status else f"ended with {os.waitpid(child, 0)[1]}"
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
    finally:
        for reader in readers:
            os.close(reader)


def judge_all(cases, folder):
    """Run cases, in one process as long as it lasts; yield what is wrong."""
    for number, (_, name) in cases.items():
        set_up(folder / str(number), Path(name or "").suffix)
        (folder / f"{number}.errors").touch()
    before = {number: look(folder / str(number)) for number in cases}
    left, root, running = dict(cases), sorted(Path("/").iterdir()), None
    while left:
        if running is None:
            running = start({number: ["nqbench", *line] for number, (line, _) in left.items()},
                            folder)
        number, (line, name) = next(iter(left.items()))
        here, errors = folder / str(number), folder / f"{number}.errors"
        status = wait(*running, here, errors)
        del left[number]
        if not isinstance(status, int) or not left:
            os.close(running[1])
            if isinstance(status, int):
                os.waitpid(running[0], 0)
            running = None
        said = errors.read_text("utf-8", "replace")
        for fault in judge(line, name, status, said, before[number], look(here)):
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
        faults += judge_all(dict(enumerate(chosen, many)), folder)
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
    assert found["cases"] > 500


if __name__ == "__main__":
    main(Path(sys.argv[1]))
