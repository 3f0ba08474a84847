"""A run and judgments become numbers that carry their conventions; two of them are compared."""

from helpers.base import name_wrong_types
from helpers.evaluation import rankings, results
from helpers.evaluation.bounds import bounds
from helpers.evaluation.compare import compare
from helpers.evaluation.conventions import CHOICES, TREC, Conventions
from helpers.evaluation.evaluate import Evaluation, evaluate_retrieval, first_relevant_ranks
from helpers.evaluation.fast_metrics import METRICS, Metric, find_metric
from helpers.evaluation.rankings import Results, as_scores, ranking, read_once, without_own_ids
from helpers.evaluation.results import (
    STORED_METRICS,
    load_results,
    provenance,
    result_row,
    results_table,
    save_results,
)
from helpers.evaluation.suspicions import what_is_equal

name_wrong_types(globals())
