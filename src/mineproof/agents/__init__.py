"""Agents: recipes of reasoners and a guesser, in one table.

`get("baseline")` gives an agent by name; options follow a colon, as in
`get("baseline:naive=true")`. `names()` lists them.
"""

from __future__ import annotations

from mineproof.agents.adapter import as_agent
from mineproof.agents.contract import Agent, Decision, Player
from mineproof.agents.recipes import Recipe
from mineproof.agents.table import RECIPES, get, names

__all__ = ["RECIPES", "Agent", "Decision", "Player", "Recipe", "as_agent", "get", "names"]
