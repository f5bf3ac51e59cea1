"""How programs that draw SVG without a browser see a picture."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np

from mineproof.screenshots.picture_files import decode

_PLAIN = re.compile(r"#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+|url\(#[\w-]+\)")
_COLOURED = ("fill", "stroke", "stop-color")


def unresolved(svg: str) -> list[str]:
    """The colours of elements that only a browser with CSS variables can resolve."""
    found = []
    for element in Xml.fromstring(svg).iter():
        rules = (rule.partition(":") for rule in element.get("style", "").split(";"))
        styled = {name.strip(): value.strip() for name, _, value in rules}
        for name in _COLOURED:
            for value in (element.get(name), styled.get(name)):
                if value is not None and not _PLAIN.fullmatch(value):
                    found.append(f"{name}: {value}")
    return found


def draws_svg() -> bool:
    """Whether librsvg is installed."""
    return shutil.which("rsvg-convert") is not None


def colours(path: Path) -> int:
    """The number of colours in a picture as drawn by librsvg."""
    command = ["rsvg-convert", "--width", "500", str(path)]
    drawn = subprocess.run(command, check=True, capture_output=True).stdout
    return len(np.unique(decode(drawn).reshape(-1, 3), axis=0))
