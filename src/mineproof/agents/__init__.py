"""Agents: built-in recipes of reasoners and a guesser, and your own agents.

`get("baseline")` returns an agent by name; options follow a colon, as in
`get("baseline:naive=true")`. `get("module:Name")`, `get("file.py:Name")` and
`get("engine:./solver")` load your own agents. `names()` lists the built-in agents and those
of installed packages.
"""

from __future__ import annotations

from mineproof.agents.base import Agent, Decision, Player
from mineproof.agents.builtin import RECIPES
from mineproof.agents.recipes import Recipe
from mineproof.agents.registry import as_agent, get, names

__all__ = ["RECIPES", "Agent", "Decision", "Player", "Recipe", "as_agent", "get", "names"]
