"""Exercise: click rates of documents, corrected for the chance that their rank is looked at."""

from collections import Counter

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def corrected_rates(log, looked):
    shown, weighted = Counter(), Counter()
    for doc_id, rank, clicked in log:
        shown[doc_id] += 1
        if clicked:
            weighted[doc_id] += 1 / looked[rank]
    return {doc_id: weighted[doc_id] / shown[doc_id] for doc_id in shown}


LOOKED = {1: 1.0, 2: 0.5, 3: 0.25}

CORRECTED_RATES = Exercise(
    name="CORRECTED_RATES",
    task="""\
Section 1 divided the clicks by the chance of being looked at. Here a document may be shown at several ranks.

Write `corrected_rates(log, looked)`. It returns how often each document is clicked by those who see it. \
`log` is a list of (doc_id, rank, clicked), with one entry for each time that a document was shown; clicked \
is True or False. `looked` is `{rank: chance}`, the chance that somebody looks at that rank.

```
>>> corrected_rates([("d1", 1, True), ("d1", 1, False), ("d2", 2, True), ("d2", 2, False)], {1: 1.0, 2: 0.5})
{'d1': 0.5, 'd2': 1.0}
```

**Convention** (inverse propensity weighting): a click counts 1 / (the chance of its own rank), because \
only that share of those who would have clicked looked. The rate of a document is the sum over its clicks, \
divided by the number of times it was shown. A document without a click has the rate 0. A rate may be above \
1 by luck; leave it so. Every rank in the log is in `looked`.""",
    reference=corrected_rates,
    cases=(
        Case(
            ([("a", 1, True), ("a", 1, False)], LOOKED),
            "everybody looks at rank 1, so the rate is that of the clicks",
        ),
        Case(
            ([("a", 2, True), ("a", 2, False), ("a", 2, False), ("a", 2, False)], LOOKED),
            "one click of four; half of the four were seen, so the click counts as two",
        ),
        Case(([("a", 1, False)], LOOKED), "shown, seen and not clicked: 0"),
        Case(([("a", 3, True)], LOOKED), "one click at rank 3 counts as four, so a rate may be above 1"),
        Case(
            ([("a", 1, True), ("a", 3, False), ("a", 3, True)], LOOKED),
            "divide each click by the chance of its own rank: (1 + 4) / 3",
        ),
        Case(
            ([("a", 1, False), ("a", 2, True)], LOOKED),
            "shown twice: the time without a click counts in the divisor",
        ),
        Case(
            ([("a", 1, True), ("b", 2, True), ("b", 2, False)], LOOKED),
            "two documents: b has one click of two, at a rank where half look",
        ),
        Case(
            (
                [
                    ("d9", 1, True),
                    ("d10", 3, True),
                    ("d2", 2, False),
                    ("d9", 2, True),
                    ("d10", 1, False),
                    ("d10", 2, True),
                    ("d9", 3, False),
                    ("d2", 3, False),
                    ("d10", 3, False),
                ],
                {1: 0.9, 2: 0.7, 3: 0.3},
            ),
            "d10: (1/0.3 + 1/0.7) / 4; d9: (1/0.9 + 1/0.7) / 3; d2 was shown twice and has no click",
        ),
        Case(
            ([("b", 2, True), ("a", 1, False), ("a", 1, True), ("b", 1, False)], {1: 0.8, 2: 0.4}),
            "not everybody looks at rank 1 either, if `looked` says so",
        ),
        Case(([], LOOKED), "nothing was shown"),
        Case(([("a", 2, 1), ("a", 2, 0)], LOOKED), "1 and 0 are True and False"),
        Case(
            ([("c", 3, False), ("a", 1, True), ("c", 2, True), ("a", 2, True), ("c", 3, False)], LOOKED),
            "a: (1 + 2) / 2; c: 2 / 3",
        ),
    ),
    hints=(
        "Keep two sums for each document: how often it was shown, and what its clicks are worth. To which of "
        "the two does a showing without a click add?",
        "Make shown and weighted, both Counter(). For each entry of the log add 1 to shown; if it was "
        "clicked, add 1 / looked[rank] to weighted.",
        "weighted[doc_id] += 1 / looked[rank] if clicked, shown[doc_id] += 1 always. Then {doc_id: "
        "weighted[doc_id] / shown[doc_id] for doc_id in shown}.",
    ),
    difficulty=1,
    minutes=10,
    further="A click at a rank that one person in fifty looks at counts as fifty. How does that affect the "
    "rate?",
)


def _rates(log, looked, weight=lambda chance: 1 / chance, shows=lambda chance, clicked: 1, last=None):
    """The reference with one part exchanged."""
    shown, weighted = Counter(), Counter()
    for doc_id, rank, clicked in log:
        shown[doc_id] += shows(looked[rank], clicked)
        weighted[doc_id] += weight(looked[rank]) if clicked else 0
    return (last or _divided)(weighted, shown)


def _divided(weighted, shown):
    return {doc_id: weighted[doc_id] / shown[doc_id] if shown[doc_id] else 0.0 for doc_id in shown}


@CORRECTED_RATES.mistake("not corrected")
def not_corrected(log, looked):
    """You give the plain click rate. Those who did not look could not click: a click at a rank that half look
    at counts as two."""
    return _rates(log, looked, weight=lambda chance: 1)


@CORRECTED_RATES.mistake("multiplied by the chance")
def multiplied(log, looked):
    """You multiply by the chance of being looked at. The clicks have been through that chance already; to
    undo it, divide."""
    return _rates(log, looked, weight=lambda chance: chance)


@CORRECTED_RATES.mistake("divided by those who looked")
def by_those_who_looked(log, looked):
    """You divide the clicks by the number of those who looked, all ranks together. That is a valid estimate
    too, but another one: for a document shown at several ranks it differs. The convention weighs each click
    by its own rank, and divides by the number of times the document was shown."""
    return _rates(log, looked, weight=lambda chance: 1, shows=lambda chance, clicked: chance)


@CORRECTED_RATES.mistake("corrected twice")
def corrected_twice(log, looked):
    """You weigh the clicks and divide by those who looked. Each of the two corrects; together they correct
    twice."""
    return _rates(log, looked, shows=lambda chance, clicked: chance)


@CORRECTED_RATES.mistake("mean over the clicks")
def over_the_clicks(log, looked):
    """You divide by the number of clicks. A showing without a click says something as well: divide by the
    number of times the document was shown."""
    return _rates(log, looked, shows=lambda chance, clicked: 1 if clicked else 0)


@CORRECTED_RATES.mistake("not divided")
def not_divided(log, looked):
    """You add up what the clicks are worth, and do not divide. A document that is shown often would be the
    best."""
    return _rates(log, looked, last=lambda weighted, shown: {doc_id: weighted[doc_id] for doc_id in shown})


@CORRECTED_RATES.mistake("without a click left out")
def without_clicks_left_out(log, looked):
    """You leave out documents that nobody clicked. They were shown, and a rate of 0 is what we know of
    them."""
    return {doc_id: rate for doc_id, rate in corrected_rates(log, looked).items() if rate}


@CORRECTED_RATES.mistake("cut off at 1")
def cut_at_one(log, looked):
    """You cut rates off at 1. In a short log luck goes both ways; if you cut off only one way, you are wrong
    on average."""
    return {doc_id: min(rate, 1.0) for doc_id, rate in corrected_rates(log, looked).items()}


@CORRECTED_RATES.mistake("divided by the weights of all showings")
def by_all_weights(log, looked):
    """You divide by the sum of 1 / chance over all showings. Only the clicks are weighed; a rate is divided
    by the number of times that the document was shown."""
    return _rates(log, looked, shows=lambda chance, clicked: 1 / chance)


@CORRECTED_RATES.mistake("one showing at each rank")
def one_showing_at_each_rank(log, looked):
    """Of several showings of a document at one rank only the last counts. Each entry of the log is a showing
    of its own: count them all."""
    last = {(doc_id, rank): clicked for doc_id, rank, clicked in log}
    return corrected_rates([(doc_id, rank, clicked) for (doc_id, rank), clicked in last.items()], looked)


@CORRECTED_RATES.mistake("one showing of each document")
def one_showing_of_each(log, looked):
    """Of several showings of a document only the last counts. Each entry of the log is a showing of its own:
    count them all."""
    last = {doc_id: (rank, clicked) for doc_id, rank, clicked in log}
    return corrected_rates([(doc_id, rank, clicked) for doc_id, (rank, clicked) in last.items()], looked)


@CORRECTED_RATES.mistake("equal entries once")
def equal_entries_once(log, looked):
    """Entries of the log that are the same count once. Each is a showing of its own: the same document may be
    shown at the same rank again, and be clicked again."""
    return corrected_rates(list(dict.fromkeys(log)), looked)


@CORRECTED_RATES.mistake("divided by the ranks")
def by_the_ranks(log, looked):
    """You divide by the number of different ranks at which the document stood. Divide by the times that it
    was shown."""
    shown = Counter(doc_id for doc_id, _, _ in log)
    ranks = Counter(doc_id for doc_id, _ in {(doc_id, rank) for doc_id, rank, _ in log})
    return {d: rate * shown[d] / ranks[d] for d, rate in corrected_rates(log, looked).items()}


@CORRECTED_RATES.mistake("mean over the ranks")
def mean_over_the_ranks(log, looked):
    """You compute a rate at each rank and take the mean of these. A rank at which a document was shown once
    then counts as much as one where it stood a hundred times: add up over all showings."""
    at_ranks = {}
    for (doc_id, _), rate in corrected_rates([((d, r), r, c) for d, r, c in log], looked).items():
        at_ranks.setdefault(doc_id, []).append(rate)
    return {doc_id: sum(rates) / len(rates) for doc_id, rates in at_ranks.items()}


@CORRECTED_RATES.mistake("relative to the first rank")
def relative_to_the_first(log, looked):
    """You weigh a click by the chance of rank 1 over that of its own rank. But not everybody has to look at
    rank 1 either: the weight is 1 over the chance."""
    return corrected_rates(log, {rank: chance / looked[1] for rank, chance in looked.items()})


@CORRECTED_RATES.mistake("share of all weights")
def share_of_all_weights(log, looked):
    """You divide by what all clicks of the log are worth, so that the rates add up to 1. Divide each
    document's sum by the number of times that document was shown."""
    return _rates(
        log, looked,
        last=lambda weighted, shown: {
            doc_id: weighted[doc_id] / (sum(weighted.values()) or 1) for doc_id in shown
        },
    )  # fmt: skip


@CORRECTED_RATES.mistake("only times not clicked below the line")
def by_times_not_clicked(log, looked):
    """You divide by the number of showings without a click. Divide by all showings of the document, clicked
    or not."""
    return _rates(log, looked, shows=lambda chance, clicked: 0 if clicked else 1)


@CORRECTED_RATES.mistake("a click taken off without a click")
def minus_without_a_click(log, looked):
    """A showing without a click lowers your sum. It should add nothing to the sum, and count only in the
    divisor."""
    others = _rates([(doc_id, rank, not clicked) for doc_id, rank, clicked in log], looked)
    return {doc_id: rate - others[doc_id] for doc_id, rate in corrected_rates(log, looked).items()}


@CORRECTED_RATES.mistake("the last rank for all")
def last_rank_for_all(log, looked):
    """You divide all clicks of a document by the chance of one rank. It was shown at several: divide each
    click by the chance of its own rank."""
    ranks = {doc_id: rank for doc_id, rank, _ in log}
    return corrected_rates([(doc_id, ranks[doc_id], clicked) for doc_id, _, clicked in log], looked)


@CORRECTED_RATES.mistake("1 / rank for the chance")
def one_over_rank(log, looked):
    """You take 1 / rank for the chance. That was so in this lesson's simulation, but here the chances are
    given as `looked`."""
    return corrected_rates(log, {rank: 1 / rank for rank in looked})


@CORRECTED_RATES.mistake("mean chance")
def mean_chance(log, looked):
    """You divide the click rate by the mean chance of the ranks in `looked`. Each click has a rank of its
    own, and that rank its chance."""
    chance = sum(looked.values()) / len(looked)
    return corrected_rates(log, dict.fromkeys(looked, chance))


@CORRECTED_RATES.mistake("divided by the whole log")
def by_the_whole_log(log, looked):
    """You divide by the length of the log. Divide each document's sum by the number of times that document
    was shown."""
    return _rates(
        log, looked, last=lambda weighted, shown: {doc_id: weighted[doc_id] / len(log) for doc_id in shown}
    )


@CORRECTED_RATES.mistake("divided by the number of documents")
def by_the_documents(log, looked):
    """You divide by the number of documents. Divide each one's sum by the number of times it was shown."""
    return _rates(
        log, looked, last=lambda weighted, shown: {doc_id: weighted[doc_id] / len(shown) for doc_id in shown}
    )


@CORRECTED_RATES.mistake("1 minus the chance")
def one_minus_the_chance(log, looked):
    """You weigh a click by 1 minus the chance that its rank was looked at. It stands for 1 / chance
    clicks, as many as there would be if everybody had looked."""
    return _rates(log, looked, weight=lambda chance: 1 - chance)


@CORRECTED_RATES.mistake("only the last click")
def only_the_last_click(log, looked):
    """You keep one click of each document, the last: the earlier ones are overwritten. Add them up."""
    last = {doc_id: place for place, (doc_id, _, clicked) in enumerate(log) if clicked}
    kept = [(doc_id, rank, last.get(doc_id) == place) for place, (doc_id, rank, _) in enumerate(log)]
    return corrected_rates(kept, looked)
