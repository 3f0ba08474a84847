"""Collections come in and go out: the bundled ones, BEIR, the hub's, TREC files, labelled queries."""

from helpers.base import name_wrong_types
from helpers.datasets import catalogue, hub, labels, trec
from helpers.datasets.assembly import kept_documents
from helpers.datasets.beir import load_beir_corpus, load_beir_qrels, load_beir_queries
from helpers.datasets.catalogue import (
    BASELINE,
    FORUMS,
    beir_catalogue,
    default_split,
    other_size,
    parts,
    published,
    published_figures,
)
from helpers.datasets.hub import (
    load_miracl,
    load_mmarco,
    load_msmarco,
    stream_miracl_corpus,
    stream_mmarco_collection,
)
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
from helpers.datasets.load import (
    STAND_IN,
    download_beir,
    find_beir,
    load_beir,
    load_or_stand_in,
    load_runbooks,
    obtain_beir,
    runbook_labels,
    runbooks_version,
)
from helpers.datasets.model_queries import load_model_queries
from helpers.datasets.nuggets import Answer, Need, Nugget, load_needs, load_nuggets, read_nuggets
from helpers.datasets.runbooks import Document, read_documents

name_wrong_types(globals())
