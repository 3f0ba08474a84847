"""Queries drafted from the documents themselves, for the days before anybody has labelled one.

A drafted query asks for the page that it was made from, in that page's own words. It is of the kind `synthetic`, and no number
from it ever stands among gold ones. Queries that people asked, and what people said about them, are in `labelling`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter

import numpy as np

from helpers.base import check_k
from helpers.text import FUNCTION_WORDS, plain
from workbench.corpus import SourceDocument
from workbench.dataset_files import EvaluationDataset, EvaluationQuery

TEMPLATES = ("{title}", "{heading}", "{terms}")
"""What a query is made of: the page's title, a heading in it, three of its words that few other pages have."""
FIELDS = ("title", "heading", "terms")
LONGEST = 120
"""A title or heading of more characters is a sentence of the page and no longer what anybody types."""
TERMS = 3
DESCRIPTION = (
    "Drafted from the documents by templates; nobody asked these queries. Each has words of the page that it expects, "
    "so the numbers are higher than those of real questions."
)


def draft_queries(
    documents: Sequence[SourceDocument],
    templates: Sequence[str] = TEMPLATES,
    limit: int = 50,
    rng: np.random.Generator | int = 0,
) -> EvaluationDataset:
    """At most `limit` known-item queries of kind `synthetic`, one a document at most; the same ones each time.

    A template is text with `{title}`, `{heading}` or `{terms}` in it. The documents are gone through in an order drawn with
    `rng`, the templates in turn; where a document lacks what a template needs, the next template is tried. A title or heading
    that two documents share names neither of them and is not used, and no query is drafted twice.

    What numbers from such queries are worth: they show that everything works, and that nothing broke since yesterday. They do
    not show how good the search is. The query has the page's own words, so a system that matches words looks far better than
    with people's questions, and only one page counts as right where others may answer as well.

    Raises ValueError for a template with none of the three or with anything else in braces, a limit below 1, and where no
    document gives a query.

    Source: Azzopardi, de Rijke and Balog, Building simulated queries for known-item topics, SIGIR 2007.

    >>> pages = [SourceDocument("a.md", "Moving the database", "...", "a.md"), SourceDocument("b.md", "Lunch", "...", "b.md")]
    >>> [(row.query_text, row.expected_item_id, row.kind) for row in draft_queries(pages, limit=1).queries]
    [('Moving the database', 'a.md', 'synthetic')]
    """
    check_k(limit)
    _check_templates(templates)
    documents = sorted(documents, key=lambda document: document.doc_id)  # whatever order they were read in
    parts = _parts(documents)
    order = np.random.default_rng(rng).permutation(len(documents)).tolist()
    rows: list[EvaluationQuery] = []
    asked: set[str] = set()
    for document in (documents[i] for i in order):
        if len(rows) == limit:
            break
        turn = len(rows) % len(templates)
        drafts = _filled([*templates[turn:], *templates[:turn]], parts[document.doc_id])
        text = next((draft for draft in drafts if draft.casefold() not in asked), None)
        if text is not None:
            asked.add(text.casefold())
            rows.append(_row(len(rows) + 1, text, document.doc_id))
    if not rows:
        raise ValueError(
            f"no query could be drafted from {len(documents)} documents: none has a title, a heading or a word of its own"
        )
    return EvaluationDataset(schema_version=1, name="synthetic", description=DESCRIPTION, queries=tuple(rows))


def _row(number: int, text: str, doc_id: str) -> EvaluationQuery:
    return EvaluationQuery(
        query_id=f"draft-{number:03d}", query_text=text, expected_item_id=doc_id, kind="synthetic"
    )


def _check_templates(templates: Sequence[str]) -> None:
    if isinstance(templates, str) or not templates:
        raise ValueError(f"templates is {templates!r}; needed a list of texts such as {TEMPLATES[0]!r}")
    for template in templates:
        try:
            names = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
        except ValueError as error:
            raise ValueError(f"template {template!r}: {error}") from None
        if not names or set(names) - set(FIELDS):
            raise ValueError(
                f"template {template!r} must hold {{title}}, {{heading}} or {{terms}}, and no other name in braces"
            )


def _filled(templates: Sequence[str], parts: Mapping[str, str]) -> Iterator[str]:
    """The templates for which a document has all that they need, filled."""
    for template in templates:
        names = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        if all(parts.get(name) for name in names):
            yield template.format_map(parts)


def _parts(documents: Sequence[SourceDocument]) -> dict[str, dict[str, str]]:
    """`{doc_id: {field: text}}`; a field is missing where the document has none that tells it from the others."""
    titles = {document.doc_id: _short([document.title]) for document in documents}
    headings = {
        document.doc_id: _short(re.findall(r"^#{2,6}[ \t]+(.+?)[ \t#]*$", document.text, re.M))
        for document in documents
    }
    names = ({text.casefold() for text in titles[doc_id] + headings[doc_id]} for doc_id in titles)
    shared = Counter(name for of_one in names for name in of_one)
    terms = _rare_terms(documents)
    found = {}
    for doc_id in titles:
        title = next((text for text in titles[doc_id] if shared[text.casefold()] == 1), "")
        heading = next((text for text in headings[doc_id] if shared[text.casefold()] == 1), "")
        found[doc_id] = {"title": title, "heading": heading, "terms": terms[doc_id]}
    return found


def _short(texts: Iterable[str]) -> list[str]:
    """Each text once, on one line, without marks of Markdown; what has no word, or is long, is left out."""
    lines = (" ".join(re.sub(r"[`*]|\[|\]\([^)]*\)", "", text).split()) for text in texts)
    return list(dict.fromkeys(line for line in lines if len(line) <= LONGEST and plain(line)))


def _rare_terms(documents: Sequence[SourceDocument]) -> dict[str, str]:
    """For each document the words of its text that the fewest documents have, in their order there; "" for fewer than three."""
    words = {document.doc_id: _words(document) for document in documents}
    df = Counter(word for counts in words.values() for word in counts)
    found = {}
    for doc_id, counts in words.items():
        place = {word: i for i, word in enumerate(counts)}
        # Of equally rare words those that the page says most often: a word that stands there once is often a slip.
        rarest = sorted(
            (word for word in counts if df[word] < len(documents)),
            key=lambda w: (df[w], -counts[w], place[w]),
        )
        found[doc_id] = (
            " ".join(sorted(rarest[:TERMS], key=place.__getitem__)) if len(rarest) >= TERMS else ""
        )
    return found


def _words(document: SourceDocument) -> Counter[str]:
    """The words of a text that mean something by themselves: 4 to 30 letters and digits, a letter first."""
    words = (word for word in plain(document.text) if word not in FUNCTION_WORDS)
    return Counter(word for word in words if word.isalnum() and word[0].isalpha() and 4 <= len(word) <= 30)
