"""What users leave behind: one event of the log, and what clicks say once position is taken out.

A click log is a table with a row per document shown: `impression` (one result page), `query_id`, `rank`,
`doc_id`, `clicked`. Nothing here knows what is truly relevant.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype

from helpers.base import Relevant, as_grades, as_ranking, first_few, warn

EVENT_KEYS = {"query", "retrieved_docs", "user_feedback", "relevant", "latency_ms", "timestamp"}
_MANY_CLICKS = 20
LOG_COLUMNS = ("impression", "query_id", "rank", "doc_id", "clicked")


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """One query, what was shown for it and what came back.

    `feedback` holds the documents that the user clicked or rated well. None: nobody said anything. An empty
    set: somebody looked and found nothing. `relevant` holds what somebody who did not see this ranking
    labelled relevant, or is None. `timestamp` counts seconds since 1970.
    """

    query: str
    retrieved: tuple[str, ...]
    feedback: frozenset[str] | None
    relevant: frozenset[str] | None
    latency_ms: float | None
    timestamp: float


def feedback_event(
    query: str,
    retrieved_docs: Sequence[str],
    user_feedback: Relevant | None,
    relevant: Relevant | None = None,
    latency_ms: float | None = None,
    timestamp: float | None = None,
) -> FeedbackEvent:
    """The event of these arguments, checked. Grades count from 1 up; without a timestamp it is now.

    Raises ValueError for a ranking that is none, feedback on what was not shown, and a latency or time that
    is no number.

    >>> feedback_event("restart search", ["d1", "d2"], {"d1": 0, "d2": 1}, timestamp=0.0).feedback
    frozenset({'d2'})
    """
    if not isinstance(query, str):
        raise ValueError(f"query is a {type(query).__name__}; give its text")
    retrieved = tuple(as_ranking(retrieved_docs))
    feedback = None if user_feedback is None else as_grades(user_feedback, "user_feedback")
    elsewhere = [doc_id for doc_id in feedback or () if doc_id not in retrieved]
    if elsewhere:
        raise ValueError(
            f"query {query!r}: feedback on {elsewhere[0]!r}, which was not shown; clicks can only fall on "
            f"the {len(retrieved)} documents shown. What is known from elsewhere belongs into relevant="
        )
    return FeedbackEvent(
        query,
        retrieved,
        None if feedback is None else _positive(feedback),
        None if relevant is None else _positive(as_grades(relevant)),
        None if latency_ms is None else _number("latency_ms", latency_ms, query),
        _seconds(time.time() if timestamp is None else timestamp, query),
    )


def event_to_json(event: FeedbackEvent) -> dict:
    """The event as the arguments of `feedback_event`, in types that JSON has; sets become sorted lists.

    >>> event = feedback_event("restart search", ["d2", "d1"], {"d2", "d1"}, timestamp=0.0)
    >>> event_to_json(event)["user_feedback"], event_from_json(event_to_json(event), "event 1") == event
    (['d1', 'd2'], True)
    """
    return {
        "query": event.query,
        "retrieved_docs": list(event.retrieved),
        "user_feedback": None if event.feedback is None else sorted(event.feedback),
        "relevant": None if event.relevant is None else sorted(event.relevant),
        "latency_ms": event.latency_ms,
        "timestamp": event.timestamp,
    }


def event_from_json(found: object, where: str) -> FeedbackEvent:
    """The event that `event_to_json` gave. Raises ValueError that begins with `where` for what is none."""
    if not isinstance(found, dict) or found.keys() != EVENT_KEYS:
        keys = ", ".join(sorted(EVENT_KEYS))
        raise ValueError(f"{where}: {found!r:.60} is no event; needed the keys {keys}")
    if found["timestamp"] is None:
        raise ValueError(f"{where}: timestamp is missing")
    try:
        return feedback_event(**found)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def clicks_by_rank(
    log: pd.DataFrame, examined: Sequence[float] | Mapping[int, float] | None = None
) -> pd.DataFrame:
    """How often each rank was shown and clicked: index `rank`; `shown`, `clicks`, `click rate`.

    `examined[i]` is the chance that a user looks at rank i + 1 at all; a Series, or a dict, is looked up by
    rank, where its index is not just counted from 0. Where it is given, `corrected rate` is
    the click rate divided by it: the rate among those who looked. Where pages were shuffled every rank holds
    the same documents on average, so there the click rate over that of rank 1 is `examined`.

    Raises ValueError for a log without the columns; for a row without an id, a rank that is no whole number
    from 1 up, a click not True or False, 1 or 0; for an impression with a rank or a document twice; and an
    `examined` that lacks a rank of the log, has one twice, or holds a chance not in (0, 1]. Warns of a log,
    of twenty rows or with several of one impression, in which all are clicked and ranks above are missing,
    and of chances that rise with the rank.

    Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, 2017, sections
    4 and 5.

    >>> log = pd.DataFrame({"impression": [0, 0, 1, 1], "query_id": "q1", "rank": [1, 2, 1, 2],
    ...                     "doc_id": ["d1", "d2"] * 2, "clicked": [True, False, True, True]})
    >>> clicks_by_rank(log, examined=[1, 0.5])["corrected rate"].tolist()
    [1.0, 1.0]
    """
    return _rates(log, examined, ["rank"])


def clicks_by_document(
    log: pd.DataFrame, examined: Sequence[float] | Mapping[int, float] | None = None
) -> pd.DataFrame:
    """The same for each document of each query (index `query_id, doc_id`).

    Each click counts 1 / (the chance that its rank is looked at): inverse propensity weighting. The mean of
    that over all times a document was shown estimates how often it is clicked when seen, wherever it stood.
    Unbiased where `examined` is right and looking depends on the rank alone; not where people stop at their
    first click, since then it depends on what is above. Noisy for low ranks: a click where one in ten looks
    counts ten.

    Raises ValueError as `clicks_by_rank`, which has the source.

    >>> log = pd.DataFrame({"impression": [0, 0, 1, 1], "query_id": "q1", "rank": [1, 2, 1, 2],
    ...                     "doc_id": ["d1", "d2"] * 2, "clicked": [True, False, False, True]})
    >>> clicks_by_document(log, examined=[1, 0.5])["corrected rate"].to_dict()
    {('q1', 'd1'): 0.5, ('q1', 'd2'): 1.0}
    """
    return _rates(log, examined, ["query_id", "doc_id"])


def _rates(
    log: pd.DataFrame, examined: Sequence[float] | Mapping[int, float] | None, by: list[str]
) -> pd.DataFrame:
    log = _checked_log(log)
    clicked = log["clicked"].to_numpy(dtype=float)
    _warn_of_clicks_alone(log, clicked)
    # A click was made by somebody who looked; at a rank that one in n looks at it counts for n.
    weights = 1.0 if examined is None else 1 / _examined(log, examined)
    sums = log[by].assign(shown=1, clicks=clicked, weighted=clicked * weights).groupby(by, sort=True).sum()
    table = sums[["shown"]].assign(clicks=sums["clicks"].astype(int))
    table["click rate"] = sums["clicks"] / sums["shown"]
    if examined is not None:
        table["corrected rate"] = sums["weighted"] / sums["shown"]
    return table


def _warn_of_clicks_alone(log: pd.DataFrame, clicked: np.ndarray) -> None:
    """Warns of a log that has lost what was shown and not clicked: all rows are clicked, and above some of
    them a rank is missing. (In a small log of one document an impression that may be by chance.)"""
    if not len(log) or not clicked.all():
        return
    pages = log.groupby(["impression", "query_id"])["rank"].agg(["max", "size"])
    many = len(log) >= _MANY_CLICKS or pages["size"].max() > 1
    if many and (pages["max"] > pages["size"]).any():
        said = "every row of the click log is clicked, and ranks above are missing, so each click rate is 1"
        warn(f"{said}; give all that was shown, with clicked False where nobody clicked")


def _examined(log: pd.DataFrame, examined: Sequence[float] | Mapping[int, float]) -> np.ndarray:
    """The chance of having been looked at, for each row of the log."""
    ranks = log["rank"].to_numpy(dtype=int)
    examined = pd.Series(examined) if isinstance(examined, Mapping) else examined
    if isinstance(examined, pd.Series) and not examined.index.equals(pd.RangeIndex(len(examined))):
        examined = _by_rank(examined, ranks)
    chances = np.asarray(examined, dtype=float)
    if chances.ndim != 1:
        raise ValueError(f"examined has {chances.ndim} dimensions; needed a list of chances, one a rank")
    if len(log) and ranks.max() > len(chances):
        shown = f"the log shows rank {ranks.max()}"
        raise ValueError(f"examined has {len(chances)} entries and {shown}; needed one for each rank")
    if not ((chances > 0) & (chances <= 1)).all():
        nobody = "a rank that nobody looks at says nothing about its document"
        raise ValueError(f"examined holds a chance outside (0, 1]; {nobody}")
    asked = chances[: max(ranks, default=0)]
    if len(asked) > 1 and (np.diff(asked) >= 0).all() and asked[-1] >= 1.5 * asked[0]:
        said = f"examined rises from {asked[0]:g} at rank 1 to {asked[-1]:g} at rank {len(asked)}"
        warn(f"{said}; is it turned round? The first number is of rank 1, which most people look at")
    return chances[ranks - 1]


def _by_rank(examined: pd.Series, ranks: np.ndarray) -> np.ndarray:
    """The chances from rank 1 to the last of the log. Raises ValueError where one of them is lacking."""
    index = pd.to_numeric(examined.index.to_series(), errors="coerce")
    found = pd.Series(examined.to_numpy(), index=index.to_numpy())
    for rank in range(1, max(ranks, default=0) + 1):
        times = int((found.index == rank).sum())
        if times > 1 or (not times and rank in ranks):
            has = "no chance" if not times else f"{times} chances"
            given = f"its index is {first_few(map(repr, examined.index), 3)}"
            raise ValueError(f"examined has {has} for rank {rank}; {given}; needed one for each rank")
    return found.reindex(range(1, max(ranks, default=0) + 1), fill_value=1.0).to_numpy()


def _checked_log(log: pd.DataFrame) -> pd.DataFrame:
    """The log with ranks as whole numbers, so that 10 is not grouped before 2.

    A missing id would drop its row, rank 0 be weighed as the last, an unknown click count as none.
    """
    if not isinstance(log, pd.DataFrame):
        raise ValueError(f"the click log is a {type(log).__name__}; needed a table: pd.DataFrame(log)")
    lacking = [column for column in LOG_COLUMNS if column not in log]
    if lacking:
        raise ValueError(f"the click log has no column {lacking[0]!r}; needed {', '.join(LOG_COLUMNS)}")
    ranks, clicked = (pd.to_numeric(log[column], errors="coerce") for column in ("rank", "clicked"))
    right = {
        "impression": (_are_ids(log["impression"]), "an id"),
        "query_id": (_are_ids(log["query_id"]), "an id"),
        "doc_id": (_are_ids(log["doc_id"]), "an id"),
        "rank": ((ranks >= 1) & (ranks % 1 == 0), "a whole number from 1 up"),
        "clicked": (clicked.isin((0, 1)), "True or False, 1 or 0"),
    }
    for column, (fine, needed) in right.items():
        fine = fine.fillna(False).to_numpy(dtype=bool)  # what is missing may be neither True nor False
        if not fine.all():
            row = int(np.argmin(fine))
            given = f"row {row} (counted from 0): {column} is {log[column].tolist()[row]!r}"
            raise ValueError(f"the click log, {given}; needed {needed}")
    if not is_integer_dtype(log["rank"]):
        log = log.assign(rank=ranks.astype(int))
    for column in ("rank", "doc_id"):
        again = log.duplicated(["impression", "query_id", column])
        if again.any():
            row = int(np.argmax(again.to_numpy()))
            impression, value = (log[name].tolist()[row] for name in ("impression", column))
            twice = f"impression {impression!r} has {column} {value!r} twice"
            cure = "is a part of the log in it twice? drop_duplicates() takes equal rows out"
            raise ValueError(f"the click log, row {row} (counted from 0): {twice}; {cure}")
    return log


def _are_ids(column: pd.Series) -> pd.Series:
    return column.notna() & (column.astype(str).str.strip() != "")


def _positive(grades: Mapping[str, int]) -> frozenset[str]:
    return frozenset(doc_id for doc_id, grade in grades.items() if grade > 0)


def _seconds(timestamp: float, query: str) -> float:
    seconds = _number("timestamp", timestamp, query)
    if seconds > 1e11:  # the year 5138
        warn("a timestamp is far in the future; if it counts milliseconds, divide it by 1000")
    return seconds


def _number(name: str, value: float, query: str) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value) or value < 0:
        since = "of seconds since 1970, as time.time() gives it" if name == "timestamp" else "from 0 up"
        raise ValueError(f"query {query!r}: {name} is {value!r}; needed a number {since}")
    return float(value)
