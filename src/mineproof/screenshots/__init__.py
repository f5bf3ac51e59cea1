"""Boards in pictures of a screen: read cell by cell, and never guessed in silence."""

from __future__ import annotations

from mineproof.screenshots.files import is_picture
from mineproof.screenshots.reading import LEAST, Reading, read
from mineproof.screenshots.skins import SKINS

__all__ = ["LEAST", "SKINS", "Reading", "is_picture", "read"]
