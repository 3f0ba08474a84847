"""Systems side by side on the same queries: means, intervals, differences, corrected p-values, what moved.

Two systems are comparable where they were measured on the same queries, by the same judgments, under the same
conventions. A table that leaves this module says in words what it rests on.
"""

import difflib
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import pandas as pd

from helpers import stats
from helpers.base import (
    check_ids,
    check_option,
    check_rng,
    check_whole,
    counted,
    first_few,
    html_table,
    latex_table,
    markdown_table,
    warn,
)
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import Evaluation
from helpers.evaluation.fast_metrics import METRICS, find_metric

Scores = Evaluation | Mapping[str, float] | pd.Series | pd.DataFrame
TESTS = {"randomisation": "randomisation test", "t": "paired t-test", "wilcoxon": "Wilcoxon signed-rank test"}
INTERVALS = {"t": "t", "percentile": "percentile bootstrap", "bca": "BCa bootstrap"}
CORRECTIONS = {"holm": stats.holm, "benjamini-hochberg": stats.benjamini_hochberg, "max-t": None, None: None}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `compare` found, printed as a table with its notes; `table` and `per_query` are plain frames.

    `table` has a row per system: `mean`, `low`, `high`; `difference` to the baseline, `diff low`, `diff
    high`; how many queries it wins, ties and loses (`win`, `tie`, `loss`); `p`, and `corrected p` where there
    is a correction; `judged@k` where it was measured, at the metric's own k, at 10 for a metric without one.
    What compares the baseline with itself is empty. `per_query` has a row per query, a column per system. Of
    several metrics, the rows of `table` and the columns of `per_query` are (metric, system). `counted_zero`
    is `{system: the queries that it lacks}`; `conventions` are None where any system was given as plain
    scores.
    """

    table: pd.DataFrame
    per_query: pd.DataFrame
    metric: str | list[str]
    baseline: str
    conventions: Conventions | None
    test: str
    correction: str | None
    interval: str
    confidence: float
    n_resamples: int
    counted_zero: dict[str, list[str]]

    def differences(self, system: str, metric: str | None = None) -> pd.Series:
        """What a system gains on the baseline, query by query, in the metric named, else in the first."""
        scores = self._scores(metric)
        check_option("system", system, [name for name in scores if name != self.baseline])
        return (scores[system] - scores[self.baseline]).round(stats.DECIMALS).rename("difference")

    def moved(self, system: str, n: int = 5, metric: str | None = None) -> pd.DataFrame:
        """The n queries that moved most, either way: both scores and the difference. A tie has not moved.

        Raises ValueError for an n that is no whole number from 1 up.
        """
        check_whole("n", n, of="queries")
        difference = self.differences(system, metric)
        order = difference[difference != 0].abs().sort_values(ascending=False, kind="stable").index[:n]
        found = self._scores(metric).loc[order, [self.baseline, system]].assign(difference=difference[order])
        return found.rename_axis(columns=None)

    @property
    def notes(self) -> list[str]:
        """What the table rests on, a sentence each: metric, intervals, test, correction, conventions."""
        n_tests = counted(int(self.table["p"].notna().sum()), "comparison")
        corrected = f"corrected by {self.correction.title()}" if self.correction else "not corrected"
        together = "hold together" if self.correction == "max-t" else "are each for itself"
        marked = "corrected p" if self.correction else "p"
        drawn = "" if self.interval == "t" else f" ({self.n_resamples:,} resamples)"
        notes = [
            f"{', '.join(self._metrics)}: means over {len(self.per_query)} queries with "
            f"{100 * self.confidence:g} % {INTERVALS[self.interval]} intervals{drawn}.",
            f"Differences are to {self.baseline}; their intervals {together}. p: {TESTS[self.test]}, "
            f"two-sided, {corrected} for {n_tests}; † where {marked} < {self._alpha}.",
        ]
        if "judged@k" in self.table:
            share = "the share of the first k documents that were judged"
            notes.append(f"judged@k: {share}, at the metric's k, else at 10.")
        for system, ids in self.counted_zero.items():
            lacking = counted(len(ids), "query, which counts", "queries, which count")
            notes.append(f"{system} lacks {lacking} 0.")
        words = self.conventions or "not known, since at least one system was given as plain scores"
        return [*notes, f"Conventions: {words}."]

    def to_markdown(self) -> str:
        """The table and its notes in Markdown, the best mean of each metric bold."""
        return markdown_table(*self._cells(), self.notes, self.table.index.nlevels)

    def to_latex(self) -> str:
        """The table in LaTeX for booktabs, the best mean of each metric bold, the notes as its caption."""
        return latex_table(*self._cells(), self.notes, self.table.index.nlevels)

    def __str__(self) -> str:
        return "\n".join([self._cells()[0].to_string(index=False), "", *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), self.notes)

    def _cells(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The table as texts, and which of them are the best means, as they are printed."""
        labels = self.table.index.to_frame(index=False)
        rows = [self._texts(row) for row in self.table.to_dict("records")]
        cells = pd.concat([labels, pd.DataFrame(rows)], axis=1)
        bold = pd.DataFrame(False, index=cells.index, columns=cells.columns)
        means = self.table["mean"].round(3).reset_index(drop=True)
        by_metric = means.groupby(labels["metric"] if "metric" in labels else [0] * len(means))
        bold["mean"] = means == by_metric.transform("max")
        return cells, bold

    def _texts(self, row: Mapping[str, float]) -> dict[str, str]:
        """One row of the table as it is printed; what compares the baseline with itself stays empty."""
        interval = f"{100 * self.confidence:g} % interval"
        texts = {"mean": f"{row['mean']:.3f}", interval: f"[{row['low']:.3f}, {row['high']:.3f}]"}
        mark = " †" if row.get("corrected p", row["p"]) < self._alpha else ""
        compared = {
            "difference": f"{row['difference']:+.3f}{mark}",
            f"its {interval}": f"[{row['diff low']:+.3f}, {row['diff high']:+.3f}]",
            "win / tie / loss": f"{row['win']} / {row['tie']} / {row['loss']}",
        }
        for name in ("p", "corrected p"):
            if name in row:
                compared[name] = "<0.0001" if row[name] < 0.0001 else f"{row[name]:.4f}"
        texts |= dict.fromkeys(compared, "") if pd.isna(row["p"]) else compared
        if "judged@k" in row:
            texts["judged@k"] = "" if pd.isna(row["judged@k"]) else f"{row['judged@k']:.3f}"
        return texts

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
    interval: str = "t",
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    missing: str = "error",
    rng: np.random.Generator | int = 0,
) -> Comparison:
    """Each system against the baseline on the same queries, all p-values corrected together.

    `reports` is `{system: Evaluation}`, the baseline its first where none is named; a value may also be what
    has an `evaluation`, `{query_id: score}`, a Series, or a frame with a row per query and a column per
    metric. `metric` is a name or a list of names; the correction is then over all systems and metrics. `test`
    is one of `TESTS`, `correction` of `CORRECTIONS`, `interval` of `INTERVALS`: "t", which keeps best what it
    promises of differences, or "percentile" or "bca" by the bootstrap. All systems see the same resamples. A
    query that one system lacks is an error, or counts 0 with `missing="zero"`.

    Beside Holm's p-values each interval is for itself. `correction="max-t"` takes p-values and the intervals
    of differences from the same sign flips (`stats.max_t`), which needs the randomisation test and the t
    interval: all of these intervals hold at once, in about 95 % of cases.

    Raises ValueError, with the names, for fewer than two systems or queries, an unknown baseline, a metric
    that was not measured, means in place of scores per query, a score that is no finite number, a row such as
    "all" that holds the mean of the others, and evaluations under different conventions or by
    different judgments, some of which are named; of plain scores neither can be seen. Warns of Series whose
    names are those of other metrics than the one asked for, or than each other's, and of a metric that counts
    deeper than the lists of one system go. Where p is drawn and not
    counted out, its last digits hang on the seed, and near 0.05 so does the mark: take more resamples.

    >>> a, b = {"q1": 0.2, "q2": 0.4, "q3": 0.6}, {"q1": 0.5, "q2": 0.4, "q3": 0.9}
    >>> table = compare({"A": a, "B": b}, "P@10").table
    >>> table.loc["B", ["difference", "p"]].tolist()  # two of the four flips of two signs are as far from 0
    [0.2, 0.5]
    """
    check_option("test", test, TESTS)
    check_option("correction", correction, CORRECTIONS)
    check_option("interval", interval, INTERVALS)
    if correction == "max-t" and (test, interval) != ("randomisation", "t"):
        needed = "needed test='randomisation' and interval='t', on whose flips and errors it rests"
        raise ValueError(f"correction is 'max-t', test {test!r}, interval {interval!r}; {needed}")
    metrics = [metric] if isinstance(metric, str) else list(metric) if isinstance(metric, Sequence) else []
    if isinstance(metric, str) and "," in metric:
        names = [name.strip() for name in metric.split(",")]
        raise ValueError(f"metric is {metric!r}, one text; for several give a list of names: {names}")
    if isinstance(metric, Evaluation):
        raise ValueError("metric is an Evaluation; give both in one dict, as {'BM25': one, 'mine': other}")
    if not metrics or len(set(metrics)) < len(metrics):
        raise ValueError(f"metric is {metric!r}; needed a name, or a list of names without repeats")
    systems, baseline = _systems(reports, baseline)
    conventions = _same_conventions(systems)
    scores, counted_zero = _side_by_side(systems, metrics, missing)
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer, np.random.Generator)):
        raise ValueError(f"rng is {rng!r:.60}; needed a numpy Generator, or a whole number as its seed")
    rng = check_rng(rng)
    table = _table(scores, baseline, interval, confidence, n_resamples, rng)
    table = _tested(table, scores, baseline, test, correction, confidence, n_resamples, rng)
    judged = np.array([_judged_share(systems[system], name) for name, system in table.index])
    if not np.isnan(judged).all():
        table["judged@k"] = judged
    asked = metric if isinstance(metric, str) else metrics
    how = (baseline, conventions, test, correction, interval, confidence, n_resamples, counted_zero)
    return Comparison(table.loc[asked], scores[asked], asked, *how)


# What may be compared


def _systems(reports: Mapping[str, Scores], baseline: str | None) -> tuple[dict[str, Scores], str]:
    """`{system: scores}`, with the evaluation of every report that has one, and the baseline's name."""
    if not isinstance(reports, Mapping) or isinstance(reports, Evaluation) or len(reports) < 2:
        is_one = isinstance(reports, Evaluation)
        count = counted(len(reports), "system") if isinstance(reports, Mapping) and not is_one else ""
        given = count or f"a {type(reports).__name__}"
        needed = "needed {system: Evaluation} with two systems or more"
        if isinstance(reports, pd.DataFrame):
            needed = f"{needed}; of a table with a row per query and a column per system give dict(table)"
        raise ValueError(f"reports is {given}; {needed}")
    check_ids(reports, "reports: system")
    if baseline is None:
        baseline = next(iter(reports))
    if not isinstance(baseline, str):
        known = " or ".join(map(repr, reports))
        raise ValueError(f"baseline is a {type(baseline).__name__}; give the name of a system: {known}")
    if baseline not in reports:
        near = difflib.get_close_matches(str(baseline), reports, n=1)
        guess = f"; did you mean {near[0]!r}?" if near else ""
        known = ", ".join(map(repr, reports))
        raise ValueError(f"baseline is {baseline!r}, which is none of the systems {known}{guess}")
    # A frame has its column "evaluation" as an attribute, and that is not what is asked for.
    plain = (Mapping, pd.Series, pd.DataFrame)
    systems = {
        name: report if isinstance(report, plain) else getattr(report, "evaluation", report)
        for name, report in reports.items()
    }
    return systems, baseline


def _same_conventions(systems: Mapping[str, Scores]) -> Conventions | None:
    """The conventions under which all systems were evaluated; None where one was given as plain scores.

    Raises ValueError where two evaluations differ in a convention or in their judgments: their scores do not
    mean the same.
    """
    evaluations = [(name, found) for name, found in systems.items() if isinstance(found, Evaluation)]
    for (first, one), (name, other) in pairwise(evaluations):
        both, theirs = f"{first!r} and {name!r}", vars(other.conventions)
        differing = [
            f"{choice} is {option!r} and {theirs[choice]!r}"
            for choice, option in vars(one.conventions).items()
            if option != theirs[choice]
        ]
        if differing:
            named = "; ".join([*differing, "evaluate both under one"])
            raise ValueError(f"{both} were evaluated under different conventions: {named}")
        _check_same_labels(first, one, name, other)
    return evaluations[0][1].conventions if len(evaluations) == len(systems) else None


def _check_same_labels(first: str, one: Evaluation, name: str, other: Evaluation) -> None:
    """Raises ValueError where two evaluations were made by different judgments, with some that differ."""
    if one.qrels == other.qrels:
        return
    both, cure = f"{first!r} and {name!r}", "evaluate both with the same qrels"
    here, elsewhere = (sorted(a.qrels.keys() - b.qrels.keys()) for a, b in ((one, other), (other, one)))
    if here or elsewhere:
        only = f"only {first!r} has {_examples(here)}, only {name!r} has {_examples(elsewhere)}"
        raise ValueError(f"{both} differ in their judged queries: {only}; {cure}")
    differing = [
        f"query {query_id!r}, document {doc_id!r}: {grades.get(doc_id)} and {others.get(doc_id)}"
        for query_id, grades in one.qrels.items()
        for others in [other.qrels[query_id]]
        for doc_id in sorted({doc_id for doc_id, _ in grades.items() ^ others.items()})
    ]
    found = f"{counted(len(differing), 'grade')}: {first_few(differing, most=3, between='; ')}"
    raise ValueError(f"{both} were judged by different labels, which differ in {found}; {cure}")


def _side_by_side(
    systems: Mapping[str, Scores], metrics: list[str], missing: str
) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """A row per query, a column per (metric, system), and for each system the queries that it lacks.

    Those are an error, or count 0. Queries are in the order of the first system, then those it lacks. Raises
    ValueError, with the system's name, for what cannot be paired.
    """
    check_option("missing", missing, ["error", "zero"])
    _warn_of_other_metrics(systems, metrics[0])
    _warn_of_depths(systems, metrics)
    frames = {name: _frame(f"system {name!r}", scores, metrics) for name, scores in systems.items()}
    first = next(iter(frames))
    for name, frame in frames.items():
        stats.check_alike(frames[first], frame, f"system {first!r}", f"system {name!r}")
    queries = list(dict.fromkeys(chain.from_iterable(frame.index for frame in frames.values())))
    lacking = {name: [q for q in queries if q not in frame.index] for name, frame in frames.items()}
    lacking = {name: query_ids for name, query_ids in lacking.items() if query_ids}
    if lacking and missing == "error":
        named = "; ".join(f"{name!r} lacks {_examples(query_ids)}" for name, query_ids in lacking.items())
        cure = "run all systems on the same queries, or count what is missing as 0 with missing='zero'"
        raise ValueError(f"{named}; {cure}")
    frames = {name: frame.reindex(queries, fill_value=0.0) for name, frame in frames.items()}
    _warn_of_percent(frames)
    scores = {(metric, name): frame[metric] for metric in metrics for name, frame in frames.items()}
    return pd.DataFrame(scores).rename_axis(index="query_id", columns=["metric", "system"]), lacking


def _warn_of_other_metrics(systems: Mapping[str, Scores], metric: str) -> None:
    """Warns where Series are named as metrics, and not all as the one that is asked for."""
    columns = {name: scores.name for name, scores in systems.items() if isinstance(scores, pd.Series)}
    named = {name: column for name, column in columns.items() if _is_metric(column)}
    asked = {metric} if named and _is_metric(metric) else set()
    if len({str(one).casefold() for one in {*named.values(), *asked}}) < 2:
        return
    held = first_few((f"{name!r} {column}" for name, column in named.items()), 3)
    cure = "give all the same metric, and its name after the systems"
    warn(f"the scores are named after metrics, {held}, and compared as {metric}; {cure}")


def _warn_of_depths(systems: Mapping[str, Scores], metrics: list[str]) -> None:
    """Warns where a metric counts deeper than the lists of one system go, and another's go deeper."""
    cuts = {name: one.cut_at or np.inf for name, one in systems.items() if isinstance(one, Evaluation)}
    if len(set(cuts.values())) < 2:
        return
    short = min(cuts, key=cuts.get)
    for metric in filter(_is_metric, metrics):
        measured, k = find_metric(metric)
        if (k or 0) > cuts[short] or (k is None and measured.name == "MAP"):
            said = f"the lists of {short!r} end at rank {cuts[short]}, those of others go deeper"
            cure = f"search all as deep, or compare @{cuts[short]}"
            warn(f"{said}, and {metric} counts what they find there; {cure}")
            return


def _is_metric(name: object) -> bool:
    try:
        return find_metric(name) is not None
    except ValueError:
        return False


def _warn_of_percent(frames: Mapping[str, pd.DataFrame]) -> None:
    """Warns where one system's scores go beyond 1 and another's do not: one of the two is in percent."""
    highest = {name: frame.to_numpy().max() for name, frame in frames.items()}
    above = [name for name, most in highest.items() if most > 1.5]
    if above and (below := [name for name in frames if name not in above]):
        said = f"the scores of {above[0]!r} go up to {highest[above[0]]:g}, those of {below[0]!r} to"
        warn(f"{said} {highest[below[0]]:g}: is one of the two in percent? Give both in one unit")


def _frame(system: str, scores: Scores, metrics: list[str]) -> pd.DataFrame:
    """The scores of one system, a row per query, a column per metric."""
    scores = scores.per_query if isinstance(scores, Evaluation) else scores
    if not isinstance(scores, pd.DataFrame):
        if type(scores).__name__ == "EvaluationReport":
            cure = "workbench.gate compares two of them, and `workbench compare a.json b.json`"
            raise ValueError(f"{system} is an EvaluationReport of the workbench; {cure}")
        if len(metrics) > 1:
            cure = "give an Evaluation or a frame"
            raise ValueError(f"{system}: plain scores are of one metric, asked for {metrics}; {cure}")
        _check_no_row_of_means(system, scores)
        values = scores.values() if isinstance(scores, Mapping) else ()
        nested = [one for one in values if isinstance(one, (dict, list, tuple))]
        if nested and all(isinstance(one, dict) and set(metrics) & set(one) for one in nested):
            # `{query_id: {metric: score}}`, as pytrec_eval gives it
            return _frame(system, pd.DataFrame.from_dict(scores, orient="index"), metrics)
        if nested:
            known = ", ".join(map(repr, list(nested[0])[:3])) if isinstance(nested[0], dict) else "lists"
            cure = "of a run give evaluate_retrieval(run, qrels)"
            other = f"of scores name a metric that they have, not {', '.join(metrics)}"
            raise ValueError(f"{system} is a run, not scores: a query holds {known}; {cure}; {other}")
        return stats.as_series(scores, system).to_frame(metrics[0])
    scores = stats.by_query(scores, system)
    for metric in metrics:
        if metric not in scores:
            near = next((one for one in scores if str(one).lower() == str(metric).lower()), None)
            cure = f"did you mean {near!r}?" if near else f"evaluate it with metrics=[{metric!r}, …]"
            if metric in scores.index:
                raise ValueError(f"{system} has a row {metric!r}, and a column for each query; give table.T")
            named = next((one for one in ("measure", "metric") if {one, "value"} <= set(scores)), None)
            if named:
                long = f"has a row for each {named} of each query"
                cure = f"table.pivot(index='query_id', columns={named!r}, values='value')"
                raise ValueError(f"{system} {long}; give {cure}, its columns named as here, 'nDCG@10'")
            only = first_few(scores, 20)
            raise ValueError(f"{system} was not measured in {metric!r}, only in {only}; {cure}")
    return pd.DataFrame({metric: stats.as_series(scores[metric], system) for metric in metrics})


def _check_no_row_of_means(system: str, scores: Scores) -> None:
    """Raises ValueError for means over queries, with which nothing can be paired: plain, or in a row."""
    if not isinstance(scores, Mapping) or not scores:
        return
    row = scores.get("metrics")
    is_row = isinstance(row, Mapping) and (len(scores) == 1 or not all(map(_is_mapping, scores.values())))
    means = row if is_row else scores
    known = {name.casefold() for metric in METRICS.values() for name in (metric.name, *metric.aliases)}
    if is_row or {str(name).partition("@")[0].casefold() for name in means} <= known:
        if not is_row and all(map(_is_mapping, scores.values())):
            held = next(iter(scores))
            found = f"{system} holds the queries below their metric ({first_few(scores, 3)})"
            raise ValueError(f"{found}; give those of one, such as scores[{held!r}]")
        found = f"{system} holds the means of metrics ({first_few(means, 3)}), and no query"
        raise ValueError(f"{found}; give the Evaluation, or its .per_query")


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def _of_differences(test: Callable, differences: pd.DataFrame, *settings: object) -> pd.DataFrame:
    """The test, without its question whether these are scores: here they are differences."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no difference is below 0|the table has")
        return test(differences, *settings)


def _examples(query_ids: Collection[str]) -> str:
    return f"{len(query_ids)} ({first_few(map(repr, query_ids), most=3)})" if query_ids else "none"


# What is computed


def _table(
    scores: pd.DataFrame,
    baseline: str,
    interval: str,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Means and differences with their intervals, each for itself; wins, ties and losses."""
    differences = _differences(scores, baseline)
    both = pd.concat([scores, differences], axis=1, keys=["own", "other"])
    if interval == "t":
        found = stats.t_intervals(both, confidence)
    else:
        # One set of resamples for all: means and differences of all systems move together.
        found = stats.bootstrap_intervals(both, confidence, n_resamples, interval, rng)
    compared = ["difference", "diff low", "diff high"]
    table = found.loc["own"].join(found.loc["other"].round(stats.DECIMALS).set_axis(compared, axis=1))
    for name, sign in (("win", 1), ("tie", 0), ("loss", -1)):
        table[name] = (np.sign(differences) == sign).sum().astype("Int64")
    # The baseline beside itself says nothing, and is no test among those that are corrected.
    itself = table.index.get_level_values("system") == baseline
    for name in (*compared, "win", "tie", "loss"):
        table[name] = table[name].mask(itself)
    return table


def _tested(
    table: pd.DataFrame,
    scores: pd.DataFrame,
    baseline: str,
    test: str,
    correction: str | None,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """The table with p-values, corrected ones, and with max-T the intervals that hold together."""
    others = _differences(scores, baseline).loc[:, table["difference"].notna()]
    # The flips of the joint test are those of the single ones, so that none of its p-values is below theirs.
    same_flips = deepcopy(rng)
    if test == "randomisation":
        table["p"] = _of_differences(stats.randomisation_tests, others, n_resamples, rng)["p_value"]
    else:
        significance = {"t": stats.paired_significance, "wilcoxon": stats.wilcoxon}[test]
        p = {cell: significance(scores[cell[0], baseline], scores[cell])["p_value"] for cell in others}
        table["p"] = pd.Series(p)
    if correction == "max-t":
        joint = _of_differences(stats.max_t, others, confidence, n_resamples, same_flips)
        joint = joint.reindex(table.index)
        table["diff low"], table["diff high"] = joint["low"], joint["high"]
        table["corrected p"] = joint["p_value"]
    elif correction:
        table["corrected p"] = pd.Series(CORRECTIONS[correction](table["p"].dropna()))
    return table


def _differences(scores: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """The difference to the baseline, query by query, without the rounding errors of a subtraction."""
    return scores.apply(lambda column: column - scores[column.name[0], baseline]).round(stats.DECIMALS)


def _judged_share(scores: Scores, metric: str) -> float:
    name = f"Judged@{metric.partition('@')[2] or 10}"
    return scores.get(name, np.nan) if isinstance(scores, Evaluation) else np.nan
