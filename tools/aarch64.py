"""Build nqbench for aarch64, and test it in an emulator; `make aarch64` is the same.

    python tools/aarch64.py

Works on Debian and Ubuntu, and names the packages that are missing. Downloads Debian's Python for
arm64, and the packages that the tests need, to build/aarch64, once. The cross compiler compiles the
cores there, and qemu runs tools/installed.py, every kernel up to n = 13, and the tests of the cores
that start no process. Its times say nothing about a real processor.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PACKAGES = {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu", "apt-get": "apt",
            "dpkg-deb": "dpkg", "qemu-aarch64-static": "qemu-user-static"}
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SOURCE = Path(__file__).parents[1]
BUILD = SOURCE / "build/aarch64"
ROOT, SITE, LIB = BUILD / "root", BUILD / "site", BUILD / "lib"
RELEASE, PYTHON = "bookworm", "3.11"  # of Debian, and the Python that it has
TESTED_WITH = ("Cython", "filelock", "hypothesis", "pytest", "pytest-timeout",
               "pytest-xdist", "setuptools")
# The tests of the cores that start no process, which an emulated program cannot; one needs speed.
TESTS = ("-m", "not (slow or thorough)", "-k", "not (within_a_second or "
         "an_interrupted_search_is_resumed or a_worker_that_fails)", "-p", "no:cacheprovider", "-q",
         "@tests/cores.txt")


def missing() -> list[str]:
    """Return the Debian packages that this machine lacks."""
    found = [package for tool, package in PACKAGES.items() if shutil.which(tool) is None]
    return found if KEYS.exists() else [*found, "debian-archive-keyring"]


def run(*words: object, **environment: str) -> None:
    """Run a command in the folder of the source; end where it fails."""
    done = subprocess.run([str(word) for word in words], cwd=SOURCE, check=False,
                          env={**os.environ, **environment})
    if done.returncode:
        sys.exit(done.returncode)


def download_root() -> None:
    """Unpack Debian's Python for arm64 into ROOT; the packages of this machine stay unchanged."""
    apt = BUILD / "apt"
    for folder in ("lists/partial", "archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(
        f"deb [signed-by={KEYS}] http://deb.debian.org/debian {RELEASE} main\n")
    options = [f"-o{option}" for option in (
        "APT::Architecture=arm64", "APT::Architectures=arm64", "APT::Install-Recommends=false",
        "APT::Sandbox::User=root", f"Dir::Etc::SourceList={apt}/sources.list",
        "Dir::Etc::SourceParts=/dev/null", f"Dir::State={apt}", f"Dir::State::status={apt}/status",
        f"Dir::Cache={apt}")]
    run("apt-get", *options, "-qq", "update")
    run("apt-get", *options, "-qq", "-y", "--download-only", "install", "python3",
        "libpython3-dev", "libstdc++6")
    for package in sorted((apt / "archives").glob("*.deb")):
        run("dpkg-deb", "-x", package, ROOT)


def download_site() -> None:
    """Install the dependencies of nqbench and of the tests, built for aarch64, into SITE."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [requirement for requirement in project["optional-dependencies"]["test"]
              if requirement.split(">=")[0] in TESTED_WITH]
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--target", SITE, "--only-binary=:all:", "--implementation", "cp", "--python-version",
        PYTHON, *(f"--platform=manylinux_2_{minor}_aarch64" for minor in (28, 27, 17)),
        "--platform=manylinux2014_aarch64", *project["dependencies"], *wanted)


def emulate(*words: object, **environment: str) -> None:
    """Run Python for arm64."""
    run("qemu-aarch64-static", "-L", ROOT, ROOT / f"usr/bin/python{PYTHON}", *words,
        PYTHONPATH=f"{LIB}{os.pathsep}{SITE}", PYTHONDONTWRITEBYTECODE="1", **environment)


def build() -> None:
    """Compile the cores into a copy of the package, LIB. A compiler that a program in the emulator
    starts is not emulated.
    """
    shutil.rmtree(LIB, ignore_errors=True)
    shutil.copytree(SOURCE / "nqbench", LIB / "nqbench",
                    ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    emulate("setup.py", "-q", "build_ext", "--force", "--build-lib", LIB, "--build-temp",
            BUILD / "temp", CC=f"aarch64-linux-gnu-gcc --sysroot={ROOT}",
            CPPFLAGS=f"-I{ROOT}/usr/include/python{PYTHON}")


def main() -> None:
    """Download what is not there yet, build, and test."""
    if missing():
        sys.exit("packages are missing; on Debian or Ubuntu: apt install "
                 + " ".join(missing()))
    for folder, download in ((ROOT, download_root), (SITE, download_site)):
        complete = folder.with_suffix(".complete")
        if not complete.exists():
            shutil.rmtree(folder, ignore_errors=True)
            download()
            complete.touch()
    build()
    emulate("tools/installed.py")
    emulate("tools/every_kernel.py", "--largest", 13)
    # Python starts a process to watch over shared memory, which ends at once here.
    emulate("-m", "pytest", "-o", f"pythonpath={LIB} . tools docs/notebooks lab",
            "-W", "ignore:resource_tracker:UserWarning", *TESTS)


if __name__ == "__main__":
    main()
