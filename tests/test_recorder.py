"""The recorder notices stale outputs, and rewrites them where it can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import recorder

PAGE = """A page.

```console
$ echo one; echo two
one
two
$ printf '%s\\n' a b \\
    c
a
...
```

```python
answer = 6 * 7
print(answer)
```

```text
42
```

```pycon
>>> answer + 1
43

>>> for digit in str(answer):
...     print(digit)
4
2
>>> answer / 0
Traceback (most recent call last):
    ...
ZeroDivisionError: division by zero
```

<!-- recorded: varies /\\d+ s/ -->
```console
$ echo it took 7 s
it took 8 s
```

<!-- recorded: slow -->
```console
$ echo late
early
```

<!-- recorded: typed after "name? " -->
```console
$ read name; echo "name? $name"; echo "hello $name"
name? Ada
hello Ada
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_an_up_to_date_page_does_not_change(page: Path) -> None:
    done = recorder.run(page)
    assert [step.kind for step in done] == ["console"] * 2 + ["python"] + ["pycon"] * 3 + [
        "console"
    ] * 2
    assert not any(step.stale for step in done)
    assert recorder.write(page, done) == []
    assert page.read_text() == PAGE


def test_slow_blocks_run_on_request(page: Path) -> None:
    done = recorder.run(page, slow=True)
    assert [step.source for step in done if step.stale] == ["echo late\n"]
    assert recorder.write(page, done) == []
    assert page.read_text() == PAGE.replace("early", "late")


@pytest.mark.parametrize(
    ("true", "false"),
    [("one\ntwo\n", "one\n"), ("42", "41"), ("43", "4"), ("\na\n...", "\nb\n..."), ("4\n2", "2")],
)
def test_a_stale_output_is_noticed_and_rewritten(page: Path, true: str, false: str) -> None:
    page.write_text(PAGE.replace(true, false, 1))
    done = recorder.run(page)
    assert sum(step.stale for step in done) == 1
    recorder.write(page, done)
    assert page.read_text() == PAGE


def test_a_missing_output_is_written_below_its_code(page: Path) -> None:
    page.write_text(PAGE.replace("\n\n```text\n42\n```", ""))
    recorder.write(page, recorder.run(page))
    assert page.read_text() == PAGE


def test_code_that_fails_is_shown_and_never_written(page: Path) -> None:
    page.write_text(PAGE.replace("6 * 7", "6 * seven"))
    before = page.read_text()
    (trouble,) = recorder.write(page, recorder.run(page))[-1:]
    assert "NameError: name 'seven'" in trouble
    assert "NameError" not in page.read_text().partition("```pycon")[0]
    assert before.startswith(page.read_text()[:40])


def test_omitted_lines_are_omitted_again() -> None:
    numbers = [str(i) for i in range(10)]
    assert recorder.fits(["0", "...", "4", "5", "...", "9"], numbers)
    assert not recorder.fits(["0", "...", "5", "4", "...", "9"], numbers)
    assert recorder.renewed(["7", "...", "4", "6", "...", "8"], numbers) == [
        *("0", "...", "4", "5", "...", "9")
    ]
    with pytest.raises(recorder.Unclear, match="'x' is not printed"):
        recorder.renewed(["...", "x", "..."], numbers)


def test_a_new_error_is_shown_and_never_written(page: Path) -> None:
    page.write_text(PAGE.replace("answer + 1", "answer + one"))
    before = page.read_text()
    (trouble,) = recorder.write(page, recorder.run(page))
    assert "NameError: name 'one'" in trouble
    assert page.read_text() == before
