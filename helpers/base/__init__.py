"""The shelf under everything: paths, downloads, writing whole or not at all, checks, lines, tables,
wording."""

from helpers.base import fetch, files, placing
from helpers.base.arguments import WrongType, name_wrong_types, warn
from helpers.base.caches import (
    StaleCache,
    as_json,
    cache_shown,
    corpus_fingerprint,
    json_checksum,
    made_by_difference,
    size_and_checksum,
    utf8,
)
from helpers.base.checks import (
    GRADES_BELOW,
    Relevant,
    as_grades,
    as_ranking,
    check_blanks,
    check_flag,
    check_ids,
    check_k,
    check_mapping,
    check_option,
    check_path,
    check_rng,
    check_search,
    check_type,
    check_whole,
    cure_of_grade,
    refuse,
)
from helpers.base.files import cache_dir, cache_path
from helpers.base.lines import (
    as_utf8,
    check_json_lines,
    check_no_mark,
    ending,
    in_a_merge,
    is_binary,
    json_object,
    json_records,
    json_value,
    needed_id,
    not_json,
    odd_separator,
    other_format,
    table_rows,
    text_field,
    text_lines,
    whole_text,
)
from helpers.base.odd_texts import has_html, is_escaped, is_html_escaped, is_json_text, is_mojibake
from helpers.base.placing import as_given, check_free, one_at_a_time, placed, replaced, write_text
from helpers.base.progress import Bar, progress
from helpers.base.strict import Strict, finding_in_words, findings, invalid_fields
from helpers.base.tables import escape_markdown, html_table, latex_table, markdown_table
from helpers.base.wording import as_typed, counted, either, first_few, folded, never_more, plural
