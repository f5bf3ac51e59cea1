"""Regenerate the golden games."""

from __future__ import annotations

import mineproof as mp
from tests.agents.test_agents import GOLDEN, transcript

for name in mp.agents.names():
    (GOLDEN / f"{name}.txt").write_text(transcript(name))
