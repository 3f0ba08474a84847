"""A failure report to leaf through: every query with its ranking, its misses and their causes, for one system or two.

The output is plain HTML that folds open (<details>), so it reads where a stored output is all there is. Where scripts run, a
short one adds boxes to choose a query, a kind or a cause. Nothing is analysed here: see `failures.report`.
"""

from collections.abc import Iterable
from html import escape
from math import isinf
from textwrap import shorten

import pandas as pd

from helpers.failures.browser_page import Browser
from helpers.failures.highlight import highlight
from helpers.failures.report import FailureReport
from helpers.retrieval import CsrBM25, RankBM25, why_above
from helpers.text import Analyzer, lucene_english

MOST = 100
"""Queries in one output; of more, those with the lowest scores are shown, and the output says so."""
LEDGERS, TERMS, AROUND = 2, 5, 80
"""Under each query so many misses get a ledger, of so many terms; so many characters are shown around a quote."""
COLOURS = {1: "#0072b2", 2: "#006b4f"}
"""Of grades, such that white can be read on them; what is not relevant stays plain, so that the rest stands out."""


def browse(
    report: FailureReport, other: FailureReport | None = None, queries: Iterable[str] | None = None
) -> Browser:
    """The queries of a report, or of two systems side by side: rankings with grades, quotes, misses, causes, ledgers.

    Under each query stand the first k documents of each system with grade and score; each miss with cause, evidence and what
    its counterfactual did, the two gravest (of two systems, the gravest of each) with a ledger against the document above; and
    the quoted words of the relevant documents, with the words of the query marked. A retriever whose scores are no sums over
    terms has no ledger. `queries` names the query_ids to show; without it all are shown, of more than 100 those with the
    lowest nDCG@10.

    Raises ValueError for reports on different queries or judgments or with different k, and for an unknown query_id.

    >>> from helpers.failures import analyze
    >>> from helpers.failures import System
    >>> from helpers.records import Dataset
    >>> from helpers.retrieval import CsrBM25
    >>> corpus, qrels = {"d1": "Downtime of May", "d2": "Outage insurance"}, {"q1": {"d1": 1}}
    >>> report = analyze(Dataset("toy", "test", corpus, {"q1": "outage"}, qrels, "by hand"), System("BM25", CsrBM25))
    >>> browse(report)
    toy, 1 query, k = 10: BM25 (to be seen in a notebook, or in a browser after save(path))
    """
    reports = [report] if other is None else [report, other]
    _check_pair(reports)
    chosen, note = _chosen(reports, queries)
    names = " and ".join(each.system.name for each in reports)
    title = f"{report.dataset.name}, {len(chosen)} {'query' if len(chosen) == 1 else 'queries'}, k = {report.k}: {names}"
    key = (
        "Grade 2 answers, 1 helps, 0 is not relevant; in bold the quote that says so. "
        if report.labels
        else ""
    )
    parts = [
        f"<p><b>{escape(title)}</b>{note}<br>{key}Marked: words of the query.</p>",
        "<p data-controls></p>",
    ]
    return Browser(title, "\n".join(parts + [_query(reports, query_id) for query_id in chosen]))


def _check_pair(reports: list[FailureReport]) -> None:
    first, last = reports[0], reports[-1]
    for name in ("queries", "qrels"):
        if getattr(first.dataset, name) != getattr(last.dataset, name):
            raise ValueError(
                f"the reports are on {first.dataset.name!r} and {last.dataset.name!r}, whose {name} differ; analyse both systems "
                "on one dataset"
            )
    if first.k != last.k:
        raise ValueError(
            f"one report has k = {first.k}, the other k = {last.k}; analyse both systems with one k"
        )


def _chosen(reports: list[FailureReport], queries: Iterable[str] | None) -> tuple[list[str], str]:
    """The query_ids to show, in the order of the judgments, and a note where that is not all of them."""
    known = list(reports[0].dataset.qrels)
    if queries is not None:
        asked = list(queries)
        unknown = [query_id for query_id in asked if query_id not in reports[0].dataset.qrels]
        if unknown or isinstance(queries, str):
            raise ValueError(
                f"queries: {unknown[:1] or queries!r} is not among the {len(known)} judged queries, e.g. {known[0]!r}"
            )
        return [query_id for query_id in known if query_id in set(asked)], f" (chosen from {len(known)})"
    if len(known) <= MOST:
        return known, ""
    lowest = (
        pd.concat([_scores(report) for report in reports], axis=1)
        .min(axis=1)
        .sort_values(kind="stable")
        .index[:MOST]
    )
    return [
        query_id for query_id in known if query_id in set(lowest)
    ], f" (of {len(known)}, those with the lowest nDCG@10)"


def _scores(report: FailureReport) -> pd.Series:
    return report.evaluation.per_query["nDCG@10"]


def _query(reports: list[FailureReport], query_id: str) -> str:
    """Everything about one query, folded under one line."""
    dataset, kind = reports[0].dataset, _kind(reports[0], query_id)
    misses = [report.misses[report.misses["query_id"] == query_id] for report in reports]
    causes = sorted({cause for frame in misses for cause in frame["cause"]}) or ["nothing missed"]
    text = dataset.queries[query_id]
    states = [_state(report, query_id, len(frame)) for report, frame in zip(reports, misses, strict=True)]
    label = escape(f"{query_id} {shorten(text, 60, placeholder='…')}")
    ledgers = LEDGERS // len(reports)
    systems = "".join(
        _system(report, query_id, frame, ledgers) for report, frame in zip(reports, misses, strict=True)
    )
    return (
        f'<details data-query="{escape(query_id)}" data-kind="{escape(kind)}" data-causes="{escape("|".join(causes))}" '
        f'data-label="{label}"><summary><b>{escape(query_id)}</b> {escape(text)} <small>({escape(kind)})<br>'
        f"{' · '.join(map(escape, states))}</small></summary>\n"
        f'<div style="display:flex;flex-wrap:wrap;gap:0 2.5em">{systems}</div>\n{_texts(reports, query_id, misses)}</details>'
    )


def _kind(report: FailureReport, query_id: str) -> str:
    kinds = (label.kind.replace("_", "-") for label in report.labels or () if label.query_id == query_id)
    return next(kinds, "any kind")


def _state(report: FailureReport, query_id: str, n_missed: int) -> str:
    score, rank = _scores(report).get(query_id), report.first_ranks.get(query_id, float("inf"))
    shown = "" if score is None else f" nDCG@10 {score:.2f},"
    return f"{report.system.name}:{shown} first relevant {_at(rank)}, {n_missed} missed"


def _at(rank: float) -> str:
    return "not found" if isinf(rank) else f"at rank {rank:.0f}"


def _system(report: FailureReport, query_id: str, misses: pd.DataFrame, n_ledgers: int) -> str:
    """The ranking of one system and what it missed."""
    grades, corpus = report.dataset.qrels[query_id], report.dataset.corpus
    head = "".join(f"<th>{name}" for name in ("Rank", "Document", "Grade", "Score"))
    rows = [
        _row((rank, _document(doc_id, corpus), _badge(grades.get(doc_id)), f"{score:.2f}"))
        for rank, (doc_id, score) in enumerate(report.run.get(query_id, [])[: report.k], start=1)
    ]
    table = f"<table><tr>{head}{''.join(rows)}</table>" if rows else "<p>Nothing was retrieved.</p>"
    order = misses.sort_values(["grade", "rank"], ascending=[False, True], kind="stable").to_dict("records")
    missed = "\n".join(_miss(report, miss, with_ledger=place < n_ledgers) for place, miss in enumerate(order))
    return f'<section style="flex:1 1 24em;min-width:0"><p><b>{escape(report.system.name)}</b></p>{table}\n{missed}</section>\n'


def _document(doc_id: str, corpus: dict[str, str]) -> str:
    title = next(iter(corpus.get(doc_id, "").strip().splitlines()), "")
    return f"{escape(doc_id)} {escape(shorten(title.lstrip('# '), 36, placeholder='…'))}"


def _grade(grade: int | None) -> str:
    return "not judged" if grade is None else f"grade {grade}"


def _badge(grade: int | None) -> str:
    if grade is None or grade < 1:
        return _grade(grade)
    return (
        f'<b style="background-color:{COLOURS[min(grade, 2)]};color:#fff;padding:0 .4em">{_grade(grade)}</b>'
    )


def _miss(report: FailureReport, miss: dict, with_ledger: bool) -> str:
    """One missed document: the cause in the line that is always seen; evidence, counterfactual and ledger under it."""
    outcome = f"{_at(miss['rank after'])}, {'back' if miss['back'] else 'not back'}"
    ledger = _ledger(report, miss) if with_ledger else ""
    return (
        f'<details data-cause="{escape(miss["cause"])}"><summary>Missed: {_document(miss["doc_id"], report.dataset.corpus)} '
        f"(grade {miss['grade']}, {_at(miss['rank'])}): <b>{escape(miss['cause'])}</b></summary>"
        f"<p>{escape(miss['evidence'])}.<br>Tried: {escape(miss['counterfactual'])}; {outcome}.</p>{ledger}</details>"
    )


def _ledger(report: FailureReport, miss: dict) -> str:
    """Term by term, the document above against the missed one; nothing where scores are no sums or no document is above."""
    retriever, query = report.index.retriever, report.dataset.queries[miss["query_id"]]
    above = miss["by"] or _above(report, miss)
    pieces = [report.index.piece(query, doc_id) for doc_id in (above, miss["doc_id"]) if doc_id]
    if not isinstance(retriever, (CsrBM25, RankBM25)) or len(pieces) < 2 or None in pieces:
        return ""
    frame = why_above(retriever, query, *pieces)
    largest = frame["difference"].abs().sort_values(ascending=False, kind="stable").index[:TERMS]
    kept, (above_score, missed_score) = frame[frame.index.isin(largest)], frame.attrs["scores"]
    scale = max(kept["difference"].abs().max(), 1e-9)
    rows = [
        (
            escape(term),
            f"{a:.2f} ({tf_a})",
            f"{b:.2f} ({tf_b})",
            f"{_signed(difference)} {'█' * round(8 * abs(difference) / scale)}",
        )
        for term, tf_a, tf_b, a, b, difference in kept[
            ["tf a", "tf b", "score a", "score b", "difference"]
        ].itertuples()
    ]
    others = "" if len(kept) == len(frame) else f", {len(frame) - len(kept)} more terms in it"
    rows.append(
        (
            f"<b>whole score</b>{others}",
            f"{above_score:.2f}",
            f"{missed_score:.2f}",
            f"{above_score - missed_score:+.2f}",
        )
    )
    names = ("Term", f"{escape(pieces[0])} (tf)", f"{escape(pieces[1])} (tf)", "Lead")
    head = "".join(f"<th>{name}" for name in names)
    return f"<table><tr>{head}{''.join(_row(cells) for cells in rows)}</table>"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _row(cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<td>{cell}' for cell in cells)}"  # HTML lets the end tags go


def _above(report: FailureReport, miss: dict) -> str:
    """The last document within k that is not relevant and stands above the missed one, or ""."""
    grades = report.dataset.qrels[miss["query_id"]]
    first = report.run.get(miss["query_id"], [])[: report.k]
    standing = first if isinf(miss["rank"]) else first[: int(miss["rank"]) - 1]
    return next((doc_id for doc_id, _ in reversed(standing) if grades.get(doc_id, 0) < 1), "")


def _texts(reports: list[FailureReport], query_id: str, misses: list[pd.DataFrame]) -> str:
    """What the relevant documents say, best grade first, and the documents that outrank them."""
    report = reports[0]
    query, corpus, grades = (
        report.dataset.queries[query_id],
        report.dataset.corpus,
        report.dataset.qrels[query_id],
    )
    label = next((label for label in report.labels or () if label.query_id == query_id), None)
    quotes = {judgment.doc_id: judgment.quote for judgment in label.judgments} if label else {}
    relevant = sorted(
        (doc_id for doc_id, grade in grades.items() if grade > 0), key=lambda doc_id: -grades[doc_id]
    )
    outranking = sorted({doc_id for frame in misses for doc_id in frame["by"]} - {""} - set(relevant))
    analyzer = getattr(report.index.retriever, "analyzer", lucene_english)
    shown = "".join(
        f"<p><b>{escape(doc_id)}</b> ({_grade(grades.get(doc_id))}) "
        f"{_passage(corpus[doc_id], query, quotes.get(doc_id, ''), analyzer)}</p>"
        for doc_id in [*relevant, *outranking]
        if doc_id in corpus
    )
    above = f", and {len(outranking)} that stand above a missed one" if outranking else ""
    return f"<details><summary>What {len(relevant)} relevant documents say{above}</summary>{shown}</details>"


def _passage(text: str, query: str, quote: str, analyzer: Analyzer) -> str:
    """The quote in bold with some words around it; without one, the paragraph that has most terms of the query, cut short."""
    start = text.find(quote)
    if not quote or start < 0:
        asked = set(analyzer(query))
        best = max(text.split("\n\n"), key=lambda paragraph: len(asked & set(analyzer(paragraph))))
        return highlight(shorten(best, 3 * AROUND, placeholder=" …"), query, analyzer)
    end = start + len(quote)
    before, after = text[:start].rpartition("\n\n")[2], text[end:].partition("\n\n")[0]
    before = before if len(before) <= AROUND else "… " + before[-AROUND:].partition(" ")[2]
    after = after if len(after) <= AROUND else after[:AROUND].rpartition(" ")[0] + " …"
    marked = [
        highlight(part, query, analyzer)
        for part in (before, shorten(quote, 4 * AROUND, placeholder=" …"), after)
    ]
    return f"{marked[0]}<strong>{marked[1]}</strong>{marked[2]}"
