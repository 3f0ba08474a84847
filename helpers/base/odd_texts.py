"""Signs that a text is not what its readers see: a wrong encoding, HTML, escapes of JSON."""

import re
from html.entities import html5

_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1|`[^`\n]+`", re.M | re.S)
_TAG = re.compile(r"<br\s*/?>|</(?:a|b|div|em|h[1-6]|i|li|ol|p|span|strong|table|td|tr|ul)>", re.I)
_ENTITY = re.compile(r"&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d?);", re.I)
_IN_A_WORD = re.compile(r"\w&(?:shy|szlig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron));", re.I)
_MANY = 3
"""So many letters written as &uuml; are no example of one."""
_ESCAPED = re.compile(r"\w\\u[\da-f]{4}", re.I)
_JSON = re.compile(r'(?:[^\\\x00-\x1f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})+')


def is_mojibake(text: str) -> bool:
    """Whether the UTF-8 of a text, all of it, was read as Windows-1252, as in `TÃ¼r`.

    >>> is_mojibake("TÃ¼r"), is_mojibake("Tür")
    (True, False)
    """
    try:
        return not text.isascii() and text.encode("cp1252").decode("utf-8") != text
    except UnicodeError:
        return False


def has_html(text: str, as_it_is: bool) -> bool:
    """Whether a text holds tags or letters of HTML, outside of code; in Markdown and its like, which may
    hold tags, whether it has several words with letters such as `&uuml;`.

    >>> has_html("<p>M&uuml;ller</p>", as_it_is=True), has_html("`<p>` and </p> too", as_it_is=False)
    (True, False)
    """
    if "&" not in text and "<" not in text:
        return False
    text = _CODE.sub(" ", text)
    if not as_it_is:
        return len(_IN_A_WORD.findall(text)) >= _MANY
    return bool(_TAG.search(text)) or _has_entity(text)


def is_html_escaped(text: str) -> bool:
    """Whether each & of a text, outside of code, begins a letter of HTML, as where `html.escape` was called.

    >>> is_html_escaped("R&amp;D, it&#39;s"), is_html_escaped("R&D, or R&amp;D")
    (True, False)
    """
    text = _CODE.sub(" ", text) if "&" in text else ""
    return _has_entity(text) and text.count("&") == len(_ENTITY.findall(text))


def _has_entity(text: str) -> bool:
    named = (one[1:] for one in _ENTITY.findall(text))
    return any(one.startswith("#") or one in html5 for one in named)


def is_escaped(text: str) -> bool:
    r"""Whether a text has the ends of its lines, or letters in its words, as JSON escapes them.

    >>> is_escaped(r"One line.\n\nAnother."), is_escaped(r"print('\n')")
    (True, False)
    """
    if "\\" not in text:
        return False
    text = _CODE.sub(" ", text)
    return bool(_ESCAPED.search(text)) or "\n" not in text and ("\\n\\n" in text or text.count("\\n") > 2)


def is_json_text(text: str) -> bool:
    r"""Whether a text is what JSON makes of one: between quotes, or with escapes of JSON and no others, as
    the commands of LaTeX would be.

    >>> is_json_text(r'"One line.\nAnother."'), is_json_text(r"One line.\n\nAnother.")
    (True, True)
    >>> is_json_text(r"\nabla \nu \neq \alpha"), is_json_text("a line")
    (False, False)
    """
    if not _JSON.fullmatch(text):
        return False
    return is_escaped(text) or len(text) > 1 and text[0] == text[-1] == '"'
