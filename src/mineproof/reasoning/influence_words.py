"""What one cell of a game rests on: the longest way to it, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mineproof.reasoning.influence import Influence, Node
from mineproof.world.geometry import Cell, name_cell, name_cells
from mineproof.world.view import HIDDEN, View, is_clue


def tell(influence: Influence, cell: Cell) -> Iterator[str]:
    """The steps to a cell, numbered as in its picture; cells that zeros opened share a line."""
    chain = influence.chain_to(cell)
    rests = len(influence.ancestors(cell))
    yield (
        f"{name_cell(cell)} rests on {rests} cell{'s' * (rests != 1)}; "
        f"the longest way to it has {len(chain)}:"
    )
    number = 1
    for flood, group in groupby(chain, key=lambda one: influence.node(one).kind == "flood"):
        cells = list(group)
        last = number + len(cells) - 1
        if flood and len(cells) > 1:
            yield f"{number}-{last}. Zeros open {name_cells(cells, ', ')}."
        else:
            for place, one in enumerate(cells):
                yield f"{number + place}. {_step(influence, influence.node(one))}"
        number = last + 1


def cell_svg(influence: Influence, cell: Cell) -> str:
    """A picture: what the cell rests on, clues in full size, steps along the longest way."""
    from mineproof.render import chain_svg

    seen, grid = influence.view, influence.view.grid
    chain = influence.chain_to(cell)
    shown = {grid.index(one) for one in influence.ancestors(cell)}
    states = bytes(state if i in shown else HIDDEN for i, state in enumerate(seen.states))
    nodes = map(influence.node, chain)
    clues = {clue for node in nodes for clue in node.parents[: node.clues]}
    return chain_svg(View(grid, states, seen.mines), chain, clues, tell(influence, cell))


def _step(influence: Influence, node: Node) -> str:
    where, shows = name_cell(node.cell), _shows(influence, node.cell)
    if node.kind == "choice":
        return f"{where} is opened by choice{shows}."
    if node.kind == "told":
        return f"{where} is safe by the opening rule{shows}."
    if node.kind == "flood":
        return f"{where} is opened by the zero at {name_cell(node.parents[0])}{shows}."
    verdict = "a mine" if node.kind == "mine" else "safe"
    return f"{where} is {verdict}, {_why(influence, node)}{shows}."


def _why(influence: Influence, node: Node) -> str:
    """The clues, with what they show; known cells by their number where there are many."""
    clues, known = node.parents[: node.clues], node.parents[node.clues :]
    named = ", ".join(f"{name_cell(clue)}{_number(influence, clue)}" for clue in clues)
    parts = [f"by {'the clue' if len(clues) == 1 else 'the clues'} {named}"] if clues else []
    if node.count_used:
        parts.append("by the mine count" if not parts else "and the mine count")
    if known:
        few = len(known) <= _NAMED
        parts.append(f"with {name_cells(known, ', ') if few else f'{len(known)} cells'} known")
    return " ".join(parts)


def _number(influence: Influence, cell: Cell) -> str:
    state = influence.view.state(cell)
    return f" = {state}" if is_clue(state) else ""


def _shows(influence: Influence, cell: Cell) -> str:
    state = influence.view.state(cell)
    return f"; it shows {state}" if is_clue(state) else ""


_NAMED = 4
"""Known cells that are named."""
