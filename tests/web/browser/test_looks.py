"""The web app's size, its requests, and its accessibility."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mineproof.render import palette, proof_pictures, sprites
from tests.web.browser.hand import Hand
from tools import agent_list

Visit = Callable[..., Hand]
ROOT = Path(__file__).parents[3]
STATIC = ROOT / "src" / "mineproof" / "web" / "static"
AXE = ROOT / "build" / "page" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ("play", "watch", "analyse", "learn/3", "review", "history", "assist", "compare")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def ready(hand: Hand, page: str) -> None:
    hand.page.locator("main .card:visible").first.wait_for()
    hand.wait_until_idle()
    if page == "analyse":
        hand.page.locator("main table").first.wait_for()
    if page == "play":
        hand.click((4, 4))
        hand.key("o", "h")


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_does_not_scroll_sideways_and_axe_finds_nothing_serious(
    visit: Visit, page: str
) -> None:
    hand = visit(f"#{page}", color_scheme="light", **PHONE)
    ready(hand, page)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert hand.page.evaluate(wide) <= 0
    if not AXE.is_file():
        pytest.skip("axe-core is not here: `make page-tools` fetches it with npm")
    hand.page.evaluate(AXE.read_text())
    assert serious(hand, "{resultTypes: ['violations']}") == []
    hand.page.emulate_media(color_scheme="dark")
    assert serious(hand, "{runOnly: ['color-contrast']}") == []


def serious(hand: Hand, options: str) -> list[str]:
    found = hand.page.evaluate(f"axe.run({options})")["violations"]
    return [output(one) for one in found if one["impact"] in {"serious", "critical"}]


def output(violation: dict[str, Any]) -> str:
    nodes = [node["html"][:160] for node in violation["nodes"][:4]]
    return f"{violation['id']}: {violation['help']} {nodes}"


def test_all_pages_together_load_less_than_320_kb_from_this_server_only(
    visit: Visit, address: str
) -> None:
    hand = visit(at="about:blank")  # the browser must not fetch anything before it is counted
    asked: dict[str, int] = {}

    def arrived(response: Any) -> None:
        asked[response.url] = len(response.body()) if response.ok else 0

    hand.page.on("response", arrived)
    hand.page.goto(address)
    hand.wait_until_idle()
    for page in PAGES:
        hand.page.goto(f"{address}#{page}")
        hand.page.locator("main .card:visible").first.wait_for()
        hand.wait_until_idle()
    assert all(url.startswith((address, "blob:")) for url in asked)
    print(f"\nall pages: {sum(asked.values()):,} bytes")
    assert 50_000 < sum(asked.values()) < 320_000


def test_the_list_of_agents_is_up_to_date() -> None:
    """`make docs` writes it."""
    assert agent_list.PAGE_LIST.read_text() == agent_list.listed()


def test_the_svg_sprites_are_up_to_date() -> None:
    """`python -m mineproof.render.sprites src/mineproof/web/static/shapes.svg` writes them."""
    assert (STATIC / "shapes.svg").read_text() == sprites.sprite_sheet()


def test_the_colours_are_those_of_the_palette() -> None:
    painter = (STATIC / "board" / "painter.js").read_text()
    named = dict(re.findall(r'export const (\w+) = "(#\w+)"', painter))
    assert named == {
        "OPENED": palette.OPENED,
        "GRID_LINE": palette.GRID_LINE,
        "DARK": palette.DARK,
        "LIGHT": palette.LIGHT,
        "CLUE": proof_pictures.CLUE,
        "CLASH": palette.PAINTS[12].ground,
    }
    style = (STATIC / "style" / "parts.css").read_text()
    assert ", ".join(palette.SCALE) in style


def test_no_page_has_inline_scripts_or_styles() -> None:
    """The content security policy would refuse them."""
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script>(?!\s*</script>)", page)
    for script in STATIC.rglob("*.js"):
        assert "innerHTML" not in script.read_text()


def test_keys_used_by_input_fields_do_not_move_the_page(visit: Visit) -> None:
    hand = visit("#analyse")
    area = hand.page.get_by_label("The position as text")
    area.focus()
    hand.page.keyboard.type("oub")
    assert area.input_value().endswith("oub")


def test_dark_and_light_are_remembered(visit: Visit) -> None:
    hand = visit(color_scheme="light")
    hand.page.locator("main .card:visible").first.wait_for()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = hand.page.evaluate(ground)
    hand.page.get_by_role("button", name="Switch between dark and light theme").click()
    dark = hand.page.evaluate(ground)
    assert dark != light
    hand.page.reload()
    assert hand.page.evaluate(ground) == dark


def test_everything_that_the_first_page_needs_is_preloaded() -> None:
    """A module that is discovered only after another one has loaded costs a round trip."""
    found: set[Path] = set()

    def follow(path: Path) -> None:
        if path not in found:
            found.add(path)
            for name in re.findall(r'from "(\.[^"]+)"', path.read_text()):
                if "/kernel/" not in name:  # needed only without a server
                    follow((path.parent / name).resolve())

    for name in ("app.js", "pages/play.js"):
        follow((STATIC / name).resolve())
    page = (STATIC / "index.html").read_text()
    fetched = [*re.findall(r'<link rel="modulepreload" href="([^"]+)"', page), "app.js"]
    assert {(STATIC / name).resolve() for name in fetched} == found
