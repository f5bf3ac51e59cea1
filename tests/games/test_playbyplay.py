"""The play-by-play logs all that the reports' logs do, during the game, for any agent."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

import mineproof as mp
from mineproof.agents import Decision
from mineproof.cli import main
from mineproof.games.playbyplay import LOG_LEVELS, LogLevel, PlayByPlay, proved
from mineproof.world.view import HIDDEN, KNOWN_SAFE
from tests.replayed import replayed

PLAY_ON = mp.Rules(opening="safe", on_mine="continue")


def match(agent: Any, *, rows: int = 6, cols: int = 6, mines: int = 8, seed: int = 2) -> mp.Match:
    return mp.Match(mp.Deal(rows, cols, mines), agent, rules=PLAY_ON, seed=seed)


def logged(played: mp.Match, level: LogLevel = "all") -> str:
    out = io.StringIO()
    for _ in PlayByPlay(played, out, level):
        pass
    return out.getvalue()


def moves(text: str) -> list[str]:
    """The section of each move."""
    return re.split(r"^move \d+\n", text, flags=re.M)[1:]


class TopLeft:
    """A user's agent: its reasons can be logged, but not its knowledge."""

    name = "top-left"
    knowledge: ClassVar[str] = "of no kind that a log can read"

    def decide(self, view: mp.View, **setting: Any) -> Decision:
        cell = view.cells(HIDDEN, KNOWN_SAFE)[0]
        return Decision(cell, "open", None, False, "the first\ncovered cell")


# In every log


@pytest.mark.parametrize("agent", mp.agents.names())
def test_counts_of_one_are_in_the_singular(agent: str) -> None:
    for rows, cols, mines in ((1, 3, 1), (2, 2, 1), (2, 3, 2)):
        for seed in range(4):
            played = match(agent, rows=rows, cols=cols, mines=mines, seed=seed)
            text = f"{logged(played)}\n{played.record()}\n{played.record().influence!r}"
            assert not re.findall(r"(?<![\d.,])1 (?!has\b|is\b|pairs\b)[a-z]*[a-rt-z]s\b.*", text)


@pytest.mark.parametrize("level", LOG_LEVELS)
@pytest.mark.parametrize("agent", mp.agents.names())
def test_a_log_does_not_change_an_agents_play(agent: str, level: LogLevel) -> None:
    played = match(agent)
    text = logged(played, level)
    again = mp.play(mp.Deal(6, 6, 8), agent, rules=PLAY_ON, seed=2)
    assert played.record().moves == again.moves
    assert text.isascii()
    assert text.startswith(f"play-by-play of {agent} on 6x6 with 8 mines\n")
    assert text.endswith(f"outcome: {again.outcome}\n")
    assert len(re.findall(r"^move \d+", text, re.M)) == len(again.moves)
    assert all(" ".join(move.reason.split()) in text for move in again.moves)


def test_the_header_names_the_setting() -> None:
    lines = logged(match("linalg-count")).splitlines()
    recipe = mp.agents.get("linalg-count")
    assert lines[1:7] == [
        f"agent: {recipe.about} (report 000)",
        f"recipe: reasoners {recipe.reasons_by}; guesser in_order",
        "clues: exact",
        "rules: play continues after a mine, opening rule safe, mine count known, "
        "zeros open their neighbours",
        "start: chosen by the agent",
        "seed: 2",
    ]


def test_the_log_ends_with_the_reports_figures() -> None:
    played = match("baseline", mines=12, seed=5)
    text = logged(played, "moves")
    record = played.record()
    avoided = 12 - record.exploded
    assert record.exploded, "this game must have an explosion"
    assert re.search(r"^time: \d+\.\d{3} s, ", text, re.M)
    found = f"{record.right} of 12, {100 * record.right / 12:.1f} %"
    assert f"mines flagged correctly: {found}\n" in text
    assert (
        f"mines exploded: {record.exploded}, mines avoided: {avoided}, "
        f"success rate: {avoided / 12:.2f}\n"
    ) in text
    assert f"{proved(record)}\n" in text


def test_deductions_are_counted_by_rule_in_descending_order() -> None:
    record = mp.play(mp.Deal(16, 16, 40), "gauss", rules=PLAY_ON, seed=3)
    words = proved(record).removeprefix("deductions: ").split(", ")
    assert {rule: int(number) for number, rule in map(str.split, words)} == record.deductions
    assert sorted(record.deductions.values(), reverse=True) == [int(w.split()[0]) for w in words]


def test_each_level_shows_more_than_the_one_before() -> None:
    texts = [
        logged(match("gauss", rows=9, cols=9, mines=16, seed=1), level) for level in LOG_LEVELS
    ]
    assert [len(text) for text in texts] == sorted(len(text) for text in texts)
    assert "neighbours:" not in texts[0]
    assert "neighbours:" in texts[1]
    assert [text.count("knowledge\n") > 1 for text in texts] == [False, False, True, True]
    assert ["equations:" in text for text in texts] == [False, False, False, True]


# Clues, deductions and the queue


def test_every_opened_cell_is_logged_with_its_clue_and_neighbours() -> None:
    played = match("baseline")
    text = logged(played, "reasons")
    board = played.record().board
    shown = re.findall(
        r"\((\d),(\d)\) shows (\d); neighbours: "
        r"(\d) safe, (\d) mines?, (\d) unresolved, (\d) in total",
        text,
    )
    opened = [played.view.grid.cell(i) for i, s in enumerate(played.view.states) if s <= 8]
    assert sorted((int(row), int(col)) for row, col, *_ in shown) == opened
    for row, col, clue, safe, mined, hidden, total in (map(int, one) for one in shown):
        index = board.grid.index((row, col))
        assert clue == board.counts[index]
        assert safe + mined + hidden == total == board.grid.neighbour_count(index)


def test_explosions_are_shown() -> None:
    played = match("baseline")
    text = logged(played, "reasons")
    assert played.record().exploded == len(re.findall(r"\) explodes: \d+ mines? hit so far", text))
    assert played.record().exploded


def test_queued_moves_are_played_next() -> None:
    """A deduced move is in the queue before it is played; before a guess the queue is empty."""
    for agent in ("baseline", "csp", "exact"):
        played = match(agent, rows=9, cols=9, mines=10, seed=3)
        parts = moves(logged(played, "reasons"))
        certain = 0
        for part, move in zip(parts, played.record().moves, strict=True):
            (queued,) = re.findall(r"queued: (.*)", part)
            if move.rule:
                certain += 1
                assert f"({move.cell[0]},{move.cell[1]})" in queued or "more" in queued
            elif not move.certain:
                assert queued == "nothing"
        assert certain > 10


def test_each_pass_over_the_knowledge_logs_deductions_or_says_there_are_none() -> None:
    for part in moves(logged(match("baseline"), "reasons"))[1:]:
        assert ("deduced by " in part) != ("again: no new deductions" in part)


def test_noisy_clues_are_shown_with_the_true_counts() -> None:
    played = mp.Match(
        mp.Deal(6, 6, 8), "baseline", rules=PLAY_ON, clues=mp.clues.Optimistic(), seed=2
    )
    text = logged(played)
    assert "clues: optimistic\n" in text
    lies = re.findall(r"shows (\d) \(true number (\d)\)", text)
    assert lies
    assert all(shown < true for shown, true in lies)
    assert re.search(r"^    \(\d,\d\): \d <= \(\d,\d\) \+ .* <= \d$", text, re.M)


def test_cells_without_a_clue_are_shown() -> None:
    model = mp.clues.Sometimes(0.3, redraw=True)
    played = mp.Match(mp.Deal(6, 6, 8), "baseline", rules=PLAY_ON, clues=model, seed=2)
    text = logged(played, "reasons")
    assert "shows nothing (true number " in text
    assert re.search(r"^  ask: \d+ cells? showed a clue; certain: ", text, re.M)


# Boards and equations


def test_the_true_board_is_next_to_the_known_one_after_every_move() -> None:
    played = match("baseline", rows=4, cols=4, mines=3)
    parts = moves(logged(played, "boards"))
    board = played.record().board
    for part, (_, _, view) in zip(parts, replayed(played.record()), strict=True):
        rows = re.findall(r"^  \d  (\S(?: \S){3})   \d  (\S(?: \S){3})$", part, re.M)
        assert len(rows) == 4
        seen = view.to_text(lines=True).splitlines()[1:]
        shown = [right.replace(" ", "") for _, right in rows]
        assert [
            re.sub("[cm]", "?", row) for row in shown
        ] == seen  # c and m: deduced, but not played yet
        mined = "".join(left.replace(" ", "") for left, _ in rows)
        assert [character == "*" for character in mined] == [bool(mine) for mine in board.mined]


def test_all_equations_are_shown_after_every_step() -> None:
    played = match("baseline")
    out = io.StringIO()
    for _ in PlayByPlay(played, out):
        known = re.findall(r"^    (\(\d,\d\)): (.*)$", moves(out.getvalue())[-1], re.M)
        open_ones = [e for e in played.player.knowledge.equations.values() if e.cells]  # type: ignore[attr-defined]
        assert len(known) == len(open_ones)
        assert [int(text.split(" = ")[1]) for _, text in known] == [
            e.least for e in sorted(open_ones, key=lambda e: e.clue)
        ]


@pytest.mark.parametrize("agent", ["linalg-count", "csp", "exact"])
def test_advanced_deductions_are_known_from_then_on(agent: str) -> None:
    """They count among known neighbours, and no equation contains them any more."""
    board = mp.Board.from_text("4x4/4 ..../..../*..*/.*.*")
    played = mp.Match(board, agent, rules=PLAY_ON, start=(0, 0), seed=1)
    found: dict[str, bool] = {}
    checked = 0
    for part in moves(logged(played)):
        before, _, after = part.partition("equations:")
        for cells, verdict in re.findall(
            r"deduced by .*?: (.*) (a mine|mines|safe), because", before
        ):
            found |= dict.fromkeys(cells.split(), verdict == "safe")
        assert not [cell for cell in found if f" {cell} " in after or f" {cell}\n" in after]
        for row, col, safe, mined in re.findall(
            r"\((\d),(\d)\) shows \d; neighbours: (\d) safe, (\d) mine", before
        ):
            index = board.grid.index((int(row), int(col)))
            near = [board.grid.name(other) for other in board.grid.neighbours(index)]
            assert int(mined) >= sum(found.get(cell) is False for cell in near)
            assert int(safe) >= sum(found.get(cell) is True for cell in near)
            checked += False in found.values()
    assert checked, "no deduced safe cell was checked"


def test_the_count_equation_covers_the_remaining_mines() -> None:
    board = mp.Board.from_text("4x4/4 ..../..../*..*/.*.*")
    played = mp.Match(board, "linalg-count", rules=PLAY_ON, start=(0, 0), seed=1)
    second = moves(logged(played))[1]
    assert "deduced by gauss: (2,0) a mine, because" in second
    assert "mine count: 2 mines in 4 cells\n" in second


# Reasoners and guessers


def test_gauss_shows_its_rows_its_matrices_and_what_each_row_deduces() -> None:
    text = logged(match("linalg-count", rows=4, cols=4, mines=4, seed=3))
    assert re.search(r"^    from \(1,1\): \(0,0\) \+ \(0,1\) \+ ", text, re.M)
    assert re.search(r"^    from the mine count: ", text, re.M)
    assert re.search(r"represents all \d+ cells that touch no clue", text)
    before = re.search(
        r"^  matrix:\n((?:    \[.*\]\n)+)  reduced:\n((?:    \[.*\]\n)+)", text, re.M
    )
    assert before is not None
    assert re.search(r"^  from .* = -?\d+: .*\(\d,\d\) (a mine|safe)", text, re.M)
    assert "deduced by gauss: " in text


def test_gauss_shows_the_component_it_works_on() -> None:
    text = logged(match("gauss"))
    assert re.search(r"^  component with the clues \(\d,\d\).*: \d+ cells$", text, re.M)


def test_brute_lists_configurations_with_seconds_and_shares() -> None:
    text = logged(match("brute"))
    first = re.search(
        r"^  component (.*): (\d+) configurations, \d\.\d{6} seconds\n((?:    [(].*\n)+)",
        text,
        re.M,
    )
    assert first is not None
    cells, number = first[1].split(), int(first[2])
    listing = [line.split() for line in first[3].splitlines()]
    assert len(listing) == number
    shares = dict(re.findall(r"(\(\d,\d\)) ([\d.]+) %", text[first.end() :].splitlines()[0]))
    for cell in cells:
        share = sum(cell in one for one in listing) / number
        assert float(shares[cell]) == pytest.approx(100 * share, abs=0.05)
    assert "outside the components: risk at most " in text
    choice = r"; guess: lowest risk: a mine in [\d.]+ % of its component's \d+ configurations"
    assert re.search(choice, text)


def test_skipping_a_component_over_the_cap_is_logged() -> None:
    assert re.search(
        r"component of \d+ cells: more than 3, not listed", logged(match("brute:cap=3"))
    )


def test_csp_shows_its_subset_steps() -> None:
    text = logged(match("csp", rows=9, cols=9, mines=16, seed=1))
    assert re.search(r"^  from (.*) = \d+ subtract (.*) = \d+: (.*) = \d+$", text, re.M)
    assert "share of mines among the unresolved cells of each clue: " in text


def test_exact_and_local_risks_are_shown() -> None:
    assert "exact risk: " in logged(match("exact"))
    assert "risk by single clues: " in logged(match("probability"))
    assert "of the solutions of a summed equation: " in logged(match("mean"))


# Any agent, any length, any outcome


@pytest.mark.parametrize("level", LOG_LEVELS)
def test_the_moves_of_a_users_agent_are_logged(level: LogLevel) -> None:
    text = logged(match(TopLeft()), level)
    assert "play-by-play of top-left" in text
    assert "guess: the first covered cell\n" in text
    assert ("neighbours: " in text) == (level != "moves")
    assert "equations" not in text


def test_boards_with_only_mines_and_with_none_are_logged() -> None:
    for rows in ("**", ".."):
        played = mp.Match(mp.Board.from_text(rows), "gauss")
        assert logged(played).endswith("outcome: won\n")


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(mp.UnknownName, match="unknown log level 'al': did you mean 'all'"):
        PlayByPlay(match("gauss"), io.StringIO(), "al")  # type: ignore[arg-type]


def test_lines_are_written_during_the_game() -> None:
    class Slow(io.StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    out, played = Slow(), match("gauss")
    for number, _ in enumerate(PlayByPlay(played, out), start=1):
        assert out.flushed.count("\nmove ") == number
        assert "outcome" not in out.flushed
    assert out.flushed.endswith(f"{played.record().outcome}\n")


def test_the_log_streams_into_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = ["play", "--level", "expert", "--seed", "396", "--log", str(pipe), "--plain"]
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", *line], stdout=subprocess.DEVNULL
    ) as process:
        with pipe.open() as log:
            head = [log.readline() for _ in range(40)]
            # A pipe holds 64 KiB, so a longer log cannot be complete yet.
            assert process.poll() is None
            rest = log.read()
        assert process.wait(timeout=30) == 0
    assert head[0].startswith("play-by-play of exact on 16x30")
    assert rest.splitlines()[-1].startswith("outcome: ")


def test_an_abandoned_game_leaves_a_readable_log() -> None:
    out, played = io.StringIO(), match("gauss")
    steps = iter(PlayByPlay(played, out))
    for _ in range(3):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert out.getvalue().endswith("\n\nstopped after 3 moves\n")
    assert played.player.knowledge.report is None  # type: ignore[attr-defined]


def test_an_agent_that_fails_leaves_a_readable_log() -> None:
    def fail(view: mp.View, **setting: Any) -> Decision:
        if view.state((0, 0)) == HIDDEN:
            return Decision((0, 0), "open", None, False, "one move")
        raise ZeroDivisionError

    out = io.StringIO()
    with pytest.raises(mp.AgentFault):
        list(PlayByPlay(match(fail), out))
    assert out.getvalue().endswith("\n\nstopped after 1 move\n")


def test_ctrl_c_leaves_a_readable_log(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    line = ["play", "--rows", "300", "--cols", "300", "--density", "0.1", "--log", str(path)]
    line += ["--log-level", "reasons", "--on-mine", "continue", "--seed", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", *line], stdout=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 20
        while not (path.exists() and "\nmove 2\n" in path.read_text()):
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "stopped after" in out
    assert re.fullmatch(r"stopped after \d+ moves", path.read_text().splitlines()[-1])


# Command line


def test_the_log_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["play", "--level", "beginner", "--seed", "3", "--agent", "gauss", "--log", "-"]
    assert main(line) == 0
    text = capsys.readouterr().out
    assert text.startswith("play-by-play of gauss on 9x9 with 10 mines\n")
    assert "\nequations" in text.replace("  ", "")
    assert "deductions: " in text
    assert text.splitlines()[-1] in {"won", "lost"}


def test_the_log_goes_to_a_file_next_to_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "log.txt"
    line = ["play", "--level", "beginner", "--seed", "3", "--json", "--log", str(path)]
    assert main([*line, "--log-level", "moves"]) == 0
    record = mp.Record.from_json(capsys.readouterr().out)
    assert path.read_text().count("\nmove ") == len(record.moves)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--log no/such/folder/x", "cannot use 'no/such/folder/x': No such file or directory"),
        ("--log .", "cannot use '.': Is a directory"),
        ("--log - --json", "--log - and --json both write to standard output"),
        ("--log-level all", "--log-level needs --log"),
        ("--log x --log-level some", "'some' is not one of 'moves', 'reasons', 'boards', 'all'"),
    ],
)
def test_bad_logs_get_one_clear_line_before_the_game(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert main(["play", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_a_full_disk_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--level", "beginner", "--log", "/dev/full"]) == 2
    assert "cannot write '/dev/full': No space left on device" in capsys.readouterr().err


def test_a_reader_may_stop_after_the_first_lines() -> None:
    done = subprocess.run(
        f"{sys.executable} -m mineproof play --seed 1 --log - | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("play-by-play of exact")
    assert done.stderr == ""
