"""Damaged files, mistyped words, closed streams and full disks, tried with every command."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tools.chaos.harness import Answer, cleared, run
from tools.chaos.mutating import mutated, mutated_word
from tools.chaos.samples import WORDS, Sample, samples, split


def odd_files(random: Random, folder: Path) -> Iterator[Answer]:
    """Every command that reads a file, with one that is almost valid."""
    every = [(sample, line) for sample in samples() for line in sample.commands]
    while True:
        for sample, line in random.sample(every, len(every)):
            place = cleared(folder / "odd")
            path = place / sample.name
            path.write_bytes(mutated(sample.content, random))
            answer = run([word.format(path, out=place) for word in line.split()])
            yield answer._replace(words=[*answer.words, f"({path.read_bytes()[:400]!r})"])


def odd_words(random: Random, folder: Path) -> Iterator[Answer]:
    """Every command, with arguments that are almost right."""
    while True:
        for line in random.sample(WORDS, len(WORDS)):
            words = split(line, out=cleared(folder / "odd"))
            for _ in range(random.randint(1, 2)):
                place = random.randrange(1, len(words))
                if not words[place].startswith(str(folder)):
                    words[place] = mutated_word(words[place], random)
            yield run(words)


def closed_streams(random: Random, folder: Path) -> Iterator[Answer]:
    """Standard input, output or error is closed."""
    while True:
        for line in _lines(random, folder):
            closed = random.choice([(0,), (1,), (2,), (0, 1), (0, 1, 2), (1, 2)])
            answer = run(line, lambda closed=closed: _close(closed))  # type: ignore[misc]
            yield answer._replace(heard=2 not in closed)


def gone_readers(random: Random, folder: Path) -> Iterator[Answer]:
    """The process that reads our output has ended."""
    while True:
        for line in _lines(random, folder):
            yield run(line, _into_nothing)


def full_disks(random: Random, folder: Path) -> Iterator[Answer]:
    """Standard output is a full disk, or the size of files is limited."""
    while True:
        for line in _lines(random, folder):
            if random.random() < 0.5:
                yield run(line, _onto_a_full_disk)
            else:
                most = random.choice((0, 10, 100, 1000, 5000))
                yield run(line, lambda most=most: _limit_files(most))  # type: ignore[misc]


def _lines(random: Random, folder: Path) -> Iterator[list[str]]:
    """Every command with valid input, in random order; `-` is an empty standard input."""
    lines = [(sample, line) for sample in samples() for line in sample.commands]
    every: list[tuple[Sample | None, str]] = [*lines, *((None, line) for line in WORDS)]
    for sample, line in random.sample(every, len(every)):
        place = cleared(folder / "fine")
        if sample is None:
            yield split(line, out=place)
            continue
        path = place / sample.name
        path.write_bytes(sample.content)
        name = str(path) if "<" in line else random.choice((str(path), "-"))
        yield [word.format(name, out=place) for word in line.split()]


def _close(streams: tuple[int, ...]) -> None:
    for stream in streams:
        os.close(stream)


def _into_nothing() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)


def _onto_a_full_disk() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _limit_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
