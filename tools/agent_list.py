"""Write the web app's list of agents from the table of agents (part of `make docs`)."""

from __future__ import annotations

import json

from mineproof.agents import RECIPES
from mineproof.web.app import STATIC

PAGE_LIST = STATIC / "agents.json"


def listed() -> str:
    """What the web app says about each agent, by name."""
    agents = {name: {"title": one.title, "about": one.about} for name, one in RECIPES.items()}
    return json.dumps(agents, indent=2) + "\n"


if __name__ == "__main__":
    if not PAGE_LIST.exists() or PAGE_LIST.read_text(encoding="utf-8") != listed():
        PAGE_LIST.write_text(listed(), encoding="utf-8")
        print(f"wrote {PAGE_LIST.name}")
