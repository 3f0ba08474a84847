"""Reports: an evaluation with the evidence for every row, as data, as Markdown and as a page; and the gate between two."""

from helpers.reports.evaluate import evaluate_run
from helpers.reports.gate import gate
from helpers.reports.gate_result import GateResult
from helpers.reports.markdown import as_markdown
from helpers.reports.models import CAUSES, EvaluationReport, load_report, save_report, without_times
from helpers.reports.page import as_html

__all__ = [
    "CAUSES",
    "EvaluationReport",
    "GateResult",
    "as_html",
    "as_markdown",
    "evaluate_run",
    "gate",
    "load_report",
    "save_report",
    "without_times",
]
