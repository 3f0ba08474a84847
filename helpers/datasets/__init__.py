"""Collections come in and go out: the bundled ones, BEIR, the hub's, TREC files, labelled queries."""

from helpers.datasets import catalogue, hub, labels, trec
from helpers.datasets.assembly import kept_documents
from helpers.datasets.catalogue import BASELINE, FORUMS, default_split, parts, published, published_figures
from helpers.datasets.labels import (
    QUERY_KINDS,
    Id,
    Judgment,
    LabelledQuery,
    QueryKind,
    add_query,
    label_problems,
    load_labels,
    quote_spans,
    to_qrels,
    to_queries,
)
from helpers.datasets.load import STAND_IN, find_beir, load_beir, load_or_stand_in, load_runbooks, obtain_beir
from helpers.datasets.runbooks import Document, read_documents

__all__ = [
    "BASELINE",
    "Document",
    "FORUMS",
    "Id",
    "Judgment",
    "LabelledQuery",
    "QUERY_KINDS",
    "QueryKind",
    "STAND_IN",
    "add_query",
    "catalogue",
    "default_split",
    "find_beir",
    "hub",
    "kept_documents",
    "label_problems",
    "labels",
    "load_beir",
    "load_labels",
    "load_or_stand_in",
    "load_runbooks",
    "obtain_beir",
    "parts",
    "published",
    "published_figures",
    "quote_spans",
    "read_documents",
    "to_qrels",
    "to_queries",
    "trec",
]
