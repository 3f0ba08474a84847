"""`AccuracyMonitor`: how good the last n queries were, as far as users and independent labels can tell."""

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from helpers.base import (
    Relevant,
    check_k,
    check_option,
    check_whole,
    json_object,
    warn,
    whole_text,
    write_text,
)
from helpers.metrics import precision_at_k, recall_at_k, reciprocal_rank
from helpers.monitoring.feedback import FeedbackEvent, event_from_json, event_to_json, feedback_event
from helpers.monitoring.two_groups import compare_groups, in_one_sentence

_FORMAT = "accuracy monitor, version 1"
NO_FEEDBACK = "no query of the window has feedback"
NO_LABELS = (
    "no query of the window has independent labels (relevant=). Feedback cannot replace them: users click "
    "only what they are shown, so recall against clicks is 1.0 by construction"
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

    Precision of a query is the share of the documents shown that users clicked or rated well; with `k` it is
    P@k, divided by k (trec_eval's rule). Whatever was logged before the window is forgotten: memory does not
    grow beyond it. All numbers are computed from the window when asked for, so none drifts by rounding.

    Any number of threads may log, read and save at once: each call sees whole events. Each process needs its
    own.

    The class of the same name in Agent Memory Guide, Retrieval Accuracy Benchmarks
    (agentmemoryguide.ai/docs/benchmarks/retrieval-accuracy), skips queries with empty feedback, so that a
    query on which nothing helped cannot lower the mean; gives recall against the same clicks, always 1; and
    forgets all at a restart.

    >>> monitor = AccuracyMonitor(window_size=1000)
    >>> monitor.log_query_result("How to implement RAG?", ["d1", "d2", "d3"], user_feedback={"d1", "d3"})
    >>> round(monitor.calculate_online_metrics()["avg_precision"], 3)
    0.667
    """

    def __init__(self, window_size: int = 1000, k: int | None = None):
        self.window_size = check_whole("window_size", window_size, of="queries")
        self.k = None if k is None else check_k(k)
        self.num_logged = 0
        self._events: deque[FeedbackEvent] = deque(maxlen=self.window_size)
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

        `retrieved_docs` are the doc_ids shown, best first. `user_feedback` is what users clicked, or
        `{doc_id: grade}`; None says that there was none, an empty set that somebody looked and found nothing:
        the first is skipped and counted, the second is a precision of 0. Which of them a page without a click
        is, only the caller knows. `relevant` are labels by somebody who did not see this ranking. `timestamp`
        is for logs that are replayed, oldest first: the order of the calls counts as that of time, and a step
        back is told in a warning. Raises ValueError as `feedback_event`.
        """
        event = feedback_event(query, retrieved_docs, user_feedback, relevant, latency_ms, timestamp)
        with self._lock:
            last = self._events[-1].timestamp if self._events else event.timestamp
            self._events.append(event)
            self.num_logged += 1
        if timestamp is not None and event.timestamp < last:
            said = "a query is older than the one logged before it, and what is logged last counts as newest"
            warn(f"{said}; replay a log oldest first")

    def calculate_online_metrics(self) -> dict:
        """The figures of the window; {} while nothing has been logged.

        `avg_precision` and `avg_reciprocal_rank` (of the first click; 0 without one) over the queries with
        feedback; `avg_recall` and `labelled_precision` over those with at least one independently labelled
        relevant document; `num_queries`, `num_queries_with_feedback`, `num_queries_without_feedback`,
        `num_queries_labelled`, `feedback_coverage` (the share with feedback); `latency_ms`: {"p50", "p95",
        "p99", "n"}, linear between neighbours. What cannot be known is None; `reasons` says why.
        """
        events = self.recent_queries
        if not events:
            return {}
        with_feedback = sum(event.feedback is not None for event in events)
        found = {
            "avg_precision": _mean(self._values("precision", events)),
            "avg_reciprocal_rank": _mean(self._values("reciprocal_rank", events)),
            "avg_recall": _mean(self._values("recall", events)),
            "labelled_precision": _mean(self._values("labelled_precision", events)),
            "num_queries": len(events),
            "num_queries_with_feedback": with_feedback,
            "num_queries_without_feedback": len(events) - with_feedback,
            "num_queries_labelled": sum(bool(event.relevant) for event in events),
            "feedback_coverage": with_feedback / len(events),
            "latency_ms": _percentiles(self._values("latency_ms", events)),
        }
        return found | {"reasons": {key: reason for key, reason in REASONS.items() if found[key] is None}}

    def drift(
        self, metric: str = "precision", reference: "AccuracyMonitor | None" = None, alpha: float = 0.01
    ) -> dict:
        """Whether the newer half of the window differs from the older one, or all of it from `reference`.

        `metric` is "precision", "reciprocal_rank", "recall", "labelled_precision" or "latency_ms"; queries
        without it are left out. Keys: `metric, older_mean, newer_mean, difference` (newer - older), `n_older,
        n_newer, p_value` (Welch), `drifted`, `statement`. With fewer than 8 values on a side there is no
        verdict: the p-value is None and nothing has drifted; where no value varies, p is that of a random
        division. The test takes queries as independent. alpha is the chance of a false alarm of one question,
        and many questions are many chances: asked daily for 25 days against one saved window of five days, it
        raises one in 9 of 100 such months (`evals/benchmarks/monitoring.md`); `stats.sequential_levels` is
        for data that grows, not for a window that slides. A reference window that was saved in a good week
        also sees a decline that is slower than the window. Raises ValueError for another metric, or another
        reference, and for an alpha outside (0, 1).
        """
        if not isinstance(reference, AccuracyMonitor | None):
            kind = type(reference).__name__
            raise ValueError(f"reference is a {kind}; give a monitor, such as AccuracyMonitor.load(path)")
        events = self.recent_queries
        half = len(events) // 2
        older, newer = (reference.recent_queries, events) if reference else (events[:half], events[half:])
        before, now = self._values(metric, older), self._values(metric, newer)
        found = compare_groups(before, now, alpha)
        return {
            "metric": metric,
            "older_mean": found["mean_a"],
            "newer_mean": found["mean_b"],
            "difference": found["difference"],
            "n_older": len(before),
            "n_newer": len(now),
            "p_value": found["p_value"],
            "drifted": found["differs"],
            "statement": _statement(metric, found, len(before), len(now)),
        }

    def save(self, path: str | Path) -> None:
        """Writes the window as JSON, whole or not at all."""
        with self._lock:
            events, num_logged = list(self._events), self.num_logged
        state = {"format": _FORMAT, "window_size": self.window_size, "k": self.k, "num_logged": num_logged}
        write_text(path, json.dumps(state | {"events": [event_to_json(event) for event in events]}))

    @classmethod
    def load(cls, path: str | Path) -> "AccuracyMonitor":
        """The monitor that was saved, with the same window, events and figures.

        Raises ValueError, with the path, for a file that no `save` has written or that was broken.
        """
        state = json_object(whole_text(Path(path)), str(path), "the state of a monitor")
        if state.get("format") != _FORMAT:
            raise ValueError(f"{path} does not hold the state of a monitor; needed the format {_FORMAT!r}")
        try:
            monitor = cls(state["window_size"], state["k"])
            events, monitor.num_logged = _checked(state, monitor.window_size)
        except (KeyError, TypeError, ValueError) as error:
            cure = "restore it from a copy or start a new monitor"
            raise ValueError(f"{path} is broken: {error!r}; {cure}") from None
        for number, event in enumerate(events, start=1):
            monitor._events.append(event_from_json(event, f"{path}, event {number} of {len(events)}"))
        return monitor

    def _values(self, metric: str, events: list[FeedbackEvent]) -> list[float]:
        """The metric of every event that has it, in order."""
        values: dict[str, Callable[[FeedbackEvent], float | None]] = {
            "precision": lambda event: self._at_k(precision_at_k, event, event.feedback),
            "reciprocal_rank": _reciprocal_rank,
            # Of a query whose labels name nothing there is no recall to speak of.
            "recall": lambda event: self._at_k(recall_at_k, event, event.relevant or None),
            "labelled_precision": lambda event: self._at_k(precision_at_k, event, event.relevant or None),
            "latency_ms": lambda event: event.latency_ms,
        }
        check_option("metric", metric, values)
        return [value for value in map(values[metric], events) if value is not None]

    def _at_k(self, metric: Callable, event: FeedbackEvent, relevant: frozenset[str] | None) -> float | None:
        """The metric at k, or at all that was shown; None where nobody said what is relevant."""
        k = self.k or max(len(event.retrieved), 1)
        return None if relevant is None else metric(event.retrieved, relevant, k)


def _reciprocal_rank(event: FeedbackEvent) -> float | None:
    return None if event.feedback is None else reciprocal_rank(event.retrieved, event.feedback)


def _percentiles(latencies: list[float]) -> dict | None:
    if not latencies:
        return None
    p50, p95, p99 = np.percentile(latencies, [50, 95, 99]).tolist()
    return {"p50": p50, "p95": p95, "p99": p99, "n": len(latencies)}


def _statement(metric: str, found: dict, n_older: int, n_newer: int) -> str:
    if found["p_value"] is None:
        return f"Too few queries with {metric} to tell: {n_older} older, {n_newer} newer; {found['how']}."
    before, now = (
        f"{found['mean_a']:.3f} in {n_older} older queries",
        f"{found['mean_b']:.3f} in {n_newer} newer ones",
    )
    words = in_one_sentence(found, "it has risen", "it has fallen", "no drift shown")
    return f"{metric} was {before}, is {now}: {words}."


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _checked(state: dict, window_size: int) -> tuple[list, int]:
    """The events and how many were logged. Raises ValueError where they do not make a window."""
    events, n = state["events"], state["num_logged"]
    if not isinstance(events, list) or type(n) is not int or len(events) != min(n, window_size):
        raise ValueError(f"its events are not the last {window_size} of {n!r} logged")
    return events, n
