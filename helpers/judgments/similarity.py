"""Judging by similarity: two published functions that let a model's cosine stand in for judgments.

A retriever wins by its own labels, by construction; `circularity` shows what they do to the others. Any
object with `encode(list[str])` serves as a model.

Source of the two: Agent Memory Guide, Retrieval Accuracy Benchmarks
(agentmemoryguide.ai/docs/benchmarks/retrieval-accuracy).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from numbers import Real
from string import Formatter

import pandas as pd

from helpers.base import check_ids, check_mapping, check_whole, warn
from helpers.evaluation import Results, as_scores, evaluate_retrieval, ranking, read_once
from helpers.records import Corpus, Dataset, Qrels, Queries, Retriever
from helpers.retrieval import (
    Encoder,
    LatentSemantic,
    check_retriever,
    check_texts,
    cosines,
    found_by,
    unit_vectors,
)
from helpers.text import lucene_english, unicode_words

_FIELDS = ("topic", "concept", "subject", "theme", "doc")
"""What a query template may ask for: a document's four most telling words, and all four as {doc}."""


def semantic_accuracy_evaluation(
    queries: Sequence[str],
    retrieved_docs: Sequence[Sequence[str]],
    ground_truth: Sequence[Sequence[str]],
    similarity_model: Encoder | None = None,
) -> dict:
    """The guide's "semantic accuracy": how near retrieved texts are, beside the nearest relevant one.

    For each query: mean cosine(query, retrieved) / max cosine(query, relevant), 1 at most; 0 where nothing
    was retrieved, nothing is relevant or no relevant text has a cosine above 0. The three lists run in
    parallel, one entry a query; texts, not ids. Without a model a `LatentSemantic` is fitted on all the texts
    given. Returns `semantic_accuracy_mean` and `semantic_accuracy_scores` (one for each query, in order).

    What the number is not: retrieved texts are compared with the query and never with the ground truth, so a
    wrong document that repeats the question scores 1; a mean is divided by a maximum, so that retrieving all
    the relevant texts and no other stays below 1; the cap hides whatever lies nearer than the truth; the
    order of the ranking counts for nothing.

    The formula is the guide's. Two of its faults are not kept: it cuts lists of different lengths to the
    shortest without a word, and divides by zero where there is no query. Both raise ValueError here, as does
    one text in place of a list of texts. Warns where every text is one word, as ids are.

    >>> queries, retrieved, relevant = ["lost parcel"], [["lunch", "a lost parcel"]], [["the parcel is lost"]]
    >>> found = semantic_accuracy_evaluation(queries, retrieved, relevant)
    >>> [round(score, 2) for score in found["semantic_accuracy_scores"]]
    [0.5]
    """
    _check_parallel(queries, retrieved_docs, ground_truth)
    texts = [*queries, *(text for texts in (*retrieved_docs, *ground_truth) for text in texts)]
    for name, lists in (("retrieved_docs", retrieved_docs), ("ground_truth", ground_truth)):
        given = [text for one in lists for text in one]
        if given and len(texts) > len(queries) + 1 and all(len(text.split()) == 1 for text in given):
            said = f"every text of {name} is one word, as {given[0]!r:.40}"
            warn(f"{said}: are these ids? Give their texts")
    if similarity_model is None:
        similarity_model = LatentSemantic(list(dict.fromkeys(texts)))
    scores = [
        _semantic_accuracy(query, list(retrieved), list(relevant), similarity_model)
        for query, retrieved, relevant in zip(queries, retrieved_docs, ground_truth, strict=True)
    ]
    return {"semantic_accuracy_mean": sum(scores) / len(scores), "semantic_accuracy_scores": scores}


def create_domain_benchmark(
    domain_documents: Corpus | Iterable[object],
    query_templates: Sequence[str],
    similarity_model: Encoder | None = None,
    threshold: float = 0.7,
) -> tuple[Queries, Qrels]:
    """Queries from templates, one a document and template, and relevance by a cosine above `threshold`.

    `domain_documents` is `{doc_id: text}`, or objects with `id` and `content`. A template has one or more of
    the fields `_FIELDS`, filled with the document's most telling words (tf · idf, stems counted, the
    document's own spelling shown). The query of template 2 and document "d7" has the id "d7-t2". Every
    document above the threshold gets grade 1; the document that the query was made from is always judged,
    with grade 0 where it does not reach the threshold: no query is dropped, and `Evaluation.no_relevant`
    names those without a relevant document. Without a model a `LatentSemantic` is fitted on the documents;
    what a threshold means differs between models, so count what it lets through.

    As the guide prints it, it breaks: a template is given only `doc`, so {topic} is a KeyError; ids hold the
    whole template; all documents are encoded again for each query. The deeper fault stays: these labels say
    what the model finds alike (see `circularity`).

    Raises ValueError for an unknown field, a template without one, a document that is given twice, is no text
    or has no word.

    >>> documents = {"d1": "Refunds: a refund takes nine days.", "d2": "Parcels: how a parcel is traced."}
    >>> queries, qrels = create_domain_benchmark(documents, ["What is said about {topic}?"])
    >>> queries["d1-t1"], qrels
    ('What is said about Refunds?', {'d1-t1': {'d1': 1}, 'd2-t1': {'d2': 1}})
    """
    corpus = _as_corpus(domain_documents)
    query_templates = _checked_templates(query_templates)
    if not isinstance(threshold, Real) or isinstance(threshold, bool) or not -1 <= threshold < 1:
        needed = "a cosine lies between -1 and 1, and a document must be above it"
        raise ValueError(f"threshold is {threshold!r}; {needed}")
    # Queries: each document's words in each template.
    words, queries, sources = _telling_words(corpus), {}, {}
    for doc_id in corpus:
        for number, template in enumerate(query_templates, start=1):
            query_id = f"{doc_id}-t{number}"
            queries[query_id], sources[query_id] = template.format(**words[doc_id]), doc_id
    # Judgments: what the model finds alike, and the document that the query was made from.
    model = LatentSemantic(corpus.values()) if similarity_model is None else similarity_model
    of_documents, of_queries = (unit_vectors(model, list(texts.values())) for texts in (corpus, queries))
    qrels: Qrels = {}
    for query_id, vector in zip(queries, of_queries, strict=True):
        scores = zip(corpus, cosines(vector, of_documents).tolist(), strict=True)
        above = {doc_id: int(score > threshold) for doc_id, score in scores}
        qrels[query_id] = {d: grade for d, grade in above.items() if grade or d == sources[query_id]}
    return queries, qrels


def circularity(
    dataset: Dataset, retrievers: Mapping[str, Retriever], n_relevant: int = 5, metric: str = "nDCG@10"
) -> pd.DataFrame:
    """Every retriever under every retriever's labels: who labels (rows), who is measured (columns).

    A retriever labels by its own first `n_relevant` documents for each query (`labels_by`). So it has 1.0
    under its own labels, whatever it finds: the diagonal is no result. What to read is the rest of a row:
    which of the others a labeller favours, and whether it puts them into the order that the row "judgments",
    those of the dataset, gives. Raises ValueError, with its name, for what is no retriever, gives no results
    that `ranking` takes or none for a query, or finds none of the dataset's documents.

    >>> from helpers.retrieval import CsrBM25, RankBM25
    >>> corpus = {"d1": "a cat sat", "d2": "two cats and a dog", "d3": "a bird sang"}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "cats"}, {"q1": {"d2": 1}}, source="written by hand")
    >>> retrievers = {"stemmed": CsrBM25(corpus), "as written": RankBM25(corpus)}
    >>> table = circularity(toy, retrievers, n_relevant=1, metric="MRR")
    >>> print(table.to_string(index_names=False))
                stemmed  as written
    stemmed         1.0         0.0
    as written      0.5         1.0
    judgments       0.5         1.0
    """
    check_mapping("retrievers", retrievers, "{name: retriever}")
    if not retrievers or "judgments" in retrievers:
        needed = "needed at least one, and none that is called 'judgments'"
        raise ValueError(f"retrievers are {list(retrievers)}; {needed}")
    for name, retriever in retrievers.items():
        check_retriever(retriever, f"retriever {name!r}")
    runs = {name: found_by(part, repr(name), dataset.queries, 1000) for name, part in retrievers.items()}
    for name, run in runs.items():
        _check_documents(f"retriever {name!r}", run, dataset)
    labels = {name: labels_by(run, n_relevant, f"retriever {name!r}") for name, run in runs.items()}
    labels["judgments"] = dataset.qrels
    rows = {
        by: {name: evaluate_retrieval(run, qrels, metrics=[metric])[metric] for name, run in runs.items()}
        for by, qrels in labels.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index="labels by")


def _check_documents(name: str, run: Mapping[str, Results], dataset: Dataset) -> None:
    """Raises ValueError where a retriever found documents, none of which the dataset has or judges."""
    found = {doc_id for query_id, results in run.items() for doc_id in _doc_ids(query_id, results)}
    known = dataset.corpus.keys() | {doc_id for grades in dataset.qrels.values() for doc_id in grades}
    if found and found.isdisjoint(known):
        said = f"{name} finds none of the documents of {dataset.name!r}"
        examples = f"e.g. {min(found)!r}, and there is {min(known)!r}" if known else f"e.g. {min(found)!r}"
        raise ValueError(f"{said}, {examples}; give retrievers that search its corpus")


def labels_by(run: Mapping[str, Results], n_relevant: int, name: str = "run") -> Qrels:
    """A run as if it were the truth: its first `n_relevant` documents of each query, grade 1.

    Raises ValueError, with the `name` of the run, for a query that retrieved nothing: it cannot be labelled.

    >>> labels_by({"q1": [("d1", 3.0), ("d4", 2.0), ("d2", 1.0)]}, n_relevant=2)
    {'q1': {'d1': 1, 'd4': 1}}
    """
    check_whole("n_relevant", n_relevant, of="documents")
    found = {query_id: _doc_ids(query_id, results) for query_id, results in read_once(run).items()}
    for query_id, doc_ids in found.items():
        if not doc_ids:
            what = "nothing was retrieved, so nothing can be labelled"
            raise ValueError(f"{name}, query {query_id!r}: {what}; leave the query out")
    return {query_id: dict.fromkeys(doc_ids[:n_relevant], 1) for query_id, doc_ids in found.items()}


def _doc_ids(query_id: str, results: Results) -> list[str]:
    """The documents of one query, best first: those of a dict by score, any others in their order."""
    if isinstance(results, Mapping):
        return ranking(query_id, results)
    return list(as_scores(query_id, results))


def _semantic_accuracy(query: str, retrieved: list[str], relevant: list[str], model: Encoder) -> float:
    if not retrieved or not relevant:
        return 0.0
    vectors = unit_vectors(model, [query, *retrieved, *relevant])
    near = cosines(vectors[0], vectors[1:]).tolist()
    best = max(near[len(retrieved) :])
    return min(sum(near[: len(retrieved)]) / len(retrieved) / best, 1.0) if best > 0 else 0.0


def _check_parallel(queries: Sequence[str], retrieved_docs: Sequence, ground_truth: Sequence) -> None:
    lists = {"queries": queries, "retrieved_docs": retrieved_docs, "ground_truth": ground_truth}
    for name, values in lists.items():
        if isinstance(values, (str, Mapping)) or not isinstance(values, Sequence):
            found = type(values).__name__
            raise ValueError(f"{name} is a {found}; give a list with one entry for each query")
    lengths = [len(values) for values in lists.values()]
    if len(set(lengths)) > 1:
        found = "{} queries, {} lists retrieved, {} lists of ground truth".format(*lengths)
        raise ValueError(f"{found}; one each a query")
    if not queries:
        raise ValueError("queries is empty; there is nothing to evaluate")
    for name, values in lists.items():
        for number, entry in enumerate(values):
            texts = [entry] if name == "queries" else entry
            if isinstance(texts, (str, Mapping)) or not all(isinstance(text, str) for text in texts):
                needed = "a text" if name == "queries" else "a list of texts"
                raise ValueError(f"{name}, entry {number}: needed {needed}, found {entry!r:.60}")


def _as_corpus(documents: Corpus | Iterable[object]) -> Corpus:
    if isinstance(documents, Mapping):
        pairs = list(documents.items())
    else:
        if hasattr(documents, "columns"):
            cure = "give dict(zip(table['id'], table['text'])), by the names that its columns have"
            raise ValueError(f"domain_documents is a {type(documents).__name__}; {cure}")
        pairs = []
        for number, document in enumerate(documents):
            if not (hasattr(document, "id") and hasattr(document, "content")):
                cure = "give {doc_id: text}, or objects with id and content"
                raise ValueError(f"document {number} is {document!r:.60}; {cure}")
            pairs.append((document.id, document.content))
    if not pairs:
        raise ValueError("there is no document to make a query from")
    check_ids([doc_id for doc_id, _ in pairs], "domain_documents: id")
    doc_id, times = Counter(doc_id for doc_id, _ in pairs).most_common(1)[0]
    if times > 1:
        raise ValueError(f"document {doc_id!r} is given {times} times; keep one of them")
    check_texts(dict(pairs))
    return dict(pairs)


def _checked_templates(templates: Iterable[str]) -> list[str]:
    """The templates as a list: they are read once here, and again for each document."""
    given, templates = templates, [] if isinstance(templates, str) else list(templates)
    if not templates:
        cure = "give a list of texts with fields, e.g. ['What is {topic}?']"
        raise ValueError(f"query_templates is {given!r}; {cure}")
    for number, template in enumerate(templates, start=1):
        where = f"template {number}, {template!r}"
        try:
            fields = [field for _, field, _, _ in Formatter().parse(template) if field is not None]
        except ValueError as error:
            raise ValueError(f"{where}: {error}; a brace of its own is written twice") from None
        if not fields:
            raise ValueError(f"{where}: without a field it asks the same of every document")
        if unknown := [field for field in fields if field not in _FIELDS]:
            known = ", ".join(f"{{{name}}}" for name in _FIELDS)
            raise ValueError(f"{where}: the field {{{unknown[0]}}} is unknown; fields are {known}")
    return templates


def _telling_words(corpus: Corpus) -> dict[str, dict[str, str]]:
    """For each document what the fields of a template become; of fewer than four the last is repeated."""
    spellings = {doc_id: _spellings(text) for doc_id, text in corpus.items()}
    df = Counter(term for terms in spellings.values() for term in terms)
    n, n_words, filled = len(corpus), len(_FIELDS) - 1, {}
    for doc_id, terms in spellings.items():
        if not terms:
            what = f"document {doc_id!r} has no word of three letters to put into a query"
            raise ValueError(f"{what}; leave it out")
        # tf · idf of the terms, each shown as the document spells it most often.
        weight = {term: words.total() * log((1 + n) / (1 + df[term])) for term, words in terms.items()}
        best = sorted(terms, key=weight.__getitem__, reverse=True)[:n_words]
        words = [terms[term].most_common(1)[0][0] for term in best]
        padded = words + words[-1:] * (n_words - len(words))
        filled[doc_id] = dict(zip(_FIELDS, [*padded, " ".join(words)], strict=True))
    return filled


def _spellings(text: str) -> dict[str, Counter[str]]:
    """`{term: how often it is spelled how}` in the order of the text; a word has three letters or more."""
    spellings: dict[str, Counter[str]] = {}
    for word in unicode_words(text):
        if sum(map(str.isalpha, word)) >= 3:
            for term in lucene_english(word):
                spellings.setdefault(term, Counter())[word] += 1
    return spellings
