"""The runbooks collection as others take it: a BEIR folder, TREC qrels, nuggets, a datasheet and Croissant.

`python -m course release FOLDER` makes it from `evals/`, whole or not at all.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from helpers.base import check_free, files, placed
from helpers.datasets import (
    LabelledQuery,
    load_needs,
    load_nuggets,
    read_documents,
    runbook_labels,
    runbooks_version,
    to_qrels,
    trec,
)
from helpers.records import Qrels

NAME = "wrenfield-runbooks"
PUBLISHED = "2026-11-22"
DATASHEET = files.ROOT / "evals" / "DATASHEET.md"
DESCRIPTION = (
    "An English test collection for retrieval and RAG: the operations wiki of an invented company, 150 "
    "queries in the words of those who ask, every page judged for every query, with quotes, nuggets and "
    "reference answers."
)


def write_release(folder: str | Path) -> Path:
    """Writes the collection to a new or empty folder and returns it.

    `corpus.jsonl`, `queries.jsonl` and `qrels/{core,dev,test,unanswered}.tsv` are read by BEIR's loader,
    `qrels.trec` has all of them in trec_eval's form. Raises ValueError for a folder that holds files, and for
    whatever the loaders refuse.
    """
    folder = Path(folder)
    check_free(folder)
    documents = read_documents(files.RUNBOOKS)
    corpus = {document.doc_id: document.text for document in documents}
    splits = {name: runbook_labels(name, corpus) for name in ("core", "dev", "test", "unanswered")}
    labels = [*splits["dev"], *splits["test"], *splits["unanswered"]]
    needs, _ = load_needs(labels), load_nuggets(labels, corpus)
    with placed(folder) as beside:
        (beside / "qrels").mkdir()
        _write_lines(
            beside / "corpus.jsonl",
            (
                {
                    "_id": one.doc_id,
                    "title": one.title,
                    "text": one.body,
                    "metadata": {
                        "kind": one.kind,
                        "service": one.service,
                        "updated": str(one.updated),
                        "superseded_by": one.superseded_by,
                    },
                }
                for one in documents
            ),
        )
        _write_lines(beside / "queries.jsonl", (_query(label, needs) for label in labels))
        for name, chosen in splits.items():
            rows = ["query-id\tcorpus-id\tscore", *_rows(to_qrels(chosen))]
            (beside / "qrels" / f"{name}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        trec.write_qrels(to_qrels(labels), beside / "qrels.trec")
        for path in (files.NEEDS, files.NUGGETS):
            shutil.copyfile(path, beside / path.name)
        shutil.copyfile(DATASHEET, beside / "README.md")
        text = json.dumps(croissant(beside), indent=2, ensure_ascii=False) + "\n"
        (beside / "croissant.json").write_text(text, encoding="utf-8")
    return folder


def _query(label: LabelledQuery, needs: dict) -> dict:
    need = needs[label.query_id]
    facts = {"kind": label.kind, "role": need.role, "form": need.form, "split": need.split}
    return {"_id": label.query_id, "text": label.query, "metadata": facts}


def _rows(qrels: Qrels) -> Iterable[str]:
    return (f"{q}\t{d}\t{grade}" for q, grades in qrels.items() for d, grade in grades.items())


def _write_lines(path: Path, records: Iterable[dict]) -> None:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def croissant(folder: Path) -> dict:
    """The description of a written release in Croissant 1.0 (JSON-LD), with the SHA-256 of each file.

    Source: MLCommons, Croissant Format Specification 1.0, 2024.
    """
    described = {
        "corpus": ("corpus.jsonl", {"_id": "doc_id", "title": "its title", "text": "its body, in Markdown"}),
        "queries": ("queries.jsonl", {"_id": "query_id", "text": "as it was typed"}),
        "nuggets": ("nuggets.jsonl", {"query_id": "of the query", "answer": "a reference answer"}),
        "judgments": (
            "qrels/test.tsv",
            {"query-id": "of the query", "corpus-id": "of the document", "score": "grade 0, 1 or 2"},
        ),
    }
    objects = [_file_object(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": NAME,
        "description": DESCRIPTION,
        "version": runbooks_version().split()[0],
        "datePublished": PUBLISHED,
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "inLanguage": "en",
        "creator": {"@type": "sc:Organization", "name": "The Measure First authors"},
        "citeAs": f"The Measure First authors: Wrenfield runbooks, edition {runbooks_version()}.",
        "distribution": objects,
        "recordSet": [_record_set(name, path, fields) for name, (path, fields) in described.items()],
    }


def _file_object(path: Path, folder: Path) -> dict:
    name = path.relative_to(folder).as_posix()
    formats = {".jsonl": "application/jsonlines", ".tsv": "text/tab-separated-values", ".md": "text/markdown"}
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": formats.get(path.suffix, "text/plain"),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def _record_set(name: str, file: str, fields: dict[str, str]) -> dict:
    def source(column: str) -> dict:
        key = "column" if file.endswith(".tsv") else "jsonPath"
        value = column if key == "column" else f"$.{column}"
        return {"fileObject": {"@id": file}, "extract": {key: value}}

    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "description": meaning,
                "dataType": "sc:Integer" if column == "score" else "sc:Text",
                "source": source(column),
            }
            for column, meaning in fields.items()
        ],
    }


# The context that Croissant 1.0 prescribes: which short name means which term of which vocabulary.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
