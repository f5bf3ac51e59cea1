"""Write a study as readable TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import structs

from mineproof.messages.study_files import Block, Plot

_WIDTH = 96
_USUAL: dict[str, dict[str, Any]] = {
    name: {
        field.name: list(field.default) if isinstance(field.default, tuple) else field.default
        for field in structs.fields(kind)
    }
    for name, kind in (("block", Block), ("plot", Plot))
}


def write_toml(spec: Mapping[str, Any]) -> str:
    """Return TOML that reads back as the same study; default values are left out."""
    lines = [
        f"{key} = {_value(value)}"
        for key, value in spec.items()
        if key not in _USUAL and value not in ("", None)
    ]
    for kind, usual in _USUAL.items():
        for table in spec.get(kind, []):
            lines += ["", f"[[{kind}]]"]
            lines += [
                f"{key} = {_value(value)}"
                for key, value in table.items()
                if value is not None and value != usual[key]
            ]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return _list([_value(one) for one in value])
    if isinstance(value, str) and "\n" in value:
        return f'"""\n{value.strip()}"""'
    return json.dumps(value, ensure_ascii=False)


def _list(items: list[str]) -> str:
    """A list on one line if it fits, otherwise wrapped."""
    short = f"[{', '.join(items)}]"
    if len(short) <= _WIDTH - 12:
        return items[0] if len(items) == 1 and not items[0].lstrip("-").isdigit() else short
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(["[", *lines, line, "]"])
