"""Messages answered: each by the function of its verb."""

from __future__ import annotations

from typing import Any

from mineproof.protocol.conversation import Conversation
from mineproof.protocol.faults import error_answer
from mineproof.protocol.fields import read_fields
from mineproof.protocol.heads import head, read_verb
from mineproof.protocol.verbs import VERBS


class Session(Conversation):
    """Answers messages, one after the other. Not for several threads at once."""

    def answer(self, message: Any) -> dict[str, Any]:
        """The answer to a message; what goes wrong is an answer, too.

        Only what stops a program (Ctrl-C, the end of the process) is raised.
        """
        try:
            verb = VERBS[read_verb(message, VERBS)]
            told = verb.answer(self, **read_fields(message, verb.fields))
        except Exception as error:
            return error_answer(message, error)
        return head(message) | told
