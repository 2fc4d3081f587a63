"""Make the SVG files of matplotlib small, without a visible change.

matplotlib writes six decimals, every coordinate in full, an id for every group, and each style at
every mark. Here coordinates are rounded to `DECIMALS` of a point, and paths are written as steps
from point to point.

This is our own code, because the tools for it (scour, svgo) would be a further dependency, or need
another language.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from nqbench.report.marks import ENTRY, PART

DECIMALS = 2  # a hundredth of a point is invisible, even in a close-up
_UNIT: int = 10 ** DECIMALS
_TAG = re.compile(r"<[^>]+>")
_PATH = re.compile(r'(?<= d=")[^"]*')
_STEP = re.compile(r"([MLQCz])([^MLQCz]*)")
_NUMBER = re.compile(r'(?<= [xy]=")[^"]*')
_STYLE = re.compile(r' style="([^"]*)"')
_USES = re.compile(r"<g([^>]*)>((?:<use [^>]*/>)+)</g>")
_DEFINED = re.compile(r'<path id="([^"]*)"[^>]*? style="([^"]*)"/>')
_USED = re.compile(r'<use xlink:href="#([^"]*)"[^>]*>')
_REFERENCE = re.compile(r'(?:href="|url\()#([^")]*)')
_OWN = re.compile(r"(?:^|;)opacity")  # the only property here that a group does not pass on


def shrink(svg: str) -> str:
    """Return an SVG file that matplotlib wrote, as a shorter one that looks the same.

    >>> shrink('<svg><g id="a">\\n <g id="b"><path d="M 1.004 2 \\nL 3 2 \\n"/></g></g></svg>')
    '<svg>\\n<path d="M1 2h2"/></svg>'
    """
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = _PATH.sub(lambda found: _shorten_path(found[0]), svg)
    svg = _NUMBER.sub(lambda found: _write(_round(found[0])), svg)
    svg = _STYLE.sub(lambda found: found[0].replace(": ", ":").replace("; ", ";"), svg)
    svg = _drop_groups(_share_styles(_rename(svg)))
    return re.sub(r">(?=<(?!/|tspan))", ">\n", svg)  # one line per element, for git and for editors


def _shorten_path(path: str) -> str:
    """Return a path of absolute steps as one of relative ones.

    Coordinates are added up in whole units, so no errors accumulate. Lines that continue along an
    axis become one line, and a line without length is dropped, unless it is the only one.

    >>> _shorten_path("M 0 0 L 5 0 L 9 0 L 9 0.001 L 9 1.5 C 1 1 2 2 3 3 z")
    'M0 0h9v1.5c-8-.5-7 .5-6 1.5z'
    """
    steps: list[list[int | str]] = []  # the letter and its numbers
    x = y = 0
    for letter, rest in _STEP.findall(path):
        numbers = list(map(_round, rest.split()))
        if letter == "L":
            _add_line(steps, numbers[0] - x, numbers[1] - y)
        elif letter == "M":
            steps.append(["M", *numbers])
        else:
            steps.append([letter.lower(), *(
                number - (y if place % 2 else x) for place, number in enumerate(numbers))])
        if numbers:
            x, y = numbers[-2:]
    return "".join(_write_steps(steps))


def _add_line(steps: list[list[int | str]], across: int, down: int) -> None:
    """Add a line to the steps of a path, or make the last one longer."""
    last = steps[-1]
    letter = "h" if not down else "v" if not across else "l"
    if letter == "l":
        steps.append(["l", across, down])
    elif last[0] == letter and int(last[1]) * (across + down) > 0:
        last[1] = int(last[1]) + across + down
    elif across or down or last[0] == "M":
        steps.append([letter, across + down])


def _write_steps(steps: list[list[int | str]]) -> Iterator[str]:
    """Yield the text of steps; the letter of the previous step is not repeated."""
    before: int | str = ""
    for letter, *numbers in steps:
        text = "".join(f" {_write(int(number))}" for number in numbers).replace(" -", "-")
        yield text if letter == before != "M" else f"{letter}{text.removeprefix(' ')}"
        before = letter


def _round(digits: str) -> int:
    """Return a coordinate in whole units."""
    return round(float(digits) * _UNIT)


@lru_cache(maxsize=1 << 16)
def _write(units: int) -> str:
    """Return a coordinate in as few characters as possible.

    >>> _write(1250), _write(-5), _write(300)
    ('12.5', '-.05', '3')
    """
    text = f"{units / _UNIT:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text)


def _rename(svg: str) -> str:
    """Return a file with short ids, only for elements that something refers to; ids of series
    become attributes.
    """
    svg = svg.replace(f' id="{ENTRY}', f' class="entry" id="{PART}')
    svg = svg.replace(f' id="{PART}', ' data-series="')
    names = {name: f"m{number:x}" for number, name in enumerate(dict.fromkeys(
        _REFERENCE.findall(svg)))}
    svg = re.sub(r' id="([^"]*)"', lambda found: (
        f' id="{names[found[1]]}"' if found[1] in names else ""), svg)
    return _REFERENCE.sub(lambda found: found[0].replace(found[1], names[found[1]]), svg)


def _share_styles(svg: str) -> str:
    """Return a file in which a mark does not repeat the style of its symbol, and the marks of a
    group do not repeat their common style.
    """
    styles = {name: set(style.split(";")) for name, style in _DEFINED.findall(svg)}

    def drop_known(use: re.Match[str]) -> str:
        known = styles.get(use[1], set())
        return _STYLE.sub(lambda found: _style(
            [part for part in found[1].split(";") if part not in known]), use[0])

    def share(group: re.Match[str]) -> str:
        found = set(_STYLE.findall(group[2]))
        if (len(found) != 1 or "style=" in group[1] or _OWN.search(*found)
                or group[2].count(" style=") < group[2].count("<use")):
            return group[0]
        return f"<g{group[1]}{_style(list(found))}>{_STYLE.sub('', group[2])}</g>"

    return _USES.sub(share, _USED.sub(drop_known, svg))


def _style(parts: list[str]) -> str:
    """Return the attribute of a style, none for an empty one."""
    return f' style="{";".join(parts)}"' if parts else ""


def _drop_groups(svg: str) -> str:
    """Return a file without the groups that have no attribute."""
    kept: list[bool] = []

    def drop(tag: re.Match[str]) -> str:
        if tag[0].startswith("<g ") and tag[0].endswith("/>"):
            return ""  # an empty group
        if tag[0].startswith(("<g>", "<g ")):
            kept.append(tag[0] != "<g>")
            return tag[0] * kept[-1]
        return tag[0] if tag[0] != "</g>" or kept.pop() else ""

    return _TAG.sub(drop, svg)
