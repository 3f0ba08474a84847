"""Reports: an evaluation with the evidence for every row, as data, as Markdown and as a page; and the gate between two."""

from workbench.reports.evaluate import evaluate_run
from workbench.reports.gate import check_comparable, gate
from workbench.reports.gate_result import GateResult
from workbench.reports.markdown import as_markdown
from workbench.reports.models import (
    CAUSES,
    ROW_METRICS,
    DatasetFacts,
    EvaluationReport,
    PerQuery,
    load_report,
    save_report,
    without_times,
)
from workbench.reports.page import as_html
from workbench.reports.summary import ROW_KINDS, cause_counts, five_things, metrics_of, rows_of

__all__ = [
    "CAUSES",
    "DatasetFacts",
    "EvaluationReport",
    "GateResult",
    "PerQuery",
    "ROW_KINDS",
    "ROW_METRICS",
    "as_html",
    "as_markdown",
    "cause_counts",
    "check_comparable",
    "evaluate_run",
    "five_things",
    "gate",
    "load_report",
    "metrics_of",
    "rows_of",
    "save_report",
    "without_times",
]
