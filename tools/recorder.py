"""Documents that stay up to date: their examples are run, and their outputs compared or rewritten.

`python -m tools.recorder` (part of `make docs`) rewrites every stale output; `--all` includes slow
blocks (`make docs-all`); names of pages restrict it to these. The tests only compare.

Three kinds of fenced blocks are run, from the top of a page to its end, in one temporary folder and
one Python session:

- `console`: a line `$ command` goes to a shell, 80 columns wide and without colour; its output
  follows (standard error only if it fails). A backslash at the end of its line continues a command.
- `python`: the `text` block that follows has its output.
- `pycon`: `>>>` and `...` lines, each statement followed by its output. An error is only written
  where the page already has one, even if only its first line
  `Traceback (most recent call last):`.

A line of output that is just `...` represents omitted lines. A comment above a block,
`<!-- recorded: ... -->`, gives options:

- `slow`: only the slow tests and `make docs-all` run it
- `varies /PATTERN/`: what matches the pattern may differ from run to run
- `typed after "TEXT"`: what follows this text is typed into the program
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
LANDING = ROOT / "docs" / "site" / "index.md"
"""The first page of the site; its links begin at the top folder."""
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - {LANDING})
LEFT_OUT = "..."
ERROR = "Traceback (most recent call last):"

_BLOCK = re.compile(
    r"(?:^<!-- recorded: (?P<marks>[^\n]*) -->\n)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$",
    re.S | re.M,
)
_FOLLOWS = re.compile(r"\s*^```text\n(?P<body>.*?)^```$", re.S | re.M)


class Unclear(Exception):
    """An output changed so much that it is unclear which of its lines to show."""


@dataclass
class Step:
    """One command or statement, and its output according to the page."""

    kind: str
    source: str
    shown: list[str]
    start: int
    """Where the shown lines begin in the page, and where they end."""
    end: int
    marks: str = ""
    typed: str = ""
    printed: list[str] = field(default_factory=list)
    failed: bool = False

    @property
    def slow(self) -> bool:
        """Whether the quick tests skip it."""
        return "slow" in self.marks.split()

    @property
    def stale(self) -> bool:
        """Whether the page's output differs from the real one."""
        varies = re.search(r"varies /(.*)/", self.marks)
        blur = re.compile(varies[1]) if varies else re.compile(r"(?!)")
        shown = [blur.sub("~", line) for line in self.shown]
        printed = [blur.sub("~", line) for line in self.printed]
        return self.failed or not fits(shown, printed)


def steps(text: str) -> list[Step]:
    """Everything that a page has to run, in order."""
    return [step for block in _BLOCK.finditer(text) for step in _steps(block, text)]


def _steps(block: re.Match[str], text: str) -> Iterator[Step]:
    kind, marks, body, begin = (
        block["kind"],
        block["marks"] or "",
        block["body"],
        block.start("body"),
    )
    if kind == "python":
        output = _FOLLOWS.match(text, block.end())
        place = (output.start("body"), output.end("body")) if output else (block.end(),) * 2
        yield Step(kind, body, _lines(text[slice(*place)]), *place, marks)
    if kind not in {"console", "pycon"}:
        return
    prompt = r"\$ (?:.*\\\n)*.*\n" if kind == "console" else r">>> .*\n(?:\.\.\.(?: .*)?\n)*"
    found = list(re.finditer(f"^{prompt}", body, re.M))
    ends = [*(match.start() for match in found[1:]), len(body)]
    for match, end in zip(found, ends, strict=True):
        shown = body[match.end() : end]
        layout = len(shown) - len(shown.rstrip("\n")) - 1 if shown.strip() else len(shown)
        place = begin + match.end(), begin + end - max(layout, 0)
        lines = _lines(text[slice(*place)])
        after = re.search(r'typed after "(.*)"', marks)
        answers = [line.partition(after[1])[2] for line in lines if after and after[1] in line]
        source = match[0][2:] if kind == "console" else re.sub(r"^.{3} ?", "", match[0], flags=re.M)
        yield Step(kind, source, lines, *place, marks, "".join(f"{one}\n" for one in answers))


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether these lines were printed, apart from lines omitted by `...`."""
    try:
        return renewed(shown, printed) == shown
    except Unclear:
        return False


def renewed(shown: list[str], printed: list[str]) -> list[str]:
    """The lines to show now: as many at the beginning and the end as before.

    Between two lines `...`, as many lines as before, from the same first line on.
    """
    if LEFT_OUT not in shown:
        return printed
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    head, *middle, tail = parts
    lines = printed[: len(head)]
    place = len(head)
    for part in middle:
        if part[0] not in printed[place:]:
            raise Unclear(f"{part[0]!r} is not printed any more")
        place = printed.index(part[0], place)
        lines += [LEFT_OUT, *printed[place : place + len(part)]]
        place += len(part)
    if len(tail) > len(printed) - place:
        raise Unclear(f"only {len(printed)} lines are printed")
    return [*lines, LEFT_OUT, *printed[len(printed) - len(tail) :]]


def _lines(text: str) -> list[str]:
    """The lines without trailing blanks, and without empty lines at the end."""
    return [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []


def run(page: Path, *, slow: bool = False) -> list[Step]:
    """Run a page in a new process and folder; return its steps with their outputs."""
    found = [step for step in steps(page.read_text()) if slow or not step.slow]
    if not found:
        return []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("docs", "benchmarks", "examples"):
            (Path(folder) / name).symlink_to(ROOT / name)
        done = subprocess.run(
            [sys.executable, "-c", "from tools.recorder import session; session()"],
            input=json.dumps([[step.kind, step.source, step.typed] for step in found]),
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    for step, (printed, failed) in zip(found, json.loads(done.stdout), strict=True):
        step.printed, step.failed = _lines(printed), failed
    return found


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(ROOT)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, **plain, "PATH": path}


def session() -> None:
    """In the process of a page: run the steps on standard input, and write their outputs."""
    known = sys.stdout
    namespace = vars(sys.modules["__main__"])
    namespace.pop("session")
    json.dump([_run(*step, namespace) for step in json.load(sys.stdin)], known)


def _run(kind: str, source: str, typed: str, namespace: dict[str, object]) -> tuple[str, bool]:
    """The output, and whether it is a failure that no page should show."""
    if kind == "console":
        done = subprocess.run(
            ["sh", "-c", source],
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        complaint = done.stderr if done.returncode else ""  # otherwise it is progress
        return done.stdout + complaint, False
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            exec(compile(source, "<page>", "single" if kind == "pycon" else "exec"), namespace)
        except Exception as error:
            if kind == "python":
                return traceback.format_exc(), True
            print(f"{ERROR}\n    ...")
            print(*traceback.format_exception_only(error), sep="", end="")
    return printed.getvalue(), False


def write(page: Path, done: list[Step]) -> list[str]:
    """Write the outputs into the page; return the problems that only its author can fix."""
    text = page.read_text()
    troubles = []
    for step in reversed(done):
        if not step.stale:
            continue
        where = f"{page.name}:{page.read_text().count(chr(10), 0, step.start) + 1}"
        try:
            if step.failed or (ERROR in step.printed and ERROR not in step.shown):
                raise Unclear("\n".join(step.printed))
            lines = "".join(f"{one}\n" for one in renewed(step.shown, step.printed))
        except Unclear as error:
            troubles.append(f"{where}: not written: {error}")
            continue
        if step.kind == "python" and text[step.start - 3 : step.start] == "```":
            lines = f"\n\n```text\n{lines}```"
        text = text[: step.start] + lines + text[step.end :]
        print(f"{where}: updated")
    page.write_text(text)
    return troubles


def main(arguments: list[str]) -> int:
    """Rewrite the given pages, or all."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    troubles = []
    for page in PAGES:
        if not names or page.name in names or str(page.relative_to(ROOT)) in names:
            troubles += write(page, run(page, slow="--all" in arguments))
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return int(bool(troubles))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
