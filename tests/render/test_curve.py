"""The win probability as a picture: bars that hold until the next point, and a line with marks."""

from __future__ import annotations

from xml.etree import ElementTree

from mineproof.render.win_curve import CurvePoint, curve_svg, draw_curve

POINTS = [
    CurvePoint(1, 0.5, 0.02),
    CurvePoint(4, 0.5, 0.02, risky=True),
    CurvePoint(5, 0.75, 0.01),
    CurvePoint(9, 0.75, 0.0, risky=True),
    CurvePoint(10, 1.0),
]


def columns(text: str) -> list[int]:
    """The height of each bar."""
    lines = [line[6:].ljust(80) for line in text.split("\n")]
    return [sum(line[at] == "#" for line in lines) for at in range(80)]


def test_bars_hold_until_the_next_point_and_end_at_the_last() -> None:
    drawn = draw_curve(POINTS, columns=43, ascii_only=True).plain
    heights = [height for height in columns(drawn) if height]
    assert len(heights) == 36
    assert (heights[0], heights[-1]) == (3, 6)
    assert heights == sorted(heights)
    assert set(heights) <= {3, 4, 5, 6}
    assert drawn.split("\n")[0].startswith("100 % ")
    assert drawn.split("\n")[-2].startswith("  0 % ")
    assert drawn.split("\n")[-1] == "      " + "-" * 36


def test_a_loss_drops_to_zero() -> None:
    drawn = draw_curve([CurvePoint(1, 0.9), CurvePoint(2, 0.0)], columns=40, ascii_only=True).plain
    assert columns(drawn)[33] == 0
    assert columns(drawn)[0] == 5
    assert "█" in draw_curve([CurvePoint(1, 0.9), CurvePoint(2, 0.0)]).plain


def test_an_empty_curve_and_a_single_point_are_drawn() -> None:
    assert draw_curve([]).plain == ""
    assert "#" in draw_curve([CurvePoint(3, 1.0)], columns=1, ascii_only=True).plain
    for points in ([], [CurvePoint(3, 1.0)]):
        ElementTree.fromstring(curve_svg(points))


def test_the_picture_marks_every_guess_and_has_a_text_alternative() -> None:
    svg = curve_svg(POINTS, caption="a <game>", unit="seconds")
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}circle")) == 2
    (line,) = root.findall(f"{name}polyline")
    places = [tuple(map(float, one.split(","))) for one in line.attrib["points"].split()]
    assert len(places) == 5
    assert places[-1] == (692.0, 40.0)
    assert places[0] == (52.0, 150.0)
    assert "50 % at 1, 50 % at 4, 75 % at 5" in (root.findtext(f"{name}desc") or "")
    assert "a &lt;game&gt;" in svg
    assert ">seconds; the band is the 95 % CI<" in svg
