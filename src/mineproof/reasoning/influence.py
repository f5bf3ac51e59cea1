"""The chain of influence: the earlier cells that each known cell of a game rests on.

It is a directed acyclic graph of cells. An arrow leads from a cell to one that became known because
of it; following the arrows back ends at cells that were opened by choice.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args
from xml.etree import ElementTree as Xml

from msgspec.structs import asdict

from mineproof.arguments import each, of_type
from mineproof.errors import FormatError, InvalidInput, MineproofError, plural, quote
from mineproof.formats.labelled_json import decode_labelled
from mineproof.messages.files import InfluenceEntry, InfluenceFile, Kind
from mineproof.phrases import say
from mineproof.printable import printable
from mineproof.world.geometry import Cell, as_cell, name_cell, name_cells
from mineproof.world.view import View, is_clue


@dataclass(frozen=True)
class Influence:
    """The chain of influence of one game.

    `view` is the final view of the player; `nodes` are the known cells in the order in which they
    became known, each after all its parents. If they are `claimed`, an agent that is not sound
    deduced them, so their parents need not prove them.
    """

    view: View
    nodes: tuple[InfluenceEntry, ...]
    claimed: bool = False

    def __post_init__(self) -> None:
        earlier: set[Cell] = set()
        of_type(self.view, View, "view")
        for node in each(self.nodes, InfluenceEntry, "nodes"):
            self.view.grid.index(node.cell)
            late = next((cell for cell in node.parents if cell not in earlier), None)
            if node.cell in earlier or late is not None:
                twice = "appears twice"
                what = twice if late is None else f"rests on {name_cell(late)}, which comes later"
                raise InvalidInput(f"cell {name_cell(node.cell)} {what}")
            earlier.add(node.cell)

    def __contains__(self, cell: Cell) -> bool:
        """Whether a cell became known in the game."""
        return cell in self._places

    def __repr__(self) -> str:
        number, chain = plural(len(self.nodes), "cell"), len(self.longest)
        return f"<influence of {number}: longest chain {chain}, width {self.width}>"

    def __str__(self) -> str:
        """The summary in words, wrapped at 80 columns."""
        return "\n".join(part for line in self.words() for part in textwrap.wrap(line, 80))

    def words(self) -> list[str]:
        """Return a summary in lines: reasons of cells, the longest chain, the reach of clues."""
        kinds = Counter(node.kind for node in self.nodes)
        named = [
            say("influence.kind", number=kinds[kind], kind=name, claimed=self.claimed)
            for kind in get_args(Kind)
            for name in ("rule" if kind == "told" else kind,)
            if kinds[kind]
        ]
        chain, reach = self.longest, list(self.reach.values())
        about = {"known": len(self.nodes), "kinds": len(named), "named": ", ".join(named)}
        lines = [
            say("influence.cells", **about),
            say("influence.longest", cells=len(chain), depth=max(len(chain) - 1, 0)),
            f"  {name_cells(chain, ' > ')}",
            say("influence.width", cells=self.width),
        ]
        if reach:
            average = sum(reach) / len(reach)
            lines.append(say("influence.reach", average=average, most=max(reach)))
        return [*lines, say("influence.choices", cells=name_cells(self.choices))]

    def node(self, cell: Cell) -> InfluenceEntry:
        """Return the node of a known cell."""
        place = self._places.get(as_cell(cell))
        if place is None:
            raise InvalidInput(f"cell {quote(cell)} did not become known in this game")
        return self.nodes[place]

    def parents(self, cell: Cell) -> list[Cell]:
        """The cells that a cell rests on directly."""
        return list(self.node(cell).parents)

    def ancestors(self, cell: Cell) -> list[Cell]:
        """All cells that a cell rests on, in the order in which they became known."""
        found: set[Cell] = set()
        walk = [cell]
        while walk:
            for parent in self.node(walk.pop()).parents:
                if parent not in found:
                    found.add(parent)
                    walk.append(parent)
        return sorted(found, key=self._places.__getitem__)

    def depth(self, cell: Cell) -> int:
        """The number of steps on the longest path from a choice to a cell; 0 for a choice."""
        return self.depths[self.node(cell).cell]

    @cached_property
    def depths(self) -> dict[Cell, int]:
        """The depth of every known cell."""
        found: dict[Cell, int] = {}
        for node in self.nodes:
            found[node.cell] = 1 + max((found[cell] for cell in node.parents), default=-1)
        return found

    @cached_property
    def longest(self) -> list[Cell]:
        """A longest chain, starting at a choice; of several, the one that became known first."""
        if not self.nodes:
            return []
        return self.chain_to(max(self.depths, key=self.depths.__getitem__))

    def chain_to(self, cell: Cell) -> list[Cell]:
        """The longest path from a choice to a cell, inclusive; of several, the one known first."""
        chain = [self.node(cell).cell]
        while parents := self.parents(chain[-1]):
            chain.append(max(parents, key=lambda cell: (self.depths[cell], -self._places[cell])))
        return chain[::-1]

    @cached_property
    def widths(self) -> list[int]:
        """The number of cells at each depth."""
        at = Counter(self.depths.values())
        return [at[depth] for depth in range(max(at, default=-1) + 1)]

    @property
    def width(self) -> int:
        """The largest number of cells at one depth."""
        return max(self.widths, default=0)

    @cached_property
    def reach(self) -> dict[Cell, int]:
        """How far the influence of each clue extends.

        The distance in king moves to the farthest cell that rests on the clue; 0 if none does.
        """
        boxes = {node.cell: (*node.cell, *node.cell) for node in self.nodes}
        for node in reversed(self.nodes):
            for parent in node.parents:
                boxes[parent] = _join(boxes[parent], boxes[node.cell])
        return {
            (row, col): max(row - top, col - left, bottom - row, right - col)
            for (row, col), (top, left, bottom, right) in boxes.items()
            if is_clue(self.view.state((row, col)))
        }

    @property
    def choices(self) -> list[Cell]:
        """The cells that were opened or flagged by choice, in order."""
        return [node.cell for node in self.nodes if node.kind == "choice"]

    def to_json(self) -> dict[str, Any]:
        """Return the graph and its measurements as JSON data."""
        return {
            "format": InfluenceFile.__struct_config__.tag,
            "view": self.view.to_text(),
            "longest": self.longest,
            "width": self.width,
            "choices": self.choices,
            **({"claimed": True} if self.claimed else {}),
            "nodes": [
                {
                    **asdict(node),
                    "depth": self.depths[node.cell],
                    "reach": self._reach(node),
                }
                for node in self.nodes
            ],
        }

    @classmethod
    def from_json(cls, data: str | dict[str, Any]) -> Influence:
        """Read a graph from JSON text or data."""
        file = decode_labelled(InfluenceFile, data, "a chain of influence")
        try:
            return cls(View.from_text(file.view), file.nodes, file.claimed)
        except MineproofError as error:
            raise FormatError(f"in a chain of influence: {error}") from None

    def to_graphml(self) -> str:
        """Return the graph as GraphML, for networkx, Gephi, yEd and others."""
        root = Xml.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
        for name, kind in _ATTRIBUTES.items():
            key = {"id": name, "for": "node", "attr.name": name, "attr.type": kind}
            Xml.SubElement(root, "key", key)
        graph = Xml.SubElement(root, "graph", id="influence", edgedefault="directed")
        for node in self.nodes:
            self._to_xml(Xml.SubElement(graph, "node", id=_name(node.cell)), node)
        for node in self.nodes:
            for parent in node.parents:
                Xml.SubElement(graph, "edge", source=_name(parent), target=_name(node.cell))
        Xml.indent(root)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, "unicode")}\n'

    def to_svg(self, *, clues: bool = False) -> str:
        """Draw the depth of every cell as colour and number, with arrows along a longest chain.

        With `clues`, the corner of each cell shows its clue.
        """
        from mineproof.render import depth_svg

        return depth_svg(self.view, self.depths, self.longest, clues=clues)

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; None if the board is too large for one."""
        from mineproof.render.notebook import if_small

        return if_small(self.view.grid, self.to_svg)

    @cached_property
    def _places(self) -> dict[Cell, int]:
        return {node.cell: place for place, node in enumerate(self.nodes)}

    def _reach(self, node: InfluenceEntry) -> int | None:
        return self.reach.get(node.cell)

    def _to_xml(self, element: Xml.Element, node: InfluenceEntry) -> None:
        row, col = node.cell
        values: dict[str, Any] = {"row": row, "col": col, "kind": node.kind}
        values |= {"rule": node.rule or None, "clues": node.clues}
        values |= {"count_used": str(node.count_used).lower()}
        values |= {"depth": self.depths[node.cell], "reach": self._reach(node)}
        for name, value in values.items():
            if value is not None:
                Xml.SubElement(element, "data", key=name).text = printable(str(value))


_ATTRIBUTES = {
    "row": "int",
    "col": "int",
    "kind": "string",
    "rule": "string",
    "clues": "int",
    "count_used": "boolean",
    "depth": "int",
    "reach": "int",
}

_Box = tuple[int, int, int, int]


def _join(one: _Box, other: _Box) -> _Box:
    """The smallest box around two boxes: top, left, bottom, right."""
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _name(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"
