"""Four categories of misses, by words in common and a cosine.

Nothing is searched again: this sorts misses by what query and document look like. Lesson 05 shows how far
the sorting depends on the model.
"""

from collections.abc import Iterable, Mapping, Sequence

from helpers.base import as_grades, as_ranking, check_ids, counted, warn
from helpers.records import Corpus
from helpers.retrieval import Encoder, LatentSemantic, TwoEncoders, cosines, unit_vectors
from helpers.stats import check_in_order
from helpers.text import lucene_english

CATEGORIES = ("query_understanding", "index_coverage", "ranking_quality", "semantic_drift")
LOW_SIMILARITY = 0.3
"""Below it a miss is called semantic drift. A cosine means something else in each model."""


class RetrievalErrorAnalyzer:
    """Sorts missed documents into four categories, over as many queries as are given to it one after another.

    For each expected document that was not retrieved, the first that holds: `index_coverage` (it is not in
    the corpus, or has no text), `query_understanding` (it shares no content word with the query),
    `semantic_drift` (its cosine with the query is below 0.3), `ranking_quality` (a good match that ranks too
    low). Documents retrieved and not expected are no misses: they are kept apart, in `false_positives`.

    `similarity_model` is any object with `encode(list[str])`; without one a `LatentSemantic` is fitted on the
    corpus when a cosine is first asked for. `error_categories` holds the entries, dicts with query, doc_id,
    issue and, where one was computed, similarity. A miss counts once: where a query is given again, as by a
    cell that runs twice, what was kept of the same documents is replaced.

    Words are compared as `lucene_english` has them.

    >>> analyzer = RetrievalErrorAnalyzer({"d1": "The pods restart.", "d2": "Lunch is served.", "d3": ""})
    >>> for entry in analyzer.analyze_failures("Why is the pod down?", ["d2"], {"d1", "d3", "d9"}):
    ...     print(entry["doc_id"], entry["issue"])
    d1 good match ranked too low
    d3 no text in the corpus
    d9 not in the corpus
    >>> analyzer.get_error_summary()["index_coverage"], len(analyzer.false_positives)
    ({'count': 2, 'percentage': 66.66666666666667}, 1)
    """

    def __init__(self, corpus: Corpus, similarity_model: Encoder | TwoEncoders | None = None):
        if not isinstance(corpus, Mapping):
            cure = "give {doc_id: text}, the analyzer looks documents up in it"
            raise ValueError(f"the corpus is a {type(corpus).__name__}; {cure}")
        check_ids(corpus, "corpus: doc_id")
        self.corpus = corpus
        self.similarity_model = similarity_model
        self.error_categories: dict[str, list[dict]] = {category: [] for category in CATEGORIES}
        self.false_positives: list[dict] = []
        self._given: set[str] = set()

    def analyze_failures(
        self,
        query: str,
        retrieved_docs: Sequence[str] | Sequence[tuple[str, float]] | Sequence[object],
        expected_docs: Iterable[str],
        similarity_model: Encoder | TwoEncoders | None = None,
    ) -> list[dict]:
        """The entries of one query's missed documents, by doc_id; they are kept for the summary.

        `expected_docs` are doc_ids, or the `{doc_id: grade}` of a query's judgments, of which those above
        grade 0 are expected. `retrieved_docs`, best first, are doc_ids, pairs (doc_id, score) as in a run, or
        objects with an `id`. Cut the list where the reader stops: what is not in it was missed. A model given
        here serves this query only. Raises ValueError for a query or a list of expected documents that is not
        what it should be, and a document that stands twice; warns where the corpus has none of those that
        were retrieved.
        """
        if not isinstance(query, str):
            raise ValueError(f"the query is a {type(query).__name__}; needed its text")
        if isinstance(expected_docs, str):
            cure = f"give a list of doc_ids, [{expected_docs!r}]"
            raise ValueError(f"expected_docs is the text {expected_docs!r}; {cure}")
        if isinstance(retrieved_docs, (str, Mapping)) or not isinstance(retrieved_docs, Iterable):
            given = "None" if retrieved_docs is None else f"a {type(retrieved_docs).__name__}"
            raise ValueError(f"retrieved_docs is {given}; give a list of doc_ids, best first")
        check_in_order(retrieved_docs, "retrieved_docs")
        retrieved = as_ranking([_doc_id(document) for document in retrieved_docs])
        listed = isinstance(expected_docs, Mapping) or getattr(expected_docs, "ndim", 1) != 1
        expected = expected_docs if listed else list(expected_docs)
        grades = as_grades(expected, "expected_docs")
        expected = {doc_id for doc_id, grade in grades.items() if grade > 0}
        self._warn_of_unknown(retrieved)
        entries = [self._entry(query, one, similarity_model) for one in sorted(expected - set(retrieved))]
        if query in self._given:
            self._forget(query, expected | set(retrieved))
        self._given.add(query)
        for category, entry in entries:
            self.error_categories[category].append(entry)
        self.false_positives += [
            {"query": query, "doc_id": doc_id, "rank": rank, "issue": "irrelevant document retrieved"}
            for rank, doc_id in enumerate(retrieved, start=1)
            if doc_id not in expected
        ]
        return [entry for _, entry in entries]

    def get_error_summary(self) -> dict[str, dict]:
        """`{category: {"count": n, "percentage": share}}`; shares of all misses, all 0 where none failed.

        >>> RetrievalErrorAnalyzer({}).get_error_summary()["semantic_drift"]
        {'count': 0, 'percentage': 0.0}
        """
        counts = {category: len(entries) for category, entries in self.error_categories.items()}
        total = sum(counts.values()) or 1
        return {name: {"count": count, "percentage": 100 * count / total} for name, count in counts.items()}

    def _warn_of_unknown(self, retrieved: Sequence[str]) -> None:
        if not retrieved or not self.corpus or not self.corpus.keys().isdisjoint(retrieved):
            return
        said = f"the corpus has none of the {counted(len(retrieved), 'document')} retrieved"
        example = f"e.g. {retrieved[0]!r} was retrieved, and {next(iter(self.corpus))!r} is in the corpus"
        warn(f"{said}, {example}; write the ids alike, or give the corpus that was searched")

    def _forget(self, query: str, doc_ids: set[str]) -> None:
        """Takes out what was kept of a query and these documents."""
        for kept in (*self.error_categories.values(), self.false_positives):
            kept[:] = [one for one in kept if one["query"] != query or one["doc_id"] not in doc_ids]

    def _entry(self, query: str, doc_id: str, model: Encoder | TwoEncoders | None) -> tuple[str, dict]:
        """The category of one missed document, and what is kept of it."""
        entry = {"query": query, "doc_id": doc_id}
        if not self._text(doc_id).strip():
            issue = "no text in the corpus" if doc_id in self.corpus else "not in the corpus"
            return "index_coverage", entry | {"issue": issue}
        if set(lucene_english(query)).isdisjoint(lucene_english(self.corpus[doc_id])):
            return "query_understanding", entry | {"issue": "no content word in common"}
        entry["similarity"] = self._similarity(query, doc_id, model)
        if entry["similarity"] < LOW_SIMILARITY:
            return "semantic_drift", entry | {"issue": "low similarity"}
        return "ranking_quality", entry | {"issue": "good match ranked too low"}

    def _similarity(self, query: str, doc_id: str, model: Encoder | TwoEncoders | None) -> float:
        if model is None and self.similarity_model is None:
            self.similarity_model = LatentSemantic(map(self._text, self.corpus))
        model = self.similarity_model if model is None else model
        of_query, of_document = unit_vectors(model, [query, self.corpus[doc_id]])
        return float(cosines(of_query, of_document[None, :])[0])

    def _text(self, doc_id: str) -> str:
        """A document's text; "" where there is none, be it None or NaN as in a table with gaps."""
        text = self.corpus.get(doc_id)
        return text if isinstance(text, str) else ""


def _doc_id(document: object) -> object:
    """The id of a retrieved document in any of the three forms."""
    # A list, where pairs come from JSON; two ids beside each other are none.
    if isinstance(document, tuple | list) and len(document) == 2 and not isinstance(document[1], str):
        return document[0]
    doc_id = getattr(document, "id", document)
    if doc_id is None and document is not None:
        given = f"a retrieved {type(document).__name__} has None for its id"
        raise ValueError(f"{given}; give the doc_ids, such as [one.metadata['doc_id'] for one in retrieved]")
    return doc_id
