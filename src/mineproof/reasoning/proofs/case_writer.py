"""Words for arguments by cases."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.phrases import Phrase
from mineproof.reasoning.proofs.namer import Namer, are_apart
from mineproof.reasoning.proofs.statements import COUNT, CaseLine, CaseLineKind


def argument(namer: Namer, lines: Sequence[CaseLine]) -> Phrase:
    """The lines of one case, up to its contradiction or split; the namer knows the assumption."""
    forced: list[Phrase] = []
    while (line := lines[len(forced)]).what == CaseLineKind.FORCE:
        settled = dict.fromkeys(line.cells, line.mine)
        verdict, clue = namer.verdict(settled), namer.name(line.clues[0])
        forced.append(Phrase("case.force", {"verdict": verdict, "clue": clue}))
        namer.learn(settled)
    clash = line.what == CaseLineKind.CLASH
    end = _clash(namer, line) if clash else _split(namer, lines[len(forced) :])
    for last, first in enumerate(reversed(forced)):
        end = Phrase("case.then", {"first": first, "last": clash and not last, "then": end})
    return end


def _split(namer: Namer, lines: Sequence[CaseLine]) -> Phrase:
    """A cell that may be a mine or safe: both lead to a contradiction."""
    (cell,), depth = lines[0].cells, lines[0].depth
    second = next(
        n
        for n, line in enumerate(lines)
        if n and (line.what, line.depth) == (CaseLineKind.ASSUME, depth)
    )
    mine, safe = (
        argument(namer.supposing(cell, lines[start].mine), lines[start + 1 : end])
        for start, end in ((0, second), (second, len(lines)))
    )
    return Phrase("case.split", {"cell": namer.at(cell), "mine": mine, "safe": safe})


def _clash(namer: Namer, line: CaseLine) -> Phrase:
    """How clues are contradicted."""
    clues, signs = line.clues, line.signs
    if len(clues) == 1:
        return _single_clash(namer, clues[0])
    if clues[-1] != COUNT or len(set(signs[:-1])) > 1 or signs[0] == signs[-1]:
        named = list(map(namer.name, clues))
        equation = namer.equation(clues, signs)
        return Phrase("case.sum", {"clues": named, "equation": equation})
    left = namer.left(COUNT).low
    about = {"clues": list(map(namer.name, clues[:-1])), "left": left}
    parts = [namer.left(clue) for clue in clues[:-1]]
    needed = sum(part.low for part in parts)
    if are_apart(parts) and needed > left:
        return Phrase("case.count-needs", about | {"needed": needed})
    return Phrase("case.count-sum", about | {"equation": namer.equation(clues, signs)})


def _single_clash(namer: Namer, clue: int) -> Phrase:
    """How one clue is contradicted."""
    allowed, (mines, room) = namer.statement(clue).allowed, namer.extremes(clue)
    seen = 0 if clue == COUNT else len(namer.hit(clue))
    name = {"clue": namer.name(clue)}
    if mines >= allowed.bit_length():
        over = Phrase("case.over", name | {"mines": mines + seen})
        return Phrase("case.count-over") if clue == COUNT else over
    if (1 << room + 1) - 1 & allowed:
        return Phrase("case.wrong", name)
    under = Phrase("case.under", name | {"mines": room + seen})
    return Phrase("case.count-under") if clue == COUNT else under
