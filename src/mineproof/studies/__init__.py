"""Studies: grids of games that are run, stored, plotted and compared with published figures.

`get(name)` returns a study of the catalogue; `Study.from_toml` and `Study.from_dict` read your own.
`run(study, out)` plays a study on all cores and returns its folder.
"""

from __future__ import annotations

from mineproof.deprecated import renamed_in
from mineproof.messages.study_files import Block, Plot
from mineproof.studies.catalogue import get, names
from mineproof.studies.grid import Point
from mineproof.studies.spec import Study
from mineproof.studies.study_folder import StudyResults, open_folder
from mineproof.studies.study_run import run

__all__ = ["Block", "Plot", "Point", "Study", "StudyResults", "get", "names", "open_folder", "run"]

__getattr__ = renamed_in(__name__, {"Folder": "StudyResults"})
