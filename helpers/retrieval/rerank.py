"""Reranking: a first retriever finds candidates, a slower scorer puts them in order.

What the first has not found the second cannot rank: `candidate_ceiling` says how good the best order of the
candidates would be, before anything is scored.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from helpers.base import check_ids, check_whole, counted, first_few, progress, warn
from helpers.encoders import SparseEncoder, as_numbers, as_rows, as_texts, load_encoder, model_name
from helpers.evaluation import Results, as_scores, evaluate_retrieval, ranking, read_once
from helpers.records import Corpus, Qrels, Queries, Retriever, Run
from helpers.retrieval.fusion import SEVERAL, best_first, check_retriever, check_share, found_by, fuse
from helpers.retrieval.latent import Encoder, TwoEncoders, cosines, unit_rows, unit_vectors
from helpers.retrieval.vectors import check_corpus, check_queries, check_query


class Scorer(Protocol):
    """Anything that scores the texts of a query's candidates: one number each, the higher the more relevant.

    A cross-encoder of `helpers.encoders` is one.
    """

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]: ...


class CosineScorer:
    """The cosine between the vectors of query and text, by a dense model: any object with `encode(texts)`.

    One with a method for each side (`encoders.encoded`) is asked by it. Each text is encoded once and its
    vector kept; `vectors` gives those that there are already, `{text: vector}`. Raises ValueError for ones
    that are not finite, or of another width than the model's.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> CosineScorer(Letters()).scores("a", ["b", "aa", "ab"]).tolist()
    [0.0, 1.0, 0.707107]
    """

    def __init__(self, model: Encoder | TwoEncoders, vectors: Mapping[str, np.ndarray] | None = None):
        self.model = model
        self.name = f"cosine, {model_name(model)}"
        if not isinstance(vectors, Mapping | None):
            raise ValueError(f"vectors is a {type(vectors).__name__}; needed a dict {{text: vector}}")
        self._vectors: dict[str, np.ndarray] = {}
        if vectors:
            texts = as_texts(list(vectors), "vectors")
            rows = as_rows(list(vectors.values()), texts, "vectors").astype(np.float64)
            self._vectors |= zip(texts, unit_rows(rows), strict=True)
        self._seem_ids = bool(vectors) and not any(" " in text for text in vectors)

    def scores(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """Cosines, rounded to six decimals (one for each text, float64)."""
        texts = as_texts(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if self._seem_ids and texts:
            self._seem_ids = False
            if len(new) == len(set(texts)):
                said = "vectors has none of the texts that are scored, which are all encoded"
                warn(f"{said}; its keys are texts, {{text: vector}}, and no ids")
        self._vectors |= zip(new, unit_vectors(self.model, new, "document"), strict=True)
        if not texts:
            return np.empty(0)
        asked = unit_vectors(self.model, [query], "query")[0]
        held = [self._vectors[text] for text in texts]
        if other := {len(vector) for vector in held} - {len(asked)}:
            found = f"a query of {len(asked)} numbers, texts of {min(other)}"
            raise ValueError(f"{self.name}: {found}; both must come from one model")
        return cosines(asked, np.array(held))


class Reranker:
    """The first `depth` results of a retriever in the order of a scorer; what stands below follows as it was.

    `scorer` is an object with `scores(query, texts)`, a dense model (then the cosine decides), or the name or
    folder of a model with weights on this computer. The texts are those of `first.corpus`, else of `corpus`.
    How many candidates are scored is `depth`, whatever k is. Scores are the scorer's, rounded to six
    decimals, equal ones by doc_id down; the documents below `depth` have the lowest of them less 1, 2, 3 and
    so on: only their order says something.

    `alpha` is the share of the scorer. Below 1 the first retriever's own score counts too: both as z-scores
    over the candidates, as `fuse` does it. A scorer alone throws away why a document was found.

    Warns of scores that look like something else in each of five queries or more: all equal, sorted, ranks,
    distances.

    Raises ValueError for an alpha outside 0 to 1, a retriever without a corpus, a scorer that is none, a
    candidate without a text, and scores of another number than texts or not finite.

    >>> from helpers.retrieval import CsrBM25
    >>> class Shortest:
    ...     name = "shortest first"
    ...     def scores(self, query, texts):
    ...         return [-len(text) for text in texts]
    >>> corpus = {"d1": "a pod, a pod, a pod", "d2": "the pod was killed", "d3": "pod"}
    >>> CsrBM25(corpus).search({"q1": "pods"}, k=3)["q1"][0][0]
    'd1'
    >>> Reranker(CsrBM25(corpus), Shortest(), depth=2).search({"q1": "pods"}, k=3)
    {'q1': [('d3', -3.0), ('d1', -19.0), ('d2', -20.0)]}
    """

    def __init__(
        self,
        first: Retriever,
        scorer: Scorer | Encoder | TwoEncoders | str | Path,
        depth: int = 100,
        corpus: Corpus | None = None,
        alpha: float = 1.0,
    ):
        check_retriever(first, "first")
        self.alpha = check_share("alpha", alpha, "the share of the scorer")
        self.first, self.depth = first, check_whole("depth", depth, of="documents")
        self.corpus = getattr(first, "corpus", None) if corpus is None else corpus
        if self.corpus is None:
            raise ValueError(f"a {type(first).__name__} keeps no corpus; give it: Reranker(..., corpus=)")
        if self.corpus != {}:  # whose first retriever finds nothing
            check_corpus(self.corpus)
        self.scorer = _scorer(scorer)
        before, by = (getattr(part, "name", type(part).__name__) for part in (first, self.scorer))
        share = "" if alpha == 1 else f" (alpha {alpha:g})"
        self.name = f"{before}; its first {depth} by {by}{share}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` where the first retriever has none."""
        check_whole("k", k, least=0, of="documents")
        check_queries(queries)
        found = found_by(self.first, "first", queries, max(k, self.depth))
        run: Run = {}
        seen: list[tuple[list[float], np.ndarray]] = []
        for query_id, query in progress(queries.items(), desc="reranking", unit="query"):
            run[query_id] = self._reranked(query_id, query, found[query_id], seen)[:k]
        _warn_of_scores(_name(self.scorer), seen)
        return run

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """Where the document stood, and where it stands: two rows, `first` and `reranked`, rank and score.

        NaN where the first retriever has not found it, or has found it below the depth. `attrs` holds
        doc_id, query, retriever, and score, the one that `search` reports.
        """
        check_query(query)
        check_ids([doc_id], "doc_id")
        if doc_id not in self.corpus:
            raise ValueError(f"doc_id {doc_id!r} is not among the {len(self.corpus)} documents")
        before = found_by(self.first, "first", {"query": query}, self.depth)["query"]
        rows = {"first": before, "reranked": self._reranked("query", query, before, [])}
        frame = pd.DataFrame.from_dict(
            {name: _place(doc_id, results) for name, results in rows.items()},
            orient="index",
            columns=["rank", "score"],
        ).rename_axis("stage")
        about = {"doc_id": doc_id, "query": query, "retriever": self.name}
        frame.attrs = {**about, "score": float(frame.loc["reranked", "score"])}
        return frame

    def _reranked(
        self, query_id: str, query: str, results: Results, seen: list[tuple[list[float], np.ndarray]]
    ) -> list[tuple[str, float]]:
        doc_ids = ranking(query_id, results)
        candidates, below = doc_ids[: self.depth], doc_ids[self.depth :]
        if not candidates:
            return []
        scores = self._checked(query_id, candidates, self.scorer.scores(query, self._texts(candidates)))
        reranked, before = best_first(candidates, scores), as_scores(query_id, results)
        seen.append(([before[doc_id] for doc_id in candidates], scores))
        if self.alpha < 1:
            kept = {query_id: [(doc_id, before[doc_id]) for doc_id in candidates]}
            reranked = fuse([kept, {query_id: reranked}], "z", [1 - self.alpha, self.alpha])[query_id]
        lowest = reranked[-1][1]
        # By 1, or where 32 bits cannot tell neighbours so near, by twice what they can.
        step = max(1.0, 2 * float(np.spacing(np.float32(abs(lowest)))))
        return reranked + [(doc_id, lowest - step * place) for place, doc_id in enumerate(below, start=1)]

    def _texts(self, doc_ids: Sequence[str]) -> list[str]:
        if strange := [doc_id for doc_id in doc_ids if doc_id not in self.corpus]:
            found = f"candidate {strange[0]!r} has no text among the {len(self.corpus)} documents"
            raise ValueError(f"{found}; give the corpus that the first retriever searches")
        return [self.corpus[doc_id] for doc_id in doc_ids]

    def _checked(self, query_id: str, doc_ids: Sequence[str], given: Sequence[float]) -> np.ndarray:
        scores, name = as_numbers(given), _name(self.scorer)
        if scores is None:
            raise ValueError(f"query {query_id!r}, {name}: gave {given!r:.50}; needed a number for each text")
        if scores.shape != (len(doc_ids),):
            found = f"scores of shape {scores.shape} for {len(doc_ids)} texts"
            raise ValueError(f"query {query_id!r}, {name}: {found}; needed one number for each")
        with np.errstate(over="ignore"):
            finite = np.isfinite(scores.astype(np.float32))
        if not finite.all():
            doc_id = doc_ids[int(np.argmin(finite))]
            raise ValueError(f"query {query_id!r}, {name}: the score of {doc_id!r} is not finite in 32 bits")
        return scores.astype(np.float64).round(6)


def _name(scorer: Scorer) -> str:
    return getattr(scorer, "name", "the scorer")


def _warn_of_scores(name: str, seen: Sequence[tuple[list[float], np.ndarray]]) -> None:
    """Warns of what a scorer gave for each query, beside the first retriever's scores, best first: all equal;
    ranks, whose lowest are where the first retriever has its best too; rising from the first text to the
    last, as distances do; or falling so, and not the first retriever's own."""
    several = [(before, own) for before, own in seen if len(own) >= _A_LIST]
    if len(several) < SEVERAL:
        return
    needed = "needed a number for each text, in their order, the higher the better"
    if all(own.min() == own.max() for _, own in several):
        warn(f"{name} gives all texts of a query the same score, so it orders nothing; {needed}")
    elif all(map(_are_ranks, (own for _, own in several))):
        rising = sum(own @ (np.arange(len(own)) - (len(own) - 1) / 2) > 0 for _, own in several)
        if rising > 0.8 * len(several):
            said = f"the scores of {name} are 1, 2, 3 and so on, mostly lower for what was found earlier"
            warn(f"{said}; {needed}: if they are ranks, give -rank")
    elif all((np.diff(own) >= 0).all() and own[0] < own[-1] for _, own in several):
        said = f"in all {len(several)} queries the scores of {name} rise from the first text to the last"
        warn(f"{said}, so what was found first stands last; {needed}: if they are distances, give -distance")
    elif sum(len(own) >= _A_LONG_LIST for _, own in several) >= SEVERAL and all(
        (np.diff(own) <= 0).all() and 2 * (np.diff(own) < 0).sum() >= len(own) - 1 for _, own in several
    ):
        if not all(np.allclose(before, own, atol=1e-4) for before, own in several):
            said = f"in all {len(several)} queries the scores of {name} fall from the first text to the last"
            warn(f"{said}, so nothing is reordered; were they sorted? {needed}")


_A_LIST, _A_LONG_LIST = 3, 10
"""So many documents have an order, and so many hardly have the same one twice by accident."""


def _are_ranks(scores: np.ndarray) -> bool:
    ranks = np.arange(len(scores))
    return any(np.array_equal(np.sort(scores), ranks + first) for first in (0, 1))


def candidate_ceiling(
    run: Run | Mapping[str, Results],
    qrels: Qrels,
    depth: int | Iterable[int] = (10, 20, 50, 100),
    metric: str = "nDCG@10",
) -> pd.DataFrame:
    """The best that a reranker could make of the first so many results, a row a depth (index: `depth`).

    `recall` is the share of the relevant documents among the candidates, `ceiling` the metric with them in
    the best order, by grade. `gain` is how far that lies above the run as it is. Raises ValueError as
    `evaluate_retrieval` does.

    >>> run = {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)]}
    >>> candidate_ceiling(run, {"q1": {"d2": 1, "d3": 1}}, depth=[1, 2, 3], metric="P@2").reset_index()
       depth  recall  ceiling  gain
    0      1     0.0      0.0  -0.5
    1      2     0.5      0.5   0.0
    2      3     1.0      1.0   0.5
    """
    several = isinstance(depth, Iterable) and not isinstance(depth, str)
    depths = [check_whole("depth", value, of="results") for value in (depth if several else [depth])]
    run = read_once(run) if isinstance(run, Mapping) else run
    now = evaluate_retrieval(run, qrels, metrics=[metric])[metric]
    ranked = {query_id: ranking(query_id, results) for query_id, results in run.items()}
    rows = {}
    lengths = [len(doc_ids) for doc_ids in ranked.values()]
    longest = max(lengths, default=0)
    beyond = [value for value in depths if value > longest]
    if beyond and len(lengths) > 1 and longest and 2 * lengths.count(longest) > len(lengths):
        said = f"most lists of the run have {counted(longest, 'document')}; if they were cut there"
        warn(f"{said}, the depths {first_few(beyond)} say nothing more: search with k={max(beyond)}")
    for value in depths:
        best: Run = {}
        for query_id, doc_ids in ranked.items():
            grades = qrels.get(query_id, {})
            best[query_id] = best_first(doc_ids[:value], [grades.get(d, 0) for d in doc_ids[:value]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of these documents all was said above
            found = evaluate_retrieval(best, qrels, metrics=[f"Recall@{value}", metric])
        rows[value] = (found[f"Recall@{value}"], found[metric], found[metric] - now)
    columns = ["recall", "ceiling", "gain"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("depth")


def _scorer(given: Scorer | Encoder | TwoEncoders | str | Path) -> Scorer:
    """A scorer from what stands for one. Raises ValueError for what does not."""
    model = load_encoder(given) if isinstance(given, (str, Path)) else given
    if not isinstance(model, type) and callable(getattr(model, "scores", None)):
        return model
    if not isinstance(model, type) and _encodes(model):
        return CosineScorer(model)
    needed = "an object with scores(query, texts), a dense model, or the name of one or of a cross-encoder"
    if not isinstance(model, type) and callable(getattr(model, "predict", None)):
        needed += "; wrap it: scores(query, texts) gives model.predict([(query, text) for text in texts])"
    raise ValueError(f"the scorer is a {type(model).__name__}; needed {needed}")


def _encodes(model: object) -> bool:
    """Whether a model gives vectors of documents and queries, dense ones where it is one of ours."""
    pairs = (("encode_documents", "encode_queries"), ("encode_document", "encode_query"))
    both = any(all(callable(getattr(model, name, None)) for name in pair) for pair in pairs)
    return callable(getattr(model, "encode", None)) or both and not isinstance(model, SparseEncoder)


def _place(doc_id: str, results: Results) -> tuple[float, float]:
    """Rank and score of a document, NaN where it is not there."""
    scores = as_scores("query", results)
    if doc_id not in scores:
        return float("nan"), float("nan")
    return float(ranking("query", scores).index(doc_id) + 1), float(scores[doc_id])
