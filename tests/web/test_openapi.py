"""The OpenAPI description is true, and no request that it allows is an internal error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck

from mineproof.messages.game_requests import SERVER
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.schemas import request_schemas, response_schemas
from mineproof.web.openapi import describe

from .serving import Server, serving

schemathesis = pytest.importorskip(
    "schemathesis", reason="pip install schemathesis tries the API with all that it allows"
)

EXAMPLES = int(os.environ.get("MINEPROOF_EXAMPLES", "30"))


def test_a_name_has_one_meaning() -> None:
    _, requests = request_schemas(SERVER)
    _, responses = response_schemas(SERVER_RESPONSES)
    for name in requests.keys() & responses.keys():
        assert requests[name] == responses[name], name


def test_every_method_without_a_conversation_is_described() -> None:
    methods = {path.removeprefix("/api/") for path in describe()["paths"]}
    assert methods == {*SERVER} - {"new", "position", "show", "undo", "stop", "quit"}


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that thinks for at most a second per request."""
    with serving(
        tmp_path_factory.mktemp("store") / "games.sqlite", "--request-timeout", "1"
    ) as found:
        yield found


@pytest.mark.parametrize("path", describe()["paths"])
def test_no_request_that_it_allows_is_an_internal_error(quick_server: Server, path: str) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    api = schemathesis.openapi.from_dict(describe())

    @hypothesis.settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(case=api[path]["POST"].as_strategy())
    def ask(case: Any) -> None:
        case.call_and_validate(base_url=f"http://{quick_server.address}", checks=checks)

    ask()
