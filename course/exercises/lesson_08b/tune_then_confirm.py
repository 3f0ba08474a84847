"""Exercise: a weight chosen on some queries, and what it gains on others."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def tune_then_confirm(dev, test):
    if dev[0].keys() & test[0].keys():
        raise ValueError("a query stands in both")
    means = {alpha: sum(scores.values()) / len(scores) for alpha, scores in dev.items()}
    alpha = max(means, key=lambda alpha: (means[alpha], -abs(alpha - 0.5), -alpha))
    gain = sum(test[alpha].values()) - sum(test[0].values())
    return alpha, gain / len(test[0])


def _table(first, **scores):
    """{alpha: {query_id: score}} from lists; `a25` stands for alpha 0.25, query ids count from `first`."""
    return {
        int(name[1:]) / 100: {f"q{first + place}": value for place, value in enumerate(values)}
        for name, values in scores.items()
    }


DEV = _table(1, a0=[0.5, 0.25], a50=[0.75, 0.5], a100=[0.25, 0.5])
TEST = _table(11, a0=[0.5, 0.5], a50=[0.5, 0.75], a100=[1.0, 1.0])
BEST_AT_1 = _table(1, a0=[0.5, 0.25], a50=[0.5, 0.5], a100=[0.25, 1.0])
LOWER = _table(11, a0=[0.75, 0.5], a50=[0.75, 0.75], a100=[0.25, 0.5])
TIE = _table(1, a0=[0.0, 0.5], a25=[0.5, 0.5], a75=[0.25, 0.75], a100=[0.75, 0.25])
ON_TIE = _table(11, a0=[0.25], a25=[0.5], a75=[1.0], a100=[0.75])
AT_END = _table(1, a100=[0.5], a75=[0.5], a25=[0.25], a0=[0.5])
ON_END = _table(11, a100=[0.25], a75=[1.0], a25=[0.5], a0=[0.0])
BEST_AT_0 = _table(1, a0=[1.0, 0.5], a50=[0.5, 0.5], a100=[0.25, 0.5])
NARROW = _table(1, a0=[0.25, 0.25], a25=[0.5, 0.5], a50=[0.5, 0.25])
ON_NARROW = _table(11, a0=[0.25] * 4, a25=[0.5, 0.5, 0.25, 0.25], a50=[0.75, 1.0, 0.5, 0.75])
SHARED = _table(1, a0=[0.25, 0.25], a25=[0.75, 0.5], a50=[0.5, 0.25])
ON_SHARED = _table(2, a0=[0.25, 0.5], a25=[0.5, 1.0], a50=[0.75, 0.25])
ONE_HIGH = _table(1, a0=[0.25, 0.25, 0.25], a50=[0.5, 0.5, 0.5], a75=[1.0, 0.0, 0.25])
ON_ONE_HIGH = _table(11, a0=[0.25, 0.5], a50=[0.5, 0.5], a75=[1.0, 0.75])
APART = _table(1, a0=[0.25, 0.5], a25=[1.0, 1.0], a50=[0.75, 1.0], a75=[0.25, 0.5])
ON_APART = _table(11, a0=[0.25, 0.25], a25=[0.25, 0.5], a50=[0.75, 1.0], a75=[1.0, 1.0])
LEVEL = _table(1, a0=[0.25, 0.25], a25=[0.5, 0.75], a50=[0.75, 0.5])
ON_LEVEL = _table(11, a0=[0.25], a25=[1.0], a50=[0.75])
UNSORTED = _table(1, a75=[0.7, 0.6], a0=[0.9, 0.2], a50=[0.8, 0.4], a25=[0.3, 0.5])
ON_UNSORTED = _table(11, a75=[0.4, 0.9, 0.7], a0=[0.5, 0.3, 0.2], a50=[1.0, 0.8, 0.6], a25=[0.1, 0.8, 0.3])

TUNE_THEN_CONFIRM = Exercise(
    name="TUNE_THEN_CONFIRM",
    task="""\
Write `tune_then_confirm(dev, test)`: which alpha do you choose, and what does it gain?

`dev` and `test` are `{alpha: {query_id: score}}`, with the same alphas: multiples of 0.25, 0 among \
them, which is BM25 alone. Within each all alphas have the same queries, at least one. Returned is \
`(alpha, gain)`: the alpha with the highest mean on dev, and its mean on test minus that of alpha 0 on test. \
**Convention**: of alphas with equally high means the one nearest to 0.5 is taken, of two equally near the \
lower. A query that stands in both dev and test raises a ValueError.""",
    reference=tune_then_confirm,
    cases=(
        Case((DEV, TEST), "0.5 is best on dev, so 0.5 it is, whatever test prefers; it gains 0.125"),
        Case((BEST_AT_1, LOWER), "1.0 was best on dev and loses on test: report the loss"),
        Case(
            (TIE, ON_TIE), "0.25, 0.75 and 1.0 are level on dev; two are as near to 0.5, and the lower counts"
        ),
        Case((AT_END, ON_END), "1.0, 0.75 and 0 are level; 0.75 is nearest to 0.5"),
        Case((BEST_AT_0, TEST), "dev prefers BM25 alone: nothing is changed, nothing is gained"),
        Case((NARROW, ON_NARROW), "four queries on test, two on dev: a mean over each half's own number"),
        Case((SHARED, ON_SHARED), "q2 stands in both; what is confirmed on it was tuned on it"),
        Case(
            (UNSORTED, ON_UNSORTED),
            "0.75 is best on dev; on test it has 2.0 in three queries, and BM25 has 1.0",
        ),
        Case((ONE_HIGH, ON_ONE_HIGH), "the mean decides, not the highest single query"),
        Case((DEV, LOWER), "0.5 again: 0.75 on test, where BM25 has 0.625"),
        Case((APART, ON_APART), "dev says 0.25, test would say 0.75, both together 0.5: dev chooses"),
        Case((LEVEL, ON_LEVEL), "0.25 and 0.5 are level on dev, and 0.5 is the nearest there is to 0.5"),
        Case((DEV, DEV), "all queries stand in both; nothing can be confirmed"),
    ),
    hints=(
        "Two steps that must not touch: choose with dev alone; then look up that one alpha in test.",
        "means = {alpha: sum(scores.values()) / len(scores) …} for dev. max(means, key=…) may compare "
        "tuples: "
        "the mean first, then what breaks a tie.",
        "alpha = max(means, key=lambda a: (means[a], -abs(a - 0.5), -a)). The gain is a difference of two "
        "means on test. Before all that: dev[0].keys() & test[0].keys() must be empty.",
    ),
)


def _mean(scores):
    return sum(scores.values()) / len(scores)


def _checked(dev, test):
    if dev[0].keys() & test[0].keys():
        raise ValueError


def _chosen(table):
    return max(table, key=lambda alpha: (_mean(table[alpha]), -abs(alpha - 0.5), -alpha))


def _gain(alpha, table):
    return _mean(table[alpha]) - _mean(table[0])


def _tuned(dev, test, chosen=None, gain=None, checked=_checked, candidates=dict):
    """The reference with one part exchanged."""
    checked(dev, test)
    alpha = chosen(candidates(dev), test) if chosen else _chosen(candidates(dev))
    return alpha, gain(alpha, dev, test) if gain else _gain(alpha, test)


def _best(dev, key):
    return max(dev, key=lambda alpha: key(alpha, _mean(dev[alpha])))


@TUNE_THEN_CONFIRM.mistake("chosen on test")
def chosen_on_test(dev, test):
    """You choose the alpha that is best on test, and report what it gains there. The best of many
    numbers is high by luck too, and no query is left that could tell. Choose on dev."""
    return _tuned(dev, test, chosen=lambda dev, test: _chosen(test))


@TUNE_THEN_CONFIRM.mistake("gain on dev")
def gain_on_dev(dev, test):
    """You report the gain on dev, where the alpha was chosen because it is high. The queries that chose
    cannot confirm."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _gain(alpha, dev))


@TUNE_THEN_CONFIRM.mistake("both together")
def both_together(dev, test):
    """You choose the alpha on dev and test together. Then test has had its say, and what it says
    afterwards is no confirmation."""
    return _tuned(dev, test, chosen=lambda dev, test: _chosen({a: dev[a] | test[a] for a in dev}))


@TUNE_THEN_CONFIRM.mistake("dev against test")
def dev_against_test(dev, test):
    """You subtract BM25 on dev from the chosen alpha on test. These are other queries, and they may be
    easier. Both means are of test."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _mean(test[alpha]) - _mean(dev[0]))


@TUNE_THEN_CONFIRM.mistake("the mean itself")
def the_mean_itself(dev, test):
    """You return the mean on test. Asked for is what is gained: take off what BM25 alone, alpha 0, has
    there."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _mean(test[alpha]))


@TUNE_THEN_CONFIRM.mistake("sign turned")
def sign_turned(dev, test):
    """You subtract the wrong way round: a gain comes out negative. It is the chosen alpha minus alpha
    0."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: -_gain(alpha, test))


@TUNE_THEN_CONFIRM.mistake("the sum")
def the_sum(dev, test):
    """You return the sum of the differences. Divide by the number of test queries."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _gain(alpha, test) * len(test[0]))


@TUNE_THEN_CONFIRM.mistake("divided by the queries of dev")
def divided_by_the_queries_of_dev(dev, test):
    """You divide the sum over test by the number of dev queries. Each half has its own number."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _gain(alpha, test) * len(test[0]) / len(dev[0]))


_TIES = (
    "Of equally good alphas you take the first that comes, or the lowest, or the highest. With few queries "
    "ties are common, and then what was believed before should decide: the one nearest to 0.5, of two such "
    "the lower."
)


@TUNE_THEN_CONFIRM.mistake("ties: the first", _TIES)
def first_of_equals(dev, test):
    return _tuned(dev, test, chosen=lambda dev, test: _best(dev, lambda alpha, mean: mean))


@TUNE_THEN_CONFIRM.mistake("ties: the lowest", _TIES)
def lowest_of_equals(dev, test):
    return _tuned(dev, test, chosen=lambda dev, test: _best(dev, lambda alpha, mean: (mean, -alpha)))


@TUNE_THEN_CONFIRM.mistake("ties: the highest", _TIES)
def highest_of_equals(dev, test):
    return _tuned(dev, test, chosen=lambda dev, test: _best(dev, lambda alpha, mean: (mean, alpha)))


@TUNE_THEN_CONFIRM.mistake("the best single query")
def the_best_single_query(dev, test):
    """You choose by the highest score of a single query. The mean over the queries decides."""
    return _tuned(
        dev, test, chosen=lambda dev, test: max(dev, key=lambda a: (max(dev[a].values()), -abs(a - 0.5), -a))
    )


@TUNE_THEN_CONFIRM.mistake("shared queries let through")
def shared_queries_let_through(dev, test):
    """A query stands in dev and test, and you say nothing. It confirms what it has chosen itself. Raise
    a ValueError."""
    return _tuned(dev, test, checked=lambda dev, test: None)


@TUNE_THEN_CONFIRM.mistake("shared queries dropped")
def shared_queries_dropped(dev, test):
    """You drop the queries that stand in both, silently. The means are then of other queries than the
    caller thinks; the split itself is wrong and must be mended: raise a ValueError."""
    kept = {a: {q: s for q, s in scores.items() if q not in dev[0]} for a, scores in test.items()}
    return _chosen(dev), _gain(_chosen(dev), kept)


@TUNE_THEN_CONFIRM.mistake("of two equally near the higher")
def higher_of_two_equally_near(dev, test):
    """Of two alphas that are equally near to 0.5 you take the higher. The convention is the lower, which
    trusts BM25 more."""
    return _tuned(
        dev,
        test,
        chosen=lambda dev, test: _best(dev, lambda alpha, mean: (mean, -abs(alpha - 0.5), alpha)),
    )


@TUNE_THEN_CONFIRM.mistake("0 is no candidate")
def zero_is_no_candidate(dev, test):
    """You leave out alpha 0. It is a candidate like the others: where BM25 alone is best on dev, nothing is
    to be changed."""
    return _tuned(dev, test, candidates=lambda dev: {a: of for a, of in dev.items() if a} or dev)


@TUNE_THEN_CONFIRM.mistake("the gain over the lowest alpha")
def gain_over_the_worst(dev, test):
    """You subtract the lowest mean on test. Compared is with alpha 0, which is BM25 alone."""
    return _tuned(
        dev, test, gain=lambda alpha, dev, test: _mean(test[alpha]) - min(map(_mean, test.values()))
    )


@TUNE_THEN_CONFIRM.mistake("only equal sets of queries refused")
def only_equal_sets_refused(dev, test):
    """You refuse only where dev and test have all their queries in common. A single shared query has chosen
    what it confirms: raise a ValueError for one."""
    if dev[0].keys() == test[0].keys():
        raise ValueError
    return _chosen(dev), _gain(_chosen(dev), test)


@TUNE_THEN_CONFIRM.mistake("gain over alpha 1")
def gain_over_one(dev, test):
    """You compare with alpha 1, the vectors alone. The gain is that over alpha 0, BM25 alone: what one has
    without the change."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _mean(test[alpha]) - _mean(test[max(test)]))


@TUNE_THEN_CONFIRM.mistake("test less dev")
def test_less_dev(dev, test):
    """You subtract the mean on dev from the mean on test. That compares two sets of queries; the gain
    compares two alphas on the same ones, those of test."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _mean(test[alpha]) - _mean(dev[alpha]))


@TUNE_THEN_CONFIRM.mistake("a relative gain")
def relative_gain(dev, test):
    """You divide the gain by what BM25 has. Asked for is the difference of two means."""
    return _tuned(dev, test, gain=lambda alpha, dev, test: _gain(alpha, test) / _mean(test[0]))


@TUNE_THEN_CONFIRM.mistake("the mean in place of alpha")
def mean_in_place_of_alpha(dev, test):
    """You return the highest mean on dev. Asked for is the alpha that has it."""
    alpha, gain = tune_then_confirm(dev, test)
    return _mean(dev[alpha]), gain


@TUNE_THEN_CONFIRM.mistake("the worst on dev")
def the_worst_on_dev(dev, test):
    """You choose the alpha with the lowest mean on dev. Higher is better."""
    return _tuned(
        dev, test, chosen=lambda dev, test: min(dev, key=lambda a: (_mean(dev[a]), abs(a - 0.5), a))
    )
