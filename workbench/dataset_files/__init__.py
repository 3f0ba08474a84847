"""Queries and what they should find, as one JSON file."""

from helpers.base import name_wrong_types
from workbench.dataset_files.dataset_file import (
    check_beside,
    contradictions,
    from_labels,
    from_qrels,
    judgments_path,
    load_dataset,
    to_beir,
    to_qrels,
    write_dataset,
)
from workbench.dataset_files.evaluation_dataset import (
    EvaluationDataset,
    EvaluationQuery,
    RowKind,
    check_judgments,
    rows_by_query,
)
from workbench.dataset_files.strict_json import check_version, in_words, read_json, short

name_wrong_types(globals())
