"""A failure report to leaf through: every query with its rankings and misses, for one system or two.

The output is plain HTML that folds open (<details>), so it reads where a stored output is all there is. Where
scripts run, a short one adds boxes to choose a query, a kind, or what brings a miss back.
"""

import hashlib
import re
from collections.abc import Iterable
from math import inf, isinf
from pathlib import Path
from textwrap import shorten

import pandas as pd
from markupsafe import Markup

from helpers.base import counted, write_text
from helpers.failures.highlight import highlight
from helpers.failures.report import FailureReport
from helpers.failures.templates import macros
from helpers.failures.trials import JOIN
from helpers.text import Analyzer, lucene_english

_TEMPLATE = "browser.html.jinja"
_MOST = 100
"""Queries in one output; of more, those with the lowest scores are shown, and the output says so."""
LEDGERS, _TERMS, _AROUND = 2, 5, 80
"""So many misses of a query get a ledger, of so many terms; so many characters are shown around a quote."""


class Browser:
    """What `browse` gives, shown by a notebook, kept by `save`. The same reports give the same bytes."""

    def __init__(self, title: str, body: Markup):
        name = f"browse-{hashlib.sha256(body.encode()).hexdigest()[:10]}"
        self.title, self.html = title, str(macros(_TEMPLATE).framed(name, body))

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"{self.title} (to be seen in a notebook, or in a browser after save(path))"

    def save(self, path: str | Path) -> Path:
        """Writes a page that needs nothing beside it and no network. Returns its path."""
        # One line of plain words: some programs show a title without minding what was escaped in it.
        without_markup = re.sub(r"(?is)<(script|style)\b.*?(?:</\1>|$)|</?[a-z][^<>]*>", " ", self.title)
        title = " ".join(without_markup.split())
        return write_text(path, str(macros(_TEMPLATE).page(title, Markup(self.html))))


def browse(
    report: FailureReport, other: FailureReport | None = None, queries: Iterable[str] | None = None
) -> Browser:
    """The queries of a report, or of two systems side by side: rankings, quotes, misses, ledgers.

    Under each query are the first k documents of each system with grade and score; each miss with its rank
    after each change, the two gravest (of two systems, the gravest of each) with a ledger against a useless
    document above; and the quoted words of the relevant documents, with the words of the query marked. A
    retriever whose scores are no sums over terms has no ledger. `queries` names the query_ids to show;
    without it all are shown, of more than 100 those with the lowest nDCG@10.

    Raises ValueError for reports on different queries or judgments or with different k, and for an unknown
    query_id.

    >>> from helpers.failures import System, analyze
    >>> from helpers.records import Dataset
    >>> from helpers.retrieval import CsrBM25
    >>> corpus, qrels = {"d1": "Downtime of May", "d2": "Outage insurance"}, {"q1": {"d1": 1}}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "outage"}, qrels, "by hand")
    >>> browse(analyze(toy, System("BM25", CsrBM25)))
    toy, 1 query, k = 10: BM25 (to be seen in a notebook, or in a browser after save(path))
    """
    reports = [report] if other is None else [report, other]
    _check_pair(reports[0], reports[-1])
    chosen, note = _chosen(reports, queries)
    names = " and ".join(each.system.name for each in reports)
    title = f"{report.dataset.name}, {counted(len(chosen), 'query')}, k = {report.k}: {names}"
    folds = [_query(reports, query_id) for query_id in chosen]
    return Browser(title, macros(_TEMPLATE).body(title, note, report.labels, folds))


def _check_pair(one: FailureReport, other: FailureReport) -> None:
    for name in ("queries", "qrels"):
        if getattr(one.dataset, name) != getattr(other.dataset, name):
            datasets = f"{one.dataset.name!r} and {other.dataset.name!r}, whose {name} differ"
            raise ValueError(f"the reports are on {datasets}; analyse both systems on one dataset")
    if one.k != other.k:
        raise ValueError(f"one report has k = {one.k}, the other k = {other.k}; analyse both with one k")


def _chosen(reports: list[FailureReport], queries: Iterable[str] | None) -> tuple[list[str], str]:
    """The query_ids to show, in the order of the judgments, and a note where that is not all of them."""
    known = list(reports[0].dataset.qrels)
    if queries is not None:
        if isinstance(queries, str):
            raise ValueError(f"queries is one text; give a list of query_ids, [{queries!r:.60}]")
        wanted = list(queries)
        unknown = [query_id for query_id in wanted if query_id not in known]
        if unknown:
            what = f"{unknown[0]!r:.60} is not among the {len(known)} judged queries"
            raise ValueError(f"queries: {what}, e.g. {known[0]!r}")
        return [query_id for query_id in known if query_id in wanted], f" (chosen from {len(known)})"
    if len(known) <= _MOST:
        return known, ""
    lowest = pd.concat([_scores(report) for report in reports], axis=1).min(axis=1)
    worst = set(lowest.sort_values(kind="stable").index[:_MOST])
    chosen = [query_id for query_id in known if query_id in worst]
    return chosen, f" (of {len(known)}, those with the lowest nDCG@10)"


def _scores(report: FailureReport) -> pd.Series:
    return report.evaluation.per_query["nDCG@10"]


def _query(reports: list[FailureReport], query_id: str) -> dict:
    """What the template shows of one query."""
    report, text = reports[0], reports[0].dataset.queries[query_id]
    misses = [each.misses[each.misses["query_id"] == query_id] for each in reports]
    label = next((label for label in report.labels or () if label.query_id == query_id), None)
    quotes = {judgment.doc_id: judgment.quote for judgment in label.judgments} if label else {}
    by = {name for frame in misses for names in frame["back by"] for name in names.split(JOIN)}
    pairs = list(zip(reports, misses, strict=True))
    return {
        "id": query_id,
        "text": text,
        "kind": label.kind.replace("_", "-") if label else "any kind",
        "back_by": "|".join(sorted(by) or ["nothing missed"]),
        "label": f"{query_id} {shorten(text, 60, placeholder='…')}",
        "systems": [_system(each, query_id, frame, LEDGERS // len(reports)) for each, frame in pairs],
        **_passages(report, query_id, quotes),
    }


def _system(report: FailureReport, query_id: str, misses: pd.DataFrame, n_ledgers: int) -> dict:
    """The ranking of one system and what it missed, the gravest first."""
    grades, corpus = report.dataset.qrels[query_id], report.dataset.corpus
    gravest = misses.sort_values(["grade", "rank"], ascending=[False, True], kind="stable")
    return {
        "name": report.system.name,
        "score": _scores(report).get(query_id),
        "first_rank": report.first_ranks.get(query_id, inf),
        "rows": [
            (rank, _document(doc_id, corpus), grades.get(doc_id), score)
            for rank, (doc_id, score) in enumerate(report.run.get(query_id, [])[: report.k], start=1)
        ],
        "misses": [
            {
                **miss,
                "document": _document(miss["doc_id"], corpus),
                "names": miss["back by"].split(JOIN),
                "after": report.after.loc[row].dropna().to_dict(),
                "ledger": _ledger(report, miss) if number < n_ledgers else None,
            }
            for number, (row, miss) in enumerate(gravest.to_dict("index").items())
        ],
    }


def _document(doc_id: str, corpus: dict[str, str]) -> str:
    title = next(iter(corpus.get(doc_id, "").strip().splitlines()), "")
    return f"{doc_id} {shorten(title.lstrip('# '), 36, placeholder='…')}"


def _ledger(report: FailureReport, miss: dict) -> dict | None:
    """Term by term, a useless document above against the missed one; None where scores are no sums."""
    above = _above(report, miss)
    query = report.dataset.queries[miss["query_id"]]
    frame = report.index.why_above(query, above, miss["doc_id"]) if above else None
    if frame is None:
        return None
    # The terms that differ most, in the order of the frame, with bars of one scale.
    largest = frame["difference"].abs().sort_values(ascending=False, kind="stable").index[:_TERMS]
    kept, (above_score, missed_score) = frame[frame.index.isin(largest)], frame.attrs["scores"]
    scale = max(kept["difference"].abs().max(), 1e-9)
    rows = []
    for term, tf_a, tf_b, a, b, lead in kept.itertuples():
        signed, bar = f"{lead:+.2f}".replace("-", "−"), "█" * round(8 * abs(lead) / scale)
        rows.append((term, f"{a:.2f} ({tf_a})", f"{b:.2f} ({tf_b})", f"{signed} {bar}"))
    return {
        "doc_ids": frame.attrs["doc_ids"],
        "rows": rows,
        "n_left_out": len(frame) - len(kept),
        "scores": (f"{above_score:.2f}", f"{missed_score:.2f}", f"{above_score - missed_score:+.2f}"),
    }


def _above(report: FailureReport, miss: dict) -> str:
    """The last document within k that is not relevant and stands above the missed one, or ""."""
    grades = report.dataset.qrels[miss["query_id"]]
    first = report.run.get(miss["query_id"], [])[: report.k]
    higher = first if isinf(miss["rank"]) else first[: int(miss["rank"]) - 1]
    return next((doc_id for doc_id, _ in reversed(higher) if grades.get(doc_id, 0) < 1), "")


def _passages(report: FailureReport, query_id: str, quotes: dict[str, str]) -> dict:
    """What the relevant documents say, best grade first."""
    corpus, grades = report.dataset.corpus, report.dataset.qrels[query_id]
    relevant = sorted((doc_id for doc_id in grades if grades[doc_id] > 0), key=lambda doc_id: -grades[doc_id])
    query = report.dataset.queries[query_id]
    analyzer = getattr(report.index.retriever, "analyzer", lucene_english)
    passages = [
        (doc_id, grades[doc_id], *_passage(corpus[doc_id], query, quotes.get(doc_id, ""), analyzer))
        for doc_id in relevant
        if doc_id in corpus
    ]
    return {"n_relevant": len(relevant), "passages": passages}


def _passage(text: str, query: str, quote: str, analyzer: Analyzer) -> list[Markup]:
    """Text before the quote, the quote, text behind it; without one, the paragraph with most terms asked."""
    start = text.find(quote)
    if not quote or start < 0:
        terms = set(analyzer(query))
        best = max(text.split("\n\n"), key=lambda paragraph: len(terms & set(analyzer(paragraph))))
        parts = shorten(best, 3 * _AROUND, placeholder=" …"), "", ""
    else:
        end = start + len(quote)
        before, after = text[:start].rpartition("\n\n")[2], text[end:].partition("\n\n")[0]
        before = before if len(before) <= _AROUND else "… " + before[-_AROUND:].partition(" ")[2]
        after = after if len(after) <= _AROUND else after[:_AROUND].rpartition(" ")[0] + " …"
        parts = before, shorten(quote, 4 * _AROUND, placeholder=" …"), after
    return [Markup(highlight(part, query, analyzer)) for part in parts]
