"""Try the source distribution in dist/ in an empty environment of this Python, as a user would.

    python3.13 tools/try_package.py
    python3.13 tools/try_package.py --marks 'not slow'

Makes a wheel of it with the compiler. Installs the wheel and its dependencies where PATH has no
compiler, runs tools/installed.py and the first commands of README there, makes the report and an
archive again with pyarrow, and then runs the tests: they are those of the source distribution, and
the package is the installed one. Everything is in build/tried, in a folder with a space and an
umlaut in its name. `make test-installed` is the same.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from venv import EnvBuilder

HOME = Path(__file__).parents[1]
FREE = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}{FREE}"
COMMANDS = (("verify", "--max-n", "7"), ("study", "--preset", "quick"), ("report",))


def run(*words, **more):
    """Show a command and run it; end if it fails."""
    print("$", *words, flush=True)
    status = subprocess.run([str(word) for word in words], **more).returncode
    if status:
        sys.exit(f"{words[0]} failed with status {status}")


def unpack(folder):
    """Unpack the only source distribution in dist/ and return its folder."""
    found = list(HOME.glob("dist/*.tar.gz"))
    if len(found) != 1:
        sys.exit(f"dist/ must have one source distribution, not {len(found)}: make dist")
    with tarfile.open(found[0]) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return source


def try_package(folder, marks):
    """Build, install, use and test the package in a new folder."""
    source = unpack(folder)
    environment = folder / "environment"
    EnvBuilder(with_pip=True).create(environment)
    python = environment / "bin/python"
    pip = [python, "-m", "pip", "install", "--quiet", "--prefer-binary"]
    wheels = folder / "wheels"
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, source)
    (wheel,) = wheels.iterdir()
    package = environment / f"lib/python{VERSION}/site-packages/nqbench"
    alone = {**os.environ, "PATH": str(environment / "bin"), "PYTHONSAFEPATH": "1"}
    run(*pip, wheel, env=alone)
    shutil.rmtree(source / "nqbench")
    (source / "nqbench").symlink_to(package)  # for the tests that read it
    tools = {**alone, "PYTHONPATH": str(source / "tools")}  # of which it imports one
    run(python, source / "tools/installed.py", env=tools, cwd=folder)
    for words in COMMANDS:
        run(environment / "bin/nqbench", *words, env=alone, cwd=folder)
    run(*pip, "pyarrow")  # which changes how pandas keeps texts
    for words in (*COMMANDS[-1:], ("results", "export", "all", "--out", "records.csv")):
        run(environment / "bin/nqbench", *words, env=alone, cwd=folder)
    run(*pip, f"{wheel}[test]")
    if FREE:  # what it needs turns the GIL on
        run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "playwright")
    run(python, "-P", "-m", "pytest", "-q", "-m", marks,
        "-o", f"pythonpath='{package.parent}' . docs/notebooks lab tools", cwd=source)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--marks", default="not thorough", help="which tests, as for pytest -m")
    tried = HOME / f"build/tried/Prüfung {VERSION}"
    shutil.rmtree(tried, ignore_errors=True)
    tried.mkdir(parents=True)
    try_package(tried, parser.parse_args().marks)
