"""Exercise: word by word, why one document is above another."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def why_above(first, second):
    differences = [(term, first.get(term, 0.0) - second.get(term, 0.0)) for term in {**first, **second}]
    return sorted(differences, key=lambda pair: (-pair[1], pair[0]))


WHY_ABOVE = Exercise(
    name="WHY_ABOVE",
    task="""\
Write `why_above(first, second)`: word by word, why the first document has a higher score than the second.

Both arguments are ledgers `{term: score}`, as `term_scores` returns them. Return a list of pairs (term, \
difference). Each difference is what the term contributes to the first score minus what it contributes to \
the second. Together they add up to the difference of the two scores.

**Convention**: every term of either ledger has a pair, even if its difference is 0 or negative. A term \
that a ledger lacks counts as 0 there. The largest difference comes first and the most negative last; equal \
differences are sorted by term, from a to z.""",
    reference=why_above,
    cases=(
        Case(({"disk": 2.0}, {"disk": 0.5}), "both have the word; it gives the first document 1.5 more"),
        Case(
            ({"disk": 2.0}, {"full": 0.5}),
            "each has a word that the other lacks, and both words count",
        ),
        Case(
            ({"full": 1.5, "disk": 1.0}, {"full": 0.5, "disk": 2.5}),
            "`disk` speaks for the second document: −1.5, so it comes last",
        ),
        Case(
            ({"disk": 1.0, "full": 0.5}, {"disk": 1.0}),
            "`disk` gives both the same; the pair (disk, 0) says so",
        ),
        Case(({"pod": 1.0, "disk": 1.0, "full": 1.0}, {}), "equal differences are sorted from a to z"),
        Case(
            ({}, {"pod": 1.0, "disk": 1.0}),
            "the first document has none of the words; equal differences are sorted from a to z",
        ),
        Case(
            (
                {
                    "pod": 1.41421,
                    "the": 0.25,
                    "log": 10.125,
                    "full": 2.71828,
                    "new": 0.25,
                    "max": 9.5,
                    "disk": 0.5,
                },
                {"log": 0.125, "cfg": 10.0, "disk": 0.25, "the": 0.0, "age": 9.25, "full": 2.71828},
            ),
            "nine words, of which `disk`, `new` and `the` differ by the same; 10 is more than 9.5",
        ),
        Case(({"disk": 0.5}, {"disk": 2.0}), "asked the wrong way round, the differences are negative"),
        Case(
            ({"disk": 1.0}, {"the": -0.5}),
            "in some variants a word lowers a score: `the` cost the second document 0.5",
        ),
        Case(
            ({"full": 0.5, "disk": 0.5}, {"full": 0.5, "disk": 0.5}),
            "two equal documents: every difference is 0",
        ),
        Case(
            ({"old": 0.5, "cfg": 3.0, "min": 1.0}, {"min": 1.0, "flag": 2.0, "old": 1.0, "age": 0.5}),
            "five words, of which two differ by the same",
        ),
        Case(({}, {}), "neither document has a word of the query"),
    ),
    hints=(
        "You compare two accounts line by line. First decide which lines there are, since either account "
        "may lack a word.",
        "{**first, **second} has every word of either. first.get(term, 0.0) is what the word "
        "contributes, 0 where the ledger lacks it.",
        "Make a list of (term, first.get(term, 0.0) - second.get(term, 0.0)) for the words of either, and "
        "return it sorted with key=lambda pair: (-pair[1], pair[0]).",
    ),
)


def _best_first(pairs):
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


@WHY_ABOVE.mistake("only shared words")
def shared(first, second):
    """You compare only the words that both documents have. Most rankings are decided by a word that one of
    them lacks, and your differences no longer add up to the difference of the scores."""
    return [pair for pair in why_above(first, second) if pair[0] in first and pair[0] in second]


@WHY_ABOVE.mistake("only the first's words")
def only_the_first(first, second):
    """You go through the words of the first document. Those that only the second has speak against it, and
    are missing from the sum. Take the words of both."""
    return [pair for pair in why_above(first, second) if pair[0] in first]


@WHY_ABOVE.mistake("missing word raises")
def first_in_second(first, second):
    """You go through the first ledger and look each word up in the second, which may lack it. A word without
    a line counts as 0; and the second may have words that the first lacks."""
    return _best_first((term, first[term] - second[term]) for term in first)


@WHY_ABOVE.mistake("missing word raises, on either side")
def both_ways(first, second):
    """You take the words of both, but look each up in both ledgers, and one may lack it. A word without a
    line counts as 0: first.get(term, 0.0)."""
    return _best_first((term, first[term] - second[term]) for term in {**first, **second})


@WHY_ABOVE.mistake("absolute differences")
def absolute(first, second):
    """You take the absolute difference, so nobody sees for which document a word speaks, and the sum is
    not the difference of the scores. Keep the sign."""
    return _best_first((term, abs(value)) for term, value in why_above(first, second))


@WHY_ABOVE.mistake("sorted by size")
def by_size(first, second):
    """You sort by size, whichever way a word speaks. Here what speaks for the first document comes at the
    top and what speaks against it at the bottom: sort by the difference itself."""
    return sorted(why_above(first, second), key=lambda pair: (-abs(pair[1]), pair[0]))


@WHY_ABOVE.mistake("wrong sign")
def other_sign(first, second):
    """You subtract the first from the second. The question is why the first is above, so what speaks for
    it is positive."""
    return why_above(second, first)


@WHY_ABOVE.mistake("smallest first")
def smallest_first(first, second):
    """Your list begins with the smallest difference. Whoever reads it asks why the first document is above,
    and wants the strongest reason first."""
    return sorted(why_above(first, second), key=lambda pair: (pair[1], pair[0]))


@WHY_ABOVE.mistake("sorted by term")
def by_term(first, second):
    """You sort from a to z. That is for equal differences only; the word that decides should be read
    first."""
    return sorted(why_above(first, second))


@WHY_ABOVE.mistake("not sorted")
def not_sorted(first, second):
    """Your differences are in the order of the ledgers. The word that decides should be read first."""
    return [(term, first.get(term, 0.0) - second.get(term, 0.0)) for term in {**first, **second}]


@WHY_ABOVE.mistake("ties in the order of the ledgers")
def ties_as_they_come(first, second):
    """Words with equal differences keep the order in which they came, and that depends on the query. A report
    that is made twice should read the same, so sort equal ones from a to z."""
    return sorted(not_sorted(first, second), key=lambda pair: -pair[1])


@WHY_ABOVE.mistake("ties from z to a")
def ties_backwards(first, second):
    """Words with equal differences are sorted from z to a: reverse=True reverses both parts of your key.
    Reverse only the number, with a minus."""
    return sorted(why_above(first, second), key=lambda pair: (pair[1], pair[0]), reverse=True)


@WHY_ABOVE.mistake("zeros dropped")
def zeros_dropped(first, second):
    """You drop words with a difference of 0. It is worth knowing that such a word, often the topic itself,
    does not decide; the convention keeps it."""
    return [pair for pair in why_above(first, second) if pair[1] != 0]


@WHY_ABOVE.mistake("only what speaks for the first")
def only_what_speaks_for_the_first(first, second):
    """You keep only what speaks for the first document. What speaks against it is part of the account:
    without it the sum is larger than the difference of the scores."""
    return [pair for pair in why_above(first, second) if pair[1] > 0]


@WHY_ABOVE.mistake("added up")
def added_up(first, second):
    """You add the two ledgers. That shows how much a word contributes to both; only the difference shows why
    one is above the other."""
    both = ((term, first.get(term, 0.0) + second.get(term, 0.0)) for term in {**first, **second})
    return sorted(both, key=lambda pair: (-pair[1], pair[0]))


@WHY_ABOVE.mistake("what speaks against the first left out")
def negative_left_out(first, second):
    """You leave out what speaks for the second. The list must add up to the difference of the scores, so
    it needs the negative ones too."""
    return [pair for pair in why_above(first, second) if pair[1] >= 0]


@WHY_ABOVE.mistake("a ratio")
def ratio(first, second):
    """You divide. Scores are sums of parts, so subtract one part from the other."""
    return _best_first(
        (term, first.get(term, 0) / (second.get(term, 0) or 1)) for term in {**first, **second}
    )


@WHY_ABOVE.mistake("the second's own words with a plus")
def second_with_a_plus(first, second):
    """You count a word that only the second document has in favour of the first. It speaks against the
    first: 0 minus what it contributes to the second."""
    return _best_first(
        (term, difference if term in first else -difference) for term, difference in why_above(first, second)
    )
