"""Exercise: the share of a corpus that the queries reach."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("the corpus is empty, so there is nothing to cover")
    relevant = {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > 0}
    return len(relevant & corpus_ids) / len(corpus_ids)


THREE, FOUR, FIVE = ({f"d{number}" for number in range(1, size + 1)} for size in (3, 4, 5))

COVERAGE = Exercise(
    name="COVERAGE",
    task="""\
Write `coverage(qrels, corpus_ids)`, which returns the share of the corpus's documents that are relevant to \
at least one query.

```
>>> coverage({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}, {"d1", "d2", "d3", "d4"})        # only d1
0.25
```

**Convention** (that of the course): a grade above 0 means relevant; 0 means judged and not relevant, and so \
does a grade below 0, which some collections give to spam. A document counts once, however many queries need \
it, and only if it is in the corpus. An empty corpus raises `ValueError`.""",
    reference=coverage,
    cases=(
        Case(({"q1": {"d1": 1}}, FOUR), "one of four documents is relevant to some query: a share of 0.25"),
        Case(
            ({"q1": {"d1": 1}, "q2": {"d1": 1}}, THREE),
            "a page that two queries need is still one page; nobody reaches the other two",
        ),
        Case(({"q1": {"d1": 1, "d2": 0}}, THREE), "d2 was read and found useless: judged is not relevant"),
        Case(
            ({"q1": {"d1": 1, "d9": 1}}, THREE), "d9 is no document of this corpus, so it covers none of it"
        ),
        Case(
            ({"q1": {"d1": 2, "d2": 1}}, FIVE),
            "grades 1 and 2 are both relevant, and count one document each",
        ),
        Case(
            ({"q1": {"d1": 1}, "q2": {"d1": 0}}, THREE),
            "relevant to one query is enough, whatever the others say",
        ),
        Case(({"q1": {"d1": 1, "d2": -1}}, THREE), "a grade below 0 marks spam; relevant means above 0"),
        Case(
            (
                {
                    "q2": {"d1": 1, "d10": 3, "d9": 0},
                    "q3": {},
                    "q1": {"d10": 1, "d2": -1, "d99": 2, "d3": 2, "d9": 0},
                },
                {"d1", "d2", "d3", "d4", "d9", "d10", "d11"},
            ),
            "d1, d3 and d10, of seven: d99 is no document of this corpus",
        ),
        Case(
            ({"q1": {"d1": 1}, "q2": {}}, THREE),
            "a query without judgments reaches nothing and changes nothing",
        ),
        Case(({"q1": {"d1": 0}}, THREE), "where nothing is relevant, nothing is covered: 0"),
        Case(({"q1": {"d9": 2}}, THREE), "all labels are for another corpus: of this one nothing is covered"),
        Case(
            ({"q1": {"d1": 1, "d2": 2}, "q2": {"d2": 1, "d3": 1}}, FIVE),
            "four labels, three documents, a corpus of five: 3 / 5",
        ),
        Case(
            ({"q1": {"d1": 2, "d2": 2, "d3": 2}, "q2": {"d3": 2, "d4": 2}}, FIVE),
            "four documents of five, however few the queries: 4 / 5",
        ),
        Case(
            ({"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 2}}, THREE),
            "every document is relevant to some query: 1",
        ),
        Case(
            ({"q1": {"d1": 1}}, set()),
            "an empty corpus means that something went wrong before: say so with ValueError, not with a "
            "number or a division by zero",
        ),
    ),
    hints=(
        "Collect the documents first and count them afterwards. Which kind of collection holds each thing "
        "only once, however often you put it in?",
        "A set of all doc_ids with a grade above 0, over all queries. What it has in common with "
        "corpus_ids is covered; divide by the size of the corpus.",
        "relevant = {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > "
        "0}; then len(relevant & corpus_ids) / len(corpus_ids). The empty corpus first, with raise "
        "ValueError.",
    ),
)


def _share(found, corpus_ids):
    if not corpus_ids:
        raise ValueError("the corpus is empty, so there is nothing to cover")
    return len(found) / len(corpus_ids)


def _labels(qrels):
    return [doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > 0]


@COVERAGE.mistake("labels counted")
def counts_labels(qrels, corpus_ids):
    """You count labels. A page that ten queries need has ten labels and is still one page; with enough
    queries about the same five pages your share would pass 1. Collect the ids in a set, and count that."""
    return _share([doc_id for doc_id in _labels(qrels) if doc_id in corpus_ids], corpus_ids)


_BY_QUERIES = (
    "You divide by the number of queries. That tells how many documents a query brings on average. "
    "Coverage asks how much of the corpus is reached, so divide by the size of the corpus."
)


@COVERAGE.mistake("divided by the number of queries", _BY_QUERIES)
def divides_by_queries(qrels, corpus_ids):
    coverage(qrels, corpus_ids)
    return len(set(_labels(qrels)) & corpus_ids) / len(qrels)


@COVERAGE.mistake("divided by the number of queries, without the corpus", _BY_QUERIES)
def strangers_divided_by_queries(qrels, corpus_ids):
    coverage(qrels, corpus_ids)
    return len(set(_labels(qrels))) / len(qrels)


@COVERAGE.mistake("from grade 2 on, divided by the number of queries")
def high_grades_by_queries(qrels, corpus_ids):
    """Two things are wrong. You count documents from grade 2 on, but every grade above 0 is relevant. And you
    divide by the number of queries instead of the size of the corpus."""
    high = {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > 1}
    coverage(qrels, corpus_ids)
    return len(high & corpus_ids) / len(qrels)


@COVERAGE.mistake("labels divided by the number of queries", _BY_QUERIES)
def labels_divided_by_queries(qrels, corpus_ids):
    coverage(qrels, corpus_ids)
    return len(_labels(qrels)) / len(qrels)


@COVERAGE.mistake("queries counted")
def share_of_queries(qrels, corpus_ids):
    """You count queries: the share of them for which the corpus holds a relevant document. That is worth
    knowing too, but coverage is the share of the corpus's documents that are relevant to some query."""
    coverage(qrels, corpus_ids)
    reached = [coverage({query_id: grades}, corpus_ids) > 0 for query_id, grades in qrels.items()]
    return sum(reached) / len(reached)


@COVERAGE.mistake("a mean over queries")
def mean_of_shares(qrels, corpus_ids):
    """You take each query's share of the corpus and average over queries. The more queries there are, the
    smaller their part of it; coverage should grow with every query that reaches a new page. Collect the
    documents of all queries first."""
    return sum(coverage({query_id: grades}, corpus_ids) for query_id, grades in qrels.items()) / len(qrels)


@COVERAGE.mistake("divided by the judged documents")
def divides_by_judged(qrels, corpus_ids):
    """You divide by the documents that appear in the qrels. Those that nobody judged for any query are
    missing from your total, and coverage should make them visible. Divide by the size of the
    corpus."""
    coverage(qrels, corpus_ids)
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    return len(set(_labels(qrels)) & corpus_ids) / len(judged)


@COVERAGE.mistake("ids outside the corpus counted")
def counts_strangers(qrels, corpus_ids):
    """You count ids that are not in the corpus. Labels outlive pages that were deleted or renamed, and such a
    label covers nothing. Keep what the labels and the corpus have in common."""
    return _share(set(_labels(qrels)), corpus_ids)


@COVERAGE.mistake("every judged document counted")
def counts_every_judged(qrels, corpus_ids):
    """You count every document that has a grade, the zeros too. A 0 says that somebody read the page and
    found it useless for this query. With a deep pool nearly every page has a 0 somewhere, and your share is
    near 1."""
    return _share({doc_id for grades in qrels.values() for doc_id in grades} & corpus_ids, corpus_ids)


@COVERAGE.mistake("every grade but 0 counted")
def any_grade_but_zero(qrels, corpus_ids):
    """You count every grade that is not 0. In Python a −1 is true as well, and some collections give −1 or −2
    to spam. Relevant means above 0."""
    graded = {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade}
    return _share(graded & corpus_ids, corpus_ids)


@COVERAGE.mistake("the last query's grade wins")
def last_grade_wins(qrels, corpus_ids):
    """You put the grades of all queries into one dictionary of documents, and there a later query's grade
    replaces the earlier one. A grade belongs to a pair of query and document. Relevant to one query is
    enough."""
    merged = {doc_id: grade for grades in qrels.values() for doc_id, grade in grades.items()}
    return _share({doc_id for doc_id, grade in merged.items() if grade > 0} & corpus_ids, corpus_ids)


@COVERAGE.mistake("a percentage")
def percentage(qrels, corpus_ids):
    """That is a percentage. A share goes from 0 to 1, so that it can be compared and multiplied; the percent
    sign belongs to the printing."""
    return 100 * coverage(qrels, corpus_ids)


@COVERAGE.mistake("relevant from grade 2 on")
def from_grade_2(qrels, corpus_ids):
    """You count documents as relevant from grade 2 on. By the convention here every grade above 0 counts."""
    stricter = {
        query_id: {doc_id: grade - 1 for doc_id, grade in grades.items()}
        for query_id, grades in qrels.items()
    }
    return coverage(stricter, corpus_ids)


@COVERAGE.mistake("divided by the judged documents of the corpus")
def divides_by_judged_of_the_corpus(qrels, corpus_ids):
    """You divide by the judged documents that the corpus has. Documents that nobody judged for any query are
    missing from your total, and coverage should make them visible: divide by len(corpus_ids)."""
    covered = coverage(qrels, corpus_ids) * len(corpus_ids)
    judged = {doc_id for grades in qrels.values() for doc_id in grades} & corpus_ids
    return covered / len(judged) if judged else 0.0


@COVERAGE.mistake("only grade 1")
def only_grade_1(qrels, corpus_ids):
    """You count documents of grade 1 only. A higher grade is relevant all the more: above 0, not equal
    to 1."""
    ones = {query_id: {d: int(g == 1) for d, g in grades.items()} for query_id, grades in qrels.items()}
    return coverage(ones, corpus_ids)


@COVERAGE.mistake("empty corpus gives 0")
def empty_corpus_gives_zero(qrels, corpus_ids):
    """You give 0 for an empty corpus, as if there were documents and none were reached. There is nothing to
    take a share of: the convention is a ValueError."""
    return coverage(qrels, corpus_ids) if corpus_ids else 0.0


@COVERAGE.mistake("divided by both together")
def divides_by_the_union(qrels, corpus_ids):
    """You divide by the documents of corpus and labels together. A label for a page that is gone then makes
    the whole larger. The whole is the corpus."""
    labelled = {doc_id for grades in qrels.values() for doc_id in grades}
    return coverage(qrels, corpus_ids) * len(corpus_ids) / len(corpus_ids | labelled)


@COVERAGE.mistake("relevant to every query")
def relevant_to_all(qrels, corpus_ids):
    """You count the documents that all queries need. A document is covered as soon as one query needs it: the
    union of the queries' sets, and not what they have in common."""
    sets = [{doc_id for doc_id, grade in grades.items() if grade > 0} for grades in qrels.values()]
    return coverage({"all": dict.fromkeys(set.intersection(*sets) if sets else (), 1)}, corpus_ids)


@COVERAGE.mistake("the number of documents")
def the_number(qrels, corpus_ids):
    """You return how many documents are relevant to some query. Divide by the size of the corpus."""
    return coverage(qrels, corpus_ids) * len(corpus_ids)
