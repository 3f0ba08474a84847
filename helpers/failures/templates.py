"""The Jinja templates of this folder, whose macros make HTML of plain data and escape all that is text."""

from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup


def escaped(value: object) -> Markup:
    """Text made safe for HTML, quotation marks as by `html.escape` (Jinja's own are `&#39;`, `&#34;`).

    >>> escaped("it's <b>"), escaped(Markup("<b>"))
    (Markup('it&#x27;s &lt;b&gt;'), Markup('<b>'))
    """
    return Markup(value if hasattr(value, "__html__") else escape(str(value)))


@cache
def macros(name: str) -> ModuleType:
    """The macros of one template, as functions that give HTML."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        autoescape=True,
        finalize=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name).module
