"""Dataset files: queries and what each should find, in one strict JSON file; import and export.

A row names one expected document, so a query with several has several rows. A row has no grade: the grades,
and the documents judged 0, stand beside `gold.json` in `gold.qrels`, a TREC file, and are read with it.
Labels and BEIR judgments can be turned into a dataset, and a dataset into BEIR judgments, but not into
labels: a dataset file has no quotes.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from helpers.base import (
    as_grades,
    check_flag,
    check_free,
    check_ids,
    check_path,
    check_type,
    counted,
    first_few,
    folded,
    placed,
    refuse,
    warn,
    write_text,
)
from helpers.datasets import LabelledQuery, labels, trec
from helpers.records import Corpus, Qrels, Queries
from workbench.dataset_files.evaluation_dataset import (
    EvaluationDataset,
    RowKind,
    check_judgments,
    repeated_ids,
    rows_by_query,
)
from workbench.dataset_files.strict_json import check_version, in_words, read_json, short

GRADED = "Its grades stand beside it (.qrels)."
"""With this the description of a file ends whose judgments stand beside it, so that they are missed."""
SPLITS = {"gold": "test", "synthetic": "synthetic"}
"""The BEIR split for each kind of query."""


def load_dataset(path: str | Path) -> EvaluationDataset:
    """The dataset of a file: one JSON object in UTF-8 with the keys of `EvaluationDataset` and no others.

    As in Biblicus, whose files these are, a row without a kind is gold, a description may be missing, and
    schema_version may be the text "1". What Biblicus reads and this refuses would change a number in silence:
    a file without rows, another kind, a row with both expectations or twice under two ids, an id or a text
    that stands for several.

    Raises FileNotFoundError where there is no file, and ValueError with **all** its problems, one a line,
    each with its path such as `queries[3].kind`: keys that are missing, unknown or there twice, values of
    another type ("1" is not 1), ids that stand twice; with line and column for what is not UTF-8 or not JSON;
    and where the judgments are missing with which the file was written.

    >>> import tempfile
    >>> row = '{"query_id": "q1", "query_text": "disk full", "expected_item_id": "doc_012", "kind": "silver"}'
    >>> text = '{"schema_version": 1, "name": "wiki", "description": "", "queries": [' + row + "]}"
    >>> try:
    ...     load_dataset(write_text(Path(tempfile.mkdtemp()) / "wiki.json", text))
    ... except ValueError as error:
    ...     print(str(error).splitlines()[1])
    queries[0].kind: needed 'gold' or 'synthetic', found 'silver'
    """
    needed = "a dataset: one JSON object with schema_version, name, description and queries"
    if isinstance(path, Mapping):
        cure = "give the path of its file, beside which its judgments are, or EvaluationDataset(**it)"
        raise ValueError(f"the dataset is a dict; {cure}")
    data, problems = read_json(path, needed)
    if isinstance(data, dict) and "judgments" in data:
        problems.append(f"judgments: there is no such key; they stand in {judgments_path(path).name}")
        del data["judgments"]
    if isinstance(data, dict) and "evidence" not in data:  # else it is a report, which is said below
        check_version(data.get("schema_version"), 1, Path(path))
    dataset, beside = _checked(_completed(data), path, problems), judgments_path(path)
    if not beside.exists() and GRADED in dataset.description:
        lost = "without it grades, what was judged 0 and judged@10 are lost, and the numbers are others"
        cure = f"put it back, or take {GRADED!r} out of the description to go on without grades"
        raise ValueError(f"{path}: {beside.name}, which was beside it, is missing; {lost}: {cure}")
    _warn_of_nearly_one_query(dataset)
    if not beside.exists():
        return dataset
    description = dataset.description
    if description.endswith(GRADED):
        description = description.removesuffix(GRADED).removesuffix(" ")
    judgments = trec.read_qrels(beside) if beside.stat().st_size else {}
    fields = dict(dataset) | {"description": description, "judgments": judgments}
    try:
        return EvaluationDataset.model_validate(fields)
    except ValidationError as error:
        cure = ""
        if GRADED not in dataset.description:  # nobody said that they belong together
            cure = f"; if {beside.name} is not of this dataset, rename the one or the other"
        refuse([f"{found}{cure}" for found in in_words(error)], f"{path} and {beside.name} beside it")
        raise


def _warn_of_nearly_one_query(dataset: EvaluationDataset) -> None:
    """Warns of rows whose queries look the same, but for blanks and capitals, and are several queries."""
    texts: dict[str, dict[str, str]] = {}
    for row in dataset.queries:
        alike = folded(re.sub(_NOT_SEEN, "", row.query_text))
        texts.setdefault(alike, {}).setdefault(row.query_text, row.query_id)
    for written in texts.values():
        if len(written) > 1:
            ids, shown = " and ".join(map(repr, written.values())), " and ".join(map(repr, written))
            said = f"rows {ids} ask {shown}, which differ in blanks or capitals alone"
            if len({" ".join(text.split()).casefold() for text in written}) > 1:
                shown = " and ".join(map(ascii, written))
                said = f"rows {ids} ask {shown}, which look alike and differ in how characters are encoded"
            warn(f"{said}, and count as {len(written)} queries; write one text alike")


_NOT_SEEN = "[\u00ad\u200b-\u200f\u2060\ufeff]"
"""Characters without a width: soft hyphens, joiners, marks of direction."""


def judgments_path(path: str | Path) -> Path:
    """Where the judgments of a dataset file stand: beside it, in a TREC file.

    >>> judgments_path("datasets/gold.json").as_posix()
    'datasets/gold.qrels'
    """
    path = Path(path)
    if path.suffix == ".gz":  # compressed, it is read as the file that it was
        path = path.with_suffix("")
    return path.with_suffix(".qrels")


def check_beside(path: str | Path) -> None:
    """Raises ValueError where a dataset file's judgments would take the place of a file that is not theirs.

    >>> check_beside("no such folder/wiki.json")
    """
    path, beside = Path(path), judgments_path(path)
    if not beside.exists():
        return
    if not path.is_file() or GRADED not in path.read_text(encoding="utf-8", errors="replace"):
        said = f"{beside} is there, belongs to no dataset file of ours, and would be lost"
        why = f"beside {path.name} the judgments go into {beside.name}"
        raise ValueError(f"{said}: {why}; move it away, or give the dataset another name")


def write_dataset(path: str | Path, dataset: EvaluationDataset) -> Path:
    """Writes a dataset file, whole or not at all, and beside it (`judgments_path`) its judgments, if any.

    The same dataset gives the same bytes. Raises ValueError for a name that does not end in .json (two such
    names could share one file of judgments), for a file of judgments there that belongs to no dataset file,
    and for judged ids that a TREC file cannot hold.

    >>> import tempfile
    >>> dataset = from_qrels({"q1": "disk full"}, {"q1": {"doc_012": 1}}, "wiki", "")
    >>> load_dataset(write_dataset(Path(tempfile.mkdtemp()) / "wiki.json", dataset)) == dataset
    True
    """
    check_type("dataset", dataset, EvaluationDataset, "load_dataset and from_labels give one")
    if check_path(path, "a dataset file, .json").suffix.lower() != ".json":
        why = "its judgments go into the file of the same name that ends in .qrels"
        raise ValueError(f"the path is {str(path)!r}; needed a name that ends in .json: {why}")
    check_judgments(dataset)
    check_beside(path)
    record = dataset.model_dump(mode="json", exclude_none=True)
    beside = judgments_path(path)
    new = not beside.exists()
    if dataset.judgments is None:
        beside.unlink(missing_ok=True)  # those of an older file would be taken for this one's
    else:
        trec.write_qrels(dataset.judgments, beside)
        record["description"] = f"{dataset.description} {GRADED}" if dataset.description else GRADED
    try:
        return write_text(path, json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    except OSError:
        if new:  # judgments of no dataset
            beside.unlink(missing_ok=True)
        raise


def from_labels(
    labelled: Sequence[LabelledQuery], name: str, description: str, graded: bool = True
) -> EvaluationDataset:
    """The dataset of labelled queries: what `from_qrels` makes of their judgments, of kind gold.

    >>> judged = [labels.Judgment(doc_id="d1", grade=2, quote="x"), labels.Judgment(doc_id="d2", grade=0)]
    >>> fields = {"query_id": "q1", "query": "?", "relevant_doc_ids": ["d1"], "kind": "question"}
    >>> dataset = from_labels([LabelledQuery(**fields, judgments=judged)], "wiki", "")
    >>> [(row.query_id, row.expected_item_id) for row in dataset.queries]
    [('q1', 'd1')]
    """
    check_flag("graded", graded)
    of_file = "helpers.datasets.load_labels(path, corpus)"
    cure = f"those of a project are Labelling(folder).labels(), those of a file {of_file}"
    if isinstance(labelled, str) or not isinstance(labelled, Sequence):
        raise ValueError(f"labelled is a {type(labelled).__name__}; needed a list of LabelledQuery: {cure}")
    for number, label in enumerate(labelled):
        check_type(f"labelled[{number}]", label, LabelledQuery, cure)
    refuse(list(repeated_ids([label.query_id for label in labelled])), "the labels")
    queries, qrels = labels.to_queries(labelled), labels.to_qrels(labelled)
    return from_qrels(queries, qrels, name, description, graded=graded)


def from_qrels(
    queries: Queries,
    qrels: Qrels,
    name: str,
    description: str,
    kind: RowKind = "gold",
    graded: bool = True,
) -> EvaluationDataset:
    """The dataset of BEIR judgments: one row for each relevant document (grade 1 or more), in their order.

    A query with one relevant document keeps its id; with several its rows are "q1-1", "q1-2" and so on. With
    `graded` gold queries carry their grades, and what was judged 0, as `judgments`, where a grade below 0
    becomes 0; without, all relevant documents are alike and nobody knows what was judged. Warns of judged
    queries that a dataset cannot hold (no relevant document, no text) and of those with the same text, which
    are one query there. Raises ValueError where nothing is left, two rows get one id, or queries with one
    text contradict each other.

    >>> queries, qrels = {"q1": "cats", "q2": "dogs"}, {"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d3": 1}}
    >>> [(row.query_id, row.expected_item_id) for row in from_qrels(queries, qrels, "pets", "").queries]
    [('q1-1', 'd1'), ('q1-2', 'd2'), ('q2', 'd3')]
    """
    check_flag("graded", graded)
    kept, rows = _expressible(queries, qrels), []
    held: dict[str, set[str]] = {}
    for query_id in kept:
        before = held.setdefault(str(queries[query_id]), set())
        grades = as_grades(qrels[query_id], f"qrels, query {query_id!r}").items()
        relevant = [doc_id for doc_id, grade in grades if grade > 0 and doc_id not in before]
        before.update(relevant)
        numbered = [f"{query_id}-{n}" for n in range(1, len(relevant) + 1)]
        if set(numbered) & set(kept):  # another query has such an id
            numbered = [f"{query_id}#{n}" for n in range(1, len(relevant) + 1)]
        row_ids = numbered if len(relevant) > 1 else [query_id][: len(relevant)]
        rows += [
            {"query_id": row_id, "query_text": queries[query_id], "expected_item_id": doc_id, "kind": kind}
            for row_id, doc_id in zip(row_ids, relevant, strict=True)
        ]
    found = {"schema_version": 1, "name": name, "description": description, "queries": rows}
    dataset = _checked(found, "the dataset of these judgments", [])
    refuse(contradictions(queries, qrels), "the judgments")
    first: dict[str, str] = {}
    again = [query_id for query_id in kept if first.setdefault(queries[query_id], query_id) != query_id]
    _warn_of("queries with the text of another become one query with it", again)
    if not graded or kind != "gold":
        return dataset
    judged = _judgments(dataset, queries, {query_id: qrels[query_id] for query_id in kept})
    return EvaluationDataset(**dict(dataset) | {"judgments": judged})


def contradictions(queries: Queries, qrels: Qrels) -> list[str]:
    """A problem for each document that queries with one text, which are one query in a dataset, grade
    differently.

    >>> contradictions({"q1": "cats", "q2": "cats"}, {"q1": {"d1": 2}, "q2": {"d1": 0, "d2": 1}})
    ["'q1' and 'q2' have one text, 'cats', and grade 'd1' 2 and 0; keep one of the queries, or of the grades"]
    """
    graded: dict[tuple[str, str], tuple[str, int]] = {}
    problems = []
    for query_id, grades in qrels.items():
        text = str(queries.get(query_id, ""))
        for doc_id, grade in as_grades(grades, f"qrels, query {query_id!r}").items() if text else ():
            first, before = graded.setdefault((text, doc_id), (query_id, grade))
            if max(before, 0) != max(grade, 0):
                said = f"{first!r} and {query_id!r} have one text, {text!r:.60}, and grade {doc_id!r}"
                problems.append(f"{said} {before} and {grade}; keep one of the queries, or of the grades")
    return problems


def to_qrels(dataset: EvaluationDataset, sources: Mapping[str, str] | None = None) -> tuple[Queries, Qrels]:
    """The queries of `rows_by_query`, gold and synthetic, and their judgments: of grade 1 where none are.

    `sources` is `{doc_id: source_uri}`: an expected source becomes all its documents. Raises ValueError,
    naming them, for expected sources that `sources` does not have, and for judgments of other queries than
    the rows', as a part of a dataset has them.

    >>> rows = [{"query_id": "q1", "query_text": "cats", "expected_source_uri": "pets.md", "kind": "gold"}]
    >>> dataset = EvaluationDataset(schema_version=1, name="pets", description="", queries=rows)
    >>> to_qrels(dataset, {"pets.md#1": "pets.md", "pets.md#2": "pets.md", "birds.md": "birds.md"})
    ({'q1': 'cats'}, {'q1': {'pets.md#1': 1, 'pets.md#2': 1}})
    """
    check_type("dataset", dataset, EvaluationDataset, "load_dataset and from_labels give one")
    check_judgments(dataset)
    documents: dict[str, list[str]] = {}
    for doc_id, source_uri in (sources or {}).items():
        documents.setdefault(source_uri, []).append(doc_id)
    expected = {row.expected_source_uri for row in dataset.queries} - {None}
    if expected and expected <= (sources or {}).keys() and not expected & documents.keys():
        needed = "needed {doc_id: source_uri}, as corpus.sources is"
        raise ValueError(f"sources has what is expected as its keys; {needed}")
    if unknown := sorted(expected - documents.keys()):
        which = f"the documents of {len(unknown)} expected sources are not known: {_some(unknown)}"
        has = f"sources has {_some(documents)}; needed the source_uri of each doc_id, as corpus.sources is"
        another = f"{has}, of the corpus that the dataset is for"
        cure = another if sources else "give sources={doc_id: source_uri}"
        raise ValueError(f"{which}; {cure}")
    queries, qrels = {}, {}
    for query_id, rows in rows_by_query(dataset).items():
        found = [documents.get(row.expected_source_uri, [row.expected_item_id]) for row in rows]
        queries[query_id] = rows[0].query_text
        qrels[query_id] = {doc_id: 1 for doc_ids in found for doc_id in doc_ids}
    return queries, qrels | (dataset.judgments or {})


def to_beir(
    dataset: EvaluationDataset, folder: str | Path, corpus: Corpus, sources: Mapping[str, str] | None = None
) -> Path:
    """Writes a new folder in BEIR layout, which `helpers.datasets.load_beir` reads, and returns it.

    The gold queries are in the split "test", the synthetic ones in "synthetic", so that they are never
    averaged together. Titles are in the texts; what is read back has no white space around a text. `sources`
    as in `to_qrels`. Raises ValueError, and writes nothing, for a folder that holds something, for documents
    that the corpus lacks (a chunk is none) or that are no texts, and for ids that a file of columns cannot
    hold.

    >>> import tempfile
    >>> dataset = from_qrels({"q1": "cats"}, {"q1": {"d1": 1}}, "pets", "")
    >>> folder = to_beir(dataset, Path(tempfile.mkdtemp()) / "pets", {"d1": "A cat.", "d2": "A dog."})
    >>> (folder / "qrels" / "test.tsv").read_text().split()
    ['query-id', 'corpus-id', 'score', 'q1', 'd1', '1']
    """
    folder = Path(folder)
    check_free(folder)
    queries, qrels = to_qrels(dataset, sources)
    refuse(_not_for_beir(qrels, corpus), f"{dataset.name}, as a BEIR folder")
    documents = ({"_id": doc_id, "title": "", "text": corpus[doc_id]} for doc_id in sorted(corpus))
    with placed(folder) as beside:
        write_text(beside / "corpus.jsonl", _lines(documents))
        write_text(beside / "queries.jsonl", _lines({"_id": key, "text": queries[key]} for key in queries))
        _write_splits(beside / "qrels", dataset, qrels)
    return folder


def _completed(data: object) -> object:
    """A JSON value with what may be left out filled in; what is no dataset is given back as it is."""
    if not isinstance(data, dict):
        return data
    given = dict(data)
    if given.get("description") is None:
        given["description"] = ""
    if given.get("schema_version") == "1":
        given["schema_version"] = 1
    if isinstance(rows := given.get("queries"), list):
        given["queries"] = [{"kind": "gold"} | row if isinstance(row, dict) else row for row in rows]
    return given


def _checked(data: object, where: object, problems: list[str]) -> EvaluationDataset:
    """The dataset that a JSON value is. Raises ValueError with its problems and those found before."""
    if isinstance(data, dict) and {"per_query", "evidence"} <= data.keys():
        raise ValueError(f"{where}: a report, which `report` and `compare` take; needed a dataset file")
    if not isinstance(data, dict):
        needed = "one JSON object with schema_version, name and queries"
        raise ValueError(f"{where}: needed {needed}, found {short(data)}")
    rows = data.get("queries") if isinstance(data.get("queries"), list) else []
    repeated = list(repeated_ids([row.get("query_id") if isinstance(row, dict) else None for row in rows]))
    try:
        dataset = EvaluationDataset.model_validate(data)
    except ValidationError as error:
        # Pydantic finds repeated ids only where the rows are right otherwise; here they are found always.
        seen = [line for line in in_words(error) if not (repeated and line.startswith("queries: "))]
        refuse([*problems, *seen, *repeated], where)
        raise
    refuse(problems, where)
    return dataset


def _judgments(dataset: EvaluationDataset, queries: Queries, qrels: Qrels) -> Qrels:
    """The judgments by the ids of `rows_by_query`, of queries with one text together; below 0 is 0."""
    asked = {rows[0].query_text: query_id for query_id, rows in rows_by_query(dataset).items()}
    judged: Qrels = {}
    for query_id, grades in qrels.items():
        of_query = judged.setdefault(asked[queries[query_id]], {})
        for doc_id, grade in as_grades(grades, f"qrels, query {query_id!r}").items():
            of_query[doc_id] = max(grade, 0)
    return judged


def _expressible(queries: Queries, qrels: Qrels) -> list[str]:
    """The judged queries that rows can be made of; a warning names the others."""
    check_ids(qrels, "qrels: query_id")
    check_ids(queries, "queries: query_id")
    if any(isinstance(text, Mapping) for text in queries.values()):
        given = "queries holds grades and no texts"
        raise ValueError(f"{given}; give {{query_id: text}} first, then {{query_id: {{doc_id: grade}}}}")
    textless = [query_id for query_id in qrels if not str(queries.get(query_id, "")).strip()]
    best = {
        query_id: max(as_grades(grades, f"qrels, query {query_id!r}").values(), default=0)
        for query_id, grades in qrels.items()
    }
    without = [query_id for query_id in qrels if best[query_id] < 1]
    if qrels and not qrels.keys() & queries.keys():
        examples = (
            f"e.g. {next(iter(qrels))!r:.60} is judged, and a query is {next(iter(queries), None)!r:.60}"
        )
        raise ValueError(f"no judged query is among the queries: {examples}; write their ids alike")
    _warn_of("judged queries without a text are left out", textless)
    _warn_of("judged queries without a relevant document are left out", without)
    return [query_id for query_id in qrels if query_id not in {*textless, *without}]


def _warn_of(what: str, query_ids: list[str]) -> None:
    if query_ids:
        warn(f"{what} ({len(query_ids)}): {_some(query_ids)}")


def _some(names: list[str]) -> str:
    return first_few(map(repr, names))


def _not_for_beir(qrels: Qrels, corpus: Corpus) -> list[str]:
    problems = []
    for query_id, grades in qrels.items():
        if unknown := [doc_id for doc_id in grades if doc_id not in corpus]:
            problems.append(f"query {query_id!r}: not in the corpus: {_some(unknown)}")
        if broken := [name for name in (query_id, *grades) if set(name) & set("\t\r\n")]:
            problems.append(f"query {query_id!r}: a tab or a line end in {_some(broken)}")
    no_texts = [(doc_id, text) for doc_id, text in corpus.items() if not isinstance(text, str)]
    if no_texts:
        cure = 'needed text ("" where there is none)'
        which = first_few(f"{doc_id!r} is {text!r:.40}" for doc_id, text in no_texts)
        problems.append(f"{counted(len(no_texts), 'document')} of the corpus without a text: {which}; {cure}")
    return problems


def _lines(records: Iterable[dict]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _write_splits(folder: Path, dataset: EvaluationDataset, qrels: Qrels) -> None:
    lines: dict[str, list[str]] = {}
    for query_id, rows in rows_by_query(dataset).items():
        split = lines.setdefault(SPLITS[rows[0].kind], ["query-id\tcorpus-id\tscore\n"])
        split += [f"{query_id}\t{doc_id}\t{grade}\n" for doc_id, grade in qrels[query_id].items()]
    for split, found in lines.items():
        write_text(folder / f"{split}.tsv", "".join(found))
