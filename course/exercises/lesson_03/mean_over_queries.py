"""Exercise: the mean of a metric over the judged queries."""

from math import prod
from statistics import median

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_03.average_precision import average_precision
from course.exercises.lesson_03.reciprocal_rank import reciprocal_rank


def mean_over_queries(metric, run, qrels):
    values = [metric(run.get(query_id, []), grades) for query_id, grades in qrels.items()]
    return sum(values) / len(values)


A, B = {"a": 1}, {"b": 1}

MEAN_OVER_QUERIES = Exercise(
    name="MEAN_OVER_QUERIES",
    task="""\
Write `mean_over_queries(metric, run, qrels)`: the mean of a metric over all judged queries.

`metric` is a function of (ranking, grades), for instance your `reciprocal_rank`; call it for each \
query.

```
>>> mean_over_queries(reciprocal_rank, {"q1": ["d1"], "q9": ["d3"]}, {"q1": {"d1": 1}, "q2": {"d2": 1}})
0.5
```

**Convention** (`trec_eval -c`): every judged query counts, even one with nothing relevant. A judged query \
that the run lacks, like q2, counts as an empty ranking, which gets 0. Queries of the run without judgments, \
like q9, are left out. The run and the judgments may list their queries in different orders.""",
    reference=mean_over_queries,
    cases=(
        Case(
            (reciprocal_rank, {"q1": ["a"], "q2": ["x", "b"]}, {"q1": A, "q2": B}),
            "1 for q1 and one half for q2: three quarters in the mean",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"]}, {"q1": A, "q2": B}),
            "q2 was judged and got no results: that is a 0, and it counts",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"], "q9": ["a"]}, {"q1": A}),
            "q9 has no judgments: nothing is known about it, so it is left out",
        ),
        Case(
            (reciprocal_rank, {"q2": ["b"], "q1": ["x", "a"]}, {"q1": A, "q2": B}),
            "a ranking belongs to its query by id",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"], "q2": ["b"]}, {"q1": A, "q2": {"b": 0}}),
            "q2 was judged, nothing is relevant, and no engine can score: a 0 that counts",
        ),
        Case(
            (
                average_precision,
                {"q10": ["x", "y", "a"], "q9": ["b", "x", "y", "a"], "q7": ["a"]},
                {"q9": {"a": 2, "b": 1}, "q1": {"b": 1}, "q10": {"a": 1, "b": 0}, "q2": {"a": 0}},
            ),
            "four judged queries: 3/4 for q9, 1/3 for q10, and 0 for q1 and q2",
        ),
        Case(
            (
                reciprocal_rank,
                {"q3": ["x", "y", "a"], "q1": list("zyxwvua"), "q2": ["a"], "q8": ["a"]},
                {"q2": A, "q1": A, "q5": {"a": 0}, "q3": A, "q4": B},
            ),
            "five judged queries: (1 + 1/7 + 0 + 1/3 + 0) / 5",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"], "q2": []}, {"q1": A, "q2": B}),
            "an empty list of results is worth 0, and counts",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"], "q2": ["x"]}, {"q1": A, "q2": B}),
            "q2 was answered with a wrong page, which is worth 0, and counts",
        ),
        Case(
            (reciprocal_rank, {"q1": ["a"], "q9": ["a"]}, {"q1": A, "q2": B}),
            "one query too many and one too few do not make up for each other: the mean is over q1 and q2",
        ),
        Case(
            (
                average_precision,
                {"q1": ["x", "a"], "q2": ["b", "c"]},
                {"q1": A, "q2": {"b": 1, "c": 2, "d": 1}},
            ),
            "the metric is the one that is given; each query weighs the same, however many relevant "
            "documents it has",
        ),
        Case(
            (
                average_precision,
                {"q3": ["x", "a"], "q1": ["a"], "q7": ["b"]},
                {"q1": A, "q2": B, "q3": A, "q4": B},
            ),
            "four judged queries, of which the run has two",
        ),
    ),
    hints=(
        "Which queries take part is decided by the judgments, not by the engine. Otherwise an engine could "
        "choose its own exam.",
        "Go through qrels.items(). run.get(query_id, []) is the ranking, or an empty one where the run "
        "lacks the query.",
        "Make a list of metric(run.get(query_id, []), grades) for each query_id and grades of "
        "qrels.items(), and divide its sum by its length.",
    ),
)


def _mean(values):
    return sum(values) / len(values) if values else 0.0


@MEAN_OVER_QUERIES.mistake("missing query skipped")
def missing_skipped(metric, run, qrels):
    """You leave out judged queries that the run lacks. Then an engine that answers only the easy ones has the
    best mean. A query without results is a failure, and failures count."""
    return _mean([metric(run[query_id], grades) for query_id, grades in qrels.items() if query_id in run])


@MEAN_OVER_QUERIES.mistake("missing query skipped, and empty results too")
def empty_skipped(metric, run, qrels):
    """You leave out judged queries for which the engine found nothing. Then an engine that answers only the
    easy ones has the best mean. Finding nothing is a failure, and failures count."""
    return _mean([metric(run[query_id], grades) for query_id, grades in qrels.items() if run.get(query_id)])


@MEAN_OVER_QUERIES.mistake("divides by the run's length")
def by_the_run(metric, run, qrels):
    """Your mean is over as many queries as the run has. So one that it lacks costs nothing, and one that
    nobody judged counts as 0. Which queries take part is decided by the judgments, not by the engine: the
    mean is over those of `qrels`."""
    return sum(metric(run.get(query_id, []), grades) for query_id, grades in qrels.items()) / len(run)


@MEAN_OVER_QUERIES.mistake("unjudged queries in the mean")
def unjudged_too(metric, run, qrels):
    """You include queries without any judgment in the mean, where they count as 0. Nobody knows how good
    their results are; no engine can earn anything there. The mean is over the judged queries."""
    return _mean([metric(run.get(query_id, []), qrels.get(query_id, {})) for query_id in {*qrels, *run}])


@MEAN_OVER_QUERIES.mistake("goes through the run, unjudged query raises")
def through_the_run_needs_every_query(metric, run, qrels):
    """Your mean is over the queries of the run. Those that it lacks cost nothing, and one that nobody judged
    breaks the program. Which queries take part is decided by the judgments: the mean is over those of
    `qrels`."""
    return _mean([metric(ranking, qrels[query_id]) for query_id, ranking in run.items()])


@MEAN_OVER_QUERIES.mistake("unjudged query raises")
def judged_lookup(metric, run, qrels):
    """You look up judgments for every query of the run, but it may hold queries that nobody judged. They have
    no entry in `qrels`. Go through the judged queries instead."""
    return sum(metric(ranking, qrels[query_id]) for query_id, ranking in run.items()) / len(qrels)


@MEAN_OVER_QUERIES.mistake("missing query raises")
def needs_every_query(metric, run, qrels):
    """You expect every judged query in the run. Engines return nothing for some, and those are often missing
    from the file. Such a query has an empty ranking."""
    return _mean([metric(run[query_id], grades) for query_id, grades in qrels.items()])


@MEAN_OVER_QUERIES.mistake("pairs by position")
def by_position(metric, run, qrels):
    """You pair the first ranking with the first judgments, the second with the second. Run and judgments come
    from different files, in different orders. The query_id says what belongs together."""
    return sum(map(metric, run.values(), qrels.values())) / len(qrels)


@MEAN_OVER_QUERIES.mistake("pairs by position, as far as they go")
def by_position_as_far_as_they_go(metric, run, qrels):
    """You pair the first ranking with the first judgments, and stop where the shorter of the two ends. Run
    and judgments come from different files, in different orders. The query_id says what belongs together."""
    return _mean(list(map(metric, run.values(), qrels.values())))


@MEAN_OVER_QUERIES.mistake("queries with nothing relevant left out")
def hopeless_left_out(metric, run, qrels):
    """You leave out queries that have no relevant document. Some tools do, and their means are higher. The
    convention here is trec_eval's: every judged query counts, this one as 0."""
    hopeful = {query_id: grades for query_id, grades in qrels.items() if max(grades.values()) > 0}
    return mean_over_queries(metric, run, hopeful or qrels)


@MEAN_OVER_QUERIES.mistake("not divided")
def not_divided(metric, run, qrels):
    """You add up and do not divide. A sum grows with the number of queries, so runs on different sets of
    queries could not be compared. Divide by the number of judged queries."""
    return mean_over_queries(metric, run, qrels) * len(qrels)


@MEAN_OVER_QUERIES.mistake("run and judgments exchanged")
def exchanged(metric, run, qrels):
    """You hand the judged documents over as the ranking, and the ranking as judgments. A metric is called as
    metric(ranking, grades)."""
    return _mean(
        [metric(list(grades), dict.fromkeys(run.get(query_id, []), 1)) for query_id, grades in qrels.items()]
    )


@MEAN_OVER_QUERIES.mistake("the best query")
def the_best_query(metric, run, qrels):
    """You return the highest value of all queries. The task asks for their mean."""
    return max((metric(run.get(query_id, []), grades) for query_id, grades in qrels.items()), default=0.0)


def _values(metric, run, qrels):
    return [metric(run.get(query_id, []), grades) for query_id, grades in qrels.items()]


@MEAN_OVER_QUERIES.mistake("the median")
def median_for_mean(metric, run, qrels):
    """You return the median of the values. The task asks for their mean: the sum divided by the number of
    queries."""
    return median(_values(metric, run, qrels))


@MEAN_OVER_QUERIES.mistake("a value for each query")
def a_value_each(metric, run, qrels):
    """You return the values of the queries. The task asks for one number, their mean."""
    return _values(metric, run, qrels)


@MEAN_OVER_QUERIES.mistake("queries worth 0 left out")
def zeros_left_out(metric, run, qrels):
    """You leave out the queries with a value of 0. On those the engine has earned nothing, and the mean has
    to show it: every judged query counts."""
    return _mean([value for value in _values(metric, run, qrels) if value > 0])


@MEAN_OVER_QUERIES.mistake("weighted by the relevant")
def weighted_by_the_relevant(metric, run, qrels):
    """In your mean a query counts more, the more relevant documents it has. Here each query weighs the
    same."""
    weights = [sum(grade > 0 for grade in grades.values()) for grades in qrels.values()]
    values = _values(metric, run, qrels)
    return sum(n * value for n, value in zip(weights, values, strict=True)) / (sum(weights) or 1)


@MEAN_OVER_QUERIES.mistake("always the reciprocal rank")
def always_the_reciprocal_rank(metric, run, qrels):
    """You compute the mean of the reciprocal rank, whichever metric is given. Call `metric`."""
    return mean_over_queries(reciprocal_rank, run, qrels)


@MEAN_OVER_QUERIES.mistake("only the first query")
def only_the_first(metric, run, qrels):
    """Your result is that of the first query alone. The task asks for the mean over all judged queries."""
    return _values(metric, run, qrels)[0]


@MEAN_OVER_QUERIES.mistake("the geometric mean")
def geometric(metric, run, qrels):
    """You take the geometric mean, the n-th root of the product, and one query worth 0 makes all 0. The task
    asks for the sum divided by the number of queries."""
    values = _values(metric, run, qrels)
    return prod(values) ** (1 / len(values))


@MEAN_OVER_QUERIES.mistake("the median, missing query skipped")
def median_missing_skipped(metric, run, qrels):
    """Two things. You return the median; the task asks for the mean. And you leave out judged queries that
    the run lacks: a query without results is a failure, and failures count."""
    return median([metric(run[query_id], grades) for query_id, grades in qrels.items() if query_id in run])
