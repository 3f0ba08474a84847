"""Reports: an evaluation with the evidence for every row, as data, as Markdown, as a page; and the gate."""

from helpers.base import name_wrong_types
from workbench.reports.ci_summaries import gate_junit, gate_markdown
from workbench.reports.evaluate_run import evaluate_run
from workbench.reports.gate import GateResult, called, check_comparable, gate, not_compared
from workbench.reports.models import (
    JUDGED,
    ROW_METRICS,
    EvaluationReport,
    common_metrics,
    found_nothing,
    load_report,
    save_report,
    without_times,
    write_ranking,
)
from workbench.reports.nuggets import nugget_section, score_nuggets
from workbench.reports.rendering import as_html, as_markdown
from workbench.reports.scores import by_searches_in_words, over_queries_of, over_searches
from workbench.reports.summary import (
    ROW_KINDS,
    cause_counts,
    depth_in_words,
    five_things,
    interval_of,
    metrics_of,
    rows_of,
)

name_wrong_types(globals())
