"""`AccuracyMonitor`: how good the last n queries were, as far as users and independent labels can tell.

One event and its checks are in `feedback`; what clicks say once position is taken out as well. Comparing two systems on live
traffic is in `ab_test`.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from helpers.base import Relevant, check_k, check_option, replaced
from helpers.metrics import precision_at_k, recall_at_k, reciprocal_rank
from helpers.monitoring.feedback import FeedbackEvent, event_from_json, event_to_json, feedback_event
from helpers.monitoring.two_groups import compare_groups

FORMAT = "accuracy monitor, version 1"
NO_FEEDBACK = "no query of the window has feedback"
NO_LABELS = (
    "no query of the window has independent labels (relevant=). Feedback cannot replace them: users click only what they are "
    "shown, so recall against clicks is 1.0 by construction"
)
REASONS = {
    "avg_precision": NO_FEEDBACK,
    "avg_reciprocal_rank": NO_FEEDBACK,
    "avg_recall": NO_LABELS,
    "labelled_precision": NO_LABELS,
    "latency_ms": "no query of the window has a latency",
}
"""Why a figure is None."""


class AccuracyMonitor:
    """Keeps the last `window_size` queries and what users said about their results.

    Precision of a query is the share of the documents shown that users clicked or rated well; with `k` it is P@k, divided by k
    (trec_eval's rule). Whatever was logged before the window is forgotten: memory does not grow beyond it. All numbers are
    computed from the window when they are asked for, so none drifts away by rounding.

    Any number of threads may log, read and save at the same time: each call sees whole events. Processes do not share a monitor;
    give each its own.

    The published class differs in three ways: it skipped queries whose feedback was empty, so that a query on which nothing
    helped could not lower the mean; it gave recall against the same clicks, which is always 1; it forgot all at a restart.

    >>> monitor = AccuracyMonitor(window_size=1000)
    >>> monitor.log_query_result("How to implement RAG?", ["doc1", "doc2", "doc3"], user_feedback={"doc1", "doc3"})
    >>> round(monitor.calculate_online_metrics()["avg_precision"], 3)
    0.667
    """

    def __init__(self, window_size: int = 1000, k: int | None = None):
        try:
            self.window_size = check_k(window_size)
        except ValueError:
            raise ValueError(
                f"window_size is {window_size!r}; needed a number of queries, from 1 up"
            ) from None
        self.k = None if k is None else check_k(k)
        self.num_logged = 0
        self._events: deque[FeedbackEvent] = deque(maxlen=window_size)
        self._lock = threading.Lock()

    @property
    def recent_queries(self) -> list[FeedbackEvent]:
        """The events of the window, oldest first: a copy."""
        with self._lock:
            return list(self._events)

    def log_query_result(
        self,
        query: str,
        retrieved_docs: Sequence[str],
        user_feedback: Relevant | None,
        latency_ms: float | None = None,
        relevant: Relevant | None = None,
        timestamp: float | None = None,
    ) -> None:
        """Adds one query to the window; the oldest leaves it when it is full.

        `retrieved_docs` are the doc_ids shown, best first. `user_feedback` is what users clicked, or `{doc_id: grade}`; None says
        that there was none, an empty set that somebody looked and found nothing: the first is skipped and counted, the second
        is a precision of 0. Which of them a page without a click is, only the caller knows. `relevant` are labels by somebody
        who did not see this ranking. `timestamp` is for logs that are replayed. Raises ValueError as `feedback.feedback_event`.
        """
        event = feedback_event(query, retrieved_docs, user_feedback, relevant, latency_ms, timestamp)
        with self._lock:
            self._events.append(event)
            self.num_logged += 1

    def calculate_online_metrics(self) -> dict:
        """The figures of the window; {} while nothing has been logged.

        `avg_precision` and `avg_reciprocal_rank` (of the first click; 0 without one) over the queries with feedback; `avg_recall`
        and `labelled_precision` over those with at least one independently labelled relevant document; `num_queries`,
        `num_queries_with_feedback`, `num_queries_without_feedback`, `num_queries_labelled`, `feedback_coverage` (the share with
        feedback); `latency_ms`: {"p50", "p95", "p99", "n"}, linear between neighbours. What cannot be known is None, and
        `reasons` says why, `{key: sentence}`.
        """
        events = self.recent_queries
        if not events:
            return {}
        found = {
            "avg_precision": _mean(self._values("precision", events)),
            "avg_reciprocal_rank": _mean(self._values("reciprocal_rank", events)),
            "avg_recall": _mean(self._values("recall", events)),
            "labelled_precision": _mean(self._values("labelled_precision", events)),
            **_counts(events),
            "latency_ms": _percentiles(self._values("latency_ms", events)),
        }
        return found | {"reasons": {key: reason for key, reason in REASONS.items() if found[key] is None}}

    def drift(
        self, metric: str = "precision", reference: "AccuracyMonitor | None" = None, alpha: float = 0.01
    ) -> dict:
        """Whether the newer half of the window differs from the older one, or the whole window from that of `reference`.

        `metric` is "precision", "reciprocal_rank", "recall", "labelled_precision" or "latency_ms"; queries without it are left
        out.
        Keys: `metric, older_mean, newer_mean, difference` (newer - older), `n_older, n_newer, p_value` (Welch), `drifted`,
        `statement`. With fewer than 8 values on a side there is no verdict: the p-value is None and nothing has drifted; where no
        value varies see `two_groups`. The test takes queries as independent, and who asks it every hour will be alarmed by
        chance: see `stats.sequential`. A reference window that was saved in a good week also sees a decline that is slower
        than the window. Raises ValueError for another metric, and a reference that is no monitor.
        """
        if not isinstance(reference, AccuracyMonitor | None):
            raise ValueError(
                f"reference is a {type(reference).__name__}; give a monitor, such as AccuracyMonitor.load(path)"
            )
        older, newer = (
            (reference.recent_queries, self.recent_queries) if reference else _halves(self.recent_queries)
        )
        values = [self._values(metric, events) for events in (older, newer)]
        found, (n_older, n_newer) = compare_groups(*values, alpha), map(len, values)
        return {
            "metric": metric,
            "older_mean": found["mean_a"],
            "newer_mean": found["mean_b"],
            "difference": found["difference"],
            "n_older": n_older,
            "n_newer": n_newer,
            "p_value": found["p_value"],
            "drifted": found["differs"],
            "statement": _statement(metric, found, n_older, n_newer),
        }

    def save(self, path: str | Path) -> None:
        """Writes the window as JSON, beside `path` and then in its place: never half a file."""
        with self._lock:
            events, num_logged = list(self._events), self.num_logged
        state = {"format": FORMAT, "window_size": self.window_size, "k": self.k, "num_logged": num_logged}
        with replaced(path) as beside:
            beside.write_text(
                json.dumps(state | {"events": [event_to_json(event) for event in events]}), encoding="utf-8"
            )

    @classmethod
    def load(cls, path: str | Path) -> "AccuracyMonitor":
        """The monitor that was saved, with the same window, events and figures.

        Raises ValueError, with the place, for a file that no `save` has written or that was changed into something impossible.
        """
        try:
            state = json.loads(Path(path).read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValueError(
                f"{path} is no JSON ({error}); needed a file written by AccuracyMonitor.save"
            ) from None
        if not isinstance(state, dict) or state.get("format") != FORMAT:
            raise ValueError(f"{path} does not hold the state of a monitor; needed the format {FORMAT!r}")
        try:
            monitor = cls(state["window_size"], state["k"])
            events, monitor.num_logged = _checked(state, monitor.window_size)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path} is broken: {error!r}; restore it from a copy or start a new monitor"
            ) from None
        for number, event in enumerate(events, start=1):
            monitor._events.append(event_from_json(event, f"{path}, event {number} of {len(events)}"))
        return monitor

    def _values(self, metric: str, events: list[FeedbackEvent]) -> list[float]:
        """The metric of every event that has it, in order."""
        values: dict[str, Callable[[FeedbackEvent], float | None]] = {
            "precision": lambda event: _precision(event.retrieved, event.feedback, self.k),
            "reciprocal_rank": _reciprocal_rank,
            "recall": lambda event: _recall(event, self.k),
            "labelled_precision": lambda event: _precision(event.retrieved, event.relevant or None, self.k),
            "latency_ms": lambda event: event.latency_ms,
        }
        check_option("metric", metric, values)
        return [value for value in map(values[metric], events) if value is not None]


def _precision(retrieved: Sequence[str], relevant: frozenset[str] | None, k: int | None) -> float | None:
    if relevant is None:
        return None
    return precision_at_k(retrieved, relevant, k or max(len(retrieved), 1))


def _recall(event: FeedbackEvent, k: int | None) -> float | None:
    """Of a query whose labels name nothing there is no recall to speak of."""
    return (
        recall_at_k(event.retrieved, event.relevant, k or max(len(event.retrieved), 1))
        if event.relevant
        else None
    )


def _reciprocal_rank(event: FeedbackEvent) -> float | None:
    return None if event.feedback is None else reciprocal_rank(event.retrieved, event.feedback)


def _counts(events: list[FeedbackEvent]) -> dict:
    with_feedback = sum(event.feedback is not None for event in events)
    return {
        "num_queries": len(events),
        "num_queries_with_feedback": with_feedback,
        "num_queries_without_feedback": len(events) - with_feedback,
        "num_queries_labelled": sum(bool(event.relevant) for event in events),
        "feedback_coverage": with_feedback / len(events),
    }


def _percentiles(latencies: list[float]) -> dict | None:
    if not latencies:
        return None
    p50, p95, p99 = np.percentile(latencies, [50, 95, 99]).tolist()
    return {"p50": p50, "p95": p95, "p99": p99, "n": len(latencies)}


def _halves(events: list[FeedbackEvent]) -> tuple[list[FeedbackEvent], list[FeedbackEvent]]:
    return events[: len(events) // 2], events[len(events) // 2 :]


def _statement(metric: str, found: dict, n_older: int, n_newer: int) -> str:
    if found["p_value"] is None:
        return f"Too few queries with {metric} to tell: {n_older} older, {n_newer} newer; {found['how']}."
    before, now = (
        f"{found['mean_a']:.3f} in {n_older} older queries",
        f"{found['mean_b']:.3f} in {n_newer} newer ones",
    )
    verdict = (
        ("it has risen" if found["difference"] > 0 else "it has fallen")
        if found["differs"]
        else "no drift shown"
    )
    return f"{metric} was {before}, is {now}: {verdict} ({found['how']})."


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _checked(state: dict, window_size: int) -> tuple[list, int]:
    events, num_logged = state["events"], state["num_logged"]
    if (
        not isinstance(events, list)
        or type(num_logged) is not int
        or len(events) != min(num_logged, window_size)
    ):
        raise ValueError(f"its events are not the last {window_size} of {num_logged!r} logged")
    return events, num_logged
