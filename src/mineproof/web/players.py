"""Whose games they are: one player's on one's own computer, else each browser's own."""

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
    """Who asks: a secret that the browser was given, or a new one; nothing where there is one."""
    settings: Settings = connection.app.state.settings
    if not settings.has_many_players:
        return ""
    known = connection.cookies.get(_COOKIE, "")
    return known if _FORM.fullmatch(known) else secrets.token_urlsafe(18)


def remember(connection: HTTPConnection, player: str, response: Response) -> None:
    """Let a browser say next time who it is."""
    if player and connection.cookies.get(_COOKIE) != player:
        secure = connection.url.scheme in {"https", "wss"}
        response.set_cookie(
            _COOKIE, player, max_age=_YEARS, httponly=True, samesite="strict", secure=secure
        )
