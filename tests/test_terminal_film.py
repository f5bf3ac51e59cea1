"""The recording of the tour shows what the tour prints."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import mineproof as mp
from tools import terminal_film

pytestmark = pytest.mark.skipif(
    mp.engine != "native" or not terminal_film.PROGRAM.exists(),
    reason="it was recorded in a checkout with the compiled engine",
)


def test_the_picture_shows_the_text_of_the_tour() -> None:
    known = terminal_film.record("--duration", "0").text
    assert known == terminal_film.recorded_text(), "`make docs` records it again"


def test_a_film_ends_with_the_last_frame() -> None:
    """Elements that are not animated, or not hidden without animation, are the end of the tour."""
    root = ElementTree.parse(terminal_film.PICTURE).getroot()
    namespace = "{http://www.w3.org/2000/svg}"
    shapes = {f"#{one.get('id')}": "".join(one.itertext()) for one in root.iter(f"{namespace}g")}
    shown = [
        shapes[one.get("href", "")]
        for one in root.iter(f"{namespace}use")
        if one.get("visibility") != "hidden"
    ]
    assert "Try next" in shown
    assert len(shown) <= terminal_film.ROWS
    hidden = "".join(shapes.values())
    assert all(part in hidden for part in ("1/4", "2/4", "3/4", "4/4"))
