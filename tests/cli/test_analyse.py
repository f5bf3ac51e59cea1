"""`mineproof analyse` shows odds, certain cells and best moves, and marks contradictions."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.cells import cell_len
from rich.color import Color

import mineproof as mp
from mineproof import render
from mineproof._engine import is_native
from mineproof.cli import main
from mineproof.reasoning import posterior as engine
from mineproof.render.appearance import MINE, RISKS, weighed
from mineproof.render.palette import PAINTS
from mineproof.world.view import KNOWN_SAFE, View
from tests.replayed import replayed

from .test_cli import MINEPROOF, Terminal, ok, refused

SVG = "{http://www.w3.org/2000/svg}"

ONE_TWO_ONE = "2x3/2 ???/121"
FLAGGED = "4x6 ?F??1F/1???2s/??F?2?/02??*?"
EXPERT = mp.play(
    mp.Deal(16, 30, 99), "baseline", rules=mp.Rules(opening="clear", on_mine="continue"), seed=5
)


def expert_view(moves: int = 60) -> View:
    for number, (_, _, view) in enumerate(replayed(EXPERT)):
        if number == moves:
            return view
    raise AssertionError("the game was shorter")


def analysed(path: Path, rows: int, cols: int) -> Terminal:
    """A terminal whose size the environment does not override."""
    size = {"LINES": str(rows), "COLUMNS": str(cols)}
    return Terminal("analyse", str(path), rows=rows, cols=cols, **size)


@pytest.fixture
def said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):  # a function that returns what is printed for a view
    def run(view: str, *options: str) -> str:
        (tmp_path / "view.txt").write_text(view)
        return ok(capsys, "analyse", str(tmp_path / "view.txt"), *options)

    return run


@pytest.fixture
def output(said):
    return lambda view, *options: json.loads(said(view, *options, "--json"))


@pytest.fixture
def clash(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """A function: the output and the one-line error for contradictory clues."""

    def run(view: str, *options: str) -> tuple[str, str]:
        (tmp_path / "view.txt").write_text(view)
        assert main(["analyse", str(tmp_path / "view.txt"), *options]) == 2
        out, err = capsys.readouterr()
        assert err.count("\n") == 1
        assert err.startswith("mineproof: no configuration of ")
        return out, err

    return run


# JSON


def test_one_two_one_is_deduced(output) -> None:
    data = output(ONE_TWO_ONE)
    assert data["risk"] == [[1, 0, 1], [None] * 3]
    assert (data["safe"], data["mined"]) == ([[0, 1]], [[0, 0], [0, 2]])
    assert data["best"] == [{"cell": [0, 1], "risk": 0}]
    assert (data["exact"], data["error"], data["assumed"]) == (True, 0, None)
    assert abs(data["log_weight"]) < 1e-9


def test_json_equals_the_posterior(output) -> None:
    view = expert_view()
    data, odds = output(view.to_text()), mp.posterior(view)
    risk = np.array([[math.nan if x is None else x for x in row] for row in data["risk"]])
    np.testing.assert_array_equal(risk, odds.risk)
    assert data["safe"] == [list(cell) for cell in odds.safe]
    assert data["mined"] == [list(cell) for cell in odds.mined]
    assert set(data) == {
        *("risk", "safe", "mined", "best", "exact", "error", "log_weight", "assumed"),
        "win",
    }


def test_best_moves_are_sorted_by_risk_then_hidden_neighbours_then_position(
    output,
) -> None:
    view = View.from_text("3x5/4 ?????/?1?3?/?????")
    odds = mp.posterior(view)

    def rank(cell: tuple[int, int]) -> tuple[float, int, int]:
        index = view.grid.index(cell)
        hidden = sum(view.states[other] == 9 for other in view.grid.neighbours(index))
        return round(float(odds.risk[cell]), 9), hidden, index

    expected = sorted(view.cells(9), key=rank)[:4]
    best = output(view.to_text(), "--top", "4")["best"]
    assert [tuple(one["cell"]) for one in best] == expected
    assert [one["risk"] for one in best] == [odds.risk[cell] for cell in expected]


def test_proved_moves_come_first_and_no_proved_mine_is_a_move(output) -> None:
    view = expert_view()
    odds = mp.posterior(view)
    best = [tuple(one["cell"]) for one in output(view.to_text(), "--top", "1000")["best"]]
    assert set(best[: len(odds.safe)]) == set(odds.safe)
    assert len(best) == len(view.cells(9, 10, 13)) - len(odds.mined)
    assert not set(best) & set(odds.mined)


def test_without_a_count_it_says_what_it_assumes(said, output) -> None:
    assert output("3x3 ???/?2?/???")["assumed"].startswith("every mine count is equally likely")
    assert "assumed: every mine count is equally likely" in said("3x3 ???/?2?/???")
    for options in (["--mines", "2"], ["--density", "0.2"]):
        assert output("3x3 ???/?2?/???", *options)["assumed"] is None
        assert "assumed" not in said("3x3 ???/?2?/???", *options)


def test_options_reach_the_engine(output) -> None:
    view = View.from_text("3x4 ?F??/?1??/????")
    optimistic = mp.posterior(view, mp.clues.Optimistic(), density=0.3, trust_flags=True)
    options = ["--clues", "optimistic", "--density", "0.3", "--trust-flags"]
    data = output(view.to_text(), *options)
    assert data["risk"][2][3] == optimistic.risk[2, 3]
    assert data["mined"] == [[0, 1]]
    assert output(view.to_text(), "--mines", "2")["risk"] == output("3x4/2 ?F??/?1??/????")["risk"]


def test_flags_are_marks_unless_trusted(said, output) -> None:
    assert output("1x3/1 F??")["mined"] == []
    assert output("1x3/1 F??", "--trust-flags")["mined"] == [[0, 0]]
    assert "flags are marks" in said("1x3/1 F??")
    assert "flags are marks" not in said("1x3/1 F??", "--trust-flags")


# Input


def test_a_view_is_read_from_standard_input_with_or_without_a_dash() -> None:
    for file in ([], ["-"]):
        done = subprocess.run(
            [*MINEPROOF, "analyse", *file, "--json"],
            input="???\n121\n",
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout)["safe"] == [[0, 1]]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", "", "expected rows of cells, got none"),
        ("???\n??", "", "expected 3 cells in row 1, got 2"),
        ("?z", "", "unknown character 'z' at (0,1)"),
        ("2x3/2 ???", "", "expected 2 rows, got 1"),
        (ONE_TWO_ONE, "--mines 3", "the text says 2 mines, but the given mine count is 3"),
        ("2x3 ???/121", "--mines 7", "7 mines do not fit"),
        (ONE_TWO_ONE, "--density 0.2", "a density of 0.2 was given, but the view has 2 mines"),
        ("???", "--density 2", "a density must be from 0 to 1, got 2"),
        ("???", "--density nan", "a density must be from 0 to 1, got nan"),
        ("???", "--top 0", "--top must be at least 1, got 0"),
        ("???", "--clues exat", "did you mean 'exact'"),
        ("???", "--svg no/such/folder/x.svg", "cannot write 'no/such/folder/x.svg'"),
    ],
)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, options: str, message: str
) -> None:
    (tmp_path / "view.txt").write_text(content)
    assert message in refused(capsys, "analyse", str(tmp_path / "view.txt"), *options.split())


def test_a_missing_file_or_argument_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "cannot read 'none.txt'" in refused(capsys, "analyse", "none.txt")
    monkeypatch.setattr(sys, "stdin", None)
    assert "no position given: type one, name a file or pipe one in" in refused(capsys, "analyse")
    assert "standard input is closed" in refused(capsys, "analyse", "-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    assert "not a text file" in refused(capsys, "analyse")


def test_a_position_may_be_typed_on_the_command_line(
    said, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of that name takes precedence."""
    output = ok(capsys, "analyse", "3x5/3 ?????/?12??/?????")
    assert output.startswith("3x5, 3 mines, exact clues")
    assert ok(capsys, "analyse", f"1x300/1 {'?' * 300}").startswith("1x300, 1 mine,")
    assert ok(capsys, "analyse", "../1.").startswith("2x2, mine count unknown")
    monkeypatch.chdir(tmp_path)
    Path("??").write_text("2x2/1 ??/1?")
    assert ok(capsys, "analyse", "??").startswith("2x2, 1 mine,")


def test_a_text_that_could_be_a_view_or_a_board_needs_an_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = refused(capsys, "analyse", ".../.*.")
    assert "could be a view (. is hidden) or a board (. is safe)" in error
    assert "--dots hidden or --dots safe" in error
    hidden = json.loads(ok(capsys, "analyse", ".../.*.", "--dots", "hidden", "--json"))
    assert hidden["safe"] == []
    safe = json.loads(ok(capsys, "analyse", ".../.*.", "--dots", "safe", "--json"))
    assert len(safe["safe"]) == 5


# Text output


def test_a_pipe_gets_plain_text(said) -> None:
    assert said(FLAGGED, "--top", "2").splitlines() == [
        "4x6, mine count unknown, exact clues",
        "     0   1   2   3   4   5",
        "0   33 F33  29  50   1 F50",
        "1    1  33  29   s   2   s",
        "2    s   s   F  50   2  50",
        "3    0   2   m   s   *[  s]",
        "two digits: risk in %   s safe   m mine   F flagged mine   [ ] best",
        "",
        "certainly safe (6): (1,3) (1,5) (2,0) (2,1) (3,3) (3,5)",
        "certainly mines (2): (2,2) (3,2)",
        "best moves:",
        "  (3,5)  safe",
        "  (1,5)  safe",
        "assumed: every mine count is equally likely, because none is given "
        "(see --mines and --density)",
        "flags are marks, not evidence; use --trust-flags to treat them as mines",
        "exact probabilities: every configuration was counted",
    ]


def test_a_guess_is_shown_with_its_risk(said) -> None:
    text = said("3x4/2 ????/1??1/????")
    assert "no cell is certain" in text
    assert "  (0,0)  20.00 %\n" in text
    assert "0 [20]20 20 20\n" in text


def test_where_nothing_is_hidden_it_says_so(said, output) -> None:
    assert "no cell is hidden" in said("2x2/0 00/00")
    assert "no cell is hidden" in said("1x2/1 1*")
    data = output("2x2/0 00/00")
    assert (data["risk"], data["best"]) == ([[None] * 2] * 2, [])


def test_where_every_hidden_cell_is_a_mine_there_is_no_move(said, output) -> None:
    assert "every hidden cell is a mine" in said("1x3/2 ?2?")
    assert output("1x3/2 ?2?")["best"] == []


@pytest.mark.skipif(not is_native(), reason="the Python engine has no budget")
def test_an_estimate_is_marked_as_one(said, output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "posterior", partial(mp.posterior, budget=1))
    text = expert_view().to_text()
    assert "estimated probabilities: too many cases to count; standard errors up to" in said(text)
    data = output(text)
    assert not data["exact"]
    assert data["error"] >= 0


def test_a_pipe_gets_a_large_board_whole_and_a_short_list_of_certain_cells(said) -> None:
    rows = ["0" * 50, "s" * 50]
    lines = said("\n".join(rows), "--mines", "0").splitlines()
    assert lines[3].count("s") == 50
    (certain,) = (line for line in lines if line.startswith("certainly safe (50)"))
    assert certain.endswith("(1,10) and 39 more")


# Contradictions


def test_contradictory_clues_are_marked_on_the_board(clash) -> None:
    out, err = clash("3x8 ?1?4???3/????0???/????????", "--mines", "4")
    assert out.splitlines() == [
        "   0  1  2  3  4  5  6  7",
        "0  ? [1] ? [4] ?  ?  ?  3",
        "1  ?  ?  ?  ?  0  ?  ?  ?",
        "2  ?  ?  ?  ?  ?  ?  ?  ?",
        "[ ] these clues contradict each other",
    ]
    assert "the clues at (0,1)=1 and (0,3)=4 contradict each other" in err


def test_adjacent_contradictory_clues_have_separate_brackets() -> None:
    drawn = render.draw_clash(View.from_text("2x3 ?12/???"), [(0, 1), (0, 2)], ascii_only=True)
    assert drawn.plain.split("\n")[1] == "0  ? [1][2]"


def test_a_contradiction_with_the_count_says_so(clash) -> None:
    out, err = clash("3x4/9 ????/1??1/????")
    assert "this clue is impossible with 9 mines" in out
    assert out.count("[1]") == 1
    assert "given the mine count" in err


def test_a_contradiction_without_clues_shows_the_board(clash) -> None:
    out, _ = clash("2x3/1 FF?/???", "--trust-flags")
    assert out.splitlines()[1:] == ["0  F  F  ?", "1  ?  ?  ?"]


def test_a_contradiction_in_json(clash, tmp_path: Path) -> None:
    out, _ = clash("2x3/2 ???/141", "--json", "--svg", str(tmp_path / "odds.svg"))
    assert json.loads(out) == {"contradiction": {"clues": [[1, 1]], "count_used": False}}
    assert not (tmp_path / "odds.svg").exists()


# Heat maps


def test_a_cell_looks_certain_only_if_it_is_proved() -> None:
    class Odds:
        view = View.hidden(1, 8)
        risk = np.array([[1e-12, 0.0, 0.0099, 0.0101, 0.126, 0.999, 1.0, 1.0 - 1e-12]])
        safe = [(0, 1)]
        mined = [(0, 6)]

    percent = [RISKS[0], KNOWN_SAFE, RISKS[0], RISKS[1], RISKS[13], RISKS[99], MINE, RISKS[99]]
    assert list(weighed(Odds())) == percent
    drawn = render.draw_odds(Odds(), ascii_only=True).plain
    assert drawn.split("\n")[1].split() == ["0", "<1", "s", "<1", "01", "13", "99", "m", "99"]


def test_every_risk_has_its_own_colour_from_cool_to_hot() -> None:
    grounds = [PAINTS[look].ground for look in RISKS]
    assert len(set(grounds)) == len(grounds)
    assert {PAINTS[look].ink for look in RISKS} == {PAINTS[RISKS[0]].ink}
    cool, hot = (Color.parse(grounds[i]).get_truecolor() for i in (0, -1))
    assert cool.blue > cool.red
    assert hot.red > hot.blue


@pytest.mark.parametrize("ascii_only", [True, False])
def test_all_cells_of_a_drawing_are_equally_wide(ascii_only: bool) -> None:
    for text in (FLAGGED, ONE_TWO_ONE):
        odds = mp.posterior(View.from_text(text))
        drawn = render.draw_odds(odds, marked=odds.safe[0], ascii_only=ascii_only).plain
        _, *lines = drawn.split("\n")
        assert len({cell_len(line) for line in lines}) == 1
        assert drawn.count("[") == drawn.count("]") == 1
        assert drawn.isascii() is ascii_only


def test_a_window_shows_the_best_move_and_fits_the_terminal() -> None:
    odds = mp.posterior(View.hidden(100, 100, 2000))
    drawn = render.draw_odds(odds, marked=(50, 60), room=(12, 40)).plain
    lines = drawn.split("\n")
    assert len(lines) == 12
    assert max(map(len, lines)) <= 40
    assert "[20]" in drawn
    assert " ".join(lines[-2:]) == "rows 46-54, columns 54-65 of a 100x100 board"
    whole = mp.posterior(View.hidden(11, 12, 20))
    assert render.draw_odds(whole, room=(12, 40)) == render.draw_odds(whole)


def test_on_a_terminal_there_are_colours_and_digits(tmp_path: Path) -> None:
    (tmp_path / "view.txt").write_text(expert_view().to_text(lines=True))
    terminal = analysed(tmp_path / "view.txt", 50, 100)
    text = terminal.read()
    assert terminal.process.wait() == 0
    assert text.startswith("16x30, 99 mines, exact clues")
    assert b"\x1b[1;38;" in terminal.raw
    assert "✓" in text
    assert "●" in text
    assert "of a 16x30 board" not in text


def test_only_a_part_of_a_very_large_board_is_shown(tmp_path: Path) -> None:
    (tmp_path / "view.txt").write_text(View.hidden(40, 200, 1600).to_text(lines=True))
    for size in ((40, 80), (24, 40), (3, 5)):
        terminal = analysed(tmp_path / "view.txt", *size)
        terminal.read()
        assert terminal.process.wait() == 0
        assert b"of a" in terminal.raw.replace(b"\r\n", b" ")


def test_no_color_and_limited_terminals_are_respected(tmp_path: Path) -> None:
    (tmp_path / "view.txt").write_text(FLAGGED)
    terminal = Terminal("analyse", str(tmp_path / "view.txt"), NO_COLOR="1")
    assert "⚑33" in terminal.read()
    assert b"[38;" not in terminal.raw
    assert b"[48;" not in terminal.raw
    poor = {"LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    terminal = Terminal("analyse", str(tmp_path / "view.txt"), **poor)
    assert "F33" in terminal.read()
    assert terminal.raw.isascii()


def test_a_contradiction_on_a_terminal_is_marked_and_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / "view.txt").write_text("2x3/2 ???/141")
    terminal = Terminal("analyse", str(tmp_path / "view.txt"))
    text = terminal.read()
    assert "[4]" in text
    assert "mineproof: no configuration of 2 mines is possible" in text
    assert terminal.process.wait() == 2


# Pictures


def test_a_picture_has_numbers_shapes_flags_a_frame_and_a_scale(said, tmp_path: Path) -> None:
    said(FLAGGED, "--svg", str(tmp_path / "odds.svg"))
    root = ElementTree.parse(tmp_path / "odds.svg").getroot()
    used = [use.attrib["href"] for use in root.iter(f"{SVG}use")]
    assert used.count("#mp-risk-33") == 3
    assert used.count("#mp-pin") == 3
    assert used.count("#mp-safe") == 6 + 1  # six cells, and one in the legend
    assert used.count("#mp-mine") == 2 + 1
    numbers = {
        group.attrib["id"]: "".join(group.itertext()) for group in root.findall(f"{SVG}defs/{SVG}g")
    }
    assert numbers["mp-risk-33"] == "33"
    assert {name.lstrip("#") for name in used} <= set(numbers)
    assert root.find(f".//{SVG}linearGradient") is not None
    assert root.findtext(f"{SVG}title") == "Minesweeper odds, 4 rows and 6 columns"
    assert root.findtext(f"{SVG}desc") == (
        "6 opened, 13 hidden, 1 known safe, 3 flagged, 1 exploded; unknown number of mines; "
        "6 proved safe, 2 proved mines; best move: row 3, column 5"
    )
    words = " ".join(text.text or "" for text in root.findall(f"{SVG}text"))
    assert words.startswith("best move (3,5): safe; no mine count given")


def test_a_picture_of_expert_odds_is_small_and_one_of_the_smallest_board_fits() -> None:
    assert len(render.odds_svg(mp.posterior(expert_view())).encode()) < 60_000
    root = ElementTree.fromstring(render.odds_svg(mp.posterior(View.hidden(1, 1, 1))))
    width, height = root.attrib["width"], root.attrib["height"]
    assert root.attrib["viewBox"] == f"0 0 {width} {height}"


def test_help_describes_the_json_and_imports_no_heavy_modules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert '"log_weight"' in ok(capsys, "analyse", "--help")
    code = "import sys; from mineproof.cli import main; main(['analyse', '-h'])"
    check = "assert not {'numpy', 'rich', 'mineproof.world.view'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", f"{code}; {check}"], check=True, capture_output=True)


GUESS = "4x4/4 01?1/12?1/??32/????"


@pytest.mark.skipif(not is_native(), reason="win probabilities are compiled")
def test_a_cell_is_shown_in_full_next_to_the_best_move(said, output) -> None:
    text = said(GUESS, "--cell", "0,2")
    assert text.splitlines()[-4:] == [
        "(0,2): mine probability 20.0 %",
        "  may show if opened: 1 (80.0 %)",
        "  win probability 40.0 % (exact) if you open it",
        "  best move: open (2,0), mine probability 40.0 %, win probability 60.0 % (exact)",
    ]
    data = output(GUESS, "--cell", "0,2")
    cell = data["cell"]
    assert cell["win"] == {"chance": 0.4, "error": 0, "exact": True, "interval": [0.4, 0.4]}
    assert cell["best"]["cell"] == data["best"][0]["cell"] == [2, 0]
    assert cell["best"]["win"] == data["win"]
    assert cell["shown"] == [{"clue": 1, "chance": pytest.approx(0.8)}]


@pytest.mark.skipif(not is_native(), reason="win probabilities are compiled")
def test_a_cell_has_an_expected_score_where_play_goes_on(said, output) -> None:
    assert "expected score 0.850 (exact)" in said(GUESS, "--cell", "0,2", "--on-mine", "continue")
    cell = output(GUESS, "--cell", "0,2", "--on-mine", "continue")["cell"]
    assert cell["win"] is None
    assert cell["score"]["mean"] == pytest.approx(0.85)


@pytest.mark.skipif(not is_native(), reason="win probabilities are compiled")
def test_an_estimate_of_a_cell_has_its_interval(said, output) -> None:
    view = (Path(__file__).parents[2] / "docs" / "images" / "position.txt").read_text()
    data = output(view, "--cell", "0,0", "--budget", "200")["cell"]
    for win in (data["win"], data["best"]["win"]):
        assert not win["exact"]
        assert win["interval"][0] < win["chance"] < win["interval"][1]
    text = said(view, "--cell", "0,0", "--budget", "200")
    assert f"win probability {100 * data['win']['chance']:.1f} % (estimate, 95 % CI " in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--cell 0,0", "(0,0) in '4x4/4 01?1/12?1/??32/????' is already open"),
        ("--cell 7,7", "cell (7,7) is outside the board"),
        ("--cell 0,2 --agent exact", "leave out --agent"),
        ("--on-mine continue", "--on-mine needs --cell"),
    ],
)
def test_an_invalid_cell_is_refused(
    capsys: pytest.CaptureFixture[str], options: str, message: str
) -> None:
    assert message in refused(capsys, "analyse", GUESS, *options.split())


def test_uncertain_clues_have_no_win_probability(said) -> None:
    text = said(GUESS, "--cell", "0,2", "--clues", "optimistic")
    why = "the clues are uncertain" if is_native() else "it needs the compiled engine"
    assert f"win probability not available: {why}" in text
