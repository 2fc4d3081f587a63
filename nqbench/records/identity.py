"""Identify the machine of a record: by a random number for this installation, and a label.

The number is drawn once and stored in the user's configuration folder, one for each kind of
hardware, since nodes of a cluster may share a home folder. It contains no host name.
"""

import hashlib
import json
import os
import re
import secrets
import warnings
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.util.files import (
    find_user_folder,
    parse_json,
    read_bounded,
    require_regular,
    write_whole,
)

DIGITS = 12  # hexadecimal digits of an identity
LONGEST = 60  # the most characters of a label
_DRAWN = re.compile(f"[0-9a-f]{{{DIGITS}}}")


@dataclass(frozen=True)
class Identity:
    """The identity of this installation and, if the user gave one, its label."""

    machine: str
    label: str | None = None


def identity(hardware: str) -> Identity:
    """Return the identity of this installation on such hardware; draw one the first time.

    If it cannot be stored, warn and use one for this process only.
    """
    path = Path("~")
    try:
        path = _path(hardware)
        require_regular(path)  # nothing else is read or replaced
        with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
            return _read(path)
        return _draw(path)
    except (OSError, InvalidValueError) as error:
        return _draw_unsaved(path, getattr(error, "strerror", None) or str(error))


def relabel(hardware: str, label: str) -> None:
    """Store a label for this installation on such hardware.

    Raises
    ------
    InvalidValueError
        if the label is empty, too long, or not printable, or if its file is no regular file.
    OSError
        if it cannot be stored.
    """
    text = clean_label(label)
    path = _path(hardware)
    require_regular(path)
    _write(path, Identity(identity(hardware).machine, text))


def clean_label(label: str) -> str:
    """Return a label without spaces around it.

    Raises
    ------
    InvalidValueError
        if it is empty, too long, or not printable.
    """
    if not label.strip() or len(label) > LONGEST or not label.isprintable():
        raise InvalidValueError(
            f"a label must have 1 to {LONGEST} printable characters, not {label!r:.90}")
    return label.strip()


def _path(hardware: str) -> Path:
    kind = hashlib.sha256(hardware.encode()).hexdigest()[:8]
    return find_user_folder("config") / f"machine-{kind}.json"


def _read(path: Path) -> Identity:
    found = Identity(**parse_json(read_bounded(path)))
    if not (_DRAWN.fullmatch(found.machine)
            and (found.label is None or clean_label(str(found.label)) == found.label)):
        raise ValueError
    return found


def _draw(path: Path) -> Identity:
    """Draw an identity and store it; if several processes do so at once, the first one wins."""
    machine = secrets.token_hex(DIGITS // 2)
    drawn = path.with_name(f"{path.name}-{machine}")
    _write(drawn, Identity(machine))
    try:
        os.link(drawn, path)  # unlike a rename, it replaces nothing
    except OSError:  # another process was first, or the file is damaged, or there are no links
        with suppress(OSError, ValueError, TypeError):
            return _read(path)
        drawn.replace(path)
    finally:
        drawn.unlink(missing_ok=True)
    return _read(path)


def _write(path: Path, found: Identity) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(asdict(found)))


@cache
def _draw_unsaved(path: Path, reason: str) -> Identity:
    warnings.warn(f"{path}: cannot be written ({reason}); this study counts as one of another "
                  "machine than the next", stacklevel=3)
    return Identity(secrets.token_hex(DIGITS // 2))
