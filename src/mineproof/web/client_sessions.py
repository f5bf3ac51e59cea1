"""Conversations: a client and what its later requests build on."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

from mineproof.errors import InvalidInput
from mineproof.phrases import say
from mineproof.protocol import method_of
from mineproof.web import limits
from mineproof.web.jobs import is_remembered
from mineproof.web.request_errors import RequestRefused
from mineproof.web.scheduling import Lane

Answer = dict[str, Any]


class SessionMemory:
    """The memory of all conversations of a process, in bytes."""

    used = 0


class ClientSession:
    """A player, and the earlier messages of a conversation if it has a memory."""

    def __init__(self, player: str, memory: SessionMemory | None = None) -> None:
        self.player = player
        self.key = "" if memory is None else secrets.token_hex(8)
        self.earlier: list[str] = []
        """The messages, as JSON, from which a solver can reconstruct the conversation."""
        self.named: Any = None
        """The cell that `go` named last, which `show` may refer to by null."""
        self.lane = Lane.SMALL
        """The lane of requests about the position that was set last."""
        self.turn = asyncio.Lock()
        """Held while a request that builds on earlier ones is answered."""
        self._memory = memory or SessionMemory()

    def before(self, message: Answer) -> list[str]:
        """Return the earlier messages that a message builds on."""
        return [] if _is_fresh(message) else self.earlier

    def check(self, message: Answer) -> None:
        """Raise an error if there is no room to remember a message."""
        if not is_remembered(message):
            return
        if len(self.earlier) >= limits.EARLIER_MESSAGES and not _is_fresh(message):
            raise InvalidInput(say("refusal.messages", most=limits.EARLIER_MESSAGES))
        size = len(_text(message))
        kept = sum(map(len, self.before(message)))
        if kept + size > limits.CONVERSATION:
            raise RequestRefused(
                "large",
                f"a conversation may have at most {limits.CONVERSATION} bytes, "
                f"got {kept} and {size} more: give the position as a view",
            )
        if self._memory.used + size > limits.CONVERSATIONS:
            raise RequestRefused(
                "busy", "the conversations of all clients take too much memory: try again later"
            )

    def note(self, message: Answer, answer: Answer, lane: Lane) -> None:
        """Remember a message if later ones may build on it."""
        if method_of(message) == "go":
            self.named = answer.get("cell")
        if not self.key or not is_remembered(message):
            return
        if _is_fresh(message):
            self.forget()
            self.lane = lane
        text = _text(message)
        self.earlier.append(text)
        self._memory.used += len(text)

    def forget(self) -> None:
        """Forget all messages."""
        self._memory.used -= sum(map(len, self.earlier))
        self.earlier.clear()


def _is_fresh(message: Answer) -> bool:
    """Whether a message does not build on earlier ones."""
    return method_of(message) == "new" or message.get("view") is not None


def _text(message: Answer) -> str:
    return json.dumps(message, separators=(",", ":"))
