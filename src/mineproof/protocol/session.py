"""A session answers requests, each by the function of its method."""

from __future__ import annotations

from typing import Any

from mineproof.protocol.conversation import Conversation
from mineproof.protocol.faults import error_answer
from mineproof.protocol.fields import read_fields
from mineproof.protocol.heads import head, read_verb
from mineproof.protocol.verbs import VERBS


class Session(Conversation):
    """Answers requests one after the other; do not use it in several threads at once."""

    def answer(self, message: Any) -> dict[str, Any]:
        """Return the response to a request; errors are responses, too.

        Only exceptions that end a program are raised: KeyboardInterrupt and SystemExit.
        """
        try:
            verb = VERBS[read_verb(message, VERBS)]
            told = verb.answer(self, **read_fields(message, verb.fields))
        except Exception as error:
            return error_answer(message, error)
        return head(message) | told
