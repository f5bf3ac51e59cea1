"""What one cell of a game rests on: the longest chain to it, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mineproof.messages.files import InfluenceEntry
from mineproof.phrases import Phrase
from mineproof.reasoning.influence import Influence
from mineproof.world.geometry import Cell
from mineproof.world.view import HIDDEN, View, is_clue


def phrases_of(influence: Influence, cell: Cell) -> Iterator[Phrase]:
    """Yield the steps to a cell, numbered as in its picture; cells opened by zeros share a line."""
    chain = influence.chain_to(cell)
    rests = len(influence.ancestors(cell))
    yield Phrase("influence.rests", {"cell": cell, "rests": rests, "chain": len(chain)})
    number = 1
    for flood, group in groupby(chain, key=lambda one: influence.node(one).kind == "flood"):
        cells = list(group)
        last = number + len(cells) - 1
        if flood and len(cells) > 1:
            zeros = Phrase("influence.zeros", {"cells": cells})
            yield Phrase("influence.line", {"number": f"{number}-{last}", "step": zeros})
        else:
            for place, one in enumerate(cells):
                step = _shown_step(influence, influence.node(one))
                yield Phrase("influence.line", {"number": number + place, "step": step})
        number = last + 1


def cell_svg(influence: Influence, cell: Cell) -> str:
    """Draw what the cell rests on, with the numbered steps of the longest chain to it."""
    from mineproof.render import chain_svg

    seen, grid = influence.view, influence.view.grid
    chain = influence.chain_to(cell)
    shown = {grid.index(one) for one in influence.ancestors(cell)}
    states = bytes(state if i in shown else HIDDEN for i, state in enumerate(seen.states))
    nodes = map(influence.node, chain)
    clues = {clue for node in nodes for clue in node.parents[: node.clues]}
    return chain_svg(
        View(grid, states, seen.mines), chain, clues, map(str, phrases_of(influence, cell))
    )


def _shown_step(influence: Influence, node: InfluenceEntry) -> Phrase:
    step, state = _step(influence, node), influence.view.state(node.cell)
    if is_clue(state):
        return Phrase("influence.shows", {"step": step, "number": state})
    return Phrase("influence.step", {"step": step})


def _step(influence: Influence, node: InfluenceEntry) -> Phrase:
    """Why a cell is opened or deduced: by clues, given known cells (if many, their number)."""
    cell = {"cell": node.cell}
    if node.kind == "choice":
        return Phrase("influence.choice", cell)
    if node.kind == "told":
        return Phrase("influence.told", cell)
    if node.kind == "flood":
        return Phrase("influence.flood", cell | {"zero": node.parents[0]})
    known = node.parents[node.clues :]
    clues = [_clue(influence, clue) for clue in node.parents[: node.clues]]
    if node.count_used:
        clues.append(Phrase("clue.count"))
    many = Phrase("influence.known", {"known": len(known)})
    cells = list(known) if len(known) <= _NAMED else many
    verdict = {"mine": node.kind == "mine", "claimed": influence.claimed}
    about = {"clues": clues, "known": known, "cells": cells}
    return Phrase("influence.deduced", cell | verdict | about)


def _clue(influence: Influence, cell: Cell) -> Phrase:
    state, about = influence.view.state(cell), {"at": cell, "start": False}
    if is_clue(state):
        return Phrase("clue.number", about | {"number": state})
    return Phrase("clue.none", about)


_NAMED = 4
"""The most known cells that are named."""
