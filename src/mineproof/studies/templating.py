"""Fill in the HTML templates of pages with Jinja2."""

from __future__ import annotations

from functools import cache
from typing import Any

from mineproof.extras import need
from mineproof.printable import printable
from mineproof.studies import html_tables
from mineproof.studies.charts import name
from mineproof.studies.findings import change
from mineproof.studies.line_styles import line_style
from mineproof.studies.wording import write, write_interval

_FUNCTIONS = (
    *(name, change, line_style, write, write_interval),
    *(html_tables.chart_rows, html_tables.is_far, html_tables.is_bounded, html_tables.setting),
)
"""The functions that templates may call."""


def fill_in(package: str, template: str, **values: Any) -> str:
    """Return HTML from a file in the folder `templates` of a package; values are escaped."""
    return str(_environment(package).get_template(template).render(values))


@cache
def _environment(package: str) -> Any:
    jinja2 = need("jinja2", "studies")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {function.__name__: function for function in _FUNCTIONS}
    return environment


def _visible(value: Any) -> Any:
    """Replace unprintable characters of text by visible escapes; HTML is left as it is."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return printable(value, lines=True) if is_text else value
