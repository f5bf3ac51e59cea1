"""The 1-2 pattern along a row of hidden cells, in every orientation."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.one_two import one_two, one_two_raw
from mineproof.world.view import NO_CLUE

Picture = list[str]
ROWS: Picture = ["????", "-12-", "----"]
"""The cell at the end of the first row, diagonal to the 2, is a mine."""


def turned(picture: Picture) -> Picture:
    return ["".join(column) for column in zip(*picture[::-1], strict=True)]


def all_ways(picture: Picture) -> list[Picture]:
    """All rotations and reflections."""
    ways = []
    for one in (picture, picture[::-1]):
        for _ in range(4):
            ways.append(one)
            one = turned(one)  # noqa: PLW2901
    return ways


def marked(picture: Picture, mark: str) -> mp.Cell:
    return next((r, row.index(mark)) for r, row in enumerate(picture) if mark in row)


@pytest.mark.parametrize("reasoner", [one_two, one_two_raw])
@pytest.mark.parametrize("picture", all_ways(["???X", *ROWS[1:]]), ids="/".join)
def test_it_is_found_in_all_directions(picture: Picture, reasoner: object) -> None:
    view = mp.View.from_text("\n".join(picture).replace("X", "?"))
    found = set(reasoner(Knowledge(view)))  # type: ignore[operator]
    assert {(d.cell, d.mine, d.rule) for d in found} == {(marked(picture, "X"), True, "one-two")}
    (clues,) = {d.clues for d in found}
    assert clues == (marked(picture, "1"), marked(picture, "2"))


@pytest.mark.parametrize("picture", all_ways(["???X", "-12-", "---Y"]), ids="/".join)
def test_it_is_found_when_only_the_two_has_changed(picture: Picture) -> None:
    """Once a cell that only the 2 touches becomes known, the pattern appears."""
    view = mp.View.from_text("\n".join(picture).replace("X", "?").replace("Y", "?"))
    knowledge = Knowledge(view)
    assert not list(one_two(knowledge))
    knowledge.observe([mp.Event(marked(picture, "Y"), NO_CLUE)])
    assert {d.cell for d in one_two(knowledge)} == {marked(picture, "X")}


@pytest.mark.parametrize("clues", ["-11-", "-13-", "-22-", "-21-"])
def test_other_clues_do_not_match(clues: str) -> None:
    """A 2-1 does: it is the pattern reversed."""
    found = set(one_two_raw(Knowledge(mp.View.from_text(f"????\n{clues}\n----"))))
    assert {d.cell for d in found} == ({(0, 0)} if clues == "-21-" else set())


def test_known_mines_are_subtracted_except_by_the_raw_form() -> None:
    """2-3 at an exploded cell reads as 1-2; other hidden cells rule out the sound form."""
    hit = Knowledge(mp.View.from_text("????\n-23-\n-*--"))
    (found,) = set(one_two(hit))
    assert found.cell == (0, 3)
    seen = {(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3)}
    assert set(found.known) == seen, "the known cells around both clues"
    hit = Knowledge(mp.View.from_text("????\n-23-\n-*--"))
    assert not list(one_two_raw(hit))
    more = "????\n-12-\n---?"
    assert not list(one_two(Knowledge(mp.View.from_text(more))))
    assert {d.cell for d in one_two_raw(Knowledge(mp.View.from_text(more)))} == {(0, 3)}
