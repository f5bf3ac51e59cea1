"""Studies: grids of games that are run, stored, plotted and compared with published figures.

`get(name)` returns a study of the catalogue; `Study.from_toml` and `Study.from_dict` read your own.
`run(study, out)` plays a study on all cores and returns its folder.
"""

from __future__ import annotations

from mineproof.messages.study_files import Block, Plot
from mineproof.studies.catalogue import get, names
from mineproof.studies.grid import Point
from mineproof.studies.running import run
from mineproof.studies.spec import Study
from mineproof.studies.store import Folder, open_folder

__all__ = ["Block", "Folder", "Plot", "Point", "Study", "get", "names", "open_folder", "run"]
