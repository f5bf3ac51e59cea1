"""Messages answered: each by the function of its verb."""

from __future__ import annotations

from typing import Any

from mineproof.errors import InvalidInput, quoted, unknown_name
from mineproof.protocol.conversation import Conversation
from mineproof.protocol.faults import addressed, error_answer
from mineproof.protocol.fields import read_fields
from mineproof.protocol.verbs import VERBS


class Session(Conversation):
    """Answers messages, one after the other. Not for several threads at once."""

    def answer(self, message: Any) -> dict[str, Any]:
        """The answer to a message; what goes wrong is an answer, too.

        Only what stops a program (Ctrl-C, the end of the process) is raised.
        """
        try:
            if not isinstance(message, dict):
                raise InvalidInput(f"a message is an object, got {quoted(message)}")
            name = message.get("do")
            if not isinstance(name, str):
                raise InvalidInput("a message says what to do: {'do': VERB, ...}")
            if name not in VERBS:
                raise unknown_name("verb", name, (*VERBS, *self.transport))
            verb = VERBS[name]
            told = verb.answer(self, **read_fields(message, verb.fields))
        except Exception as error:
            return error_answer(message, error)
        return addressed(message) | told
