"""The shelf under everything: paths, downloads, whole-or-not-at-all writing, checks of arguments, lines, tables, wording."""

from helpers.base import fetch, files
from helpers.base.checks import (
    GRADES_BELOW,
    Relevant,
    as_grades,
    as_ranking,
    check_ids,
    check_k,
    check_option,
)
from helpers.base.files import cache_dir, cache_path
from helpers.base.lines import json_object, text_field, text_lines
from helpers.base.placing import placed, replaced
from helpers.base.strict import Strict, place
from helpers.base.tables import escape_markdown, html_table, latex_table, markdown_table

__all__ = [
    "GRADES_BELOW",
    "Relevant",
    "Strict",
    "as_grades",
    "as_ranking",
    "cache_dir",
    "cache_path",
    "check_ids",
    "check_k",
    "check_option",
    "escape_markdown",
    "fetch",
    "files",
    "html_table",
    "json_object",
    "latex_table",
    "markdown_table",
    "place",
    "placed",
    "replaced",
    "text_field",
    "text_lines",
]
