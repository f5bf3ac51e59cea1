"""Ctrl-C waits where it would do harm or be lost, and acts as soon as that is over."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mineproof import interrupts
from mineproof.cli import cli, main

PRESS = "import signal; signal.raise_signal(signal.SIGINT)\n"


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    with interrupts.listening():
        yield


def wait() -> None:
    """Execute Python instructions, between which Ctrl-C is noticed."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        pass


def test_an_import_is_finished_before_ctrl_c_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pressed_inside.py").write_text(PRESS + "done = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        import_and_wait()
    assert sys.modules.pop("pressed_inside").done


def import_and_wait() -> None:
    __import__("pressed_inside")
    wait()


def test_an_endless_import_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text(PRESS + "while True: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        __import__("endless")
    assert time.process_time() - begun < 1


def test_ctrl_c_in_a_destructor_is_raised_again(capfd: pytest.CaptureFixture[str]) -> None:
    class Dying:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def die_and_wait() -> None:
        Dying()
        wait()

    with pytest.raises(KeyboardInterrupt):
        die_and_wait()
    assert capfd.readouterr().err == ""


def test_undisturbed_work_is_finished_before_ctrl_c_acts() -> None:
    done = []

    def work() -> None:
        with interrupts.undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done


def test_an_error_caused_by_ctrl_c_counts_as_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As when a class is created in older Pythons."""

    def wrapped(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    monkeypatch.setattr(cli, "main", wrapped)
    assert main(["agents"]) == 130
    assert capsys.readouterr().err == ""


def test_ctrl_c_deferred_until_the_command_ended_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pressed_late.py").write_text(PRESS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(cli, "main", lambda *_, **__: __import__("pressed_late") and None)
    assert main(["agents"]) == 130
