"""Read boards from screenshots, cell by cell; an uncertain cell is an error, never a guess."""

from __future__ import annotations

from mineproof.screenshots.board_reader import LEAST, ReadBoard, read
from mineproof.screenshots.picture_files import is_picture
from mineproof.screenshots.skins import SKINS

__all__ = ["LEAST", "SKINS", "ReadBoard", "is_picture", "read"]
