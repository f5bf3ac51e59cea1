"""The reports of studies, for the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mineproof.errors import unknown_name
from mineproof.studies.manifest import MANIFEST
from mineproof.studies.report import PAGE


class Studies:
    """The studies in a folder, by the names of their subfolders."""

    def __init__(self, place: Path | None) -> None:
        self._place = place

    def listed(self) -> list[dict[str, Any]]:
        """Return the name of every study, and whether its report is up to date."""
        return [
            {"study": folder.name, "ready": self.is_written(folder)} for folder in self._folders()
        ]

    def folder(self, name: str) -> Path:
        """Return the folder of a study; only listed studies are accepted."""
        found = {folder.name: folder for folder in self._folders()}
        if name not in found:
            raise unknown_name("study", name, found or ["none"])
        return found[name]

    @staticmethod
    def is_written(folder: Path) -> bool:
        """Whether the report exists and is up to date."""
        page, manifest = folder / PAGE, folder / MANIFEST
        return Studies.has_page(folder) and page.stat().st_mtime >= manifest.stat().st_mtime

    @staticmethod
    def has_page(folder: Path) -> bool:
        """Whether the report exists as a regular file (links could lead elsewhere)."""
        return (folder / PAGE).is_file() and not (folder / PAGE).is_symlink()

    def _folders(self) -> list[Path]:
        if self._place is None or not self._place.is_dir():
            return []
        return sorted(path.parent for path in self._place.glob(f"*/{MANIFEST}"))
