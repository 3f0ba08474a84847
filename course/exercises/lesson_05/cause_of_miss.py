"""Exercise: the one cause for which a relevant document was missed."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(grade > 0 for grade in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) & set(passage)) - set(stopwords):
        return "vocabulary gap"
    return "outweighed"


STOP = {"is", "the"}

CAUSE_OF_MISS = Exercise(
    name="CAUSE_OF_MISS",
    task="""\
Write `cause_of_miss(query, passage, stopwords, above, whole_rank, k)`: the one cause for which a relevant \
document is not within the first k.

`query` and `passage` (the part of the document that answers) are lists of words; `passage` is None where \
the corpus lacks the document. `stopwords` is a set. `above` has the grades of the documents above it, \
unjudged ones as 0; None if it was not retrieved. `whole_rank` is its rank when documents are indexed whole, \
or None.

**Convention**: the first that holds. No passage, or an empty one: `"not in the corpus"`. Within the first \
k: None, no miss. Every grade above is 1 or more: `"cut by the budget"`. Whole, it is within k: `"lost in \
chunking"`. No shared word but stopwords: `"vocabulary gap"`. Else: `"outweighed"`.""",
    reference=cause_of_miss,
    cases=(
        Case(
            (["is", "disk"], ["disk"], STOP, [0, 0, 1], 5, 3),
            "rank 4 with k = 3, words are shared, and useless pages stand above",
        ),
        Case(
            (["the", "outage"], ["downtime"], STOP, [0, 0, 1, 0], None, 3),
            "`outage` is not `downtime`: no word is shared",
        ),
        Case(
            (["the", "outage"], ["the", "downtime"], STOP, [0, 0, 0], 5, 3),
            "to share `the` is to share nothing",
        ),
        Case(
            (["disk"], ["disk"], STOP, [1, 2, 1], 4, 3),
            "three places, and three relevant documents hold them: no engine does better",
        ),
        Case(
            (["disk"], ["disk"], STOP, [0, 1, 0], 2, 3),
            "as a whole document it would stand at rank 2: the cut lost it",
        ),
        Case((["disk"], ["disk"], STOP, [0, 1, 0], 3, 3), "rank 3 is within the first 3"),
        Case(
            (["disk"], None, STOP, None, None, 3), "what was never indexed cannot be found; all else is idle"
        ),
        Case((["disk"], [], STOP, None, None, 3), "a document without text is as good as none"),
        Case(
            (["the", "outage"], ["downtime"], STOP, None, None, 3),
            "not retrieved at all, since no word is shared",
        ),
        Case(
            (["disk"], ["disk"], STOP, None, 2, 3),
            "its text is in no chunk, and whole it would stand at rank 2",
        ),
        Case(
            (["disk"], ["disk"], STOP, None, None, 3),
            "not retrieved although a word is shared: the list was cut above it",
        ),
        Case(
            (["the", "outage"], ["downtime"], STOP, [1, 1, 2], 5, 3),
            "no shared word, yet only relevant pages stand above: the budget",
        ),
        Case(
            (["the", "outage"], ["downtime"], STOP, [0, 0, 0], 2, 3),
            "whole, the other words of its page bring it within k",
        ),
        Case(
            (["disk"], ["disk"], STOP, [1, 1, 1], 2, 3),
            "chunking moves it, but the places above are all well used: the budget",
        ),
        Case((["disk"], ["disk"], STOP, [0, 0], 5, 3), "rank 3 of 3 is no miss, so there is no cause"),
        Case((["disk", "full"], ["disk"], STOP, [0, 0, 0], 5, 3), "one shared word is enough for no gap"),
    ),
    hints=(
        "It is a row of questions, and the first yes ends it. `return` inside an `if` does that; no `else` "
        "is needed.",
        "Its rank is len(above) + 1, where it was retrieved. all(grade > 0 for grade in above) asks for "
        "the budget. set(query) & set(passage) are the shared words; what is left of them without the "
        "stopwords?",
        "if not passage: …; if above is not None and len(above) < k: return None; if above is not None and "
        "all(…): …; if whole_rank is not None and whole_rank <= k: …; if not (set(query) & set(passage)) - "
        'set(stopwords): …; return "outweighed".',
    ),
)


def _gap(query, passage, stopwords):
    return not (set(query) & set(passage)) - set(stopwords)


@CAUSE_OF_MISS.mistake("gap before chunking")
def gap_before_chunking(query, passage, stopwords, above, whole_rank, k):
    """You ask for shared words before you ask for chunking. But the whole page is within k, by words outside
    the passage: a larger chunk repairs this miss, and no synonym is needed."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return "vocabulary gap" if cause == "lost in chunking" and _gap(query, passage, stopwords) else cause


@CAUSE_OF_MISS.mistake("gap before the budget")
def gap_first(query, passage, stopwords, above, whole_rank, k):
    """You ask for shared words first. But where only relevant documents stand above, a synonym would push one
    of them out: k is too small, and that is asked before anything about words."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    too_early = cause in ("cut by the budget", "lost in chunking") and _gap(query, passage, stopwords)
    return "vocabulary gap" if too_early else cause


@CAUSE_OF_MISS.mistake("chunking before the budget")
def chunking_before_budget(query, passage, stopwords, above, whole_rank, k):
    """You ask for chunking before the budget. But where every document above is relevant, another cut only
    changes which of them is left out. k is too small."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    if cause == "cut by the budget" and whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    return cause


@CAUSE_OF_MISS.mistake("stopwords counted as overlap")
def stopwords_are_overlap(query, passage, stopwords, above, whole_rank, k):
    """You count a shared `the` as a shared word. Nearly every page shares one with nearly every query, so no
    gap would ever be seen. Take the stopwords out."""
    return cause_of_miss(query, passage, (), above, whole_rank, k)


@CAUSE_OF_MISS.mistake("rank k not within k")
def rank_k_is_out(query, passage, stopwords, above, whole_rank, k):
    """You ask whether the whole document's rank is below k. Rank k is the last of the first k places:
    whole_rank <= k."""
    return cause_of_miss(query, passage, stopwords, above, None if whole_rank == k else whole_rank, k)


@CAUSE_OF_MISS.mistake("rank k + 1 taken for found")
def a_miss_is_found(query, passage, stopwords, above, whole_rank, k):
    """With k documents above it, a document stands at rank k + 1, and that is a miss. Its rank is len(above)
    + 1."""
    found = passage and above is not None and len(above) <= k
    return None if found else cause_of_miss(query, passage, stopwords, above, whole_rank, k)


@CAUSE_OF_MISS.mistake("found documents get a cause")
def without_the_question_of_found(query, passage, stopwords, above, whole_rank, k):
    """You give a cause to a document that is within the first k. With fewer than k documents above it is no
    miss, and a summary that counts it blames the engine for nothing."""
    if above is not None and len(above) < k and passage and not all(grade > 0 for grade in above):
        return cause_of_miss(query, passage, stopwords, None, whole_rank, k)
    return cause_of_miss(query, passage, stopwords, above, whole_rank, k)


@CAUSE_OF_MISS.mistake("grades not asked")
def grades_not_asked(query, passage, stopwords, above, whole_rank, k):
    """You call every retrieved document cut by the budget. A larger k brings any of them back; but where
    useless pages hold places, the order is at fault. Ask for the grades above."""
    return cause_of_miss(query, passage, stopwords, above and [1] * len(above), whole_rank, k)


@CAUSE_OF_MISS.mistake("any instead of all")
def any_instead_of_all(query, passage, stopwords, above, whole_rank, k):
    """One relevant document above is enough for you. The budget is to blame only if all the places above are
    well used; one useless page there could make room."""
    any_is_all = above and [max(above)] * len(above)
    return cause_of_miss(query, passage, stopwords, any_is_all, whole_rank, k)


@CAUSE_OF_MISS.mistake("only grade 1 is relevant")
def only_grade_1(query, passage, stopwords, above, whole_rank, k):
    """You take only grade 1 for relevant, and so grade 2, the full answer, for a useless page. Relevant is 1
    or more."""
    only_1 = above and [int(grade == 1) for grade in above]
    return cause_of_miss(query, passage, stopwords, only_1, whole_rank, k)


@CAUSE_OF_MISS.mistake("not retrieved raises")
def needs_a_ranking(query, passage, stopwords, above, whole_rank, k):
    """You count the documents above without asking whether there is a ranking to count in: `above` is None
    where the document was not retrieved at all."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return cause if not passage or len(above) else None


@CAUSE_OF_MISS.mistake("not retrieved taken for a gap")
def not_retrieved_is_a_gap(query, passage, stopwords, above, whole_rank, k):
    """You take what was not retrieved for a gap in vocabulary. The list may have been cut above it, here it
    shares a word. Look at the words themselves."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return "vocabulary gap" if above is None and cause == "outweighed" else cause


@CAUSE_OF_MISS.mistake("no text taken for a gap")
def empty_is_a_gap(query, passage, stopwords, above, whole_rank, k):
    """You ask whether the passage is None. An empty one shares no word with any query, but a synonym will not
    help: there is no text. `if not passage` asks for both."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return "vocabulary gap" if passage == [] else cause


@CAUSE_OF_MISS.mistake("no whole rank raises")
def needs_a_whole_rank(query, passage, stopwords, above, whole_rank, k):
    """You compare whole_rank with k without asking whether there is one: None means that the whole document
    is not found either."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return cause if cause in ("not in the corpus", None, "cut by the budget") or whole_rank + 0 else None


@CAUSE_OF_MISS.mistake("a gap as soon as one word is missing")
def every_word_needed(query, passage, stopwords, above, whole_rank, k):
    """You call it a gap as soon as one word of the query is missing from the passage. Nearly every query has
    such a word. A gap means that none is shared; else the document scored, and was outweighed."""
    cause = cause_of_miss(query, passage, stopwords, above, whole_rank, k)
    return "vocabulary gap" if cause == "outweighed" and set(query) - set(stopwords) - set(passage) else cause
