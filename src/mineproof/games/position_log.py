"""The full reasoning of an agent about one position, as in the log of a game."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.agents import Agent
from mineproof.agents.recipes import Recipe
from mineproof.errors import AgentFault, plural
from mineproof.games.guarded_player import start_player
from mineproof.games.playbyplay import describe_recipe, describe_rules, name_kind
from mineproof.games.reasoning_log import ReasoningLog
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.render import plain
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import name_cell
from mineproof.world.rules import Rules
from mineproof.world.view import FLAGGED, Event, View


def position_log(
    agent: Agent,
    view: View,
    *,
    rules: Rules = Rules(),
    clues: ClueModel = Exact(),
    seed: int = 0,
) -> Iterator[str]:
    """Yield lines: the equations, every step of reasoning, the deductions and the agent's move.

    Proved mines are flagged first; the log ends with the first move that is not a flag.
    """
    rules = rules.stated(dealt=False)
    mines = "an unknown number of mines" if view.mines is None else plural(view.mines, "mine")
    yield f"{agent.name} on a {view.rows}x{view.cols} position with {mines}"
    if isinstance(agent, Recipe):
        yield from describe_recipe(agent)
    yield f"clues: {clues}"
    yield f"rules: {describe_rules(rules)}"
    player = start_player(agent, view, rules=rules, clues=clues, seed=seed)
    knowledge = getattr(player, "knowledge", None)
    reasoning = (
        ReasoningLog(knowledge, player, in_game=False) if isinstance(knowledge, Knowledge) else None
    )
    steps: list[Entry] = []
    if reasoning is not None:
        reasoning.knowledge.report = lambda entry: steps.extend((*reasoning.follows(), entry))
        yield from plain(view).splitlines()
        yield "equations:"
        yield from (f"  {line}" for line in reasoning.equations())
    for number in range(view.grid.size + 1):
        move = player.decide()
        yield ""
        yield f"move {number + 1}"
        if reasoning is not None:
            yield from (f"  {line}" for line in (*steps, *reasoning.findings()))
            steps.clear()
        where = "" if move.action == "stop" else f" {name_cell(move.cell)}"
        yield f"  {move.action}{where}: {name_kind(move)}: {' '.join(move.reason.split())}"
        if move.action != "flag":
            return
        event = Event(move.cell, FLAGGED)
        player.observe([event])
        if reasoning is not None:
            reasoning.update([event])
    raise AgentFault("keeps setting flags and never opens a cell", agent.name)
