"""Read boards from screenshots, cell by cell; an uncertain cell is an error, never a guess."""

from __future__ import annotations

from mineproof.screenshots.files import is_picture
from mineproof.screenshots.reading import LEAST, Reading, read
from mineproof.screenshots.skins import SKINS

__all__ = ["LEAST", "SKINS", "Reading", "is_picture", "read"]
