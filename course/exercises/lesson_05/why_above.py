"""Exercise: word by word, why one document stands above another."""

from course.exercises.cases import Case, Mistake
from course.exercises.exercise import Exercise


def why_above(first, second):
    differences = [(term, first.get(term, 0.0) - second.get(term, 0.0)) for term in {**first, **second}]
    return sorted(differences, key=lambda pair: (-pair[1], pair[0]))


def _shared(first, second):
    return [pair for pair in why_above(first, second) if pair[0] in first and pair[0] in second]


def _only_the_first(first, second):
    return [pair for pair in why_above(first, second) if pair[0] in first]


def _first_in_second(first, second):
    return sorted(
        ((term, first[term] - second[term]) for term in first), key=lambda pair: (-pair[1], pair[0])
    )


def _both_ways(first, second):
    return sorted(
        ((term, first[term] - second[term]) for term in {**first, **second}),
        key=lambda pair: (-pair[1], pair[0]),
    )


def _absolute(first, second):
    return sorted(
        ((term, abs(value)) for term, value in why_above(first, second)), key=lambda pair: (-pair[1], pair[0])
    )


def _by_size(first, second):
    return sorted(why_above(first, second), key=lambda pair: (-abs(pair[1]), pair[0]))


def _other_sign(first, second):
    return why_above(second, first)


def _smallest_first(first, second):
    return sorted(why_above(first, second), key=lambda pair: (pair[1], pair[0]))


def _by_term(first, second):
    return sorted(why_above(first, second))


def _not_sorted(first, second):
    return [(term, first.get(term, 0.0) - second.get(term, 0.0)) for term in {**first, **second}]


def _ties_as_they_come(first, second):
    return sorted(_not_sorted(first, second), key=lambda pair: -pair[1])


def _ties_backwards(first, second):
    return sorted(why_above(first, second), key=lambda pair: (pair[1], pair[0]), reverse=True)


def _zeros_dropped(first, second):
    return [pair for pair in why_above(first, second) if pair[1] != 0]


def _only_what_speaks_for_the_first(first, second):
    return [pair for pair in why_above(first, second) if pair[1] > 0]


def _sum(first, second):
    both = ((term, first.get(term, 0.0) + second.get(term, 0.0)) for term in {**first, **second})
    return sorted(both, key=lambda pair: (-pair[1], pair[0]))


WHY_ABOVE = Exercise(
    name="WHY_ABOVE",
    task="""\
Write `why_above(first, second)`: word by word, why the first document has a higher score than the second.

Both are ledgers `{term: score}`, as `term_scores` returns them. The result is a list of pairs (term, difference), where a difference is \
what the term brings to the first less what it brings to the second. They add up to the difference of the two scores.

**Convention**: every term of either ledger has a pair, also where the difference is 0 or speaks for the second; a ledger without the \
term counts 0. The largest difference comes first, the most negative last; equal ones by term, from a to z.""",
    reference=why_above,
    cases=(
        Case(({"disk": 2.0}, {"disk": 0.5}), "both have the word; it brings the first document 1.5 more"),
        Case(
            ({"disk": 2.0}, {"full": 0.5}),
            "each has a word that the other lacks, and both words belong to the story",
        ),
        Case(
            ({"full": 1.5, "disk": 1.0}, {"full": 0.5, "disk": 2.5}),
            "`disk` speaks for the second document: −1.5, and last",
        ),
        Case(
            ({"disk": 1.0, "full": 0.5}, {"disk": 1.0}),
            "`disk` brings both the same; the pair (disk, 0) says so",
        ),
        Case(({"pod": 1.0, "disk": 1.0, "full": 1.0}, {}), "equal differences stand from a to z"),
        Case(
            ({}, {"pod": 1.0, "disk": 1.0}),
            "the first document has none of the words; equal differences stand from a to z",
        ),
        Case(({"disk": 0.5}, {"disk": 2.0}), "asked the wrong way round, the differences are negative"),
        Case(
            ({"disk": 1.0}, {"the": -0.5}),
            "in some variants a word lowers a score: the second lost 0.5 by `the`",
        ),
        Case(
            ({"full": 0.5, "disk": 0.5}, {"full": 0.5, "disk": 0.5}),
            "two equal documents: nothing decides, and every word says so",
        ),
        Case(
            ({"old": 0.5, "cfg": 3.0, "min": 1.0}, {"min": 1.0, "flag": 2.0, "old": 1.0, "age": 0.5}),
            "five words, of which two differ by the same",
        ),
        Case(({}, {}), "no document has a word of the query"),
    ),
    hints=(
        "Two accounts are compared line by line. First: which lines are there, if one of the two may lack a word?",
        "{**first, **second} has every word of either. first.get(term, 0.0) is what the word brings, 0 where the ledger lacks it.",
        "Make a list of (term, first.get(term, 0.0) - second.get(term, 0.0)) for the words of either, and return it sorted with "
        "key=lambda pair: (-pair[1], pair[0]).",
    ),
    mistakes=(
        Mistake(
            "only shared words",
            _shared,
            "You compare only the words that both documents have. Most rankings are decided by a word that one of them lacks, and your "
            "differences no longer add up to the difference of the scores.",
        ),
        Mistake(
            "only the first's words",
            _only_the_first,
            "You go through the words of the first document. Those that only the second has speak against it, and are missing from the "
            "sum. Take the words of both.",
        ),
        Mistake(
            "missing word raises",
            _first_in_second,
            "You go through the first ledger and look each word up in the second, which may lack it. A word without a line brings 0; and "
            "the second may have words that the first lacks.",
        ),
        Mistake(
            "missing word raises, on either side",
            _both_ways,
            "You take the words of both, but look each up in both ledgers, and one may lack it. A word without a line brings 0: "
            "first.get(term, 0.0).",
        ),
        Mistake(
            "absolute differences",
            _absolute,
            "You take the size of each difference, so nobody sees for which document a word speaks, and the sum is not the difference of "
            "the scores. Keep the sign.",
        ),
        Mistake(
            "sorted by size",
            _by_size,
            "You sort by size, whichever way a word speaks. Here what speaks for the first document stands at the top and what speaks "
            "against it at the bottom: sort by the difference itself.",
        ),
        Mistake(
            "wrong sign",
            _other_sign,
            "You subtract the first from the second. Asked is why the first stands above, so what speaks for it is positive.",
        ),
        Mistake(
            "smallest first",
            _smallest_first,
            "Your list begins with what speaks against the first document. Its reader asks why it stands above, and wants the strongest "
            "reason first.",
        ),
        Mistake(
            "sorted by term",
            _by_term,
            "You sort from a to z. That is for equal differences only; the word that decides should be read first.",
        ),
        Mistake(
            "not sorted",
            _not_sorted,
            "Your differences are right and stand in the order of the ledgers. The word that decides should be read first.",
        ),
        Mistake(
            "ties in the order of the ledgers",
            _ties_as_they_come,
            "Words with equal differences keep the order in which they came, and that depends on the query. A report that is made twice "
            "should read the same: equal ones from a to z.",
        ),
        Mistake(
            "ties from z to a",
            _ties_backwards,
            "Words with equal differences stand from z to a: reverse=True turns both parts of your key. Turn the number alone, with a "
            "minus.",
        ),
        Mistake(
            "zeros dropped",
            _zeros_dropped,
            "You drop words with a difference of 0. That such a word, often the topic itself, does not decide is worth reading; the "
            "convention keeps it.",
        ),
        Mistake(
            "only what speaks for the first",
            _only_what_speaks_for_the_first,
            "You keep only what speaks for the first document. What speaks against it belongs to the account: without it the sum is "
            "larger than the difference of the scores.",
        ),
        Mistake(
            "added up",
            _sum,
            "You add the two ledgers. That tells how much a word brings to both; why one is above the other is told by the difference.",
        ),
    ),
)
