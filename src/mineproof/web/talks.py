"""Whoever asks, and what a conversation was about so far."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

from mineproof.errors import InvalidInput
from mineproof.web import limits
from mineproof.web.faults import Refused
from mineproof.web.jobs import is_remembered
from mineproof.web.turns import Lane

Answer = dict[str, Any]


class Memory:
    """What all conversations of a process remember, in bytes."""

    used = 0


class Talk:
    """A player, and what a conversation was about so far, if it has a memory."""

    def __init__(self, player: str, memory: Memory | None = None) -> None:
        self.player = player
        self.key = "" if memory is None else secrets.token_hex(8)
        self.told: list[str] = []
        """What an engine must hear to know what this conversation is about: messages as JSON."""
        self.named: Any = None
        """The cell that `go` named last: an answer may mean it without saying so."""
        self.lane = Lane.SMALL
        """What questions about the position that was set last may cost."""
        self.turn = asyncio.Lock()
        """Messages about what was said before are answered one after the other."""
        self._memory = memory or Memory()

    def before(self, message: Answer) -> list[str]:
        """What a message builds on."""
        return [] if _is_fresh(message) else self.told

    def check(self, message: Answer) -> None:
        """Refuse a message that is to be remembered where there is no more room for it."""
        if not is_remembered(message):
            return
        if len(self.told) >= limits.TOLD and not _is_fresh(message):
            raise InvalidInput(f"a conversation has at most {limits.TOLD} answers: begin a new one")
        size = len(_text(message))
        kept = sum(map(len, self.before(message)))
        if kept + size > limits.CONVERSATION:
            raise Refused(
                "large",
                f"a conversation remembers at most {limits.CONVERSATION} bytes, "
                f"got {kept} and {size} more: give the position as a view",
            )
        if self._memory.used + size > limits.CONVERSATIONS:
            raise Refused("busy", "all conversations together remember too much: try again later")

    def note(self, message: Answer, answer: Answer, lane: Lane) -> None:
        """Remember what was said, from where it began."""
        if message["do"] == "go":
            self.named = answer.get("cell")
        if not self.key or not is_remembered(message):
            return
        if _is_fresh(message):
            self.forget()
            self.lane = lane
        text = _text(message)
        self.told.append(text)
        self._memory.used += len(text)

    def forget(self) -> None:
        """The end of what was remembered."""
        self._memory.used -= sum(map(len, self.told))
        self.told.clear()


def _is_fresh(message: Answer) -> bool:
    """Whether it is about nothing that was said before."""
    return message["do"] == "new" or message.get("view") is not None


def _text(message: Answer) -> str:
    return json.dumps(message, separators=(",", ":"))
