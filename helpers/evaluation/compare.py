"""Systems on the same queries, side by side: means, intervals, differences to a baseline, corrected p-values, what moved.

What may be compared at all is checked in `alignment`; what a test, an interval or a correction is, is in `stats`; what nobody
judged is in `pooling`, the figures are in `show`. A table that leaves this room says in words what it rests on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.base import check_option, html_table, latex_table, markdown_table
from helpers.evaluation.alignment import Scores, as_systems, same_conventions, side_by_side
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import Evaluation
from helpers.stats import (
    DECIMALS,
    benjamini_hochberg,
    bootstrap_intervals,
    holm,
    paired_significance,
    randomisation_tests,
    wilcoxon,
)

TESTS = {"randomisation": "randomisation test", "t": "paired t-test", "wilcoxon": "Wilcoxon signed-rank test"}
CORRECTIONS = {"holm": holm, "benjamini-hochberg": benjamini_hochberg, None: None}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `compare` found, printed as a table with its notes; `table` and `per_query` are plain frames.

    `table` has a row per system: `mean`, `low`, `high`; `difference` to the baseline, `diff low`, `diff high`; how many queries
    it wins, ties and loses (`win`, `tie`, `loss`); `p`, and `corrected p` where there is a correction; `judged@k` where it was
    measured, at the metric's own k, at 10 for a metric without one. What compares the baseline with itself is empty.
    `per_query` has a row per query, a column per system. Of several metrics, the rows of `table` and the columns of
    `per_query` are (metric, system). `counted_zero` is `{system: the queries that it lacks}`; `conventions` are None where any
    system was given as plain scores.
    """

    table: pd.DataFrame
    per_query: pd.DataFrame
    metric: str | list[str]
    baseline: str
    conventions: Conventions | None
    test: str
    correction: str | None
    confidence: float
    n_resamples: int
    counted_zero: dict[str, list[str]]

    def differences(self, system: str, metric: str | None = None) -> pd.Series:
        """What a system gains on the baseline, query by query; of several metrics the first, or the one that is named."""
        scores = self._scores(metric)
        check_option("system", system, [name for name in scores if name != self.baseline])
        return (scores[system] - scores[self.baseline]).round(DECIMALS).rename("difference")

    def moved(
        self, system: str, n: int = 5, causes: object = None, metric: str | None = None
    ) -> pd.DataFrame:
        """The n queries that moved most, either way: both scores, the difference, and why documents were missed.

        `causes` is a `FailureReport` (or its table `misses`), or `{column: report}` for several: where the system gains, the
        cause is one of the baseline's misses. A query without a miss has an empty text; a tie has not moved.
        """
        difference = self.differences(system, metric)
        order = difference[difference != 0].abs().sort_values(ascending=False, kind="stable").index[:n]
        found = self._scores(metric).loc[order, [self.baseline, system]].assign(difference=difference[order])
        reports = causes if isinstance(causes, Mapping) else {} if causes is None else {"causes": causes}
        for column, report in reports.items():
            misses = getattr(report, "misses", report)
            found[column] = [
                ", ".join(misses["cause"][misses["query_id"] == query_id].unique()) for query_id in order
            ]
        return found.rename_axis(columns=None)

    @property
    def notes(self) -> list[str]:
        """What the table rests on, a sentence each: metric, queries, intervals, test, correction, conventions."""
        n_tests = int(self.table["p"].notna().sum())
        corrected = f"corrected by {self.correction.title()}" if self.correction else "not corrected"
        lines = [
            f"{', '.join(self._metrics)}: means over {len(self.per_query)} queries with {100 * self.confidence:g} % percentile "
            f"bootstrap intervals ({self.n_resamples:,} resamples).",
            f"Differences are to {self.baseline}. p: {TESTS[self.test]}, two-sided, {corrected} for {n_tests} "
            f"{'comparison' if n_tests == 1 else 'comparisons'}; † where {'corrected p' if self.correction else 'p'} < {self._alpha}.",
        ]
        if "judged@k" in self.table:
            lines.append(
                "judged@k: the share of the first k documents that were judged, at the metric's k, else at 10."
            )
        for system, ids in self.counted_zero.items():
            lines.append(
                f"{system} lacks {len(ids)} {'query, which counts' if len(ids) == 1 else 'queries, which count'} 0."
            )
        words = self.conventions or "not known, since at least one system was given as plain scores"
        return [*lines, f"Conventions: {words}."]

    def to_markdown(self) -> str:
        """The table and its notes in Markdown, the best mean of each metric bold."""
        return markdown_table(*self._cells(), self.notes, self.table.index.nlevels)

    def to_latex(self) -> str:
        """The table in LaTeX for the package booktabs, the best mean of each metric bold, the notes as its caption."""
        return latex_table(*self._cells(), self.notes, self.table.index.nlevels)

    def __str__(self) -> str:
        return "\n".join([self._cells()[0].to_string(index=False), "", *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), self.notes)

    def _cells(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The table as texts, and which of them are the best means, as they are printed."""
        labels = self.table.index.to_frame(index=False)
        rows = [_texts(row, self.confidence, self._alpha) for row in self.table.to_dict("records")]
        cells = pd.concat([labels, pd.DataFrame(rows)], axis=1)
        bold = pd.DataFrame(False, index=cells.index, columns=cells.columns)
        means = self.table["mean"].round(3).reset_index(drop=True)
        bold["mean"] = means == (
            means.groupby(labels["metric"]).transform("max") if "metric" in labels else means.max()
        )
        return cells, bold

    @property
    def _alpha(self) -> float:
        return round(1 - self.confidence, 10)

    @property
    def _metrics(self) -> list[str]:
        return [self.metric] if isinstance(self.metric, str) else self.metric

    def _scores(self, metric: str | None) -> pd.DataFrame:
        metric = self._metrics[0] if metric is None else metric
        check_option("metric", metric, self._metrics)
        return self.per_query if isinstance(self.metric, str) else self.per_query[metric]


def compare(
    reports: Mapping[str, Scores],
    metric: str | Sequence[str] = "nDCG@10",
    baseline: str | None = None,
    test: str = "randomisation",
    correction: str | None = "holm",
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    missing: str = "error",
    rng: np.random.Generator | int = 0,
) -> Comparison:
    """Each system against the baseline (the first, where none is named) on the same queries, all p-values corrected together.

    `reports` is `{system: Evaluation}`; a value may also be what has an `evaluation`, `{query_id: score}`, a Series, or a frame
    with a row per query and a column per metric. `metric` is a name or a list of names; the correction is then over all systems
    and metrics. `test` is one of `TESTS`, `correction` of `CORRECTIONS`. All systems see the same resamples. A query that one
    system lacks is an error, or counts 0 with `missing="zero"`.

    Raises ValueError, with the names, for fewer than two systems or queries, an unknown baseline, a metric that was not
    measured, a score that is no finite number, and evaluations under different conventions or of different judged queries. An
    evaluation does not hold its grades: whether two were made from the same ones cannot be seen here. Where p is drawn and not
    counted out, its last digits hang on the seed and on the order of systems, as those of any simulation.

    >>> found = compare({"A": {"q1": 0.2, "q2": 0.4, "q3": 0.6}, "B": {"q1": 0.5, "q2": 0.4, "q3": 0.9}}, "P@10")
    >>> found.table.loc["B", ["difference", "p"]].tolist()  # of the four flips of two signs, two are as far from 0
    [0.2, 0.5]
    """
    check_option("test", test, TESTS)
    check_option("correction", correction, CORRECTIONS)
    metrics = _as_list(metric)
    systems, baseline = as_systems(reports, baseline)
    conventions = same_conventions(systems)
    scores, counted_zero = side_by_side(systems, metrics, missing)
    table = _table(scores, baseline, test, confidence, n_resamples, np.random.default_rng(rng))
    if correction:
        table["corrected p"] = pd.Series(CORRECTIONS[correction](table["p"].dropna()))
    judged = np.array([_judged_share(systems[system], name) for name, system in table.index])
    if not np.isnan(judged).all():
        table["judged@k"] = judged
    if isinstance(metric, str):
        table, scores = table.loc[metric], scores[metric]
    else:
        metric = metrics
    return Comparison(
        table, scores, metric, baseline, conventions, test, correction, confidence, n_resamples, counted_zero
    )


def _table(
    scores: pd.DataFrame,
    baseline: str,
    test: str,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    parts = {
        metric: scores[metric].sub(scores[metric][baseline], axis=0)
        for metric in scores.columns.unique("metric")
    }
    differences = pd.concat(parts, axis=1, names=["metric", "system"]).round(DECIMALS)
    found = bootstrap_intervals(
        pd.concat([scores, differences], axis=1, keys=["own", "other"]), confidence, n_resamples, rng=rng
    )
    table = found.loc["own"].join(
        found.loc["other"].round(DECIMALS).set_axis(["difference", "diff low", "diff high"], axis=1)
    )
    for name, sign in (("win", 1), ("tie", 0), ("loss", -1)):
        table[name] = (np.sign(differences) == sign).sum().astype("Int64")
    itself = table.index.get_level_values("system") == baseline
    for name in ("difference", "diff low", "diff high", "win", "tie", "loss"):
        table[name] = table[name].mask(itself)
    table["p"] = _p_values(scores, differences.loc[:, ~itself], baseline, test, n_resamples, rng)
    return table


def _p_values(
    scores: pd.DataFrame,
    differences: pd.DataFrame,
    baseline: str,
    test: str,
    n_resamples: int,
    rng: np.random.Generator,
) -> pd.Series:
    if test == "randomisation":
        return randomisation_tests(differences, n_resamples, rng)["p_value"]
    function = {"t": paired_significance, "wilcoxon": wilcoxon}[test]
    found = {cell: function(scores[cell[0], baseline], scores[cell])["p_value"] for cell in differences}
    return pd.Series(found)


def _judged_share(scores: Scores, metric: str) -> float:
    name = f"Judged@{metric.partition('@')[2] or 10}"
    return scores.get(name, np.nan) if isinstance(scores, Evaluation) else np.nan


def _as_list(metric: str | Sequence[str]) -> list[str]:
    metrics = [metric] if isinstance(metric, str) else list(metric) if isinstance(metric, Sequence) else []
    if not metrics or len(set(metrics)) < len(metrics):
        raise ValueError(f"metric is {metric!r}; needed a name, or a list of names without repeats")
    return metrics


def _texts(row: Mapping[str, float], confidence: float, alpha: float) -> dict[str, str]:
    """One row of the table as it is printed; what compares the baseline with itself stays empty."""
    other, interval, p = (
        pd.notna(row["p"]),
        f"{100 * confidence:g} % interval",
        row.get("corrected p", row["p"]),
    )
    mark = " †" if p < alpha else ""
    texts = {
        "mean": f"{row['mean']:.3f}",
        interval: f"[{row['low']:.3f}, {row['high']:.3f}]",
        "difference": f"{row['difference']:+.3f}{mark}" if other else "",
        f"its {interval}": f"[{row['diff low']:+.3f}, {row['diff high']:+.3f}]" if other else "",
        "win / tie / loss": f"{row['win']} / {row['tie']} / {row['loss']}" if other else "",
    }
    for name in ("p", "corrected p"):
        if name in row:
            texts[name] = "" if not other else "<0.0001" if row[name] < 0.0001 else f"{row[name]:.4f}"
    if "judged@k" in row:
        texts["judged@k"] = "" if pd.isna(row["judged@k"]) else f"{row['judged@k']:.3f}"
    return texts
