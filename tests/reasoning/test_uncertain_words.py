"""The exact wording of proofs from uncertain clues."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.world.clues import parse

SAID = [
    (
        "optimistic",
        "3x4/3 ?3??/?2??/??1?",
        (1, 2),
        "(1,2) is a mine: proved by the mine count and 2 clues, (0,1) and (2,2); "
        "no smaller set of clues proves it.\n"
        "1. 3 mines are left: at least 3 around the 3 at (0,1) (3 or more); none is left for the "
        "other cells, so (1,3), (2,1) and (2,3) are safe.\n"
        "2. The 1 at (2,2) (1 or more) needs 1 and has only 1 cell left, so (1,2) is a mine.",
    ),
    (
        "cautious",
        "3x4/4 ?0??/?1??/????",
        (0, 3),
        "(0,3) is a mine: proved by the mine count and 1 clue, (1,1).\n"
        "1. 4 mines are left: at most 1 around the 1 at (1,1) (1 or fewer); the other 3 cells must "
        "be mines, so (0,3) is a mine.",
    ),
    (
        "cautious",
        "3x4/4 ?0??/?1??/????",
        (0, 0),
        "(0,0) is safe: proved by 1 clue, (0,1).\n"
        "1. The 0 at (0,1) has no mine around it, so (0,0) is safe.",
    ),
    (
        "optimistic",
        "1x3 ?2?",
        (0, 0),
        "(0,0) is a mine: proved by 1 clue, (0,1).\n"
        "1. The 2 at (0,1) needs 2 and has only 2 cells left, (0,0) and (0,2), so (0,0) is a mine.",
    ),
]


@pytest.mark.parametrize(("clues", "text", "cell", "words"), SAID)
def test_wording(engine: str, clues: str, text: str, cell: mp.Cell, words: str) -> None:
    assert engine == mp.engine
    assert str(mp.explain(mp.View.from_text(text), cell, parse(clues))) == words
