"""A session answers requests, each by the function of its method."""

from __future__ import annotations

from typing import Any

from mineproof.messages.requests import SOLVER
from mineproof.protocol.error_responses import error_answer
from mineproof.protocol.heads import head, names_in, read_request, version_of
from mineproof.protocol.methods import METHODS
from mineproof.protocol.session_state import SessionState


class Session(SessionState):
    """Answers requests one after the other; do not use it in several threads at once."""

    def answer(self, message: Any) -> dict[str, Any]:
        """Return the response to a request; errors are responses, too.

        Only exceptions that end a program are raised: KeyboardInterrupt and SystemExit.
        """
        try:
            method, request = read_request(message, SOLVER)
            response = METHODS[method](self, request)
        except Exception as error:
            return error_answer(message, error)
        if method == "hello" and version_of(message) == 1:
            response = _in_version_1(response)
        return head(message) | response


def _in_version_1(hello: dict[str, Any]) -> dict[str, Any]:
    """Return the response to `hello` as version 1 of the protocol has it."""
    names = names_in(1, hello["methods"])
    fields = dict(zip(names, hello["fields"].values(), strict=True))
    old = hello | {"protocol": 1, "methods": names, "fields": fields}
    return {"verbs" if name == "methods" else name: value for name, value in old.items()}
