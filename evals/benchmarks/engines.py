"""Search engines that exist, behind our `search`: what each finds, why it differs from ours, what it costs,
and what a filter that keeps one document in a hundred does to each.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    BEIR_DATA_DIR=… .venv/bin/python evals/benchmarks/engines.py

writes `engines.json` and `engines.md` beside this file. Every engine gets the same texts. Qualities are exact
and do not hang on the machine. *Why* an engine differs is shown, not told: one convention after the other is
changed on our side, until our ranking is the engine's. Costs are those of one machine on which other work
ran: CPU seconds are of the whole process, the engine's own threads included. This is a measurement, no test.
"""

import argparse
import json
import re
import sqlite3
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from hashlib import sha256
from math import log
from pathlib import Path
from statistics import median

import numpy as np
import Stemmer
from stored import HERE, machine, store
from turns import in_turn

from helpers.datasets import load_beir, load_runbooks
from helpers.encoders import bundled_model
from helpers.evaluation import Evaluation, compare, evaluate_retrieval
from helpers.records import Dataset, Run
from helpers.retrieval import TOKENIZER, CsrBM25, DenseRetriever, RankBM25, SqliteFTS5
from helpers.scale import (
    Bm25s,
    DuckDbBM25,
    DuckDbFTS,
    LanceDbBM25,
    LanceDbVectors,
    QdrantBM25,
    QdrantVectors,
    TantivyBM25,
    tantivy_terms,
)
from helpers.scale.engines.base import EngineRetriever
from helpers.scale.engines.terms import Terms
from helpers.text import Analyzer, lucene_english, plain, plain_stemmed, plain_stopped

K = 100
METRICS = ["nDCG@10", "Recall@100"]
LUCENE = {"k1": 1.2, "b": 0.75}
"""Lucene's own defaults, which tantivy, LanceDB, DuckDB and SQLite have too; ours are Anserini's."""
BASELINE = "ours: BM25, Lucene idf, k1=0.9, b=0.4, lucene_english, one-byte lengths"
PACKAGES = ("bm25s", "duckdb", "duckdb-extension-fts", "lancedb", "qdrant-client", "tantivy", "numpy")
GROUPS = 100

Search = Callable[[], Run]
Compared = tuple[Search, float, dict[str, Search]]
"""An engine's run, the constant factor of its scores, and our steps towards it."""


# 1 What each finds, and why


class Engines:
    """Everything that is asked of one collection, made once."""

    def __init__(self, dataset: Dataset):
        self.dataset, self.corpus, self.queries = dataset, dataset.corpus, dataset.queries

    def ours(self, analyzer=lucene_english, queries_by=None, **arguments) -> Run:
        retriever = CsrBM25(self.corpus, analyzer, **arguments)
        retriever.analyzer = queries_by or retriever.analyzer
        return retriever.search(self.queries, K)

    def of(self, engine: type, *arguments, **settings) -> Run:
        return engine(self.corpus, *arguments, **settings).search(self.queries, K)

    def ladder(self) -> dict[str, Search]:
        """What lesson 04 climbs, up to the baseline."""
        return {
            BASELINE: partial(self.ours, lucene_lengths=True),
            "rank-bm25 Okapi, k1=1.5, b=0.75, plain": partial(self.of, RankBM25),
            **{
                f"ours: k1=0.9, b=0.4, {analyzer.__name__}": partial(self.ours, analyzer)
                for analyzer in (plain, plain_stopped, plain_stemmed, lucene_english)
            },
        }

    def engines(self) -> dict[str, Compared]:
        """By name: the engine's run, the factor of its scores, and our steps from the baseline to it."""
        return self._tantivy() | self._lancedb() | self._duckdb() | self._on_our_weights() | self._sqlite()

    def _one_byte(self) -> dict[str, Search]:
        return {"k1 = 1.2, b = 0.75": partial(self.ours, **LUCENE, lucene_lengths=True)}

    def _exact(self) -> dict[str, Search]:
        return self._one_byte() | {"exact lengths": partial(self.ours, **LUCENE)}

    def _tantivy(self) -> dict[str, Compared]:
        def with_its_own(name: str) -> Compared:
            terms = partial(tantivy_terms, analyzer=name)
            ours = partial(self.ours, terms, **LUCENE, lucene_lengths=True)
            return partial(self.of, TantivyBM25, name), 2.2, self._one_byte() | {"its terms": ours}

        return {
            "tantivy, our terms": (partial(self.of, TantivyBM25), 2.2, self._one_byte()),
            "tantivy, its `default`": with_its_own("default"),
            "tantivy, its `en_stem`": with_its_own("en_stem"),
        }

    def _lancedb(self) -> dict[str, Compared]:
        def with_its_own(name: str, terms: Analyzer) -> Compared:
            ours = partial(self.ours, terms, **LUCENE)
            return partial(self.of, LanceDbBM25, name), 2.2, self._exact() | {"its terms": ours}

        return {
            "LanceDB, our terms": (partial(self.of, LanceDbBM25), 2.2, self._exact()),
            "LanceDB, without stems and stopwords": with_its_own("simple", simple_terms),
            "LanceDB, its default": with_its_own("default", self._lance_terms()),
        }

    def _duckdb(self) -> dict[str, Compared]:
        fts = DuckDbFTS(self.corpus)
        documents, queries = fts.terms, fts.query_terms
        steps = {
            "its terms": partial(self.ours, documents, **LUCENE),
            "a query keeps its stopwords, each term once": partial(self.ours, documents, queries, **LUCENE),
        }
        search = partial(fts.search, self.queries, K)
        return {
            "DuckDB, plain SQL, our terms": (partial(self.of, DuckDbBM25, lucene_lengths=True), 1.0, {}),
            "DuckDB, its extension `fts`": (search, 2.2 / log(10), self._exact() | steps),
        }

    def _on_our_weights(self) -> dict[str, Compared]:
        settings = {"k1": 1.5, "b": 0.75}
        steps = {
            "k1 = 1.5, b = 0.75": partial(self.ours, **settings, lucene_lengths=True),
            "exact lengths": partial(self.ours, **settings),
            "its terms": partial(self.ours, bm25s_terms, **settings),
        }
        qdrant = partial(self.of, QdrantBM25, lucene_lengths=True)
        return {
            "Qdrant in the process, our weights": (qdrant, 1.0, {}),
            "bm25s, our terms": (partial(self.of, Bm25s), 1.0, {"exact lengths": partial(self.ours)}),
            "bm25s, its own defaults": (partial(self.of, Bm25s, bm25s_terms, **settings), 1.0, steps),
        }

    def _sqlite(self) -> dict[str, Compared]:
        robertson = partial(self.ours, **LUCENE, variant="robertson")
        steps, terms = self._exact() | {"IDF that is floored at 0": robertson}, self._sqlite_terms()

        def asked(query: str) -> list[str]:
            return [term for word in _words(query) for term in terms[word]]

        once = {"each term of a query once": partial(robertson, queries_by=_once(lucene_english))}
        own = {"its terms, each word of a query once": partial(robertson, terms.__getitem__, asked)}
        return {
            "SQLite FTS5, our terms": (self._sqlite_on_our_terms, 2.2, steps | once),
            "SQLite FTS5, its terms": (partial(self.of, SqliteFTS5), 2.2, steps | own),
            "SQLite FTS5, its terms, no phrases": (self._sqlite_in_words, 2.2, steps | own),
        }

    def _lance_terms(self) -> Analyzer:
        """LanceDB's default: stems (Porter's second), of which stopwords are dropped, and accents last; which
        stems are dropped is asked of itself, one word a document."""
        from bm25s.stopwords import STOPWORDS_EN_PLUS

        stem = Stemmer.Stemmer("english").stemWord
        counted = Counter(word for text in self.corpus.values() for word in _lower_words(text))
        usual = [word for word, _ in counted.most_common(3000)]
        alone = {word: word for word in [*usual, *(w for s in STOPWORDS_EN_PLUS for w in _lower_words(s))]}
        found = LanceDbBM25(alone, "default").search(alone, 1)
        stopped = {stem(word) for word in alone if not found[word]}

        def terms(text: str) -> list[str]:
            stems = map(stem, _lower_words(text))
            return [_folded(term) for term in stems if term not in stopped]

        return terms

    def _sqlite_terms(self) -> dict[str, list[str]]:
        """What FTS5's tokenizer makes of every document, and of every word of a query by itself."""
        texts = [*self.corpus.values(), *(word for query in self.queries.values() for word in _words(query))]
        texts = list(dict.fromkeys(texts))
        found: dict[str, list[str]] = {text: [] for text in texts}
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute(f"CREATE VIRTUAL TABLE texts USING fts5(body, tokenize='{TOKENIZER}')")
            db.executemany("INSERT INTO texts(rowid, body) VALUES (?, ?)", enumerate(texts))
            db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
            for term, number in db.execute("SELECT term, doc FROM terms ORDER BY doc, offset"):
                found[texts[number]].append(term)
        return found

    def _sqlite_on_our_terms(self) -> Run:
        terms = Terms(self.corpus.values(), lucene_english)
        corpus = dict(zip(self.corpus, terms.documents, strict=True))
        queries = dict(zip(self.queries, terms.queries(list(self.queries.values())), strict=True))
        return SqliteFTS5(corpus, tokenizer="unicode61").search(queries, K)

    def _sqlite_in_words(self) -> Run:
        asked = {query_id: " ".join(_words(query)) for query_id, query in self.queries.items()}
        return SqliteFTS5(self.corpus).search(asked, K)


def simple_terms(text: str) -> list[str]:
    """Runs of letters and digits below 40 bytes, in lower case, in ASCII as far as they have such a form."""
    return list(map(_folded, _lower_words(text)))


def _lower_words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[^\W_]+", text) if len(word.encode()) < 40]


def _folded(word: str) -> str:
    """Without accents, a ligature as its letters, a raised digit as a digit."""
    if word.isascii():
        return word
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word.translate(_STROKES))))


_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss"})
"""What Unicode does not take apart."""


def bm25s_terms(text: str) -> list[str]:
    """What `bm25s.tokenize` does by default: words of two letters or more, without 33 stopwords, no stems."""
    from bm25s.stopwords import STOPWORDS_EN

    words = re.findall(r"(?u)\b\w\w+\b", text.lower())
    return [word for word in words if word not in STOPWORDS_EN]


def _once(analyzer):
    return lambda text: list(dict.fromkeys(analyzer(text)))


def _words(query: str) -> list[str]:
    """The words of a query as FTS5 sees them apart, each once whatever its case."""
    words = re.findall(r"[^\W_]+", query)
    return list({word.casefold(): word for word in reversed(words)}.values())[::-1]


def quality(dataset: Dataset) -> dict:
    """Every system beside the baseline, and our steps towards every engine."""
    engines = Engines(dataset)
    runs = {name: search() for name, search in engines.ladder().items()}
    given = engines.engines()
    runs |= {name: search() for name, (search, _, _) in given.items()}
    found = {"documents": len(dataset.corpus), "systems": _beside(runs, BASELINE, dataset), "steps": {}}
    found["queries"] = len(_measured(runs[BASELINE], dataset).per_query)
    for name, (_, factor, steps) in given.items():
        chain = {"the baseline": runs[BASELINE]} | {label: search() for label, search in steps.items()}
        rows = _beside(chain, "the baseline", dataset)
        for label, run in chain.items():
            rows[label] |= agreement(run, runs[name], factor)
        found["steps"][name] = rows
    return found


def agreement(ours: Run, theirs: Run, factor: float) -> dict:
    """For how many queries the top tens are the same, and how far scores are apart at most, relatively.

    `same scores` counts queries whose documents are the same with scores that differ by less than 1e-5,
    documents that tie with the last one left out.
    """
    same, scores, worst = 0, 0, 0.0
    for query_id, hits in ours.items():
        mine, their = dict(hits), dict(theirs[query_id])
        same += [doc_id for doc_id, _ in hits[:10]] == [doc_id for doc_id, _ in theirs[query_id][:10]]
        apart = [abs(score / factor / mine[d] - 1) for d, score in their.items() if d in mine]
        last = min(mine.values(), default=0) * (1 + 1e-5)
        missing = [d for d in mine.keys() ^ their.keys() if mine.get(d, their.get(d, 0) / factor) > last]
        worst = max([worst, *apart])
        scores += not missing and max(apart, default=0) < 1e-5
    return {"same top 10": same, "same scores": scores, "largest difference": worst, "asked": len(ours)}


def _measured(run: Run, dataset: Dataset) -> Evaluation:
    return evaluate_retrieval(run, dataset.qrels, metrics=METRICS)


def _beside(runs: Mapping[str, Run], baseline: str, dataset: Dataset) -> dict[str, dict]:
    """Of each run its metrics, and in both its paired difference to the baseline with a t interval."""
    evaluations = {name: _measured(run, dataset) for name, run in runs.items()}
    found = {name: dict(evaluation) for name, evaluation in evaluations.items()}
    if len(runs) < 2:
        return found
    for metric in METRICS:
        table = compare(evaluations, metric, baseline, correction=None, n_resamples=100).table
        for name, row in table.iterrows():
            if name != baseline:
                found[name][f"{metric} beside"] = [
                    float(row[column]) for column in ("difference", "diff low", "diff high")
                ]
    return found


# 2 What each costs


def costs(dataset: Dataset, rounds: int) -> dict:
    """Seconds to build and to ask, and bytes on disk, of each engine on our terms (or on its own)."""
    corpus = dataset.corpus
    makers = {
        "ours": lambda: CsrBM25(corpus, lambda text: lucene_english(text)),
        "tantivy, our terms": lambda: TantivyBM25(corpus),
        "tantivy, its `en_stem`": lambda: TantivyBM25(corpus, "en_stem"),
        "bm25s, our terms": lambda: Bm25s(corpus),
        "LanceDB, our terms": lambda: LanceDbBM25(corpus),
        "LanceDB, its default": lambda: LanceDbBM25(corpus, "default"),
        "DuckDB, plain SQL, our terms": lambda: DuckDbBM25(corpus),
        "DuckDB, its extension `fts`": lambda: DuckDbFTS(corpus),
        "Qdrant in the process, our weights": lambda: QdrantBM25(corpus),
        "SQLite FTS5, its terms": lambda: SqliteFTS5(corpus),
    }
    retrievers = {name: make() for name, make in makers.items()}
    n_asked = {name: 5 if name.startswith("Qdrant") else 20 for name in makers}
    asked = {name: dict(list(dataset.queries.items())[:n]) for name, n in n_asked.items()}
    found = {"build": clocked(makers, rounds, "build")}
    for k in (10, 100):
        calls = {name: partial(one.search, asked[name], k) for name, one in retrievers.items()}
        found[f"top {k}"] = clocked(calls, rounds, f"top {k}", n_asked)
    with tempfile.TemporaryDirectory() as folder:
        found["bytes"] = index_bytes(corpus, retrievers["ours"], Path(folder))
    found["asked"] = n_asked
    return found


def clocked(
    calls: Mapping[str, Callable], rounds: int, label: str, each: Mapping[str, int] | None = None
) -> dict[str, dict]:
    """Seconds of each call (divided by `each`): CPU of the process and wall, medians and ranges."""
    cpu: dict[str, list[float]] = {name: [] for name in calls}

    def timed(name: str, call: Callable) -> None:
        started = time.process_time()
        call()
        cpu[name].append(time.process_time() - started)

    wall, _ = in_turn({name: partial(timed, name, call) for name, call in calls.items()}, rounds, label)
    found = {}
    for name, taken in cpu.items():
        n = 1 if each is None else each[name]
        later = [seconds / n for seconds in taken[1:]]
        found[name] = {"cpu": median(later), "least": min(later), "most": max(later)}
        found[name]["wall"] = wall[name]["seconds"] / n
    return found


def index_bytes(corpus, ours: CsrBM25, folder: Path) -> dict[str, int]:
    """Bytes of each index on disk, its terms included; of ours and of bm25s those of the arrays."""
    TantivyBM25(corpus, path=folder / "tantivy")
    TantivyBM25(corpus, "en_stem", path=folder / "tantivy_en_stem")
    LanceDbBM25(corpus, path=folder / "lancedb")
    LanceDbBM25(corpus, "default", path=folder / "lancedb_default")
    for engine, name in ((DuckDbBM25, "duckdb"), (DuckDbFTS, "duckdb_fts")):
        engine(corpus, path=folder / name)._db.close()
    QdrantBM25(corpus, path=folder / "qdrant").close()
    SqliteFTS5(corpus, path=folder / "sqlite").close()
    scores = Bm25s(corpus)._bm25.scores
    index = ours.index
    return {
        "ours": index.documents.nbytes + index.weights.nbytes + index.starts.nbytes,
        "bm25s, our terms": sum(scores[part].nbytes for part in ("data", "indices", "indptr")),
        "tantivy, our terms": _size(folder / "tantivy"),
        "tantivy, its `en_stem`": _size(folder / "tantivy_en_stem"),
        "LanceDB, our terms": _size(folder / "lancedb"),
        "LanceDB, its default": _size(folder / "lancedb_default"),
        "DuckDB, plain SQL, our terms": _size(folder / "duckdb"),
        "DuckDB, its extension `fts`": _size(folder / "duckdb_fts"),
        "Qdrant in the process, our weights": _size(folder / "qdrant"),
        "SQLite FTS5, its terms": _size(folder / "sqlite"),
        "the texts": sum(len(text.encode()) for text in corpus.values()),
    }


def _size(path: Path) -> int:
    return sum(p.stat().st_size for p in [path, *path.rglob("*")] if p.is_file())


# 3 Filters


class SqliteInGroups(EngineRetriever):
    """FTS5 over our terms with a column for the group, which WHERE asks for before ORDER BY and LIMIT."""

    def __init__(self, corpus, groups):
        super().__init__(corpus, groups)
        self._terms = Terms((corpus[doc_id] for doc_id in self.doc_ids), lucene_english)
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5(body, grp UNINDEXED, tokenize='unicode61')")
        rows = enumerate(zip(self._terms.documents, self._group_of_each(), strict=True))
        self._db.executemany(
            "INSERT INTO texts(rowid, body, grp) VALUES (?, ?, ?)", ((n, *both) for n, both in rows)
        )
        self.name = "SQLite FTS5 with a group"

    def _asked(self, texts):
        queries = (dict.fromkeys(query.split()) for query in self._terms.queries(texts))
        return [" OR ".join(f'"{term}"' for term in terms) or None for terms in queries]

    def _hits(self, asked, limit, group):
        keep, values = ("", []) if group is None else ("AND grp = ?", [group])
        statement = f"""SELECT rowid, -bm25(texts) AS score FROM texts WHERE texts MATCH ? {keep}
                        ORDER BY score DESC, rowid DESC LIMIT ?"""
        found = self._db.execute(statement, [asked, *values, limit]).fetchall()
        return [number for number, _ in found], [score for _, score in found]


def group_of(doc_id: str) -> str:
    """One of a hundred groups, by a hash that is the same everywhere."""
    return str(int(sha256(doc_id.encode()).hexdigest()[:8], 16) % GROUPS)


def filters(dataset: Dataset, rounds: int) -> dict:
    """Each query asks in one group, that of its first relevant document: one document in a hundred."""
    groups = {doc_id: group_of(doc_id) for doc_id in dataset.corpus}
    relevant = {
        query_id: sorted(doc_id for doc_id, grade in grades.items() if grade > 0 and doc_id in groups)
        for query_id, grades in dataset.qrels.items()
    }
    asked = {query_id: groups[doc_ids[0]] for query_id, doc_ids in relevant.items() if doc_ids}
    queries = {query_id: dataset.queries[query_id] for query_id in asked}
    qrels = {
        q: {d: grade for d, grade in dataset.qrels[q].items() if groups.get(d) == asked[q]} for q in asked
    }
    within = Dataset(dataset.name, dataset.split, dataset.corpus, queries, qrels, dataset.source)
    retrievers = _with_groups(dataset.corpus, groups)
    found = {name: _filtered(*one, within, groups, asked) for name, one in retrievers.items()}
    n_asked = {name: 5 if name.startswith("Qdrant") else 20 for name in retrievers}
    for label, depth, when in (
        ("before", 10, "before"),
        ("after 10", 10, "after"),
        ("after 1000", 1000, "after"),
    ):
        calls = {
            name: partial(
                one.search_in_group, dict(list(queries.items())[: n_asked[name]]), asked, depth, when
            )
            for name, (one, _) in retrievers.items()
        }
        for name, taken in clocked(calls, rounds, label, n_asked).items():
            found[name][label] |= taken
    sizes = Counter(groups.values())
    kept = [sizes[group] for group in asked.values()]
    return {
        "engines": found,
        "queries": len(queries),
        "relevant in the group": sum(sum(g > 0 for g in grades.values()) for grades in qrels.values()),
        "documents kept": [min(kept), median(kept), max(kept)],
    }


def _with_groups(corpus, groups) -> dict[str, tuple]:
    """Engines, each with the exact retriever that its search is held against."""
    one_byte = CsrBM25(corpus, **LUCENE, lucene_lengths=True)
    exact, ours = CsrBM25(corpus, **LUCENE), CsrBM25(corpus)
    model = bundled_model("scifact")
    dense, cells = DenseRetriever(corpus, model), 72
    ivf = partial(LanceDbVectors, corpus, model, groups, cells=cells)
    return {
        "tantivy, words": (TantivyBM25(corpus, groups=groups), one_byte),
        "LanceDB, words": (LanceDbBM25(corpus, groups=groups), exact),
        "DuckDB, words, SQL": (DuckDbBM25(corpus, groups=groups), ours),
        "SQLite FTS5, words": (
            SqliteInGroups(corpus, groups),
            CsrBM25(corpus, **LUCENE, variant="robertson"),
        ),
        "bm25s, words": (Bm25s(corpus, groups=groups), ours),
        "LanceDB, vectors, exact": (LanceDbVectors(corpus, model, groups), dense),
        f"LanceDB, vectors, IVF, 4 of {cells} cells": (ivf(probes=4), dense),
        f"LanceDB, vectors, IVF, 16 of {cells} cells": (ivf(probes=16), dense),
        "Qdrant in the process, vectors": (QdrantVectors(corpus, model, groups), dense),
    }


def _filtered(
    retriever, exact, dataset: Dataset, groups: Mapping[str, str], asked: Mapping[str, str]
) -> dict:
    """Recall of the exact ten best of the group, nDCG@10 by the labels in it, and how many came back."""
    queries = dataset.queries
    whole = exact.search(queries, len(dataset.corpus))
    if isinstance(exact, CsrBM25) and isinstance(retriever, SqliteInGroups):  # each term of a query once
        exact.analyzer = _once(lucene_english)
        whole = exact.search(queries, len(dataset.corpus))
    true = {q: [d for d, _ in hits if groups[d] == asked[q]][:10] for q, hits in whole.items()}
    unfiltered = retriever.search(queries, 1000)
    runs = {"before": retriever.search_in_group(queries, asked, 10)}
    for depth in (10, 100, 1000):
        runs[f"after {depth}"] = {
            q: [hit for hit in hits[:depth] if groups[hit[0]] == asked[q]][:10]
            for q, hits in unfiltered.items()
        }
    rows = _beside(runs, "before", dataset)
    for label, run in runs.items():
        shares = [len({d for d, _ in run[q]} & set(best)) / len(best) for q, best in true.items() if best]
        rows[label]["recall"] = float(np.mean(shares))
        rows[label]["found"] = float(np.mean([len(hits) for hits in run.values()]))
        rows[label]["nothing"] = sum(not hits for hits in run.values())
    return rows


# The page


def _signed(three: list[float] | None) -> str:
    return "" if three is None else f"{three[0]:+.4f} [{three[1]:+.3f}, {three[2]:+.3f}]"


def table(found: dict) -> str:
    """The page that is made of the measurements."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    lines = [
        "# Search engines that exist, beside ours",
        "",
        f"Python {found['python']}, {found['cpus']} CPUs that other work shared; {versions}. Written by "
        "`engines.py`, which says how.",
    ]
    for name in ("SciFact", "runbooks"):
        lines += _quality_lines(name, found[name])
    for name in ("SciFact", "runbooks"):
        lines += _step_lines(name, found[name])
    return "\n".join([*lines, *_cost_lines(found), *_filter_lines(found["filters"]), *_NOT_RUN, ""])


def _quality_lines(name: str, part: dict) -> list[str]:
    lines = [
        "",
        f"## What each finds: {name}, {part['documents']:,} documents, {part['queries']} queries",
        "",
        "In brackets the 95 % t interval of the paired difference to the first row.",
        "",
        "| system | nDCG@10 | Recall@100 | nDCG@10, difference | Recall@100, difference |",
        "|---|--:|--:|--:|--:|",
    ]
    for system, row in part["systems"].items():
        lines.append(
            f"| {system} | {row['nDCG@10']:.4f} | {row['Recall@100']:.4f} | "
            f"{_signed(row.get('nDCG@10 beside'))} | {_signed(row.get('Recall@100 beside'))} |"
        )
    return lines


def _step_lines(name: str, part: dict) -> list[str]:
    lines = [
        "",
        f"## Why each differs: {name}",
        "",
        "Our BM25, changed one convention after the other, each row with all above it, until it is the "
        'engine\'s. "Same scores": queries for which both find the same documents with scores that differ by '
        "less than a hundred-thousandth, the engine's divided by its constant factor. Two differences stay. "
        "FTS5's floor is 1e-6 and ours is 0, so there a term that most documents have still finds some, at "
        "the end of a list. And FTS5 takes `IL-6` in a query for a phrase, which our BM25 does not have: "
        "without phrases its ranking is ours.",
        "",
        "| engine | ours, changed in | nDCG@10 | Recall@100 | same top ten | same scores | at most apart |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for engine, rows in part["steps"].items():
        for label, row in rows.items():
            lines.append(
                f"| {engine} | {label} | {row['nDCG@10']:.4f} | {row['Recall@100']:.4f} | "
                f"{row['same top 10']} of {row['asked']} | {row['same scores']} | "
                f"{row['largest difference']:.1e} |"
            )
    return lines


def _cost_lines(found: dict) -> list[str]:
    cost = found["costs"]
    lines = [
        "",
        "## What each costs: SciFact, 5,183 documents",
        "",
        f"Medians of {found['rounds']} rounds in turns, in one process, after a first that does not count. "
        "CPU is of all threads of the process; in brackets the least and the most. A build is from texts "
        "to an index in memory, our analyzer included where the terms are ours. The first 20 "
        "queries are asked in one call of `search` (of Qdrant the first 5), which engines get one after the "
        "other and ours as one product. Bytes are of the index on disk, with the texts where an engine keeps "
        "them; of ours and of bm25s, which are in memory, those of the arrays.",
        "",
        "| engine | build, CPU s | wall s | top 10, CPU ms a query | wall ms | top 100, CPU ms | MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, build in cost["build"].items():
        ten, hundred = cost["top 10"][name], cost["top 100"][name]
        lines.append(
            f"| {name} | {build['cpu']:.2f} [{build['least']:.2f}, {build['most']:.2f}] | "
            f"{build['wall']:.2f} | "
            f"{1000 * ten['cpu']:.2f} [{1000 * ten['least']:.2f}, {1000 * ten['most']:.2f}] | "
            f"{1000 * ten['wall']:.2f} | {1000 * hundred['cpu']:.2f} | {cost['bytes'][name] / 1e6:.1f} |"
        )
    return [*lines, "", f"The texts themselves are {cost['bytes']['the texts'] / 1e6:.1f} MB."]


def _filter_lines(part: dict) -> list[str]:
    least, middle, most = part["documents kept"]
    lines = [
        "",
        "## A filter that keeps one document in a hundred: SciFact",
        "",
        f"Every document is in one of {GROUPS} groups, by a hash of its id; each of {part['queries']} "
        "queries asks only in the group of its first relevant document, as a customer asks in the "
        f"customer's own documents ({least:.0f} to {most:.0f} of them, {middle:.0f} in the middle). Only "
        "labels in that group count. *Before*: the engine finds the ten best of the group. *After n*: it "
        "finds the n best of all, those of other groups are dropped, and ten are kept. Recall is of the "
        "exact ten best of the group, by the same formula; *found*, how many came back on average; "
        "*nothing*, for how many queries none did. Scores are those of the whole collection in either "
        "case. Times are of the first 20 queries, of Qdrant the first 5.",
        "",
        "| engine | filter | recall | nDCG@10 | beside before | found | nothing | CPU ms | wall ms |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for engine, rows in part["engines"].items():
        for label, row in rows.items():
            time_taken = (f"{1000 * row[one]:.2f}" if one in row else "" for one in ("cpu", "wall"))
            lines.append(
                f"| {engine} | {label} | {row['recall']:.3f} | {row['nDCG@10']:.4f} | "
                f"{_signed(row.get('nDCG@10 beside'))} | {row['found']:.1f} | {row['nothing']} | "
                f"{' | '.join(time_taken)} |"
            )
    return lines


_NOT_RUN = [
    "",
    "## Not run",
    "",
    "- A Qdrant server, and so its HNSW index, its filters in the index, and its speed: Qdrant in the "
    "process is plain Python. The address is tested against a small server that speaks the client's "
    "protocol.",
    "- `INSTALL fts` of DuckDB, which downloads; the extension came from the package of DuckDB's version.",
    "- Elasticsearch, OpenSearch, Solr, Vespa, Milvus.",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds after the first one (default: 5)")
    which = "the parts that are measured; of the others the stored figures stay (default: all)"
    parser.add_argument("--parts", nargs="+", default=[*PARTS], choices=[*PARTS], help=which)
    chosen = parser.parse_args()
    stored = HERE / "engines.json"
    found = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    for part in chosen.parts:
        found |= machine(PACKAGES) | {"rounds": chosen.rounds, part: PARTS[part](chosen.rounds)}
        found = json.loads(json.dumps(found))
        stored.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if PARTS.keys() <= found.keys():
        store("engines", found, table(found))


PARTS = {
    "SciFact": lambda rounds: quality(load_beir("scifact")),
    "runbooks": lambda rounds: quality(load_runbooks(queries="all")),
    "filters": lambda rounds: filters(load_beir("scifact"), rounds),
    "costs": lambda rounds: costs(load_beir("scifact"), rounds),
}

if __name__ == "__main__":
    main()
