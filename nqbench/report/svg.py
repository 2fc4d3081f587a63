"""Make the SVG files of matplotlib small, without a visible change.

matplotlib writes six decimals, an id for every group, and each style at every mark. Here
coordinates are rounded to `DECIMALS` of a point, and marks with the same style share it.

This is our own code, because the tools for it (scour, svgo) would be a further dependency, or need
another language.
"""

import re

from nqbench.report.marks import ENTRY, PART

DECIMALS = 2  # a hundredth of a point is invisible, even in a close-up
_PLACE = re.compile(r'(?<= d=")[^"]*|(?<= [xy]=")[^"]*')
_NUMBER = re.compile(r"-?\d+\.\d+")
_STYLE = re.compile(r' style="([^"]*)"')
_USES = re.compile(r"<g([^>]*)>((?:<use [^>]*/>)+)</g>")
_REFERENCE = re.compile(r'(?:href="|url\()#([^")]*)')
_OWN = re.compile(r'[";]opacity')  # the only property here that a group does not pass on


def shrink(svg: str) -> str:
    """Return an SVG file that matplotlib wrote, as a shorter one that looks the same.

    >>> shrink('<svg><g id="a">\\n <path d="M 1.004 2 \\nL 3 2 \\n"/></g></svg>')
    '<svg>\\n<g>\\n<path d="M1 2L3 2"/></g></svg>'
    """
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = _PLACE.sub(lambda found: _round(found[0]), svg)
    svg = _STYLE.sub(lambda found: found[0].replace(": ", ":").replace("; ", ";"), svg)
    svg = re.sub("<g[^>]*/>", "", _USES.sub(_share_style, _rename(svg)))
    return re.sub(r">(?=<(?!/|tspan))", ">\n", svg)  # one line per element, for git and for editors


def _round(place: str) -> str:
    """Return a path or a coordinate with rounded numbers, without spaces around letters.

    >>> _round("M 0 0 L 5.251 -0.305 z")
    'M0 0L5.25 -0.3z'
    """
    place = _NUMBER.sub(lambda found: f"{round(float(found[0]), DECIMALS):.9g}", place)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", place).strip()


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


def _share_style(group: re.Match[str]) -> str:
    """Return a group of marks, with their style at the group if all have the same."""
    attributes, marks = group.groups()
    found = set(_STYLE.findall(marks))
    (style,) = found if len(found) == 1 else ("",)
    if (not style or "style=" in attributes or _OWN.search(f'"{style}')
            or marks.count(" style=") < marks.count("<use")):
        return group[0]
    return f'<g{attributes} style="{style}">{_STYLE.sub("", marks)}</g>'
