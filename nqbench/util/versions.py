"""Files in git: the commit of a file, its versions, and the files beside it that it imports.

A version is written as PATH.py@REVISION, with any revision that git knows, such as HEAD~1.
"""

import ast
import os
import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from linecache import getlines
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidValueError

COMMIT_DIGITS = 7  # of a commit in the name of an algorithm
WORKTREE = "worktree"  # the name of the files that git tracks, as they are now


def git(folder: Path, *arguments: str) -> str | None:
    """Return what git prints about a folder; None if it fails, or if there is no git. The text of a
    file, by `show`, is whole; else the last newline is removed.
    """
    shows = arguments[0] == "show"
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GIT_")}  # which may name another clone
    environment |= {f"GIT_{who}_{what}": "nqbench" for who in ("AUTHOR", "COMMITTER")
                    for what in ("NAME", "EMAIL")}  # of `stash create`, where git knows no user
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True,
                              check=True, timeout=10, env=environment, encoding="utf-8",
                              errors="replace" if shows else "surrogateescape")
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if shows else done.stdout.removesuffix("\n")


def find_clone() -> Path | None:
    """Return the clone of this package: that of the current folder, or else of the running code;
    None if neither is in one.
    """
    for folder in (Path.cwd(), Path(__file__).parent):
        root = git(folder, "rev-parse", "--show-toplevel")
        if root and Path(root, "nqbench", "_version.py").is_file():
            return Path(root)
    return None


@dataclass(frozen=True)
class Revision:
    """A revision of this package: its name, its commit, and what git archives, which differs from
    the commit if files were changed since.
    """

    name: str
    commit: str
    archived: str


def find_revision(name: str) -> Revision | None:
    """Return a revision that git knows, or the working tree by the name "worktree"; else None.

    >>> find_revision("no such revision")
    """
    clone, named = find_clone(), "HEAD" if name == WORKTREE else name
    commit = clone and git(clone, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}")
    if not clone or not commit:
        return None
    changed = name == WORKTREE and git(clone, "stash", "create")  # changes neither files nor index
    return Revision(name, commit, changed or commit)


def explain_absence() -> str:
    """Return why git may not know a revision, and what to do; empty if all are there."""
    clone = find_clone()
    if clone is None:
        return "; revisions of nqbench can be compared in a clone of its repository"
    shallow = git(clone, "rev-parse", "--is-shallow-repository") == "true"
    return "; this clone is shallow: `git fetch --unshallow` gets all revisions" * shallow


def split_version(place: str) -> tuple[str, str]:
    """Return the path of a file and its revision, which is empty if the place has none.

    >>> split_version("ideas/mine.py@HEAD~1"), split_version("mine.py")
    (('ideas/mine.py', 'HEAD~1'), ('mine.py', ''))
    """
    path, mark, revision = place.partition(".py@")
    return (f"{path}.py", revision) if mark else (place, "")


def remove_version(name: str) -> str:
    """Return the name that the file itself gives an algorithm of one of its versions.

    >>> remove_version("mine (0123456):4")
    'mine:4'
    """
    return re.sub(rf" \([0-9a-f]{{{COMMIT_DIGITS}}}\)", "", name)


def read_version(path: Path, revision: str) -> tuple[str, str]:
    """Return the commit that a revision names, and the text of a file there.

    Raises
    ------
    InvalidValueError
        if git knows no such commit, if the commit does not have the file, or if another file that
        this version imports has changed since, because a process cannot have two versions of a
        module.
    """
    folder = path.parent
    commit = git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    text = commit and git(folder, "show", f"{commit}:./{path.name}")
    if not commit or text is None:
        raise InvalidValueError(f"git has no {path.name} at the revision {revision!r}")
    for used in find_imports(text, folder):
        name = used.relative_to(folder).as_posix()
        if git(folder, "show", f"{commit}:./{name}") != used.read_text("utf-8", "replace"):
            raise InvalidValueError(
                f"{path.name} at {revision} imports {name}, which has changed since, and one "
                "process cannot have both; run a study in a clone of each commit, and compare them")
    return commit, text


def find_imports(text: str, folder: Path) -> list[Path]:
    """Return the files of a folder that a text imports, also indirectly; of a package, all its
    files. The text is not run. An installed module of the same name comes first.
    """
    found: list[Path] = []
    texts = [text]
    while texts:
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse(texts.pop())):
                names = ([each.name for each in node.names] if isinstance(node, ast.Import) else
                         [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level
                         else [])
                for name in {name.partition(".")[0] for name in names} - {"__main__"}:
                    near = {folder / f"{name}.py", *(folder / name).rglob("*.py")}.difference(found)
                    first = find_spec(name)
                    used = [file for file in near if file.is_file() and (
                        first is None or folder in Path(first.origin or file).parents)]
                    found += used
                    texts += [file.read_text("utf-8", "replace") for file in used]
    return sorted(found)


def describe_file(place: str) -> dict[str, Any]:
    """Return what git says of a file, or of a version of it: its commit and whether the file was
    changed since, both None outside a clone, and the SHA-256 of each file that it imports from its
    folder. What is no file has nothing.
    """
    name, revision = split_version(place)
    path = Path(name).resolve()
    if not revision and not path.is_file():
        return {}
    text = "".join(getlines(place)) if revision else path.read_text("utf-8", "replace")
    commit = revision or git(path.parent, "rev-parse", "HEAD")
    changes = not revision and git(
        path.parent, "status", "--porcelain", "-unormal", "--ignored", "--", path.name)
    return {"commit": commit, "changed": bool(changes) if commit else None, "imports": {
        used.relative_to(path.parent).as_posix(): sha256(used.read_bytes()).hexdigest()
        for used in find_imports(text, path.parent)}}
