"""The glossary page matches its table, and the table is valid."""

from __future__ import annotations

import mineproof as mp
from tools import glossary, plain_words
from tools.recorder import ROOT

TERMS = [term for group in glossary.groups() for term in group["term"]]


def test_the_page_is_up_to_date() -> None:
    assert glossary.PAGE.read_text(encoding="utf-8") == glossary.page(), "run `make docs`"
    assert "tools.glossary" in (ROOT / "Makefile").read_text()


def test_every_term_is_unique_with_a_sentence_and_a_page() -> None:
    names = [name for term in TERMS for name in term["name"].split(", ")]
    assert len(set(names)) == len(names)
    for term in TERMS:
        assert term["meaning"].endswith("."), term["name"]
        assert (ROOT / "docs" / term["see"]).is_file(), term["see"]


def test_terms_are_in_alphabetical_order() -> None:
    for group in glossary.groups():
        names = [term["name"].lower() for term in group["term"]]
        assert names == sorted(names)


def test_a_page_uses_its_terms() -> None:
    """Each term occurs on the page that it refers to."""
    for term in TERMS:
        text = " ".join((ROOT / "docs" / term["see"]).read_text(encoding="utf-8").lower().split())
        assert any(name.lower() in text for name in term["name"].split(", ")), term["name"]


def test_python_names_of_terms_exist() -> None:
    for term in TERMS:
        first, _, name = term.get("code", "").partition(".")
        if first == "mp":
            holder = mp
            for part in name.split("."):
                assert hasattr(holder, part) or part in getattr(holder, "__annotations__", {})
                holder = getattr(holder, part, None)


def test_the_terms_are_plain() -> None:
    for term in TERMS:
        assert not any(word.find.search(term["meaning"]) for word in plain_words.words())
