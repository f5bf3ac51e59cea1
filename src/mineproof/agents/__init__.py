"""Agents: recipes of reasoners and a guesser, in one table; and those of your own.

`get("baseline")` gives an agent by name; options follow a colon, as in
`get("baseline:naive=true")`; `get("module:Name")`, `get("file.py:Name")` and
`get("engine:./solver")` are of your own. `names()` lists those that have names.
"""

from __future__ import annotations

from mineproof.agents.contract import Agent, Decision, Player
from mineproof.agents.named import as_agent, get, names
from mineproof.agents.recipes import Recipe
from mineproof.agents.table import RECIPES

__all__ = ["RECIPES", "Agent", "Decision", "Player", "Recipe", "as_agent", "get", "names"]
