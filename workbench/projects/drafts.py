"""Queries drafted from the documents themselves, for the days before anybody has labelled one.

A drafted query asks for the page that it was made from, in that page's own words. It is of the kind
`synthetic`, and no number from it ever stands among gold ones.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter

import numpy as np

from helpers.base import check_rng, check_type, check_whole, counted, first_few
from helpers.text import FUNCTION_WORDS, plain
from workbench.corpus import SourceDocument
from workbench.dataset_files import EvaluationDataset, EvaluationQuery

TEMPLATES = ("{title}", "{heading}", "{terms}")
"""A query is made of the page's title, a heading in it, or three of its words that few other pages have."""
_NEEDS = {
    "title": "a title that no other document has",
    "heading": "a heading that no other document has",
    "terms": "three words that not all have",
}
_FIELDS = tuple(_NEEDS)
_LONGEST = 120
"""A title or heading of more characters is a sentence of the page and no longer what anybody types."""
_TERMS = 3
DESCRIPTION = (
    "Drafted from the documents by templates; nobody asked these queries. Each has words of the page that it "
    "expects, so the numbers are higher than those of real questions."
)


def draft_queries(
    documents: Sequence[SourceDocument],
    templates: Sequence[str] = TEMPLATES,
    limit: int = 50,
    rng: np.random.Generator | int = 0,
) -> EvaluationDataset:
    """At most `limit` known-item queries of kind `synthetic`, one a document, the same ones each time.

    A template is text with `{title}`, `{heading}` or `{terms}` in it. Documents come in an order drawn with
    `rng`, templates in turn; where a document lacks what a template needs, the next one is tried. A title or
    heading that two documents share names neither and is not used, and no query is drafted twice.

    What numbers from such queries are worth: they show that everything works, and that nothing broke since
    yesterday. They do not show how good the search is: a query has the page's own words, so a system that
    matches words looks far better than with people's questions, and only one page counts as right.

    Raises ValueError for a template with none of the three or with anything else in braces, a limit below 1,
    for two documents with one doc_id, and where no document gives a query.

    Source: Azzopardi, de Rijke and Balog, Building simulated queries for known-item topics, SIGIR 2007.

    >>> pages = [SourceDocument(f"{name}.md", name.title(), "...", "") for name in ("lunch", "doors")]
    >>> [(row.query_text, row.expected_item_id, row.kind) for row in draft_queries(pages, limit=1).queries]
    [('Doors', 'doors.md', 'synthetic')]
    """
    check_type("documents", documents, Sequence, "corpus.documents has them")
    for number, document in enumerate(documents):
        check_type(f"documents[{number}]", document, SourceDocument, "corpus.documents has them")
    check_whole("limit", limit, of="queries")
    twice = [doc_id for doc_id, n in Counter(document.doc_id for document in documents).items() if n > 1]
    if twice:
        raise ValueError(
            f"{counted(len(twice), 'doc_id')} of several documents: {first_few(twice)}; an id names one"
        )
    _check_templates(templates)
    documents = sorted(documents, key=lambda document: document.doc_id)  # whatever order they were read in
    parts = _parts(documents)
    rows: list[EvaluationQuery] = []
    asked: set[str] = set()
    for i in check_rng(rng).permutation(len(documents)).tolist():
        if len(rows) == limit:
            break
        doc_id, turn = documents[i].doc_id, len(rows) % len(templates)
        drafts = _filled([*templates[turn:], *templates[:turn]], parts[doc_id])
        text = next((draft for draft in drafts if draft.casefold() not in asked), None)
        if text is not None:
            asked.add(text.casefold())
            row = {"query_id": f"draft-{len(rows) + 1:03d}", "query_text": text, "expected_item_id": doc_id}
            rows.append(EvaluationQuery(**row, kind="synthetic"))
    if not rows:
        needs = [_NEEDS[name] for name in _FIELDS if any(name in _names_in(one) for one in templates)]
        why = f"none has {' or '.join(needs)}, which the templates need"
        others = [f"{{{name}}}" for name in _FIELDS if any(of_one[name] for of_one in parts.values())]
        cure = f"; {' and '.join(others)} would draft some" if others else ""
        raise ValueError(f"no query could be drafted from {len(documents)} documents: {why}{cure}")
    return EvaluationDataset(schema_version=1, name="synthetic", description=DESCRIPTION, queries=tuple(rows))


def _names_in(template: str) -> set[str]:
    """What stands in braces. Raises ValueError for braces that do not match."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _check_templates(templates: Sequence[str]) -> None:
    if isinstance(templates, str) or not templates:
        raise ValueError(f"templates is {templates!r}; needed a list of texts such as {TEMPLATES[0]!r}")
    for template in templates:
        try:
            names = _names_in(template)
        except ValueError as error:
            raise ValueError(f"template {template!r}: {error}") from None
        plain_braces = all(
            not spec and not conversion for _, _, spec, conversion in Formatter().parse(template)
        )
        if not names or not plain_braces or names - set(_FIELDS):
            needed = "{title}, {heading} or {terms}, and no other name in braces"
            raise ValueError(f"template {template!r} must hold {needed}")


def _filled(templates: Sequence[str], parts: Mapping[str, str]) -> Iterator[str]:
    """The templates for which a document has all that they need, filled."""
    for template in templates:
        if all(parts[name] for name in _names_in(template)):
            yield template.format_map(parts)


def _parts(documents: Sequence[SourceDocument]) -> dict[str, dict[str, str]]:
    """`{doc_id: {field: text}}`; the text is "" where a document has none that tells it from the others."""
    terms = _rare_terms(documents)
    titles, headings = {}, {}
    for document in documents:
        titles[document.doc_id] = _short([document.title])
        headings[document.doc_id] = _short(re.findall(r"^#{2,6}[ \t]+(.+?)[ \t#]*$", document.text, re.M))
    # In how many documents each title or heading stands: one that two share names neither of them.
    names = ({text.casefold() for text in titles[doc_id] + headings[doc_id]} for doc_id in titles)
    df = Counter(name for of_one in names for name in of_one)

    def first_own(texts: list[str]) -> str:
        return next((text for text in texts if df[text.casefold()] == 1), "")

    return {
        doc_id: {
            "title": first_own(titles[doc_id]),
            "heading": first_own(headings[doc_id]),
            "terms": terms[doc_id],
        }
        for doc_id in titles
    }


def _short(texts: Iterable[str]) -> list[str]:
    """Each text once, on one line, without marks of Markdown; what has no word, or is long, is left out."""
    lines = (" ".join(re.sub(r"[`*]|\[|\]\([^)]*\)", "", text).split()) for text in texts)
    return list(dict.fromkeys(line for line in lines if len(line) <= _LONGEST and plain(line)))


def _rare_terms(documents: Sequence[SourceDocument]) -> dict[str, str]:
    """The words of each document that the fewest others have, in their order; "" for fewer than three."""
    words = {document.doc_id: _words(document) for document in documents}
    df = Counter(word for counts in words.values() for word in counts)
    found = {}
    for doc_id, counts in words.items():
        position = {word: i for i, word in enumerate(counts)}
        telling = [word for word in counts if df[word] < len(documents)]
        # Of equally rare words those that the page says most often: a word said once is often a slip.
        rarest = sorted(telling, key=lambda word: (df[word], -counts[word], position[word]))[:_TERMS]
        found[doc_id] = " ".join(sorted(rarest, key=position.get)) if len(rarest) == _TERMS else ""
    return found


def _words(document: SourceDocument) -> Counter[str]:
    """The words of a text that mean something by themselves: 4 to 30 letters and digits, a letter first."""
    words = (word for word in plain(document.text) if word not in FUNCTION_WORDS)
    return Counter(word for word in words if word.isalnum() and word[0].isalpha() and 4 <= len(word) <= 30)
