"""A project's queries, judgments and documents, as other tools read them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from helpers.base import check_free, check_option, check_path, counted, first_few, placed, warn, write_text
from helpers.datasets import to_qrels, to_queries, trec
from helpers.records import Qrels
from workbench.dataset_files import from_labels, write_dataset
from workbench.exchange.sheets import no_formula
from workbench.labelling import Labelling, Question, stale_in_words

FORMATS = ("beir", "biblicus", "csv", "hub", "trec")


def export_project(lab: Labelling, form: str, folder: str | Path) -> list[Path]:
    """Writes a project into a new folder, in one of `FORMATS`, and returns its files.

    `trec`: `qrels.txt`, and `topics.tsv` with id and text. `beir`: `corpus.jsonl`, `queries.jsonl`,
    `qrels/test.tsv`; kind, segment, frequency and draws of a query are in its `metadata`, where they are not
    as for every query. `hub`: the same as data files of three configurations, `corpus`, `queries` and
    `qrels`, named in a `README.md`, as the hub of Hugging Face lays out a retrieval dataset, where they are
    columns. `biblicus`: `dataset.json`, one row for each relevant document, without grades. `csv`:
    `queries.csv` with frequencies and, where a query has one, segments, `judgments.csv` with quotes and,
    where one was taken over from another judge, with the name in a column `by`, where a text that a
    spreadsheet would take for a formula gets a blank before it. Judgments of other judges are not in it, and
    judgments that no longer hold (`Labelling.stale`) in `csv` alone; a warning names these, and what else the
    format has no place for.

    Raises ValueError for a folder that holds something, another format, and a project without a judgment.
    """
    check_option("form", form, FORMATS)
    folder = check_path(folder, "the name of a new folder")
    check_free(folder)
    labels = [label for label in lab.labels() if label.judgments]
    stale = lab.stale()
    if not labels and stale:
        lost = f"none of the {counted(len(stale), 'judgment')} of {lab.folder} holds any longer"
        raise ValueError(f"{lost}: {stale_in_words(stale)}")
    if not labels:
        raise ValueError(f"{lab.folder} has no judgment yet; judge some documents, or bring judgments in")
    queries, qrels = to_queries(labels), to_qrels(labels)
    kept = [label.query_id for label in labels if form != "biblicus" or label.relevant_doc_ids]
    if form != "csv" and (left := [query_id for query_id in lab.questions() if query_id not in kept]):
        why = "no relevant document" if form == "biblicus" else "no judgment"
        said = f"{counted(len(left), 'query')} with {why} left out: {first_few(left)}"
        warn(said)
    if stale:
        said = "in judgments.csv all the same" if form == "csv" else "left out"
        warn(f"{counted(len(stale), 'judgment')} that no longer count {said}: {stale_in_words(stale)}")
    questions = [one for query_id, one in lab.questions().items() if query_id in kept]
    has_quotes = any(judged.quote for label in labels for judged in label.judgments)
    if lost := _lost(form, questions, has_quotes, any(one.by for one in lab.verdicts().values())):
        warn(f"{form} has no place for {', '.join(lost)}: they are in --format csv")
    with placed(folder) as beside:
        if form == "trec":
            trec.write_qrels(qrels, beside / "qrels.txt")
            write_text(
                beside / "topics.tsv",
                "".join(f"{q}\t{' '.join(text.split())}\n" for q, text in queries.items()),
            )
        elif form == "biblicus":
            relevant = [label for label in labels if label.relevant_doc_ids]
            dataset = from_labels(relevant, lab.corpus.name, "Exported from a project.", graded=False)
            write_dataset(beside / "dataset.json", dataset)
            lost = "this format has no grades: who reads it takes each relevant document as grade 2"
            warn(lost)
        elif form == "csv":
            _write_tables(beside, lab)
        else:
            _write_beir(beside, lab, questions, qrels, hub=form == "hub")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _beyond(question: Question) -> dict[str, object]:
    """What a query has beyond its text and is not as for every query, e.g. kind, frequency and draws."""
    return question.model_dump(exclude_defaults=True, exclude={"query_id", "query"})


def _lost(form: str, questions: Iterable[Question], has_quotes: bool, has_names: bool) -> list[str]:
    """What of this project a format has no place for."""
    if form == "csv":
        return []
    texts_alone = questions if form in ("trec", "biblicus") else ()
    names = dict.fromkeys(name for one in texts_alone for name in _beyond(one))
    return [_SEVERAL.get(name, f"{name}s") for name in names] + ["quotes"] * has_quotes + [_NAMES] * has_names


_NAMES = "the names of judges from whom judgments were taken over"
_SEVERAL = {"frequency": "frequencies", "drawn": "how often queries were drawn"}


def _records(questions: Sequence[Question], hub: bool) -> Iterator[dict]:
    """The queries as BEIR has them. For the hub what they have beyond their texts is in columns, for all."""
    columns = {name for one in questions for name in _beyond(one)}
    for one in questions:
        beyond = one.model_dump(include=columns) if hub else {"metadata": _beyond(one)}
        yield {"_id": one.query_id, "text": one.query} | beyond


def _write_tables(folder: Path, lab: Labelling) -> None:
    without = None if any(one.segment for one in lab.questions().values()) else {"segment"}
    questions = [question.model_dump(exclude=without) for question in lab.questions().values()]
    own_alone = None if any(one.by for one in lab.verdicts().values()) else {"by"}
    verdicts = [verdict.model_dump(exclude=own_alone) for verdict in lab.verdicts().values()]
    for name, records in (("queries", questions), ("judgments", verdicts)):
        for record in records:
            record |= {
                key: no_formula(record[key] or "") for key in ("query", "quote", "segment") if key in record
            }
        table = pd.DataFrame(records).convert_dtypes()  # else a count beside an empty cell would be 12.0
        write_text(folder / f"{name}.csv", table.to_csv(index=False, lineterminator="\n"))


def _write_beir(folder: Path, lab: Labelling, questions: Sequence[Question], qrels: Qrels, hub: bool) -> None:
    pages = lab.documents.values()
    documents = ({"_id": one.doc_id, "title": one.title, "text": one.text} for one in pages)
    write_text(folder / "corpus.jsonl", _lines(documents))
    write_text(folder / "queries.jsonl", _lines(_records(questions, hub)))
    judged = [(q, doc_id, grade) for q, grades in qrels.items() for doc_id, grade in grades.items()]
    if not hub:
        rows = "".join(f"{q}\t{doc_id}\t{grade}\n" for q, doc_id, grade in judged)
        write_text(folder / "qrels" / "test.tsv", f"query-id\tcorpus-id\tscore\n{rows}")
        return
    rows = ({"query-id": q, "corpus-id": doc_id, "score": grade} for q, doc_id, grade in judged)
    write_text(folder / "qrels" / "test.jsonl", _lines(rows))
    write_text(folder / "README.md", _CARD.format(name=lab.corpus.name))


def _lines(records: Iterable[dict]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


_CARD = """---
configs:
- config_name: corpus
  data_files:
  - split: corpus
    path: corpus.jsonl
- config_name: queries
  data_files:
  - split: queries
    path: queries.jsonl
- config_name: qrels
  data_files:
  - split: test
    path: qrels/test.jsonl
---

# {name}

A retrieval collection: documents, queries, and judgments from 0 (not relevant) to 2 (answers the query).
"""
