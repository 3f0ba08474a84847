"""tantivy: Lucene's design in Rust, in the process, with an index in memory or in a folder."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from helpers.base import check_free, check_option
from helpers.records import Corpus
from helpers.scale.engines.base import EngineRetriever, Hits, package
from helpers.scale.engines.terms import Terms
from helpers.text import Analyzer, lucene_english

_ITS_OWN = ("default", "en_stem")
"""Names of tantivy's: runs of letters and digits below 40 bytes in lower case; and the same, stemmed."""
_HEAP = 128_000_000
"""Bytes for what is not written yet."""


class TantivyBM25(EngineRetriever):
    """BM25 as tantivy computes it: Lucene's IDF, k1 = 1.2, b = 0.75, lengths in one byte. Nothing can be set.

    `analyzer` is a function, whose terms are indexed as they are, or the name of one of tantivy's own:
    "default" (no stems, no stopwords) or "en_stem". With our terms it is `CsrBM25(k1=1.2, b=0.75,
    lucene_lengths=True)`: its scores are ours times 2.2, which is k1 + 1. Nothing in a query is an operator.
    `groups` gives each document the group that a filter asks for. With a `path`, a folder that is new or
    empty, the index is in files there, and read from them as it is needed.

    Needs the extra `engines`; raises ModuleNotFoundError without it, ValueError as `CsrBM25` does.

    >>> retriever = TantivyBM25({"d1": "a cat sat", "d2": "two cats and a dog"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer | str = lucene_english,
        groups: Mapping[str, str] | None = None,
        path: str | Path | None = None,
    ):
        super().__init__(corpus, groups)
        self._tantivy = package("tantivy", "engines")
        texts = [corpus[doc_id] for doc_id in self.doc_ids]
        self._terms = None if isinstance(analyzer, str) else Terms(texts, analyzer)
        self._tokenizer = _tokenizer(None if self._terms else analyzer)
        self._index = self._built(texts if self._terms is None else self._terms.documents, path)
        self._searcher = self._index.searcher()
        self.name = f"tantivy BM25, k1=1.2, b=0.75, {getattr(analyzer, '__name__', analyzer)}"

    def _built(self, texts: Sequence[str], path: str | Path | None):
        schema = self._tantivy.SchemaBuilder()
        schema.add_text_field("text", tokenizer_name="chosen", index_option="freq")
        schema.add_text_field("group", tokenizer_name="raw", index_option="basic")
        schema.add_integer_field("number", fast=True)
        if path is not None:
            check_free(Path(path))
            Path(path).mkdir(parents=True, exist_ok=True)
        index = self._tantivy.Index(schema.build(), path=None if path is None else str(path))
        index.register_tokenizer("chosen", self._tokenizer)
        writer = index.writer(_HEAP, num_threads=1)
        for number, (text, group) in enumerate(zip(texts, self._group_of_each(), strict=True)):
            writer.add_document(self._tantivy.Document(text=text, group=group, number=number))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index

    def _asked(self, texts: Sequence[str]) -> list:
        if self._terms is not None:
            return [query.split() or None for query in self._terms.queries(texts)]
        return [self._tokenizer.analyze(text) or None for text in texts]

    def _hits(self, asked: list[str], limit: int, group: str | None) -> Hits:
        query, occur, schema = self._tantivy.Query, self._tantivy.Occur, self._index.schema
        any_of = query.boolean_query(
            [(occur.Should, query.term_query(schema, "text", term, "freq")) for term in asked]
        )
        if group is not None:  # which must fit, and adds nothing to a score
            fits = query.const_score_query(query.term_query(schema, "group", group, "basic"), 0.0)
            any_of = query.boolean_query([(occur.Must, any_of), (occur.Must, fits)])
        hits = self._searcher.search(any_of, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return numbers, [score for score, _ in hits]


def tantivy_terms(text: str, analyzer: str = "default") -> list[str]:
    """What one of tantivy's own analyzers, "default" or "en_stem", makes of a text.

    >>> tantivy_terms("The patient's IL-6 fell", "en_stem")  # doctest: +SKIP
    ['the', 'patient', 's', 'il', '6', 'fell']
    """
    return _tokenizer(analyzer).analyze(text)


@lru_cache
def _tokenizer(name: str | None):
    """One of tantivy's own by name; without a name that which cuts at white space and does nothing else."""
    tantivy = package("tantivy", "engines")
    if name is None:
        return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    check_option("analyzer", name, _ITS_OWN)
    built = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    built = built.filter(tantivy.Filter.remove_long(40)).filter(tantivy.Filter.lowercase())
    return (built.filter(tantivy.Filter.stemmer("english")) if name == "en_stem" else built).build()
