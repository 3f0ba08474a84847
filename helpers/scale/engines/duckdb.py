"""DuckDB, the analytical database in the process: BM25 as one SQL statement over our terms, and the BM25 of
its extension for full-text search."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.records import Corpus
from helpers.retrieval import parameters, weigh
from helpers.scale.engines.base import EngineRetriever, Hits, package
from helpers.scale.engines.terms import Terms
from helpers.text import Analyzer, lucene_english


class DuckDbBM25(EngineRetriever):
    """BM25 in plain SQL: a table of postings joined with the query's terms, summed, sorted. No extension.

    The weights of the documents and the IDF are those of `CsrBM25` with the same arguments, and so are the
    scores, but for the last digit: a database adds in the order that suits it. With a `path` the tables are
    in that file, which must not exist yet.

    Needs the extra `engines`; raises ModuleNotFoundError without it, ValueError as `CsrBM25` does.

    >>> retriever = DuckDbBM25({"d1": "a cat sat", "d2": "two cats and a dog"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer = lucene_english,
        groups: Mapping[str, str] | None = None,
        k1: float = 0.9,
        b: float = 0.4,
        lucene_lengths: bool = False,
        path: str | Path | None = None,
    ):
        super().__init__(corpus, groups)
        self._db = _opened(path)
        self._terms = Terms((corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        weighting = weigh(self._terms.counts, "lucene", k1, b, lucene_lengths=lucene_lengths)
        postings = weighting.documents.tocoo()
        _fill(self._db, "idf", {"term": np.arange(len(weighting.query)), "idf": weighting.query})
        columns = {"term": postings.col, "number": postings.row, "weight": postings.data}
        _fill(self._db, "postings", columns, "ORDER BY term, number")
        _fill(self._db, "documents", {"number": np.arange(len(corpus)), "grp": self._group_of_each()})
        lengths = ", one-byte lengths" if lucene_lengths else ""
        self.name = f"DuckDB SQL BM25, k1={k1}, b={b}, {getattr(analyzer, '__name__', analyzer)}{lengths}"

    def _asked(self, texts: Sequence[str]) -> list:
        counts = self._terms.count(texts)
        pairs = zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
        asked = ((counts.indices[a:b].tolist(), counts.data[a:b].tolist()) for a, b in pairs)
        return [both if both[0] else None for both in asked]

    def _hits(self, asked: tuple[list[int], list[int]], limit: int, group: str | None) -> Hits:
        keep, values = _condition(group)
        statement = f"""
            WITH query AS (SELECT unnest(?::INTEGER[]) AS term, unnest(?::INTEGER[]) AS times)
            SELECT number, sum(times * idf::DOUBLE * weight)::FLOAT AS score
            FROM query JOIN idf USING (term) JOIN postings USING (term) JOIN documents USING (number)
            WHERE true {keep} GROUP BY number
            ORDER BY score DESC, number DESC LIMIT ?"""
        return _columns(self._db, statement, [*asked, *values, limit])


class DuckDbFTS(EngineRetriever):
    """The BM25 of DuckDB's extension `fts`, with its own tokenizer: letters only, digits are dropped.

    Lucene's IDF (to base 10, and times k1 + 1: a factor that changes no rank), exact lengths, k1 = 1.2 and
    b = 0.75 unless given; a term that a query repeats counts once, and the stopwords of a query stay in it.
    `stemmer` and `stopwords` are names that the extension knows ("none" switches either off).

    The extension is no part of DuckDB. It is loaded where it is installed, else from the package
    `duckdb-extension-fts`, whose version must be DuckDB's, else DuckDB downloads it (`INSTALL fts`). Raises
    RuntimeError where none of that works, ModuleNotFoundError without the extra `engines`.

    >>> retriever = DuckDbFTS({"d1": "a cat slept", "d2": "big cats like dogs"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        stemmer: str = "porter",
        stopwords: str = "english",
        groups: Mapping[str, str] | None = None,
        k1: float = 1.2,
        b: float = 0.75,
        path: str | Path | None = None,
    ):
        super().__init__(corpus, groups)
        k1, b, _ = parameters("lucene", k1, b).values()
        self._db, self.k1, self.b, self._stemmer = _opened(path), k1, b, stemmer
        _load_fts(self._db)
        texts = [corpus[doc_id] for doc_id in self.doc_ids]
        columns = {"number": np.arange(len(corpus)), "body": texts, "grp": self._group_of_each()}
        _fill(self._db, "documents", columns)
        self._db.execute(
            f"PRAGMA create_fts_index('documents', 'number', 'body', "
            f"stemmer={_quoted(stemmer)}, stopwords={_quoted(stopwords)})"
        )
        self.name = f"DuckDB FTS, k1={k1}, b={b}, {stemmer}, stopwords {stopwords}"

    def terms(self, text: str) -> list[str]:
        """The terms of a document, as they are indexed."""
        keep = "word NOT IN (SELECT sw FROM fts_main_documents.stopwords)"
        return self._cut(text, f"SELECT stem(word, $stemmer) FROM words WHERE word <> '' AND {keep}")

    def query_terms(self, text: str) -> list[str]:
        """The terms of a query: each once, and stopwords stay. ("mean", a stopword, finds "meaning".)"""
        return self._cut(text, "SELECT DISTINCT stem(word, $stemmer) AS term FROM words ORDER BY term")

    def _cut(self, text: str, select: str) -> list[str]:
        words = "WITH words AS (SELECT unnest(fts_main_documents.tokenize($text)) AS word)"
        found = self._db.execute(f"{words} {select}", {"text": text, "stemmer": self._stemmer})
        return [term for (term,) in found.fetchall()]

    def _asked(self, texts: Sequence[str]) -> list:
        return list(texts)

    def _hits(self, asked: str, limit: int, group: str | None) -> Hits:
        keep, values = _condition(group)
        statement = f"""
            SELECT number, score::FLOAT AS score FROM (
                SELECT number, grp, fts_main_documents.match_bm25(number, ?, k := ?, b := ?) AS score
                FROM documents)
            WHERE score > 0 {keep} ORDER BY score DESC, number DESC LIMIT ?"""
        return _columns(self._db, statement, [asked, self.k1, self.b, *values, limit])


def _opened(path: str | Path | None):
    duckdb = package("duckdb", "engines")
    if path is not None and Path(path).exists():
        raise ValueError(f"{path} exists already; give a path that is new")
    return duckdb.connect(":memory:" if path is None else str(path))


def _fill(db, table: str, columns: Mapping[str, Sequence], order: str = "") -> None:
    """A new table with these columns."""
    db.register("given", pd.DataFrame(columns))
    db.execute(f"CREATE TABLE {table} AS SELECT * FROM given {order}")
    db.unregister("given")


def _condition(group: str | None) -> tuple[str, list[str]]:
    return ("", []) if group is None else ("AND grp = ?", [group])


def _columns(db, statement: str, values: list) -> Hits:
    found = db.execute(statement, values).fetchnumpy()
    return found["number"], found["score"]


def _quoted(text: str) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def _load_fts(db) -> None:
    """Loads the extension: an installed one, that of a package, or one that is downloaded."""
    duckdb = package("duckdb", "engines")
    spec, said = find_spec("duckdb_extension_fts"), []
    folders = spec.submodule_search_locations if spec else []
    files = [file for folder in folders for file in sorted(Path(folder).rglob("fts.duckdb_extension"))]
    for attempt in ("LOAD fts", *(f"LOAD {_quoted(file)}" for file in files), "INSTALL fts; LOAD fts"):
        try:
            db.execute(attempt)
            return
        except duckdb.Error as error:
            said.append(str(error).partition("\n")[0])
    same = "duckdb and duckdb-extension-fts of one version, e.g. 1.5.5"
    cure = f"install {same}, or `INSTALL fts` with a network"
    raise RuntimeError(f"DuckDB {duckdb.__version__} has no extension fts ({said[-1]}); {cure}")
