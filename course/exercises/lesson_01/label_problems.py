"""Exercise: everything that is wrong with a list of labelled queries."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def label_problems(queries, corpus_ids):
    problems, seen = [], set()
    for query in queries:
        query_id, labels = query["query_id"], query["labels"]
        if query_id in seen:
            problems.append((query_id, "repeated query id"))
        seen.add(query_id)
        if not labels:
            problems.append((query_id, "empty labels"))
        for doc_id in labels:
            if doc_id not in corpus_ids:
                problems.append((query_id, f"unknown document {doc_id}"))
    return problems


def _q(query_id, *labels):
    return {"query_id": query_id, "labels": list(labels)}


ONE = {"doc_1"}

LABEL_PROBLEMS = Exercise(
    name="LABEL_PROBLEMS",
    task="""\
Write `label_problems(queries, corpus_ids)`, which returns everything that is wrong with a list of labelled \
queries.

```
>>> queries = [{"query_id": "q1", "labels": ["doc_1", "doc_999"]}, {"query_id": "q1", "labels": []}]
>>> label_problems(queries, {"doc_1"})
[('q1', 'unknown document doc_999'), ('q1', 'repeated query id'), ('q1', 'empty labels')]
```

**Convention** (that of the exercise): the problems are in the order of the queries. Those of one query are \
in this order: a query id that an earlier query has; empty labels; each label that is not in the corpus, in \
the order of the labels. If there is no problem, return an empty list.""",
    reference=label_problems,
    cases=(
        Case(
            ([_q("q2", "doc_9"), _q("q1", "doc_9", "doc_9")], ONE),
            "each label that the corpus lacks has to be repaired, even if the same one occurs elsewhere",
        ),
        Case(([_q("q1", "doc_9"), _q("q1", "doc_9")], ONE), "both queries are wrong, and the second twice"),
        Case(
            ([_q("q1", "doc_9")], ONE),
            "no engine can find what is not in the corpus; the problem carries the document's id",
        ),
        Case(([_q("q1")], ONE), "a query without a label gives 0 to every engine, and lowers all means"),
        Case(
            ([_q("q1", "doc_1"), _q("q1", "doc_2")], {"doc_1", "doc_2"}),
            "an id that two queries have is reported at the second of them; the first did nothing wrong",
        ),
        Case(
            ([_q("q1", "doc_1"), _q("q2", "doc_1")], ONE),
            "two queries may need the same page; that is not a problem",
        ),
        Case(
            ([_q("q1", "doc_1")], {"doc_11"}),
            "doc_1 is not in a corpus that has doc_11 only, though doc_1 is the beginning of that name",
        ),
        Case(
            ([_q("q1", "doc_11")], ONE),
            "doc_11 is not in a corpus that has doc_1 only, though its name begins in the same way",
        ),
        Case(
            ([_q("q1", "doc_9", "doc_8")], ONE),
            "two unknown documents are two problems, in the order of the labels",
        ),
        Case(
            ([_q("q2", "doc_9"), _q("q1")], ONE),
            "both queries have a problem, and the order is that of the queries, so that it can be read "
            "beside the file",
        ),
        Case(
            ([_q("q1", "doc_1"), _q("q2", "doc_1"), _q("q1", "doc_1")], ONE),
            "the earlier query with the same id may be anywhere above",
        ),
        Case(
            ([_q("q1", "doc_1"), _q("q1", "doc_1"), _q("q1", "doc_1")], ONE),
            "the second and the third have an id that was there before: two problems",
        ),
        Case(
            ([_q("q1", "doc_1"), _q("q1", "doc_9")], ONE),
            "a query with a repeated id can have a wrong label as well, and both are reported",
        ),
        Case(
            ([_q("q1", "doc_1"), _q("q1")], ONE), "a repeated id and no labels: two problems, in this order"
        ),
        Case(
            ([_q("q1"), _q("q1", "doc_1")], ONE),
            "a query without labels has an id all the same, and the next query repeats it",
        ),
        Case(
            ([_q("q1", "doc_9"), _q("q2", "doc_1"), _q("q2", "doc_1")], ONE),
            "the unknown document is above the repetition, so it is reported first",
        ),
        Case(([], ONE), "no queries, no problems: an empty list"),
    ),
    hints=(
        "One loop over the queries, and one list that grows. Three questions to each query, one after the "
        "other; the answer to one of them never saves you the next.",
        "Keep a set of the ids that you have seen. Ask whether the id is in it, and only then add the id. "
        "Membership in a set is exact: `doc_id in corpus_ids`.",
        "Three times `if` and no `elif`: if query_id in seen; if not labels; and inside `for doc_id in "
        "labels`, if doc_id not in corpus_ids. Each appends (query_id, problem). One `return`, after the "
        "outer loop.",
    ),
)


def _by_query(
    queries,
    corpus_ids,
    repeated=lambda ids, position: ids[position] in ids[:position],
    known=lambda doc_id, ids: doc_id in ids,
):
    """The reference with one part exchanged, and the problems of each query in a list of its own."""
    ids = [query["query_id"] for query in queries]
    for position, query in enumerate(queries):
        found = ["repeated query id"] * repeated(ids, position) + ["empty labels"] * (not query["labels"])
        found += [f"unknown document {doc_id}" for doc_id in query["labels"] if not known(doc_id, corpus_ids)]
        yield [(query["query_id"], problem) for problem in found]


def _joined(parts):
    return [problem for part in parts for problem in part]


def _asked(queries, corpus_ids, **exchanged):
    return _joined(_by_query(queries, corpus_ids, **exchanged))


def _without(queries, corpus_ids, missed):
    return [pair for pair in label_problems(queries, corpus_ids) if pair[1] not in missed]


def _behind_a_repeat(queries, corpus_ids, hidden):
    problems = []
    for found in _by_query(queries, corpus_ids):
        repeated = [pair for pair in found if pair[1] == "repeated query id"]
        problems += [
            pair for pair in found if pair in repeated or not (repeated and pair[1].startswith(hidden))
        ]
    return problems


def _in_order(pairs, *kinds):
    return sorted(pairs, key=lambda pair: kinds.index(pair[1].split()[0]))


_STOPS = (
    "A file with forty problems would have to be checked forty times, so collect them all before you return."
)


@LABEL_PROBLEMS.mistake(
    "stops at the first problem", f"You stop at the first problem that you find. {_STOPS}"
)
def first_of_all(queries, corpus_ids):
    return label_problems(queries, corpus_ids)[:1]


@LABEL_PROBLEMS.mistake("stops at the first faulty query", f"You stop at the first faulty query. {_STOPS}")
def all_of_the_first_query(queries, corpus_ids):
    return next(filter(None, _by_query(queries, corpus_ids)), [])


@LABEL_PROBLEMS.mistake(
    "raises at the first problem",
    f"You raise an error at the first problem, and an error ends the search for others. {_STOPS}",
)
def raises_at_the_first(queries, corpus_ids):
    for problem in label_problems(queries, corpus_ids):
        raise ValueError(problem)
    return []


@LABEL_PROBLEMS.mistake("one problem a query")
def first_of_each_query(queries, corpus_ids):
    """You report one problem a query and go on to the next query. A query can have several at a time, and
    when one is repaired the next appears. Ask every question of every query: `if`, and not `elif`."""
    return _joined(found[:1] for found in _by_query(queries, corpus_ids))


@LABEL_PROBLEMS.mistake("one unknown document a query")
def first_unknown_of_each_query(queries, corpus_ids):
    """You report the first unknown document of a query and no other. Each has to be repaired: no `break`, and
    no `any`."""
    problems = []
    for found in _by_query(queries, corpus_ids):
        unknown = [problem for problem in found if problem[1].startswith("unknown")]
        problems += [problem for problem in found if problem not in unknown] + unknown[:1]
    return problems


@LABEL_PROBLEMS.mistake("a repeated query is not read further")
def repeated_query_not_read(queries, corpus_ids):
    """Once an id is repeated, you do not look at that query's labels any more. They can be wrong too. Mostly
    the id is the slip, and the query is meant to stay under another one."""
    return _behind_a_repeat(queries, corpus_ids, hidden=("empty", "unknown"))


@LABEL_PROBLEMS.mistake("a repeated query is never empty")
def repeated_or_empty(queries, corpus_ids):
    """You ask for empty labels only where the id is new. Both can be wrong at a time: ask `if` three times,
    and never `elif`."""
    return _behind_a_repeat(queries, corpus_ids, hidden="empty")


@LABEL_PROBLEMS.mistake("empty labels before the repeated id")
def empty_first(queries, corpus_ids):
    """You report empty labels before a repeated id. Two such lists can be compared only if their order is the
    same: here the id first."""
    return _joined(_in_order(part, "empty", "repeated", "unknown") for part in _by_query(queries, corpus_ids))


@LABEL_PROBLEMS.mistake("a part of an id is taken for it")
def part_of_an_id(queries, corpus_ids):
    """You look for the id inside other ids, and so doc_1 is found in doc_11. The label stays wrong, and
    nobody hears of it. Compare whole ids: `doc_id in corpus_ids`, where corpus_ids is a set."""
    return _asked(queries, corpus_ids, known=lambda doc_id, ids: any(doc_id in other for other in ids))


@LABEL_PROBLEMS.mistake("an id that begins alike is taken for it")
def id_that_begins_alike(queries, corpus_ids):
    """You accept a label because an id of the corpus is a part of it, and so doc_11 passes where there is a
    doc_1. Compare whole ids: `doc_id in corpus_ids`, where corpus_ids is a set."""
    return _asked(queries, corpus_ids, known=lambda doc_id, ids: any(other in doc_id for other in ids))


@LABEL_PROBLEMS.mistake("repeated query ids missed")
def repeats_missed(queries, corpus_ids):
    """You do not notice a query id that comes twice. Later both become a dictionary, `{query_id: …}`, where
    the second replaces the first: you believe in thirty queries and average over twenty-nine."""
    return _without(queries, corpus_ids, missed=["repeated query id"])


@LABEL_PROBLEMS.mistake("compared with the query just above only")
def only_the_query_above(queries, corpus_ids):
    """You miss a repeated id when the other query is not just above. It may be anywhere: keep a
    set of all ids seen."""
    return _asked(queries, corpus_ids, repeated=lambda ids, position: ids[position] in ids[:position][-1:])


@LABEL_PROBLEMS.mistake("empty labels missed")
def empty_missed(queries, corpus_ids):
    """You do not notice a query without labels: a loop over an empty list says nothing. No engine can earn
    anything there, so the mean of every engine is too low."""
    return _without(queries, corpus_ids, missed=["empty labels"])


@LABEL_PROBLEMS.mistake("the first occurrence reported too")
def first_occurrence_too(queries, corpus_ids):
    """You also report the first query that has the id. It did nothing wrong: when it is read, the id is new.
    Compare with the queries above and not with all, or one repetition is two problems."""
    return _asked(queries, corpus_ids, repeated=lambda ids, position: ids.count(ids[position]) > 1)


@LABEL_PROBLEMS.mistake("the id noted before asked for")
def noted_before_asked(queries, corpus_ids):
    """You note each query's id before you ask for it, so you meet your own note, and all look repeated. Ask
    first, then note."""
    return _asked(queries, corpus_ids, repeated=lambda ids, position: True)


@LABEL_PROBLEMS.mistake("ordered by kind")
def sorted_by_kind(queries, corpus_ids):
    """Your list is in the order of the kinds of problems. The file is repaired in one pass, query by query,
    so the problems should come in that order."""
    return _in_order(label_problems(queries, corpus_ids), "repeated", "empty", "unknown")


@LABEL_PROBLEMS.mistake("the repeated id last")
def repeated_last(queries, corpus_ids):
    """You look at the labels before you check the id, so a repeated id comes last among a query's problems.
    Two such lists can be compared only if their order is the same: here the id first."""
    return _joined(_in_order(part, "empty", "unknown", "repeated") for part in _by_query(queries, corpus_ids))


@LABEL_PROBLEMS.mistake("unknown documents sorted")
def unknown_sorted(queries, corpus_ids):
    """Your unknown documents are in alphabetical order, perhaps because they went through a set. Whoever
    repairs the file goes through the labels in order: keep that order, and report each of them."""
    known = [{**query, "labels": sorted(set(query["labels"]))} for query in queries]
    return label_problems(known, corpus_ids)


@LABEL_PROBLEMS.mistake("an unknown document named once a query")
def unknown_once(queries, corpus_ids):
    """You report an unknown document once where a query has it twice. Each label is one line to be repaired:
    ask the question of each."""
    once = [{**query, "labels": list(dict.fromkeys(query["labels"]))} for query in queries]
    return label_problems(once, corpus_ids)


@LABEL_PROBLEMS.mistake("an unknown document named once in all")
def unknown_once_in_all(queries, corpus_ids):
    """You report an unknown document only the first time. Each query that has it must be repaired: what was
    reported for another query does not matter."""
    seen = set()
    return [
        (query_id, said)
        for query_id, said in label_problems(queries, corpus_ids)
        if not said.startswith("unknown") or not (said in seen or seen.add(said))
    ]


@LABEL_PROBLEMS.mistake("a repeated id reported once")
def repeat_reported_once(queries, corpus_ids):
    """You report a repeated id once, however often it comes back. The third query with it is as wrong as the
    second: each repetition is a problem."""
    return _asked(queries, corpus_ids, repeated=lambda ids, place: ids[:place].count(ids[place]) == 1)


@LABEL_PROBLEMS.mistake("None where all is well")
def none_where_all_is_well(queries, corpus_ids):
    """You return None where there is no problem, perhaps because a `return` is inside an `if`. A loop over
    the result then fails just when all is well. Return an empty list."""
    return label_problems(queries, corpus_ids) or None


@LABEL_PROBLEMS.mistake("equal problems reported once")
def equal_once(queries, corpus_ids):
    """You leave out a problem that is already in the list. Two queries with one id can have the same problem,
    and both must be repaired: report each."""
    return list(dict.fromkeys(label_problems(queries, corpus_ids)))


@LABEL_PROBLEMS.mistake("unknown documents before the others")
def unknown_first(queries, corpus_ids):
    """You report unknown documents first. The order within a query is: its id, empty labels, then each label
    that the corpus lacks."""
    return _joined(_in_order(part, "unknown", "repeated", "empty") for part in _by_query(queries, corpus_ids))


@LABEL_PROBLEMS.mistake("queries put into a dictionary")
def into_a_dictionary(queries, corpus_ids):
    """You put the queries into a dictionary, where a repeated id replaces the query that had it. One is gone
    before anybody has looked at it: go through the list."""
    by_id = {query["query_id"]: query for query in queries}
    return label_problems(by_id.values(), corpus_ids)


@LABEL_PROBLEMS.mistake("unknown document without its id")
def unknown_without_id(queries, corpus_ids):
    """Your message about an unknown document does not say which one. It should end with the document's id."""
    return [
        (query_id, "unknown document" if problem.startswith("unknown document ") else problem)
        for query_id, problem in label_problems(queries, corpus_ids)
    ]


@LABEL_PROBLEMS.mistake("a colon before the id")
def colon_before_the_id(queries, corpus_ids):
    """You write a colon before the id. A program that reads this list looks for the words of the task, letter
    for letter."""
    return [
        (query_id, problem.replace("unknown document ", "unknown document: "))
        for query_id, problem in label_problems(queries, corpus_ids)
    ]


@LABEL_PROBLEMS.mistake("sorted, repeats left out")
def sorted_once(queries, corpus_ids):
    """You sort the problems, and report each once. Report them in the order in which they are found, and as
    often as they occur."""
    return sorted(set(label_problems(queries, corpus_ids)))


@LABEL_PROBLEMS.mistake("unknown documents of a query in another order")
def unknown_in_another_order(queries, corpus_ids):
    """Your unknown documents of a query are not in the order of its labels. Whoever repairs the file goes
    through the labels in order: keep that order."""
    in_order = [{**query, "labels": sorted(query["labels"])} for query in queries]
    return label_problems(in_order, corpus_ids)
