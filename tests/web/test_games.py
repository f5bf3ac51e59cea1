"""Games over the wire: played, watched, reviewed, kept, compared."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.games.playbyplay import PlayByPlay
from mineproof.messages.game_requests import SERVER
from mineproof.phrases import Phrase

from .serving import Client, Server, kind_of

BOARD = "4x4/2 *.../..../..../...*"


def play_out(client: Client, game: str) -> dict[str, Any]:
    """Open what is safe by the odds; else the least risk."""
    while True:
        best = client.ask("odds", game=game)["best"][0]["cell"]
        answer = client.ask("game.move", game=game, cell=best, action="open")
        if answer["over"]:
            return answer


def test_a_game_from_its_first_move_to_its_end(client: Client) -> None:
    game = client.ask("game.new", id="a")
    assert (game["id"], game["rows"], game["mines"], game["events"]) == ("a", 9, 10, [])
    end = play_out(client, game["game"])
    board = mp.Board.from_text(end["board"])
    assert board.mine_count == 10
    assert end["bbbv"] == board.figures.bbbv
    assert end["won"] == (end["hit"] == 0)
    state = client.ask("game.state", game=game["game"], moves=True)
    assert len(state["moves"]) == state["n"] == end["n"]
    shown = {(row, col): what for row, col, what in state["events"]}
    for cell, what in shown.items():
        assert what == ("*" if board.is_mine(cell) else str(board.clue(cell)))


def test_the_answer_to_a_move_has_only_what_changed(client: Client) -> None:
    game = client.ask("game.new", board="1x4/1 ...*", rules={"flood": False})["game"]
    assert client.ask("game.move", game=game, cell=[0, 2], action="open")["events"] == [[0, 2, "1"]]
    flagged = client.ask("game.move", game=game, cell=[0, 3], action="flag")
    assert (flagged["events"], flagged["mines_left"]) == ([[0, 3, "F"]], 0)
    back = client.ask("game.move", game=game, cell=[0, 3], action="unflag")
    assert (back["events"], back["mines_left"]) == ([[0, 3, "?"]], 1)


def test_a_chord_is_one_move_and_its_record_has_openings(client: Client) -> None:
    game = client.ask("game.new", board=BOARD, rules={"flood": False})["game"]
    client.ask("game.move", game=game, cell=[0, 1], action="open")
    assert kind_of(client.ask("game.move", game=game, cell=[0, 1], action="chord")) == "illegal"
    client.ask("game.move", game=game, cell=[0, 0], action="flag")
    assert client.ask("game.move", game=game, cell=[0, 1], action="chord")["n"] == 3
    client.ask("game.move", game=game, action="stop")
    record = mp.Record.from_json(client.ask("game.record", game=game)["record"])
    assert [turn.action for turn in record.turns] == ["open", "flag", "chord", "stop"]
    assert [move.action for move in record.moves] == ["open", "flag", *["open"] * 4, "stop"]


def test_a_repeat_of_a_numbered_move_changes_nothing(client: Client) -> None:
    game = client.ask("game.new", board=BOARD)["game"]
    first = client.ask("game.move", game=game, cell=[0, 1], action="open", n=0)
    again = client.ask("game.move", game=game, cell=[0, 1], action="open", n=0)
    assert again | {"seconds": 0} == first | {"seconds": 0}
    other = client.ask("game.move", game=game, cell=[1, 0], action="open", n=0)
    assert kind_of(other) == "illegal"
    assert kind_of(client.ask("game.move", game=game, action="stop", n=5)) == "illegal"


def test_the_same_board_again_and_by_a_link(client: Client) -> None:
    first = client.ask("game.new", deal={"level": "expert"}, rules={"opening": "any"})
    link = first["link"].partition("again=")[2]
    boards = []
    for name in (first["game"], link):
        game = client.ask("game.new", again=name)
        assert game["game"] != first["game"]
        assert game["kind"] == "practice"
        boards.append(client.ask("game.move", game=game["game"], action="stop")["board"])
    assert boards[0] == boards[1]
    assert client.ask("game.state", game=first["game"])["kind"] == "practice"
    assert kind_of(client.ask("game.new", again="nonsense")) == "unknown"
    assert kind_of(client.ask("game.new", again=link, seed=1)) == "invalid"


def test_a_seed_names_the_board_of_the_library(client: Client) -> None:
    game = client.ask("game.new", deal={"level": "beginner"}, seed=7, rules={"opening": "any"})
    end = client.ask("game.move", game=game["game"], action="stop")
    assert end["board"] == mp.Board.random(9, 9, 10, seed=7).to_text()
    assert end["seed"] == 7


def test_boards_without_a_guess_and_graded_ones(client: Client) -> None:
    deal = {"rows": 8, "cols": 8, "mines": 10}
    for wish in ({"no_guess": True}, {"reasoning": "subset"}, {"needs": "pairs"}):
        game = client.ask("game.new", deal=deal, start=[2, 3], **wish)
        assert game["start"] == [2, 3]
        assert kind_of(client.ask("game.move", game=game["game"], cell=[7, 7], action="open")) == (
            "illegal"
        )
        end = client.ask("game.move", game=game["game"], action="stop")
        graded = client.ask("grade", board=end["board"], start=[2, 3])
        assert graded["no_guess"], graded
        if "needs" in wish:
            assert graded["reasoning"] == "pairs"


def test_uncertain_clues_unknown_counts_and_play_after_a_mine(client: Client) -> None:
    for fields in (
        {"clues": "optimistic", "deal": {"rows": 5, "cols": 5, "mines": 5}},
        {"deal": {"rows": 5, "cols": 5, "density": 0.2, "independent": True}},
        {"rules": {"on_mine": "continue", "opening": "clear"}},
        {"rules": {"count_known": False}},
    ):
        game = client.ask("game.new", seed=3, **fields)
        assert kind_of(game) is None, game
        assert (game["mines"] is None) == (game["mines_left"] is None)
        moved = client.ask("game.move", game=game["game"], cell=[2, 2], action="open")
        assert moved["n"] == 1
        assert kind_of(client.ask("odds", game=game["game"])) is None
        assert client.ask("game.move", game=game["game"], action="stop")["over"]


def test_play_on_from_a_position(client: Client) -> None:
    game = client.ask("game.new", view="2x3/2 ???/121")
    assert game["events"] == [[1, 0, "1"], [1, 1, "2"], [1, 2, "1"]]
    assert client.ask("game.move", game=game["game"], cell=[0, 1], action="open")["won"]
    assert kind_of(client.ask("game.new", view="2x3/2 ???/141")) == "contradiction"


def words(entry: dict[str, Any]) -> str:
    return (entry.get("text") or str(Phrase.from_json(entry))).strip()


def test_what_a_move_came_from_is_shown_when_asked_for(client: Client) -> None:
    """The lines are those of the play-by-play, and nothing of the truth is among them."""
    deal, rules = {"level": "beginner"}, {"opening": "clear"}
    asked = {"deal": deal, "rules": rules, "seed": 7, "agent": "gauss"}
    plain = [turn["move"] for turn in client.ask_on("game.watch", **asked)[1:-1]]
    turns = client.ask_on("game.watch", **asked, thoughts=True)[1:-1]
    known = [turn["move"].pop("thought") for turn in turns]
    assert [turn["move"] | {"seconds": 0} for turn in turns] == [
        one | {"seconds": 0} for one in plain
    ]
    match = mp.Match(mp.Deal(9, 9, 10), "gauss", rules=mp.Rules(opening="clear"), seed=7)
    log = io.StringIO()
    list(PlayByPlay(match, log))
    lines = {line.strip() for line in log.getvalue().splitlines()}
    for thought in known[1:]:
        assert set(map(words, (*thought["equations"], *thought["steps"]))) <= lines
    steps = [words(entry) for thought in known for entry in thought["steps"]]
    assert {"rows:", "matrix:", "reduced:"} <= set(steps)
    assert known[1]["equations"][-1]["phrase"] == "log.mine-count"
    assert not [line for line in lines & set(steps) if "truth" in line]


def test_watching_an_agent_gives_the_game_of_the_library(client: Client) -> None:
    deal, rules = {"level": "beginner"}, {"opening": "safe"}
    first, *turns, last = client.ask_on("game.watch", deal=deal, agent="csp", seed=5, rules=rules)
    record = mp.play(mp.Deal(9, 9, 10), "csp", rules=mp.Rules(opening="safe"), seed=5)
    assert first["events"] == []
    moves = [turn["move"] for turn in turns]
    assert [(tuple(move["cell"]), move["action"], move["reason"]) for move in moves] == [
        (move.cell, move.action, move.reason) for move in record.moves
    ]
    assert all(move["by"] == "csp" for move in moves)
    assert last["won"] == record.won
    assert last["board"] == record.board.to_text()
    kept = mp.Record.from_json(client.ask("game.record", game=first["game"])["record"])
    assert (kept.agent, kept.moves) == ("csp", record.moves)


def test_an_agent_plays_on_in_steps_and_the_person_may_go_on(client: Client) -> None:
    rules = {"on_mine": "continue", "opening": "safe"}
    game = client.ask("game.new", deal={"level": "expert"}, rules=rules, seed=2)["game"]
    client.ask("game.move", game=game, cell=[8, 8], action="open")
    answers = client.ask_on("game.watch", game=game, agent="simple", steps=2)
    assert [answer["n"] for answer in answers] == [1, 2, 3, 3]
    seen = {(row, col) for row, col, _ in client.ask("game.state", game=game)["events"]}
    covered = next((row, col) for row in range(16) for col in range(30) if (row, col) not in seen)
    assert client.ask("game.move", game=game, cell=covered, action="open")["n"] == 4


def test_a_person_who_moves_while_an_agent_does_stops_it(server: Server) -> None:
    with server.talk() as agent, server.talk() as person:
        deal = {"rows": 100, "cols": 100, "mines": 1500}
        rules = {"on_mine": "continue", "opening": "any"}
        game = agent.ask("game.new", deal=deal, rules=rules)["game"]
        agent.send(do="game.watch", game=game, agent="champion:budget=max")
        agent.hear()
        agent.hear()
        for column in range(100):  # one of these is made before the agent's next move
            person.ask("game.move", game=game, cell=[99, column], action="flag")
        while (answer := agent.hear()).get("more"):
            pass
        assert kind_of(answer) == "illegal"
        assert "another client moved" in answer["error"]["message"]


def test_only_agents_games_show_the_truth_while_they_are_on(client: Client) -> None:
    mine = client.ask("game.new", deal={"level": "expert"})["game"]
    client.ask("game.move", game=mine, cell=[0, 0], action="open")
    refused = client.ask("game.watch", game=mine, agent="exact", teacher=True, steps=1)
    assert kind_of(refused) == "illegal"
    first, *_, last = client.ask_on(
        "game.watch", deal={"level": "expert"}, agent="exact", teacher=True, steps=1
    )
    assert not last["over"]
    assert "board" in last
    shown = client.ask("game.move", game=first["game"], cell=[0, 0], action="open")
    assert kind_of(shown) == "illegal"
    hidden = client.ask_on("game.watch", deal={"level": "expert"}, agent="exact", steps=1)
    assert "board" not in json.dumps(hidden)


def test_review_shows_risks_and_what_was_missed(client: Client) -> None:
    game = client.ask("game.new", board="1x5/1 *....", rules={"flood": False})["game"]
    for cell in ([0, 4], [0, 1], [0, 0]):
        client.ask("game.move", game=game, cell=cell, action="open")
    first, second, third, last = client.ask_on("game.review", game=game)
    assert first["move"]["risk"] == pytest.approx(0.2)
    # A 0 at (0,4): (0,3) is safe, and (0,1) is a risk all the same.
    assert second["move"]["missed"] == [[0, 3]]
    assert second["move"]["least"] == 0
    assert third["move"]["hit"]
    assert last["luck"]["hits"] == 1
    assert last["luck"]["needless"] == last["luck"]["unnecessary"] == 2
    assert last["luck"]["verdict"] == "unnecessary"
    risks = [one["move"]["risk"] for one in (first, second, third)]
    assert last["luck"]["luck"] == pytest.approx(sum(risks) - 1)
    assert kind_of(client.ask("game.review", game=client.ask("game.new")["game"])) == "illegal"


def test_records_from_elsewhere_are_reviewed_and_kept(client: Client) -> None:
    record = mp.play(mp.Deal(9, 9, 10), "baseline", seed=3).to_json()
    assert client.ask_on("game.review", record=record)[-1]["luck"]["openings"] > 0
    kept = client.ask("game.import", record=record)
    assert (kept["kind"], kept["agent"], kept["board"]) == ("record", "baseline", record["board"])
    forged = record | {"won": not record["won"]}
    assert kind_of(client.ask("game.import", record=forged)) == "invalid"


def test_files_with_games_are_read(client: Client, tmp_path: Path) -> None:
    rules = mp.Rules(opening="safe")
    games = [mp.play(mp.Deal(9, 9, 10), "exact", rules=rules, seed=seed) for seed in (3, 4)]
    mp.replays.write(tmp_path / "games.jsonl", games)
    mp.replays.write(tmp_path / "game.rawvf", games[:1])
    kept = client.ask("game.import", text=(tmp_path / "games.jsonl").read_text())
    assert (kept["kept"], kept["board"]) == (2, games[0].board.to_text())
    video = client.ask("game.import", text=(tmp_path / "game.rawvf").read_text())
    assert (video["kept"], video["board"], video["won"]) == (1, kept["board"], games[0].won)
    for text in ("", "{", "no game", '{"won": true}', "RawVF_Version: Rev6\nnonsense"):
        assert kind_of(client.ask("game.import", text=text)) == "invalid", text
    assert kind_of(client.ask("game.import")) == "invalid"


def test_the_list_has_rates_of_games_played_alone(server: Server, client: Client) -> None:
    client.ask("game.delete", all=True)
    games = [client.ask("game.new")["game"] for _ in range(4)]
    for game in games[:2]:
        client.ask("game.move", game=game, action="stop")
    client.ask("game.move", game=games[2], action="open", cell=[4, 4])
    practice = client.ask("game.new", again=games[0])["game"]
    client.ask("game.move", game=practice, action="stop")
    helped = client.ask("game.new")["game"]
    client.ask_on("game.watch", game=helped, agent="exact")
    listed = server.post("game.list", limit=3)
    assert [one["game"] for one in listed["games"]] == [helped, practice, games[2]]
    rest = server.post("game.list", before=listed["next"])
    assert [one["game"] for one in rest["games"]] == [games[1], games[0]]
    assert rest["next"] is None
    (rate,) = listed["rates"]
    assert (rate["level"], rate["games"], rate["wins"]) == ("beginner", 2, 0)
    assert rate["interval"][0] == 0
    assert 0 < rate["interval"][1] < 1
    assert client.ask("game.delete", game=games[0])["deleted"] == 1
    assert kind_of(client.ask("game.state", game=games[0])) == "unknown"
    assert client.ask("game.delete", all=True)["deleted"] == 5  # and the one not begun


def test_an_arena_grows_to_what_the_library_gives(client: Client) -> None:
    answers = client.ask_on(
        "arena.run", agents=["baseline", "exact"], deal={"level": "beginner"}, games=60, seed=1
    )
    assert [one["games"] for one in answers] == sorted({one["games"] for one in answers})
    assert len(answers) > 1
    rules = mp.Rules(opening="safe")
    whole = mp.arena(["baseline", "exact"], mp.Deal(9, 9, 10), games=60, seed=1, rules=rules)
    assert [one["wins"] for one in answers[-1]["agents"]] == [one.wins for one in whole.agents]


def test_help_with_a_board_on_another_screen(client: Client) -> None:
    client.ask("new", deal={"rows": 3, "cols": 3, "mines": 1})
    named = client.ask("go")["cell"]
    known = client.ask("tell", shows=[[None, 1]])
    assert known["view"].count("1") >= 1
    slip = client.ask("tell", shows=[[[1, 1] if named != [1, 1] else [0, 0], 8]])
    assert kind_of(slip) in {"contradiction", "invalid"}
    assert client.ask("undo")["view"].count("?") == 9


def test_both_versions_of_the_protocol(server: Server, client: Client) -> None:
    client.ask("new", deal={"rows": 2, "cols": 2, "mines": 1})
    known = client.ask("tell", shows=[[[0, 0], 1]])
    client.ask("undo")
    client.send(method="show", shows=[[[0, 0], 1]], id=1)
    shown = client.hear()
    assert (known.pop("do"), shown.pop("method"), shown.pop("id")) == ("tell", "show", 1)
    assert known == shown
    client.send(method="stop", of="x")
    assert client.hear() == {"method": "stop", "stopped": False}
    assert kind_of(client.ask("show", shows=[])) == "unknown"
    new, old = server.post("hello"), server.post("hello", do="")
    assert (new["method"], new["protocol"], new["methods"]) == ("hello", 2, list(SERVER))
    assert (old["do"], old["protocol"], len(old["verbs"])) == ("hello", 1, len(SERVER))


def test_a_move_number_belongs_to_a_game(client: Client) -> None:
    error = client.ask("odds", view="2x3/2 ???/121", at=1)["error"]
    assert error["message"] == "'at' can only be given together with 'game'"
    assert client.ask("odds", view="2x3/2 ???/121", game=None)["exact"]


def test_conversations_do_not_mix(server: Server) -> None:
    with server.talk() as one, server.talk() as other:
        one.ask("position", view="1x2/1 ??")
        other.ask("position", view="1x3/1 ???")
        assert len(one.ask("odds")["risk"][0]) == 2
        assert len(other.ask("odds")["risk"][0]) == 3
    assert kind_of(server.post("odds")) == "invalid"


def test_many_answers_over_http_are_lines(server: Server) -> None:
    response = server.request(
        "POST", "/api/game.watch", json={"deal": {"level": "beginner"}, "agent": "exact"}
    )
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert lines[-1]["over"]
    assert all(line.get("more") for line in lines[:-1])


def test_reports_of_studies_are_opened(server: Server) -> None:
    assert server.post("study.list")["studies"] == []
    assert kind_of(server.post("study.page", study="../../etc")) == "unknown"
