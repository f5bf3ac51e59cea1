"""Make text from outside safe for a terminal, a log, XML or a web page.

A name in a file, a path or the reason of a user's agent may contain escape sequences, characters
that reverse the writing direction, lone surrogates, or characters that XML does not allow. This
module decides which characters are unsafe, and replaces them by visible escapes.
"""

from __future__ import annotations

from html import escape as _escape


def printable(text: str, *, lines: bool = False) -> str:
    r"""Return the text with unprintable characters replaced by escapes such as `\x1b`.

    With `lines`, newlines and tabs are kept.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if lines else ""
    return "".join(
        each if each.isprintable() or each in kept else repr(each)[1:-1] for each in text
    )


def escape(text: str, *, quote: bool = True) -> str:
    """Return the text safe for XML and HTML; with `quote`, also inside attributes."""
    return _escape(printable(text, lines=True), quote)
