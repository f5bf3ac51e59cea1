"""Deprecated public names still work, with a warning that gives the new name."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof import render, studies


def test_old_methods_work_with_a_warning() -> None:
    grid = mp.Grid(3, 4)
    with pytest.warns(DeprecationWarning, match=r"around\(\) is now called neighbours\(\)"):
        assert grid.around(0) == grid.neighbours(0) == (1, 4, 5)
    with pytest.warns(DeprecationWarning, match="neighbour_count"):
        assert grid.degree(5) == 8
    with pytest.warns(DeprecationWarning, match="border"):
        assert list(grid.rim()) == list(grid.border())


def test_old_arguments_work_with_a_warning() -> None:
    heard: list[int] = []
    with pytest.warns(DeprecationWarning, match="'told' of solve.. is now called 'on_progress'"):
        old = mp.solve(2, 3, 1, told=heard.append)  # type: ignore[call-arg]
    assert old == mp.solve(2, 3, 1, on_progress=heard.append)
    with pytest.warns(DeprecationWarning, match="on_progress"):
        list(mp.generate(2, 3, 1, told=lambda given, tried: None))  # type: ignore[call-arg]


def test_old_names_in_modules_work_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="studies.Folder is now called StudyResults"):
        assert studies.Folder is studies.StudyResults
    with pytest.warns(DeprecationWarning, match="side_by_side"):
        assert render.beside is render.side_by_side
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        studies.nothing  # noqa: B018
