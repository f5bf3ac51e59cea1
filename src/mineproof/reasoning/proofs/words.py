"""Proofs in words: each step so short that it can be checked by looking at the board."""

from __future__ import annotations

from collections.abc import Callable

from mineproof.reasoning.patterns import Reduced, pair_name
from mineproof.reasoning.proofs.case_words import CaseTeller
from mineproof.reasoning.proofs.names import Namer
from mineproof.reasoning.proofs.phrases import are_apart, capital, joined
from mineproof.reasoning.proofs.statements import COUNT, Inference, Kind


class Teller(Namer):
    """Tells the steps of one proof, in order: what one settles the next may use."""

    def tell(self, step: Inference) -> str:
        """A step in words."""
        words = _TOLD[step.kind](self, step)
        self._known.update(step.settled)
        return words

    def verdict(self, step: Inference) -> str:
        """What a step settles: `so (1,2) is safe and (1,3) is a mine`."""
        parts = []
        for mine, one, many in ((True, "a mine", "mines"), (False, "safe", "safe")):
            found = [cell for cell, is_mine in step.settled if is_mine == mine]
            if found:
                verb = f"is {one}" if len(found) == 1 else f"are {many}"
                parts.append(f"{self.cells(found)} {verb}")
        return "so " + " and ".join(parts)

    # One kind of step each.

    def by_clue(self, step: Inference) -> str:
        """One clue has all its mines, or needs all its cells."""
        clue = step.clues[0]
        cells, low, _, mines = self.left(clue)
        name = capital(self.name(clue))
        if not step.settled[0][1]:
            if not mines:
                return f"{name} has no mine around it, {self.verdict(step)}."
            has = "its mine" if len(mines) == 1 else f"its {len(mines)} mines"
            return f"{name} has {has} already, {self.cells(mines)}, {self.verdict(step)}."
        more = f" {low} more than {self.cells(mines)}" if mines else f" {low}"
        left = f"only {len(cells)} cell{'s' * (len(cells) > 1)} left"
        rest = "" if len(cells) == len(step.settled) else f", {self.cells(cells)}"
        return f"{name} needs{more} and has {left}{rest}, {self.verdict(step)}."

    def by_pattern(self, step: Inference) -> str:
        """Clues in a row along a wall."""
        numbers = [self.left(clue)[1] for clue in step.clues]
        shown = [self._view.states[clue] for clue in step.clues]
        less = "" if shown == numbers else ", less the mines they have,"
        return (
            f"The clues at {self.cells(step.clues)}{less} are a {'-'.join(map(str, numbers))} "
            f"along a wall, {self.verdict(step)}."
        )

    def by_two(self, step: Inference) -> str:
        """One clue has more mines than another leaves it in the cells they share."""
        one, two = step.clues
        cells, low, _, found = self.left(one)
        others, _, high, has = self.left(two)
        shared = [cell for cell in cells if cell in others]
        own = [cell for cell in cells if cell not in shared]
        more = " more" if found else ""
        both = self.cells(shared)
        pattern = self._pattern(one, two, low, high)
        if not own:
            its = f"all {low}{more} mines" if low > 1 else f"the mine{more and ' still missing'}"
            why = f"{its} of {self.name(one)} {'are' if low > 1 else 'is'} in {both}"
            end = f"and that is all that {self.name(two)} can have"
            return f"{pattern}{capital(why)}, {end}, {self.verdict(step)}."
        most = f"at most {high} of them" if high else "none of them"
        mines = f"{low}{more} mine{'s' * (low != 1)}"
        needs = f"{capital(self.name(one))} needs {mines}, {most} in {both}"
        rest = "" if all(mine for _, mine in step.settled) else self._spoken_for(one, two, own)
        already = f" (it has {self.cells(has)})" if has else ""
        return f"{pattern}{needs} by {self.name(two)}{already}{rest}, {self.verdict(step)}."

    def _spoken_for(self, one: int, two: int, own: list[int]) -> str:
        """Why two clues that overlap leave the second none beside what they share."""
        verb = "is a mine" if len(own) == 1 else "are mines"
        rest = f"{self.cells(own)} {verb}, and the rest of {self.at(one)} is all {self.at(two)} has"
        return f": {rest}"

    def _pattern(self, one: int, two: int, low: int, high: int) -> str:
        """The name of a pair of clues side by side, as players call it."""
        cells, others = (frozenset(self.left(clue).cells) for clue in (one, two))
        name = pair_name(self._view.grid, one, Reduced(low, cells), two, Reduced(high, others))
        return {"hole": "A 1-1 at a hole. ", "1-1": "A 1-1. ", "1-2": "A 1-2. "}.get(name or "", "")

    def by_sum(self, step: Inference) -> str:
        """Equations added and taken away."""
        added = [clue for clue, sign in zip(step.clues, step.signs, strict=True) if sign > 0]
        taken = [clue for clue, sign in zip(step.clues, step.signs, strict=True) if sign < 0]
        words = "Add " + joined([self.name(clue) for clue in added])
        if len(added) == 1:
            words = f"From {self.name(added[0])}"
        if taken:
            verb = "take away" if len(added) > 1 else "take"
            words += f", {verb} " if len(added) > 1 else f" {verb} "
            words += joined([self.name(clue) for clue in taken])
        return f"{words}: {self.equation(step.clues, step.signs)}, {self.verdict(step)}."

    def by_count(self, step: Inference) -> str:
        """The mine count, less what clues hold."""
        cells, left, _, mines = self.left(COUNT)
        total = f"{left} mine{'s' * (left != 1)}"
        found = f" besides the {len(mines)} found so far" if mines else ""
        count = f"{total} {'are' if left != 1 else 'is'} left{found}"
        if len(step.clues) == 1:
            if not left:
                return f"No mines are left{found}, {self.verdict(step)}."
            just = "just 1 cell for it" if left == 1 else f"just {len(cells)} cells for them"
            return f"{capital(count)}, and {just}, {self.verdict(step)}."
        taken = list(zip(step.clues[:-1], step.signs[:-1], strict=True))
        parts = [self.left(clue) for clue, _ in taken]
        if are_apart(parts) and all(sign < 0 for _, sign in taken):
            held = joined([f"{self._held(c, step)} around {self.name(c)}" for c, _ in taken])
            room = len(cells) - sum(len(part.cells) for part in parts)
            first, is_mine = step.settled[0]
            mine = is_mine == all(first not in part.cells for part in parts)
            end = f"the other {room} cells have them all" if mine else "none is left for the others"
            return f"{capital(count)}: {held}; {end}, {self.verdict(step)}."
        names = joined([f"{'less' if sign < 0 else 'plus'} {self.name(c)}" for c, sign in taken])
        equation = self.equation(step.clues, step.signs)
        return f"{capital(count)}; {names}: {equation}, {self.verdict(step)}."

    def _held(self, clue: int, step: Inference) -> str:
        _, low, high, _ = self.left(clue)
        if low == high:
            return str(low)
        settled = dict(step.settled)
        other = next(cell for cell in settled if cell not in self._statements[clue].cells)
        return f"at most {high}" if settled[other] else f"at least {low}"

    def by_cases(self, step: Inference) -> str:
        """The opposite leads to clues that cannot hold."""
        line = step.lines[0]
        supposed = "a mine" if line.mine else "safe"
        told = CaseTeller(self, {**self._known, line.cells[0]: line.mine}).tell(step.lines[1:])
        return f"If {self.at(line.cells[0])} were {supposed}: {told}; {self.verdict(step)}."


_TOLD: dict[Kind, Callable[[Teller, Inference], str]] = {
    Kind.CLUE: Teller.by_clue,
    Kind.PATTERN: Teller.by_pattern,
    Kind.SUBSET: Teller.by_two,
    Kind.PAIR: Teller.by_two,
    Kind.SUM: Teller.by_sum,
    Kind.COUNT: Teller.by_count,
    Kind.CASES: Teller.by_cases,
}
