"""Figures by segment: a mean over all queries hides that a search is better for some and worse for others."""

from collections.abc import Collection, Mapping

import pandas as pd

from helpers.base import counted, first_few, folded
from helpers.stats import non_inferiority, paired
from workbench.labelling import Question, alike_segments
from workbench.reports import EvaluationReport, over_queries_of, over_searches

FEW, MOST = 5, 20
"""Fewer queries than this have no interval, and of more segments than that no table is made."""
NONE = "none"
HOW_TO_READ = (
    "How to read it: the intervals hold for all rows together, at 95 %, where the segments were named before "
    "anything was measured, and not for a segment that is picked out afterwards. A small segment cannot "
    "tell."
)


def by_segment(
    scores: pd.DataFrame, segments: Mapping[str, str], drawn: Mapping[str, int] | None = None
) -> pd.DataFrame:
    """The mean of each system in each segment, and its difference to the first system, with an interval.

    `scores` has a row for each query, index query_id, and a column for each system; `segments` is
    `{query_id: segment}`, and a query that it lacks is in "none". The table has a row for each system in each
    segment, that with most queries first: `segment`, `system`, `queries`, `mean`, `difference`, `low`,
    `high`; the last three are nan in the rows of the first system.

    The intervals are paired t intervals as those of the gate (`helpers.stats.non_inferiority`), and hold
    together at 95 %: the level of each is divided by their number (Bonferroni), segments of five queries or
    more times systems but the first. Where so few queries are there that flipping the signs of their
    differences could not reach that level either, low and high are nan too.

    Of a sample of a log `drawn` says how often each query was drawn: means and differences then count it so
    often, and one that was not drawn not at all. `queries` stays the number of different ones.

    Raises ValueError for a score that is not a finite number, a query that has two rows, and segments of none
    of the queries.

    >>> old = pd.Series([0.2, 0.4, 0.3, 0.2, 0.4, 0.3, 0.2, 0.4], index=[f"q{n}" for n in range(8)])
    >>> scores = pd.DataFrame({"old": old, "new": old + [0.5, 0.4, 0.4, 0.5, 0.5, 0.4, 0.3, 0.4]})
    >>> found = by_segment(scores, dict.fromkeys(scores.index[:7], "how-to"))
    >>> print(found[found["system"] == "new"].round(3).to_string(index=False))
    segment system  queries  mean  difference   low  high
     how-to    new        7 0.714       0.429 0.359 0.498
       none    new        1 0.800       0.400   NaN   NaN
    """
    if twice := scores.index[scores.index.duplicated()].tolist():
        raise ValueError(f"query {twice[0]!r} stands twice in scores; needed one row for each query")
    if segments and not set(segments) & set(scores.index):
        named, measured = (first_few(map(repr, ids), 3) for ids in (segments, scores.index))
        both = f"it has {named}, and scores has {measured}"
        raise ValueError(f"segments is of other queries than scores: {both}; needed {{query_id: segment}}")
    if drawn:
        scores = scores[[drawn.get(query_id, 0) > 0 for query_id in scores.index]]
    first, *others = scores
    of = pd.Series({query_id: segments.get(query_id, NONE) for query_id in scores.index})
    sizes = of.groupby(of, sort=False).size().sort_values(ascending=False, kind="stable")
    alpha = 0.05 / 2 / max(1, len(others) * (sizes >= FEW).sum())
    rows = []
    for segment, n in sizes.items():
        own = scores[of == segment]
        if drawn:
            own = own.loc[[query_id for query_id in own.index for _ in range(drawn[query_id])]]
        for name in scores:
            against = _against(own[first], own[name], alpha, n) if name != first else {}
            rows.append(
                {"segment": segment, "system": name, "queries": n, "mean": own[name].mean()} | against
            )
    return pd.DataFrame(rows, columns=["segment", "system", "queries", "mean", "difference", "low", "high"])


def _against(first: pd.Series, other: pd.Series, alpha: float, n: int) -> dict[str, float]:
    """The mean difference and, where n different queries allow one, its interval, each end one-sided at
    alpha."""
    found = non_inferiority(paired(first.tolist(), other.tolist())["difference"], 0.0, alpha)
    can_tell = n >= FEW and 0.5**n < alpha
    return {name: found[name] for name in ("difference", *(("low", "high") if can_tell else ()))}


def segments_of(
    questions: Mapping[str, Question], measured: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """`{query_id: segment}` of the queries that were measured, and what is to be said of them.

    Where none has a segment their kinds are taken. Empty where these are fewer than two, and where there are
    too many for a table, or each has one query.

    >>> named = {"q1": "a", "q2": "a", "q3": None}
    >>> asked = {q: Question(query_id=q, query="?", segment=one) for q, one in named.items()}
    >>> segments_of(asked, ["q1", "q2", "q3"])
    ({'q1': 'a', 'q2': 'a', 'q3': 'none'}, [])
    """
    here = {query_id: questions[query_id] for query_id in measured if query_id in questions}
    named = {query_id: one.segment for query_id, one in here.items() if one.segment}
    segments = {query_id: named.get(query_id, NONE) for query_id in here}
    said = alike_segments(named.values())
    if not named:
        segments = {query_id: one.kind for query_id, one in here.items()}
        said = ["no query has a segment, so these are the kinds of query"]
    different = set((named or segments).values())
    if len(set(segments.values())) < 2 or (not named and len(different) == len(segments)):
        return {}, said if named else []
    if len(different) == len(named):
        return {}, [
            f"no table: each of the {len(named)} segments has one query, which shows nothing of others"
        ]
    if len(different) > MOST:
        why = f"more than {MOST} would each be too few queries, with intervals too wide, to tell anything"
        cure = "name fewer and larger ones in queries.jsonl"
        who = (
            f"{counted(len(named), 'query')} in {len(different)} segments ({first_few(sorted(different), 3)})"
        )
        return {}, [*said, f"no table: {who}; {why}; {cure}"]
    return segments, said


def in_words(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The table of `by_segment` as text, to be shown; of one system alone, without differences.

    >>> scores = pd.DataFrame({"old": [0.5, 0.0], "new": [1.0, 0.0]}, index=["q1", "q2"])
    >>> in_words(by_segment(scores, {"q1": "a", "q2": "a"}), "MRR").iloc[1].tolist()
    ['a', 'new', '2', '0.500', '+0.250', 'too few']
    """
    shown = {"queries": table["queries"].map("{:,}".format), metric: table["mean"].map("{:.3f}".format)}
    if table["system"].nunique() > 1:
        shown["difference"] = table["difference"].map(lambda one: "" if pd.isna(one) else f"{one:+.3f}")
        shown["95 % interval"] = table.apply(_span, axis=1)
    return table[["segment", "system"]].assign(**shown)


def _span(row: pd.Series) -> str:
    if pd.isna(row["difference"]):
        return ""
    return "too few" if pd.isna(row["low"]) else f"[{row['low']:+.3f}, {row['high']:+.3f}]"


def opposite(table: pd.DataFrame, system: str) -> str:
    """In which segments a system is better than the first, and in which worse, as `moved` says it; "" where
    these are not both."""
    own = table[table["system"] == system]
    return moved(table, system) if (own["low"] > 0).any() and (own["high"] < 0).any() else ""


def moved(table: pd.DataFrame, system: str) -> str:
    """In which segments a system is better than the first, or worse, by intervals that exclude 0.

    >>> fields = ["segment", "system", "queries", "mean", "difference", "low", "high"]
    >>> rows = [("how-to", "new", 22, 0.8, 0.38, 0.3, 0.5), ("codes", "new", 22, 0.1, -0.54, -0.7, -0.4)]
    >>> moved(pd.DataFrame(rows, columns=fields), "new")
    'better on how-to, by 0.380; worse on codes, by 0.540'
    """
    own = table[table["system"] == system]
    sides = {"better": own[own["low"] > 0], "worse": own[own["high"] < 0]}
    return "; ".join(f"{side} on {_by_how_much(rows)}" for side, rows in sides.items() if len(rows))


def segment_note(
    questions: Mapping[str, Question],
    baseline: EvaluationReport,
    candidate: EvaluationReport,
    metric: str = "nDCG@10",
) -> str:
    """In which segments a candidate is better or worse than a baseline, for the answer of a gate; "" where
    there are no segments, or they cannot tell."""
    candidate = over_queries_of(baseline, candidate)
    sides = {"baseline": baseline, "candidate": candidate}
    scores = {
        name: {q: one.metrics.get(metric) for q, one in report.per_query.items() if one.kind == "gold"}
        for name, report in sides.items()
    }
    table = pd.DataFrame(scores)
    here = {q: one for q, one in questions.items() if q in candidate.per_query}
    same = all(folded(one.query) == folded(candidate.per_query[q].query_text) for q, one in here.items())
    segments, _ = segments_of(here, list(table.index)) if same else ({}, [])
    if not segments or table.isna().to_numpy().any():
        return ""
    drawn = candidate.drawn if over_searches(candidate) else None
    found = moved(by_segment(table, segments, drawn), "candidate")
    what = "segment" if any(one.segment for one in here.values()) else "kind of query"
    return f"{metric} by {what} (95 % intervals that hold together): {found}" if found else ""


def _by_how_much(rows: pd.DataFrame) -> str:
    pairs = zip(rows["segment"], rows["difference"], strict=True)
    return first_few(f"{segment}, by {abs(difference):.3f}" for segment, difference in pairs)
