"""Texts from outside, before they reach a terminal, a log, XML or a page.

A name in a file, a path, the reason of somebody's agent: any of these may hold what a terminal
obeys (escape sequences), what turns the direction of writing round, half a character, or what no
XML may hold. Here such characters are written out, and this is the one place that decides which.
"""

from __future__ import annotations

from html import escape as _escape


def printable(text: str, *, lines: bool = False) -> str:
    r"""The text with everything that does not just show a character written out, as `\x1b`.

    With `lines` its lines stay lines and its tabs tabs.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if lines else ""
    return "".join(
        each if each.isprintable() or each in kept else repr(each)[1:-1] for each in text
    )


def escape(text: str, *, quote: bool = True) -> str:
    """The same inside of XML and HTML, quotes too where it may stand in an attribute."""
    return _escape(printable(text, lines=True), quote)
