"""Users' agents: found by name, usable everywhere, and they forfeit games by their faults."""

from __future__ import annotations

import pickle
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import mineproof as mp
from mineproof.agents import Decision, registry
from mineproof.agents.registry import split
from mineproof.cli import main
from mineproof.games import guarded_player
from mineproof.games.guarded_player import start_player
from mineproof.phrases import Phrase
from mineproof.studies import Study
from mineproof.studies.study_run import StudyRun
from mineproof.testing import check_agent
from mineproof.world.move import MoveReason
from tests.studying import rows

SOURCE = '''
import time
from mineproof.agents import Decision

class TopLeft:
    def __init__(self, last=False, deep=0, word=""):
        self.last = last
    def decide(self, view, **_):
        cells = view.cells(9, 10)
        return Decision(cells[-1 if self.last else 0], "open", None, False, "the first one")

class Raises(TopLeft):
    def decide(self, view, **_):
        if view.states.count(9) < 30:
            raise ValueError("boom\\nbang")
        return super().decide(view)

class Sleeps(TopLeft):
    def decide(self, view, **_):
        while True:
            try:
                time.sleep(100)
            except Exception:
                pass

class Spins(TopLeft):
    def decide(self, view, **_):
        while True:
            pass

class Deaf(TopLeft):
    def begin(self, view, **_):
        raise KeyError("no seat")
    name = "deaf"

class Flags(TopLeft):
    """Flags one cell rightly, then fails."""
    def decide(self, view, **_):
        raise SystemExit(3)

def outside(view, **_):
    return Decision((99, 0), "open", None, False, "there")

def odd(view, **_):
    return "open it"

ready = TopLeft(last=True)
number = 3
'''
DEAL = mp.Deal(6, 6, 5)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with agents in the current directory."""
    path = tmp_path / "own_agents.py"
    path.write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    registry._found.cache_clear()
    guarded_player._could_not_begin.clear()
    yield path
    sys.path[:] = before
    sys.modules.pop("own_agents", None)
    registry._found.cache_clear()


# Finding them


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("own_agents:TopLeft", False),
        ("own_agents.py:TopLeft", False),
        ("./own_agents.py:TopLeft:last=true", True),
        ("own_agents:TopLeft:last=true,deep=3,word=x", True),
        ("own_agents:ready", True),
        ("own_agents.py:ready", True),
    ],
)
def test_an_agent_is_named_by_the_text_that_finds_it(mine: Path, text: str, last: bool) -> None:
    agent = mp.agents.get(f" {text} ")
    assert agent.name == text
    assert mp.agents.get(text) is agent
    player = agent.begin(mp.View.hidden(2, 2, 1), rules=mp.Rules(), clues=mp.clues.Exact(), seed=0)
    assert player.decide().cell == ((1, 1) if last else (0, 0))
    check_agent(text, games=4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exct", "unknown agent 'exct': did you mean 'exact'?"),
        ("champoin:fast", "unknown agent or module 'champoin': did you mean 'champion'"),
        ("champoin:budget=fast", "unknown agent 'champoin': did you mean 'champion'"),
        ("no_such:Name", "unknown agent or module 'no_such': "),
        ("exact:Name", "option of exact|exact:naive must be true or false"),
        ("own_agents:Nothing", "'Nothing' is not defined there"),
        ("own_agents:number", "expected an agent: .*, got 3"),
        ("own_agents:ready:last=true", "is not a class, so it takes no options"),
        ("own_agents:TopLeft:first=1", "TypeError: .*unexpected keyword argument 'first'"),
        ("own_agents:TopLeft:last", "expected an option as name=value"),
        ("own_agents:TopLeft:last=true,last=false", "own_agents:TopLeft:last was given twice"),
        ("own_agents.py", r"name the agent in the file, as in 'own_agents.py:Name'"),
        ("missing.py:Name", "cannot read 'missing.py': No such file"),
        ("broken.py:Name", "ZeroDivisionError: division by zero"),
        ("broken:Name", "ZeroDivisionError: division by zero"),
        ("engine:", "engine: needs a command"),
        ("engine:'", "cannot read the command"),
        ("engine:no-such-program -x", "no program 'no-such-program'"),
    ],
)
def test_a_text_that_finds_no_agent_is_refused_in_one_line(
    mine: Path, text: str, message: str
) -> None:
    mine.with_name("broken.py").write_text("1 / 0\n")
    with pytest.raises(mp.InvalidInput, match=message) as error:
        mp.agents.get(text)
    assert "\n" not in str(error.value)


def test_a_built_in_agent_takes_precedence_over_a_module_of_its_name(mine: Path) -> None:
    mine.with_name("exact.py").write_text(SOURCE)
    assert isinstance(mp.agents.get("exact"), mp.agents.Recipe)
    assert mp.agents.get("exact.py:TopLeft").name == "exact.py:TopLeft"


def test_installed_packages_can_provide_agents(mine: Path) -> None:
    info = mine.with_name("own_agents-1.0.dist-info")
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: own-agents\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text(
        "[mineproof.agents]\ntop-left = own_agents:TopLeft\nexact = own_agents:TopLeft\n"
    )
    sys.path.append(str(mine.parent))
    assert mp.agents.names()[-1] == "top-left"
    assert mp.agents.names().count("exact") == 1
    agent = mp.agents.get("top-left:last=true")
    assert agent.name == "top-left:last=true"
    assert pickle.loads(pickle.dumps(agent)).name == agent.name
    assert isinstance(mp.agents.get("exact"), mp.agents.Recipe), (
        "a package cannot replace a built-in agent"
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("exact,baseline", ["exact", "baseline"]),
        ("champion:budget=fast,playouts=3,exact", ["champion:budget=fast,playouts=3", "exact"]),
        ("m:Name:a=1,b=2, f.py:Name ,exact", ["m:Name:a=1,b=2", "f.py:Name", "exact"]),
        ('exact,"engine:./s --a=1,2",csp', ["exact", "engine:./s --a=1,2", "csp"]),
        ("'engine:./s \"x y\"' , exact,", ['engine:./s "x y"', "exact"]),
        ("engine:./s --fast,exact", ["engine:./s --fast", "exact"]),
        (",,exact", ["exact"]),
    ],
)
def test_lists_are_split_where_agents_end(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize("text", ["", " , ", '"engine:x', '"engine:x"y,exact'])
def test_invalid_lists_are_refused(text: str) -> None:
    with pytest.raises(mp.InvalidInput):
        split(text)


# Where they can be used


def test_agents_are_pickled_by_name_or_with_the_source_of_their_file(mine: Path) -> None:
    by_file = pickle.dumps(mp.agents.get("own_agents.py:TopLeft"))
    by_module = pickle.dumps(mp.agents.get("own_agents:TopLeft"))
    mine.unlink()
    registry._found.cache_clear()
    sys.modules.pop("own_agents", None)
    assert pickle.loads(by_file).name == "own_agents.py:TopLeft"
    with pytest.raises(mp.InvalidInput, match="No module named 'own_agents'"):
        pickle.loads(by_module)


def test_users_agents_play_in_a_parallel_arena(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["own_agents:TopLeft", "own_agents.py:ready", "baseline"]
    found = mp.arena(texts, DEAL, games=30, workers=2, seed=1)
    assert [one.name for one in found.agents] == texts
    alone = mp.arena(texts, DEAL, games=30, workers=1, seed=1)
    assert (found.games["won"] == alone.games["won"]).all()
    line = ["arena", "--agents", "own_agents:TopLeft,baseline", "--rows", "6", "--cols", "6"]
    assert main([*line, "--mines", "5", "--games", "4"]) == 0
    assert "own_agents:TopLeft" in capsys.readouterr().out


def test_users_agents_work_in_play_analyse_and_assist(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["play", "--agent", "own_agents:TopLeft", "--level", "beginner", "--seed", "1"]) == 0
    )
    assert "own_agents:TopLeft on 9x9/10, opening safe, exact clues" in capsys.readouterr().out
    assert main(["analyse", "2x3/2 ???/121", "--agent", "own_agents.py:TopLeft"]) == 0
    assert "open (0,0): the first one" in capsys.readouterr().out
    assert main(["check-agent", "own_agents:TopLeft", "--games", "5"]) == 0
    assert "meets the agent contract in 5 games" in capsys.readouterr().out
    assert main(["check-agent", "own_agents:outside"]) == 2
    assert "illegal move" in capsys.readouterr().err
    assert main(["check-agent", "own_agents:Sleeps", "--move-timeout", "0.2"]) == 2
    assert "took longer than 0.2 seconds" in capsys.readouterr().err
    assert main(["check-agent", "exact", "--move-timeout", "0"]) == 2
    assert "time limit per move must be above 0" in capsys.readouterr().err


def test_a_game_lost_by_a_fault_is_shown_to_its_end(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Deaf", "Raises", "outside"):
        line = [
            "play",
            "--agent",
            f"own_agents:{name}",
            "--rows",
            "6",
            "--cols",
            "6",
            "--mines",
            "5",
        ]
        assert main([*line, "--seed", "1", "--log", "game.txt"]) == 1
        out = capsys.readouterr().out.splitlines()
        assert any(line.startswith("forfeited: agent 'own_agents:") for line in out)
        assert out[-1] == "lost"
        assert "forfeited" in Path("game.txt").read_text()
        assert main([*line, "--seed", "1", "--json"]) == 1
        assert mp.Record.from_json(capsys.readouterr().out).fault
    assert main(["analyse", "2x3/2 ???/121", "--agent", "own_agents:odd"]) == 2
    assert "must return a Decision" in capsys.readouterr().err


def test_users_agents_take_part_in_studies(mine: Path, tmp_path: Path) -> None:
    text = """
        games = 4
        [[block]]
        agents = ["own_agents.py:TopLeft", "own_agents:Raises", "baseline"]
        boards = ["6x6/5"]
    """
    Path("own.toml").write_text(text)
    with StudyRun([Study.from_text("own", text)], tmp_path / "out", workers=2) as running:
        for _ in running.work():
            pass
        assert not running.left
    assert len(rows(tmp_path / "out" / "own")) == 12
    StudyRun([Study.from_text("own", text)], tmp_path / "out").close()  # the same study resumes
    mine.write_text(SOURCE.replace("the first one", "another one"))
    registry._found.cache_clear()
    with pytest.raises(mp.InvalidInput, match="file of the agent own_agents.py:TopLeft was"):
        StudyRun([Study.from_text("own", text)], tmp_path / "out")
    mine.write_text("raise AssertionError('whoever reads a report runs nothing')")
    registry._found.cache_clear()
    sys.modules.pop("own_agents", None)
    assert main(["study", "report", str(tmp_path / "out")]) == 0
    assert main(["study", "run", "own.toml"]) == 2


# Faults


def test_any_fault_forfeits_the_game_and_the_arena_goes_on(
    mine: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faulty = ["Raises", "Deaf", "Flags", "outside", "odd"]
    texts = [f"own_agents:{name}" for name in faulty]
    found = mp.arena([*texts, "baseline"], DEAL, games=6, workers=1)
    *bad, good = found.agents
    assert [one.wins for one in bad] == [0] * 5
    assert bad[0].faults > 0
    assert [one.faults for one in bad[1:]] == [6] * 4
    assert (good.faults, good.games) == (0, 6)
    assert "own_agents:Deaf forfeited 6 of 6 games: it raised an error" in str(found)
    assert found.to_json()["agents"][1]["faults"] == 6
    shown = caplog.text
    assert "agent 'own_agents:Raises' raised ValueError: boom bang" in shown
    assert "raised SystemExit: 3" in shown
    assert "cell (99,0) is outside the board" in shown
    assert "must return a Decision, got 'open it'" in shown
    assert shown.count("raised KeyError") == 3, "only the first few are reported"


@pytest.mark.parametrize("name", ["Sleeps", "Spins"])
def test_an_agent_that_exceeds_the_time_limit_loses(mine: Path, name: str) -> None:
    begun = process_time()
    found = mp.arena([f"own_agents:{name}", "random"], DEAL, games=2, workers=1, seconds=0.1)
    assert found.agents[0].faults == 2
    assert process_time() - begun < 20


def test_an_agent_that_never_starts_delays_an_arena_once(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_player, "SECONDS", 0.5)
    shown = []
    for _ in range(3):
        match = mp.Match(DEAL, "engine:sleep 60", seconds=0.1, forfeits=True)
        list(match)
        shown.append(match.record().fault.partition("' ")[2])
    once, more = (f"took longer than {seconds} seconds to begin" for seconds in (0.5, 0.1))
    assert shown == [once, more, more]


def test_the_time_limit_holds_on_other_threads(mine: Path) -> None:
    """The workers of a cluster play on threads."""
    shown: list[str] = []

    def play() -> None:
        match = mp.Match(DEAL, "own_agents:Spins", seconds=0.2, forfeits=True)
        list(match)
        shown.append(match.record().fault)

    thread = threading.Thread(target=play)
    thread.start()
    thread.join(60)
    assert shown == ["agent 'own_agents:Spins' took longer than 0.2 seconds"]


@pytest.mark.parametrize("name", ["Spins", "TopLeft"])
def test_a_time_limit_on_a_thread_leaves_no_trace_function_behind(mine: Path, name: str) -> None:
    """Regression: tracing afterwards, as a debugger does, never ended."""
    code = f"""
import sys, threading
import mineproof as mp
def play():
    list(mp.Match(mp.Deal(5, 5, 3), "own_agents:{name}", seconds=0.2, forfeits=True))
thread = threading.Thread(target=play)
thread.start()
thread.join()
sys.settrace(lambda *_: None)
(lambda: None)()
sys.settrace(None)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_in_python_a_fault_is_raised_unless_it_is_to_forfeit(mine: Path) -> None:
    with pytest.raises(mp.AgentFault, match="raised KeyError") as error:
        mp.play(DEAL, "own_agents:Deaf")
    assert isinstance(error.value.__cause__, KeyError)
    with pytest.raises(mp.InvalidInput, match="time limit per move"):
        mp.arena(["baseline"], DEAL, games=1, seconds=0)


def test_a_forfeited_game_scores_nothing_and_its_record_says_why() -> None:
    def right_once(view: mp.View, **_: object) -> mp.Move:
        if view.states.count(13):
            raise ValueError("enough")
        return mp.Move((0, 0), "flag", None, False, "it is")

    rules = mp.Rules(on_mine="continue")
    match = mp.Match(mp.Board.from_text("*..*"), right_once, rules=rules, forfeits=True)
    assert len(list(match)) == 1
    record = match.record()
    assert (record.won, record.score, record.right) == (False, 0.0, 1)
    assert "raised ValueError: enough" in record.fault
    assert mp.Record.from_json(record.to_json()) == record
    assert "by forfeit" in str(record)


def test_an_agent_can_continue_a_game_begun_by_another(mine: Path) -> None:
    whole = mp.play(DEAL, "exact", rules=mp.Rules(opening="safe"), seed=3)
    for agent in ("exact", "own_agents:TopLeft"):
        match = mp.Match(DEAL, agent, rules=mp.Rules(opening="safe"), seed=3)
        match.follow(whole.turns[:4])
        list(match)
        assert match.record().moves[:4] == whole.moves[:4]
    match = mp.Match(DEAL, "exact", rules=mp.Rules(opening="safe"), seed=3)
    match.follow(whole.turns[:4])
    list(match)
    assert match.record().moves == whole.moves


@pytest.mark.parametrize("phrase", ["first.usual", "no such phrase"])
@pytest.mark.parametrize("clue", [(0, 1), (5, 5)])
def test_a_reason_given_as_data_stays_data(phrase: str, clue: mp.Cell) -> None:
    def decide(view: mp.View, **_: Any) -> Decision:
        why = MoveReason(Phrase(phrase), clues=(clue,))
        return Decision(view.cells(mp.State.HIDDEN)[0], "open", None, False, why)

    match = mp.Match(mp.Deal(3, 3, 1), decide, rules=mp.Rules(opening="any"))
    if phrase == "no such phrase":
        with pytest.raises(mp.AgentFault, match="no such phrase"):
            next(iter(match))
    elif clue == (5, 5):
        with pytest.raises(mp.InvalidInput, match="outside the board"):
            next(iter(match))
    else:
        assert next(iter(match)).asked.why == MoveReason(Phrase(phrase), clues=(clue,))


def test_built_in_agents_play_without_a_guard() -> None:
    view, clues = mp.View.hidden(3, 3, 1), mp.clues.Exact()
    player = start_player(mp.agents.get("exact"), view, rules=mp.Rules(), clues=clues)
    assert type(player).__name__ == "RecipePlayer"


# Agents in other programs

PYTHON = shlex.quote(sys.executable)
STATELESS = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["do"] != "go":
        answer = {"error": {"kind": "unknown", "message": "no"}}
    else:
        shape, rows = ask["view"].split(" ")
        rows = rows.split("/")
        cell = next([r, c] for r, row in enumerate(rows) for c, it in enumerate(row) if it in "?s")
        answer = {"cell": cell, "reason": "the first one"}
    print(json.dumps({"id": ask["id"], **answer}), flush=True)
"""


def program(folder: Path, body: str) -> str:
    path = folder / "solver.py"
    path.write_text(body)
    return f"engine:{PYTHON} {shlex.quote(str(path))}"


def test_a_program_that_responds_to_go_is_an_agent(mine: Path) -> None:
    text = program(mine.parent, STATELESS)
    check_agent(text, games=5)
    found = mp.arena([text, "own_agents:TopLeft"], DEAL, games=20, workers=2)
    theirs, ours = (found.games.of(one.name) for one in found.agents)
    assert (theirs["won"] == ours["won"]).all()
    assert (theirs["moves"] == ours["moves"]).all()


def test_mineproof_as_a_program_plays_as_the_agent_itself() -> None:
    text = f"engine:{PYTHON} -m mineproof engine --agent exact"
    check_agent(text, games=4)
    found = mp.arena([text, "exact"], DEAL, games=10, workers=1)
    theirs, ours = (found.games.of(one.name) for one in found.agents)
    for column in ("won", "moves", "guesses", "right", "exploded"):
        assert (theirs[column] == ours[column]).all(), column


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise SystemExit(7)", "its program ended with exit code 7"),
        ("import time; time.sleep(100)", None),
        ("print('hello', flush=True); input(); input()", "expected a line of JSON, got 'hello'"),
        ("print('[]', flush=True); input(); input()", "expected a JSON object, got []"),
        ("while True: input(); print('{}', flush=True)", "a cell must be a pair"),
        (
            'while True: input(); print(\'{"cell": [0, 0], "action": "jump"}\', flush=True)',
            "got 'jump'",
        ),
        (
            'while True: input(); print(\'{"error": {"message": "no idea"}}\', flush=True)',
            "no idea",
        ),
        (
            "while True: input(); print('x' * 2_000_000, flush=True)",
            "more than 1,000,000 bytes without a newline",
        ),
    ],
)
def test_faults_of_programs_are_reported(
    mine: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str | None
) -> None:
    monkeypatch.setattr("mineproof.games.guarded_player.SECONDS", 0.5)
    agent = mp.agents.get(program(mine.parent, body))
    seconds = 30 if message else 0.5
    if message:
        monkeypatch.setattr("mineproof.games.guarded_player.SECONDS", 30.0)
    match = mp.Match(DEAL, agent, seconds=seconds, forfeits=True)
    list(match)
    assert (message or "took longer than") in match.fault
    agent.close()


def test_a_program_is_restarted_after_a_fault(mine: Path) -> None:
    body = "import os\nif not os.path.exists('once'):\n open('once','w'); raise SystemExit(1)\n"
    agent = mp.agents.get(program(mine.parent, body + STATELESS))
    found = mp.arena([agent], DEAL, games=3, workers=1)
    assert found.agents[0].faults == 1
    agent.close()


def test_no_program_outlives_the_arena(mine: Path) -> None:
    text = program(mine.parent, "import os; open('pid', 'w').write(str(os.getpid()))\n" + STATELESS)
    code = f"import mineproof as mp; mp.arena([{text!r}], mp.Deal(4, 4, 2), games=2, workers=1)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert not Path(f"/proc/{(mine.parent / 'pid').read_text()}").exists()
