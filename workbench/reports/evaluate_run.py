"""Evaluates a search on a dataset under a budget: metrics, and for each row its evidence."""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone

import numpy as np

from helpers.base import (
    check_mapping,
    check_type,
    check_whole,
    counted,
    first_few,
    folded,
    never_more,
    progress,
)
from helpers.evaluation import TREC
from helpers.records import Qrels
from workbench.budget import Cut, Item, QueryBudget, within_budget
from workbench.corpus import CorpusFolder
from workbench.dataset_files import EvaluationDataset, EvaluationQuery, check_judgments, rows_by_query
from workbench.reports.expectations import Expectation, expectations, miss_cause
from workbench.reports.models import (
    JUDGED,
    CutEvidence,
    DatasetFacts,
    EvaluationReport,
    ItemEvidence,
    PerQuery,
    QueryEvidence,
    SearchFacts,
    SystemFacts,
    means,
    query_metrics,
)
from workbench.snapshots import CorpusFacts, Manifest, Snapshot, changed_versions, versions_here
from workbench.systems import DEPTH, SearchSystem, check_spec, open_system

TEXT_KEPT = 2_000
"""Characters of an item's text that a report keeps: it is mailed and committed; the corpus has all."""

CONVENTIONS = (
    "hit_rate, precision_at_max_total_items and mean_reciprocal_rank: per row of the dataset, over the items "
    "of the evidence; a hit counts once, precision divides it by max_total_items. "
    "All others: per query (rows of one text and kind), over the documents of the evidence in its order, "
    "with the grades of the judgments where the dataset has them, else 1 for what a row expects; "
    "of a document's chunks the best one counts, and an expected chunk counts as its document; "
    "judged@10 is 1 for a query that finds nothing; "
    f"{TREC}"
)
"""How the numbers of a report were measured; two reports can be compared where this is the same."""


def evaluate_run(
    corpus: CorpusFolder,
    run: Snapshot | SearchSystem | object,
    dataset: EvaluationDataset,
    budget: QueryBudget,
    drawn: Mapping[str, int] | None = None,
    unread: Iterable[str] = (),
) -> EvaluationReport:
    """Asks a search each query of the dataset, under a budget, and reports what was found.

    `run` is a snapshot, or whatever else `open_system` takes. Per row: `ROW_METRICS`. Per query, rows of one
    text and kind taken together: `QUERY_METRICS`, with the grades of the dataset's judgments where it has
    them. Gold and synthetic rows are measured apart. `warnings` name what makes a number another than it
    seems. Latency is search and budget of a query. A program is asked its first query a second time, and
    warned of where it then answers otherwise. `drawn` says of a sample of a log how often each query was
    drawn, and `unread` which of them nobody has read; they change no figure here, and the gate counts by
    them. The same again gives the same but for `without_times`.

    Raises ValueError for a snapshot, a system or results of another corpus, or of this one before it
    changed, for results of other queries, and for queries that are unread and were not drawn.

    >>> import tempfile
    >>> from workbench import SourceDocument
    >>> corpus = CorpusFolder.init(tempfile.mkdtemp(), "toy")
    >>> texts = {"d0": "a full disk", "d1": "a slow net"}
    >>> _ = corpus.add([SourceDocument(name, "", text, f"{name}.md") for name, text in texts.items()])
    >>> row = {"query_id": "q1", "query_text": "disk", "expected_item_id": "d0", "kind": "gold"}
    >>> dataset = EvaluationDataset(schema_version=1, name="toy", description="", queries=(row,))
    >>> report = evaluate_run(corpus, lambda query, k: ["d1", "d0"], dataset, QueryBudget(max_total_items=2))
    >>> report.metrics["hit_rate"], report.metrics["precision_at_max_total_items"], report.metrics["MRR"]
    (1.0, 0.5, 0.5)
    """
    _check_types(corpus, run, dataset, budget)
    drawn, unread = _sample(dataset, drawn, unread)
    check_spec("run", run)
    system = open_system(run, corpus)
    expected = expectations(dataset, corpus.corpus, corpus.sources, _document_of(corpus, system))
    queries = rows_by_query(dataset)
    warnings = [*_unknown(expected, dataset, corpus), *_unanswered(system, queries)]
    system.folded, system.unknown, system.gave = (
        0,
        {},
        {},
    )  # of this measurement: the system may have been asked before
    evidence, rankings, milliseconds = _search(system, queries, expected, budget)
    per_query = _per_query(dataset, expected, evidence, budget)
    warnings += [
        *_nothing_found(system, queries, rankings, _depth(budget)),
        *_same_for_all(system, queries, rankings),
        *_of_the_search(system, evidence, rankings, budget),
        *_asked_again(system, queries, rankings, budget),
    ]
    return EvaluationReport(
        dataset=_facts(dataset),
        corpus=_corpus_facts(corpus, system),
        **_described(system, rankings),
        budget=budget,
        evaluated_at=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        conventions=CONVENTIONS,
        metrics=means("gold", evidence, per_query, budget) or None,
        synthetic_metrics=means("synthetic", evidence, per_query, budget) or None,
        per_query=per_query,
        system=_system(milliseconds, system),
        evidence=list(evidence),
        warnings=[*warnings, *_not_judged(per_query, evidence, budget)],
        drawn=drawn or None,
        unread=unread,
    )


def _check_types(corpus: object, run: object, dataset: object, budget: object) -> None:
    """Raises ValueError for an argument of another class, as where two have changed places, and for judgments
    of other queries than the dataset's."""
    cures = {
        "corpus": (CorpusFolder, "CorpusFolder.open(path) gives one"),
        "dataset": (EvaluationDataset, "load_dataset(path) gives one"),
        "budget": (QueryBudget, "e.g. QueryBudget(max_total_items=5)"),
    }
    if isinstance(run, EvaluationDataset):
        order = "evaluate_run(corpus, run, dataset, budget) is the order"
        raise ValueError(f"run is a dataset; have the two changed places? {order}")
    for (name, (needed, cure)), value in zip(cures.items(), (corpus, dataset, budget), strict=True):
        check_type(name, value, needed, cure)
    check_judgments(dataset)


def _sample(
    dataset: EvaluationDataset, drawn: Mapping[str, int] | None, unread: Iterable[str]
) -> tuple[dict[str, int], list[str]]:
    """How often each query was drawn, and which of them were not read. Raises ValueError for texts in the
    place of ids, for what is no number of searches, and for an id that is unread and was not drawn."""
    drawn = {} if drawn is None else drawn
    check_mapping("drawn", drawn, "{query_id: how often it was drawn}; of a Series dict(series)")
    texts = {row.query_text: row.query_id for row in dataset.queries}
    if by_text := [one for one in drawn if one in texts and one not in rows_by_query(dataset)]:
        own = f"{by_text[0]!r:.60} is the text of {texts[by_text[0]]!r}"
        raise ValueError(f"drawn has texts in the place of ids: {own}; needed {{query_id: how often}}")
    drawn = {one: check_whole(f"drawn[{one!r}]", times, of="searches") for one, times in drawn.items()}
    if isinstance(unread, str):
        raise ValueError(f"unread is the text {unread!r:.60}; needed a list of query ids, [{unread!r:.60}]")
    unread = list(unread)
    if others := [query_id for query_id in unread if query_id not in drawn]:
        which = first_few(map(repr, others))
        raise ValueError(f"unread has {which}, which drawn does not have: needed ids of queries that it has")
    return drawn, unread


def _document_of(corpus: CorpusFolder, system: SearchSystem) -> dict[str, str]:
    """The document of each id that a search may give: of our pieces, and else of documents themselves."""
    if system.snapshot is None:  # what it gives are documents, or was folded to them
        return {doc_id: doc_id for doc_id in corpus.corpus}
    return {item.item_id: item.doc_id for item in system.snapshot.items.values()}


def _corpus_facts(corpus: CorpusFolder, system: SearchSystem) -> CorpusFacts:
    """The corpus as a snapshot's manifest has it, so that the two agree to the letter."""
    if system.snapshot is not None:
        return system.snapshot.manifest.corpus
    return CorpusFacts(name=corpus.name, fingerprint=corpus.fingerprint, documents=len(corpus.corpus))


def _described(system: SearchSystem, rankings: Mapping[str, Sequence[Item]]) -> dict[str, object]:
    """What was measured: the manifest of a snapshot, or the name of a search and a hash of its answers."""
    if system.snapshot is not None:
        manifest = system.snapshot.manifest
        ids = {"backend_id": manifest.backend, "snapshot_id": manifest.snapshot_id}
        return {**ids, "snapshot": manifest}
    answers = {query_id: [item.item_id for item in items] for query_id, items in rankings.items()}
    digest = hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()
    facts = SearchFacts(kind=system.kind, name=system.name, fingerprint=f"sha256:{digest}")
    return {"backend_id": system.name, "snapshot_id": digest[:16], "snapshot": None, "search": facts}


def _search(
    system: SearchSystem,
    queries: Mapping[str, Sequence[EvaluationQuery]],
    expected: Sequence[Expectation],
    budget: QueryBudget,
) -> tuple[list[QueryEvidence], dict[str, list[Item]], list[float]]:
    """The evidence of each row, in their order; what each query found; the milliseconds it took."""
    of_row = {one.row.query_id: one for one in expected}
    depth = _depth(budget)
    found, rankings, milliseconds = {}, {}, []
    for query_id, rows in progress(queries.items(), desc="evaluating", unit="query"):
        begin = time.perf_counter()
        rankings[query_id] = system.candidates(query_id, rows[0].query_text, depth, _needed(budget))
        kept, cut = within_budget(rankings[query_id], budget)
        milliseconds.append(1000 * (time.perf_counter() - begin))
        for row in rows:
            expectation = of_row[row.query_id]
            found[row.query_id] = _evidence(expectation, rankings[query_id], kept, cut, budget)
    return [found[one.row.query_id] for one in expected], rankings, milliseconds


def _depth(budget: QueryBudget) -> int:
    """How many hits a search is asked for."""
    return max(DEPTH, _needed(budget))


def _needed(budget: QueryBudget) -> int:
    """How many documents there must be, so that no place stays empty for want of asking."""
    return budget.offset + budget.max_total_items


def _unknown(expected: Sequence[Expectation], dataset: EvaluationDataset, corpus: CorpusFolder) -> list[str]:
    """Warnings for rows whose item is unknown or has no text. Raises ValueError if all are unknown."""
    unknown = [one for one in expected if not one.documents]
    empty = [one for one in expected if one.documents and not one.has_text]
    n = len(expected)
    if not corpus.corpus:
        raise ValueError(f"corpus {corpus.name!r} holds no document; ingest some first")
    if len(unknown) == n:
        raise ValueError(
            f"dataset {dataset.name!r} expects {_names(unknown)}, and corpus {corpus.name!r} holds none "
            f"of what its {n} rows expect, but e.g. {next(iter(corpus.corpus))!r}; "
            f"{_pieces_of(unknown, corpus) or 'is it a dataset of another corpus?'}"
        )
    why_unknown = _pieces_of(unknown, corpus) or "stale ids?"
    why = {f"is not in this corpus and snapshot ({why_unknown})": unknown, "has no text": empty}
    return [
        f"{len(rows)} of {n} rows count as misses, since what they expect {so}: {_names(rows)}"
        for so, rows in why.items()
        if rows
    ]


def _pieces_of(unknown: Sequence[Expectation], corpus: CorpusFolder) -> str:
    """What to say where rows expect pieces, and what is searched has none of these names, or an id in another
    form; "" elsewhere."""
    alike = {folded(doc_id): doc_id for doc_id in corpus.corpus} if unknown else {}
    for wanted in (one.row.expected_item_id for one in unknown if one.row.expected_item_id):
        if there := alike.get(folded(wanted)):
            said = f"{ascii(wanted)} is {ascii(there)} in the corpus, in other capitals or another form"
            return f"{said} of Unicode; write both alike"
        document, mark, piece = wanted.rpartition("#")
        if mark and piece.isdigit() and document in corpus.corpus:
            said = f"{wanted!r} is a piece of {document!r}, and what is searched is not cut like that"
            return f"{said}: name a snapshot with such a --chunker, or expect the document"
    return ""


def _names(rows: Sequence[Expectation]) -> str:
    return first_few(dict.fromkeys(one.name for one in rows))


def _other_programs(manifest: Manifest) -> list[str]:
    """A warning where the index was built by other versions than those that are here."""
    changed = changed_versions(manifest.versions, versions_here())
    return [f"the snapshot was built by other versions, so scores may differ: {changed}"] if changed else []


def _unanswered(system: SearchSystem, queries: Mapping[str, Sequence[EvaluationQuery]]) -> list[str]:
    """Warnings of a file of results: its order, queries that it lacks, and those that the dataset lacks.

    Raises ValueError where it lacks all.
    """
    missing = system.missing({query_id: rows[0].query_text for query_id, rows in queries.items()})
    if missing and len(missing) == len(queries):
        has = first_few(map(repr, sorted(system.answered)), 3)
        needed = first_few((f"{q!r} ({rows[0].query_text:.40})" for q, rows in queries.items()), 3)
        raise ValueError(
            f"{system.name} has results for none of the {len(queries)} queries; it has {has}, and the "
            f"dataset has {needed}; {_other_key(system, queries)}"
        )
    warnings = [f"{system.name}: {note}" for note in system.notes]
    if missing:
        lacks = f"{len(missing)} of {len(queries)} queries have no result in {system.name} and count 0"
        warnings.append(f"{lacks}: {first_few(map(repr, missing))}")
    if more := system.more({query_id: rows[0].query_text for query_id, rows in queries.items()}):
        has = f"{system.name} has results for {counted(len(more), 'query')} that the dataset lacks"
        warnings.append(f"{has}, and nothing is said of them: {first_few(map(repr, more))}")
    return warnings


def _other_key(system: SearchSystem, queries: Mapping[str, Sequence[EvaluationQuery]]) -> str:
    """How a file of results can name the queries of the dataset where it has other ids."""
    asked = {folded(rows[0].query_text) for rows in queries.values()}
    if not any(folded(text) in asked for text in system.texts.values()):
        return "give the dataset's query ids, or the texts of the queries as `query` (JSON lines)"
    return "leave `query_id` out of its lines: where there is only `query`, they are found by their texts"


def _of_the_search(
    system: SearchSystem,
    evidence: Sequence[QueryEvidence],
    rankings: Mapping[str, Sequence[Item]],
    budget: QueryBudget,
) -> list[str]:
    """Warnings of how a search answers: fewer documents than places, ids of no document, other programs."""
    warnings = _other_programs(system.snapshot.manifest) if system.snapshot else []
    shown = {row.query_text: len({item.doc_id for item in row.items}) for row in evidence}
    places = min(budget.max_total_items, len(system.corpus.sources))  # nobody could fill more
    short = {text: n for text, n in shown.items() if n < places}
    few = f"{len(short)} of {counted(len(shown), 'query')}"
    mean = f"{np.mean(list(shown.values())):.1f} in the mean"
    if system.snapshot is None and short and any(shown.values()):
        given = [len({item.doc_id for item in items}) for items in rankings.values()]
        gave = f"{system.name} gave fewer than {budget.max_total_items} documents"
        if min(given) >= budget.max_total_items:  # what it gave the budget has cut
            gave = (
                f"of the {np.mean(given):.1f} documents that {system.name} gave in the mean the budget let "
            )
            gave += f"through fewer than {budget.max_total_items}"
        why = _without_k(system, budget)
        so = f", and {why} The" if why else "; the"
        warnings.append(f"{gave} for {few} ({mean}){so} places that are left count as not relevant")
    if system.snapshot is not None and short and _could_show_more(evidence, budget):
        items = f"the {budget.max_total_items} items of a query are pieces of fewer documents"
        cure = "for a ranking of so many documents: --max-items-per-document 1, on both sides"
        warnings.append(f"{items} for {few} ({mean}), and metrics over documents see no more; {cure}")
    if not any(shown.values()) and any(row.cut for row in evidence):
        warnings.append(
            "the budget lets nothing through, so every metric is 0; allow more, or a smaller offset"
        )
    if system.folded and short:
        pieces = counted(system.folded, "hit")
        said = f"{pieces} of {system.name} repeat a hit, or were further pieces of a document"
        warnings.append(f"{said} that stood above them")
    if system.limited:
        example = next(iter(system.limited.values()))
        kept = "its answer before that was kept; has your search a limit on k?"
        of = counted(len(system.limited), "query")
        warnings.append(f"{system.name} answers worse when asked for more, in {of}: {example}; {kept}")
    if system.unknown:
        ids = f"{counted(len(system.unknown), 'id')} of {system.name} stand for no document of the corpus"
        warnings.append(f"{ids} and count as documents that nobody judged: {first_few(system.unknown)}")
    return warnings


def _without_k(system: SearchSystem, budget: QueryBudget) -> str:
    """What to say of a program that seems to give the same few hits whatever k is; "" elsewhere. Where it
    gives as many as there are places, or documents, that may be meant so."""
    said = never_more(system.gave.values(), _depth(budget)) if system.kind == "function" else ""
    meant = min(_needed(budget), len(system.corpus.sources))
    return said if said and max(system.gave.values()) < meant else ""


def _nothing_found(
    system: SearchSystem,
    queries: Mapping[str, Sequence[EvaluationQuery]],
    rankings: Mapping[str, Sequence[Item]],
    depth: int,
) -> list[str]:
    """A warning where a search found nothing: judged@10 would look best where there is nothing to judge.

    A snapshot finds nothing for a query without a word of its documents; of that the report speaks row by
    row, so it is warned of only where it is so for all. What a file lacks is said elsewhere.
    """
    lacking = system.missing({query_id: rows[0].query_text for query_id, rows in queries.items()})
    nothing = [query_id for query_id, found in rankings.items() if not found and query_id not in lacking]
    if not nothing or (system.snapshot is not None and len(nothing) < len(rankings)):
        return []
    count = f"{system.name} found nothing for {len(nothing)} of {counted(len(rankings), 'query')}"
    so = "their metrics are 0, and judged@10, which nothing defines there, "
    so += "says nothing" if len(nothing) == len(rankings) else "is set to 1"
    deeper = _found_less_deep(system, nothing[0], queries[nothing[0]][0].query_text, depth)
    return [f"{count} ({first_few(map(repr, nothing))}): {so}{deeper}"]


def _same_for_all(
    system: SearchSystem,
    queries: Mapping[str, Sequence[EvaluationQuery]],
    rankings: Mapping[str, Sequence[Item]],
) -> list[str]:
    """A warning of a search that gives three queries and more one and the same ranking."""
    texts = {folded(rows[0].query_text) for rows in queries.values()}
    found = {tuple(item.doc_id for item in items) for items in rankings.values()}
    if system.snapshot is not None or len(texts) < 3 or len(found) > 1 or not all(found):
        return []
    hits = counted(len(next(iter(found))), "document")
    said = f"{system.name} gave all {len(texts)} queries the same {hits} in the same order"
    return [f"{said}; does the text of the query reach your search?"]


def _found_less_deep(system: SearchSystem, query_id: str, query: str, depth: int) -> str:
    """What to say of a program that finds nothing only where it is asked for many hits; else ""."""
    if system.kind != "function" or not system.ask(query_id, query, 10):
        return ""
    gave = f"it gave hits for {query_id!r} when asked for 10, none when asked for {depth}"
    return f"; {gave}; has your search a limit on k?"


def _asked_again(
    system: SearchSystem,
    queries: Mapping[str, Sequence[EvaluationQuery]],
    rankings: Mapping[str, Sequence[Item]],
    budget: QueryBudget,
) -> list[str]:
    """A warning of a program that answers its first query otherwise when it is asked a second time."""
    if system.kind != "function" or not queries:
        return []
    query_id, rows = next(iter(queries.items()))
    again = system.candidates(query_id, rows[0].query_text, _depth(budget), _needed(budget))
    if [item.doc_id for item in again] == [item.doc_id for item in rankings[query_id]]:
        return []
    said = f"{system.name} gave another answer when it was asked {query_id!r} a second time"
    return [f"{said}, so its numbers differ from one measurement to the next"]


def _could_show_more(evidence: Sequence[QueryEvidence], budget: QueryBudget) -> bool:
    """Whether places went to further pieces of a document that was there already."""
    return any(
        len(row.items) == budget.max_total_items > len({item.doc_id for item in row.items})
        for row in evidence
    )


def _not_judged(
    per_query: Mapping[str, PerQuery], evidence: Sequence[QueryEvidence], budget: QueryBudget
) -> list[str]:
    """A warning where documents among the first ten were never judged, with what to do about it."""
    items = {row.query_id: row.items for row in evidence}
    unjudged = {}
    for query_id, query in per_query.items():
        top = list(dict.fromkeys(item.doc_id for item in items[query.rows[0]]))[:10]
        if query.judged and (n := sum(doc_id not in query.grades for doc_id in top)):
            unjudged[query_id] = n
    if not unjudged:
        return []
    shares = [query.metrics[JUDGED] for query in per_query.values() if query.judged]
    n, among = sum(unjudged.values()), first_few(map(repr, unjudged))
    documents = counted(n, "document")
    first = "ten" if budget.max_total_items >= 10 else budget.max_total_items
    never = f"{documents} among the first {first} {'was' if n == 1 else 'were'} never judged, and count"
    cure = "judge them before you compare: workbench pool --help"
    return [
        f"judged@10 is {np.mean(shares):.2f}: {never} as not relevant "
        f"({counted(len(unjudged), 'query')}: {among}); {cure}"
    ]


def _evidence(
    expected: Expectation,
    candidates: Sequence[Item],
    kept: Sequence[Item],
    cut: Sequence[Cut],
    budget: QueryBudget,
) -> QueryEvidence:
    """All that was kept, and of what was cut what is worth reporting."""
    cause, explanation = miss_cause(expected, candidates, kept, cut, budget)
    best = next((rank for rank, item in enumerate(candidates, start=1) if expected.met_by(item)), None)
    begun = (vars(item) | {"text": item.text[:TEXT_KEPT], "expected": expected.met_by(item)} for item in kept)
    items = [ItemEvidence(rank=rank, **item) for rank, item in enumerate(begun, start=1)]
    # Of what was cut, as many candidates below the last item kept as the budget has slots.
    end = (candidates.index(kept[-1]) + 1 if kept else 0) + budget.max_total_items
    return QueryEvidence(
        **expected.row.model_dump(),
        rank=next((item.rank for item in items if item.expected), None),
        candidate_rank=best,
        cause=cause,
        explanation=explanation,
        items=items,
        cut=[_cut(one, expected) for one in _worth_reporting(cut, end, best)],
    )


def _worth_reporting(cut: Sequence[Cut], end: int, best: int | None) -> list[Cut]:
    """What a rule skipped down to candidate `end`, and the best expected one.

    Where the characters run out before the items do, all the rest of the ranking was skipped; kept whole it
    would make a report of some pages a file of 60 MB.
    """
    return [one for one in cut if (one.reason != "max_total_items" and one.rank <= end) or one.rank == best]


def _cut(one: Cut, expected: Expectation) -> CutEvidence:
    facts = {name: value for name, value in vars(one.item).items() if name in CutEvidence.model_fields}
    return CutEvidence(rank=one.rank, reason=one.reason, expected=expected.met_by(one.item), **facts)


def _per_query(
    dataset: EvaluationDataset,
    expected: Sequence[Expectation],
    evidence: Sequence[QueryEvidence],
    budget: QueryBudget,
) -> dict[str, PerQuery]:
    """`QUERY_METRICS` of each query over the documents of its evidence, each at the rank of its best item."""
    # What a row expects and nobody knows counts as a document that is never found; no doc_id holds a blank.
    documents = {one.row.query_id: one.documents or (f"{one.name} (unknown)",) for one in expected}
    items = {row.query_id: row.items for row in evidence}
    queries = rows_by_query(dataset)
    expected_only = {
        query_id: {doc_id: 1 for row in rows for doc_id in documents[row.query_id]}
        for query_id, rows in queries.items()
    }
    judged = {q: _by_document(dataset.judgments[q], queries[q], documents) for q in dataset.judgments or {}}
    grades: Qrels = expected_only | judged
    # The rows of a query have one text, and so the same evidence.
    found = {query_id: items[rows[0].query_id] for query_id, rows in queries.items()}
    measured = query_metrics(found, {q: grades[q] for q in queries if q in judged}, budget, judged=True)
    measured |= query_metrics(found, {q: grades[q] for q in queries if q not in judged}, budget, judged=False)
    return {
        query_id: PerQuery(
            kind=rows[0].kind,
            query_text=rows[0].query_text,
            rows=[row.query_id for row in rows],
            judged=query_id in judged,
            grades=grades[query_id],
            metrics=measured[query_id],
        )
        for query_id, rows in queries.items()
    }


def _by_document(
    grades: Mapping[str, int], rows: Sequence[EvaluationQuery], documents: Mapping[str, Sequence[str]]
) -> dict[str, int]:
    """A query's judgments with the document in the place of a piece of it that a row expects."""
    whole = {row.expected_item_id: documents[row.query_id][0] for row in rows}
    found: dict[str, int] = {}
    for item_id, grade in grades.items():
        doc_id = whole.get(item_id, item_id)
        found[doc_id] = max(grade, found.get(doc_id, 0))
    return found


def _facts(dataset: EvaluationDataset) -> DatasetFacts:
    facts = dataset.model_dump(include={"name", "description", "schema_version"}) | dataset.kinds()
    return DatasetFacts(fingerprint=dataset.fingerprint, queries=len(dataset.queries), **facts)


def _system(milliseconds: Sequence[float], system: SearchSystem) -> SystemFacts:
    return SystemFacts(
        average_latency_milliseconds=float(np.mean(milliseconds)),
        percentile_95_latency_milliseconds=float(np.percentile(milliseconds, 95)),
        index_bytes=system.snapshot.index_bytes if system.snapshot else 0,
    )
