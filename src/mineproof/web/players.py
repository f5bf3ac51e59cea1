"""Owners of games: a local server has one player; otherwise each browser has its own games."""

from __future__ import annotations

import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from mineproof.web.settings import Settings

_COOKIE = "mineproof_player"
_FORM = re.compile(r"[\w-]{20,40}")
_YEARS = 5 * 365 * 24 * 3600


def of(connection: HTTPConnection) -> str:
    """Return the player: a secret in the browser's cookie, or a new one; "" on a local server."""
    settings: Settings = connection.app.state.settings
    if not settings.has_many_players:
        return ""
    known = connection.cookies.get(_COOKIE, "")
    return known if _FORM.fullmatch(known) else secrets.token_urlsafe(18)


def remember(connection: HTTPConnection, player: str, response: Response) -> None:
    """Store the player in a cookie of the browser."""
    if player and connection.cookies.get(_COOKIE) != player:
        secure = connection.url.scheme in {"https", "wss"}
        response.set_cookie(
            _COOKIE, player, max_age=_YEARS, httponly=True, samesite="strict", secure=secure
        )
